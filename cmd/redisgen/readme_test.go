package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The output that the README shows for a mistake is what redisgen prints for that script.
func TestReadmeShowsRealFindings(t *testing.T) {
	readme := readDocument(t, "README.md")
	_, rest, found := strings.Cut(readme, "<!-- output of a broken header -->\n```\n")
	shown, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("the README shows no output of a broken header")
	}

	t.Chdir(t.TempDir())
	for path, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire github.com/redis/go-redis/v9 v9.19.0\n",
		"limits/unlock.lua": `-- Releases a lock, but only for its holder.
-- @script unlock
-- @version 1.0.0
-- @key lock string "lock:{<resource>}"
-- @arg token strng secret
`,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"generate", "./..."}, &stdout, &stderr); code != exitFindings || stdout.Len() > 0 {
		t.Errorf("exit code %d, and on stdout %q", code, stdout.String())
	}
	if stderr.String() != shown {
		t.Errorf("the README shows\n%s\nredisgen prints\n%s", shown, stderr.String())
	}
}

var (
	link   = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
	quoted = regexp.MustCompile("`([a-z]+(?:/[A-Za-z0-9_.-]+)+|[A-Za-z]+\\.md)`")
	fence  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// What the documents link to, and the files that they name, are there.
func TestDocumentsNameWhatExists(t *testing.T) {
	for _, name := range []string{"README.md", "ARCHITECTURE.md"} {
		text := fence.ReplaceAllString(readDocument(t, name), "")
		checked := 0
		for _, m := range append(link.FindAllStringSubmatch(text, -1), quoted.FindAllStringSubmatch(text, -1)...) {
			path := m[1]
			if strings.Contains(path, "://") {
				continue
			}
			checked++
			if !existsIn(path, repoRoot, filepath.Join(repoRoot, "example", "limits")) {
				t.Errorf("%s names %s, which does not exist", name, path)
			}
		}
		if checked < 3 {
			t.Errorf("%s names %d files", name, checked)
		}
	}
}

func existsIn(path string, folders ...string) bool {
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(path))); err == nil {
			return true
		}
	}
	return false
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repoRoot, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
