package model

import (
	"slices"
	"strings"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
)

// keyKinds are the kinds of keys; prefix is never touched itself, only extended.
var keyKinds = []string{"string", "hash", "list", "set", "zset", "stream", "hyperloglog", "geo", "bitmap", "json", "any", "prefix"}

// argTags decides ARGV.
func (b *builder) argTags() {
	var leftOut *Arg // the last argument that may be left out
	for _, t := range b.args {
		if t.Arg.Text == "" || t.Type == nil {
			continue
		}
		if !b.names.add(b.sink, DuplicateName, t.Arg.Text, t.Arg.Span, "another part of the script is called "+t.Arg.Text) {
			continue
		}
		elem, isOptional, absent := optional(t.Type)
		typ, ok := b.argType(elem)
		if !ok {
			b.brokenArgs[t.Arg.Text] = true
			continue
		}
		a := &Arg{Name: t.Arg.Text, Type: typ, Optional: isOptional, Absent: b.checkAbsent(typ, absent), Doc: t.Doc.Text}
		if !b.allowedAsArg(a, t) {
			b.brokenArgs[t.Arg.Text] = true
			continue
		}
		b.argOptions(a, t)
		switch {
		case isOptional && absent == nil:
			leftOut = a
		case leftOut != nil:
			b.sink.Report(OptionalNotLast, t.Arg.Span, "%s stands after %s, which may be left out", a.Name, leftOut.Name).
				WithHint(`move it before %s, or give %s a value for "absent", such as %s?("")`, leftOut.Name, leftOut.Name, leftOut.Type.Text)
		}
		if typ.Kind != Now {
			a.Param = &Param{Name: a.Name, GoName: b.goName(a.Name), Type: typ, Optional: isOptional, Secret: a.Secret, Doc: a.Doc}
		}
		b.s.Args = append(b.s.Args, a)
	}
}

// argType is scalar, but for what the language has in replies alone.
func (b *builder) argType(t annotations.Type) (Type, bool) {
	if n, ok := t.(*annotations.NamedType); ok && slices.Contains([]string{"void", "stream", "page", "any"}, n.Name.Text) {
		b.sink.Report(TypePosition, n.Span, "%s is a type of replies", n.Name.Text).WithHint("string takes any text, bytes any bytes")
		return Type{}, false
	}
	return b.scalar(t)
}

// allowedAsArg reports types that only a reply has.
func (b *builder) allowedAsArg(a *Arg, t *annotations.ArgTag) bool {
	switch {
	case a.Type.Kind == BoolNil:
		b.sink.Report(TypePosition, t.Type.TypeSpan(), "%s is a type of replies", a.Type.Text).
			WithHint(`an argument can be bool, bool(truefalse) or bool("yes","no")`)
		return false
	case a.Type.Kind == Now && a.Optional:
		b.sink.Report(TypePosition, t.Type.TypeSpan(), "%s is always sent", a.Type.Text).WithHint("remove the question mark")
		return false
	}
	return true
}

func (b *builder) argOptions(a *Arg, t *annotations.ArgTag) {
	b.limits(a, t)
	for _, o := range t.Options {
		switch o.Name.Text {
		case "min", "max":
		case "secret":
			a.Secret = true
			if a.Type.Kind != String && a.Type.Kind != Bytes {
				b.sink.Report(TypePosition, o.Whole, "only a string or bytes can be secret, not %s", a.Type.Text).
					WithHint("remove secret")
			}
		default:
			b.notYet(o.Whole, "the option "+o.Name.Text)
		}
	}
}

// keyTags decides KEYS and the parameters that the keys are built from.
func (b *builder) keyTags() {
	templated, fields := scope{}, scope{}
	params := map[string]*Param{}
	for _, t := range b.keys {
		if t.Key.Text == "" {
			continue
		}
		names, what := templated, "another key is called "
		if t.Template == nil { // then the key is a parameter
			names, what = b.names, "another part of the script is called "
		}
		if !names.add(b.sink, DuplicateName, t.Key.Text, t.Key.Span, what+t.Key.Text) {
			continue
		}
		k := &Key{Name: t.Key.Text, GoName: b.goName(t.Key.Text), Kind: t.Kind.Text, Doc: t.Doc.Text}
		fields.add(b.sink, NameClash, k.GoName, t.Key.Span, "another key becomes the Go field "+k.GoName+", too")
		b.keyShape(k, t)
		if t.Template == nil {
			k.Parts = []Part{{Param: &Param{Name: k.Name, GoName: k.GoName, Type: Type{Kind: String, Text: "string"}, Doc: k.Doc}}}
		} else {
			k.Template = t.Template.Text
			k.Parts = b.templateParts(t.Template, params)
		}
		b.s.Keys = append(b.s.Keys, k)
	}
	b.checkHashTags()
}

