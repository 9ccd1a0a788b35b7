package annotations

import (
	"regexp"
	"strings"

	"github.com/redisgen/redisgen/internal/diag"
)

// deepest is how many types may stand in each other; no reply is that deep.
const deepest = 32

// parseType reads a type. After a mistake it returns nil; o.lost says whether the place behind the type was found.
//
//	type = "[" [N | "len" "(" NAME ")"] "]" type | primary ["?" ["(" LITERAL ")"]]
func (o *operands) parseType() Type {
	if o.depth >= deepest {
		o.typeSyntax(o.peek(), "the type is too deep", "write it flatter; %d types in each other are the most", deepest)
		o.tokens = nil
		return nil
	}
	o.depth++
	defer func() { o.depth-- }()
	if o.peek().isMark("[") {
		return o.listType()
	}
	start := o.peek().Span
	t := o.primaryType()
	if o.lost || !o.peek().isMark("?") {
		return t
	}
	return o.optionalType(start, t)
}

// typeSyntax reports a mistake behind which the end of the type is not known.
func (o *operands) typeSyntax(t *token, message, hint string, args ...any) {
	span := t.Span
	if t.kind == endToken {
		span = o.last
	}
	o.sink.Report(TypeSyntax, span, "%s", message).WithHint(hint, args...)
	o.lost = true
}

func (o *operands) optionalType(start diag.Span, elem Type) Type {
	optional := &OptionalType{Elem: elem}
	o.next()
	if o.peek().isMark("(") {
		open := *o.next()
		switch t := o.peek(); {
		case t.kind == endToken:
			o.notClosed(open)
			return nil
		case t.isMark(")"):
			o.sink.Report(BadLiteral, open.Span.To(t.Span), "the literal for an absent value is missing").
				WithHint(`write ?("") or ?(-1), or ? alone`)
			elem = nil
		default:
			if optional.Absent = o.literal(o.next()); optional.Absent == nil {
				elem = nil
			}
		}
		if o.lost || !o.closing(open, ")") {
			return nil
		}
	}
	for o.peek().isMark("?") {
		o.sink.Report(TypeSyntax, o.next().Span, "the type is optional already").WithHint("remove the second ?")
		elem = nil
	}
	if elem == nil {
		return nil
	}
	optional.Span = start.To(o.last)
	return optional
}

// closing reads the closing bracket that belongs to the open one.
func (o *operands) closing(open token, bracket string) bool {
	t := o.peek()
	switch {
	case t.isMark(bracket):
		o.next()
		return true
	case t.kind == endToken:
		o.notClosed(open)
	default:
		o.typeSyntax(t, show(t.text)+" where "+bracket+" should stand", "close the %s with %s", open.text, bracket)
	}
	return false
}

func (o *operands) notClosed(open token) {
	brackets := map[string]string{"(": ")", "[": "]", "{": "}"}
	o.typeSyntax(&open, "the "+open.text+" is not closed", "close it with %s", brackets[open.text])
}

var lengthPattern = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// listType reads "[]T", "[N]T" or "[len(x)]T".
func (o *operands) listType() Type {
	list := &ListType{}
	open := *o.next()
	wrong := false
	switch t := o.peek(); {
	case t.isMark("]"):
	case t.isWord("len"):
		o.next()
		if !o.peek().isMark("(") {
			o.typeSyntax(o.peek(), "len without the name of a list", "write [len(x)]T")
			return nil
		}
		bracket := *o.next()
		if o.peek().kind != wordToken {
			o.typeSyntax(o.peek(), "len without the name of a list", "write [len(x)]T")
			return nil
		}
		list.Len, list.IsOf = o.name("the name of a list"), true
		wrong = list.Len.Text == ""
		if !o.closing(bracket, ")") {
			return nil
		}
	case t.kind == wordToken:
		if list.Len = o.next().word(); !lengthPattern.MatchString(t.text) {
			wrong = true
			o.sink.Report(BadTypeParameter, t.Span, "%s is no length", show(t.text)).
				WithHint("write [N]T with an integer above 0, or [len(x)]T with the name of a list")
		}
	}
	if !o.closing(open, "]") {
		return nil
	}
	if list.Elem = o.parseType(); list.Elem == nil || wrong {
		return nil
	}
	list.Span = open.Span.To(o.last)
	return list
}

func (o *operands) primaryType() Type {
	switch t := o.peek(); {
	case t.isMark("("):
		open := *o.next()
		inner := o.parseType()
		if o.lost || !o.closing(open, ")") {
			return nil
		}
		return inner
	case t.isMark("{"):
		return o.recordType(Word{})
	case t.kind == stringToken, t.kind == wordToken && t.text[0] == '.':
		if goType := o.goType(); goType != nil {
			return goType
		}
		return nil
	case t.kind == wordToken:
		return o.namedType()
	case t.kind == endToken:
		o.typeSyntax(t, "a type is missing", "write %s", o.usage)
	default:
		o.typeSyntax(t, show(t.text)+" where a type should stand", "write %s", o.usage)
	}
	return nil
}

