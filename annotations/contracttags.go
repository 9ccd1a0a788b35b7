package annotations

import (
	"slices"

	"github.com/redisgen/redisgen/internal/diag"
)

func (o *operands) key() Tag {
	tag := &KeyTag{TagBase: o.TagBase, Key: o.member("the key's name")}
	if o.lost {
		return tag
	}
	tag.List, tag.Kind = o.keyKind()
	if t := o.peek(); t.kind == stringToken {
		tag.Template = o.template(o.next())
	}
	if !o.lost {
		tag.Options = o.options(keyOptions)
	}
	return tag
}

// keyKind reads KIND or []KIND; which kinds there are is no matter of syntax.
func (o *operands) keyKind() (list bool, kind Word) {
	if o.peek().isMark("[") {
		open := *o.next()
		if !o.peek().isMark("]") {
			o.sink.Report(TypeSyntax, open.Span, "the bracket is not closed").WithHint("a list of keys is written []KIND")
			o.lost = true
			return true, Word{Span: open.Span}
		}
		o.next()
		list = true
	}
	t := o.peek()
	option := len(o.tokens) > 1 && o.tokens[1].isMark("=")
	switch {
	case t.kind == wordToken && !option:
		return list, o.next().word()
	case t.kind == markToken:
		o.unexpected(t, "the key's kind")
		return list, Word{Span: t.Span}
	}
	word := o.missing("the kind of the key")
	o.lost = false // the template or the options may follow
	return list, word
}

func (o *operands) arg() Tag {
	tag := &ArgTag{TagBase: o.TagBase, Arg: o.member("the argument's name")}
	if o.lost {
		return tag
	}
	option := len(o.tokens) > 1 && o.tokens[1].isMark("=")
	if o.peek().kind == endToken || option {
		o.missing("the argument's type")
		o.lost = !option
	} else {
		tag.Type = o.parseType()
	}
	if !o.lost {
		tag.Options = o.options(argOptions)
	}
	return tag
}

var enumBases = []string{"string", "int"}

func (o *operands) enumTag() Tag {
	o.enum = true
	tag := &EnumTag{TagBase: o.TagBase, Enum: o.name("the enum's name")}
	if o.lost {
		return tag
	}
	t := o.next()
	switch {
	case t.kind == endToken:
		tag.Of = o.missing("the type of the enum's values")
	case !slices.Contains(enumBases, t.text):
		tag.Of.Span = t.Span
		f := o.sink.Report(UnknownType, t.Span, "an enum can't be made of %s", show(t.text)).WithHint("it is string or int")
		if near := diag.Nearest(t.text, enumBases); near != "" {
			f.WithHint("did you mean %s?", near)
		}
	default:
		tag.Of = t.word()
	}
	return tag
}

func (o *operands) value() Tag {
	if !o.enum {
		o.sink.Report(ValueWithoutEnum, o.Name.Span, "no @enum above").WithHint("write a line @enum NAME string above it")
	}
	tag := &ValueTag{TagBase: o.TagBase, Value: o.name("the value's name")}
	if o.lost {
		return tag
	}
	if o.peek().kind == endToken {
		o.missing("the value's literal")
	} else if literal := o.literal(o.next()); literal != nil {
		tag.Literal = *literal
	}
	return tag
}

var codeKinds = []string{"int", "string", "array", "nil"}

func (o *operands) code() Tag {
	tag := &CodeTag{TagBase: o.TagBase}
	t := o.next()
	switch {
	case t.kind == endToken:
		o.missing("the code's literal")
		return tag
	case slices.Contains(codeKinds, t.text):
		tag.Kind = t.word()
	case t.kind == wordToken && isLetter(t.text[0]):
		f := o.sink.Report(BadLiteral, t.Span, "%s is no literal", show(t.text)).WithHint("a string is written %q", t.text)
		if near := diag.Nearest(t.text, codeKinds); near != "" {
			f.WithHint("did you mean %s? a string is written %q", near, t.text)
		}
	default:
		tag.Literal = o.literal(t)
	}
	if tag.Code = o.name("the code's name"); o.lost {
		return tag
	}
	if o.peek().isWord("error") {
		tag.Error = o.next().word()
	}
	if o.peek().kind != endToken {
		tag.Payload = o.parseType()
	}
	return tag
}

func (o *operands) errorTag() Tag {
	tag := &ErrorTag{TagBase: o.TagBase}
	t := o.next()
	if t.kind == endToken {
		tag.Word = o.missing("the error's first word")
		return tag
	}
	if tag.Word = (Word{Span: t.Span}); isErrorWord(t.text) {
		tag.Word = t.word()
	} else {
		f := o.sink.Report(BadName, t.Span, "%s is no error word", show(t.text)).
			WithHint("it is the first word of the error reply: capitals, digits and _")
		if upper := errorWord(t.text); upper != "" {
			f.WithHint("write it as the reply begins: %s", upper)
		}
	}
	tag.Error = o.name("the error's name")
	return tag
}

func (o *operands) returnTag() Tag {
	tag := &ReturnTag{TagBase: o.TagBase}
	if o.peek().kind == endToken {
		o.missing("the type")
	} else {
		tag.Type = o.parseType()
	}
	return tag
}
