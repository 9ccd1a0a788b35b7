package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redisgen/redisgen/internal/contract"
)

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var value map[string]any
	if err := dec.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func schema(t *testing.T) map[string]any {
	t.Helper()
	data, err := os.ReadFile("../../docs/contract.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, data)
}

// The published schema describes what is written, and every member of it.
func TestSchema(t *testing.T) {
	v := validator{root: schema(t), members: map[string]bool{}}
	v.check("contract", decode(t, contract.Marshal(sample(), "v1.2.3", files)), v.root)
	for _, problem := range v.problems {
		t.Error(problem)
	}
	for name := range v.members {
		if !v.members[name] {
			t.Errorf("the sample has no %s", name)
		}
	}
}

// The schema has the members of the Go types: a new one needs a line in it.
func TestSchemaIsComplete(t *testing.T) {
	root := schema(t)
	defs := root["$defs"].(map[string]any)
	values := defs["enum"].(map[string]any)["properties"].(map[string]any)["values"].(map[string]any)["items"]
	for _, test := range []struct {
		goType any
		schema any
	}{
		{contract.Contract{}, root}, {contract.Script{}, defs["script"]}, {contract.Key{}, defs["key"]}, {contract.Arg{}, defs["arg"]},
		{contract.Enum{}, defs["enum"]}, {contract.Value{}, values}, {contract.Code{}, defs["code"]}, {contract.Error{}, defs["error"]},
	} {
		goType := reflect.TypeOf(test.goType)
		s := test.schema.(map[string]any)
		properties, required := s["properties"].(map[string]any), fmt.Sprint(s["required"])
		if len(properties) != goType.NumField() {
			t.Errorf("%s has %d fields, the schema %d members", goType, goType.NumField(), len(properties))
		}
		for i := range goType.NumField() {
			name, omitted := strings.CutSuffix(goType.Field(i).Tag.Get("json"), ",omitempty")
			if properties[name] == nil {
				t.Errorf("the schema of %s has no %s", goType, name)
			}
			if isRequired := regexp.MustCompile(`\b` + name + `\b`).MatchString(required); isRequired == omitted {
				t.Errorf("%s of %s: required is %v, may be left out is %v", name, goType, isRequired, omitted)
			}
		}
	}
}

// The check of this test finds what is wrong.
func TestSchemaRefuses(t *testing.T) {
	good := string(contract.Marshal(sample(), "v1.2.3", files))
	for _, test := range []struct{ from, to, want string }{
		{`"format": 1`, `"format": 2`, "contract.format"},
		{`"generator": "redisgen`, `"generator": "other`, "contract.generator"},
		{`"name": "empty",`, ``, "contract.scripts[0] has no name"},
		{`"name": "empty"`, `"name": "Empty"`, "contract.scripts[0].name"},
		{`"what": 1,`, `"what": 1.5,`, "contract.scripts[1].codes[0].what"},
		{`"what": 1,`, `"what": true,`, "contract.scripts[1].codes[0].what"},
		{`"kind": "zset"`, `"kind": "sorted"`, "contract.scripts[1].keys[0].kind"},
		{`"redis 7.0"`, `"redis 7"`, "contract.scripts[1].since[0]"},
		{`"sha": "0`, `"sha": "g`, "contract.scripts[0].sha"},
		{`"optional": true`, `"optional": "yes"`, "contract.scripts[1].args[2].optional"},
		{`"a.go": "`, `"a.go": "x`, "contract.files.a.go"},
	} {
		if !strings.Contains(good, test.from) {
			t.Fatalf("%s is not in the contract", test.from)
		}
		v := validator{root: schema(t), members: map[string]bool{}}
		v.check("contract", decode(t, []byte(strings.Replace(good, test.from, test.to, 1))), v.root)
		if len(v.problems) != 1 || !strings.HasPrefix(v.problems[0], test.want) {
			t.Errorf("%s for %s: got %q, want %s", test.to, test.from, v.problems, test.want)
		}
	}
}

// validator checks a value against those words of JSON schema that ours uses; any other word is a problem.
type validator struct {
	root     map[string]any
	problems []string
	members  map[string]bool // of objects in the schema, and whether one was seen
}

func (v *validator) problem(path, format string, args ...any) {
	v.problems = append(v.problems, path+" "+fmt.Sprintf(format, args...))
}

func (v *validator) check(path string, value any, schema map[string]any) {
	for word, operand := range schema {
		switch word {
		case "$schema", "$id", "$defs", "title", "description":
		case "$ref":
			name := strings.TrimPrefix(operand.(string), "#/$defs/")
			v.check(path, value, v.root["$defs"].(map[string]any)[name].(map[string]any))
		case "type":
			v.checkType(path, value, operand)
		case "const":
			if value != operand {
				v.problem(path, "is %v, not %v", value, operand)
			}
		case "enum":
			if !slices.Contains(operand.([]any), value) {
				v.problem(path, "is %v, none of %v", value, operand)
			}
		case "pattern":
			if text, _ := value.(string); !regexp.MustCompile(operand.(string)).MatchString(text) {
				v.problem(path, "is %v, which does not match %s", value, operand)
			}
		case "minLength":
			if text, ok := value.(string); ok && text == "" {
				v.problem(path, "is empty")
			}
		case "minItems":
			if list, ok := value.([]any); ok && len(list) == 0 {
				v.problem(path, "is empty")
			}
		case "items":
			list, _ := value.([]any)
			for i, item := range list {
				v.check(fmt.Sprintf("%s[%d]", path, i), item, operand.(map[string]any))
			}
		case "required", "properties", "additionalProperties":
		default:
			v.problem(path, "has the word %s, which this check does not know", word)
		}
	}
	if object, ok := value.(map[string]any); ok && schema["$ref"] == nil {
		v.checkMembers(path, object, schema)
	}
}

func (v *validator) checkType(path string, value, operand any) {
	kind := "null"
	switch x := value.(type) {
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	case json.Number:
		kind = "integer"
		if strings.ContainsAny(x.String(), ".eE") {
			kind = "number"
		}
	}
	allowed, isList := operand.([]any)
	if !isList {
		allowed = []any{operand}
	}
	if !slices.Contains(allowed, any(kind)) {
		v.problem(path, "is of type %s, not %v", kind, operand)
	}
}

func (v *validator) checkMembers(path string, object, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, there := object[name.(string)]; !there {
			v.problem(path, "has no %s", name)
		}
	}
	where := regexp.MustCompile(`\[\d+\]`).ReplaceAllString(path, "[]")
	for name, operand := range properties {
		member, there := object[name]
		v.members[where+"."+name] = v.members[where+"."+name] || there
		if there {
			v.check(path+"."+name, member, operand.(map[string]any))
		}
	}
	rest, described := schema["additionalProperties"].(map[string]any)
	for name, member := range object {
		switch _, known := properties[name]; {
		case known:
		case described:
			v.check(path+"."+name, member, rest)
		default:
			v.problem(path, "has %s, which the schema does not", name)
		}
	}
}
