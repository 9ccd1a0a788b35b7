package gen

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
	"github.com/redisgen/redisgen/templates"
)

// goldenFile writes the tests that go with a package. They need no server: they hold the bundles to their SHA-1, and
// the calls to what they send and to what they make of a reply.
func goldenFile(p *model.Package) (File, error) {
	f := newFile(p.Name, "")
	bundleTest(f)
	for _, s := range p.Scripts {
		e := &emitter{f: f, s: s}
		e.goldenTest()
	}
	tests, err := render(f)
	if err != nil {
		return File{}, err
	}
	recorder, err := templates.Runtime.ReadFile("runtime/recorder_test.go")
	if err != nil {
		return File{}, err
	}
	var decls []*decl
	for _, s := range []source{{"redisgen_test.go", tests}, {"recorder_test.go", recorder}} {
		part, err := parseDecls(s)
		if err != nil {
			return File{}, err
		}
		decls = append(decls, part...)
	}
	data, err := joinDecls(p.Name, decls)
	return File{Path: "redisgen_test.go", Data: data}, err
}

// bundleTest writes the test of the digests, and of a server's opinion where there is one.
func bundleTest(f *jen.File) {
	t := jen.Id("t").Op("*").Qual("testing", "T")
	f.Comment("// What is embedded is what the constants name. With REDISGEN_REDIS_ADDR set, a server compiles it, too.")
	f.Func().Id("TestRedisgen").Params(t).Block(
		jen.For(jen.List(jen.Id("_"), jen.Id("source")).Op(":=").Range().Id("scriptSources")).Block(
			jen.If(
				jen.Id("sum").Op(":=").Qual("crypto/sha1", "Sum").Call(jen.Index().Byte().Call(jen.Id("source").Dot("text"))),
				jen.Qual("encoding/hex", "EncodeToString").Call(jen.Id("sum").Index(jen.Op(":"))).Op("!=").Id("source").Dot("sha"),
			).Block(
				jen.Id("t").Dot("Errorf").Call(jen.Lit("%s: the bundle is not the one that its SHA names; run redisgen generate"), jen.Id("source").Dot("file")),
			),
		),
		jen.Id("addr").Op(":=").Qual("os", "Getenv").Call(jen.Lit("REDISGEN_REDIS_ADDR")),
		jen.If(jen.Id("addr").Op("==").Lit("")).Block(jen.Return()),
		jen.Id("options").Op(":=").Op("&").Qual(redisPath, "Options").Values(field("Addr", jen.Id("addr"))),
		jen.If(
			jen.List(jen.Id("path"), jen.Id("ok")).Op(":=").Qual("strings", "CutPrefix").Call(jen.Id("addr"), jen.Lit("unix://")),
			jen.Id("ok"),
		).Block(jen.List(jen.Id("options").Dot("Network"), jen.Id("options").Dot("Addr")).Op("=").List(jen.Lit("unix"), jen.Id("path"))),
		jen.Id("client").Op(":=").Qual(redisPath, "NewClient").Call(jen.Id("options")),
		jen.Defer().Id("client").Dot("Close").Call(),
		jen.For(jen.List(jen.Id("_"), jen.Id("source")).Op(":=").Range().Id("scriptSources")).Block(
			jen.List(jen.Id("sha"), jen.Err()).Op(":=").Id("client").Dot("ScriptLoad").Call(jen.Id("t").Dot("Context").Call(), jen.Id("source").Dot("text")).Dot("Result").Call(),
			jen.If(jen.Err().Op("!=").Nil().Op("||").Id("sha").Op("!=").Id("source").Dot("sha")).Block(
				jen.Id("t").Dot("Errorf").Call(jen.Lit("%s: the server says %s, %v"), jen.Id("source").Dot("file"), jen.Id("sha"), jen.Err()),
			),
		),
	)
	f.Line()
}

// goldenTest writes the test of one script.
func (e *emitter) goldenTest() {
	s := e.s
	void := s.Result.Shape == model.Void
	samples := e.samples()
	e.f.Commentf("// %s sends what its header says, and reads what it promises.", s.GoName)
	e.f.Func().Id("TestRedisgen" + s.GoName).Params(jen.Id("t").Op("*").Qual("testing", "T")).BlockFunc(func(g *jen.Group) {
		g.Id("recorder").Op(":=").Op("&").Id("redisgenRecorder").Values()
		g.Id("scripts").Op(":=").Id("NewScripts").CallFunc(func(g *jen.Group) {
			g.Id("recorder")
			if s.HasClock() {
				now := jen.Qual("time", "Unix").Call(jen.Lit(sampleUnix), jen.Lit(0))
				g.Id("WithClock").Call(jen.Func().Params().Qual("time", "Time").Block(jen.Return(now)))
			}
		})
		e.declareOptionals(g, samples)
		if e.hasParams() {
			g.Id("params").Op(":=").Id(s.GoName+"Params").Custom(multiline, e.sampleFields(samples)...)
		}
		g.Id("command").Op(":=").Index().String().Custom(multiline, e.sampleCommand(samples)...)
		g.For(jen.List(jen.Id("_"), jen.Id("test")).Op(":=").Range().Add(e.sampleReplies(void))).BlockFunc(func(g *jen.Group) {
			g.Id("recorder").Dot("reply").Op("=").Id("test").Dot("reply")
			call := jen.Id("scripts").Dot(s.GoName).Dot("Execute").CallFunc(func(g *jen.Group) {
				g.Id("t").Dot("Context").Call()
				if e.hasParams() {
					g.Id("params")
				}
			})
			if void {
				g.Err().Op(":=").Add(call)
			} else {
				g.List(jen.Id("got"), jen.Err()).Op(":=").Add(call)
			}
			g.If(jen.Op("!").Qual("errors", "Is").Call(jen.Err(), jen.Id("test").Dot("err"))).Block(
				jen.Id("t").Dot("Fatalf").Call(jen.Lit("%q: error %v, want %v"), jen.Id("test").Dot("reply"), jen.Err(), jen.Id("test").Dot("err")),
			)
			if !void {
				g.If(jen.Op("!").Qual("reflect", "DeepEqual").Call(jen.Id("got"), jen.Id("test").Dot("want"))).Block(
					jen.Id("t").Dot("Errorf").Call(jen.Lit("%q: got %+v, want %+v"), jen.Id("test").Dot("reply"), jen.Id("got"), jen.Id("test").Dot("want")),
				)
			}
			g.If(jen.Op("!").Qual("slices", "Equal").Call(jen.Id("recorder").Dot("command"), jen.Id("command"))).Block(
				jen.Id("t").Dot("Errorf").Call(jen.Lit("sent %q, want %q"), jen.Id("recorder").Dot("command"), jen.Id("command")),
			)
		})
	})
	e.f.Line()
}

