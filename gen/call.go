package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// script writes the type that runs the script, and what tests of a service put in its place.
func (e *emitter) script() {
	name := e.s.GoName
	first := name + "Script runs " + e.s.File + ". Get it from NewScripts."
	e.doc(first, paragraphs(e.s)...)
	e.f.Type().Id(name + "Script").Struct(jen.Op("*").Id("scriptRunner"))
	e.f.Line()

	e.f.Commentf("// %sExecutor is what a service needs of %s. Taken as a parameter, a test can pass a %sFunc.", name, name, name)
	e.f.Type().Id(name + "Executor").Interface(jen.Id("Execute").Add(e.signature()))
	e.f.Line()

	e.f.Commentf("// %sFunc is a function in the place of %s.", name, name)
	e.f.Type().Id(name + "Func").Func().Add(e.signature())
	e.f.Line()

	e.f.Comment("// Execute calls f.")
	e.f.Func().Params(jen.Id("f").Id(name + "Func")).Id("Execute").Add(e.signature()).Block(
		jen.Return(jen.Id("f").CallFunc(func(g *jen.Group) {
			g.Id("ctx")
			if e.hasParams() {
				g.Id("params")
			}
		})),
	)
	e.f.Line()
}

// paragraphs are the doc comment of the header and the deprecation, which Go's tools look for in the last paragraph.
func paragraphs(s *model.Script) []string {
	var all []string
	text := ""
	for _, line := range s.Doc {
		if line == "" {
			all, text = append(all, text), ""
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += line
	}
	all = append(all, text)
	if s.Deprecated != "" {
		all = append(all, "Deprecated: "+s.Deprecated)
	}
	return all
}

// signature is that of Execute: (ctx context.Context, params XParams) (XResult, error).
func (e *emitter) signature() *jen.Statement {
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context")}
	if e.hasParams() {
		params = append(params, jen.Id("params").Id(e.s.GoName+"Params"))
	}
	if result := e.resultType(); result != nil {
		return jen.Params(params...).Params(result, jen.Error())
	}
	return jen.Params(params...).Error()
}

// method begins a method of the script's type.
func (e *emitter) method(name string) *jen.Statement {
	return e.f.Func().Params(jen.Id("s").Op("*").Id(e.s.GoName + "Script")).Id(name)
}

func (e *emitter) paramList() []jen.Code {
	if !e.hasParams() {
		return nil
	}
	return []jen.Code{jen.Id("params").Id(e.s.GoName + "Params")}
}

func (e *emitter) paramValues() []jen.Code {
	if !e.hasParams() {
		return nil
	}
	return []jen.Code{jen.Id("params")}
}

// zero is the zero value of the result.
func (e *emitter) zero() jen.Code {
	r := e.s.Result
	if r.Shape != model.Scalar {
		return jen.Id(e.s.GoName + "Result").Values()
	}
	f := r.Fields[0]
	if f.Optional || f.Type.Kind == model.Bytes {
		return jen.Nil()
	}
	switch f.Type.Kind {
	case model.String:
		return jen.Lit("")
	case model.Bool, model.BoolNil:
		return jen.False()
	case model.Time:
		return jen.Qual("time", "Time").Values()
	}
	return jen.Lit(0)
}

func ifErr(returns ...jen.Code) *jen.Statement {
	return jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(returns...))
}

// execute writes
//
//	func (s *SlidingWindowScript) Execute(ctx context.Context, params SlidingWindowParams) (SlidingWindowResult, error) {
//		args, err := s.args(params)
//		if err != nil {
//			return SlidingWindowResult{}, err
//		}
//		return runScript(ctx, s.scriptRunner, slidingWindowSource, args, 1, decodeSlidingWindow)
//	}
func (e *emitter) execute() {
	void := e.s.Result.Shape == model.Void
	failed := []jen.Code{jen.Err()}
	if !void {
		failed = []jen.Code{e.zero(), jen.Err()}
	}
	run := jen.Id("runScript").Call(jen.Id("ctx"), jen.Id("s").Dot("scriptRunner"), e.sourceVar(), jen.Id("args"), jen.Lit(len(e.s.Keys)), e.decoder())
	e.f.Comment("// Execute runs the script once. The error is a *ScriptError.")
	e.f.Comment(e.repeatDoc())
	e.deprecation()
	e.method("Execute").Add(e.signature()).BlockFunc(func(g *jen.Group) {
		g.List(jen.Id("args"), jen.Err()).Op(":=").Id("s").Dot("args").Call(e.paramValues()...)
		g.Add(ifErr(failed...))
		if void {
			g.List(jen.Id("_"), jen.Err()).Op("=").Add(run)
			g.Return(jen.Err())
			return
		}
		g.Return(run)
	})
	e.f.Line()
}

