package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/model"
)

// findings are the errors and warnings in a sink: the place, the ID, the message, and the places of the notes.
func findings(t *testing.T, sink *diag.Sink) []string {
	t.Helper()
	var all []string
	for _, f := range sink.Findings() {
		if f.Kind.Severity == diag.Info {
			continue
		}
		if f.Hint == "" {
			t.Errorf("%q has no hint", f.Message)
		}
		text := place(f.Span) + " " + f.Kind.ID + " " + f.Message
		for _, n := range f.Notes {
			text += ", " + place(n.Span)
		}
		all = append(all, text)
	}
	return all
}

func place(span diag.Span) string {
	if !span.IsValid() {
		return "?"
	}
	line, column := span.Position()
	return fmt.Sprintf("%s:%d:%d", span.File.Name, line, column)
}

func expect(t *testing.T, what string, sink *diag.Sink, want ...string) {
	t.Helper()
	if got := findings(t, sink); !slices.Equal(got, want) {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPackageName(t *testing.T) {
	goFile := func(name, text string) *diag.File { return diag.NewFile(name, text) }
	for _, test := range []struct {
		config model.Config
		name   string // "" if there is a finding
	}{
		{model.Config{Folder: "limits"}, "limits"},
		{model.Config{Folder: "go-rate.Limits"}, "ratelimits"},
		{model.Config{Folder: "_limits_"}, "limits"},
		{model.Config{Folder: "2024"}, ""},
		{model.Config{Folder: "func"}, ""},
		{model.Config{Folder: "main"}, ""},
		{model.Config{Folder: "go-"}, ""},
		{model.Config{Folder: "limits_test"}, ""},
		{model.Config{Folder: "documentation"}, ""},
		{model.Config{Folder: "time"}, "time"},
		{model.Config{Folder: "string"}, "string"},
		{model.Config{Folder: "2024", Package: "archive"}, "archive"},
		{model.Config{Folder: "a", Package: "type"}, ""},
		{model.Config{Folder: "a", Package: "a-b"}, ""},
		{model.Config{Folder: "a", Package: "_"}, ""},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b.go", "package b\n")}}, "b"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("m.go", "package main\n")}}, "main"},
		{model.Config{Folder: "a", Package: "c", GoFiles: []*diag.File{goFile("b.go", "package b\n")}}, "c"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b_test.go", "package b_test\n")}}, "a"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b.go", "")}}, "a"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b.go", "package\n")}}, "a"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b.go", "pakage x"), goFile("c.go", "package b; func (")}}, "b"},
		{model.Config{Folder: "a", GoFiles: []*diag.File{goFile("b.go", "package documentation\n")}}, ""},
	} {
		p, sink := build(t, test.config, diag.NewFile("x.lua", "-- @version 1.0.0\n"))
		got := findings(t, sink)
		if test.name != "" && (len(got) > 0 || p.Name != test.name) {
			t.Errorf("%+v: package %s, %q; want %s", test.config, p.Name, got, test.name)
		}
		if test.name == "" && (len(got) != 1 || !strings.HasPrefix(got[0], "x.lua:1:1 RG217 ")) {
			t.Errorf("%+v: package %s, %q; want RG217", test.config, p.Name, got)
		}
	}
}

// A hand-written name that generated code needs is reported with both places; the support code has none.
func TestHandWrittenNames(t *testing.T) {
	script := "-- @script lock\n-- @arg a string\n-- @code 1 done\n-- @code 0 lost error\n-- @error LOCKED held\n-- @enum state string\n-- @value on \"1\"\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a.go", "package p\n\ntype LockParams struct{}\n", []string{"x.lua:1:12 RG203 lock needs the Go identifier LockParams, which is taken, a.go:3:6"}},
		{"a.go", "package p\n\nvar A, lockText = 1, 2\n", []string{"x.lua:1:12 RG203 lock needs the Go identifier lockText, which is taken, a.go:3:8"}},
		{"a.go", "package p\n\nconst (\n\tLockCodeDone = 1\n)\n", []string{"x.lua:3:12 RG203 the code done needs the Go identifier LockCodeDone, which is taken, a.go:4:2"}},
		{"a.go", "package p; func ErrLockLost() {}; func ErrLockHeld() {}\n", []string{
			"x.lua:4:12 RG203 the code lost needs the Go identifier ErrLockLost, which is taken, a.go:1:17",
			"x.lua:5:18 RG203 the error held needs the Go identifier ErrLockHeld, which is taken, a.go:1:40"}},
		{"a.go", "package p; type LockStateOn[T any] = []T\n", []string{"x.lua:7:11 RG203 the value on needs the Go identifier LockStateOn, which is taken, a.go:1:17"}},
		{"a.go", "package p; func LockParams( {\n", []string{"x.lua:1:12 RG203 lock needs the Go identifier LockParams, which is taken, a.go:1:17"}},
		{"a_test.go", "package p; func TestRedisgenLock() {}\n", []string{"x.lua:1:12 RG203 lock needs the Go identifier TestRedisgenLock, which is taken, a_test.go:1:17"}},
		{"a_test.go", "package p_test; func LockParams() {}\n", nil},
		{"a.go", "package p; func (LockResult) Params() {}; func init() {}; var _ = LockParams{}; func F() { type LockKeys int }\n", nil},
		{"a.go", "package p; func NewScripts() {}; var scriptSource, time int\n", []string{
			"a.go:1:17 RG203 NewScripts is also declared by the generated support code",
			"a.go:1:38 RG203 scriptSource is also declared by the generated support code",
			"a.go:1:52 RG203 time is also declared by the generated support code"}},
	} {
		_, sink := build(t, model.Config{Folder: "p", GoFiles: []*diag.File{diag.NewFile(test.name, test.text)}}, diag.NewFile("x.lua", script))
		expect(t, test.text, sink, test.want...)
	}
}

