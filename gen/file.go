package gen

import (
	"fmt"
	"go/build/constraint"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/redisgen/redisgen/internal/model"
)

// scriptFile is the table of contents of the Go file of a script.
func scriptFile(p *model.Package, s *model.Script) *jen.File {
	f := newFile(p.Name, " from "+s.File)
	f.Anon("embed")
	e := &emitter{f: f, s: s, pkg: p.Name}
	e.unitNames()
	e.constants()
	e.source()
	e.params()
	e.keys()
	e.codes()
	e.enums()
	e.result()
	e.errors()
	e.script()
	e.execute()
	e.queue()
	e.keysMethod()
	e.args()
	e.decode()
	return f
}

// emitter writes the parts of one script's file.
type emitter struct {
	f   *jen.File
	s   *model.Script
	pkg string // the name of the Go package
}

// sourceVar is the variable that holds what the server runs.
func sourceVar(s *model.Script) string { return model.LowerFirst(s.GoName) + "Source" }

func (e *emitter) sourceVar() *jen.Statement { return jen.Id(sourceVar(e.s)) }

func (e *emitter) hasParams() bool { return len(e.s.Params) > 0 }

// unitNames tells staticcheck that a field such as WaitMs time.Duration has its name from the header, which speaks of
// what is on the wire.
func (e *emitter) unitNames() {
	named := slices.ContainsFunc(e.s.Params, func(p *model.Param) bool { return namesUnit(p.GoName, p.Type) }) ||
		slices.ContainsFunc(e.s.Result.Fields, func(f *model.ResultField) bool { return namesUnit(f.GoName, f.Type) })
	if named {
		e.f.Comment("//lint:file-ignore ST1011 the names are those of the header")
		e.f.Line()
	}
}

// unitSuffixes are those that ST1011 asks not to have.
var unitSuffixes = strings.Fields("Sec Secs Seconds Msec Msecs Milli Millis Milliseconds Usec Usecs Microseconds MS Ms")

