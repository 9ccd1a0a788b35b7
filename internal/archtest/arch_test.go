// Package archtest holds the tests of the workshop itself: who may import whom, what the module requires, how large a
// file may be.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const (
	root       = "../.."
	modulePath = "github.com/redisgen/redisgen"
)

// arrows is what a package may import.
type arrows struct{ ours, others []string }

var backquoted = regexp.MustCompile("`([^`]+)`")

// readArrows reads the table of ARCHITECTURE.md, which is the rule.
func readArrows(t *testing.T) map[string]arrows {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Arrows\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no section Arrows")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	names := func(cell string) []string {
		var all []string
		for _, m := range backquoted.FindAllStringSubmatch(cell, -1) {
			all = append(all, m[1])
		}
		if strings.TrimSpace(cell) == "all" {
			all = []string{"all"}
		}
		return all
	}
	table := map[string]arrows{}
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || len(names(cells[1])) != 1 {
			continue
		}
		table[names(cells[1])[0]] = arrows{names(cells[2]), names(cells[3])}
	}
	if len(table) < 10 {
		t.Fatalf("the table has %d rows", len(table))
	}
	return table
}

// walk calls f for the files that belong to the repository's own source: no hidden folders, and no module but this one.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (nested == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci") {
				return fs.SkipDir
			}
			return nil
		}
		f(filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestArrows(t *testing.T) {
	table := readArrows(t)
	seen := map[string]bool{}
	walk(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		seen[pkg] = true
		allowed, known := table[pkg]
		if !known {
			t.Errorf("%s: the package is not in the table of ARCHITECTURE.md", path)
			return
		}
		for _, imported := range imports(t, path) {
			if ours, isOurs := strings.CutPrefix(imported, modulePath+"/"); isOurs {
				if !slices.Contains(allowed.ours, ours) && !slices.Contains(allowed.ours, "all") {
					t.Errorf("%s: %s may not import %s", path, pkg, ours)
				}
				continue
			}
			isModule := func(module string) bool {
				return imported == module || strings.HasPrefix(imported, module+"/")
			}
			if strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") && !slices.ContainsFunc(allowed.others, isModule) {
				t.Errorf("%s: %s may not import %s", path, pkg, imported)
			}
		}
	})
	for pkg := range table {
		if !seen[pkg] {
			t.Errorf("ARCHITECTURE.md lists %s, which does not exist", pkg)
		}
	}
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, imported)
	}
	return all
}

// The floors: adding the tool to a service must not raise its Go or its client.
func TestFloors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if mod.Module.Mod.Path != modulePath {
		t.Errorf("the module is %s", mod.Module.Mod.Path)
	}
	if mod.Go.Version != "1.24.0" && mod.Go.Version != "1.24" || mod.Toolchain != nil {
		t.Errorf("go.mod wants go %s, toolchain %v", mod.Go.Version, mod.Toolchain)
	}
	want := map[string]string{
		"github.com/redis/go-redis/v9":     "v9.19.0",
		"github.com/dave/jennifer":         "v1.7.1",
		"github.com/yuin/gopher-lua":       "v1.1.2",
		"github.com/alicebob/miniredis/v2": "v2.40.0",
		"github.com/rogpeppe/go-internal":  "v1.14.1",
		"golang.org/x/mod":                 "v0.33.0",
		"golang.org/x/tools":               "v0.42.0",
		"github.com/spf13/cobra":           "v1.10.2",
		"go.yaml.in/yaml/v3":               "v3.0.4",
	}
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		if want[r.Mod.Path] != r.Mod.Version {
			t.Errorf("go.mod requires %s %s, want %q", r.Mod.Path, r.Mod.Version, want[r.Mod.Path])
		}
		delete(want, r.Mod.Path)
	}
	for path := range want {
		t.Errorf("go.mod does not require %s directly", path)
	}
}

func TestSizesAndNames(t *testing.T) {
	walk(t, func(path string) {
		for _, folder := range strings.Split(filepath.Dir(path), "/") {
			if slices.Contains([]string{"util", "utils", "common", "helpers", "helper", "misc"}, folder) {
				t.Errorf("%s: the folder's name says nothing", path)
			}
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		data, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(data), "\n"); lines > 400 && !strings.HasPrefix(string(data), "// Code generated") {
			t.Errorf("%s has %d lines", path, lines)
		}
	})
}
