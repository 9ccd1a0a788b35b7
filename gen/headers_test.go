package gen_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/gen"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
)

var (
	headerCount = flag.Int("headers", 150, "how many random headers TestRandomHeaders makes")
	headerSeed  = flag.Uint64("seed", 1, "the seed of TestRandomHeaders")
)

// generate runs the whole pipeline; it returns nil if the headers have mistakes.
func generate(t testing.TB, packageName string, scripts ...[2]string) []gen.File {
	t.Helper()
	var sink diag.Sink
	var inputs []model.Input
	for _, s := range scripts {
		file := diag.NewFile(s[0], s[1])
		tokens := lua.Scan(file, &sink)
		inputs = append(inputs, model.Input{Header: annotations.Parse(file, tokens, &sink), Bundle: bundle.Build(file, tokens)})
	}
	reserved, err := gen.SupportNames()
	if err != nil {
		t.Fatal(err)
	}
	p := model.Build(inputs, model.Config{Package: packageName, Reserved: reserved}, &sink)
	if sink.Errors() > 0 {
		return nil
	}
	files, err := gen.Package(p, "test")
	if err != nil {
		t.Fatalf("%v\n%s", err, scripts)
	}
	return files
}

// checkFiles type-checks the Go files, tests included, and holds them to gofmt.
func checkFiles(files []gen.File) error {
	fset := token.NewFileSet()
	var trees []*ast.File
	for _, f := range files {
		if !strings.HasSuffix(f.Path, ".go") {
			continue
		}
		formatted, err := format.Source(f.Data)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if !bytes.Equal(formatted, f.Data) {
			return fmt.Errorf("%s is not as gofmt writes it:\n%s", f.Path, f.Data)
		}
		tree, err := parser.ParseFile(fset, f.Path, f.Data, parser.ParseComments)
		if err != nil {
			return err
		}
		trees = append(trees, tree)
	}
	packages, err := compiled()
	if err != nil {
		return err
	}
	var all []string
	config := types.Config{
		GoVersion: "go1.24",
		Importer:  packages,
		Error:     func(err error) { all = append(all, err.Error()) },
	}
	_, _ = config.Check("random", fset, trees, nil) // the errors are in all
	if len(all) > 0 {
		return fmt.Errorf("%s", strings.Join(all, "\n"))
	}
	return nil
}

// compiled imports the packages that generated code uses, each once.
var compiled = sync.OnceValues(func() (types.Importer, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "github.com/redis/go-redis/v9", "testing",
		"crypto/sha1", "encoding/hex", "slices", "reflect", "embed", "math", "strconv", "errors", "os", "time", "context", "log/slog", "regexp"}
	out, err := exec.Command("go", args...).Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return importer.ForCompiler(token.NewFileSet(), "gc", open), err
})

// A header without errors gives Go that compiles, whatever is in it. The scripts that were generated then run their own
// tests together.
func TestRandomHeaders(t *testing.T) {
	random := rand.New(rand.NewPCG(*headerSeed, 0))
	var good [][2]string
	for i := range *headerCount {
		data := make([]byte, 20+random.IntN(180))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		name, text := header(data)
		files := generate(t, "random", [2]string{name, text})
		if files == nil {
			continue
		}
		if err := checkFiles(files); err != nil {
			t.Fatalf("header %d: %v\n%s", i, err, text)
		}
		good = append(good, [2]string{name, rename(text, fmt.Sprintf("s%d", i))})
	}
	if len(good) < *headerCount/50 {
		t.Fatalf("only %d of %d headers had no mistake", len(good), *headerCount)
	}
	t.Logf("%d of %d headers had no mistake", len(good), *headerCount)
	runTests(t, good)
}

// rename gives the script in a header another name.
func rename(text, name string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "-- @version") {
			line += "-- @script " + name + "\n"
		}
		if !strings.HasPrefix(line, "-- @script") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// runTests vets and tests a package of all the scripts in a module of its own.
func runTests(t *testing.T, scripts [][2]string) {
	files := generate(t, "random", scripts...)
	if files == nil {
		t.Fatal("together the scripts have mistakes")
	}
	dir := t.TempDir()
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	mod := []byte("module random\n\ngo 1.24\n\nrequire github.com/redis/go-redis/v9 v9.19.0\n")
	files = append(files, gen.File{Path: "go.sum", Data: sum}, gen.File{Path: "go.mod", Data: mod})
	for _, f := range files {
		path := filepath.Join(dir, f.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "REDISGEN_REDIS_ADDR=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// More values than a byte counts, each with a number of its own.
func TestManyValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("-- @script many\n-- @arg a enum e\n-- @enum e int\n")
	for i := range 300 {
		fmt.Fprintf(&text, "-- @value v%d %d\n-- @code %d c%d\n", i, i, i, i)
	}
	files := generate(t, "many", [2]string{"many.lua", text.String()})
	if files == nil {
		t.Fatal("the header has mistakes")
	}
	if err := checkFiles(files); err != nil {
		t.Fatal(err)
	}
}

// FuzzHeader lets the fuzzer write headers.
func FuzzHeader(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Add(bytes.Repeat([]byte{7, 1, 3}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		name, text := header(data)
		if files := generate(t, "random", [2]string{name, text}); files != nil {
			if err := checkFiles(files); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	})
}