// Scripts of one package that need the same Go identifier are reported with both places.
func TestScriptsClash(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want []string
	}{
		{"-- @script lock\n", "-- @script lock\n", []string{"b.lua:1:12 RG202 another script is called lock, a.lua:1:12"}},
		{"-- @script lock_1\n", "-- @script lock1\n", []string{"b.lua:1:12 RG203 another script becomes Lock1 in Go, too, a.lua:1:12"}},
		{"-- @script a_b\n", "-- @script ab\n", []string{"b.lua:1:12 RG203 ab needs the Go identifier abSource, which is taken, a.lua:1:12"}},
		{"-- @script lock\n-- @error LOCKED x_held\n", "-- @script lock_x\n-- @error LOCKED held\n", []string{
			"b.lua:2:18 RG203 the error held needs the Go identifier ErrLockXHeld, which is taken, a.lua:2:18"}},
		{"-- @script a\n-- @enum b_c string\n-- @value d \"D\"\n", "-- @script a_b\n-- @enum c string\n-- @value e \"E\"\n", []string{
			"b.lua:2:10 RG203 the enum c needs the Go identifier ABC, which is taken, a.lua:2:10"}},
		{"-- @script a\n-- @enum b_script string\n-- @value d \"D\"\n", "-- @script a_b\n", []string{
			"b.lua:1:12 RG203 a_b needs the Go identifier ABScript, which is taken, a.lua:2:10"}},
		{"-- @script maybe\n-- @error LOCKED executed\n", "-- @script script\n", []string{
			"a.lua:2:18 RG203 the error executed needs the Go identifier ErrMaybeExecuted, which is taken",
			"b.lua:1:12 RG203 script needs the Go identifier scriptSource, which is taken"}},
		{"-- @script lock\n-- @error LOCKED held\n", "-- @script unlock\n-- @error LOCKED held\n", nil},
	} {
		_, sink := build(t, model.Config{Folder: "p"}, diag.NewFile("a.lua", test.a), diag.NewFile("b.lua", test.b))
		expect(t, test.a+test.b, sink, test.want...)
	}
}

// A word of the configuration is an initialism; names say the same in any script.
func TestInitialisms(t *testing.T) {
	p, sink := build(t, model.Config{Folder: "p", Initialisms: []string{"SKU", "db"}},
		diag.NewFile("x.lua", "-- @script db_ttl\n-- @arg sku_id string\n-- @arg skus string\n-- @arg utf8_text string\n"))
	expect(t, "initialisms", sink)
	s := p.Scripts[0]
	got := []string{s.GoName, model.LowerFirst(s.GoName)}
	for _, param := range s.Params {
		got = append(got, param.GoName)
	}
	if want := []string{"DBTTL", "dbttl", "SKUID", "Skus", "UTF8Text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, want := range map[string]string{"SlidingWindow": "slidingWindow", "TTLCheck": "ttlCheck", "ID": "id", "A": "a", "AB": "ab", "ID2": "id2"} {
		if got := model.LowerFirst(name); got != want {
			t.Errorf("LowerFirst(%s) is %s, want %s", name, got, want)
		}
	}
}

func TestCheckModule(t *testing.T) {
	for _, test := range []struct {
		require string
		want    []string
	}{
		{"require github.com/redis/go-redis/v9 v9.19.0\n", nil},
		{"require (\n\tgithub.com/redis/go-redis/v9 v9.23.1 // indirect\n)\n", nil},
		{"require github.com/redis/go-redis/v9 v9.18.9\n", []string{"go.mod:3:1 RG219 generated code needs go-redis v9.19.0 or later"}},
		{"require (\n\tgithub.com/redis/go-redis/v9 v9.19.0-beta.1\n)\n", []string{"go.mod:4:2 RG219 generated code needs go-redis v9.19.0 or later"}},
		{"require github.com/redis/go-redis v6.15.9+incompatible\n", []string{"go.mod:1:1 RG218 the module does not require go-redis, which generated code imports"}},
		{"", []string{"go.mod:1:1 RG218 the module does not require go-redis, which generated code imports"}},
		{"require (\n", nil},
	} {
		var sink diag.Sink
		model.CheckModule(diag.NewFile("go.mod", "module m\n\n"+test.require), &sink)
		expect(t, test.require, &sink, test.want...)
	}
}
