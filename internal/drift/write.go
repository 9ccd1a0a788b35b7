package drift

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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

// Write brings the folder up to date: orphans are removed, then changes written in their order; foreign files are left
// alone. Each file is whole, the old one or the new one, whenever the process ends.
func Write(dir string, changes []Change) error {
	if err := removeOrphans(dir, changes); err != nil {
		return err
	}
	for _, c := range changes {
		if c.State == Foreign || c.State == Orphaned {
			continue
		}
		if err := writeAtomic(filepath.Join(dir, filepath.FromSlash(c.Path)), c.Data); err != nil {
			return plain(err)
		}
	}
	return nil
}

// removeOrphans removes what is left over, first of all: where file names ignore case, the orphan may be the old
// spelling of a file that is to be written.
func removeOrphans(dir string, changes []Change) error {
	removed := false
	for _, c := range changes {
		if c.State != Orphaned {
			continue
		}
		err := os.Remove(filepath.Join(dir, filepath.FromSlash(c.Path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plain(err)
		}
		removed = removed || strings.HasPrefix(c.Path, bundleDir+"/")
	}
	if removed {
		removeIfEmpty(filepath.Join(dir, bundleDir))
	}
	return nil
}

// removeIfEmpty removes the folder of bundles after the last one; a folder that holds anything stays.
func removeIfEmpty(dir string) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) == 0 {
		_ = os.Remove(dir)
	}
}

// writeAtomic writes a file beside the target and renames it over it. A second run at the same time may take the file
// for a leftover and remove it; then it is written again.
func writeAtomic(path string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	for range 5 {
		if err = replace(path, data); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

func replace(path string, data []byte) (err error) {
	f, err := createTemp(filepath.Dir(path))
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
	if info, err := os.Lstat(path); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil { // a crash of the machine must not leave a new name with no content
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// createTemp is os.CreateTemp, but with the mode that the user's umask gives to new files. The name is random: a process
// id is not enough, because containers that share a folder have the same ones, and a run that had its file removed and
// made again by another would rename the other's file.
func createTemp(dir string) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s%016x%s", tempPrefix, rand.Uint64(), tempSuffix)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
