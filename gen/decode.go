package gen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// decode writes the function that reads a reply.
func (e *emitter) decode() {
	r := e.s.Result
	if r.Shape == model.Void {
		return
	}
	name := "decode" + e.s.GoName
	e.f.Commentf("// %s reads a reply: %s.", name, r.Text)
	fail := jen.Return(e.zero(), jen.Lit(""), e.sourceVar().Dot("failReply").Call(jen.Id("r").Dot("err")))
	e.f.Func().Id(name).Params(jen.Id("reply").Index().Byte()).Params(e.resultType(), jen.String(), jen.Error()).BlockFunc(func(g *jen.Group) {
		g.Id("r").Op(":=").Id("replyReader").Values(field("raw", jen.Id("reply")))
		if r.Shape == model.Scalar {
			e.decodeScalar(g, r.Fields[0])
		} else {
			e.decodeFields(g)
		}
		g.If(jen.Id("r").Dot("err").Op("!=").Nil()).Block(fail)
		e.errorCodes(g)
		g.Return(jen.Id("result"), e.codeName(), jen.Nil())
	})
	e.f.Line()
}

// codeName names the result code for the observer.
func (e *emitter) codeName() *jen.Statement {
	for _, f := range e.s.Result.Fields {
		if f.Type.Kind == model.CodeOf {
			return jen.Id("result").Dot("Code").Dot("String").Call()
		}
	}
	return jen.Lit("")
}

// decodeScalar reads a result that is a single value.
func (e *emitter) decodeScalar(g *jen.Group, f *model.ResultField) {
	switch {
	case f.Type.Kind == model.EnumOf || f.Optional:
		g.Var().Id("result").Add(e.fieldType(f))
		e.readField(g, f, func() *jen.Statement { return jen.Id("result") }, nil)
	default:
		g.Id("result").Op(":=").Add(read(f.Type))
	}
}

// decodeFields reads a result that is a struct.
func (e *emitter) decodeFields(g *jen.Group) {
	r := e.s.Result
	g.Var().Id("result").Id(e.s.GoName + "Result")
	if r.Shape == model.Bare {
		g.Id("r").Dot("bare").Call()
	} else {
		least, most := r.Required(), len(r.Fields)
		array := jen.Id("r").Dot("array").Call(jen.Lit(least), jen.Lit(most))
		if least < most {
			g.Id("size").Op(":=").Add(array)
		} else {
			g.Add(array)
		}
	}
	for i, f := range r.Fields {
		target := func() *jen.Statement { return jen.Id("result").Dot(f.GoName) }
		var there jen.Code
		if i >= r.Required() && r.Shape == model.Struct {
			there = jen.Id("size").Op(">").Lit(i)
		}
		e.readField(g, f, target, there)
	}
}

// readField reads one element into its field. An element that may be missing at the end is there if the condition
// there holds; nil for all others.
func (e *emitter) readField(g *jen.Group, f *model.ResultField, target func() *jen.Statement, there jen.Code) {
	switch {
	case f.Type.Kind == model.CodeOf:
		e.readCode(g)
		return
	case !f.Optional:
		e.readInto(g, f.Type, target())
		return
	}
	present := jen.Op("!").Id("r").Dot("null").Call()
	if f.Absent != nil {
		present = jen.Op("!").Id("r").Dot("absent").Call(jen.Lit(*f.Absent))
	}
	if there != nil {
		present = jen.Add(there).Op("&&").Add(present)
	}
	g.If(present).BlockFunc(func(g *jen.Group) {
		switch f.Type.Kind {
		case model.Bytes:
			g.Add(target().Op("=").Add(read(f.Type)))
		case model.EnumOf:
			g.Var().Id("value").Add(goType(f.Type))
			e.readInto(g, f.Type, jen.Id("value"))
			g.Add(target().Op("=").Op("&").Id("value"))
		default:
			g.Id("value").Op(":=").Add(read(f.Type))
			g.Add(target().Op("=").Op("&").Id("value"))
		}
	})
}

// readInto assigns the next element.
func (e *emitter) readInto(g *jen.Group, t model.Type, target *jen.Statement) {
	if t.Kind != model.EnumOf {
		g.Add(target.Op("=").Add(read(t)))
		return
	}
	found := func(m member) []jen.Code { return []jen.Code{target.Clone().Op("=").Id(m.constant)} }
	want := jen.Lit("value of the enum " + t.Enum.Name)
	wrong := jen.Id("r").Dot("failLiteral").Call(want)
	g.Add(readMember(jen.Id("r").Dot("literal").Call(want), enumMembers(t.Enum), found, wrong))
}

// read is the expression that reads a value.
func read(t model.Type) *jen.Statement {
	r := func(method string, args ...jen.Code) *jen.Statement { return jen.Id("r").Dot(method).Call(args...) }
	switch t.Kind {
	case model.String:
		return r("string")
	case model.Bytes:
		return r("bytes")
	case model.Int:
		return r("int")
	case model.Uint:
		return r("uint")
	case model.Index:
		return r("index")
	case model.Float:
		return r("float")
	case model.Bool:
		return r("bool", jen.Lit(t.Yes), jen.Lit(t.No))
	case model.BoolNil:
		return r("isSet", jen.Lit(t.Yes))
	case model.Duration:
		if unit := unitName(t); unit != nil {
			return r("duration", unit)
		}
		return r("seconds")
	case model.Time:
		if unit := unitName(t); unit != nil {
			return r("time", unit)
		}
		return r("unixSeconds")
	}
	panic("gen: no reader for " + t.Text)
}

// readCode reads the result code.
func (e *emitter) readCode(g *jen.Group) {
	reader := "string" // quoted literals match strings and statuses
	if slices.ContainsFunc(e.s.Codes, func(c *model.Code) bool { return c.IsInt }) {
		reader = "resultCode" // integer ones also their decimal text
	}
	unknown := jen.Return(e.zero(), jen.Lit(""), e.sourceVar().Dot("failReply").Call(jen.Id("unknownCode").Call(jen.Id("code"))))
	found := func(m member) []jen.Code {
		set := jen.Id("result").Dot("Code").Op("=").Id(m.constant)
		if !m.quotedNumber || reader == "string" {
			return []jen.Code{set}
		}
		isInteger := jen.Id("r").Dot("last").Dot("kind").Op("==").LitRune(':')
		return []jen.Code{jen.If(isInteger).Block(unknown.Clone()), set}
	}
	text := jen.Id("code").Op(":=").Id("r").Dot(reader).Call().Op(";").Id("code")
	g.Add(readMember(text, codeMembers(e.s), found, jen.If(jen.Id("r").Dot("err").Op("==").Nil()).Block(unknown)))
}

// errorCodes returns the errors that codes mean; the result is filled all the same.
func (e *emitter) errorCodes(g *jen.Group) {
	var failures []*model.Code
	for _, c := range e.s.Codes {
		if c.IsError {
			failures = append(failures, c)
		}
	}
	fail := func(c *model.Code) jen.Code {
		return jen.Return(jen.Id("result"), e.codeName(), e.sourceVar().Dot("failReply").Call(jen.Id(c.ErrName)))
	}
	code := jen.Id("result").Dot("Code")
	switch len(failures) {
	case 0:
	case 1:
		g.If(code.Op("==").Id(failures[0].GoName)).Block(fail(failures[0]))
	default:
		g.Switch(code).BlockFunc(func(g *jen.Group) {
			for _, c := range failures {
				g.Case(jen.Id(c.GoName)).Block(fail(c))
			}
		})
	}
}
