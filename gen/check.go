package gen

import (
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

// checkArg writes what refuses a bad argument before anything is sent.
func (e *emitter) checkArg(g *jen.Group, a *model.Arg) {
	if a.Param == nil {
		return
	}
	var checks []jen.Code
	refuse := func(condition jen.Code, problem string) {
		checks = append(checks, jen.If(condition).Block(jen.Return(jen.Nil(), e.bad(a.Param, problem))))
	}
	value := func() *jen.Statement { return e.present(a) }
	method := func() *jen.Statement { // a value whose method is called
		if a.Optional {
			return jen.Parens(value())
		}
		return value()
	}
	switch a.Type.Kind {
	case model.EnumOf:
		if !e.inKey(a.Param) { // else Keys has checked it
			refuse(jen.Op("!").Add(method()).Dot("Valid").Call(), "is unset")
		}
	case model.Time:
		unit := unitName(a.Type)
		if unit == nil {
			unit = jen.Qual("time", "Second")
		}
		checks = append(checks, jen.If(
			jen.Err().Op(":=").Add(e.sourceVar()).Dot("checkTime").Call(jen.Lit(a.Param.GoName), value(), unit),
			jen.Err().Op("!=").Nil(),
		).Block(jen.Return(jen.Nil(), jen.Err())))
	case model.Index:
		refuse(value().Op("<").Lit(0), "is negative")
	case model.Float:
		refuse(jen.Qual("math", "IsNaN").Call(value()), "is not a number")
	}
	if a.Min != nil {
		refuse(limited(a, value()).Op("<").Add(limitValue(a, a.Min)), limitProblem(a, "below", "shorter than", a.Min))
	}
	if a.Max != nil {
		refuse(limited(a, value()).Op(">").Add(limitValue(a, a.Max)), limitProblem(a, "above", "longer than", a.Max))
	}
	if a.Optional && a.Absent != nil && a.Type.Kind == model.String {
		refuse(value().Op("==").Lit(*a.Absent), "is the value that stands for an absent one")
	}
	if a.Optional && a.Absent == nil {
		e.checkGap(g, a)
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
	if a.Type.Kind == model.String || a.Type.Kind == model.Bytes {
		return jen.Len(value)
	}
	return value
}

// limitProblem says how a value is out of its limit: "is below 1ms", "is longer than 64 bytes".
func limitProblem(a *model.Arg, number, length string, l *model.Limit) string {
	switch {
	case a.Type.Kind != model.String && a.Type.Kind != model.Bytes:
		return "is " + number + " " + l.Text
	case l.Int == 1 && l == a.Min:
		return "is empty"
	}
	return "is " + length + " " + l.Text + " bytes"
}

func limitValue(a *model.Arg, l *model.Limit) *jen.Statement {
	switch a.Type.Kind {
	case model.Uint:
		return jen.Op(l.Text)
	case model.Float:
		return jen.Op(l.Text)
	case model.Duration:
		return durationValue(l.Duration)
	}
	return jen.Op(l.Text)
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
