package annotations_test

import (
	"strings"
	"testing"
)

// TestHugeHeaders reads half a megabyte of what could take a parser long: with one that is not linear it never ends.
func TestHugeHeaders(t *testing.T) {
	for name, c := range map[string][3]string{
		"tags":              {"", "-- @arg a int?(1) min=1 # x\n"},
		"one line":          {"-- @arg a int", " min=1"},
		"continuation":      {"-- @owner a\n", "--    \"b\n"},
		"comments":          {"", "--[[]]"},
		"block":             {"--[[", "@owner \"\n"},
		"spaces":            {"-- @key a string \"", " ", `"`},
		"brackets":          {"-- @return ", "["},
		"lists":             {"-- @return ", "[]"},
		"braces":            {"-- @return ", "{a "},
		"parens":            {"-- @return ", "("},
		"questions":         {"-- @return int", "?"},
		"fields":            {"-- @return {a int", ", b [c"},
		"words":             {"-- @key a string", " a"},
		"equals":            {"-- @key a string", " ="},
		"quotes":            {"-- @key a string ", `"`},
		"backslashes":       {`-- @key a string "`, `\`, `"`},
		"bad escapes":       {`-- @key a string "x" absent="`, `\q`, `"`},
		"templates":         {`-- @key a string "`, "<a", `"`},
		"tags of templates": {`-- @key a string "`, "{}", `"`},
		"name":              {"-- @", "x"},
		"doc":               {"", "-- a\n"},
		"block doc":         {"--[[\n", "  a\n", "]]"},
		"strays":            {`-- @key a string "{<a>}`, "}{", `"`},
		"stray tags":        {"x()\n", "-- @key a\n"},
		"dashes":            {"", "---\n"},
		"not UTF-8":         {"-- @owner ", "\xff"},
		"lua lines":         {"", "#!lua\n"},
	} {
		t.Run(name, func(t *testing.T) {
			text := c[0] + strings.Repeat(c[1], 1<<19/len(c[1])) + c[2] + "\n-- @readonly\nreturn 1"
			header, findings := parse(text)
			if body := header.Body.Text(); !strings.HasSuffix(body, "return 1") && !strings.HasPrefix(c[0], "--[[") {
				t.Errorf("the body is %.20q", body)
			}
			for _, f := range findings[:min(len(findings), 3)] {
				if len(f.Message) > 300 || len(f.Hint) > 300 {
					t.Errorf("a message as long as the text: %.200q (%.200q)", f.Message, f.Hint)
				}
			}
		})
	}
	block := "--[[ @readonly ]] "
	header, _ := parse("\n" + strings.Repeat(" ", 1<<19) + strings.Repeat(block, 1<<15))
	equal(t, "tags", len(header.Tags), 1<<15)
}
