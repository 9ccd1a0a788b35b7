package lua

import (
	"slices"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/internal/diag"
)

var kindNames = [...]string{"eof", "shebang", "comment", "name", "keyword", "number", "string", "op", "invalid"}

// show writes tokens as "kind:text", one blank between them.
func show(tokens []Token) string {
	var b strings.Builder
	for _, t := range tokens[:len(tokens)-1] {
		b.WriteString(kindNames[t.Kind] + ":" + t.Text() + " ")
	}
	return strings.TrimSuffix(b.String(), " ")
}

func scan(text string) ([]Token, []*diag.Finding) {
	var sink diag.Sink
	tokens := Scan(diag.NewFile("a.lua", text), &sink)
	return tokens, sink.Findings()
}

func TestScanTokens(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"", ""},
		{" \t\v\f\r\n ", ""},
		{"return 1", "keyword:return number:1"},
		{"goto continue _x A9", "name:goto name:continue name:_x name:A9"},
		{"and break do else elseif end", "keyword:and keyword:break keyword:do keyword:else keyword:elseif keyword:end"},
		{"false for function if in local", "keyword:false keyword:for keyword:function keyword:if keyword:in keyword:local"},
		{"nil not or repeat return then", "keyword:nil keyword:not keyword:or keyword:repeat keyword:return keyword:then"},
		{"true until while", "keyword:true keyword:until keyword:while"},
		{"+-*/%^#", "op:+ op:- op:* op:/ op:% op:^ op:#"},
		{"== ~= <= >= < > =", "op:== op:~= op:<= op:>= op:< op:> op:="},
		{"(){}[];:,. .. ...", "op:( op:) op:{ op:} op:[ op:] op:; op:: op:, op:. op:.. op:..."},
		{"....", "op:... op:."},
		{"a.b:c", "name:a op:. name:b op:: name:c"},
		{"a[b[1]]", "name:a op:[ name:b op:[ number:1 op:] op:]"},
		{"a-b--c", "name:a op:- name:b comment:--c"},

		{"3 3. .5 3.5 0x1F 0Xa 1e3 1E-3 .5e+2", "number:3 number:3. number:.5 number:3.5 number:0x1F number:0Xa number:1e3 number:1E-3 number:.5e+2"},
		{"1-2", "number:1 op:- number:2"},
		{"0x1e+5", "number:0x1e op:+ number:5"},
		{"0x1p4 08", "number:0x1p4 number:08"},
		{"..5 ...5", "op:.. number:5 op:... number:5"},
		{"1e5.5 0x1.8", "number:1e5 number:.5 number:0x1 number:.8"},

		{`"a" 'b' ""`, `string:"a" string:'b' string:""`},
		{`"a\"b" 'a\'b' "\\"`, `string:"a\"b" string:'a\'b' string:"\\"`},
		{`"\255\0001\z\x41"`, `string:"\255\0001\z\x41"`},
		{"\"a\\\nb\" 'a\\\r\nb'", "string:\"a\\\nb\" string:'a\\\r\nb'"},
		{"'\xff\x00é'", "string:'\xff\x00é'"},
		{"[[a]] [=[ ]] ]=] [==[\n]=] ]]==]", "string:[[a]] string:[=[ ]] ]=] string:[==[\n]=] ]]==]"},
		{"[=[ [[ ]=]", "string:[=[ [[ ]=]"},

		{"-- a\nb", "comment:-- a name:b"},
		{"-- a\rb", "comment:-- a name:b"},
		{"-- a\r\nb", "comment:-- a name:b"},
		{"--[[ a\nb ]] c", "comment:--[[ a\nb ]] name:c"},
		{"--[==[ ]] ]==]c", "comment:--[==[ ]] ]==] name:c"},
		{"--[ a\nb", "comment:--[ a name:b"},
		{"--[=a ]=]\nb", "comment:--[=a ]=] name:b"},
		{"-- [[ a\nb", "comment:-- [[ a name:b"},
		{"--[[ [[ ]] a", "comment:--[[ [[ ]] name:a"}, // stripped before a server sees it
		{"--\xff\x00", "comment:--\xff\x00"},

		{"#!lua name=x\nreturn", "shebang:#!lua name=x keyword:return"},
		{"#!lua \r\nreturn", "shebang:#!lua  keyword:return"},
		{"#!lua", "shebang:#!lua"},
		{"#a", "op:# name:a"},
	} {
		tokens, findings := scan(test.src)
		if got := show(tokens); got != test.want {
			t.Errorf("Scan(%q)\n got %q\nwant %q", test.src, got, test.want)
		}
		for _, f := range findings {
			t.Errorf("Scan(%q) reports %s at %q", test.src, f.Message, f.Span.Text())
		}
		if last := tokens[len(tokens)-1]; last.Kind != EOF || last.Start != len(test.src) || last.End != len(test.src) {
			t.Errorf("Scan(%q) ends with %v", test.src, last)
		}
	}
}

