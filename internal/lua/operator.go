package lua

import (
	"strings"
	"unicode/utf8"
)

// operators are those of Lua 5.1, longer ones first where one begins another.
var operators = []string{
	"...", "..", "==", "~=", "<=", ">=",
	"+", "-", "*", "/", "%", "^", "#", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
}

// foreign are operators of other languages and of later versions of Lua, longer ones first. Lua 5.1 reads some of them
// as two tokens, but no program of it has these two side by side; as one token they get one finding that says what to
// write instead.
var foreign = []struct{ text, hint string }{
	{"..=", "write a = a .. b"},
	{"!=", "write ~="},
	{"&&", "write and"},
	{"||", "write or"},
	{"//", "write math.floor(a / b); a comment begins with --"},
	{"/*", "write a comment as -- … or --[[ … ]]"},
	{"::", "Lua 5.1 has neither labels nor goto; write a loop"},
	{"<<", "write bit.lshift(a, n)"},
	{">>", "write bit.rshift(a, n)"},
	{"++", "write a = a + 1"},
	{"+=", "write a = a + b"},
	{"-=", "write a = a - b"},
	{"*=", "write a = a * b"},
	{"/=", "write a = a / b; not equal is ~="},
	{"%=", "write a = a % b"},
	{"^=", "write a = a ^ b"},
	{"&", "write bit.band(a, b)"},
	{"|", "write bit.bor(a, b)"},
	{"~", "write bit.bxor(a, b) or bit.bnot(a)"},
	{"!", "write not"},
	{"?", "write a and b or c"},
}

// operator reads an operator, or what is no token at all.
func (s *scanner) operator() Kind {
	rest := s.src[s.pos:]
	for _, o := range operators[:2] { // "..." before "..=" before ".."
		if strings.HasPrefix(rest, o) && !strings.HasPrefix(rest, "..=") {
			s.pos += len(o)
			return Operator
		}
	}
	if !strings.HasPrefix(rest, "~=") {
		for _, o := range foreign {
			if strings.HasPrefix(rest, o.text) {
				s.pos += len(o.text)
				s.report(s.pos-len(o.text), s.pos, "%s is no operator of Lua 5.1", o.text).WithHint("%s", o.hint)
				return Invalid
			}
		}
	}
	for _, o := range operators[2:] {
		if strings.HasPrefix(rest, o) {
			s.pos += len(o)
			return Operator
		}
	}
	return s.stray()
}

// stray reads a character that begins no token.
func (s *scanner) stray() Kind {
	if s.src[s.pos] >= utf8.RuneSelf {
		return s.foreignRune()
	}
	s.pos++
	f := s.report(s.pos-1, s.pos, "unexpected character %q", s.src[s.pos-1])
	if c := s.src[s.pos-1]; c < ' ' || c == 0x7f {
		f.WithHint("delete the control character")
	}
	return Invalid
}
