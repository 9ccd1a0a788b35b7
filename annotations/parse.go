package annotations

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
)

// Parse reads the header of a file from its tokens, which are those of [lua.Scan]. What is wrong is reported, and
// parsing goes on at the next tag, or at the next operand where that is safe.
func Parse(file *diag.File, tokens []lua.Token, sink *diag.Sink) *Header {
	p := &parser{file: file, sink: sink, header: &Header{File: file}, seen: map[string]diag.Span{}}
	n := p.headerTokens(tokens)
	start := len(file.Text)
	if n < len(tokens) {
		start = tokens[n].Start
	}
	p.header.Body = file.Span(start, len(file.Text))

	r := &lineReader{text: file.Text}
	for _, token := range tokens[:n] {
		if token.Kind == lua.Comment {
			r.comment(token)
		}
	}
	p.tags(r.lines)
	p.strayTags(r, tokens[n:])
	return p.header
}

type parser struct {
	file   *diag.File
	sink   *diag.Sink
	header *Header
	seen   map[string]diag.Span // the tags and options that may stand once, and where they stood first
	enum   bool                 // an @enum was read
}

// headerTokens returns the number of tokens before the first statement, and finds the #!lua line among them.
func (p *parser) headerTokens(tokens []lua.Token) int {
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if line := p.luaLine(t); line.IsValid() {
			if !p.header.Shebang.IsValid() {
				p.header.Shebang = line
			}
			for i+1 < len(tokens) && tokens[i+1].Start < line.End {
				i++
			}
			continue
		}
		switch {
		case t.Kind == lua.EOF:
			return len(tokens)
		case t.Kind == lua.Comment, t.Kind == lua.Shebang:
		case t.Start == 0 && t.Text() == byteOrderMark: // the scanner has reported it
		default:
			return i
		}
	}
	return len(tokens)
}

const byteOrderMark = "\ufeff"

// luaLine returns the #!lua line that the token begins, or the zero Span. The server wants it in the first bytes of the
// file, but a misplaced one says as clearly that the file is meant for us.
func (p *parser) luaLine(t lua.Token) diag.Span {
	rest, ok := strings.CutPrefix(p.file.Text[t.Start:], "#!lua")
	if !ok || t.Kind == lua.Comment || !startsLine(p.file.Text, t.Start) {
		return diag.Span{}
	}
	if end := strings.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	if rest != "" && !isBlank(rest[0]) {
		return diag.Span{}
	}
	return p.file.Span(t.Start, t.Start+len("#!lua")+len(rest))
}

// startsLine reports whether nothing but blanks stands before the offset on its line.
func startsLine(text string, offset int) bool {
	before := strings.TrimRight(text[:offset], " \t")
	return before == "" || before == byteOrderMark || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r")
}

// tags parses the tags in the lines, and the doc comment above them.
func (p *parser) tags(lines []line) {
	for i := 0; i < len(lines); {
		if !p.beginsTag(&lines[i]) {
			i++
			continue
		}
		if len(p.header.Tags) == 0 {
			p.doc(lines[:i+1])
		}
		n := p.tagLength(lines[i:])
		p.header.Tags = append(p.header.Tags, p.tag(lines[i:i+n]))
		i += n
	}
}

// beginsTag reports whether the line is the first of a tag. An @ with a blank behind it counts only before a tag that
// exists: it is a slip then, and prose otherwise.
func (p *parser) beginsTag(l *line) bool {
	if l.foreign || l.empty() || p.file.Text[l.start] != '@' {
		return false
	}
	rest := p.file.Text[l.start+1 : l.end]
	first, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(first) || first == '_' || slippedTag(rest) != ""
}

// slippedTag returns the tag in "@ key".
func slippedTag(rest string) string {
	words := strings.Fields(rest[:min(len(rest), 100)])
	if len(words) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return ""
	}
	if _, known := tagSyntaxes[words[0]]; known {
		return words[0]
	}
	return ""
}

// tagLength returns the number of lines of the tag that the first line begins.
func (p *parser) tagLength(lines []line) int {
	first := lines[0]
	for n, l := range lines {
		if n == 0 {
			continue
		}
		if l.empty() || l.afterBlank || l.foreign || l.block != first.block || l.column < first.column+2 || p.file.Text[l.start] == '@' {
			return n
		}
	}
	return len(lines)
}

