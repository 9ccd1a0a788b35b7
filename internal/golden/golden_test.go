// Package golden holds the cases of testdata/gen: a header in, Go out, and the generated Go against a real server.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/gen"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
	"github.com/redisgen/redisgen/redistest"
)

var update = flag.Bool("update", false, "rewrite the wanted files of the cases, and fail all the same")

const cases = "../../testdata/gen"

// golden is one case: Lua sources, the Go that is wanted for them, and Go tests that run with it.
type golden struct {
	name    string
	path    string
	archive *txtar.Archive
	sources []*diag.File
	tests   []txtar.File
	want    map[string][]byte
	files   []gen.File
}

// A case generates what it wants, byte for byte.
func TestGenerated(t *testing.T) {
	for _, c := range load(t) {
		t.Run(c.name, func(t *testing.T) {
			c.generate(t)
			got := map[string][]byte{}
			for _, f := range c.files {
				if strings.HasSuffix(f.Path, ".redisgen.go") {
					got[f.Path] = f.Data
				}
			}
			for path, data := range got {
				if !bytes.Equal(data, c.want[path]) {
					t.Errorf("%s differs from want/%s (go test ./internal/golden -update rewrites it)", path, path)
				}
			}
			for path := range c.want {
				if got[path] == nil {
					t.Errorf("want/%s was not generated", path)
				}
			}
			if *update && t.Failed() {
				c.rewrite(t, got)
			}
		})
	}
}

// The generated packages of all cases pass vet, their own golden tests, and the tests of the case on a server: what
// Lua sees in KEYS and ARGV, what Go makes of the reply.
func TestRoundTrip(t *testing.T) {
	dir := stage(t)
	goTool(t, dir, []string{"vet", "./..."})
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		server.RequireReal(t, "the replies of a real server")
		goTool(t, dir, []string{"test", "-count=1", "./..."},
			"CASE_REDIS_NETWORK="+server.Network, "CASE_REDIS_ADDR="+server.Addr, "CASE_PREFIX="+server.Prefix)
	})
}

// stage writes a module with the generated packages and the tests of all cases, and returns its folder.
func stage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeModule(t, dir)
	for _, c := range load(t) {
		c.generate(t)
		for _, f := range c.files {
			write(t, filepath.Join(dir, c.name, f.Path), f.Data)
		}
		for _, f := range c.tests {
			write(t, filepath.Join(dir, c.name, f.Name), f.Data)
		}
		write(t, filepath.Join(dir, c.name, "server_test.go"), support(t, c.name))
		if len(c.tests) == 0 {
			t.Errorf("%s has no test that runs on a server", c.path)
		}
	}
	return dir
}

// goTool runs the go command in a module.
func goTool(t *testing.T, dir string, args []string, env ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// support returns what the tests of the cases have in common.
func support(t *testing.T, packageName string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/server_test.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(text, []byte("PACKAGE"), []byte(packageName), 1)
}

func load(t *testing.T) []*golden {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", cases, err)
	}
	var all []*golden
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := &golden{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path, archive: archive, want: map[string][]byte{}}
		for _, f := range archive.Files {
			switch want, isWant := strings.CutPrefix(f.Name, "want/"); {
			case isWant:
				c.want[want] = f.Data
			case strings.HasSuffix(f.Name, "_test.go"):
				c.tests = append(c.tests, f)
			case strings.HasSuffix(f.Name, ".lua"):
				name, crlf := strings.CutPrefix(f.Name, "crlf/")
				text := string(f.Data)
				if crlf { // not in the case itself, where git or an editor might undo it
					text = strings.ReplaceAll(text, "\n", "\r\n")
				}
				c.sources = append(c.sources, diag.NewFile(name, text))
			default:
				t.Fatalf("%s: unexpected file %q; a Lua comment with dashes at both ends looks like a file name", path, f.Name)
			}
		}
		all = append(all, c)
	}
	return all
}

func (c *golden) generate(t *testing.T) {
	t.Helper()
	var sink diag.Sink
	var inputs []model.Input
	for _, file := range c.sources {
		tokens := lua.Scan(file, &sink)
		inputs = append(inputs, model.Input{Header: annotations.Parse(file, tokens, &sink), Bundle: bundle.Build(file, tokens)})
	}
	reserved, err := gen.SupportNames()
	if err != nil {
		t.Fatal(err)
	}
	p := model.Build(inputs, model.Config{Package: c.name, Folder: c.name, Reserved: reserved}, &sink)
	if sink.Errors() > 0 {
		var text bytes.Buffer
		_ = diag.WriteText(&text, sink.Findings(), false)
		t.Fatalf("%s:\n%s", c.path, text.String())
	}
	if c.files, err = gen.Package(p, "test"); err != nil {
		t.Fatal(err)
	}
}

// rewrite puts what was generated into the case.
func (c *golden) rewrite(t *testing.T, got map[string][]byte) {
	t.Helper()
	var files []txtar.File
	for _, f := range c.archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			files = append(files, f)
		}
	}
	for _, f := range c.files {
		if data := got[f.Path]; data != nil {
			files = append(files, txtar.File{Name: "want/" + f.Path, Data: data})
		}
	}
	c.archive.Files = files
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeModule makes a module that requires what a user's would.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), sum)
	write(t, filepath.Join(dir, "go.mod"), fmt.Appendf(nil, "module cases\n\ngo 1.24\n\nrequire github.com/redis/go-redis/v9 v9.19.0\n"))
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
