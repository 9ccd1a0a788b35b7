package annotations

import (
	"maps"
	"slices"

	"github.com/redisgen/redisgen/internal/diag"
)

// tagSyntax is how a tag is written.
type tagSyntax struct {
	usage   string // as a hint shows it
	once    bool   // a script has it once at most
	read    func(o *operands) Tag
	instead string // for a tag that is not supported yet: what to do instead
}

// tagSyntaxes are the tags of the language. It is filled when the program starts, since the functions in it use it.
var tagSyntaxes map[string]tagSyntax

var tagNames []string

func init() {
	const (
		goesOn  = "remove it; the script works without it"
		oneFile = "write everything into the script's own file"
	)
	tagSyntaxes = map[string]tagSyntax{
		"script":     {usage: "@script NAME", once: true, read: (*operands).script},
		"version":    {usage: "@version 1.0.0", once: true, read: (*operands).version},
		"owner":      {usage: "@owner TEXT", once: true, read: (*operands).text},
		"deprecated": {usage: "@deprecated TEXT", once: true, read: (*operands).text},
		"idempotent": {usage: "@idempotent [REASON]", once: true, read: (*operands).text},
		"readonly":   {usage: "@readonly", once: true, read: (*operands).flag},
		"since":      {usage: "@since redis 7.0", read: (*operands).since},
		"timeout":    {usage: "@timeout 250ms", once: true, read: (*operands).timeout},
		"key":        {usage: `@key NAME KIND ["TEMPLATE"] [OPTION…]`, read: (*operands).key},
		"arg":        {usage: "@arg NAME TYPE [OPTION…]", read: (*operands).arg},
		"enum":       {usage: "@enum NAME string|int", read: (*operands).enumTag},
		"value":      {usage: "@value NAME LITERAL", read: (*operands).value},
		"code":       {usage: "@code LITERAL NAME [error] [PAYLOAD]", read: (*operands).code},
		"error":      {usage: "@error WORD NAME", read: (*operands).errorTag},
		"return":     {usage: "@return TYPE", once: true, read: (*operands).returnTag},

		"cluster":  {instead: "remove it; keys are checked as if it said slot"},
		"touches":  {instead: goesOn},
		"ignore":   {instead: goesOn},
		"example":  {instead: goesOn},
		"include":  {instead: oneFile},
		"fragment": {instead: oneFile},
		"shared":   {instead: oneFile},
		"use":      {instead: oneFile},
		"group":    {instead: "remove it and write each part as a key or an argument of its own"},
		"function": {instead: "write a script of its own for it"},
	}
	tagNames = slices.Sorted(maps.Keys(tagSyntaxes))
}

// tag parses the tag that the lines hold.
func (p *parser) tag(lines []line) Tag {
	text := p.join(lines)
	o := &operands{parser: p, TagBase: TagBase{Name: text.name(), Whole: text.span(0, len(text.text))}}
	p.checkCharacters(o.Whole)
	syntax, known := tagSyntaxes[o.Name.Text]
	if !known {
		p.unknownTag(text, o.Name)
		return &OtherTag{o.TagBase}
	}
	if syntax.read == nil {
		p.notSupported(o.Name.Span, "@"+o.Name.Text, syntax.instead)
		if o.Name.Text == "function" {
			clear(p.seen) // the tags of a function stand beside those of its library
		}
		return &OtherTag{o.TagBase}
	}
	if syntax.once {
		p.once(o.Name.Text, o.Name.Span, "@"+o.Name.Text)
	}
	doc := text.docStart()
	if doc < len(text.text) {
		o.Doc = text.word(doc+1, len(text.text))
	}
	o.usage, o.last = syntax.usage, o.Name.Span
	start := len("@" + o.Name.Text)
	if o.free = text.word(start, doc); !isText(o.Name.Text) {
		o.tokens = p.operandTokens(text, start, doc)
	}
	tag := syntax.read(o)
	o.nothingMore()
	return tag
}

func isText(tag string) bool { return tag == "owner" || tag == "deprecated" || tag == "idempotent" }

// once reports what may be there once and is there again.
func (p *parser) once(key string, span diag.Span, what string) {
	if first, again := p.seen[key]; again {
		p.sink.Report(DuplicateTag, span, "%s is there twice", what).WithHint("remove one of the two").
			WithNote(first, "the first one is here")
		return
	}
	p.seen[key] = span
}

func (p *parser) notSupported(span diag.Span, what, instead string) {
	p.sink.Report(NotSupported, span, "%s is not supported yet", what).WithHint("%s", instead)
}

func (p *parser) unknownTag(text *tagText, name Word) {
	if slipped := slippedTag(text.text[1:]); slipped != "" {
		p.sink.Report(UnknownTag, name.Span, "an @ without a tag").WithHint("write @%s without a blank", slipped)
		return
	}
	f := p.sink.Report(UnknownTag, name.Span, "unknown tag @%s", show(name.Text))
	letters := 0
	for letters < len(name.Text) && 'a' <= name.Text[letters] && name.Text[letters] <= 'z' {
		letters++
	}
	near := diag.Nearest(name.Text, tagNames)
	if _, known := tagSyntaxes[name.Text[:letters]]; known {
		f.WithHint("write a blank behind @%s", name.Text[:letters])
	} else if near != "" {
		f.WithHint("did you mean @%s?", near)
	} else {
		f.WithHint("if it is no tag, begin the line with another character; tags of other tools stand behind three dashes")
	}
}
