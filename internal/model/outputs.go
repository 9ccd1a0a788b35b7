package model

import (
	"regexp"
	"strings"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/redisinfo"

	"golang.org/x/mod/semver"
)

// codeNames can't be used for codes: generated identifiers end in them, or they are kinds.
var codeNames = strings.Fields(`int string array nil error keys params result code codes script sha version owner
	executor func pending info`)

// codeTags decides the result codes.
func (b *builder) codeTags() {
	names, literals := scope{}, scope{}
	for _, tag := range b.header.Tags {
		t, ok := tag.(*annotations.CodeTag)
		b.hasCodes = b.hasCodes || ok
		if !ok || t.Code.Text == "" {
			continue
		}
		switch {
		case t.Literal == nil:
			if t.Kind.Text != "" {
				b.notYet(t.Kind.Span, "a code for a kind of reply")
			}
			continue
		case t.Payload != nil:
			b.notYet(t.Payload.TypeSpan(), "a payload of its own for a code")
			continue
		}
		for _, reserved := range codeNames {
			if t.Code.Text == reserved {
				b.sink.Report(ReservedName, t.Code.Span, "a code can't be called %s", reserved).WithHint("choose another name")
			}
		}
		c := &Code{Name: t.Code.Text, GoName: b.s.GoName + "Code" + b.goName(t.Code.Text), Literal: t.Literal.Text,
			IsInt: !t.Literal.IsString, IsError: t.Error.Text != "", Doc: t.Doc.Text}
		if c.IsError {
			c.ErrName = "Err" + b.s.GoName + b.goName(c.Name)
		}
		fine := names.add(b.sink, DuplicateName, c.Name, t.Code.Span, "another code is called "+c.Name)
		// 1 and "1" overlap: an integer code also matches its decimal text.
		if !literals.add(b.sink, DuplicateLiteral, c.Literal, t.Literal.Span, "another code has this literal") || !fine {
			continue
		}
		b.s.Codes = append(b.s.Codes, c)
		b.needs(c.GoName, t.Code.Span, "the code "+c.Name)
		if c.IsError {
			b.needs(c.ErrName, t.Code.Span, "the code "+c.Name)
		}
	}
}

// continued is where a tag goes on in the next line: the line end and what begins a comment line.
var continued = regexp.MustCompile(`\s*\n\s*(?:--|\*)?\s*|\s+`)

// returnTag decides the result.
func (b *builder) returnTag() {
	var ret *annotations.ReturnTag
	for _, tag := range b.header.Tags {
		if t, ok := tag.(*annotations.ReturnTag); ok && ret == nil {
			ret = t
		}
	}
	r := &b.s.Result
	if ret == nil {
		r.Text = "void"
		if b.hasCodes {
			r.Shape, r.Text, r.Fields = Bare, "code", []*ResultField{b.codeField()}
		}
		return
	}
	if ret.Type == nil {
		return
	}
	r.Text = continued.ReplaceAllString(ret.Type.TypeSpan().Text(), " ")
	elem, isOptional, absent := optional(ret.Type)
	if record, ok := elem.(*annotations.RecordType); ok {
		if isOptional || record.Name.Text != "" {
			b.notYet(ret.Type.TypeSpan(), "this form of a tuple")
			return
		}
		r.Shape = Struct
		b.tuple(ret, record)
		return
	}
	b.scalarResult(ret, elem, isOptional, absent)
}

func (b *builder) scalarResult(ret *annotations.ReturnTag, elem annotations.Type, isOptional bool, absent *annotations.Literal) {
	r := &b.s.Result
	if n, ok := elem.(*annotations.NamedType); ok && (n.Name.Text == "void" || n.Name.Text == "code") {
		switch {
		case isOptional:
			b.sink.Report(TypePosition, ret.Type.TypeSpan(), "%s can't be optional", n.Name.Text).WithHint("remove the question mark")
		case n.Name.Text == "code" && !b.hasCodes:
			b.sink.Report(CodeWithoutReturn, n.Span, "the script has no @code").WithHint("add lines such as: -- @code 1 done")
		case n.Name.Text == "void" && b.hasCodes:
			b.codesUnused(n.Span)
		case n.Name.Text == "code":
			r.Shape, r.Fields = Bare, []*ResultField{b.codeField()}
		}
		return
	}
	typ, ok := b.scalar(elem)
	if !ok || !b.allowedInReply(typ, isOptional, ret.Type.TypeSpan()) {
		return
	}
	if b.hasCodes {
		b.codesUnused(ret.Type.TypeSpan())
	}
	r.Shape = Scalar
	r.Fields = []*ResultField{{Type: typ, Optional: isOptional, Absent: b.checkAbsent(typ, absent)}}
}

