package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/redistest"
)

var block = regexp.MustCompile("(?s)<!-- (from|output of) ([^\n]*) -->\n```[a-z]*\n(.*?)```")

// What the README shows is what the example is: its lines stand in the named file, and its output is the program's.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, m := range block.FindAllStringSubmatch(string(readme), -1) {
		verb, what, text := m[1], m[2], m[3]
		switch {
		case verb == "from":
			file, err := os.ReadFile("../" + what)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(file), text) {
				t.Errorf("README.md shows lines that %s does not have:\n%s", what, text)
			}
			shown["from"]++
		case what == "the example":
			redistest.Matrix(t, func(t *testing.T, s *redistest.Server) {
				if out := output(t, s); out != text {
					t.Errorf("README.md shows\n%sthe example prints\n%s", text, out)
				}
			})
			shown["output"]++
		}
	}
	if shown["from"] < 3 || shown["output"] != 1 {
		t.Errorf("the README shows %d pieces of files and %d outputs", shown["from"], shown["output"])
	}
}

// output is what the example prints on the server.
func output(t *testing.T, s *redistest.Server) string {
	t.Helper()
	if !s.Foreign() && !s.Embedded() { // else it finds the server, or one of its kind, by itself
		t.Setenv(redistest.EnvAddr, "unix://"+s.Addr)
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