func (b *builder) keyShape(k *Key, t *annotations.KeyTag) {
	if k.Kind != "" && !slices.Contains(keyKinds, k.Kind) {
		f := b.sink.Report(UnknownKeyKind, t.Kind.Span, "unknown kind of key %s", k.Kind)
		if near := diag.Nearest(k.Kind, keyKinds); near != "" {
			f.WithHint("did you mean %s?", near)
		} else {
			f.WithHint("the kinds are %s", strings.Join(keyKinds, ", "))
		}
	}
	if t.List {
		b.notYet(t.Kind.Span, "a list of keys")
	}
	for _, o := range t.Options {
		switch o.Name.Text {
		case "ttl":
			k.TTL = o.Value.Text
		case "bound":
			k.Bound = o.Value.Text
		default:
			b.notYet(o.Whole, "the option "+o.Name.Text)
		}
	}
}

// templateParts finds the field for each parameter of a template: the argument of the same name, or one field for all
// templates.
func (b *builder) templateParts(t *annotations.Template, params map[string]*Param) []Part {
	lastInTag := -1
	for i, part := range t.Parts {
		if part.InTag {
			lastInTag = i
		}
	}
	var parts []Part
	for i, part := range t.Parts {
		if !part.Param {
			if n := len(parts); n > 0 && parts[n-1].Param == nil {
				parts[n-1].Text += part.Text // the parser splits literals at braces
			} else {
				parts = append(parts, Part{Text: part.Text})
			}
			continue
		}
		param := params[part.Text]
		if param == nil {
			param = b.templateParam(part)
			params[part.Text] = param
		}
		if i <= lastInTag && !param.InTag {
			param.InTag = true
			b.checkEnumInTag(param, part)
		}
		parts = append(parts, Part{Param: param})
	}
	return parts
}

// checkEnumInTag reports an enum whose values can't decide a hash slot; of strings the generated code sees to it.
func (b *builder) checkEnumInTag(param *Param, part annotations.TemplatePart) {
	if param.Type.Kind != EnumOf {
		return
	}
	for _, v := range param.Type.Enum.Values {
		if v.Literal == "" || strings.ContainsAny(v.Literal, "{}") {
			b.sink.Report(TemplateParam, part.Span, "%q, a value of %s, can't decide the hash slot of a key", v.Literal, part.Text).
				WithHint("inside and before the braces a value must not be empty or hold a brace")
			return
		}
	}
}

func (b *builder) templateParam(part annotations.TemplatePart) *Param {
	if b.brokenArgs[part.Text] { // what its type is nobody knows
		return &Param{Name: part.Text}
	}
	for _, a := range b.s.Args {
		if a.Name != part.Text {
			continue
		}
		switch {
		case a.Param == nil, a.Optional, a.Secret, a.Type.Kind != String && a.Type.Kind != Int && a.Type.Kind != Uint && a.Type.Kind != EnumOf:
			b.sink.Report(TemplateParam, part.Span, "the argument %s can't be part of a key", a.Name).
				WithHint("only a string, int, uint or enum that is neither optional nor secret can; rename one of the two")
			return &Param{Name: part.Text}
		}
		return a.Param
	}
	b.names.add(b.sink, DuplicateName, part.Text, part.Span, "another part of the script is called "+part.Text)
	return &Param{Name: part.Text, GoName: b.goName(part.Text), Type: Type{Kind: String, Text: "string"}}
}

// checkHashTags warns when a cluster can refuse the keys: templates with other hash tags, or without any.
func (b *builder) checkHashTags() {
	var first *annotations.Template
	for _, t := range b.keys {
		if t.Template == nil || len(t.Template.Parts) == 0 || len(b.s.Keys) < 2 {
			continue
		}
		if first == nil {
			first = t.Template
			if hashTag(first) == "" {
				b.sink.Report(HashTags, first.Span, "the key has no hash tag, and the script has others").
					WithHint("put what the keys share in braces, such as {<id>}")
				return
			}
			continue
		}
		if hashTag(t.Template) != hashTag(first) {
			b.sink.Report(HashTags, t.Template.Span, "the hash tag is not that of the other keys").
				WithNote(first.Span, "its hash tag is {%s}", hashTag(first)).
				WithHint("give all templates the same tag")
		}
	}
}

func hashTag(t *annotations.Template) string {
	var tag strings.Builder
	for _, part := range t.Parts {
		switch {
		case part.InTag && part.Param:
			tag.WriteString("<" + part.Text + ">")
		case part.InTag:
			tag.WriteString(strings.Trim(part.Text, "{}"))
		}
	}
	return tag.String()
}

// orderParams lists the fields of the Go parameters: what keys are made of, then the arguments.
func (b *builder) orderParams() {
	fields := map[string]*Param{}
	add := func(p *Param) {
		if p == nil || p.GoName == "" || slices.Contains(b.s.Params, p) {
			return
		}
		if other := fields[p.GoName]; other != nil {
			b.sink.Report(NameClash, b.names[p.Name], "%s and %s both become the Go field %s", other.Name, p.Name, p.GoName).
				WithNote(b.names[other.Name], "the other one is here").WithHint("rename one of the two")
			return
		}
		fields[p.GoName] = p
		b.s.Params = append(b.s.Params, p)
	}
	for _, k := range b.s.Keys {
		for _, part := range k.Parts {
			add(part.Param)
		}
	}
	for _, a := range b.s.Args {
		add(a.Param)
	}
}
