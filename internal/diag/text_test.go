package diag

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// write prints one finding on the first occurrence of text in the source.
func write(t *testing.T, source, text string) string {
	t.Helper()
	start := strings.Index(source, text)
	if start < 0 {
		t.Fatalf("%q is not in the source", text)
	}
	f := NewFile("a.lua", source)
	return writeAll(t, &Finding{Kind: kindError, Span: f.Span(start, start+len(text)), Message: "wrong"})
}

func writeAll(t *testing.T, findings ...*Finding) string {
	t.Helper()
	var b strings.Builder
	if err := WriteText(&b, findings, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteText(t *testing.T) {
	f := NewFile("dir/a.lua", "-- @key a string\n-- @kye b string\n"+strings.Repeat("\n", 9998)+"-- @key a list\n")
	at := func(text string) Span {
		i := strings.Index(f.Text, text)
		return f.Span(i, i+len(text))
	}
	var s Sink
	s.Report(kindError, at("@kye"), "unknown tag @kye").WithHint("did you mean @key?")
	s.Report(kindWarning, f.Span(len(f.Text)-len("a list\n"), len(f.Text)-len(" list\n")), "key a is declared twice").
		WithNote(f.Span(8, 9), "the first one").
		WithNote(Span{}, "no place")
	s.Report(kindInfo, Span{}, "no file is ours").WithHint("begin one with a tag")

	want := `info: no file is ours [RG103]
  hint: begin one with a tag
dir/a.lua:2:4: error: unknown tag @kye [RG101]
   2 | -- @kye b string
     |    ^~~~
  hint: did you mean @key?
dir/a.lua:10001:9: warning: key a is declared twice [RG102]
10001 | -- @key a list
      |         ^
dir/a.lua:1:9: note: the first one
    1 | -- @key a string
      |         ^
note: no place
`
	if got := writeAll(t, s.Findings()...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := writeAll(t); got != "" {
		t.Errorf("no findings print %q", got)
	}
}

func TestExcerpts(t *testing.T) {
	for _, test := range []struct{ name, source, text, line, mark string }{
		{"tabs before", "\tx\ty = 1", "y", "\tx\ty = 1", "\t \t^"},
		{"tab inside", "x = a\tb c", "a\tb", "x = a\tb c", "    ^\t~"},
		{"tab first", "x =\ty", "\ty", "x =\ty", "   ^"},
		{"wide characters", "é日 = “x”", "“x”", "é日 = “x”", "     ^~~"},
		{"several lines", "x = [[a\nb]]", "[[a\nb]]", "x = [[a", "    ^~~"},
		{"up to the line end", "x = 1\ny", "1\n", "x = 1", "    ^"},
		{"CRLF", "x = 1\r\ny", "1\r\n", "x = 1", "    ^"},
		{"the line end", "x\ny", "\n", "x", " ^"},
		{"control characters", "x\x00\x1b[31m\x7f = y", "y", "x␀␛[31m␡ = y", "           ^"},
		{"C1, bidi, invisible", "x\u009b\u202e\u200b = y", "y", "x\ufffd\ufffd\ufffd = y", "       ^"},
		{"strange blanks", "x\u00a0\u3000= y", "y", "x␣␣= y", "     ^"},
		{"not UTF-8", "\xff\xfe = y", "y", "\ufffd\ufffd = y", "     ^"},
		{"CR inside", "a\rb", "b", "a␍b", "  ^"},
	} {
		want := "   1 | " + test.line + "\n     | " + test.mark + "\n"
		_, got, _ := strings.Cut(write(t, test.source, test.text), "\n")
		if got != want {
			t.Errorf("%s:\ngot\n%q\nwant\n%q", test.name, got, want)
		}
	}
}

func TestExcerptOfTheEnd(t *testing.T) {
	f := NewFile("a.lua", "x\n")
	want := "a.lua:2:1: error: wrong [RG101]\n   2 |\n     | ^\n"
	if got := writeAll(t, &Finding{Kind: kindError, Span: f.Span(2, 2), Message: "wrong"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongLines(t *testing.T) {
	a := strings.Repeat("a", 500)
	b := strings.Repeat("é", 500)
	for _, test := range []struct{ name, source, text, line, mark string }{
		{"just fits", a[:119] + "X", "X", a[:119] + "X", strings.Repeat(" ", 119) + "^"},
		{"cut behind", "X" + a, "X", "X" + a[:119] + "…", "^"},
		{"cut before", a + "X", "X", "…" + a[:119] + "X", strings.Repeat(" ", 120) + "^"},
		{"cut on both sides", b + "X" + b, "X", "…" + b[:80] + "X" + b[:158] + "…", strings.Repeat(" ", 41) + "^"},
		{"a long span", a + "X" + a, "X" + a, "…" + a[:40] + "X" + a[:79] + "…", strings.Repeat(" ", 41) + "^" + strings.Repeat("~", 79)},
	} {
		want := "   1 | " + test.line + "\n     | " + test.mark + "\n"
		_, got, _ := strings.Cut(write(t, test.source, test.text), "\n")
		if got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

func TestTextStaysOnItsLine(t *testing.T) {
	f := NewFile("a\nb.lua", "x")
	finding := (&Finding{Kind: kindError, Span: f.Span(0, 1), Message: "a\nb\x1b[31m"}).
		WithHint("c\r\nd").WithNote(f.Span(0, 1), "e\u2028f")
	if got := writeAll(t, finding); strings.Count(got, "\n") != 7 || strings.ContainsAny(got, "\x1b\r\u2028") {
		t.Errorf("got %q", got)
	}
}

func TestColor(t *testing.T) {
	f := NewFile("a.lua", "x = y")
	findings := []*Finding{
		(&Finding{Kind: kindError, Span: f.Span(4, 5), Message: "m"}).WithNote(f.Span(0, 1), "n").WithHint("h"),
		{Kind: kindWarning, Span: f.Span(4, 5), Message: "m"},
		{Kind: kindInfo, Message: "m"},
	}
	var b strings.Builder
	if err := WriteText(&b, findings, true); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"\x1b[1ma.lua:1:5:\x1b[0m \x1b[1;31merror:\x1b[0m m [RG101]\n", "|     \x1b[1;31m^\x1b[0m\n",
		"\x1b[1;36mnote:\x1b[0m n\n", "\x1b[1;32mhint:\x1b[0m h\n", "\x1b[1;33mwarning:\x1b[0m m", "\x1b[1;34minfo:\x1b[0m m",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	for _, code := range []string{"\x1b[1m", "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[0m"} {
		got = strings.ReplaceAll(got, code, "")
	}
	if plain := writeAll(t, findings...); got != plain {
		t.Errorf("without its colours it is\n%q, not\n%q", got, plain)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteTextReturnsTheError(t *testing.T) {
	if err := WriteText(fullDisk{}, []*Finding{{Kind: kindError, Message: "m"}}, false); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func FuzzWriteText(f *testing.F) {
	f.Add("x = 1\n\ty = “2”\r\n", 5, 9)
	f.Add("é\x00\xff", 1, 1)
	f.Add(strings.Repeat("\t日", 200), 301, 400)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if start < 0 || start > end || end > len(text) {
			return
		}
		file := NewFile("a.lua", text)
		got := writeAll(t, &Finding{Kind: kindError, Span: file.Span(start, end), Message: "m"})
		lines := strings.Split(got, "\n")
		if len(lines) != 4 || lines[3] != "" {
			t.Fatalf("%d lines: %q", len(lines)-1, got)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > maxExcerpt+20 || !utf8.ValidString(line) {
				t.Fatalf("%d characters: %q", n, line)
			}
			for _, r := range line {
				if r != '\t' && !unicode.IsPrint(r) {
					t.Fatalf("%q is printed in %q", r, line)
				}
			}
		}
		_, source, _ := strings.Cut(lines[1], "|")
		_, mark, _ := strings.Cut(lines[2], "|")
		caret := utf8.RuneCountInString(mark[:strings.IndexByte(mark, '^')])
		above := []rune(source + strings.Repeat(" ", caret))
		for i, r := range []rune(mark)[:caret] {
			if (r == '\t') != (above[i] == '\t') {
				t.Fatalf("column %d of %q does not align with %q", i, mark, source)
			}
		}
	})
}
