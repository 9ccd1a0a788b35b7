package annotations_test

import (
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
)

func TestWhatIsATag(t *testing.T) {
	cases := map[string]struct {
		text string
		tags string // the names, joined with blanks
	}{
		"line comments":              {"-- @readonly\n--@owner me\n  --   @since redis 7.0\n", "readonly owner since"},
		"after a lua line":           {"#!lua flags=no-writes\n\n-- @readonly\n", "readonly"},
		"after a licence":            {"--[[ Licence ]]\n-- more\n\n-- @readonly\n", "readonly"},
		"block comment":              {"--[[ @script a\n@readonly\n  @owner me ]]", "script readonly owner"},
		"block of a level":           {"--[==[\n * @script a ]]\n\t*@readonly\n]==]", "script readonly"},
		"block that is never closed": {"--[[\n@readonly\n@owner me", "readonly owner"},
		"two comments on a line":     {"--[[ @readonly ]] -- @owner me", "readonly owner"},
		"three dashes":               {"---@key a\n--- @readonly\n---- @owner me\n", ""},
		"prose":                      {"-- mail me@example.com\n-- @ home\n-- @1\n-- @\n-- x @readonly\n", ""},
		"byte order mark":            {"\ufeff-- @readonly\n", "readonly"},
		"no comment":                 {"local a = '-- @readonly'\n", ""},
		"only blanks before":         {"--\t \t@readonly\t\n", "readonly"},
		"nothing":                    {"", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			header, _ := parse(c.text)
			var names []string
			for _, tag := range header.Tags {
				names = append(names, tag.Base().Name.Text)
			}
			equal(t, "tags", strings.Join(names, " "), c.tags)
			equal(t, "ours", header.Ours(), c.tags != "" || strings.HasPrefix(c.text, "#!lua"))
		})
	}
}

func TestContinuation(t *testing.T) {
	cases := map[string]struct{ text, owner, doc, whole string }{
		"one column is too little": {"-- @owner a\n--  b", "a", "", "@owner a"},
		"two columns":              {"-- @owner a\n--   b  c\n--     d", "a b  c d", "", "@owner a\n--   b  c\n--     d"},
		"a tab is one column":      {"-- @owner a\n--\t\t\tb", "a b", "", "@owner a\n--\t\t\tb"},
		"two tabs are too little":  {"-- @owner a\n--\t\tb", "a", "", "@owner a"},
		"doc goes on":              {"-- @owner a # b\n--     c # d", "a", "b c # d", "@owner a # b\n--     c # d"},
		"doc begins later":         {"-- @owner a\n--     # b", "a", "b", "@owner a\n--     # b"},
		"the name alone":           {"-- @owner\n--   a", "a", "", "@owner\n--   a"},
		"a remark ends it":         {"-- @owner a\n-- b\n--   c", "a", "", "@owner a"},
		"an empty one as well":     {"-- @owner a\n--\n--   c", "a", "", "@owner a"},
		"a blank line as well":     {"-- @owner a\n\n--   c", "a", "", "@owner a"},
		"three dashes as well":     {"-- @owner a\n---  c\n--   d", "a", "", "@owner a"},
		"an @ never goes on":       {"-- @owner a\n--     @readonly", "a", "", "@owner a"},
		"in a block":               {"--[[\n@owner a\n  b\n c\n  d\n]]", "a b", "", "@owner a\n  b"},
		"in a block with stars":    {"--[[\n * @owner a\n *   b\n *\n *   c\n]]", "a b", "", "@owner a\n *   b"},
		"blank line in a block":    {"--[[\n@owner a\n \t\n  b\n]]", "a", "", "@owner a"},
		"not into another comment": {"-- @owner a\n--[[   b ]]", "a", "", "@owner a"},
		"no hash without blanks":   {"-- @owner a #b c# d", "a #b c# d", "", "@owner a #b c# d"},
		"a hash at the end":        {"-- @owner a #  ", "a", "", "@owner a #"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tag := mustParse(t, c.text).Tags[0].(*annotations.TextTag)
			equal(t, "text", tag.Text.Text, c.owner)
			equal(t, "doc", tag.Doc.Text, c.doc)
			equal(t, "whole", tag.Whole.Text(), c.whole)
		})
	}
}

func TestDoc(t *testing.T) {
	cases := map[string]struct {
		text string
		doc  []string
	}{
		"the last paragraph":            {"-- Licence.\n\n-- Admits.\n--   Twice.  \n-- @readonly\n-- more", []string{"Admits.", "  Twice."}},
		"empty lines inside":            {"-- a\n--\n-- b\n--\n-- @readonly", []string{"a", "", "b"}},
		"a blank line between":          {"-- a\n\n-- @readonly", nil},
		"a blank line and an empty one": {"-- a\n\n--\n-- @readonly", nil},
		"no tag":                        {"-- a\n", nil},
		"between tags":                  {"-- @readonly\n-- a\n-- @owner me", nil},
		"frames and other tools":        {"----------\n-- a\n---@meta\n-- redisgen:ignore RG001 why\n-- b\n----------\n-- @readonly", []string{"a", "", "", "b"}},
		"a block of its own":            {"--[[\n    a\n      b\n]]\n-- @readonly", []string{"a", "  b"}},
		"the opening line of a block":   {"--[[ a\n     b\n       c ]]\n-- @readonly", []string{"a", "b", "  c"}},
		"in the block of the tags":      {"--[[\n * a\n *   b\n *\n * @readonly\n]]", []string{"a", "  b"}},
		"a blank line in a block":       {"--[[\n a\n\n b\n @readonly\n]]", []string{"b"}},
		"bold is no star":               {"--[[\n*a* b\n@readonly\n]]", []string{"*a* b"}},
		"no blank behind the dashes":    {"--a\n-- @readonly", []string{"a"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var doc []string
			for _, word := range mustParse(t, c.text).Doc {
				doc = append(doc, word.Text)
				equal(t, "place", word.Span.Text(), word.Text)
			}
			equal(t, "doc", doc, c.doc)
		})
	}
}

func TestShebangAndBody(t *testing.T) {
	cases := map[string]struct{ text, shebang, body string }{
		"none":            {"-- @readonly\n", "", ""},
		"first line":      {"#!lua name=x\r\n-- @readonly\r\nreturn 1", "#!lua name=x", "return 1"},
		"alone":           {"#!lua", "#!lua", ""},
		"misplaced":       {"-- a\n#!lua name=x\n-- @readonly\nreturn 1", "#!lua name=x", "return 1"},
		"a second one":    {"#!lua a=1\n#!lua b=2\nx()", "#!lua a=1", "x()"},
		"another program": {"#!/usr/bin/lua\n-- @readonly\nx()", "", "x()"},
		"luajit":          {"#!luajit\nx()", "", "x()"},
		"in the body":     {"x()\n#!lua", "", "x()\n#!lua"},
		"trailing blanks": {"  x() \n", "", "x() \n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			header, _ := parse(c.text)
			equal(t, "shebang", header.Shebang.Text(), c.shebang)
			equal(t, "body", header.Body.Text(), c.body)
			if !header.Body.IsValid() {
				t.Error("the body has no place")
			}
		})
	}
}
