package golden

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/redisgen/redisgen/redistest"
)

// broken are the scripts that a server is meant to refuse, and why.
var broken = map[string]string{
	"testdata/script/header.txtar: broken/both.lua": "unfinished string",
}

// Every .lua file of the repository, in folders and in cases, is compiled by a server, which accepts all but the broken
// ones.
func TestEveryScriptCompiles(t *testing.T) {
	scripts := everyScript(t)
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		server.RequireReal(t, "the compiler of a real server")
		for name, text := range scripts {
			err := server.Client.ScriptLoad(t.Context(), text).Err()
			switch want := broken[name]; {
			case want == "" && err != nil:
				t.Errorf("%s: %v", name, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: got %v, want %q", name, err, want)
			}
		}
	})
	for name := range broken {
		if _, there := scripts[name]; !there {
			t.Errorf("%s is not there any more", name)
		}
	}
	if len(scripts) < 10 {
		t.Errorf("only %d scripts were found", len(scripts))
	}
	t.Logf("%d scripts", len(scripts))
}

func everyScript(t *testing.T) map[string]string {
	t.Helper()
	scripts := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); strings.HasPrefix(name, ".") && name != ".." && name != "." || name == "fuzz" {
				return fs.SkipDir
			}
			return nil
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch filepath.Ext(path) {
		case ".lua":
			data, err := os.ReadFile(path)
			scripts[name] = string(data)
			return err
		case ".txtar":
			archive, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".lua") {
					scripts[name+": "+f.Name] = string(f.Data)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}
