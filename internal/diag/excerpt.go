package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of a long line maxExcerpt characters are shown, among them contextAfter from the start of the span on, if the line
// has as many.
const (
	maxExcerpt   = 120
	contextAfter = 80
)

// excerpt is a source line, perhaps cut, and what to print under it to mark a span.
type excerpt struct {
	line   string
	indent string // what stands under the text before the span
	mark   string // ^~~~
}

// excerptOf returns the line on which the span starts. Each character counts as one column wide; a tab stays a tab in
// the line below too, so that both lines agree on any tab width.
func excerptOf(span Span) excerpt {
	number, column := span.Position()
	line := span.File.Line(number)
	at := min(column-1, len(line))
	end := min(max(at+span.End-span.Start, at), len(line))
	if at < len(line) && line[at] == '\t' {
		end = at // A caret is narrower than the tab above it, so nothing behind it would align.
	}

	from, to := window(line, at)
	var text, indent, mark strings.Builder
	if from > 0 {
		text.WriteString("…")
		indent.WriteByte(' ')
	}
	for i, r := range line[from:to] {
		text.WriteRune(harmless(r))
		switch i += from; {
		case i < at && r == '\t':
			indent.WriteByte('\t')
		case i < at:
			indent.WriteByte(' ')
		case i == at || mark.Len() == 0:
			mark.WriteByte('^')
		case i < end && r == '\t':
			mark.WriteByte('\t')
		case i < end:
			mark.WriteByte('~')
		}
	}
	if to < len(line) {
		text.WriteString("…")
	}
	if mark.Len() == 0 { // the end of the line
		mark.WriteByte('^')
	}
	return excerpt{line: text.String(), indent: indent.String(), mark: mark.String()}
}

// window returns the part of the line to show around the offset at. It never looks at more of a line than it may show:
// a minified script is one line with all findings on it.
func window(line string, at int) (from, to int) {
	before := 0
	for from = at; from > 0 && before <= maxExcerpt; before++ {
		_, size := utf8.DecodeLastRuneInString(line[:from])
		from -= size
	}
	after := 0
	for to = at; to < len(line) && after <= maxExcerpt; after++ {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	if before+after <= maxExcerpt {
		return from, to
	}
	for keep := max(maxExcerpt-before, contextAfter); after > keep; after-- {
		_, size := utf8.DecodeLastRuneInString(line[at:to])
		to -= size
	}
	for ; before > maxExcerpt-after; before-- {
		_, size := utf8.DecodeRuneInString(line[from:])
		from += size
	}
	return from, to
}

// harmless replaces what moves the cursor, changes the terminal or hides itself by a character of one column.
func harmless(r rune) rune {
	switch {
	case r == '\t' || unicode.IsPrint(r):
		return r
	case r < ' ':
		return '␀' + r
	case r == 0x7f:
		return '␡'
	case r >= 0xa0 && unicode.IsSpace(r):
		return '␣'
	}
	return utf8.RuneError
}
