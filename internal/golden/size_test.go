package golden

import (
	"strings"
	"testing"
)

// budget is how many lines of code the support code of one package may have, without comments and blank lines: people
// read it.
const budget = 1000

// The support code of no case is larger than the budget, and each file of it has a bound of its own.
func TestSupportSize(t *testing.T) {
	for _, c := range load(t) {
		c.generate(t)
		lines := 0
		for _, f := range c.files {
			if !strings.HasPrefix(f.Path, "redisgen") || !strings.HasSuffix(f.Path, ".go") || strings.HasSuffix(f.Path, "_test.go") {
				continue
			}
			n := 0
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
					n++
				}
			}
			lines += n
			t.Logf("%s: %s has %d lines", c.name, f.Path, n)
		}
		t.Logf("%s: %d lines", c.name, lines)
		if lines > budget {
			t.Errorf("%s: the support code has %d lines of code", c.name, lines)
		}
	}
}
