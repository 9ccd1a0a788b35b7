package annotations_test

import (
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
)

// describe writes a type as it was read, in one way only.
func describe(t annotations.Type) string {
	switch t := t.(type) {
	case *annotations.NamedType:
		text := t.Name.Text
		if t.Enum.Text != "" {
			text += " " + t.Enum.Text
		}
		if t.Value != nil {
			text += " " + t.Value.Span.Text()
		}
		var params []string
		for _, p := range t.Params {
			switch {
			case p.Literal != nil:
				params = append(params, p.Literal.Span.Text())
			case p.Type != nil:
				params = append(params, describe(p.Type))
			default:
				params = append(params, p.Word.Text)
			}
		}
		if params != nil {
			text += "(" + strings.Join(params, ",") + ")"
		}
		return text
	case *annotations.OptionalType:
		text := describe(t.Elem) + "?"
		if _, ok := t.Elem.(*annotations.ListType); ok {
			text = "(" + describe(t.Elem) + ")?"
		}
		if t.Absent != nil {
			text += "(" + t.Absent.Span.Text() + ")"
		}
		return text
	case *annotations.ListType:
		if t.IsOf {
			return "[len(" + t.Len.Text + ")]" + describe(t.Elem)
		}
		return "[" + t.Len.Text + "]" + describe(t.Elem)
	case *annotations.RecordType:
		var fields []string
		for _, f := range t.Fields {
			field := f.Name.Text
			if f.Member.IsValid() {
				field += " " + f.Member.Span.Text()
			}
			if f.Type != nil {
				field += " " + describe(f.Type)
			}
			fields = append(fields, field)
		}
		return t.Name.Text + "{" + strings.Join(fields, ", ") + "}"
	case *annotations.GoType:
		if t.Path.Text == "" {
			return "." + t.Name.Text
		}
		return t.Path.Span.Text() + "." + t.Name.Text
	}
	return "nil"
}

func TestTypes(t *testing.T) {
	same := []string{
		"string", "bytes", "int", "uint", "index", "float", "bool", "void", "stream", "any", "code", "json",
		"bool(truefalse)", `bool("yes","no")`, "bool(1,0)", "bool(nil)", "bool(ok)",
		"duration(s)", "duration(ms)", "duration(us)", "duration(ns)", "duration(f)", "time(s)", "time(f)", "now(ms)",
		"enum state", "json([]string)", `json("example.com/x/y.v2".Type)`, "json(.Type)", "msgpack({id string, retry \"retry-after\" int?})",
		"[]string", "[3]string", "[len(x)]int", "[][2]float", "[]string?", "([]string)?", `([]string)?("")`,
		"{a int, b {c string, d Inner{e bytes}}}", "Name{a int}", "map(string,int)", "map(string,map(int,[]float))",
		"hash{a string, b int?}", "rows{a string, b int}", "columns{a []string, b []int}", "(hash{a int})?",
		"page(string)", "page(map(string,int))", "string?", `string?("")`, "int?(-1)", `enum state?("-")`,
		"count(x)", "count(KEYS)", "count(ARGV)", `const "SET"`, "const 7", "{code, count int}",
	}
	for _, text := range same {
		tag := only[*annotations.ReturnTag](t, "-- @return "+text)
		want := strings.Replace(text, "(hash{a int})?", "hash{a int}?", 1)
		if got := describe(tag.Type); got != want {
			t.Errorf("%s is read as %s", text, got)
		} else if tag.Type.TypeSpan().Text() != text {
			t.Errorf("the place of %s is %q", text, tag.Type.TypeSpan().Text())
		}
	}
	spaced := only[*annotations.ReturnTag](t, "-- @return [ ] Pair { a  duration ( ms )? , b map( string ,\n--    int ) }").Type
	equal(t, "spaced", describe(spaced), "[]Pair{a duration(ms)?, b map(string,int)}")
}

func TestSpansOfParts(t *testing.T) {
	list := only[*annotations.ReturnTag](t, `-- @return []{a int, b json("x/y".Z)?("-")} # doc`).Type.(*annotations.ListType)
	b := list.Elem.(*annotations.RecordType).Fields[1]
	equal(t, "record", list.Elem.TypeSpan().Text(), `{a int, b json("x/y".Z)?("-")}`)
	equal(t, "field", b.Name.Span.Text(), "b")
	optional := b.Type.(*annotations.OptionalType)
	equal(t, "optional", optional.Span.Text(), `json("x/y".Z)?("-")`)
	equal(t, "absent", optional.Absent.Span.Text(), `"-"`)
	named := optional.Elem.(*annotations.NamedType)
	equal(t, "json", named.Span.Text(), `json("x/y".Z)`)
	goType := named.Params[0].Type.(*annotations.GoType)
	equal(t, "Go type", goType.Span.Text(), `"x/y".Z`)
	equal(t, "path", goType.Path.Text, "x/y")
	equal(t, "Go name", goType.Name.Span.Text(), "Z")
}
