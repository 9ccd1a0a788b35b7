package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
		if arg == "" { // a shell's unset variable must not mean the current folder
			return nil, errors.New(`"" names no folder`)
		}
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
	return unique(all)
}

// unique sorts the folders and drops those that are named twice, however they are spelt.
func unique(paths []string) ([]string, error) {
	seen := map[string]bool{}
	var all []string
	for _, path := range paths {
		place, err := realPath(path)
		if err != nil {
			return nil, plainPathError(err)
		}
		if !seen[place] {
			seen[place] = true
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all, nil
}

// realPath returns the absolute path of a folder, without links in it.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// foldersBelow walks as the go command does: no hidden folders, testdata, vendor or other modules. Folders of bundles
// hold what redisgen wrote, not what it reads. A root that is a link is followed, links below it are not.
func foldersBelow(root string) ([]string, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(root, filepath.FromSlash(name))
		switch {
		case err != nil:
			return renamed(err, path)
		case !d.IsDir():
			return nil
		case name != "." && skipped(path):
			return fs.SkipDir
		}
		all = append(all, path)
		return nil
	})
	return all, plainPathError(err)
}

func skipped(path string) bool {
	switch name := filepath.Base(path); {
	case strings.HasPrefix(name, "."), strings.HasPrefix(name, "_"),
		name == "testdata", name == "vendor", name == "node_modules", name == gen.BundleDir:
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// renamed names a file as the user would, not as os.DirFS does.
func renamed(err error, path string) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return &fs.PathError{Op: pathErr.Op, Path: path, Err: pathErr.Err}
	}
	return err
}

// plainPathError drops the name of the system call, which tells a user nothing.
func plainPathError(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return fmt.Errorf("%s: %w", filepath.ToSlash(pathErr.Path), pathErr.Err)
	}
	return err
}

// completeFolders lets shells complete names of folders only.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}
