package model

import (
	"strconv"
	"time"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
)

// units are the units of duration(…), time(…) and now(…); f is seconds in plain decimal.
var units = map[string]time.Duration{
	"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond, "ns": time.Nanosecond, "f": 0,
}

var plainKinds = map[string]Kind{
	"string": String, "bytes": Bytes, "int": Int, "uint": Uint, "index": Index, "float": Float,
}

// scalar returns the type that a type expression means, without an optional around it. What is no scalar is reported.
func (b *builder) scalar(t annotations.Type) (Type, bool) {
	n, ok := t.(*annotations.NamedType)
	if !ok {
		b.notYet(t.TypeSpan(), "the type "+t.TypeSpan().Text())
		return Type{}, false
	}
	word := ""
	if len(n.Params) > 0 {
		word = n.Params[0].Word.Text
	}
	text := n.Name.Text
	if word != "" {
		text += "(" + word + ")"
	}
	if kind, ok := plainKinds[n.Name.Text]; ok && len(n.Params) == 0 {
		return Type{Kind: kind, Text: text}, true
	}
	switch n.Name.Text {
	case "bool":
		return b.boolType(n, word)
	case "duration", "time", "now":
		unit, known := units[word]
		if !known { // the parser has said so
			return Type{}, false
		}
		kind := map[string]Kind{"duration": Duration, "time": Time, "now": Now}[n.Name.Text]
		return Type{Kind: kind, Text: text, Unit: unit}, true
	case "enum":
		return b.enumType(n)
	case "code":
		b.sink.Report(TypePosition, n.Span, "code is the result code, and nothing else has its type").
			WithHint("write @return code or @return {code, …}")
		return Type{}, false
	}
	b.notYet(n.Span, "the type "+n.Name.Text)
	return Type{}, false
}

func (b *builder) boolType(n *annotations.NamedType, word string) (Type, bool) {
	switch {
	case len(n.Params) == 0:
		return Type{Kind: Bool, Text: "bool", Yes: "1", No: "0"}, true
	case word == "truefalse":
		return Type{Kind: Bool, Text: "bool(truefalse)", Yes: "true", No: "false"}, true
	case word == "nil":
		return Type{Kind: BoolNil, Text: "bool(nil)", Yes: "1"}, true
	case word == "ok":
		return Type{Kind: BoolNil, Text: "bool(ok)", Yes: "OK"}, true
	case len(n.Params) == 2 && n.Params[0].Literal != nil && n.Params[1].Literal != nil:
		yes, no := n.Params[0].Literal, n.Params[1].Literal
		if yes.Text == no.Text {
			b.sink.Report(DuplicateLiteral, no.Span, "true and false are both %q", no.Text).WithHint("choose two literals")
			return Type{}, false
		}
		text := "bool(" + strconv.Quote(yes.Text) + "," + strconv.Quote(no.Text) + ")"
		return Type{Kind: Bool, Text: text, Yes: yes.Text, No: no.Text}, true
	}
	return Type{}, false // the parser has said so
}

func (b *builder) enumType(n *annotations.NamedType) (Type, bool) {
	enum := b.enums[n.Enum.Text]
	if enum == nil {
		if n.Enum.Text != "" {
			f := b.sink.Report(UnknownEnum, n.Enum.Span, "no enum %s", n.Enum.Text)
			if near := diag.Nearest(n.Enum.Text, sortedKeys(b.enums)); near != "" {
				f.WithHint("did you mean %s?", near)
			} else {
				f.WithHint("declare it: @enum %s string, and a @value line for each value", n.Enum.Text)
			}
		}
		return Type{}, false
	}
	return Type{Kind: EnumOf, Text: "enum " + enum.Name, Enum: enum}, true
}

// optional takes "?" and "?(LITERAL)" off a type.
func optional(t annotations.Type) (elem annotations.Type, isOptional bool, absent *annotations.Literal) {
	if o, ok := t.(*annotations.OptionalType); ok {
		return o.Elem, true, o.Absent
	}
	return t, false, nil
}

// checkAbsent returns the text that stands for an absent value, and reports one that a value has, too.
func (b *builder) checkAbsent(t Type, absent *annotations.Literal) *string {
	if absent == nil {
		return nil
	}
	if t.Kind == EnumOf {
		for _, v := range t.Enum.Values {
			if v.Literal == absent.Text {
				b.sink.Report(DuplicateLiteral, absent.Span, "%s is also the literal of the value %s", absent.Span.Text(), v.Name).
					WithHint("choose a literal that no value has")
			}
		}
	}
	if t.Kind == Bool && (absent.Text == t.Yes || absent.Text == t.No) {
		b.sink.Report(DuplicateLiteral, absent.Span, "%s is also a value of %s", absent.Span.Text(), t.Text).
			WithHint("choose another literal, such as \"\"")
	}
	text := absent.Text
	return &text
}