func (b *builder) codesUnused(span diag.Span) {
	b.sink.Report(CodeWithoutReturn, span, "the script has codes, but its result has no code").
		WithHint("write @return {code, …}, or leave @return out")
}

func (b *builder) codeField() *ResultField {
	return &ResultField{Name: "code", GoName: "Code", Type: Type{Kind: CodeOf, Text: "code"}}
}

// tuple decides the fields of a result that is an array.
func (b *builder) tuple(ret *annotations.ReturnTag, record *annotations.RecordType) {
	r := &b.s.Result
	names := scope{}
	hasCode := false
	for i, f := range record.Fields {
		if f.Name.Text == "" || f.Type == nil && f.Name.Text != "code" {
			continue
		}
		if f.Type == nil {
			hasCode = true
			b.codePosition(f, i)
			r.Fields = append(r.Fields, b.codeField())
			names["Code"] = f.Name.Span
			continue
		}
		elem, isOptional, absent := optional(f.Type)
		typ, ok := b.scalar(elem)
		if !ok || !b.allowedInReply(typ, isOptional, f.Type.TypeSpan()) {
			continue
		}
		field := &ResultField{Name: f.Name.Text, GoName: b.goName(f.Name.Text), Type: typ, Optional: isOptional, Absent: b.checkAbsent(typ, absent)}
		names.add(b.sink, NameClash, field.GoName, f.Name.Span, "another field becomes the Go field "+field.GoName+", too")
		r.Fields = append(r.Fields, field)
	}
	if b.hasCodes && !hasCode {
		b.codesUnused(ret.Type.TypeSpan())
	}
}

func (b *builder) codePosition(f annotations.Field, i int) {
	switch {
	case i > 0:
		b.sink.Report(CodeWithoutReturn, f.Name.Span, "the code must come first").WithHint("write @return {code, …}")
	case !b.hasCodes:
		b.sink.Report(CodeWithoutReturn, f.Name.Span, "the script has no @code").WithHint("add lines such as: -- @code 1 done")
	}
}

// allowedInReply reports types that only an argument has.
func (b *builder) allowedInReply(t Type, isOptional bool, span diag.Span) bool {
	switch {
	case t.Kind == Now:
		b.sink.Report(TypePosition, span, "%s is a type of arguments", t.Text).WithHint("use %s", strings.Replace(t.Text, "now", "time", 1))
		return false
	case t.Kind == BoolNil && isOptional:
		b.sink.Report(TypePosition, span, "%s can't be optional: its nil means false", t.Text).WithHint("use bool?")
		return false
	}
	return true
}

// errorTags decides the errors that the script raises.
func (b *builder) errorTags() {
	words, names := scope{}, scope{}
	for _, tag := range b.header.Tags {
		t, ok := tag.(*annotations.ErrorTag)
		if !ok || t.Word.Text == "" || t.Error.Text == "" {
			continue
		}
		if why, reserved := redisinfo.ReservedErrorWord(t.Word.Text); reserved {
			b.sink.Report(ReservedName, t.Word.Span, "%s belongs to Redis: %s", t.Word.Text, why).WithHint("raise another word")
			continue
		}
		e := &Error{Word: t.Word.Text, Name: t.Error.Text, Var: "Err" + b.s.GoName + b.goName(t.Error.Text), Doc: t.Doc.Text}
		fine := words.add(b.sink, DuplicateName, e.Word, t.Word.Span, e.Word+" is declared already")
		if names.add(b.sink, DuplicateName, e.Name, t.Error.Span, "another error is called "+e.Name) && fine {
			b.s.Errors = append(b.s.Errors, e)
			b.needs(e.Var, t.Error.Span, "the error "+e.Name)
		}
	}
}

// checkSince sets the default of @since and reports one that is too old for what the script uses.
func (b *builder) checkSince() {
	least, why := "6.2", ""
	switch {
	case b.header.Shebang.IsValid():
		least, why = "7.0", "the #!lua line"
	case b.s.ReadOnly:
		least, why = "7.0", "@readonly"
	}
	if len(b.s.Since) == 0 {
		b.s.Since = []Since{{Server: "redis", Version: least}}
	}
	for _, tag := range b.header.Tags {
		t, ok := tag.(*annotations.SinceTag)
		if ok && why != "" && t.Server.Text == "redis" && t.Version.Text != "" && semver.Compare("v"+t.Version.Text, "v"+least) < 0 {
			b.sink.Report(BadSince, t.Version.Span, "%s needs redis %s", why, least).WithHint("write: @since redis %s", least)
		}
	}
}
