package annotations

import (
	"maps"
	"slices"
	"strings"

	"github.com/redisgen/redisgen/internal/diag"
)

// typeForm is what may stand behind a type's name.
type typeForm struct {
	read func(o *operands, t *NamedType) bool // nil: nothing may
	form string                               // as a hint shows it
}

// namedTypes are the types that have a name. It is filled when the program starts, since the functions in it use it.
var namedTypes map[string]typeForm

func init() {
	unit := func(name string) typeForm {
		return typeForm{(*operands).unit, "write " + name + "(s), (ms), (us), (ns), or (f) for seconds in plain decimal"}
	}
	namedTypes = map[string]typeForm{
		"string": {}, "bytes": {}, "int": {}, "uint": {}, "index": {}, "float": {}, "void": {}, "stream": {}, "any": {}, "code": {},

		"bool":     {(*operands).boolForm, `write bool, bool(truefalse), bool(nil), bool(ok) or bool("yes","no")`},
		"duration": unit("duration"),
		"time":     unit("time"),
		"now":      unit("now"),
		"enum":     {(*operands).enumName, "write enum and the name of an @enum"},
		"const":    {(*operands).constLiteral, `write const "LITERAL"`},
		"count":    {(*operands).counted, "write count(x) with the name of a list, count(KEYS) or count(ARGV)"},
		"json":     {(*operands).optionalElement, "write json, or json(T) with one type"},
		"msgpack":  {(*operands).element, "write msgpack(T) with one type"},
		"page":     {(*operands).element, "write page(T) with one type"},
		"map":      {(*operands).keyAndValue, "write map(K,V) with two types"},
		"hash":     {(*operands).noFields, "write hash{a string, b int?}"},
		"rows":     {(*operands).noFields, "write rows{a string, b int}"},
		"columns":  {(*operands).noFields, "write columns{a []string, b []int}"},
	}
}

// otherNames are what other languages call a type.
var otherNames = map[string]string{
	"integer": "int", "int64": "int", "int32": "int", "long": "int", "uint64": "uint", "unsigned": "uint",
	"number": "int or float", "double": "float", "float64": "float", "decimal": "float",
	"boolean": "bool", "str": "string", "text": "string", "blob": "bytes", "nil": "void", "null": "void", "none": "void",
	"array": "[]T", "list": "[]T", "table": "[]T or {a T, b U}", "object": "json", "dict": "map(K,V)",
	"timestamp": "time(ms)", "status": "string",
}

// namedType reads a type that begins with a name.
func (o *operands) namedType() Type {
	name := *o.next()
	form, known := namedTypes[name.text]
	braced := o.peek().isMark("{")
	if braced && (typeNamePattern.MatchString(name.text) || form.read != nil && strings.Contains(form.form, "{")) {
		return o.recordType(name.word())
	}
	if !known {
		o.unknownType(name)
		switch {
		case braced:
			o.recordType(name.word())
		case o.peek().isMark("("):
			o.skipParens()
		}
		return nil
	}
	t := &NamedType{Name: name.word(), Span: name.Span}
	if form.read == nil {
		if o.peek().isMark("(") {
			span := o.skipParens()
			if o.lost {
				return nil
			}
			o.sink.Report(BadTypeParameter, span, "%s takes no parameter", name.text).WithHint("write only %s", name.text)
			return nil
		}
		return t
	}
	if !form.read(o, t) || o.lost {
		return nil
	}
	t.Span = name.Span.To(o.last)
	return t
}

func (o *operands) unknownType(name token) {
	f := o.sink.Report(UnknownType, name.Span, "unknown type %s", show(name.text))
	names := slices.Sorted(maps.Keys(namedTypes))
	if other, ok := otherNames[strings.ToLower(name.text)]; ok {
		f.WithHint("write %s", other)
	} else if near := diag.Nearest(name.text, names); near != "" {
		f.WithHint("did you mean %s?", near)
	} else if typeNamePattern.MatchString(name.text) {
		f.WithHint(`a record is written %s{a T, b U}, a Go type "import/path".%s`, name.text, name.text)
	} else {
		f.WithHint("the types are %s", strings.Join(names, ", "))
	}
}

// skipParens moves behind the parenthesis that closes the one here, and returns the place of both and what is between.
func (o *operands) skipParens() diag.Span {
	open := *o.peek()
	for depth := 0; len(o.tokens) > 0; {
		switch t := o.next(); {
		case t.isMark("("):
			depth++
		case t.isMark(")"):
			depth--
		}
		if depth == 0 {
			return open.Span.To(o.last)
		}
	}
	o.notClosed(open)
	return open.Span
}

// badParameter reports what a type does not take.
func (o *operands) badParameter(t *NamedType, span diag.Span, message string) bool {
	o.sink.Report(BadTypeParameter, span, "%s", message).WithHint("%s", namedTypes[t.Name.Text].form)
	return false
}

