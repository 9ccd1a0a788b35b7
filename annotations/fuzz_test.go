package annotations_test

import (
	"strings"
	"testing"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
)

// FuzzParse reads anything, and looks at whether every place lies in the file and every text is where its place says.
func FuzzParse(f *testing.F) {
	f.Add(wholeHeader)
	f.Add("#!lua name=x\r\n--[==[\r\n * doc\r\n * @key a []string \"{<x>}:\\n\" absent=\"\" # d\r\n *   more ]==] -- @since redis 7.0\r\nx()\r\n-- @key b int")
	f.Add("-- @return {code, a [len(x)]map(string,json(\"a/b\".C))?(\"\"), b Name{c bool(\"y\",\"n\") \n--   }, d (rows{a enum s})?}")
	f.Add("-- @arg a int?(-1) min=1 max=1h as .T secret in=keys routing x=1,2\n\n-- @code nil none error {a int}\n-- @enum a int\n-- @value b -1")
	for _, c := range mistakes {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		header, findings := parse(text)
		for _, finding := range findings {
			checkSpan(t, finding.Span)
			for _, note := range finding.Notes {
				checkSpan(t, note.Span)
			}
		}
		checkSpan(t, header.Body)
		for _, tag := range header.Tags {
			base := tag.Base()
			checkSpan(t, base.Whole)
			if !strings.HasPrefix(base.Whole.Text(), "@") || base.Name.Span.Start != base.Whole.Start {
				t.Errorf("%q does not begin with its name", base.Whole.Text())
			}
			if base.Name.Span.Text() != "@"+base.Name.Text {
				t.Errorf("the name %q is at %q", base.Name.Text, base.Name.Span.Text())
			}
			checkTag(t, tag)
		}
		for _, word := range words(header) {
			checkWord(t, word)
		}
	})
}

func checkSpan(t *testing.T, span diag.Span) {
	t.Helper()
	if !span.IsValid() || span.Start < 0 || span.Start > span.End || span.End > len(span.File.Text) {
		t.Fatalf("bad place %d, %d", span.Start, span.End)
	}
}

// checkWord compares a word with its place. A name has an @ before it there, a string is quoted, and a text may go on
// over lines.
func checkWord(t *testing.T, word annotations.Word) {
	t.Helper()
	if strings.ContainsAny(word.Text, "\r\n") && !strings.HasPrefix(word.Span.Text(), `"`) {
		t.Errorf("line end in %q", word.Text)
	}
	if !word.IsValid() {
		if word.Text != "" {
			t.Errorf("%q is nowhere", word.Text)
		}
		return
	}
	checkSpan(t, word.Span)
	place := word.Span.Text()
	if word.Text == "" || place[0] == '@' || place[0] == '"' || strings.ContainsAny(place, "\r\n") {
		return
	}
	if place != word.Text {
		t.Errorf("%q is at %q", word.Text, place)
	}
}

// checkTag looks at what is no word.
func checkTag(t *testing.T, tag annotations.Tag) {
	switch tag := tag.(type) {
	case *annotations.KeyTag:
		checkOptions(t, &tag.TagBase, tag.Options)
		if tag.Template != nil {
			checkSpan(t, tag.Template.Span)
			for _, part := range tag.Template.Parts {
				checkSpan(t, part.Span)
				if part.Text == "" {
					t.Errorf("an empty part in %q", tag.Template.Span.Text())
				}
			}
		}
	case *annotations.ArgTag:
		checkOptions(t, &tag.TagBase, tag.Options)
		checkType(t, &tag.TagBase, tag.Type)
	case *annotations.ReturnTag:
		checkType(t, &tag.TagBase, tag.Type)
	case *annotations.CodeTag:
		checkType(t, &tag.TagBase, tag.Payload)
	}
}

func checkOptions(t *testing.T, tag *annotations.TagBase, options []annotations.Option) {
	for _, o := range options {
		checkSpan(t, o.Whole)
		if o.Whole.Start != o.Name.Start || o.Whole.End > tag.Whole.End {
			t.Errorf("the option %q is at %q", o.Name.Text, o.Whole.Text())
		}
	}
}

// checkType looks at whether a type and what is in it lie inside their tag and each other.
func checkType(t *testing.T, tag *annotations.TagBase, typ annotations.Type) {
	if typ == nil {
		return
	}
	outer := typ.TypeSpan()
	checkSpan(t, outer)
	if outer.Start < tag.Whole.Start || outer.End > tag.Whole.End || outer.Start == outer.End {
		t.Errorf("the type %q of %q is at %d, %d", describe(typ), tag.Whole.Text(), outer.Start, outer.End)
	}
	var inner []annotations.Type
	switch typ := typ.(type) {
	case *annotations.NamedType:
		for _, p := range typ.Params {
			inner = append(inner, p.Type)
		}
	case *annotations.OptionalType:
		inner = append(inner, typ.Elem)
	case *annotations.ListType:
		inner = append(inner, typ.Elem)
	case *annotations.RecordType:
		for _, f := range typ.Fields {
			inner = append(inner, f.Type)
		}
	}
	for _, in := range inner {
		if in == nil {
			continue
		}
		if span := in.TypeSpan(); span.Start < outer.Start || span.End > outer.End {
			t.Errorf("%q lies outside %q", span.Text(), outer.Text())
		}
		checkType(t, tag, in)
	}
}
