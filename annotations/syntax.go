package annotations

import "github.com/redisgen/redisgen/internal/diag"

// Header is what the comments before a file's first statement say: the syntax tree of this package.
type Header struct {
	File *diag.File

	// Doc is the doc comment, the last paragraph before the first tag: one Word a line, without the dashes and the
	// blank after them; an empty "--" line between two lines of it is an empty Word.
	Doc []Word

	// Tags are the tags in textual order, those with mistakes in them included as far as they could be read.
	Tags []Tag

	// Shebang is the "#!lua…" line, if there is one.
	Shebang diag.Span

	// Body is the rest of the file, from the first token that is no comment; empty if the file has no statement.
	Body diag.Span
}

// Ours reports whether the file is a script of redisgen: it has a tag, also an unknown or broken one, or a #!lua line.
func (h *Header) Ours() bool { return len(h.Tags) > 0 || h.Shebang.IsValid() }

// Word is a piece of text with its place. A missing optional Word is the zero Word.
type Word struct {
	Text string
	diag.Span
}

// Tag is one @tag with its operands.
type Tag interface {
	// Base returns what all tags have.
	Base() *TagBase
}

// TagBase is what all tags have.
type TagBase struct {
	Name  Word      // "key", without the @; its span covers the @ too
	Whole diag.Span // from the @ to the end of the last operand or doc text, continuation lines included
	Doc   Word      // the text after " # ", continuation lines joined with one blank
}

// Base returns b.
func (b *TagBase) Base() *TagBase { return b }

// The tags.
type (
	// ScriptTag is "@script NAME".
	ScriptTag struct {
		TagBase
		Script Word
	}

	// VersionTag is "@version 1.2.0" or "@version 2026-07-11.1".
	VersionTag struct {
		TagBase
		Version Word
	}

	// TextTag is a tag whose operand is free text: @owner, @deprecated, and @idempotent with its optional reason.
	TextTag struct {
		TagBase
		Text Word
	}

	// FlagTag is a tag without operands: @readonly.
	FlagTag struct{ TagBase }

	// TimeoutTag is "@timeout 250ms".
	TimeoutTag struct {
		TagBase
		Timeout Word
	}

	// SinceTag is "@since redis 7.0".
	SinceTag struct {
		TagBase
		Server  Word // "redis" or "valkey"
		Version Word // "7.0"
	}

	// KeyTag is "@key NAME KIND ["TEMPLATE"] [option…]".
	KeyTag struct {
		TagBase
		Key      Word
		List     bool // []KIND
		Kind     Word
		Template *Template // nil: the key is passed whole
		Options  []Option
	}

	// ArgTag is "@arg NAME TYPE [option…]".
	ArgTag struct {
		TagBase
		Arg     Word
		Type    Type // nil after a syntax error
		Options []Option
	}

	// EnumTag is "@enum NAME BASE".
	EnumTag struct {
		TagBase
		Enum Word
		Of   Word // "string" or "int"
	}

	// ValueTag is "@value NAME LITERAL"; it belongs to the last @enum before it.
	ValueTag struct {
		TagBase
		Value   Word
		Literal Literal
	}

	// CodeTag is "@code WHAT NAME [error] [PAYLOAD]".
	CodeTag struct {
		TagBase
		Literal *Literal // WHAT as a literal, or nil
		Kind    Word     // WHAT as a kind: int string array nil
		Code    Word
		Error   Word // the word "error", or the zero Word
		Payload Type // nil: none
	}

	// ErrorTag is "@error LOCKED lock_held".
	ErrorTag struct {
		TagBase
		Word  Word
		Error Word
	}

	// ReturnTag is "@return TYPE".
	ReturnTag struct {
		TagBase
		Type Type // nil after a syntax error
	}

	// OtherTag is a tag that could not be read: an unknown one, or one of the language that this version of redisgen
	// does not support yet. A finding was reported.
	OtherTag struct{ TagBase }
)

// Option is "name", "name=value", or "as X".
type Option struct {
	Name  Word
	Value Word      // the text of the value; a quoted string unquoted
	Whole diag.Span // name and value

	// GoType is the operand of "as"; nil for other options.
	GoType *GoType
}

// Literal is an integer or a double-quoted string.
type Literal struct {
	IsString bool
	Text     string // the decimal text of the integer as written, or the unquoted string
	diag.Span
}

// Template is a key template such as "rl:{<tenant>}:<route>".
type Template struct {
	Parts     []TemplatePart
	diag.Span        // the quoted string
	Text      string // unquoted
}

// TemplatePart is a piece of literal text or a parameter; the braces of the hash tag are part of the literal text.
type TemplatePart struct {
	Param bool
	Text  string // the literal text, or the parameter's name without < and >
	InTag bool   // it lies between { and }; a literal is split at the braces so that each part is wholly in or out
	diag.Span
}

// Type is a type expression.
type Type interface {
	// TypeSpan returns the text of the type.
	TypeSpan() diag.Span
}

// The type expressions.
type (
	// NamedType is a type known by a name, perhaps with parameters: string, duration(ms), bool("yes","no"), enum state.
	NamedType struct {
		Name   Word
		Params []TypeParam // duration(ms): ms; bool("yes","no"): two literals; map(K,V): two types; count(x): a word
		Enum   Word        // for "enum NAME", the NAME
		Value  *Literal    // for const "LITERAL", the literal
		diag.Span
	}

	// OptionalType is "T?" or "T?(LITERAL)".
	OptionalType struct {
		Elem   Type
		Absent *Literal // the sentinel, or nil
		diag.Span
	}

	// ListType is "[]T", "[3]T" or "[len(x)]T".
	ListType struct {
		Elem Type
		Len  Word // "3", or the name in len(x); zero for []T
		IsOf bool // [len(x)]T
		diag.Span
	}

	// RecordType is "{a T, b U}", "Name{…}", "hash{…}", "rows{…}" or "columns{…}".
	RecordType struct {
		Name   Word // what stands before the brace, or the zero Word
		Fields []Field
		diag.Span
	}

	// GoType is a Go type: "import/path".Type or .Type, inside json(…), msgpack(…) and after "as".
	GoType struct {
		Path Word
		Name Word
		diag.Span
	}
)

// TypeParam is one parameter of a NamedType: exactly one of the three is set.
type TypeParam struct {
	Word    Word
	Literal *Literal
	Type    Type
}

// Field is a field of a RecordType: a name and a type. The word "code" alone, without a type, is the result code.
type Field struct {
	Name   Word
	Member Word // the member's name on the wire when it is quoted: retry "retry-after" int
	Type   Type // nil for "code", or after a syntax error
}

// TypeSpan returns the text of the type.
func (t *NamedType) TypeSpan() diag.Span { return t.Span }

// TypeSpan returns the text of the type.
func (t *OptionalType) TypeSpan() diag.Span { return t.Span }

// TypeSpan returns the text of the type.
func (t *ListType) TypeSpan() diag.Span { return t.Span }

// TypeSpan returns the text of the type.
func (t *RecordType) TypeSpan() diag.Span { return t.Span }

// TypeSpan returns the text of the type.
func (t *GoType) TypeSpan() diag.Span { return t.Span }
