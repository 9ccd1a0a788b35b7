package lua

import (
	"strings"
	"unicode/utf8"

	"github.com/redisgen/redisgen/internal/diag"
)

// Scan returns the tokens of the file in source order, comments included; the last one is EOF. What is no token of Lua
// 5.1 is reported, and scanning goes on behind it.
func Scan(file *diag.File, sink *diag.Sink) []Token {
	s := &scanner{file: file, src: file.Text, sink: sink}
	s.shebang()
	for s.skipSpace(); s.pos < len(s.src); s.skipSpace() {
		start := s.pos
		kind := s.next()
		s.add(kind, start)
	}
	s.add(EOF, s.pos)
	return s.tokens
}

// keywords are the reserved words of Lua 5.1; goto is a name.
var keywords = map[string]bool{
	"and": true, "break": true, "do": true, "else": true, "elseif": true, "end": true, "false": true, "for": true,
	"function": true, "if": true, "in": true, "local": true, "nil": true, "not": true, "or": true, "repeat": true,
	"return": true, "then": true, "true": true, "until": true, "while": true,
}

type scanner struct {
	file   *diag.File
	src    string
	pos    int // the next byte to read
	sink   *diag.Sink
	tokens []Token
}

func (s *scanner) add(kind Kind, start int) {
	s.tokens = append(s.tokens, Token{Kind: kind, Span: s.file.Span(start, s.pos)})
}

func (s *scanner) report(start, end int, format string, args ...any) *diag.Finding {
	return s.sink.Report(NotLua51, s.file.Span(start, end), format, args...)
}

// shebang reads the first line if it begins with "#!". The server looks for LF alone there, unlike Lua in the rest.
func (s *scanner) shebang() {
	if !strings.HasPrefix(s.src, "#!") {
		return
	}
	line, _, _ := strings.Cut(s.src, "\n")
	s.pos = len(strings.TrimRight(line, "\r"))
	s.add(Shebang, 0)
}

func (s *scanner) skipSpace() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

// next reads the token at s.pos, which is no white space and not the end, and reports what is wrong with it.
func (s *scanner) next() Kind {
	switch c := s.src[s.pos]; {
	case strings.HasPrefix(s.src[s.pos:], "--"):
		return s.comment()
	case isNameStart(c):
		return s.name()
	case isDigit(c), c == '.' && isDigit(s.peek(1)):
		return s.number()
	case c == '"', c == '\'':
		return s.quoted(c)
	case c == '[' && (s.peek(1) == '[' || s.peek(1) == '='):
		return s.longString()
	}
	return s.operator()
}

// peek returns the byte n places ahead, or 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *scanner) name() Kind {
	start := s.pos
	for s.pos < len(s.src) && isNamePart(s.src[s.pos]) {
		s.pos++
	}
	if keywords[s.src[start:s.pos]] {
		return Keyword
	}
	return Name
}

func (s *scanner) comment() Kind {
	start := s.pos
	s.pos += len("--")
	if level, ok := longOpening(s.src[s.pos:]); ok {
		s.pos += level + 2
		if !s.longClosing(level) {
			s.report(start, start+level+4, "the comment is never closed").WithHint("close it with %s", closing(level))
		}
		return Comment
	}
	if end := strings.IndexAny(s.src[s.pos:], "\r\n"); end >= 0 {
		s.pos += end
	} else {
		s.pos = len(s.src)
	}
	return Comment
}

// foreignRune reads a run of bytes that are not ASCII.
func (s *scanner) foreignRune() Kind {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos] >= utf8.RuneSelf {
		s.pos++
	}
	text := s.src[start:s.pos]
	f := s.report(start, s.pos, "%q outside a string or a comment", text)
	switch {
	case start == 0 && strings.HasPrefix(text, "\ufeff"):
		f.Message = "the file begins with a byte order mark"
		f.WithHint("save it as UTF-8 without a byte order mark")
	case strings.ContainsAny(text, "“”„‘’‚«»"):
		f.WithHint(`quote strings with " or '`)
	case strings.ContainsAny(text, "\u00a0\u200b\u202f\u2007\u3000\ufeff"):
		f.WithHint("it looks like white space; write a blank")
	default:
		f.WithHint("names are made of A-Z, a-z, 0-9 and _")
	}
	return Invalid
}

// isSpace is C's isspace, which counts the vertical tab and the form feed.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameStart(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }
