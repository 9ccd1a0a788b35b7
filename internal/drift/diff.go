package drift

import (
	"fmt"
	"strings"
)

// context is the number of equal lines that a diff shows around a change.
const context = 3

// maxDiffLines bounds the table of the comparison; a longer middle is shown as removed and added whole.
const maxDiffLines = 2000

// edit is a line of a diff: kept ' ', removed '-' or added '+'.
type edit struct {
	op   byte
	line string
}

// UnifiedDiff returns the changes from old to new in the unified format, or "" if there are none. Line ends are
// compared as LF.
func UnifiedDiff(oldName, newName string, old, new []byte) string {
	edits := diffLines(splitLines(string(lf(old))), splitLines(string(lf(new))))
	var b strings.Builder
	oldLine, newLine := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
		}
		start := max(0, i-context)
		end := hunkEnd(edits, i)
		oldCount, newCount := 0, 0
		var body strings.Builder
		for _, e := range edits[start:end] {
			if e.op != '+' {
				oldCount++
			}
			if e.op != '-' {
				newCount++
			}
			body.WriteByte(e.op)
			body.WriteString(e.line)
			if !strings.HasSuffix(e.line, "\n") {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		before := i - start
		fmt.Fprintf(&b, "@@ -%s +%s @@\n%s", lineRange(oldLine-before, oldCount), lineRange(newLine-before, newCount), body.String())
		oldLine, newLine = oldLine-before+oldCount, newLine-before+newCount
		i = end
	}
	return b.String()
}

// lineRange is "first,count"; an empty range names the line before it.
func lineRange(first, count int) string {
	if count == 0 {
		first--
	}
	return fmt.Sprintf("%d,%d", first, count)
}

// hunkEnd returns the end of the hunk that begins with the change at i: the context after the last change that is near
// enough to the one before it.
func hunkEnd(edits []edit, i int) int {
	last := i
	for j := i; j < len(edits) && j-last <= 2*context; j++ {
		if edits[j].op != ' ' {
			last = j
		}
	}
	return min(len(edits), last+1+context)
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diffLines finds a longest common subsequence of the lines between the common beginning and the common end.
func diffLines(old, new []string) []edit {
	var head, tail []edit
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		head = append(head, edit{' ', old[0]})
		old, new = old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		tail = append(tail, edit{' ', old[len(old)-1]})
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	edits := append(head, middle(old, new)...)
	for i := len(tail) - 1; i >= 0; i-- {
		edits = append(edits, tail[i])
	}
	return edits
}

func middle(old, new []string) []edit {
	var edits []edit
	i, j := 0, 0
	if len(old) <= maxDiffLines && len(new) <= maxDiffLines {
		length := commonLengths(old, new)
		for i < len(old) && j < len(new) {
			switch {
			case old[i] == new[j]:
				edits = append(edits, edit{' ', old[i]})
				i, j = i+1, j+1
			case length[i+1][j] >= length[i][j+1]:
				edits = append(edits, edit{'-', old[i]})
				i++
			default:
				edits = append(edits, edit{'+', new[j]})
				j++
			}
		}
	}
	for ; i < len(old); i++ {
		edits = append(edits, edit{'-', old[i]})
	}
	for ; j < len(new); j++ {
		edits = append(edits, edit{'+', new[j]})
	}
	return edits
}

// commonLengths returns the length of the longest common subsequence of old[i:] and new[j:] for all i and j.
func commonLengths(old, new []string) [][]int32 {
	length := make([][]int32, len(old)+1)
	for i := range length {
		length[i] = make([]int32, len(new)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	return length
}