var (
	importPathPattern = regexp.MustCompile(`^[A-Za-z0-9_~.\-]+(?:/[A-Za-z0-9_~.\-]+)*$`)
	goNamePattern     = regexp.MustCompile(`^\.[A-Za-z_][A-Za-z0-9_]*$`)
)

// goType reads "import/path".Type or .Type; nil after a mistake.
func (o *operands) goType() *GoType {
	goType := &GoType{}
	start := o.peek().Span
	wrong := false
	if t := o.peek(); t.kind == stringToken {
		o.next()
		goType.Path = Word{Text: t.value, Span: t.Span}
		name := o.peek()
		if !name.glued || name.kind != wordToken || name.text[0] != '.' {
			if !t.bad {
				o.sink.Report(TypeSyntax, t.Span, "a string where a type should stand").
					WithHint(`a Go type is written "import/path".Type`)
			}
			o.lost = true
			return nil
		}
		if wrong = t.bad; !t.bad && !importPathPattern.MatchString(t.value) {
			wrong = true
			o.sink.Report(BadLiteral, t.Span, "%s is no import path", show(t.text)).WithHint(`write "import/path".Type`)
		}
	}
	t := o.next()
	goType.Name = Word{Text: t.text[1:], Span: o.file.Span(t.Start+1, t.End)}
	if !goNamePattern.MatchString(t.text) {
		o.sink.Report(BadName, t.Span, "%s names no Go type", show(t.text)).WithHint(`write "import/path".Type, or .Type for one of the same package`)
		return nil
	}
	if wrong {
		return nil
	}
	goType.Span = start.To(t.Span)
	return goType
}

// recordType reads "{a T, b U}"; what stands before the brace is read.
func (o *operands) recordType(name Word) Type {
	record := &RecordType{Name: name}
	open := *o.next()
	start := open.Span
	if name.Text != "" {
		start = name.Span
	}
	if t := o.peek(); t.isMark("}") {
		o.sink.Report(TypeSyntax, open.Span.To(o.next().Span), "there are no fields").
			WithHint("write them as {count int, name string}")
		return nil
	}
	for {
		record.Fields = append(record.Fields, o.field())
		if t := o.peek(); !o.lost && t.kind != endToken && !t.isMark(",") && !t.isMark("}") {
			o.typeSyntax(t, show(t.text)+" where , or } should stand", "fields are written {count int, name string}")
		}
		if o.lost && !o.skipField() {
			return nil
		}
		switch t := o.peek(); {
		case t.isMark(","):
			o.next()
		case t.isMark("}"):
			o.next()
			record.Span = start.To(o.last)
			return record
		default:
			o.notClosed(open)
			return nil
		}
	}
}

// skipField moves to the comma or brace behind a field with a mistake in it, if there is one.
func (o *operands) skipField() bool {
	for depth := 0; len(o.tokens) > 0; o.next() {
		t := o.peek()
		if depth == 0 && (t.isMark(",") || t.isMark("}")) {
			o.lost = false
			return true
		}
		switch {
		case t.isMark("("), t.isMark("["), t.isMark("{"):
			depth++
		case depth > 0 && (t.isMark(")") || t.isMark("]") || t.isMark("}")):
			depth--
		}
	}
	return false
}

// field reads NAME ["member"] TYPE, or the word code.
func (o *operands) field() Field {
	t := o.peek()
	if t.kind != wordToken {
		o.typeSyntax(t, "the name of a field is missing", "fields are written {count int, name string}")
		return Field{}
	}
	field := Field{Name: o.name("a field's name")}
	if t := o.peek(); t.kind == stringToken && !(len(o.tokens) > 1 && strings.HasPrefix(o.tokens[1].text, ".")) {
		field.Member = Word{Text: o.next().value, Span: t.Span}
	}
	if next := o.peek(); !next.isMark(",") && !next.isMark("}") && next.kind != endToken {
		field.Type = o.parseType()
	} else if field.Name.Text != "code" && field.Name.Text != "" || field.Member.IsValid() {
		f := o.sink.Report(TypeSyntax, t.Span, "the field %s has no type", show(t.text)).WithHint("fields are written {count int, name string}")
		if _, isType := namedTypes[t.text]; isType {
			f.WithHint("write a name before the type, such as {count %s}", t.text)
		}
	}
	return field
}