// queue writes the method Queue.
func (e *emitter) queue() {
	result := e.resultType()
	if result == nil {
		result = jen.Struct()
	}
	params := append([]jen.Code{jen.Id("ctx").Qual("context", "Context"), jen.Id("pipe").Qual(redisPath, "Pipeliner")}, e.paramList()...)
	e.f.Comment("// Queue puts a call into a pipeline or a MULTI of the client given to NewScripts; Exec sends it. After an error")
	e.f.Comment("// nothing was queued.")
	e.deprecation()
	e.method("Queue").Params(params...).Params(jen.Op("*").Id("Pending").Types(result), jen.Error()).Block(
		jen.List(jen.Id("args"), jen.Err()).Op(":=").Id("s").Dot("args").Call(e.paramValues()...),
		ifErr(jen.Nil(), jen.Err()),
		jen.Return(jen.Id("queueScript").Call(jen.Id("ctx"), jen.Id("s").Dot("scriptRunner"), jen.Id("pipe"), e.sourceVar(), jen.Id("args"), jen.Lit(len(e.s.Keys)), e.decoder())),
	)
	e.f.Line()
}

// deprecation repeats @deprecated where linters look: at what is called.
func (e *emitter) deprecation() {
	if e.s.Deprecated != "" {
		e.f.Comment("//")
		e.f.Comment("// Deprecated: " + e.s.Deprecated)
	}
}

// decoder is the function that reads the reply.
func (e *emitter) decoder() *jen.Statement {
	if e.s.Result.Shape == model.Void {
		return jen.Id("noResult")
	}
	return jen.Id("decode" + e.s.GoName)
}

func (e *emitter) repeatDoc() string {
	switch {
	case e.s.ReadOnly:
		return "// It only reads: after a lost reply it is sent again within the deadline of ctx."
	case e.s.Idempotent:
		return "// It may run twice: after a lost reply it is sent again within the deadline of ctx."
	}
	return "// A lost reply is ErrMaybeExecuted: the script is not sent again."
}

// keysMethod writes the method Keys.
func (e *emitter) keysMethod() {
	if len(e.s.Keys) == 0 {
		return
	}
	name := e.s.GoName + "Keys"
	e.f.Comment("// Keys returns the keys of a call with these parameters. The error is a *ScriptError.")
	e.method("Keys").Params(e.paramList()...).Params(jen.Id(name), jen.Error()).BlockFunc(func(g *jen.Group) {
		for _, p := range e.s.Params {
			e.checkKeyParam(g, p, jen.Id(name).Values())
		}
		g.Return(jen.Id(name).Custom(multiline, e.keyFields()...), jen.Nil())
	})
	e.f.Line()
}

// checkKeyParam refuses values that would make a wrong key.
func (e *emitter) checkKeyParam(g *jen.Group, p *model.Param, zero jen.Code) {
	value := jen.Id("params").Dot(p.GoName)
	switch {
	case p.Type.Kind == model.EnumOf && e.inKey(p):
		g.If(jen.Op("!").Add(value).Dot("Valid").Call()).Block(jen.Return(zero, e.bad(p, noEnumValue)))
	case e.isWholeKey(p):
		g.If(value.Op("==").Lit("")).Block(jen.Return(zero, e.bad(p, "is empty")))
	case p.Type.Kind == model.String && p.InTag:
		g.If(
			jen.Err().Op(":=").Add(e.sourceVar()).Dot("checkInTag").Call(jen.Lit(p.GoName), value),
			jen.Err().Op("!=").Nil(),
		).Block(jen.Return(zero, jen.Err()))
	}
}

func (e *emitter) inKey(p *model.Param) bool {
	for _, k := range e.s.Keys {
		for _, part := range k.Parts {
			if part.Param == p {
				return true
			}
		}
	}
	return false
}

func (e *emitter) isWholeKey(p *model.Param) bool {
	for _, k := range e.s.Keys {
		if k.Template == "" && k.Parts[0].Param == p {
			return true
		}
	}
	return false
}

// bad is the error for a refused parameter.
func (e *emitter) bad(p *model.Param, problem string) *jen.Statement {
	return e.sourceVar().Dot("bad").Call(jen.Lit(p.GoName), jen.Lit(problem))
}

// keyFields writes the keys: Log: "rl:{" + params.Tenant + "}:" + params.Route.
func (e *emitter) keyFields() []jen.Code {
	var fields []jen.Code
	for _, k := range e.s.Keys {
		value := jen.Id("s").Dot("prefix").Call()
		for _, part := range k.Parts {
			value.Op("+")
			if part.Param == nil {
				value.Lit(part.Text)
			} else {
				value.Add(keyText(part.Param))
			}
		}
		fields = append(fields, field(k.GoName, value))
	}
	return fields
}