// parameters reads "(x, y)"; each x with the function. It returns the place of the parentheses.
func (o *operands) parameters(t *NamedType, read func(*NamedType) bool) (span diag.Span, ok bool) {
	open := *o.next()
	if o.peek().isMark(")") {
		span = open.Span.To(o.next().Span)
		return span, o.badParameter(t, span, "the parentheses are empty")
	}
	fine := true
	for {
		if !read(t) {
			fine = false
		}
		if o.lost {
			return open.Span, false
		}
		if !o.peek().isMark(",") {
			break
		}
		o.next()
	}
	if !o.closing(open, ")") {
		return open.Span, false
	}
	return open.Span.To(o.last), fine
}

// simple reads a parameter that is a word or a literal.
func (o *operands) simple(t *NamedType) bool {
	token := o.peek()
	switch {
	case token.kind == wordToken && isLetter(token.text[0]):
		t.Params = append(t.Params, TypeParam{Word: o.next().word()})
		return true
	case token.kind == endToken || token.kind == markToken:
		o.typeSyntax(token, "a parameter of "+t.Name.Text+" is missing", "%s", namedTypes[t.Name.Text].form)
		return false
	}
	literal := o.literal(o.next())
	if literal != nil {
		t.Params = append(t.Params, TypeParam{Literal: literal})
	}
	return literal != nil
}

func (o *operands) typeParameter(t *NamedType) bool {
	param := o.parseType()
	if param != nil {
		t.Params = append(t.Params, TypeParam{Type: param})
	}
	return param != nil
}

// span returns the place of the parameter.
func (p *TypeParam) span() diag.Span {
	switch {
	case p.Literal != nil:
		return p.Literal.Span
	case p.Type != nil:
		return p.Type.TypeSpan()
	}
	return p.Word.Span
}

// one reads the only parameter of a type.
func (o *operands) one(t *NamedType, read func(*NamedType) bool) bool {
	if !o.peek().isMark("(") {
		return o.badParameter(t, t.Name.Span, t.Name.Text+" needs a parameter")
	}
	if _, ok := o.parameters(t, read); !ok {
		return false
	}
	if len(t.Params) > 1 {
		return o.badParameter(t, t.Params[1].span(), t.Name.Text+" takes one parameter")
	}
	return true
}

func (o *operands) unit(t *NamedType) bool {
	if !o.peek().isMark("(") {
		return o.badParameter(t, t.Name.Span, t.Name.Text+" has no unit")
	}
	if !o.one(t, o.simple) {
		return false
	}
	if param := t.Params[0]; !slices.Contains([]string{"s", "ms", "us", "ns", "f"}, param.Word.Text) {
		return o.badParameter(t, param.span(), "unknown unit "+show(param.span().Text()))
	}
	return true
}

func (o *operands) boolForm(t *NamedType) bool {
	if !o.peek().isMark("(") {
		return true
	}
	span, ok := o.parameters(t, o.simple)
	if !ok {
		return false
	}
	for i, param := range t.Params {
		if param.Literal == nil && (len(t.Params) > 1 || !slices.Contains([]string{"truefalse", "nil", "ok"}, param.Word.Text)) {
			return o.badParameter(t, param.span(), "unknown form of bool "+show(param.span().Text()))
		}
		if i > 1 {
			return o.badParameter(t, param.span(), "bool takes two literals")
		}
	}
	if len(t.Params) == 1 && t.Params[0].Literal != nil {
		return o.badParameter(t, span, "bool needs two literals")
	}
	return true
}

func (o *operands) enumName(t *NamedType) bool {
	if next := o.peek(); next.kind != wordToken {
		return o.badParameter(t, t.Name.Span, "enum has no name")
	}
	t.Enum = o.name("an enum's name")
	return t.Enum.Text != ""
}

func (o *operands) constLiteral(t *NamedType) bool {
	if next := o.peek(); next.kind != wordToken && next.kind != stringToken {
		return o.badParameter(t, t.Name.Span, "const has no literal")
	}
	t.Value = o.literal(o.next())
	return t.Value != nil
}

func (o *operands) counted(t *NamedType) bool {
	if !o.one(t, o.simple) {
		return false
	}
	param := t.Params[0]
	if text := param.Word.Text; text != "KEYS" && text != "ARGV" && !isName(text) {
		return o.badParameter(t, param.span(), show(param.span().Text())+" can't be counted")
	}
	return true
}

func (o *operands) element(t *NamedType) bool { return o.one(t, o.typeParameter) }

func (o *operands) optionalElement(t *NamedType) bool {
	return !o.peek().isMark("(") || o.element(t)
}

func (o *operands) keyAndValue(t *NamedType) bool {
	if !o.peek().isMark("(") {
		return o.badParameter(t, t.Name.Span, "map has no types")
	}
	span, ok := o.parameters(t, o.typeParameter)
	switch {
	case !ok:
		return false
	case len(t.Params) > 2:
		return o.badParameter(t, t.Params[2].span(), "map takes two types")
	case len(t.Params) < 2:
		return o.badParameter(t, span, "map needs two types")
	}
	return true
}

func (o *operands) noFields(t *NamedType) bool {
	if o.peek().isMark("(") {
		o.skipParens()
	}
	return o.badParameter(t, t.Name.Span, t.Name.Text+" has no fields")
}
