package model

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
)

// units are the units of duration(…), time(…) and now(…); f is seconds in plain decimal.
var units = map[string]time.Duration{
	"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond, "f": 0,
}

var plainKinds = map[string]Kind{
	"string": String, "bytes": Bytes, "int": Int, "uint": Uint, "index": Index, "float": Float,
}

// scalar returns the type that a type expression means, without an optional around it. What is no scalar is reported.
func (b *builder) scalar(t annotations.Type) (Type, bool) {
	n, ok := t.(*annotations.NamedType)
	if !ok {
		b.notYet(t.TypeSpan(), "the type "+t.TypeSpan().Text())
		return Type{}, false
	}
	word := ""
	if len(n.Params) > 0 {
		word = n.Params[0].Word.Text
	}
	text := n.Name.Text
	if word != "" {
		text += "(" + word + ")"
	}
	if kind, ok := plainKinds[n.Name.Text]; ok && len(n.Params) == 0 {
		return Type{Kind: kind, Text: text}, true
	}
	switch n.Name.Text {
	case "bool":
		return b.boolType(n, word)
	case "duration", "time", "now":
		unit, known := units[word]
		if !known { // the parser has said so
			return Type{}, false
		}
		kind := map[string]Kind{"duration": Duration, "time": Time, "now": Now}[n.Name.Text]
		return Type{Kind: kind, Text: text, Unit: unit}, true
	case "enum":
		return b.enumType(n)
	}
	b.notYet(n.Span, "the type "+n.Name.Text)
	return Type{}, false
}

func (b *builder) boolType(n *annotations.NamedType, word string) (Type, bool) {
	switch {
	case len(n.Params) == 0:
		return Type{Kind: Bool, Text: "bool", Yes: "1", No: "0"}, true
	case word == "truefalse":
		return Type{Kind: Bool, Text: "bool(truefalse)", Yes: "true", No: "false"}, true
	case word == "nil":
		return Type{Kind: BoolNil, Text: "bool(nil)", Yes: "1"}, true
	case word == "ok":
		return Type{Kind: BoolNil, Text: "bool(ok)", Yes: "OK"}, true
	case len(n.Params) == 2 && n.Params[0].Literal != nil && n.Params[1].Literal != nil:
		yes, no := n.Params[0].Literal, n.Params[1].Literal
		if yes.Text == no.Text {
			b.sink.Report(DuplicateLiteral, no.Span, "true and false are both %q", no.Text).WithHint("choose two literals")
			return Type{}, false
		}
		text := "bool(" + strconv.Quote(yes.Text) + "," + strconv.Quote(no.Text) + ")"
		return Type{Kind: Bool, Text: text, Yes: yes.Text, No: no.Text}, true
	}
	return Type{}, false // the parser has said so
}

func (b *builder) enumType(n *annotations.NamedType) (Type, bool) {
	enum := b.enums[n.Enum.Text]
	if enum == nil {
		if n.Enum.Text != "" {
			f := b.sink.Report(UnknownEnum, n.Enum.Span, "no enum %s", n.Enum.Text)
			if near := diag.Nearest(n.Enum.Text, sortedKeys(b.enums)); near != "" {
				f.WithHint("did you mean %s?", near)
			} else {
				f.WithHint("declare it: @enum %s string, and a @value line for each value", n.Enum.Text)
			}
		}
		return Type{}, false
	}
	return Type{Kind: EnumOf, Text: "enum " + enum.Name, Enum: enum}, true
}

// optional takes "?" and "?(LITERAL)" off a type.
func optional(t annotations.Type) (elem annotations.Type, isOptional bool, absent *annotations.Literal) {
	if o, ok := t.(*annotations.OptionalType); ok {
		return o.Elem, true, o.Absent
	}
	return t, false, nil
}

// checkAbsent reports a sentinel that could be a value's own text in the wrong way: one that a number never is.
func (b *builder) checkAbsent(t Type, absent *annotations.Literal) *string {
	if absent == nil {
		return nil
	}
	if t.Kind == EnumOf {
		for _, v := range t.Enum.Values {
			if v.Literal == absent.Text {
				b.sink.Report(DuplicateLiteral, absent.Span, "%s is also the literal of the value %s", absent.Span.Text(), v.Name).
					WithHint("choose a literal that no value has")
			}
		}
	}
	if t.Kind == Bool && (absent.Text == t.Yes || absent.Text == t.No) {
		b.sink.Report(DuplicateLiteral, absent.Span, "%s is also a value of %s", absent.Span.Text(), t.Text).
			WithHint("choose another literal, such as \"\"")
	}
	text := absent.Text
	return &text
}

// limit reads the value of min= or max=.
func (b *builder) limit(t Type, value annotations.Word) *Limit {
	l := &Limit{Text: value.Text}
	var err error
	want := "an integer"
	switch t.Kind {
	case Int, Index:
		l.Int, err = strconv.ParseInt(value.Text, 10, 64)
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
	return l
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
