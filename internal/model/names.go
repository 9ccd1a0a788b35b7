package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"unicode"

	"github.com/redisgen/redisgen/internal/diag"
)

// initialisms are written in capitals in Go names, as Go's style guides ask.
var initialisms = map[string]bool{}

func init() {
	for _, word := range strings.Fields(`acl api ascii cpu css dns eof guid html http https id ip json lhs qps ram rhs
		rpc sla smtp sql ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml xmpp xsrf xss`) {
		initialisms[word] = true
	}
}

// namer makes Go names.
type namer struct{ more map[string]bool }

// goName returns the exported Go name of a name of the header: retry_after becomes RetryAfter, user_id UserID.
func (n namer) goName(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		if initialisms[word] || n.more[word] {
			b.WriteString(strings.ToUpper(word))
		} else if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// LowerFirst returns the unexported form of an exported name: SlidingWindow becomes slidingWindow, TTLCheck ttlCheck.
func LowerFirst(name string) string {
	upper := 0
	for upper < len(name) && unicode.IsUpper(rune(name[upper])) {
		upper++
	}
	if upper > 1 && upper < len(name) && !unicode.IsDigit(rune(name[upper])) {
		upper-- // the last capital begins the next word
	}
	return strings.ToLower(name[:upper]) + name[upper:]
}

// scope finds names that stand twice.
type scope map[string]diag.Span

// add reports a name that the scope has already, with both places.
func (s scope) add(sink *diag.Sink, kind *diag.Kind, name string, span diag.Span, what string) bool {
	first, clash := s[name]
	if !clash {
		s[name] = span
		return true
	}
	f := sink.Report(kind, span, "%s", what)
	if first.IsValid() {
		f.WithNote(first, "the other one is here")
	}
	f.WithHint("rename one of the two")
	return false
}

// declared are the package-level names of hand-written Go files.
func declared(files []*diag.File) (names scope, packageName string) {
	names = scope{}
	for _, file := range files {
		fset := token.NewFileSet()
		tree, _ := parser.ParseFile(fset, file.Name, file.Text, parser.SkipObjectResolution) // a partial tree will do
		if tree == nil || tree.Name == nil {
			continue
		}
		if packageName == "" && !strings.HasSuffix(file.Name, "_test.go") && tree.Name.Name != "_" { // a broken clause
			packageName = tree.Name.Name
		}
		if strings.HasSuffix(tree.Name.Name, "_test") { // an external test package shares no names
			continue
		}
		for _, id := range topLevel(tree) {
			start := fset.Position(id.Pos()).Offset
			names[id.Name] = file.Span(start, start+len(id.Name))
		}
	}
	return names, packageName
}

func topLevel(tree *ast.File) []*ast.Ident {
	var ids []*ast.Ident
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" && d.Name.Name != "_" {
				ids = append(ids, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					ids = append(ids, s.Name)
				case *ast.ValueSpec:
					ids = append(ids, s.Names...)
				}
			}
		}
	}
	return ids
}

// packageNameOf makes a package name from a folder's name, or returns "".
func packageNameOf(folder string) string {
	name := strings.ToLower(folder)
	name = strings.TrimPrefix(name, "go-")
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, name)
	if name = strings.Trim(name, "_"); !usablePackage(name) || name == "main" {
		return ""
	}
	return name
}

// usablePackage reports whether a package can have the name. The go command takes files of package documentation for no
// code, and tests of a package whose name ends in _test for those of another one.
func usablePackage(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "documentation" && !strings.HasSuffix(name, "_test")
}
