package model

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
)

// longestMin is the greatest min= of a text. The golden tests spell out a value that is as long.
const longestMin = 1 << 16

// limits reads min= and max= of an argument.
func (b *builder) limits(a *Arg, t *annotations.ArgTag) {
	for _, o := range t.Options {
		switch o.Name.Text {
		case "min":
			a.Min = b.limit(a.Type, o.Value, true)
		case "max":
			a.Max = b.limit(a.Type, o.Value, false)
		}
	}
	switch {
	case a.Min != nil && a.Max != nil && a.Min.above(a.Max):
		b.sink.Report(BadLimit, t.Whole, "no value is at least %s and at most %s", a.Min.Text, a.Max.Text).WithHint("swap them")
	case a.onlyAbsent():
		b.sink.Report(BadLimit, t.Whole, "the only value within the limits, %s, stands for an absent one", *a.Absent).
			WithHint("choose another literal, or other limits")
	}
}

// onlyAbsent reports whether the limits leave one number, which stands for an absent value.
func (a *Arg) onlyAbsent() bool {
	if a.Absent == nil || a.Max == nil || a.Type.IsText() || a.Min == nil && a.Type.Kind != Uint && a.Type.Kind != Index {
		return false
	}
	least := a.Min
	if least == nil || least.Idle {
		least = &Limit{}
	}
	number, err := strconv.ParseFloat(*a.Absent, 64)
	return err == nil && least.Number(a.Type) == number && a.Max.Number(a.Type) == number
}

// limit reads the value of min= or max=.
func (b *builder) limit(t Type, value annotations.Word, isMin bool) *Limit {
	l := &Limit{Text: value.Text}
	var err error
	want := "an integer"
	switch t.Kind {
	case Int:
		l.Int, err = strconv.ParseInt(value.Text, 10, 64)
	case Index: // an int, which has 32 bits somewhere
		want = "an index"
		l.Int, err = strconv.ParseInt(value.Text, 10, 32)
	case String, Bytes:
		want = "a length in bytes"
		l.Uint, err = strconv.ParseUint(value.Text, 10, 31)
		l.Int = int64(l.Uint)
	case Uint:
		want = "an integer that is not negative"
		l.Uint, err = strconv.ParseUint(value.Text, 10, 64)
	case Float:
		want = "a number"
		l.Float, err = strconv.ParseFloat(value.Text, 64)
		if strings.Trim(value.Text, "0123456789+-.eE") != "" {
			err = strconv.ErrSyntax
		}
		l.Float += 0 // no -0
	case Duration:
		want = "a duration such as 1ms"
		l.Duration, err = time.ParseDuration(value.Text)
	default:
		b.sink.Report(BadLimit, value.Span, "%s has no min and max", t.Text).
			WithHint("only numbers, durations and strings have")
		return nil
	}
	if err != nil {
		b.sink.Report(BadLimit, value.Span, "%s is not %s", value.Text, want).
			WithHint("min and max of %s are %s", t.Text, want)
		return nil
	}
	l.Idle = l.isIdle(t, isMin)
	b.checkLimit(t, l, value.Span, isMin)
	return l
}

// checkLimit reports a limit that no value keeps, or that is not what the script would see.
func (b *builder) checkLimit(t Type, l *Limit, span diag.Span, isMin bool) {
	switch {
	case t.IsText() && !isMin && l.Int == 0:
		b.sink.Report(BadLimit, span, "only the empty text is no longer than 0 bytes").WithHint("remove the argument, or raise the limit")
	case t.IsText() && isMin && l.Int > longestMin:
		b.sink.Report(BadLimit, span, "%s bytes are more than a min can ask for", l.Text).WithHint("%d bytes are the most", longestMin)
	case t.Kind == Index && !isMin && l.Int < 0:
		b.sink.Report(BadLimit, span, "no index is at most %s", l.Text).WithHint("the first index is 0")
	case t.Kind == Duration && t.Unit != 0 && l.Duration%t.Unit != 0:
		least := l.Duration / t.Unit * t.Unit
		b.sink.Report(BadLimit, span, "%s is no whole number of the unit of %s, to which durations are rounded", l.Text, t.Text).
			WithHint("write %s or %s, or choose a smaller unit", least, least+time.Duration(cmp.Compare(l.Duration, 0))*t.Unit)
	}
}

// Number returns about the number that is on the wire for a value at the limit.
func (l *Limit) Number(t Type) float64 {
	switch t.Kind {
	case Int:
		return float64(l.Int)
	case Index:
		return float64(l.Int) + 1
	case Uint:
		return float64(l.Uint)
	case Duration:
		if t.Unit == 0 {
			return l.Duration.Seconds()
		}
		n := float64(l.Duration) / float64(t.Unit)
		return math.Copysign(math.Ceil(math.Abs(n)), n) // as durations are rounded
	}
	return l.Float
}

// isIdle reports whether no value of the Go type is beyond the limit, so that a comparison would be dead code.
func (l *Limit) isIdle(t Type, isMin bool) bool {
	switch {
	case t.Kind == Int && isMin:
		return l.Int == math.MinInt64
	case t.Kind == Int || t.Kind == Index && !isMin:
		return l.Int == math.MaxInt64
	case t.Kind == Uint && !isMin:
		return l.Uint == math.MaxUint64
	case isMin: // of an index, which is never negative, a length, or a uint
		return t.Kind == Index && l.Int <= 0 || t.IsText() && l.Int == 0 || t.Kind == Uint && l.Uint == 0
	}
	return false
}

// above reports whether min excludes max.
func (l *Limit) above(other *Limit) bool {
	return l.Int > other.Int || l.Uint > other.Uint || l.Float > other.Float || l.Duration > other.Duration
}
