package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redisgen/redisgen/gen"
)

// folders returns the folders that the arguments name, sorted: a folder, or a folder and all below it ("./...").
// Without arguments it is the current folder, where go generate runs its commands.
func folders(args []string) ([]string, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	var all []string
	for _, arg := range args {
		root, recursive := strings.CutSuffix(filepath.ToSlash(arg), "...")
		root = filepath.Clean(filepath.FromSlash(root))
		info, err := os.Stat(root)
		switch {
		case err != nil:
			return nil, plainPathError(err)
		case !info.IsDir():
			return nil, fmt.Errorf("%s is a file: name its folder", arg)
		case !recursive:
			all = append(all, root)
			continue
		}
		below, err := foldersBelow(root)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// foldersBelow walks as the go command does: no hidden folders, testdata, vendor or other modules. Folders of bundles
// hold what redisgen wrote, not what it reads.
func foldersBelow(root string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if path != root {
			name := d.Name()
			if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
				name == "testdata" || name == "vendor" || name == "node_modules" || name == gen.BundleDir {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir
			}
		}
		all = append(all, path)
		return nil
	})
	return all, plainPathError(err)
}

// plainPathError drops the name of the system call, which tells a user nothing.
func plainPathError(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return fmt.Errorf("%s: %w", filepath.ToSlash(pathErr.Path), pathErr.Err)
	}
	return err
}
