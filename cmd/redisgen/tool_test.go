package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// A service that has the oldest go-redis and Go that we support keeps both when it adds redisgen as a tool, and go
// generate writes a package that builds and passes its tests.
func TestToolOfAnotherModule(t *testing.T) {
	root, err := filepath.Abs(repoRoot)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for path, data := range map[string]string{
		"go.mod":     "module example.com/shop\n\ngo 1.24\n\nrequire github.com/redis/go-redis/v9 v9.19.0\n",
		"go.sum":     string(sum),
		"main.go":    "package main\n\nimport _ \"example.com/shop/locks\"\n\nfunc main() {}\n",
		"locks/l.go": "// Package locks holds scripts.\npackage locks\n\n//go:generate go tool redisgen generate\n",
		"locks/unlock.lua": "-- @script unlock\n-- @version 1.0.0\n-- @key lock string \"lock:{<resource>}\"\n-- @arg token string\n" +
			"-- @code 1 released\n-- @code 0 not_held\n\nreturn 0\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), offlineGo(t)...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
		}
		return stdout.String()
	}

	const path = "github.com/redisgen/redisgen"
	run("go", "mod", "edit", "-require="+path+"@v0.0.0", "-replace="+path+"="+root)
	run("go", "get", "-tool", path+"/cmd/redisgen")
	run("go", "generate", "./...")
	run("go", "vet", "./...")
	run("go", "build", "./...")
	if out := run("go", "test", "./..."); !strings.Contains(out, "ok  \texample.com/shop/locks") {
		t.Errorf("the generated tests did not run:\n%s", out)
	}
	run("go", "tool", "redisgen", "check", "./...")
	if out := run("go", "tool", "redisgen", "version"); out != "redisgen devel\n" {
		t.Errorf("the version of an unreleased tool is %q", out)
	}

	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 1.24 becomes 1.24.0, which is what the modules that redisgen uses say; it must not become more.
	if mod.Go.Version != "1.24.0" || mod.Toolchain != nil {
		t.Errorf("go.mod now says\n%s", data)
	}
	const client = "github.com/redis/go-redis/v9"
	if got := run("go", "list", "-m", client); got != fmt.Sprintf("%s %s\n", client, "v9.19.0") {
		t.Errorf("the module now builds with %s", got)
	}
}
