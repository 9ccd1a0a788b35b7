package drift

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	tempPrefix = ".redisgen-"
	tempSuffix = ".tmp"
)

// isTemp reports whether a file is what an interrupted run left behind.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Write brings the folder up to date: changes are written in their order, orphans removed, foreign files left alone.
// Each file is whole, the old one or the new one, whenever the process ends.
func Write(dir string, changes []Change) error {
	for _, c := range changes {
		path := filepath.Join(dir, filepath.FromSlash(c.Path))
		var err error
		switch c.State {
		case Foreign:
		case Orphaned:
			err = os.Remove(path)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		default:
			err = writeAtomic(path, c.Data)
		}
		if err != nil {
			return plain(err)
		}
	}
	removeIfEmpty(filepath.Join(dir, bundleDir))
	return nil
}

// removeIfEmpty removes the folder of bundles after the last one; a folder that holds anything stays.
func removeIfEmpty(dir string) { _ = os.Remove(dir) }

// writeAtomic writes a file beside the target and renames it over it.
func writeAtomic(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(dir, tempPrefix+"*"+tempSuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
