package diag

import (
	"fmt"
	"sort"
	"strings"
)

// File is the text of one source file and the name under which findings show it.
type File struct {
	Name string // as shown to the user, with forward slashes
	Text string

	lines []int // the offset at which each line starts
}

// NewFile returns a file with its line table.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Position returns the line and the column of a byte offset, both counted from 1. The column counts bytes, as Go's
// tools do. An offset past the end is taken as the end.
func (f *File) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(f.Text))
	i := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	return i + 1, offset - f.lines[i] + 1
}

// Line returns the text of line n, counted from 1, without its line end; "" if there is no such line.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	rest := f.Text[f.lines[n-1]:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return strings.TrimSuffix(rest, "\r")
}

// Span returns the span [start, end) of the file.
func (f *File) Span(start, end int) Span { return Span{File: f, Start: start, End: end} }

// Span is a piece of a file: the bytes [Start, End). The zero Span is "nowhere" and prints as "?".
type Span struct {
	File       *File
	Start, End int
}

// IsValid reports whether the span points into a file.
func (s Span) IsValid() bool { return s.File != nil }

// Text returns the text that the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// Position returns the line and the column of the span's start, counted from 1; 0, 0 for an invalid span.
func (s Span) Position() (line, column int) {
	if s.File == nil {
		return 0, 0
	}
	return s.File.Position(s.Start)
}

// String returns "file:line:column", or "?" for an invalid span.
func (s Span) String() string {
	if s.File == nil {
		return "?"
	}
	line, column := s.File.Position(s.Start)
	return fmt.Sprintf("%s:%d:%d", s.File.Name, line, column)
}

// To returns the span from the start of s to the end of t; both must be of one file.
func (s Span) To(t Span) Span { return Span{File: s.File, Start: s.Start, End: t.End} }
