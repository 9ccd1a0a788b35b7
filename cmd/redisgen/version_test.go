package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const pseudo = "v0.1.1-0.20260102030405-0123456789ab"
	for _, test := range []struct {
		name string
		m    debug.Module
		want string
	}{
		{"a release", debug.Module{Version: "v0.1.0", Sum: "h1:x"}, "v0.1.0"},
		{"a commit that was downloaded", debug.Module{Version: pseudo, Sum: "h1:x"}, pseudo},
		{"a work tree without version control", debug.Module{Version: "(devel)"}, devel},
		{"a test", debug.Module{}, devel},
		{"a work tree", debug.Module{Version: pseudo}, devel},
		{"a work tree with changes", debug.Module{Version: pseudo + "+dirty"}, devel},
		{"a work tree at a tag", debug.Module{Version: "v0.1.0"}, "v0.1.0"},
		{"a work tree at a tag with changes", debug.Module{Version: "v0.1.0+dirty"}, devel},
		{"a replacement", debug.Module{Version: "v0.1.0", Replace: &debug.Module{Path: "../redisgen"}}, devel},
	} {
		if got := versionOf(test.m); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
