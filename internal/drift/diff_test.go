package drift

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	numbers := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"equal but for CRLF", "a\r\nb\r\n", "a\nb\n", ""},
		{"new file", "", "a\nb\n", "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"emptied file", "a\nb\n", "", "--- old\n+++ new\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"three lines around", numbers(1, 9), numbers(1, 4) + "five\n" + numbers(6, 9),
			"--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"an added line", "a\nb\n", "a\nnew\nb\n", "--- old\n+++ new\n@@ -1,2 +1,3 @@\n a\n+new\n b\n"},
		{"two hunks", numbers(0, 20), numbers(1, 19),
			"--- old\n+++ new\n@@ -1,4 +1,3 @@\n-0\n 1\n 2\n 3\n@@ -18,4 +17,3 @@\n 17\n 18\n 19\n-20\n"},
		{"no newline at the end", "a\nb", "a\nb\n", "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
	} {
		if got := UnifiedDiff("old", "new", []byte(c.old), []byte(c.new)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// A file too long for the comparison still gets a diff that is right, if not the shortest.
func TestUnifiedDiffOfLongFiles(t *testing.T) {
	var old, new strings.Builder
	for i := range maxDiffLines + 10 {
		fmt.Fprintln(&old, "old", i)
		fmt.Fprintln(&new, "new", i)
	}
	got, err := apply(old.String(), UnifiedDiff("old", "new", []byte(old.String()), []byte(new.String())))
	if err != nil || got != new.String() {
		t.Errorf("the diff does not lead to the new text: %v", err)
	}
}

func FuzzUnifiedDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("", "x")
	f.Add("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n")
	f.Add("a\r\nb\r\n", "a\nb\r")
	f.Add("-- x --\n\\ No newline at end of file\n@@ -1 +1 @@\n", "+\n-\n ")
	f.Fuzz(func(t *testing.T, old, new string) {
		diff := UnifiedDiff("old", "new", []byte(old), []byte(new))
		old, new = string(lf([]byte(old))), string(lf([]byte(new)))
		if (diff == "") != (old == new) {
			t.Fatalf("texts that are equal: %v, and their diff %q", old == new, diff)
		}
		got, err := apply(old, diff)
		if err != nil || got != new {
			t.Fatalf("%v: got %q, want %q, from\n%s", err, got, new, diff)
		}
	})
}

// apply does what patch does, without tolerance: every hunk must fit where it says and as long as it says.
func apply(old, diff string) (string, error) {
	source := splitLines(old)
	lines := strings.Split(diff, "\n")
	var out strings.Builder
	next, written := 0, 0 // lines of the source read, lines of the result written
	copyTo := func(n int) error {
		if n < next || n > len(source) {
			return fmt.Errorf("a hunk begins at line %d of %d, after line %d", n, len(source), next)
		}
		for ; next < n; next, written = next+1, written+1 {
			out.WriteString(source[next])
		}
		return nil
	}
	for i := 2; i < len(lines) && lines[i] != ""; {
		var oldStart, oldCount, newStart, newCount int
		if _, err := fmt.Sscanf(lines[i], "@@ -%d,%d +%d,%d @@", &oldStart, &oldCount, &newStart, &newCount); err != nil {
			return "", fmt.Errorf("%q: %w", lines[i], err)
		}
		if oldCount > 0 {
			oldStart--
		}
		if newCount > 0 {
			newStart--
		}
		if err := copyTo(oldStart); err != nil {
			return "", err
		}
		if written != newStart {
			return "", fmt.Errorf("a hunk says line %d of the result, but %d lines are written", newStart, written)
		}
		for i++; oldCount > 0 || newCount > 0; i++ {
			op, text := lines[i][0], lines[i][1:]+"\n"
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				text = strings.TrimSuffix(text, "\n")
			}
			if op != '+' {
				if next >= len(source) || source[next] != text {
					return "", fmt.Errorf("line %d of the source is not %q", next+1, text)
				}
				next, oldCount = next+1, oldCount-1
			}
			if op != '-' {
				out.WriteString(text)
				written, newCount = written+1, newCount-1
			}
			if !strings.HasSuffix(text, "\n") {
				i++
			}
		}
	}
	err := copyTo(len(source))
	return out.String(), err
}
