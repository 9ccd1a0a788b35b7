package main

import (
	"errors"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/redisgen/redisgen/annotations"
	"github.com/redisgen/redisgen/gen"
	"github.com/redisgen/redisgen/internal/bundle"
	"github.com/redisgen/redisgen/internal/contract"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/drift"
	"github.com/redisgen/redisgen/internal/lua"
	"github.com/redisgen/redisgen/internal/model"
)

// readScripts reads the headers of the folder's .lua files.
func (d *folder) readScripts(sink *diag.Sink) error {
	files, err := d.readFiles(".lua")
	for _, file := range files {
		var found diag.Sink
		tokens := lua.Scan(file, &found)
		header := annotations.Parse(file, tokens, &found)
		if !header.Ours() {
			d.ignored = append(d.ignored, file.Name)
			continue
		}
		sink.Merge(&found)
		d.scripts = append(d.scripts, model.Input{Header: header, Bundle: bundle.Build(file, tokens)})
	}
	return err
}

// readGoFiles reads the hand-written Go files, whose package-level names are taken.
func (d *folder) readGoFiles() ([]*diag.File, error) {
	all, err := d.readFiles(".go")
	var files []*diag.File
	for _, file := range all {
		if !drift.Ours(file.Name, []byte(file.Text)) && !isTool(file.Text) {
			files = append(files, file)
		}
	}
	return files, err
}

// isTool reports whether a Go file is a program of its own, as //go:build ignore says, and no part of the package.
func isTool(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(line)
			return err == nil && expr.String() == "ignore"
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			break
		}
	}
	return false
}

// readFiles reads the files of the folder with an extension. Hidden ones are the locks and backups of editors and
// operating systems; the go command ignores them, too.
func (d *folder) readFiles(ext string) ([]*diag.File, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, plainPathError(err)
	}
	var files []*diag.File
	for _, entry := range entries {
		name := entry.Name()
		if filepath.Ext(name) != ext || strings.HasPrefix(name, ".") || ext == ".go" && strings.HasPrefix(name, "_") {
			continue
		}
		path := filepath.Join(d.path, name)
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() || errors.Is(err, fs.ErrNotExist) && ext == ".go" {
			continue // a folder, or a link that leads nowhere: it declares no names
		}
		file, err := readFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// readContract reads which files the last run generated. An unreadable contract says only that there was a run: its
// files are then known by their first lines.
func (d *folder) readContract() error {
	if info, err := os.Lstat(filepath.Join(d.path, gen.BundleDir)); err != nil || !info.IsDir() {
		return nil // also for a link: what is behind it is not ours
	}
	path := filepath.Join(d.path, filepath.FromSlash(gen.ContractPath))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return plainPathError(err)
	}
	d.recorded = map[string]string{}
	if c, err := contract.Parse(data); err == nil && c.Files != nil {
		d.recorded = c.Files
	}
	return nil
}

// readFile reads a source and names it as a user would, relative to where the command runs.
func readFile(path string) (*diag.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	return diag.NewFile(filepath.ToSlash(path), string(data)), nil
}

// checkPackageName compares the name of the generated package with the clauses of the files beside it.
func checkPackageName(name string, files []*diag.File, sink *diag.Sink) {
	for _, file := range files {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, file.Name, file.Text, parser.PackageClauseOnly)
		if err != nil { // the go command says so
			continue
		}
		clause := tree.Name.Name
		if name == "" || clause == name || strings.HasSuffix(file.Name, "_test.go") && clause == name+"_test" {
			continue
		}
		start := fset.PositionFor(tree.Name.Pos(), false).Offset
		sink.Report(packageMismatch, file.Span(start, start+len(clause)), "this is package %s, the generated one would be %s", clause, name).
			WithHint("all Go files of a folder are one package; leave out --package, and package: in %s, to take the name of the files beside it", configName)
	}
}