// doc sets the doc comment: the lines directly above the last one of these, which begins the first tag.
func (p *parser) doc(lines []line) {
	last := len(lines) - 1
	first := last
	for first > 0 && !lines[first].afterBlank {
		first--
	}
	lines = lines[first:last]
	for len(lines) > 0 && p.noDoc(&lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && p.noDoc(&lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	margins := blockMargins(lines)
	for i := range lines {
		l := &lines[i]
		word := Word{Span: p.file.Span(l.end, l.end)}
		if !p.noDoc(l) {
			margin := l.margin
			if l.indented() {
				margin = l.start - (l.column - margins[l.block])
			}
			word.Span = p.file.Span(margin, l.end)
			word.Text = word.Span.Text()
			p.checkCharacters(word.Span)
		}
		p.header.Doc = append(p.header.Doc, word)
	}
}

// noDoc reports lines that say nothing to the reader of the generated package.
func (p *parser) noDoc(l *line) bool {
	return l.foreign || l.empty() || strings.HasPrefix(p.file.Text[l.start:l.end], "redisgen:")
}

// blockMargins returns for each block comment the column of the line that stands farthest to the left: such comments are
// indented as a whole.
func blockMargins(lines []line) map[int]int {
	margins := map[int]int{}
	for _, l := range lines {
		if column, ok := margins[l.block]; l.indented() && (!ok || l.column < column) {
			margins[l.block] = l.column
		}
	}
	return margins
}

// checkCharacters reports the first character of the text that has no business in a header.
func (p *parser) checkCharacters(span diag.Span) {
	text := span.Text()
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		what := ""
		switch {
		case r == utf8.RuneError && size == 1:
			what = "the byte is not UTF-8"
		case r == '\ufeff', unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r', unicode.Is(unicode.Bidi_Control, r):
			what = "the character is invisible"
		default:
			continue
		}
		p.sink.Report(BadCharacter, p.file.Span(span.Start+i, span.Start+i+size), "%s: %s", what, show(text[i:i+size])).
			WithHint(`delete it; in a string, write it as an escape such as \x00`)
		return
	}
}

// strayTags finds tags in the comments behind the first statement. A tag of the header there is a mistake, unless it
// belongs to a block that begins with three dashes, as other tools want it.
func (p *parser) strayTags(r *lineReader, tokens []lua.Token) {
	codeEnd := -1
	r.lines = r.lines[:0]
	for _, t := range tokens {
		r.skip(t.Start)
		switch {
		case t.Kind != lua.Comment:
			p.strayTagsIn(r.lines)
			r.lines = r.lines[:0]
			r.skip(t.End)
			codeEnd, r.blank = t.End, false
		case codeEnd > r.lineStart: // a comment behind code
			r.skip(t.End)
		default:
			r.comment(t)
		}
	}
	p.strayTagsIn(r.lines)
}

// strayTagsIn reports the tags in lines that no code stands between.
func (p *parser) strayTagsIn(lines []line) {
	// A file whose tags are all in the wrong place would become a script without keys and arguments.
	misplaced := MisplacedTag
	if len(p.header.Tags) == 0 {
		misplaced = HeaderTooLow
	}
	function, foreign := false, false
	for i := range lines {
		l := &lines[i]
		if l.foreign {
			text := p.file.Text[l.start:l.end]
			foreign = text == "" || strings.Trim(text, "-") != ""
			continue
		}
		foreign = foreign && !l.afterBlank
		if foreign || !p.beginsTag(l) {
			continue
		}
		text := p.join(lines[i : i+p.tagLength(lines[i:])])
		tag := &OtherTag{TagBase{Name: text.name(), Whole: text.span(0, len(text.text))}}
		syntax, known := tagSyntaxes[tag.Name.Text]
		switch {
		case !known || function:
			continue
		case tag.Name.Text == "function" || tag.Name.Text == "include":
			p.notSupported(tag.Name.Span, "@"+tag.Name.Text, syntax.instead)
			function = tag.Name.Text == "function"
		default:
			p.sink.Report(misplaced, tag.Name.Span, "@%s stands after the first statement", tag.Name.Text).
				WithHint("move it into the comment at the top of the file")
		}
		p.header.Tags = append(p.header.Tags, tag)
	}
}
