package diag

import "strings"

// Nearest returns the known word that a person most likely meant by the word, or "" if none is near: upper and lower
// case aside, one letter of three may be wrong, missing, too many or swapped with its neighbour, at least one and at
// most three. Of words equally near the first one wins.
func Nearest(word string, known []string) string {
	typed := []rune(strings.ToLower(word))
	limit := min(max(len(typed)/3, 1), 3)
	nearest := ""
	for _, k := range known {
		candidate := []rune(strings.ToLower(k))
		shorter := min(len(typed), len(candidate))
		if len(typed)+len(candidate) > 2*shorter+limit {
			continue
		}
		// At a distance as large as the shorter word nothing of it is left.
		if d := distance(typed, candidate); d <= limit && d < max(shorter, 1) && k != "" {
			nearest, limit = k, d-1
		}
	}
	return nearest
}

// distance is the number of letters to insert, delete, replace or swap with a neighbour that make b of a; no letter is
// changed twice.
func distance(a, b []rune) int {
	var before []int // the row above the last one
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
