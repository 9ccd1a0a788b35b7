package model_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/gen"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
)

// headers are the cases: a remark below an offending line says which findings that line has.
const headers = "../../testdata/header"

var (
	wantLine = regexp.MustCompile(`^[\s*-]*want: (.*)$`)
	wantOne  = regexp.MustCompile(`^(RG\d{3}) "([^"]*)"\s*`)
)

// want is one finding that a case says it has.
type want struct {
	line int
	id   string
	part string // of the message
}

func (w want) String() string { return fmt.Sprintf("line %d: %s %q", w.line, w.id, w.part) }

// wants reads the remarks of a case. A remark speaks of the nearest line above it that is none.
func wants(t *testing.T, file *diag.File) []want {
	t.Helper()
	var all []want
	line := 0
	for i, text := range strings.Split(file.Text, "\n") {
		m := wantLine.FindStringSubmatch(strings.TrimSuffix(text, "\r"))
		if m == nil {
			line = i + 1
			continue
		}
		rest := m[1]
		for rest != "" {
			one := wantOne.FindStringSubmatch(rest)
			if one == nil {
				t.Fatalf("%s:%d: can't read %q", file.Name, i+1, rest)
			}
			all = append(all, want{line, one[1], one[2]})
			rest = rest[len(one[0]):]
		}
	}
	return all
}

// build runs the stages up to the model, with the names that generated code takes.
func build(t *testing.T, config model.Config, files ...*diag.File) (*model.Package, *diag.Sink) {
	t.Helper()
	sink := &diag.Sink{}
	var inputs []model.Input
	for _, file := range files {
		tokens := lua.Scan(file, sink)
		inputs = append(inputs, model.Input{Header: annotations.Parse(file, tokens, sink), Bundle: bundle.Build(file, tokens)})
	}
	reserved, err := gen.SupportNames()
	if err != nil {
		t.Fatal(err)
	}
	config.Reserved = reserved
	return model.Build(inputs, config, sink), sink
}

func cases(t *testing.T) []*diag.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(headers, "*.lua"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", headers, err)
	}
	var files []*diag.File
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, diag.NewFile(filepath.Base(path), string(text)))
	}
	return files
}

// Each case has the findings that it says it has, each with a hint, and no other errors and warnings.
func TestHeaders(t *testing.T) {
	for _, file := range cases(t) {
		t.Run(file.Name, func(t *testing.T) {
			expected := wants(t, file)
			_, sink := build(t, model.Config{Folder: "cases"}, file)
			for _, f := range sink.Findings() {
				line, column := f.Span.Position()
				if f.Hint == "" {
					t.Errorf("%d:%d: %s %q has no hint", line, column, f.Kind.ID, f.Message)
				}
				found := -1
				for i, w := range expected {
					if w.line == line && w.id == f.Kind.ID && strings.Contains(f.Message, w.part) {
						found = i
					}
				}
				switch {
				case found >= 0:
					expected = append(expected[:found], expected[found+1:]...)
				case f.Kind.Severity != diag.Info:
					t.Errorf("%d:%d: unexpected %s %q, hint %q", line, column, f.Kind.ID, f.Message, f.Hint)
				}
			}
			for _, w := range expected {
				t.Errorf("missing: %s", w)
			}
		})
	}
}

// Every kind of finding about headers has a case; those about packages and modules have a test in Go.
func TestEveryKindHasACase(t *testing.T) {
	inGo := map[*diag.Kind]bool{model.NoPackageName: true, model.NoClient: true, model.OldClient: true}
	seen := map[string]bool{}
	for _, file := range cases(t) {
		for _, w := range wants(t, file) {
			seen[w.id] = true
		}
	}
	ids := map[string]string{}
	for _, kind := range append(append([]*diag.Kind{}, annotations.Kinds...), model.Kinds...) {
		if !seen[kind.ID] && !inGo[kind] {
			t.Errorf("no file in %s has a %s (%s)", headers, kind.ID, kind.Name)
		}
		if other := ids[kind.ID]; other != "" {
			t.Errorf("%s is both %s and %s", kind.ID, other, kind.Name)
		}
		ids[kind.ID] = kind.Name
	}
}
