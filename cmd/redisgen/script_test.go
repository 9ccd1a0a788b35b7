package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare output with, and fail all the same")

const repoRoot = "../.."

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"redisgen": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// The scripts use redisgen as a user does, in a folder of their own. They see nothing of the network: what the go
// command needs is what this module needs, too.
func TestScripts(t *testing.T) {
	sum, err := filepath.Abs(filepath.Join(repoRoot, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(repoRoot, "testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, offlineGo(t)...)
			env.Setenv("GOSUM", sum)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"crlf":      crlf,
			"stamp":     stamp,
			"untouched": untouched,
			"replace":   replace,
		},
	})
	if *update {
		t.Error("the scripts are rewritten: read them")
	}
}

// offlineGo is an environment in which the go command uses the caches of this machine and nothing else.
func offlineGo(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Split(strings.TrimSpace(string(out)), "\n")
	return []string{
		"GOCACHE=" + strings.TrimSpace(caches[0]), "GOMODCACHE=" + strings.TrimSpace(caches[1]),
		"GOFLAGS=-mod=mod", "GOPROXY=off", "GONOSUMDB=*", "GOTOOLCHAIN=local", "GOWORK=off", "GOENV=off",
	}
}

// exits runs a command and compares its exit code: "exits 2 redisgen chekc".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [argument...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// crlf gives files the line ends of a checkout on Windows.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		data := []byte(ts.ReadFile(name))
		if neg || len(data) == 0 || bytes.Contains(data, []byte("\r\n")) {
			ts.Fatalf("%s has no line ends to convert", name)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), 0o644))
	}
}

// replace replaces the one occurrence of a text in a file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace old new file")
	}
	old := ts.ReadFile(args[2])
	if strings.Count(old, args[0]) != 1 {
		ts.Fatalf("%s holds %q %d times", args[2], args[0], strings.Count(old, args[0]))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Replace(old, args[0], args[1], 1)), 0o644))
}

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// stamp sets the time of all files below a folder to one in the past, for untouched to look at.
func stamp(ts *testscript.TestScript, neg bool, args []string) {
	for _, path := range filesBelow(ts, neg, args) {
		ts.Check(os.Chtimes(path, longAgo, longAgo))
	}
}

// untouched fails if a file below a folder is new, or was written since stamp.
func untouched(ts *testscript.TestScript, neg bool, args []string) {
	for _, path := range filesBelow(ts, neg, args) {
		info, err := os.Lstat(path)
		ts.Check(err)
		if !info.ModTime().Equal(longAgo) {
			ts.Fatalf("%s was written", path)
		}
	}
}

func filesBelow(ts *testscript.TestScript, neg bool, args []string) []string {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: (stamp | untouched) folder")
	}
	var all []string
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	}))
	if len(all) == 0 {
		ts.Fatalf("there is no file below %s", args[0])
	}
	return all
}