func namesUnit(name string, t model.Type) bool {
	return t.Kind == model.Duration && slices.ContainsFunc(unitSuffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// doc writes a doc comment: a first sentence, then paragraphs of the header, then the deprecation.
func (e *emitter) doc(first string, paragraphs ...string) {
	e.f.Comment("// " + first)
	for _, p := range paragraphs {
		if p == "" {
			continue
		}
		e.f.Comment("//")
		for _, line := range strings.Split(p, "\n") {
			e.f.Comment(commentLine(line))
		}
	}
}

// aside is a trailing comment, if there is something to say.
func aside(st *jen.Statement, text string) *jen.Statement {
	if text == "" {
		return st
	}
	return st.Comment(commentLine(text))
}

// commentLine spells a line of text as a comment. What looks like a directive is quoted: wherever gofmt finds a +build
// line it makes a build constraint of it.
func commentLine(text string) string {
	line := strings.TrimRight("// "+text, " ")
	if constraint.IsPlusBuild(line) || strings.HasPrefix(text, "go:") {
		return "// " + strconv.Quote(text)
	}
	return line
}

// constants writes
//
//	// What the server runs for sliding_window.lua, and what its header says of it.
//	const (
//		SlidingWindowSHA     = "6b1e…"
//		SlidingWindowVersion = "1.2.0"
//		SlidingWindowOwner   = "platform"
//	)
func (e *emitter) constants() {
	s := e.s
	e.f.Commentf("// The SHA-1 of what the server runs for %s, and what its header says of it.", s.File)
	e.f.Const().Defs(
		jen.Id(s.GoName+"SHA").Op("=").Lit(s.Bundle.SHA1),
		jen.Id(s.GoName+"Version").Op("=").Lit(s.Version),
		jen.Id(s.GoName+"Owner").Op("=").Lit(s.Owner),
	)
}

// source writes
//
//	//go:embed redisgen/sliding_window.lua
//	var slidingWindowText string
//
//	var slidingWindowSource = &scriptSource{…}
func (e *emitter) source() {
	s := e.s
	text := model.LowerFirst(s.GoName) + "Text"
	e.f.Comment("//go:embed " + BundlePath(s))
	e.f.Var().Id(text).String()
	e.f.Line()
	fields := []jen.Code{
		field("name", jen.Lit(s.Name)),
		field("version", jen.Id(s.GoName+"Version")),
		field("owner", jen.Id(s.GoName+"Owner")),
		field("sha", jen.Id(s.GoName+"SHA")),
		field("pkg", jen.Lit(e.pkg)),
		field("text", jen.Id("lf").Call(jen.Id(text))),
		field("file", jen.Lit(s.File)),
		field("lines", jen.Index().Id("scriptLine").Values(e.lines()...)),
	}
	if len(s.Keys) > 0 && s.Keys[0].Template != "" {
		fields = append(fields, field("template", jen.Lit(s.Keys[0].Template)))
	}
	if s.Timeout > 0 {
		fields = append(fields, field("timeout", durationValue(s.Timeout)))
	}
	if s.Idempotent {
		fields = append(fields, field("repeatable", jen.True()))
	}
	if s.ReadOnly {
		fields = append(fields, field("readonly", jen.True()))
	}
	if len(s.Errors) > 0 {
		entries := jen.Dict{}
		for _, x := range s.Errors {
			entries[jen.Lit(x.Word)] = jen.Id(x.Var)
		}
		fields = append(fields, field("errors", jen.Map(jen.String()).Error().Values(entries)))
	}
	e.f.Var().Add(e.sourceVar()).Op("=").Op("&").Id("scriptSource").Custom(multiline, fields...)
	e.f.Line()
}

// lines are the pairs of the line map; the generated first line has no origin.
func (e *emitter) lines() []jen.Code {
	var out []jen.Code
	for _, run := range e.s.Bundle.Lines {
		if run.File != nil {
			out = append(out, jen.Values(jen.Lit(run.Line), jen.Lit(run.Source)))
		}
	}
	return out
}

// multiline writes a composite literal with one element a line, in the order given.
var multiline = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}

func field(name string, value jen.Code) jen.Code { return jen.Id(name).Op(":").Add(value) }

// params writes the struct of the parameters.
func (e *emitter) params() {
	if !e.hasParams() {
		return
	}
	name := e.s.GoName + "Params"
	e.doc(name + " are the parameters of " + e.s.GoName + ".")
	e.f.Type().Id(name).StructFunc(func(g *jen.Group) {
		for _, p := range e.s.Params {
			st := jen.Id(p.GoName)
			if p.Optional && p.Type.Kind != model.Bytes {
				st.Op("*")
			}
			g.Add(aside(st.Add(goType(p.Type)), e.paramDoc(p)))
		}
	})
	e.f.Line()
}

// paramDoc says what a person needs to fill the field.
func (e *emitter) paramDoc(p *model.Param) string {
	doc := p.Doc
	add := func(text string) {
		if doc != "" {
			doc += "; "
		}
		doc += text
	}
	for _, a := range e.s.Args {
		if a.Param == p {
			if limits := limitDoc(a); limits != "" {
				add(limits)
			}
			if a.Optional {
				add("nil: absent")
			}
			if a.Secret {
				add("hidden from hooks and errors")
			}
		}
	}
	var keys []string
	for _, k := range e.s.Keys {
		if k.Template != "" && slices.ContainsFunc(k.Parts, func(part model.Part) bool { return part.Param == p }) {
			keys = append(keys, visible(k.Template))
		}
	}
	switch len(keys) {
	case 0:
	case 1:
		add("in the key " + keys[0])
	default:
		add("in the keys " + strings.Join(keys[:len(keys)-1], ", ") + " and " + keys[len(keys)-1])
	}
	return doc
}

// visible spells a template within a comment, which a line end in it would end.
func visible(template string) string {
	quoted := strconv.Quote(template)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func limitDoc(a *model.Arg) string {
	unit := ""
	if a.Type.IsText() {
		unit = " bytes"
	}
	least, most := a.Min != nil && !a.Min.Idle, a.Max != nil && !a.Max.Idle
	switch {
	case least && most:
		return "from " + a.Min.Text + " to " + a.Max.Text + unit
	case least && a.Type.IsText() && a.Min.Int == 1:
		return "not empty"
	case least:
		return "at least " + a.Min.Text + unit
	case most:
		return "at most " + a.Max.Text + unit
	}
	return ""
}

// keys writes the struct of the keys.
func (e *emitter) keys() {
	if len(e.s.Keys) == 0 {
		return
	}
	name := e.s.GoName + "Keys"
	e.doc(name + " are the keys of a call of " + e.s.GoName + ".")
	e.f.Type().Id(name).StructFunc(func(g *jen.Group) {
		for _, k := range e.s.Keys {
			doc := k.Kind
			if k.Template != "" {
				doc += " " + visible(k.Template)
			}
			if k.Doc != "" {
				doc += "; " + k.Doc
			}
			g.Add(aside(jen.Id(k.GoName).String(), doc))
		}
	})
	e.f.Line()
}

// result writes the struct of the result.
func (e *emitter) result() {
	r := e.s.Result
	if r.Shape == model.Void || r.Shape == model.Scalar {
		return
	}
	name := e.s.GoName + "Result"
	e.doc(fmt.Sprintf("%s is what %s returns.", name, e.s.GoName))
	e.f.Type().Id(name).StructFunc(func(g *jen.Group) {
		for _, f := range r.Fields {
			st := jen.Id(f.GoName).Add(e.fieldType(f))
			if f.Optional {
				aside(st, "nil: absent")
			}
			g.Add(st)
		}
	})
	e.f.Line()
}

func (e *emitter) fieldType(f *model.ResultField) *jen.Statement {
	if f.Type.Kind == model.CodeOf {
		return jen.Id(e.s.GoName + "Code")
	}
	if f.Optional && f.Type.Kind != model.Bytes {
		return jen.Op("*").Add(goType(f.Type))
	}
	return goType(f.Type)
}

// resultType is what Execute returns besides the error; nil for a script that returns nothing.
func (e *emitter) resultType() *jen.Statement {
	switch e.s.Result.Shape {
	case model.Void:
		return nil
	case model.Scalar:
		return e.fieldType(e.s.Result.Fields[0])
	}
	return jen.Id(e.s.GoName + "Result")
}

// goType spells a type in Go.
func goType(t model.Type) *jen.Statement {
	switch t.Kind {
	case model.String:
		return jen.String()
	case model.Bytes:
		return jen.Index().Byte()
	case model.Int:
		return jen.Int64()
	case model.Uint:
		return jen.Uint64()
	case model.Index:
		return jen.Int()
	case model.Float:
		return jen.Float64()
	case model.Bool, model.BoolNil:
		return jen.Bool()
	case model.Duration:
		return jen.Qual("time", "Duration")
	case model.Time, model.Now:
		return jen.Qual("time", "Time")
	case model.EnumOf:
		return jen.Id(t.Enum.GoName)
	}
	panic(fmt.Sprintf("gen: no Go type for kind %d", t.Kind))
}
