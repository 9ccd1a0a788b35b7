package annotations_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/lua"
)

// parse reads a file and returns what the parser of headers found, not what the scanner did.
func parse(text string) (*annotations.Header, []*diag.Finding) {
	file := diag.NewFile("script.lua", text)
	tokens := lua.Scan(file, &diag.Sink{})
	var sink diag.Sink
	header := annotations.Parse(file, tokens, &sink)
	return header, sink.Findings()
}

// mustParse fails the test if there is a finding.
func mustParse(t *testing.T, text string) *annotations.Header {
	t.Helper()
	header, findings := parse(text)
	for _, f := range findings {
		t.Errorf("unexpected %s %q: %s (%s)\nin:\n%s", f.Kind.ID, f.Span.Text(), f.Message, f.Hint, text)
	}
	return header
}

// summary writes findings as tests compare them: "unknown-tag @kye".
func summary(findings []*diag.Finding) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, f.Kind.Name+" "+f.Span.Text())
	}
	return lines
}

// only parses a header of one tag, and returns it.
func only[T annotations.Tag](t *testing.T, text string) T {
	t.Helper()
	header := mustParse(t, text)
	if len(header.Tags) != 1 {
		t.Fatalf("%d tags in %q, want 1", len(header.Tags), text)
	}
	tag, ok := header.Tags[0].(T)
	if !ok {
		t.Fatalf("%T for %q", header.Tags[0], text)
	}
	return tag
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v, want %#v", what, got, want)
	}
}

func TestScriptTags(t *testing.T) {
	equal(t, "script", only[*annotations.ScriptTag](t, "-- @script sliding_window").Script.Text, "sliding_window")
	equal(t, "owner", only[*annotations.TextTag](t, `-- @owner the "a # b" team # doc`).Text.Text, `the "a # b" team`)
	equal(t, "deprecated", only[*annotations.TextTag](t, `-- @deprecated don't use 5" # doc`).Text.Text, `don't use 5"`)
	equal(t, "reason", only[*annotations.TextTag](t, "-- @idempotent").Text, annotations.Word{})
	equal(t, "reason", only[*annotations.TextTag](t, "-- @idempotent it only sets").Text.Text, "it only sets")
	equal(t, "flag", only[*annotations.FlagTag](t, "-- @readonly # yes").Doc.Text, "yes")
	since := only[*annotations.SinceTag](t, "-- @since valkey 8.0")
	equal(t, "since", since.Server.Text+" "+since.Version.Text, "valkey 8.0")
	mustParse(t, "-- @since redis 7.0.11\n-- @since valkey 8.0")

	for _, version := range []string{"1.4.0", "0.0.0", "1.4.0-rc.1", "1.0.0-alpha-2.x", "1.0.0-0a+build.007", "2026-07-11", "2026-07-11.1", "2024-02-29.12"} {
		equal(t, "version", only[*annotations.VersionTag](t, "-- @version "+version).Version.Text, version)
	}
}

