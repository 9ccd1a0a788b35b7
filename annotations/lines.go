package annotations

import (
	"strings"

	"github.com/redisgen/redisgen/internal/lua"
)

// line is one line of a comment.
type line struct {
	// The text [start, end) is without dashes and brackets, the star of a block comment, and the blanks around it. It
	// may be empty.
	start, end int

	margin     int  // where the text starts if blanks before it count: after the dashes, bracket or star and one blank
	column     int  // of start, in bytes from the start of the file's line
	block      int  // which block comment it belongs to, counted from 1; 0 for a line comment
	starred    bool // a line of a block comment with a star before its text
	opening    bool // the line of a block comment that the bracket stands on
	afterBlank bool // a blank line stands before it
	foreign    bool // three dashes: it belongs to other tools
}

func (l *line) empty() bool { return l.start == l.end }

// indented reports whether the blanks before the text may only be there because the whole block comment is indented.
func (l *line) indented() bool { return l.block > 0 && !l.starred && !l.opening && !l.empty() }

// lineReader cuts comments into lines.
type lineReader struct {
	text      string
	pos       int  // everything before it is read
	lineStart int  // of the line of pos
	blank     bool // a blank line stands between the last line and pos
	blocks    int
	lines     []line
}

// skip moves to a token and remembers whether a blank line stands before it.
func (r *lineReader) skip(to int) {
	ends := 0
	for r.pos < to {
		if n := lineEnd(r.text[r.pos:]); n > 0 {
			r.pos += n
			r.lineStart = r.pos
			ends++
		} else {
			r.pos++
		}
	}
	r.blank = r.blank || ends > 1
}

// comment adds the lines of a comment.
func (r *lineReader) comment(token lua.Token) {
	r.skip(token.Start)
	text := r.text[token.Start:token.End]
	if open, end, ok := blockContent(text); ok {
		r.block(token.Start+open, token.Start+end)
	} else if strings.HasPrefix(text, "---") {
		r.add(line{start: token.Start + 3, end: token.End, foreign: true}, false)
	} else {
		r.add(line{start: token.Start + 2, end: token.End}, false)
	}
	r.skip(token.End)
	r.blank = false
}

// block adds the lines of a block comment. The first and the last one are the lines of the brackets: if nothing else
// stands on them they are empty, but no blank lines.
func (r *lineReader) block(start, end int) {
	r.blocks++
	opening := true
	for {
		stop, next := end, 0
		if i := strings.IndexAny(r.text[start:end], "\r\n"); i >= 0 {
			stop = start + i
			next = stop + lineEnd(r.text[stop:end])
		}
		r.add(line{start: start, end: stop, block: r.blocks, opening: opening}, next > 0 && !opening)
		if next == 0 {
			return
		}
		start, opening = next, false
		r.pos, r.lineStart = next, next
	}
}

// add trims a line and adds it. A line of nothing that may be blank only leaves a mark on the next one.
func (r *lineReader) add(l line, mayBeBlank bool) {
	l.margin = l.start
	l.end = l.start + len(strings.TrimRight(r.text[l.start:l.end], " \t"))
	l.start = r.skipBlanks(l.start, l.end)
	if l.block > 0 && l.start < l.end && r.text[l.start] == '*' {
		if rest := r.text[l.start+1 : l.end]; rest == "" || strings.ContainsAny(rest[:1], " \t@") {
			l.starred = true
			l.margin = l.start + 1
			l.start = r.skipBlanks(l.margin, l.end)
		}
	}
	if mayBeBlank && l.empty() && !l.starred {
		r.blank = true
		return
	}
	if l.margin < l.start {
		l.margin++
	}
	l.column = l.start - r.lineStart
	l.afterBlank, r.blank = r.blank, false
	r.lines = append(r.lines, l)
}

func (r *lineReader) skipBlanks(from, to int) int {
	for from < to && isBlank(r.text[from]) {
		from++
	}
	return from
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// lineEnd returns the length of the line end at the start of the text, or 0 if there is none.
func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// blockContent reports whether the comment is a block comment, and where its content lies. One that is never closed
// goes on to its end.
func blockContent(comment string) (start, end int, ok bool) {
	rest, ok := strings.CutPrefix(comment, "--[")
	if !ok {
		return 0, 0, false
	}
	level := len(rest) - len(strings.TrimLeft(rest, "="))
	if !strings.HasPrefix(rest[level:], "[") {
		return 0, 0, false
	}
	start = len("--[") + level + len("[")
	closing := "]" + strings.Repeat("=", level) + "]"
	return start, start + len(strings.TrimSuffix(comment[start:], closing)), true
}
