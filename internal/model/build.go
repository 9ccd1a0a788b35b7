package model

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/diag"
)

// Input is one script as it was read.
type Input struct {
	Header *annotations.Header
	Bundle *bundle.Bundle
}

// Config is what the command line, the configuration and the folder say.
type Config struct {
	Package     string       // the Go package name; "" takes that of GoFiles, or the folder's name
	Folder      string       // the folder's base name
	GoFiles     []*diag.File // hand-written Go files of the folder, whose names are taken
	Initialisms []string     // words to write in capitals, besides the usual ones
	Reserved    []string     // identifiers of the support code
}

// Build says what the headers of one folder mean. Scripts with mistakes are in the result as far as they go; generate
// from it only if the sink holds no error.
func Build(inputs []Input, config Config, sink *diag.Sink) *Package {
	taken, found := declared(config.GoFiles)
	p := &Package{Name: cmp.Or(config.Package, found, packageNameOf(config.Folder))}
	if !usablePackage(p.Name) {
		var span diag.Span
		if len(inputs) > 0 {
			span = inputs[0].Header.File.Span(0, 0) // to tell which of many folders it is
		}
		f := sink.Report(NoPackageName, span, "the folder %q gives no package name", config.Folder).
			WithHint("add a Go file with a package clause, or pass --package")
		if p.Name != "" {
			f.Message = fmt.Sprintf("Go can't build a package called %s and its tests", p.Name)
			f.WithHint("choose another name")
		}
	}
	for _, name := range config.Reserved {
		if span, clash := taken[name]; clash {
			sink.Report(NameClash, span, "%s is also declared by the generated support code", name).WithHint("rename it")
			continue
		}
		taken[name] = diag.Span{}
	}
	names := namer{more: map[string]bool{}}
	for _, word := range config.Initialisms {
		names.more[strings.ToLower(word)] = true
	}
	scripts := scope{}
	for _, in := range inputs {
		b := &builder{sink: sink, namer: names, header: in.Header, s: &Script{Bundle: in.Bundle}, names: scope{}, enums: map[string]*Enum{}, brokenArgs: map[string]bool{}}
		b.build()
		if b.unnamed {
			continue
		}
		if b.isUnique(scripts) {
			b.declare(taken)
		}
		p.Scripts = append(p.Scripts, b.s)
	}
	slices.SortFunc(p.Scripts, func(a, b *Script) int { return cmp.Compare(a.Name, b.Name) })
	return p
}

// builder builds one script.
type builder struct {
	namer
	sink     *diag.Sink
	header   *annotations.Header
	s        *Script
	nameSpan diag.Span        // where the script's name stands
	unnamed  bool             // it has no name that could be used
	hasCodes bool             // it has @code, perhaps only ones with mistakes in them
	names    scope            // the one namespace of a script
	enums    map[string]*Enum // by name
	idents   []ident          // the Go identifiers that its parts need
	args     []*annotations.ArgTag

	brokenArgs map[string]bool // those with a type that could not be read
	keys       []*annotations.KeyTag
}

func (b *builder) build() {
	b.scriptTags()
	b.enumTags()
	b.argTags()
	b.keyTags()
	b.orderParams()
	b.codeTags()
	b.returnTag()
	b.errorTags()
	b.checkSince()
}

var scriptName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// scriptTags reads what is said once for the script.
func (b *builder) scriptTags() {
	s, h := b.s, b.header
	base := h.File.Name[strings.LastIndexByte(h.File.Name, '/')+1:]
	s.File = base
	s.Name = strings.TrimSuffix(base, ".lua")
	b.nameSpan = h.File.Span(0, 0)
	for _, line := range h.Doc {
		s.Doc = append(s.Doc, line.Text)
	}
	for _, tag := range h.Tags {
		switch t := tag.(type) {
		case *annotations.ScriptTag:
			s.Name, b.nameSpan = t.Script.Text, t.Script.Span
		case *annotations.VersionTag:
			s.Version = t.Version.Text
		case *annotations.SinceTag:
			s.Since = append(s.Since, Since{Server: t.Server.Text, Version: t.Version.Text})
		case *annotations.TimeoutTag:
			s.Timeout, _ = time.ParseDuration(t.Timeout.Text) // the parser has reported a bad one
		case *annotations.FlagTag:
			s.ReadOnly = s.ReadOnly || t.Name.Text == "readonly"
		case *annotations.TextTag:
			b.textTag(t)
		case *annotations.ArgTag:
			b.args = append(b.args, t)
		case *annotations.KeyTag:
			b.keys = append(b.keys, t)
		}
	}
	s.Idempotent = s.Idempotent || s.ReadOnly
	if !scriptName.MatchString(s.Name) {
		if b.nameSpan.Start == b.nameSpan.End { // a bad name in @script was reported by the parser
			b.sink.Report(NoScriptName, b.nameSpan, "%q is no script name", s.Name).
				WithHint("add a line such as: -- @script %s", suggestName(s.Name))
		}
		b.unnamed = true
		return
	}
	s.GoName = b.goName(s.Name)
	if why := unusable(s); why != "" {
		b.sink.Report(ReservedName, b.nameSpan, "a script can't be called %s: %s", s.Name, why).
			WithHint("add a line such as: -- @script %s_script", s.Name)
	}
	if s.Version == "" {
		b.sink.Report(NoVersion, b.nameSpan, "%s has no version", s.Name).WithHint("add a line such as: -- @version 1.0.0")
	}
}