func TestKeyTag(t *testing.T) {
	key := only[*annotations.KeyTag](t, `-- @key log zset "rl:{a<tenant>}:<route>x" ttl=required bound=10 # members`)
	equal(t, "name", key.Key.Text, "log")
	equal(t, "kind", key.Kind.Text, "zset")
	equal(t, "list", key.List, false)
	equal(t, "doc", key.Doc.Text, "members")
	equal(t, "template", key.Template.Text, "rl:{a<tenant>}:<route>x")
	equal(t, "template's place", key.Template.Span.Text(), `"rl:{a<tenant>}:<route>x"`)
	equal(t, "parts", parts(key.Template), "rl:{ [a] [<tenant>] }: <route> x")
	equal(t, "options", options(key.Options), "ttl=required bound=10")
	equal(t, "whole", key.Options[1].Whole.Text(), "bound=10")

	list := only[*annotations.KeyTag](t, "-- @key pages []string")
	equal(t, "list", list.List, true)
	equal(t, "kind", list.Kind.Text, "string")
	equal(t, "template", list.Template, nil)

	all := only[*annotations.KeyTag](t, `-- @key a any ttl=none bound=1 absent="{x}:none" in=args routing min=0 max=20`)
	equal(t, "options", options(all.Options), "ttl=none bound=1 absent={x}:none in=args routing= min=0 max=20")
	equal(t, "empty absent", options(only[*annotations.KeyTag](t, `-- @key a any absent=""`).Options), "absent=")

	escaped := only[*annotations.KeyTag](t, `-- @key a string "\x7b<id>\u007d\"é\xff"`)
	equal(t, "escapes", parts(escaped.Template), "{ [<id>] }\"é\xff")
	equal(t, "place of an escape", escaped.Template.Parts[0].Span.Text(), `\x7b`)
	equal(t, "constant", parts(only[*annotations.KeyTag](t, `-- @key a string "{q}"`).Template), "{ [q] }")
}

