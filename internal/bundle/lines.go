package bundle

import (
	"sort"
	"strings"

	"github.com/redisgen/redisgen/internal/diag"
)

// Origin returns where a line of the bundle comes from, both lines counted from 1; nil and 0 for the generated line and
// for a line that the bundle does not have.
func (b *Bundle) Origin(line int) (file *diag.File, sourceLine int) {
	if line < 1 || line > b.lineCount() {
		return nil, 0
	}
	i := sort.Search(len(b.Lines), func(i int) bool { return b.Lines[i].Line > line }) - 1
	if i < 0 || b.Lines[i].File == nil {
		return nil, 0
	}
	run := b.Lines[i]
	return run.File, run.Source + line - run.Line
}

// LineOf returns the first line of the bundle that comes from the line of the file; 0 if none does.
func (b *Bundle) LineOf(file *diag.File, sourceLine int) int {
	for i, run := range b.Lines {
		end := b.lineCount() + 1
		if i+1 < len(b.Lines) {
			end = b.Lines[i+1].Line
		}
		if line := run.Line + sourceLine - run.Source; file != nil && run.File == file && run.Line <= line && line < end {
			return line
		}
	}
	return 0
}

func (b *Bundle) lineCount() int { return strings.Count(b.Text, "\n") }
