package gen

import (
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// member is one value of a closed set: a result code or a value of an enum.
type member struct {
	constant, name, literal, doc string

	quotedNumber bool // a literal that is text, but looks like an integer
}

// codes writes the type of the result codes.
func (e *emitter) codes() {
	if len(e.s.Codes) == 0 {
		return
	}
	name := e.s.GoName + "Code"
	e.closedSet(name, name+" is a result code of "+e.s.GoName+". Its zero value is no code.", codeMembers(e.s))
}

// enums writes the types of the enums.
func (e *emitter) enums() {
	for _, enum := range e.s.Enums {
		doc := enum.GoName + " is the enum " + enum.Name + " of " + e.s.GoName + ". Its zero value is unset."
		e.closedSet(enum.GoName, doc, enumMembers(enum))
	}
}

// closedSet writes a type with its constants, numbered from 1 so that a forgotten value never reads as one of them,
// and the methods String, Valid and Literal.
func (e *emitter) closedSet(name, doc string, members []member) {
	e.doc(doc)
	if len(members) <= math.MaxUint8 {
		e.f.Type().Id(name).Uint8()
	} else {
		e.f.Type().Id(name).Uint16()
	}
	e.f.Line()
	e.f.Commentf("// The values of %s.", name)
	e.f.Const().DefsFunc(func(g *jen.Group) {
		for i, m := range members {
			st := jen.Id(m.constant)
			if i == 0 {
				st.Id(name).Op("=").Iota().Op("+").Lit(1)
			}
			g.Add(aside(st, m.doc))
		}
	})
	e.f.Line()
	e.names(name, "String", "returns the name that the header gives the value.", "unset", func(m member) string { return m.name }, members)
	e.names(name, "Literal", "returns the value as it is on the wire.", "", func(m member) string { return m.literal }, members)
	e.f.Commentf("// Valid reports whether the value is one of those above.")
	e.f.Func().Params(jen.Id("v").Id(name)).Id("Valid").Params().Bool().Block(
		jen.Return(validRange(len(members))),
	)
	e.f.Line()
	e.f.Commentf("// %sValues returns all values.", name)
	e.f.Func().Id(name + "Values").Params().Index().Id(name).Block(
		jen.Return(jen.Index().Id(name).ValuesFunc(func(g *jen.Group) {
			for _, m := range members {
				g.Id(m.constant)
			}
		})),
	)
	e.f.Line()
}

func validRange(n int) *jen.Statement {
	if n == 1 {
		return jen.Id("v").Op("==").Lit(1)
	}
	return jen.Id("v").Op(">=").Lit(1).Op("&&").Id("v").Op("<=").Lit(n)
}

// names writes a method that gives a text for each value.
func (e *emitter) names(name, method, doc, otherwise string, text func(member) string, members []member) {
	e.f.Commentf("// %s %s", method, doc)
	e.f.Func().Params(jen.Id("v").Id(name)).Id(method).Params().String().Block(
		jen.Switch(jen.Id("v")).BlockFunc(func(g *jen.Group) {
			for _, m := range members {
				g.Case(jen.Id(m.constant)).Block(jen.Return(jen.Lit(text(m))))
			}
		}),
		jen.Return(jen.Lit(otherwise)),
	)
	e.f.Line()
}

// errors writes the sentinels of error codes and of @error.
func (e *emitter) errors() {
	type sentinel struct{ name, text, doc string }
	var all []sentinel
	for _, c := range e.s.Codes {
		if c.IsError {
			all = append(all, sentinel{c.ErrName, c.Name, c.Doc})
		}
	}
	for _, x := range e.s.Errors {
		all = append(all, sentinel{x.Var, x.Name, x.Doc})
	}
	if len(all) == 0 {
		return
	}
	e.f.Commentf("// The errors of %s; errors.Is finds them.", e.s.GoName)
	e.f.Var().DefsFunc(func(g *jen.Group) {
		for _, x := range all {
			text := x.text
			if doc := strings.TrimRight(x.doc, ".:! "); doc != "" { // an error's text goes on in that of another
				text += ": " + doc
			}
			g.Id(x.name).Op("=").Qual("errors", "New").Call(jen.Lit(text))
		}
	})
	e.f.Line()
}

// readMember writes the switch that finds the value for a text; the last statement handles a text of none.
func readMember(text jen.Code, members []member, found func(member) []jen.Code, otherwise ...jen.Code) *jen.Statement {
	return jen.Switch(text).BlockFunc(func(g *jen.Group) {
		for _, m := range members {
			g.Case(jen.Lit(m.literal)).Block(found(m)...)
		}
		g.Default().Block(otherwise...)
	})
}

func codeMembers(s *model.Script) []member {
	var members []member
	for _, c := range s.Codes {
		_, err := strconv.ParseInt(c.Literal, 10, 64)
		members = append(members, member{c.GoName, c.Name, c.Literal, c.Doc, err == nil && !c.IsInt})
	}
	return members
}

func enumMembers(enum *model.Enum) []member {
	var members []member
	for _, v := range enum.Values {
		members = append(members, member{constant: v.GoName, name: v.Name, literal: v.Literal, doc: v.Doc})
	}
	return members
}
