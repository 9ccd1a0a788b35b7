package lua

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/yuin/gopher-lua/parse"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/redistest"
)

// lexical are scripts that are right but for their tokens. The reason why gopher-lua sees one differently stands behind
// it; the server is always right.
var lexical = []struct{ src, gopher string }{
	{"return 1", ""},
	{"", ""},
	{"\v\freturn\t1\r", "VT and FF are no white space there"},
	{"local goto = 1 return goto", "goto is a keyword there"},
	{"local continue = 1 return continue", ""},
	{"return a.b.c, a [b [1] ], #a, -a, not a", ""},
	{"return a == b, a ~= b, a <= b, a >= b, a .. b, a ^ b % c", ""},
	{"return {a; b, c = 1, [d] = 2}", ""},
	{"local function f(...) return ... end", ""},

	{"return 3, 3., .5, 3.5, 1e3, 1E-3, .5e+2, 3.e1", ""},
	{"return 0xff, 0XA, 0x1e+5", ""},
	{"return 08, 007", ""},
	{"return 1e400, 123456789012345678901234567890", ""},
	{"return 0x1p4", "it has no hexadecimal floats"},
	{"return 0x1P10", "it has no hexadecimal floats"},
	{"return 0x1p", ""},
	{"return 0x1p-4", ""},
	{"return 0x", ""},
	{"return 0xg", ""},
	{"return 00x10", ""},
	{"return 0b11", ""},
	{"return 1e", "it accepts 1e"},
	{"return 1e+", "it accepts 1e+"},
	{"\n\nreturn 3x", ""},
	{"return 1_000", ""},
	{"return 1..2", ""},
	{"return 1 ..2", ""},
	{"return 1.2.3", ""},
	{"return 1LL", ""},

	{`return "a\"b", 'a\'b', "\\", "\a\b\f\n\r\t\v"`, ""},
	{`return "\z \x41 \q \u{41}"`, ""},
	{`return "\0", "\255", "\0001", "\1a"`, ""},
	{"\nreturn \"\\256\"", "it accepts escapes over 255"},
	{`return "\300"`, "it accepts escapes over 255"},
	{`return "\999"`, "it accepts escapes over 255"},
	{"return 'a\\\nb', 'a\\\r\nb', 'a\\\rb'", ""},
	{"return 'a\\\n\rb'", ""},
	{"return 'é\xff\x00'", ""},
	{"\nreturn 'a\n'", ""},
	{"return 'a\r'", ""},
	{"return 'a\\\n\nb'", ""},
	{"return 'a", ""},
	{`return "a\`, ""},

	{"return [[a]], [=[ ]] ]=], [==[\n]=] ]]==]", ""},
	{"return [[\r\na\rb\n\rc]]", ""},
	{"return [=[ [[ ]=], [[ [=[ ]]", ""},
	{"return [=[ [=[ ]=]", ""},
	{"return [[\xff\x00]]", ""},
	{"\nreturn [[a\n\n]", ""},
	{"return [==[ ]=]", ""},
	{"return a[=b", ""},
	{"return [==b", ""},

	{"-- a\nreturn 1 --[[ b ]] --[==[ ]] ]==] -- c", ""},
	{"-- a\rreturn 1", ""},
	{"-- a\rreturn $", ""},
	{"--[ a\nreturn 1 --[=b", "it wants a long comment behind --[="},
	{"--[=[ a\n", ""},
	{"--[[ [[ ]] return 1", ""},
	{"--\x00\xff\nreturn 1", ""},
	{"--", ""},

	{"#!lua\nreturn 1", "it knows no #! line"},
	{"#!lua\r\nreturn 1", "it knows no #! line"},
	{"#!lua\n\nreturn $", ""},
	{"\n#!lua\nreturn 1", ""},
	{"\ufeffreturn 1", ""},

	{"if a != b then return 1 end", ""},
	{"local a = 1\n\nlocal b = a\nreturn a && b", ""},
	{"return a || b", ""},
	{"return a // b", ""},
	{"return a << 1", ""},
	{"return a >> 1", ""},
	{"return a & b", ""},
	{"return a | b", ""},
	{"return a ~ b", ""},
	{"return ~a", ""},
	{"return !a", ""},
	{"return a ? b : c", ""},
	{"a += 1", ""},
	{"a -= 1", ""},
	{"a *= 1", ""},
	{"a /= 1", ""},
	{"a %= 1", ""},
	{"a ^= 1", ""},
	{"a ..= 1", ""},
	{"a++", ""},
	{"/* a */", ""},
	{"\n::a::", "it has labels"},
	{"return $a", ""},
	{"return @a", ""},
	{"return `a`", ""},
	{"return \\a", ""},
	{"return \x00", ""},
	{"return \x1b", ""},
	{"return é", ""},
	{"return “a”", ""},
	{"return\u00a01", ""},
	{"return \xff", ""},
}

var serverLine = regexp.MustCompile(`user_script:(\d+):`)

// luaLine counts the lines as Lua does, to which CR and LF side by side in either order are one line end.
func luaLine(text string) int {
	line := 1
	for len(text) > 0 {
		if text[0] == '\n' || text[0] == '\r' {
			line++
			text = text[lineEnd(text):]
		} else {
			text = text[1:]
		}
	}
	return line
}

// allowedLines returns the lines on which a server may report the finding. It sees that something is not closed where
// the string or the file ends, and some versions put one line of their own behind the script.
func allowedLines(f *diag.Finding, tokens []Token) (from, to int) {
	text := f.Span.File.Text
	if strings.HasSuffix(f.Message, "closed") {
		for _, t := range tokens {
			if t.Start == f.Span.Start {
				end := luaLine(text[:t.End])
				return end, end + 1
			}
		}
	}
	line := luaLine(text[:f.Span.Start])
	return line, line
}

func TestServerAgrees(t *testing.T) { onServers(t, testServerAgrees) }

func testServerAgrees(t *testing.T, s *redis.Client) {
	for _, test := range lexical {
		tokens, findings := scan(test.src)
		err := s.ScriptLoad(context.Background(), test.src).Err()
		if (err == nil) != (len(findings) == 0) {
			t.Errorf("%q: the server says %v, Scan reports %s", test.src, err, messages(findings))
			continue
		}
		if err == nil {
			continue
		}
		m := serverLine.FindStringSubmatch(err.Error())
		if m == nil {
			t.Errorf("%q: no line in %v", test.src, err)
			continue
		}
		line, _ := strconv.Atoi(m[1])
		if from, to := allowedLines(findings[0], tokens); line < from || line > to {
			t.Errorf("%q: the server says %v, Scan reports lines %d to %d", test.src, err, from, to)
		}
	}
}

// TestNestedLongBracket documents the one case in which servers differ. Scan takes the side of the stricter ones, since
// a script must load everywhere.
func TestNestedLongBracket(t *testing.T) {
	const src = "return [[ [[ ]]"
	if _, findings := scan(src); len(findings) != 1 {
		t.Errorf("%q has %d findings, want 1", src, len(findings))
	}
	onServers(t, func(t *testing.T, s *redis.Client) {
		err := s.ScriptLoad(context.Background(), src).Err()
		if err != nil && !strings.Contains(err.Error(), "nesting of [[...]] is deprecated") {
			t.Errorf("%q: %v", src, err)
		}
	})
}

// TestServerAgreesOnSoup asks the server about random text that is nearly a number, a string or a comment.
func TestServerAgreesOnSoup(t *testing.T) { onServers(t, testServerAgreesOnSoup) }

func testServerAgreesOnSoup(t *testing.T, s *redis.Client) {
	rng := rand.New(rand.NewPCG(5, 1))
	numbers := strings.Split("0 1 9 00 0x 0X . .. e E e+ e- p P p+ a f g _ x", " ")
	quoted := []string{`"`, `'`, `\`, `\\`, "\n", "\r", "a", "0", "25", "300", "\x00", "é", " ", "--"}
	long := []string{"[", "]", "=", "[[", "]]", "[=[", "]=]", "--", "--[[", "\n", "a", " "}
	accepted, refused := 0, 0
	for i := range 6000 {
		alphabet := [][]string{numbers, quoted, long}[i%3]
		src := "return " + []string{"", `"`, "[["}[i%3]
		for range 1 + rng.IntN(6) {
			src += alphabet[rng.IntN(len(alphabet))]
		}
		src += []string{"", `"`, "]]"}[i%3]

		tokens, findings := scan(src)
		if len(findings) == 0 && !isReturnOfOne(tokens) || strings.Contains(messages(findings), "inside [[") {
			continue // The server's parser has a say, or the server's version.
		}
		err := s.ScriptLoad(context.Background(), src).Err()
		if (err == nil) != (len(findings) == 0) {
			t.Errorf("%q: the server says %v, Scan %s, reports %s", src, err, show(tokens), messages(findings))
		}
		if err == nil {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 300 || refused < 300 {
		t.Errorf("only %d accepted and %d refused: the soup is too thin", accepted, refused)
	}
}

// isReturnOfOne reports whether the tokens are return and at most one literal, which any parser accepts.
func isReturnOfOne(tokens []Token) bool {
	literals := 0
	for _, t := range tokens[1:] {
		switch t.Kind {
		case Number, String:
			literals++
		case Comment, EOF:
		default:
			return false
		}
	}
	return literals <= 1
}

func TestGopherLuaAgrees(t *testing.T) {
	for _, test := range lexical {
		_, findings := scan(test.src)
		_, err := parse.Parse(strings.NewReader(test.src), "a.lua")
		if agrees := (err == nil) == (len(findings) == 0); agrees != (test.gopher == "") {
			t.Errorf("%q: gopher-lua says %v, Scan reports %s; expected difference %q",
				test.src, err, messages(findings), test.gopher)
		}
	}
}

func messages(findings []*diag.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%s %s", f.Span, f.Message))
	}
	return "[" + strings.Join(all, "; ") + "]"
}

// onServers runs f on each server.
func onServers(t *testing.T, f func(t *testing.T, client *redis.Client)) {
	redistest.Matrix(t, func(t *testing.T, s *redistest.Server) {
		s.RequireReal(t, "compiling Lua as Redis does")
		s.RequireOwn(t, "filling the script cache")
		f(t, s.Client)
	})
}
