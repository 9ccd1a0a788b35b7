package model

import "github.com/redisgen/redisgen/internal/diag"

// ident is a package-level Go identifier that a part of a script needs.
type ident struct {
	name string
	span diag.Span // where the part has its name
	what string    // the part, as a message calls it
}

func (b *builder) needs(name string, span diag.Span, what string) {
	b.idents = append(b.idents, ident{name, span, what})
}

// isUnique reports a script that has the name of another one, or one that is the same in Go.
func (b *builder) isUnique(scripts scope) bool {
	what := "another script is called " + b.s.Name
	if !scripts.add(b.sink, DuplicateName, b.s.Name, b.nameSpan, what) {
		return false
	}
	// No name of the header has a capital, so the scope holds both.
	what = "another script becomes " + b.s.GoName + " in Go, too"
	return scripts.add(b.sink, NameClash, b.s.GoName, b.nameSpan, what)
}

// declare reports the script's Go identifiers that the package has already.
func (b *builder) declare(taken scope) {
	s := b.s
	names := []string{s.GoName + "Script", s.GoName + "Executor", s.GoName + "Func", s.GoName + "SHA", s.GoName + "Version",
		s.GoName + "Owner", LowerFirst(s.GoName) + "Source", LowerFirst(s.GoName) + "Text", "TestRedisgen" + s.GoName}
	if len(s.Params) > 0 {
		names = append(names, s.GoName+"Params")
	}
	if len(s.Keys) > 0 {
		names = append(names, s.GoName+"Keys")
	}
	if len(s.Codes) > 0 {
		names = append(names, s.GoName+"Code", s.GoName+"CodeValues")
	}
	if s.Result.Shape == Struct || s.Result.Shape == Bare {
		names = append(names, s.GoName+"Result")
	}
	if s.Result.Shape != Void {
		names = append(names, "decode"+s.GoName)
	}
	var all []ident
	for _, name := range names {
		all = append(all, ident{name, b.nameSpan, s.Name})
	}
	reported := map[[2]diag.Span]bool{} // two names may clash in several identifiers
	for _, id := range append(all, b.idents...) {
		first, clash := taken[id.name]
		if !clash {
			taken[id.name] = id.span
			continue
		}
		if both := [2]diag.Span{id.span, first}; !reported[both] {
			reported[both] = true
			id.clash(first, b.sink)
		}
	}
}

// clash reports an identifier that is taken, with the place of what has it; the support code has none.
func (id ident) clash(first diag.Span, sink *diag.Sink) {
	f := sink.Report(NameClash, id.span, "%s needs the Go identifier %s, which is taken", id.what, id.name)
	if first.IsValid() {
		f.WithNote(first, "the other one is here").WithHint("rename one of the two")
	} else {
		f.WithHint("choose another name: the generated support code has it")
	}
}