func parts(template *annotations.Template) string {
	var all []string
	for _, p := range template.Parts {
		text := p.Text
		if p.Param {
			text = "<" + text + ">"
		}
		if p.InTag {
			text = "[" + text + "]"
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

func options(options []annotations.Option) string {
	var all []string
	for _, o := range options {
		all = append(all, o.Name.Text+"="+o.Value.Text)
	}
	return strings.Join(all, " ")
}

func TestArgTag(t *testing.T) {
	arg := only[*annotations.ArgTag](t, `-- @arg limit int?(-1) min=-5 max=1.5e3 secret in=keys as "example.com/x".Limit # how many`)
	equal(t, "name", arg.Arg.Text, "limit")
	equal(t, "type", describe(arg.Type), "int?(-1)")
	equal(t, "options", options(arg.Options), `min=-5 max=1.5e3 secret= in=keys as="example.com/x".Limit`)
	equal(t, "Go type", describe(arg.Options[4].GoType), `"example.com/x".Limit`)
	equal(t, "doc", arg.Doc.Text, "how many")
	equal(t, "durations", options(only[*annotations.ArgTag](t, "-- @arg w duration(ms) min=1ms max=1h30m").Options), "min=1ms max=1h30m")
	equal(t, "as", only[*annotations.ArgTag](t, "-- @arg w int as .Weight").Options[0].Whole.Text(), "as .Weight")
}

func TestEnumCodeErrorReturn(t *testing.T) {
	header := mustParse(t, "-- @enum state string # states\n-- @value processing \"P\\n\" # doc\n-- @readonly\n-- @value done \"\"\n-- @enum level int\n-- @value low -1\n")
	equal(t, "enum", header.Tags[0].(*annotations.EnumTag).Enum.Text, "state")
	equal(t, "base", header.Tags[4].(*annotations.EnumTag).Of.Text, "int")
	value := header.Tags[1].(*annotations.ValueTag)
	equal(t, "value", value.Value.Text, "processing")
	equal(t, "literal", value.Literal.Text, "P\n")
	equal(t, "literal is string", value.Literal.IsString, true)
	low := header.Tags[5].(*annotations.ValueTag).Literal
	equal(t, "literal", low.Text, "-1")
	equal(t, "literal is string", low.IsString, false)

	code := only[*annotations.CodeTag](t, "-- @code -1 mismatch error {remaining int} # doc")
	equal(t, "literal", code.Literal.Text, "-1")
	equal(t, "code", code.Code.Text, "mismatch")
	equal(t, "error", code.Error.Text, "error")
	equal(t, "payload", describe(code.Payload), "{remaining int}")
	kind := only[*annotations.CodeTag](t, "-- @code array jobs []string")
	equal(t, "kind", kind.Kind.Text, "array")
	equal(t, "literal", kind.Literal, nil)
	equal(t, "error", kind.Error, annotations.Word{})
	equal(t, "payload", describe(kind.Payload), "[]string")
	quoted := only[*annotations.CodeTag](t, `-- @code "OK" fine`)
	equal(t, "literal", quoted.Literal.Text, "OK")
	equal(t, "payload", quoted.Payload, nil)

	raised := only[*annotations.ErrorTag](t, "-- @error LOCK_2 lock_held # somebody else")
	equal(t, "word", raised.Word.Text, "LOCK_2")
	equal(t, "error", raised.Error.Text, "lock_held")
	equal(t, "return", describe(only[*annotations.ReturnTag](t, "-- @return {code, count int}").Type), "{code, count int}")
}

// TestPageExamples reads the examples of the language's specification.
func TestPageExamples(t *testing.T) {
	examples := []string{
		"-- @version 2026-07-11.1\n-- @since redis 7.0\n-- @since valkey 8.0\n-- @readonly",
		"-- @enum  state string\n-- @value processing \"P\"   # being worked on\n-- @value completed  \"C\"\n",
		"-- @code  1 allowed  {remaining int}                              # the request may pass\n" +
			"-- @code  0 rejected {remaining int, retry_after duration(ms)}\n" +
			"-- @code -1 mismatch error                                        # the key was used with another payload\n",
		"-- @code int queued {length int}\n-- @code array found {a string}\n-- @return code",
		"-- @code array jobs []string",
		"-- @return {code, count int, reset duration(ms)}",
		"-- @error LOCKED lock_held # somebody else holds it",
	}
	for _, example := range examples {
		mustParse(t, example)
	}
	header := mustParse(t, wholeHeader)
	equal(t, "doc", header.Doc[0].Text, "Admits at most `limit` requests per sliding window.")
	equal(t, "number of tags", len(header.Tags), 11)
	equal(t, "body", header.Body.Text(), "return 1\n")
	member := header.Tags[7].(*annotations.ArgTag)
	equal(t, "whole", member.Whole.Text(), "@arg     member string            # unique per request")
	equal(t, "name with @", member.Name.Span.Text(), "@arg")
	equal(t, "doc", member.Doc.Span.Text(), "unique per request")
}

const wholeHeader = "-- Admits at most `limit` requests per sliding window.\n" + `-- @script  sliding_window
-- @version 1.2.0
-- @owner   platform
-- @key     log    zset "rl:{<tenant>}:<route>" ttl=required  # one member per admitted request
-- @arg     now    now(ms)
-- @arg     window duration(ms) min=1ms
-- @arg     limit  int min=1
-- @arg     member string            # unique per request
-- @code    1 allowed
-- @code    0 rejected
-- @return  {code, count int, reset_after duration(ms)}
return 1
`

func TestCRLFReadsTheSame(t *testing.T) {
	text := wholeHeader + "--[[\n@key a string\n     # more\n\n]]\n"
	text = strings.Replace(text, "return 1\n", "", 1)
	want := dump(mustParse(t, text))
	for _, end := range []string{"\r\n", "\r"} {
		got := dump(mustParse(t, strings.ReplaceAll(text, "\n", end)))
		if got != want {
			t.Errorf("with line end %q:\n%s\nwith \\n:\n%s", end, got, want)
		}
	}
}

// dump writes the texts of all words of a header.
func dump(header *annotations.Header) string {
	var b strings.Builder
	for _, w := range words(header) {
		fmt.Fprintf(&b, "%q\n", w.Text)
	}
	return b.String()
}

// words returns all words of the header, in order.
func words(header *annotations.Header) []annotations.Word {
	var all []annotations.Word
	wordType := reflect.TypeFor[annotations.Word]()
	skip := []reflect.Type{reflect.TypeFor[diag.Span](), reflect.TypeFor[*diag.File]()}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Type() == wordType:
			all = append(all, v.Interface().(annotations.Word))
		case slices.Contains(skip, v.Type()):
		case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(header))
	return all
}
