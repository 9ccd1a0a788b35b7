package gen

import (
	"math"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// unitName spells a unit of time; nil for seconds in plain decimal.
func unitName(t model.Type) *jen.Statement {
	switch t.Unit {
	case time.Second:
		return jen.Qual("time", "Second")
	case time.Millisecond:
		return jen.Qual("time", "Millisecond")
	case time.Microsecond:
		return jen.Qual("time", "Microsecond")
	case time.Nanosecond:
		return jen.Qual("time", "Nanosecond")
	}
	return nil
}

// refusal is a condition under which an argument is refused, and what the error says.
type refusal struct {
	condition jen.Code
	problem   string
}

// checkArg writes what refuses a bad argument before anything is sent.
func (e *emitter) checkArg(g *jen.Group, a *model.Arg) {
	if a.Param == nil {
		return
	}
	if a.Optional && a.Absent == nil {
		e.checkGap(g, a)
	}
	refusals := e.refusals(a)
	var checks []jen.Code
	if a.Type.Kind == model.Time {
		checks = append(checks, e.checkTime(a))
	}
	if a.Optional && len(checks) == 0 && len(refusals) == 1 {
		one := refusals[0]
		g.If(e.isPresent(a).Op("&&").Add(one.condition)).Block(jen.Return(jen.Nil(), e.bad(a.Param, one.problem)))
		return
	}
	for _, r := range refusals {
		checks = append(checks, jen.If(r.condition).Block(jen.Return(jen.Nil(), e.bad(a.Param, r.problem))))
	}
	switch {
	case len(checks) == 0:
	case a.Optional:
		g.If(e.isPresent(a)).Block(checks...)
	default:
		for _, c := range checks {
			g.Add(c)
		}
	}
}

// refusals lists what is wrong with a value that is present.
func (e *emitter) refusals(a *model.Arg) []refusal {
	var all []refusal
	refuse := func(condition jen.Code, problem string) { all = append(all, refusal{condition, problem}) }
	value := func() *jen.Statement { return e.present(a) }
	switch a.Type.Kind {
	case model.EnumOf:
		method := value() // a value whose method is called
		if a.Optional {
			method = jen.Parens(method)
		}
		if !e.inKey(a.Param) { // else Keys has checked it
			refuse(jen.Op("!").Add(method).Dot("Valid").Call(), noEnumValue)
		}
	case model.Index:
		if a.Min == nil || a.Min.Idle { // else that says more
			refuse(value().Op("<").Lit(0), "is negative")
		}
	case model.Float:
		refuse(jen.Qual("math", "IsNaN").Call(value()), "is not a number")
	}
	if a.Min != nil && !a.Min.Idle {
		refuse(limited(a, value()).Op("<").Add(limitValue(a, a.Min)), limitProblem(a, "below", "shorter than", a.Min))
	}
	if a.Max != nil && !a.Max.Idle {
		refuse(limited(a, value()).Op(">").Add(limitValue(a, a.Max)), limitProblem(a, "above", "longer than", a.Max))
	}
	if a.Optional && a.Absent != nil {
		if condition := isSentinel(a, value()); condition != nil {
			refuse(condition, "is the value that stands for an absent one")
		}
	}
	return all
}

const noEnumValue = "is unset or none of the enum's values"

// checkTime refuses a time that is zero or that the unit can't hold.
func (e *emitter) checkTime(a *model.Arg) jen.Code {
	unit := unitName(a.Type)
	if unit == nil {
		unit = jen.Qual("time", "Second")
	}
	return jen.If(
		jen.Err().Op(":=").Add(e.sourceVar()).Dot("checkTime").Call(jen.Lit(a.Param.GoName), e.present(a), unit),
		jen.Err().Op("!=").Nil(),
	).Block(jen.Return(jen.Nil(), jen.Err()))
}

// isSentinel is true for a value that would be sent as the literal for an absent one; nil if there is none within the
// limits.
func isSentinel(a *model.Arg, value *jen.Statement) jen.Code {
	literal := *a.Absent
	number, notNumber := strconv.ParseFloat(literal, 64)
	switch a.Type.Kind {
	case model.String:
		return value.Op("==").Lit(literal)
	case model.Bytes:
		return jen.String().Call(value).Op("==").Lit(literal)
	case model.Bool, model.EnumOf: // it is none of the values
		return nil
	}
	if notNumber != nil || a.Min != nil && number < a.Min.Number(a.Type) || a.Max != nil && number > a.Max.Number(a.Type) {
		return nil
	}
	switch {
	case a.Type.Kind == model.Float, a.Type.Kind != model.Int && a.Type.Kind != model.Uint && a.Type.Kind != model.Index && a.Type.Unit == 0:
		return jen.Add(argValue(a, value)).Op("==").Lit(literal)
	case !isInteger(literal, a.Type.Kind):
		return nil
	}
	return jen.Add(argValue(a, value)).Op("==").Op(literal)
}

// isInteger reports whether a value of the kind, all of which are integers on the wire, is ever spelt so.
func isInteger(literal string, kind model.Kind) bool {
	if kind == model.Uint {
		n, err := strconv.ParseUint(literal, 10, 64)
		return err == nil && strconv.FormatUint(n, 10) == literal
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	if kind == model.Index && (n < 1 || n > math.MaxInt32) { // an int has 32 bits somewhere
		return false
	}
	return err == nil && strconv.FormatInt(n, 10) == literal
}

// checkGap refuses an argument that is there while one before it is left out: Lua would take it for the other.
func (e *emitter) checkGap(g *jen.Group, a *model.Arg) {
	var before *model.Arg
	for _, other := range e.s.Args {
		if other == a {
			break
		}
		if other.Optional && other.Absent == nil {
			before = other
		}
	}
	if before == nil {
		return
	}
	g.If(e.isPresent(a).Op("&&").Add(e.argField(before)).Op("==").Nil()).Block(
		jen.Return(jen.Nil(), e.bad(a.Param, "is set, but "+before.Param.GoName+", which stands before it, is not")),
	)
}

// limited is what min and max measure: the value, or its length in bytes.
func limited(a *model.Arg, value *jen.Statement) *jen.Statement {
	if a.Type.IsText() {
		return jen.Len(value)
	}
	return value
}

// limitProblem says how a value is out of its limit: "is below 1ms", "is longer than 64 bytes".
func limitProblem(a *model.Arg, number, length string, l *model.Limit) string {
	switch {
	case !a.Type.IsText():
		return "is " + number + " " + l.Text
	case l.Int == 1 && l == a.Min:
		return "is empty"
	}
	return "is " + length + " " + l.Text + " bytes"
}

func limitValue(a *model.Arg, l *model.Limit) *jen.Statement {
	switch a.Type.Kind {
	case model.Uint:
		return jen.Op(strconv.FormatUint(l.Uint, 10))
	case model.Float:
		return jen.Op(strconv.FormatFloat(l.Float, 'g', -1, 64))
	case model.Duration:
		return durationValue(l.Duration)
	}
	return jen.Op(strconv.FormatInt(l.Int, 10))
}

// durationValue spells a duration as a person would: 5 * time.Second.
func durationValue(d time.Duration) *jen.Statement {
	units := []struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}, {time.Nanosecond, "Nanosecond"}}
	for _, u := range units {
		switch {
		case d == 0:
			return jen.Lit(0)
		case d == u.unit:
			return jen.Qual("time", u.name)
		case d%u.unit == 0:
			return jen.Lit(int(d/u.unit)).Op("*").Qual("time", u.name)
		}
	}
	return nil
}