// unusable says why the generated package would not compile with a script of this name.
func unusable(s *Script) string {
	if s.GoName == "Load" || s.GoName == "Infos" || s.GoName == "With" {
		return "Scripts has the method " + s.GoName
	}
	return ""
}

func (b *builder) textTag(t *annotations.TextTag) {
	switch t.Name.Text {
	case "owner":
		b.s.Owner = t.Text.Text
	case "deprecated":
		b.s.Deprecated = t.Text.Text
	case "idempotent":
		b.s.Idempotent, b.s.IdempotentReason = true, t.Text.Text
	}
}

// suggestName makes a script name of a file name.
func suggestName(base string) string {
	name := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(base), "_")
	name = strings.Trim(name, "_0123456789")
	return cmp.Or(name, "my_script")
}

// notYet reports what the language has and this version does not generate.
func (b *builder) notYet(span diag.Span, what string) {
	b.sink.Report(NotYet, span, "%s is not supported yet", what).
		WithHint("this version of redisgen generates scalars, optional ones, tuples and result codes")
}

// enumTags reads @enum and @value.
func (b *builder) enumTags() {
	var enum *Enum
	anyBase := false // the parser has said that the literals have no type
	filled := map[*Enum]bool{}
	spans := map[*Enum]diag.Span{}
	var values, literals scope
	for _, tag := range b.header.Tags {
		switch t := tag.(type) {
		case *annotations.EnumTag:
			enum = nil
			if t.Enum.Text == "" {
				continue
			}
			enum = &Enum{Name: t.Enum.Text, GoName: b.s.GoName + b.goName(t.Enum.Text), IsInt: t.Of.Text == "int", Doc: t.Doc.Text}
			values, literals = scope{}, scope{}
			anyBase = t.Of.Text == ""
			if first := b.enums[enum.Name]; first != nil {
				b.sink.Report(DuplicateName, t.Enum.Span, "another enum is called %s", enum.Name).
					WithNote(spans[first], "the other one is here").WithHint("rename one of the two")
				continue
			}
			b.enums[enum.Name], spans[enum] = enum, t.Enum.Span
			b.s.Enums = append(b.s.Enums, enum)
			what := "the enum " + enum.Name
			b.needs(enum.GoName, t.Enum.Span, what)
			b.needs(enum.GoName+"Values", t.Enum.Span, what)
		case *annotations.ValueTag:
			filled[enum] = true
			if enum != nil && t.Value.Text != "" && t.Literal.Span.IsValid() {
				enum.IsInt = enum.IsInt || anyBase && !t.Literal.IsString
				b.value(enum, t, values, literals)
			}
		}
	}
	for _, e := range b.s.Enums {
		if !filled[e] {
			b.sink.Report(EmptyEnum, spans[e], "the enum %s has no value", e.Name).
				WithHint("add lines such as: -- @value %s %s", "active", map[bool]string{true: "1", false: `"A"`}[e.IsInt])
		}
	}
}

func (b *builder) value(enum *Enum, t *annotations.ValueTag, values, literals scope) {
	if t.Literal.IsString == enum.IsInt {
		b.sink.Report(WrongLiteral, t.Literal.Span, "%s is no %s", t.Literal.Span.Text(), map[bool]string{true: "integer", false: "quoted string"}[enum.IsInt]).
			WithHint("the values of @enum %s are written like %s", enum.Name, map[bool]string{true: "1", false: `"A"`}[enum.IsInt])
		return
	}
	v := EnumValue{Name: t.Value.Text, GoName: enum.GoName + b.goName(t.Value.Text), Literal: t.Literal.Text, Doc: t.Doc.Text}
	fine := values.add(b.sink, DuplicateName, v.Name, t.Value.Span, "another value of "+enum.Name+" is called "+v.Name)
	if literals.add(b.sink, DuplicateLiteral, v.Literal, t.Literal.Span, "another value of "+enum.Name+" has this literal") && fine {
		enum.Values = append(enum.Values, v)
		b.needs(v.GoName, t.Value.Span, "the value "+v.Name)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