// keyText spells a parameter as text within a key.
func keyText(p *model.Param) *jen.Statement {
	value := jen.Id("params").Dot(p.GoName)
	switch p.Type.Kind {
	case model.Int:
		return jen.Qual("strconv", "FormatInt").Call(value, jen.Lit(10))
	case model.Uint:
		return jen.Qual("strconv", "FormatUint").Call(value, jen.Lit(10))
	case model.EnumOf:
		return value.Dot("Literal").Call()
	}
	return value
}

// command is EVALSHA, or EVALSHA_RO for a script that only reads.
func (e *emitter) command() string {
	if e.s.ReadOnly {
		return "evalsha_ro"
	}
	return "evalsha"
}

// args writes the method args: everything that goes over the wire.
func (e *emitter) args() {
	e.f.Comment("// args checks the parameters and returns the whole command.")
	e.method("args").Params(e.paramList()...).Params(jen.Index().Any(), jen.Error()).BlockFunc(func(g *jen.Group) {
		if len(e.s.Keys) > 0 {
			g.List(jen.Id("keys"), jen.Err()).Op(":=").Id("s").Dot("Keys").Call(e.paramValues()...)
			g.Add(ifErr(jen.Nil(), jen.Err()))
		}
		for _, a := range e.s.Args {
			e.checkArg(g, a)
		}
		if e.s.HasClock() {
			g.Id("now").Op(":=").Id("s").Dot("clock").Call()
		}
		list := []jen.Code{jen.Lit(e.command()), jen.Id(e.s.GoName + "SHA"), jen.Lit(strconv.Itoa(len(e.s.Keys)))}
		for _, k := range e.s.Keys {
			list = append(list, jen.Id("keys").Dot(k.GoName))
		}
		var tail []*model.Arg
		for _, a := range e.s.Args {
			switch {
			case a.Optional && a.Absent == nil:
				tail = append(tail, a)
			case a.Optional:
				list = append(list, e.sentinel(g, a))
			default:
				list = append(list, argValue(a, e.argField(a)))
			}
		}
		command := jen.Index().Any().Custom(multiline, list...)
		if len(tail) == 0 {
			g.Return(command, jen.Nil())
			return
		}
		g.Id("args").Op(":=").Add(command)
		for _, a := range tail {
			g.If(e.isPresent(a)).Block(
				jen.Id("args").Op("=").Append(jen.Id("args"), argValue(a, e.present(a))),
			)
		}
		g.Return(jen.Id("args"), jen.Nil())
	})
	e.f.Line()
}

// sentinel writes what an absent argument sends:
//
//	optionalLimit := any("-1")
//	if params.Limit != nil {
//		optionalLimit = *params.Limit
//	}
func (e *emitter) sentinel(g *jen.Group, a *model.Arg) jen.Code {
	name := "optional" + a.Param.GoName
	g.Id(name).Op(":=").Any().Call(jen.Lit(*a.Absent))
	g.If(e.isPresent(a)).Block(jen.Id(name).Op("=").Add(argValue(a, e.present(a))))
	return jen.Id(name)
}

func (e *emitter) argField(a *model.Arg) *jen.Statement {
	if a.Param == nil {
		return jen.Id("now")
	}
	return jen.Id("params").Dot(a.Param.GoName)
}

func (e *emitter) isPresent(a *model.Arg) *jen.Statement { return e.argField(a).Op("!=").Nil() }

// present is the value of an argument that is not absent.
func (e *emitter) present(a *model.Arg) *jen.Statement {
	if a.Optional && a.Type.Kind != model.Bytes {
		return jen.Op("*").Add(e.argField(a))
	}
	return e.argField(a)
}

// argValue spells an argument for the wire. go-redis sends strings, byte slices and integers as they are; for all else
// its own spelling is not that of the header language.
func argValue(a *model.Arg, value *jen.Statement) jen.Code {
	if a.Secret {
		if a.Type.Kind == model.Bytes {
			value = jen.String().Call(value)
		}
		return jen.Id("secret").Call(value)
	}
	unit := unitName(a.Type)
	switch a.Type.Kind {
	case model.Index:
		return value.Op("+").Lit(1)
	case model.Float:
		return jen.Id("floatArg").Call(value)
	case model.Bool:
		return jen.Id("boolArg").Call(value, jen.Lit(a.Type.Yes), jen.Lit(a.Type.No))
	case model.Duration:
		if unit == nil {
			return jen.Id("secondsArg").Call(value)
		}
		return jen.Id("durationArg").Call(value, unit)
	case model.Time, model.Now:
		if unit == nil {
			return jen.Id("unixSecondsArg").Call(value)
		}
		return jen.Id("timeArg").Call(value, unit)
	case model.EnumOf:
		if a.Optional {
			value = jen.Parens(value)
		}
		return value.Dot("Literal").Call()
	}
	return value
}
