package archtest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// machinePath finds paths that exist on somebody's machine only: a home folder, root's, or a checkout of its own below the
// root of the file system. It is put together, so that it does not find itself.
var machinePath = regexp.MustCompile(`(?:^|[\s"'=(:` + "`" + `])/(?:` + strings.Join([]string{"home/[a-z]", "Users/[A-Za-z]", "root/", "work/", "tmp/brief"}, "|") + `)`)

// What is written for everyone must not lead to one machine.
func TestNoMachinePaths(t *testing.T) {
	for text, want := range map[string]bool{
		"see `/" + "work/x`": true, "cd /" + "root/go": true, "/" + "home/me/x": true,
		"example/work/x": false, "https://example.com/" + "home/me": false, "/tmp/redistest-1": false,
	} {
		if machinePath.MatchString(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
	for _, path := range published(t) {
		data, err := os.ReadFile(filepath.Join(root, path))
		if errors.Is(err, fs.ErrNotExist) { // deleted, and the deletion not committed
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if found := machinePath.FindString(line); found != "" {
				t.Errorf("%s:%d: a path of one machine: %s", path, i+1, strings.TrimSpace(found))
			}
		}
	}
}

// published lists the files that git knows, which leaves out what an editor keeps beside them. Without git, in an archive
// of the source, it lists all.
func published(t *testing.T) []string {
	t.Helper()
	git := exec.Command("git", "ls-files", "-z")
	git.Dir = root
	if out, err := git.Output(); err == nil && len(out) > 0 {
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, strings.TrimPrefix(path, root+string(filepath.Separator)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
