package model_test

import (
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
)

// Names and values that would give Go code that does not compile, or keys in another hash slot.
func TestReserved(t *testing.T) {
	for _, test := range []struct {
		name, text string
		id         string // of the only error; empty for none
		word       string // in its message
	}{
		{"load.lua", "-- @version 1.0.0\n", "RG204", "the method Load"},
		{"x.lua", "-- @script infos\n-- @version 1.0.0\n", "RG204", "the method Infos"},
		{"loader.lua", "-- @version 1.0.0\n", "", ""},
		{"sliding_windows.lua", "-- @version 1.0.0\n", "", ""},
		{"x.lua", "-- @version 1.0.0\n-- @key k hash \"k:{<mode>}\"\n-- @arg mode enum mode\n-- @enum mode string\n-- @value a \"a}b\"\n", "RG210", `"a}b"`},
		{"x.lua", "-- @version 1.0.0\n-- @key k hash \"k:<mode>:{x}\"\n-- @arg mode enum mode\n-- @enum mode string\n-- @value a \"\"\n", "RG210", `""`},
		{"x.lua", "-- @version 1.0.0\n-- @key k hash \"k:{x}:<mode>\"\n-- @arg mode enum mode\n-- @enum mode string\n-- @value a \"a}b\"\n", "", ""},
	} {
		var sink diag.Sink
		file := diag.NewFile(test.name, test.text+"return 1\n")
		tokens := lua.Scan(file, &sink)
		model.Build([]model.Input{{Header: annotations.Parse(file, tokens, &sink), Bundle: bundle.Build(file, tokens)}}, model.Config{Folder: "p"}, &sink)
		var errors []string
		for _, f := range sink.Findings() {
			if f.Kind.Severity == diag.Error {
				errors = append(errors, f.Kind.ID+" "+f.Message)
			}
		}
		if test.id == "" && len(errors) == 0 {
			continue
		}
		if len(errors) != 1 || test.id == "" || !strings.HasPrefix(errors[0], test.id) || !strings.Contains(errors[0], test.word) {
			t.Errorf("%s, %q: got %q, want %s with %q", test.name, test.text, errors, test.id, test.word)
		}
	}
}

// What a header says over several lines is one line elsewhere.
func TestReturnText(t *testing.T) {
	for _, text := range []string{
		"-- @version 1.0.0\n-- @return {a int,\n--    b   string?(\"--\")}\n",
		"-- @version 1.0.0\r\n-- @return {a int,\r\n--    b   string?(\"--\")}\r\n",
		"--[[\n  @version 1.0.0\n  @return {a int,\n     b string?(\"--\")}\n]]\n",
	} {
		var sink diag.Sink
		file := diag.NewFile("x.lua", text+"return 1\n")
		tokens := lua.Scan(file, &sink)
		p := model.Build([]model.Input{{Header: annotations.Parse(file, tokens, &sink), Bundle: bundle.Build(file, tokens)}}, model.Config{Folder: "p"}, &sink)
		if got, want := p.Scripts[0].Result.Text, `{a int, b string?("--")}`; got != want || sink.Errors() > 0 {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
