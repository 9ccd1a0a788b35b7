package main

import (
	"testing"

	"github.com/redisgen/redisgen/internal/diag"
)

// Whatever a configuration holds: no panic, findings with a place in it, and settings that can be used.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		"package: limits\ninitialisms: [DB, sku]\n", "package: 'a\n", "- a\n", "größe: 1\n\"ä\": ü\n", "a: &x [1]\nb: *x\n",
		"initialisms: {a: b}\n", "package: !!binary aGk=\n", "? [a]\n: b\n", "%YAML 1.1\n---\npackage: x\n...\n---\n", "\ufeffpackage: x\r\n",
		"a:\n- b\n c", "package: a\npackage: b", "<<: {package: x}\n", "package: |\n  x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s settings
		var sink diag.Sink
		s.read(diag.NewFile(configName, text), &sink)
		for _, finding := range sink.Findings() {
			span := finding.Span
			if span.Start < 0 || span.Start > span.End || span.End > len(text) || finding.Message == "" || finding.Hint == "" {
				t.Errorf("%+v", finding)
			}
		}
		if s.packageName != "" && !isPackageName(s.packageName) {
			t.Errorf("package %q", s.packageName)
		}
		for _, word := range s.initialisms {
			if !initialism.MatchString(word) {
				t.Errorf("initialism %q", word)
			}
		}
	})
}

// The line that a YAML error names is the one with the mistake, whichever part of the library finds it.
func TestYAMLErrorLines(t *testing.T) {
	for _, test := range []struct {
		text string
		line int
	}{
		{"package: [a\n", 1},
		{"# a\npackage: [a\n", 2},
		{"# a\n\npackage: 'a\n", 3},
		{"package: a\n  b: c\n", 2},
		{"package: a\n- b\n", 2},
		{"package: a\n\tb: c\n", 2},
		{"initialisms:\n  - a\n b\n", 3},
		{"package: *nowhere\n", 1},
	} {
		var s settings
		var sink diag.Sink
		s.read(diag.NewFile(configName, test.text), &sink)
		findings := sink.Findings()
		if len(findings) != 1 {
			t.Errorf("%q: %d findings", test.text, len(findings))
			continue
		}
		if line, _ := findings[0].Span.Position(); line != test.line {
			t.Errorf("%q: %s: %s, want line %d", test.text, findings[0].Span, findings[0].Message, test.line)
		}
	}
}
