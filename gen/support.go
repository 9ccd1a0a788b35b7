package gen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/redisgen/redisgen/templates"
)

// supportLayout says which files of the support code make up which generated file. The empty name stands for what is
// generated from the model: type Scripts and its methods.
var supportLayout = []struct {
	path  string
	parts []string
}{
	{"redisgen.go", []string{"", "redisgen.go", "failure.go"}},
	{"redisgen_call.go", []string{"call.go", "queue.go", "observe.go"}},
	{"redisgen_reply.go", []string{"reply.go"}},
	{"redisgen_args.go", []string{"args.go"}},
}

// source is a Go file as text.
type source struct {
	path string
	text []byte
}

// decl is a declaration at package level.
type decl struct {
	text     string
	names    []string        // what it declares; for a method its name
	receiver string          // of a method
	plain    map[string]bool // identifiers in it that are no selectors
	selected map[string]bool // identifiers after a dot
	imports  map[string]string
}

// supportFiles returns the support code that the sources need. Exported declarations are always in it, for they are
// what users write against; an unexported one only if something refers to it, so that generated packages hold no dead
// code.
func supportFiles(packageName string, scripts []byte, sources []source) ([]File, error) {
	parts := map[string][]*decl{}
	var all []*decl
	for _, layout := range supportLayout {
		for _, part := range layout.parts {
			text := scripts
			if part != "" {
				var err error
				if text, err = templates.Runtime.ReadFile("runtime/" + part); err != nil {
					return nil, err
				}
			}
			decls, err := parseDecls(source{path: part, text: text})
			if err != nil {
				return nil, err
			}
			parts[part] = decls
			all = append(all, decls...)
		}
	}
	var roots []*decl
	for _, s := range sources {
		decls, err := parseDecls(s)
		if err != nil {
			return nil, err
		}
		roots = append(roots, decls...)
	}
	keep := reachable(all, append(roots, parts[""]...))
	var files []File
	for _, layout := range supportLayout {
		var decls []*decl
		for _, part := range layout.parts {
			for _, d := range parts[part] {
				if keep[d] {
					decls = append(decls, d)
				}
			}
		}
		if len(decls) == 0 {
			continue
		}
		data, err := joinDecls(packageName, decls)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", layout.path, err)
		}
		files = append(files, File{Path: layout.path, Data: data})
	}
	return files, nil
}

// SupportNames returns the identifiers that a user's package can't declare: those of the support code and its test, and
// the names under which generated files import packages.
func SupportNames() ([]string, error) {
	names := []string{"Scripts", "NewScripts", "scriptsOf", "scriptSources", "TestRedisgen", "redisgenRecorder"}
	imports := map[string]bool{}
	for _, name := range strings.Fields("context encoding errors fmt hex math os redis reflect sha1 slices strconv strings testing time") {
		imports[name] = true // of the files that are made from the model
	}
	for _, layout := range supportLayout {
		for _, part := range layout.parts {
			if part == "" {
				continue
			}
			text, err := templates.Runtime.ReadFile("runtime/" + part)
			if err != nil {
				return nil, err
			}
			decls, err := parseDecls(source{path: part, text: text})
			if err != nil {
				return nil, err
			}
			for _, d := range decls {
				if d.receiver == "" {
					names = append(names, d.names...)
				}
				for name := range d.imports {
					imports[name] = true
				}
			}
		}
	}
	for name := range imports {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// parseDecls splits a file into its declarations, doc comments included.
func parseDecls(s source) ([]*decl, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, s.path, s.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	imports := map[string]string{}
	for _, spec := range tree.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		imports[importName(spec, path)] = path
	}
	var decls []*decl
	for _, d := range tree.Decls {
		out := &decl{plain: map[string]bool{}, selected: map[string]bool{}, imports: imports}
		start := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			out.names = []string{d.Name.Name}
			if d.Recv != nil {
				out.receiver = receiverName(d.Recv.List[0].Type)
			}
			if d.Doc != nil {
				start = d.Doc.Pos()
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			out.names = specNames(d)
			if d.Doc != nil {
				start = d.Doc.Pos()
			}
		}
		end := fset.Position(d.End()).Offset
		if nl := bytes.IndexByte(s.text[end:], '\n'); nl >= 0 { // a comment on the last line belongs to it
			end += nl
		}
		out.text = string(s.text[fset.Position(start).Offset:end])
		collect(d, out)
		decls = append(decls, out)
	}
	return decls, nil
}

// importName returns the name by which a file knows an import.
func importName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = elements[len(elements)-2] // a major version, as in math/rand/v2
	}
	return strings.TrimPrefix(last, "go-")
}

func receiverName(t ast.Expr) string {
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func specNames(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, id := range s.Names {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

func collect(n ast.Node, out *decl) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			out.selected[n.Sel.Name] = true
			collect(n.X, out)
			return false
		case *ast.FuncDecl:
			for _, child := range []ast.Node{n.Recv, n.Type, n.Body} {
				if child != nil && child != ast.Node((*ast.FieldList)(nil)) && child != ast.Node((*ast.BlockStmt)(nil)) {
					collect(child, out)
				}
			}
			return false
		case *ast.Ident:
			out.plain[n.Name] = true
		}
		return true
	})
}

// reachable returns the declarations that are exported, in roots, or referred to by those that are kept.
func reachable(all, roots []*decl) map[*decl]bool {
	keep := map[*decl]bool{}
	plain, selected := map[string]bool{}, map[string]bool{}
	add := func(d *decl) {
		keep[d] = true
		for name := range d.plain {
			plain[name] = true
		}
		for name := range d.selected {
			selected[name] = true
		}
	}
	for _, d := range roots {
		add(d)
	}
	for grown := true; grown; {
		grown = false
		for _, d := range all {
			if keep[d] || !d.wanted(plain, selected) {
				continue
			}
			add(d)
			grown = true
		}
	}
	return keep
}

func (d *decl) wanted(plain, selected map[string]bool) bool {
	for _, name := range d.names {
		exported := ast.IsExported(name)
		if d.receiver != "" {
			if exported && (plain[d.receiver] || ast.IsExported(d.receiver)) || selected[name] && plain[d.receiver] {
				return true
			}
		} else if exported || plain[name] {
			return true
		}
	}
	return false
}

// joinDecls prints declarations as one file with the imports that they need.
func joinDecls(packageName string, decls []*decl) ([]byte, error) {
	paths := map[string]bool{}
	for _, d := range decls {
		for name, path := range d.imports {
			if d.plain[name] {
				paths[path] = true
			}
		}
	}
	var std, others []string
	for path := range paths {
		if strings.Contains(path, ".") {
			others = append(others, path)
		} else {
			std = append(std, path)
		}
	}
	slices.Sort(std)
	slices.Sort(others)
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by redisgen; DO NOT EDIT.\n\npackage %s\n\nimport (\n", packageName)
	for _, path := range std {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	b.WriteString("\n")
	for _, path := range others {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	b.WriteString(")\n")
	for _, d := range decls {
		b.WriteString("\n" + d.text + "\n")
	}
	return formatted(b.Bytes())
}
