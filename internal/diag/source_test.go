package diag

import "testing"

func TestPosition(t *testing.T) {
	f := NewFile("a.lua", "ab\n\r\né\tx")
	for _, test := range []struct{ offset, line, column int }{
		{-1, 1, 1}, {0, 1, 1}, {1, 1, 2}, {2, 1, 3}, // the line end belongs to its line
		{3, 2, 1}, {4, 2, 2},
		{5, 3, 1}, {7, 3, 3}, {8, 3, 4}, {9, 3, 5}, // bytes, not characters
		{99, 3, 5},
	} {
		if line, column := f.Position(test.offset); line != test.line || column != test.column {
			t.Errorf("offset %d is %d:%d, want %d:%d", test.offset, line, column, test.line, test.column)
		}
	}
	if line, column := NewFile("", "").Position(0); line != 1 || column != 1 {
		t.Errorf("the start of an empty file is %d:%d", line, column)
	}
	if line, column := NewFile("", "a\n").Position(2); line != 2 || column != 1 {
		t.Errorf("the end of a closed line is %d:%d", line, column)
	}
}

func TestLine(t *testing.T) {
	f := NewFile("a.lua", "ab\n\r\nc\rd\r\n")
	for n, want := range []string{"", "ab", "", "c\rd", "", ""} {
		if got := f.Line(n); got != want {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
	if got := f.Line(-1); got != "" {
		t.Errorf("line -1 is %q", got)
	}
}

func TestSpan(t *testing.T) {
	f := NewFile("dir/a.lua", "one\ntwo three\n")
	two, three := f.Span(4, 7), f.Span(8, 13)
	if two.Text() != "two" || two.String() != "dir/a.lua:2:1" || !two.IsValid() {
		t.Errorf("%s %q", two, two.Text())
	}
	if both := two.To(three); both.Text() != "two three" {
		t.Errorf("from two to three is %q", both.Text())
	}

	var nowhere Span
	if line, column := nowhere.Position(); line != 0 || column != 0 || nowhere.IsValid() || nowhere.Text() != "" || nowhere.String() != "?" {
		t.Errorf("nowhere is %s at %d:%d", nowhere, line, column)
	}
}
