package lua

import "strings"

// quoted reads a string in single or double quotes. It may span lines where a backslash stands before the line end.
func (s *scanner) quoted(quote byte) Kind {
	start, kind := s.pos, String
	s.pos++
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case quote:
			s.pos++
			return kind
		case '\n', '\r':
			return s.notClosed(start, quote)
		case '\\':
			if !s.escape() {
				kind = Invalid
			}
		default:
			s.pos++
		}
	}
	return s.notClosed(start, quote)
}

func (s *scanner) notClosed(start int, quote byte) Kind {
	s.report(start, start+1, "the string is not closed").WithHint("close it with %c on the same line", quote)
	return Invalid
}

// escape reads a backslash and what belongs to it. Lua 5.1 takes any other character after a backslash for itself, so
// \x41 is x41; only a decimal escape can be wrong.
func (s *scanner) escape() bool {
	start := s.pos
	s.pos++
	if s.pos >= len(s.src) {
		return true
	}
	if !isDigit(s.src[s.pos]) {
		s.pos += lineEnd(s.src[s.pos:])
		return true
	}
	value := 0
	for range 3 {
		if !isDigit(s.peek(0)) {
			break
		}
		value = 10*value + int(s.src[s.pos]-'0')
		s.pos++
	}
	if value <= 255 {
		return true
	}
	s.report(start, s.pos, `the escape %s is larger than \255`, s.src[start:s.pos]).
		WithHint("a decimal escape is one byte; write the character itself")
	return false
}

// lineEnd returns the length of the line end at the start of the text, or 1. To Lua two different line end characters
// are one line end.
func lineEnd(text string) int {
	if strings.HasPrefix(text, "\r\n") || strings.HasPrefix(text, "\n\r") {
		return 2
	}
	return 1
}

// longString reads [[ … ]] of any level; "[=" at s.pos is certainly the beginning of one.
func (s *scanner) longString() Kind {
	start := s.pos
	level, ok := longOpening(s.src[s.pos:])
	if !ok {
		s.pos += level + 1
		s.report(start, s.pos, "%s opens no long string", s.src[start:s.pos]).
			WithHint("open it with %s[", s.src[start:s.pos])
		return Invalid
	}
	s.pos += level + 2
	content := s.pos
	if !s.longClosing(level) {
		s.report(start, content, "the long string is never closed").WithHint("close it with %s", closing(level))
		return Invalid
	}
	// Servers from before the security releases of October 2025 refuse this, later ones accept it. It goes for comments
	// as well, but those are not sent to the server.
	if i := strings.Index(s.src[content:s.pos-2], "[["); level == 0 && i >= 0 {
		s.report(content+i, content+i+2, "[[ inside [[ … ]], which many servers refuse").
			WithHint("write the outer brackets as [=[ … ]=]")
		return Invalid
	}
	return String
}

// longClosing moves behind the closing bracket of the level, or to the end of the file if there is none.
func (s *scanner) longClosing(level int) bool {
	bracket := closing(level)
	if i := strings.Index(s.src[s.pos:], bracket); i >= 0 {
		s.pos += i + len(bracket)
		return true
	}
	s.pos = len(s.src)
	return false
}

// longOpening reports whether the text begins with a long bracket, and the number of its equals signs.
func longOpening(text string) (level int, ok bool) {
	if text == "" || text[0] != '[' {
		return 0, false
	}
	for level+1 < len(text) && text[level+1] == '=' {
		level++
	}
	return level, level+1 < len(text) && text[level+1] == '['
}

func closing(level int) string { return "]" + strings.Repeat("=", level) + "]" }
