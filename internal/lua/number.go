package lua

import "regexp"

// numeral is what the C library's strtod accepts of what Lua takes for a number. Lua stops at a dot once it has seen a
// letter, so a hexadecimal float has no fraction and no sign in its exponent: 0x1p4 is one, 0x1.8p0 is not.
var numeral = regexp.MustCompile(`^(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]+(?:[pP][0-9]+)?)$`)

// number reads as Lua 5.1 does: digits and dots, an exponent with its sign, then whatever could be part of a name. Only
// then it asks whether that is a number.
func (s *scanner) number() Kind {
	start := s.pos
	for s.pos < len(s.src) && (isDigit(s.src[s.pos]) || s.src[s.pos] == '.') {
		s.pos++
	}
	if c := s.peek(0); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(0); c == '+' || c == '-' {
			s.pos++
		}
	}
	for s.pos < len(s.src) && isNamePart(s.src[s.pos]) {
		s.pos++
	}
	text := s.src[start:s.pos]
	if numeral.MatchString(text) {
		return Number
	}
	f := s.report(start, s.pos, "malformed number %s", text)
	switch {
	case dotsInside.MatchString(text):
		f.WithHint("write a blank before the dots that join strings")
	case binaryLiteral.MatchString(text):
		f.WithHint("Lua 5.1 has decimal and hexadecimal numbers only")
	case text[len(text)-1] == '_' || groupedDigits.MatchString(text):
		f.WithHint("write the digits without _")
	}
	return Invalid
}

// The mistakes that get a hint.
var (
	dotsInside    = regexp.MustCompile(`^[0-9]+\.\.`)
	binaryLiteral = regexp.MustCompile(`^0[bBoO][0-9]+$`)
	groupedDigits = regexp.MustCompile(`^[0-9]+(?:_[0-9]+)+$`)
)
