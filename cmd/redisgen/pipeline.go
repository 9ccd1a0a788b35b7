package main

import (
	"cmp"
	"path/filepath"

	"github.com/redisgen/redisgen/gen"
	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/drift"
	"github.com/redisgen/redisgen/internal/model"
)

// folder is one folder on its way through the pipeline.
type folder struct {
	path     string
	ignored  []string          // .lua files that are no scripts of redisgen
	scripts  []model.Input     // those that are
	files    []gen.File        // what should stand in the folder; empty if it has no script
	recorded map[string]string // digests of the generated files, by the contract on disk; nil without a contract
	changes  []drift.Change    // how the disk differs from files
}

// name returns how a user would name a file of the folder.
func (d *folder) name(path string) string {
	return filepath.ToSlash(filepath.Join(d.path, filepath.FromSlash(path)))
}

// loadAll reads the folders that the arguments name and compares them with what should be there. A mistake in one
// folder hides nothing of the others.
func loadAll(args []string, flags settings, sink *diag.Sink) ([]*folder, error) {
	paths, err := folders(args)
	if err != nil {
		return nil, err
	}
	var all []*folder
	for _, path := range paths {
		var found diag.Sink
		d, err := load(path, flags, &found)
		if err != nil {
			return nil, err
		}
		if found.Errors() == 0 { // what can't be generated can't be compared
			if err := d.compare(&found); err != nil {
				return nil, err
			}
		}
		sink.Merge(&found)
		all = append(all, d)
	}
	return all, nil
}

// load reads a folder and generates its files in memory. Mistakes go to the sink.
func load(path string, flags settings, sink *diag.Sink) (*folder, error) {
	d := &folder{path: path}
	if err := d.readContract(); err != nil {
		return nil, err
	}
	if err := d.readScripts(sink); err != nil {
		return nil, err
	}
	if len(d.scripts) == 0 {
		return d, nil
	}
	config, err := readConfig(path, sink)
	if err != nil {
		return nil, err
	}
	goFiles, err := d.readGoFiles()
	if err != nil {
		return nil, err
	}
	reserved, err := gen.SupportNames()
	if err != nil {
		return nil, err
	}
	place, err := realPath(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	p := model.Build(d.scripts, model.Config{
		Package:     cmp.Or(flags.packageName, config.packageName),
		Folder:      filepath.Base(place),
		GoFiles:     goFiles,
		Initialisms: config.initialisms,
		Reserved:    reserved,
	}, sink)
	checkPackageName(p.Name, goFiles, sink)
	if err := checkModule(path, sink); err != nil {
		return nil, err
	}
	if sink.Errors() > 0 {
		return d, nil
	}
	d.files, err = gen.Package(p, version())
	return d, err
}

// compare finds out how the disk differs from what should be there.
func (d *folder) compare(sink *diag.Sink) error {
	if d.idle() {
		return nil
	}
	var want []drift.File
	for _, f := range d.files {
		want = append(want, drift.File(f))
	}
	var err error
	if d.changes, err = drift.Compare(d.path, want, d.recorded); err != nil {
		return err
	}
	for _, c := range d.changes {
		if c.State == drift.Foreign {
			span := diag.NewFile(d.name(c.Path), "").Span(0, 0)
			sink.Report(foreignFile, span, "redisgen did not write this, and will not overwrite it").
				WithHint("move or rename it")
		}
	}
	return nil
}

// idle reports whether there is nothing for redisgen to do: there is no script, and there never was one.
func (d *folder) idle() bool { return len(d.scripts) == 0 && d.recorded == nil }
