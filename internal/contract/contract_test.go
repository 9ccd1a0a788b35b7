package contract_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/contract"
	"github.com/redisgen/redisgen/internal/model"
)

// sample is a package with everything in it that a contract tells.
func sample() *model.Package {
	return &model.Package{Name: "limits", Scripts: []*model.Script{
		{
			Name: "empty", File: "empty.lua", Since: []model.Since{{Server: "redis", Version: "6.2"}},
			Bundle: &bundle.Bundle{SHA1: strings.Repeat("0", 40), SHA256: strings.Repeat("a", 64)},
			Result: model.Result{Text: "void"},
		},
		{
			Name: "full", File: "full.lua", Version: "1.2.0", Owner: "R&D <platform>", Deprecated: "use other",
			ReadOnly: true, Idempotent: true, Timeout: 250 * time.Millisecond,
			Since:  []model.Since{{Server: "redis", Version: "7.0"}, {Server: "valkey", Version: "7.2.5"}},
			Bundle: &bundle.Bundle{SHA1: strings.Repeat("1", 40), SHA256: strings.Repeat("b", 64)},
			Keys: []*model.Key{
				{Name: "log", Kind: "zset", Template: "rl:{<tenant>}:<route>", TTL: "required", Bound: "100"},
				{Name: "whole", Kind: "any"},
			},
			Args: []*model.Arg{
				{Name: "now", Type: model.Type{Text: "now(ms)"}},
				{Name: "limit", Type: model.Type{Text: "int"}, Min: &model.Limit{Text: "1"}, Max: &model.Limit{Text: "5"}},
				{Name: "token", Type: model.Type{Text: "string"}, Optional: true, Absent: new(string), Secret: true},
				{Name: "tail", Type: model.Type{Text: "int"}, Optional: true},
			},
			Enums: []*model.Enum{
				{Name: "state", Values: []model.EnumValue{{Name: "on", Literal: "<1>"}, {Name: "raw", Literal: "\xff"}}},
				{Name: "level", IsInt: true, Values: []model.EnumValue{{Name: "low", Literal: "-1"}}},
			},
			Codes: []*model.Code{
				{Name: "allowed", Literal: "1", IsInt: true},
				{Name: "least", Literal: "-9223372036854775808", IsInt: true},
				{Name: "quoted", Literal: "2", IsError: true},
			},
			Errors: []*model.Error{{Word: "LOCKED", Name: "held"}},
			Result: model.Result{Text: "{code, count int}"},
		},
	}}
}

var files = map[string][]byte{"b.go": []byte("a\nb\n"), "a.go": []byte("a\r\nb\r\n"), "redisgen/x.lua": nil}

func TestMarshal(t *testing.T) {
	data := contract.Marshal(sample(), "v1.2.3", files)
	for range 20 { // the files come from a map
		if again := contract.Marshal(sample(), "v1.2.3", files); !bytes.Equal(data, again) {
			t.Fatalf("once\n%s\nthen\n%s", data, again)
		}
	}
	text := string(data)
	if !strings.HasPrefix(text, "{\n  \"format\": 1,\n  \"generator\": \"redisgen v1.2.3\",\n  \"package\": \"limits\",\n") || !strings.HasSuffix(text, "\n}\n") {
		t.Errorf("got\n%s", text)
	}
	for line := range strings.Lines(text) { // a member a line
		if line = strings.TrimSpace(line); strings.Count(line, "\": ") > 1 || strings.Contains(line, "\\u003c") {
			t.Errorf("the line %s", line)
		}
	}
	order := []string{`"name": "empty"`, `"name": "full"`, `"owner": "R&D <platform>"`, `"template": "rl:{<tenant>}:<route>"`,
		`"absent": ""`, `"literal": "<1>"`, `"literal": "\\xff"`, `"what": 1,`, `"what": -9223372036854775808,`, `"what": "2",`,
		`"a.go": "`, `"b.go": "`, `"redisgen/x.lua": "`}
	at := 0
	for _, part := range order {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Errorf("%s is missing, or not behind the one before", part)
			continue
		}
		at += i
	}
}

func TestParse(t *testing.T) {
	data := contract.Marshal(sample(), "v1.2.3", files)
	c, err := contract.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if c.Format != contract.Format || c.Generator != "redisgen v1.2.3" || c.Package != "limits" || len(c.Scripts) != 2 {
		t.Errorf("got %+v", c)
	}
	if c.Files["a.go"] != c.Files["b.go"] || len(c.Files["a.go"]) != 64 || c.Files["redisgen/x.lua"] == c.Files["a.go"] {
		t.Errorf("digests are of the text with LF line ends: got %v", c.Files)
	}
	full := c.Scripts[1]
	if want := (contract.Arg{Name: "token", Type: "string", Optional: true, Absent: new(string), Secret: true, Vector: "args"}); !reflect.DeepEqual(full.Args[2], want) {
		t.Errorf("got %+v, want %+v", full.Args[2], want)
	}
	if full.Args[3].Absent != nil {
		t.Errorf("what is left out has the literal %q", *full.Args[3].Absent)
	}
	if want := (contract.Key{Name: "log", Kind: "zset", Template: "rl:{<tenant>}:<route>", TTL: "required", Bound: "100", Vector: "keys"}); full.Keys[0] != want {
		t.Errorf("got %+v, want %+v", full.Keys[0], want)
	}
	if !slices.Equal(full.Flags, []string{"readonly", "idempotent"}) || !slices.Equal(full.Since, []string{"redis 7.0", "valkey 7.2.5"}) {
		t.Errorf("got %v, %v", full.Flags, full.Since)
	}

	for text, want := range map[string]string{
		`{"format":1,"package":"p","later":{"x":[1]},"scripts":[{"name":"a","later":1}]}`: "",
		`{"format":2}`:             "format 2 is newer than this redisgen knows",
		`{"format":1,"package":5}`: "cannot unmarshal number",
		`{"format":1} {}`:          "behind the contract",
		``:                         "EOF",
		`{"format":1`:              "EOF",
		`<<<<<<< HEAD`:             "invalid character",
	} {
		_, err := contract.Parse([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// What is written can be written again from what was read.
func TestRoundTrip(t *testing.T) {
	data := contract.Marshal(sample(), "v1.2.3", files)
	c, err := contract.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(data) {
		t.Errorf("got\n%s\nwant\n%s", got, data)
	}
}
