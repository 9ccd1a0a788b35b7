package gen

import (
	"go/build"
	"io"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/internal/model"
)

// Go builds the file of a script everywhere, whatever the script is called. The go command itself is asked.
func TestScriptPath(t *testing.T) {
	anywhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "none", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	if match, err := anywhere.MatchFile("", "sliding_windows.redisgen.go"); match || err != nil {
		t.Fatalf("sliding_windows.redisgen.go is built anywhere: %v, %v", match, err)
	}
	for name, want := range map[string]string{
		"sliding_window":     "sliding_window.redisgen.go",
		"windows":            "windows.redisgen.go",
		"sliding_windows":    "sliding_windows-script.redisgen.go",
		"check_linux_test":   "check_linux_test-script.redisgen.go",
		"lock_linux_arm64":   "lock_linux_arm64-script.redisgen.go",
		"lock_test":          "lock_test.redisgen.go",
		"count_wasm":         "count_wasm-script.redisgen.go",
		"windows_and_linux_": "windows_and_linux_.redisgen.go",
	} {
		path := ScriptPath(&model.Script{Name: name})
		if path != want {
			t.Errorf("%s: got %s, want %s", name, path, want)
		}
		if match, err := anywhere.MatchFile("", path); !match || err != nil {
			t.Errorf("%s is not built everywhere: %v", path, err)
		}
	}
}