// declareOptionals gives the samples that need an address a variable.
func (e *emitter) declareOptionals(g *jen.Group, samples map[*model.Param]sample) {
	for _, p := range e.s.Params {
		if p.Optional && p.Type.Kind != model.Bytes {
			g.Id(optionalVar(p)).Op(":=").Add(typed(p.Type, samples[p].value))
		}
	}
	for _, f := range e.s.Result.Fields {
		if f.Optional && f.Type.Kind != model.Bytes {
			g.Id(wantVar(f)).Op(":=").Add(typed(f.Type, resultSample(f).value))
		}
	}
}

func optionalVar(p *model.Param) string { return "some" + p.GoName }

func wantVar(f *model.ResultField) string { return "want" + f.GoName }

// typed makes sure that a literal has the type of the field, so that its address has, too.
func typed(t model.Type, value jen.Code) jen.Code {
	switch t.Kind {
	case model.Int, model.Uint, model.Float:
		return goType(t).Call(value)
	}
	return value
}

func (e *emitter) sampleFields(samples map[*model.Param]sample) []jen.Code {
	var fields []jen.Code
	for _, p := range e.s.Params {
		value := samples[p].value
		if p.Optional && p.Type.Kind != model.Bytes {
			value = jen.Op("&").Id(optionalVar(p))
		}
		fields = append(fields, field(p.GoName, value))
	}
	return fields
}

func (e *emitter) sampleCommand(samples map[*model.Param]sample) []jen.Code {
	s := e.s
	list := []jen.Code{jen.Lit(e.command()), jen.Id(s.GoName + "SHA"), jen.Lit(strconv.Itoa(len(s.Keys)))}
	for _, k := range s.Keys {
		text := ""
		for _, part := range k.Parts {
			text += part.Text
			if part.Param != nil {
				text += samples[part.Param].wire
			}
		}
		list = append(list, jen.Lit(text))
	}
	for _, a := range s.Args {
		if a.Param == nil {
			list = append(list, jen.Lit(sampleOf(a.Type, a.Name, 0, bounds{}).wire))
		} else {
			list = append(list, jen.Lit(samples[a.Param].wire))
		}
	}
	return list
}

// sampleReplies writes the table of replies: one for each code, or one.
func (e *emitter) sampleReplies(void bool) *jen.Statement {
	row := []jen.Code{jen.Id("reply").String()}
	if !void {
		row = append(row, jen.Id("want").Add(e.resultType()))
	}
	row = append(row, jen.Id("err").Error())
	codes := e.s.Codes
	if len(codes) == 0 {
		codes = []*model.Code{nil}
	}
	var rows []jen.Code
	for _, c := range codes {
		reply, want := e.sampleReply(c)
		values := []jen.Code{field("reply", jen.Lit(reply))}
		if !void {
			values = append(values, field("want", want))
		}
		if c != nil && c.IsError {
			values = append(values, field("err", jen.Id(c.ErrName)))
		}
		rows = append(rows, jen.Values(values...))
	}
	return jen.Index().Struct(row...).Custom(multiline, rows...)
}

func (e *emitter) sampleReply(c *model.Code) (reply string, want jen.Code) {
	r := e.s.Result
	if r.Shape == model.Void {
		return "$-1\r\n", nil
	}
	if r.Shape == model.Struct {
		reply = fmt.Sprintf("*%d\r\n", len(r.Fields))
	}
	var fields []jen.Code
	for _, f := range r.Fields {
		if f.Type.Kind == model.CodeOf {
			reply += bulk(c.Literal, c.IsInt)
			fields = append(fields, field(f.GoName, jen.Id(c.GoName)))
			continue
		}
		x := resultSample(f)
		reply += x.reply
		value := x.value
		if f.Optional && f.Type.Kind != model.Bytes {
			value = jen.Op("&").Id(wantVar(f))
		}
		if r.Shape == model.Scalar {
			return reply, value
		}
		fields = append(fields, field(f.GoName, value))
	}
	return reply, jen.Id(e.s.GoName + "Result").Values(fields...)
}

func bulk(text string, isInt bool) string {
	if isInt {
		return ":" + text + "\r\n"
	}
	return fmt.Sprintf("$%d\r\n%s\r\n", len(text), text)
}
