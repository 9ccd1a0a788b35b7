package annotations

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/redisgen/redisgen/internal/diag"
)

// tagText is the text of one tag, its lines joined with one blank, and the way back from there into the file.
type tagText struct {
	file  *diag.File
	text  string
	lines []joined
}

// joined says that what stands at an offset of the text comes from an offset of the file.
type joined struct{ at, from int }

func (p *parser) join(lines []line) *tagText {
	t := &tagText{file: p.file}
	var text strings.Builder
	for i, l := range lines {
		if i > 0 {
			text.WriteByte(' ')
		}
		t.lines = append(t.lines, joined{text.Len(), l.start})
		text.WriteString(p.file.Text[l.start:l.end])
	}
	t.text = text.String()
	return t
}

// lineOf returns the index of the line that the offset lies in; the blank behind a line belongs to it.
func (t *tagText) lineOf(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i].at > offset }) - 1
}

// endOfLine returns the offset behind the line that the offset lies in.
func (t *tagText) endOfLine(offset int) int {
	if i := t.lineOf(offset) + 1; i < len(t.lines) {
		return t.lines[i].at - 1
	}
	return len(t.text)
}

func (t *tagText) offset(at int) int {
	l := t.lines[t.lineOf(at)]
	return l.from + at - l.at
}

// span returns the place of [start, end) of the text in the file.
func (t *tagText) span(start, end int) diag.Span {
	if start == end {
		return t.file.Span(t.offset(start), t.offset(start))
	}
	return t.file.Span(t.offset(start), t.offset(end-1)+1)
}

// word returns [start, end) of the text without the blanks around it; the zero Word if nothing is left.
func (t *tagText) word(start, end int) Word {
	for start < end && isBlank(t.text[start]) {
		start++
	}
	for start < end && isBlank(t.text[end-1]) {
		end--
	}
	if start == end {
		return Word{}
	}
	return Word{Text: t.text[start:end], Span: t.span(start, end)}
}

// name returns the tag's name; its span has the @.
func (t *tagText) name() Word {
	end := 1
	for end < len(t.text) && !isBlank(t.text[end]) {
		end++
	}
	return Word{Text: t.text[1:end], Span: t.span(0, end)}
}

// docStart returns the offset of the # that begins the doc text, or the length of the text.
func (t *tagText) docStart() int {
	for i := 1; i < len(t.text); i++ {
		switch t.text[i] {
		case '"':
			if end := t.closingQuote(i); end > 0 {
				i = end
			}
		case '#':
			if isBlank(t.text[i-1]) && (i+1 == len(t.text) || isBlank(t.text[i+1])) {
				return i
			}
		}
	}
	return len(t.text)
}

// closingQuote returns the offset of the quote that closes the string, or 0. Strings end on their line.
func (t *tagText) closingQuote(open int) int {
	end := t.endOfLine(open)
	for i := open + 1; i < end; i++ {
		switch t.text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return 0
}

// token is a piece of a tag's operands.
type token struct {
	kind  tokenKind
	text  string // as written
	value string // of a String: unquoted
	bad   bool   // a string with a mistake in it that was reported
	glued bool   // nothing stands between the token before and this one
	diag.Span
}

type tokenKind uint8

const (
	endToken    tokenKind = iota
	wordToken             // anything without blanks, quotes and the marks
	stringToken           // in double quotes
	markToken             // one of marks
)

const marks = "(){}[],?="

func (t *token) isMark(mark string) bool { return t.kind == markToken && t.text == mark }

func (t *token) isWord(word string) bool { return t.kind == wordToken && t.text == word }

// word returns the token as a Word.
func (t *token) word() Word { return Word{Text: t.text, Span: t.Span} }

// operandTokens cuts [start, end) of the text into tokens.
func (p *parser) operandTokens(t *tagText, start, end int) []token {
	var tokens []token
	before := -1 // where the token before ended
	for i := start; i < end; {
		if isBlank(t.text[i]) {
			i++
			continue
		}
		next := token{glued: i == before}
		from := i
		switch c := t.text[i]; {
		case c == '"':
			next.kind = stringToken
			i = p.stringEnd(t, i, end, &next)
		case strings.IndexByte(marks, c) >= 0:
			next.kind = markToken
			i++
		default:
			next.kind = wordToken
			for i < end && !isBlank(t.text[i]) && t.text[i] != '"' && strings.IndexByte(marks, t.text[i]) < 0 {
				i++
			}
		}
		next.text, next.Span = t.text[from:i], t.span(from, i)
		tokens = append(tokens, next)
		before = i
	}
	return tokens
}

// stringEnd unquotes the string that begins at i, reports what is wrong with it, and returns the offset behind it. One
// that is not closed takes the rest: where it should end nobody knows.
func (p *parser) stringEnd(t *tagText, i, end int, to *token) int {
	closing := t.closingQuote(i)
	if closing == 0 {
		p.sink.Report(UnterminatedString, t.span(i, i+1), "the string is not closed").
			WithHint(`close it with " on the same line`)
		to.bad = true
		return end
	}
	value, bad := unquote(t.text[i : closing+1])
	for _, at := range bad {
		escape := t.text[i+at : min(i+at+2, closing)]
		p.sink.Report(BadLiteral, t.span(i+at, i+at+len(escape)), "%s begins no escape of Go", show(escape)).
			WithHint(`a backslash itself is \\; others are \" \n \t \x00 \u0000`)
		to.bad = true
	}
	var text strings.Builder
	for _, piece := range value {
		text.WriteString(piece.text)
	}
	to.value = text.String()
	return closing + 1
}

// piece is what one character of a quoted string stands for, and its place in the string.
type piece struct {
	text       string
	start, end int
}

// unquote takes a string in double quotes apart, and returns the offsets of escapes that are none.
func unquote(quoted string) (pieces []piece, bad []int) {
	for i := 1; i < len(quoted)-1; {
		rest := quoted[i : len(quoted)-1]
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		size := len(rest) - len(tail)
		switch {
		case err != nil:
			bad = append(bad, i)
			_, size = utf8.DecodeRuneInString(rest[min(1, len(rest)-1):])
			size = min(size+1, len(rest))
		case rest[0] == '\\' && !multibyte:
			pieces = append(pieces, piece{string([]byte{byte(r)}), i, i + size})
		case rest[0] == '\\':
			pieces = append(pieces, piece{string(r), i, i + size})
		default: // as it is: bytes that are not UTF-8 are reported for the whole tag
			pieces = append(pieces, piece{rest[:size], i, i + size})
		}
		i += size
	}
	return pieces, bad
}
