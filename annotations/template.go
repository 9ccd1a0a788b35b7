package annotations

import (
	"strings"

	"github.com/redisgen/redisgen/internal/diag"
)

// template reads a key template from a string. With a mistake in it, it has the parts that are right.
func (o *operands) template(t *token) *Template {
	template := &Template{Span: t.Span, Text: t.value}
	if t.bad {
		return template
	}
	r := &templateReader{operands: o, quoted: t.Span, template: template, opened: -1}
	r.pieces, _ = unquote(t.text)
	if len(r.pieces) == 0 {
		o.sink.Report(BadTemplate, t.Span, "the template is empty").
			WithHint("leave it out if the key is passed whole")
	}
	for r.pos < len(r.pieces) {
		r.read()
	}
	if r.opened >= 0 {
		r.report(r.opened, r.opened+1, "the hash tag is not closed").WithHint("close it with }")
	}
	r.flush()
	return template
}

// templateReader goes over the characters of a template. Written as an escape a brace is still a brace, since the
// server sees the key and not the header.
type templateReader struct {
	*operands
	quoted   diag.Span
	template *Template
	pieces   []piece
	pos      int
	literal  int  // where the literal text before pos starts
	opened   int  // where the { of the hash tag that is open stands, or -1
	closed   bool // there was a hash tag
}

// span returns the place of the pieces [start, end).
func (r *templateReader) span(start, end int) diag.Span {
	return r.file.Span(r.quoted.Start+r.pieces[start].start, r.quoted.Start+r.pieces[end-1].end)
}

func (r *templateReader) report(start, end int, format string, args ...any) *diag.Finding {
	return r.sink.Report(BadTemplate, r.span(start, end), format, args...)
}

// flush adds the literal text up to pos as a part.
func (r *templateReader) flush() {
	if r.literal < r.pos {
		var text strings.Builder
		for _, p := range r.pieces[r.literal:r.pos] {
			text.WriteString(p.text)
		}
		r.template.Parts = append(r.template.Parts, TemplatePart{
			Text: text.String(), InTag: r.opened >= 0, Span: r.span(r.literal, r.pos),
		})
	}
	r.literal = r.pos
}

func (r *templateReader) read() {
	switch r.pieces[r.pos].text {
	case "<":
		r.param()
	case ">":
		r.report(r.pos, r.pos+1, "> without < before it").WithHint("a parameter is written <name>")
		r.pos++
	case "{":
		r.openTag()
	case "}":
		r.closeTag()
	default:
		r.pos++
	}
}

func (r *templateReader) openTag() {
	r.pos++
	switch {
	case r.opened >= 0:
		r.report(r.pos-1, r.pos, "a { inside the hash tag").WithHint("close the tag first; there can be one only")
	case r.closed:
		r.report(r.pos-1, r.pos, "a second hash tag").WithHint("the server looks at the first one only; write it without braces")
	default:
		r.flush() // the brace itself is outside
		r.opened = r.pos - 1
	}
}

func (r *templateReader) closeTag() {
	switch {
	case r.opened >= 0 && r.opened == r.pos-1:
		r.report(r.opened, r.pos+1, "the hash tag is empty").
			WithHint("put what the script's keys share between the braces, such as {<id>}, or remove them")
	case r.opened < 0 && !r.closed:
		r.report(r.pos, r.pos+1, "} without { before it").WithHint("a hash tag is written {<name>}")
	case r.opened < 0 && !r.strayOpen():
		r.report(r.pos, r.pos+1, "a second }").WithHint("there can be one hash tag only; remove the brace")
	}
	if r.opened >= 0 {
		r.flush()
		r.opened, r.closed = -1, true
	}
	r.pos++
}

// strayOpen reports whether the } at pos closes a second {, which has its finding.
func (r *templateReader) strayOpen() bool {
	for i := r.pos - 1; i >= 0 && r.pieces[i].text != "}"; i-- {
		if r.pieces[i].text == "{" {
			return true
		}
	}
	return false
}

// param reads "<name>".
func (r *templateReader) param() {
	r.flush()
	open := r.pos
	end := open + 1
	for end < len(r.pieces) && !strings.Contains("<>{}", r.pieces[end].text) {
		end++
	}
	if end == len(r.pieces) || r.pieces[end].text != ">" {
		r.report(open, open+1, "the parameter is not closed").WithHint("a parameter is written <name>")
		r.pos = open + 1
		return
	}
	r.pos, r.literal = end+1, end+1
	if end == open+1 {
		r.report(open, end+1, "the parameter has no name").WithHint("a parameter is written <name>")
		return
	}
	var name strings.Builder
	for _, p := range r.pieces[open+1 : end] {
		name.WriteString(p.text)
	}
	if !isName(name.String()) {
		f := r.report(open+1, end, "%s can't be a parameter's name", show(name.String())).
			WithHint("a name is lower-case letters, digits and _, and begins with a letter")
		if suggestion := suggestName(name.String()); suggestion != "" {
			f.WithHint("write <%s>", suggestion)
		}
		return
	}
	r.template.Parts = append(r.template.Parts, TemplatePart{
		Param: true, Text: name.String(), InTag: r.opened >= 0, Span: r.span(open+1, end),
	})
}