func TestScanFindings(t *testing.T) {
	for _, test := range []struct{ src, tokens, span, message string }{
		{"x = 'abc\ny", "name:x op:= invalid:'abc name:y", "'", "the string is not closed"},
		{"'abc\rx", "invalid:'abc name:x", "'", "the string is not closed"},
		{"\"abc\\\ndef\nx", "invalid:\"abc\\\ndef name:x", `"`, "the string is not closed"},
		{`"abc\`, `invalid:"abc\`, `"`, "the string is not closed"},
		{`"a\300b" x`, `invalid:"a\300b" name:x`, `\300`, `the escape \300 is larger than \255`},
		{`"\2561"`, `invalid:"\2561"`, `\256`, `the escape \256 is larger than \255`},
		{"[[ a", "invalid:[[ a", "[[", "the long string is never closed"},
		{"[==[ a ]=]", "invalid:[==[ a ]=]", "[==[", "the long string is never closed"},
		{"[[ a [[b]] c", "invalid:[[ a [[b]] name:c", "[[", "[[ inside [[ … ]], which many servers refuse"},
		{"a[=b", "name:a invalid:[= name:b", "[=", "[= opens no long string"},
		{"--[[ @script x", "comment:--[[ @script x", "--[[", "the comment is never closed"},
		{"--[=[", "comment:--[=[", "--[=[", "the comment is never closed"},

		{"3x", "invalid:3x", "3x", "malformed number 3x"},
		{"1e", "invalid:1e", "1e", "malformed number 1e"},
		{"1e+", "invalid:1e+", "1e+", "malformed number 1e+"},
		{"1..2", "invalid:1..2", "1..2", "malformed number 1..2"},
		{"0x", "invalid:0x", "0x", "malformed number 0x"},
		{"0x1p", "invalid:0x1p", "0x1p", "malformed number 0x1p"},
		{"00x10", "invalid:00x10", "00x10", "malformed number 00x10"},
		{"0b11", "invalid:0b11", "0b11", "malformed number 0b11"},
		{"1_000", "invalid:1_000", "1_000", "malformed number 1_000"},
		{"1LL", "invalid:1LL", "1LL", "malformed number 1LL"},

		{"a != b", "name:a invalid:!= name:b", "!=", "!= is no operator of Lua 5.1"},
		{"a && b", "name:a invalid:&& name:b", "&&", "&& is no operator of Lua 5.1"},
		{"a //b", "name:a invalid:// name:b", "//", "// is no operator of Lua 5.1"},
		{"a += 1", "name:a invalid:+= number:1", "+=", "+= is no operator of Lua 5.1"},
		{"a ..= b", "name:a invalid:..= name:b", "..=", "..= is no operator of Lua 5.1"},
		{"::l", "invalid::: name:l", "::", ":: is no operator of Lua 5.1"},
		{"~a", "invalid:~ name:a", "~", "~ is no operator of Lua 5.1"},
		{"a ? b", "name:a invalid:? name:b", "?", "? is no operator of Lua 5.1"},
		{"$a", "invalid:$ name:a", "$", "unexpected character '$'"},
		{"a\x00b", "name:a invalid:\x00 name:b", "\x00", `unexpected character '\x00'`},
		{"\\\n", "invalid:\\", "\\", `unexpected character '\\'`},
		{"é = 1", "invalid:é op:= number:1", "é", `"é" outside a string or a comment`},
		{"“x”", "invalid:“ name:x invalid:”", "“", `"“" outside a string or a comment`},
		{"a\u00a0b", "name:a invalid:\u00a0 name:b", "\u00a0", `"\u00a0" outside a string or a comment`},
		{"\ufeffreturn", "invalid:\ufeff keyword:return", "\ufeff", "the file begins with a byte order mark"},
		{"\xff", "invalid:\xff", "\xff", `"\xff" outside a string or a comment`},
		{"\n#!lua", "op:# invalid:! name:lua", "!", "! is no operator of Lua 5.1"},
	} {
		tokens, findings := scan(test.src)
		if got := show(tokens); got != test.tokens {
			t.Errorf("Scan(%q)\n got %q\nwant %q", test.src, got, test.tokens)
		}
		if len(findings) == 0 {
			t.Errorf("Scan(%q) reports nothing", test.src)
			continue
		}
		f := findings[0]
		if f.Kind != NotLua51 || f.Message != test.message || f.Span.Text() != test.span {
			t.Errorf("Scan(%q) reports %s %q at %q; want %q at %q",
				test.src, f.Kind.ID, f.Message, f.Span.Text(), test.message, test.span)
		}
	}
}

func TestScanReportsEveryMistake(t *testing.T) {
	_, findings := scan("a != 1\nb = 'x\nc = \"\\300\\400\"\nd = 1e\ne = [[")
	var lines []int
	for _, f := range findings {
		line, _ := f.Span.Position()
		lines = append(lines, line)
	}
	if want := []int{1, 2, 3, 3, 4, 5}; !slices.Equal(lines, want) {
		t.Errorf("findings on lines %v, want %v", lines, want)
	}
}

func TestForeignOperatorsAreNotLua(t *testing.T) {
	for _, o := range foreign {
		if slices.Contains(operators, o.text) {
			t.Errorf("%s is an operator of Lua", o.text)
		}
		tokens, findings := scan("a " + o.text + " b")
		if len(findings) != 1 || findings[0].Span.Text() != o.text || findings[0].Hint == "" {
			t.Errorf("a %s b: %s, %d findings", o.text, show(tokens), len(findings))
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"#!lua name=x\nreturn 1", "--[==[ a ]==] b = [[c]] .. 'd\\\n' -- e", "x = 0x1p4 + 1e+5 ..1.. 3", "a != b // c",
		"[=[ [[ ]] ]=]", "\ufeff\x00é“", "[[ [[ ]]", "'\\300\\", "--[[", "[====", "a\r\n\rb", "..=...=....",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens, findings := scan(text)
		end := 0
		invalid := false
		for i, tok := range tokens {
			if tok.Start < end || tok.End < tok.Start || tok.End > len(text) {
				t.Fatalf("token %d is [%d, %d) after %d of %d", i, tok.Start, tok.End, end, len(text))
			}
			if gap := text[end:tok.Start]; strings.Trim(gap, " \t\n\v\f\r") != "" {
				t.Fatalf("token %d follows the gap %q", i, gap)
			}
			if last := i == len(tokens)-1; (tok.Kind == EOF) != last || (tok.Start == tok.End) != last {
				t.Fatalf("token %d of %d is %s %q", i, len(tokens), kindNames[tok.Kind], tok.Text())
			}
			end = tok.End
			invalid = invalid || tok.Kind == Invalid
		}
		if end != len(text) {
			t.Fatalf("tokens end at %d of %d", end, len(text))
		}
		if invalid && len(findings) == 0 {
			t.Fatal("an invalid token without a finding")
		}
		for _, f := range findings {
			if f.Span.Start >= f.Span.End || f.Span.End > len(text) {
				t.Fatalf("%s at [%d, %d)", f.Message, f.Span.Start, f.Span.End)
			}
		}
	})
}
