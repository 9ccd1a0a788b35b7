// Package drift compares generated files with those on disk, and writes what differs.
//
// A file is ours if its first lines say that redisgen generated it, or if it is what the last run recorded. A file that
// is not ours is never overwritten and never removed, and neither is a link or a folder with the name of one of ours.
package drift

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// File is a file as it should be.
type File struct {
	Path string // relative to the folder, with slashes
	Data []byte // with LF line ends
}

// State says how a file on disk differs from what it should be.
type State uint8

// The states.
const (
	Missing  State = iota + 1 // it is not there
	Changed                   // it is as the last run wrote it, and would be written differently now
	Edited                    // it is neither as the last run wrote it nor as it should be
	Orphaned                  // it is ours, and should not be there
	Foreign                   // it should be there, but something else has its name
)

// Change is a file that differs.
type Change struct {
	File  // without Data if it is orphaned or foreign
	State State
}

const (
	bundleDir = "redisgen"                   // the folder below that of the package
	record    = bundleDir + "/contract.json" // what the next run knows the last one by
)

// Compare returns the files of the folder dir that differ from want: the wanted ones in their order, then those that
// are left over. recorded holds the digests of what the last run wrote, by path; it may be nil.
//
// Line ends don't count: a checkout may have turned LF into CRLF.
func Compare(dir string, want []File, recorded map[string]string) ([]Change, error) {
	bundles, err := lookAt(filepath.Join(dir, bundleDir))
	if err != nil {
		return nil, err
	}
	blocked := bundles != nothing && bundles != aFolder
	var changes []Change
	wanted := map[string]bool{}
	for _, file := range want {
		wanted[file.Path] = true
		if blocked && strings.HasPrefix(file.Path, bundleDir+"/") {
			if !wanted[bundleDir] { // one finding for all files that would stand below it
				changes = append(changes, Change{File: File{Path: bundleDir}, State: Foreign})
			}
			wanted[bundleDir] = true
			continue
		}
		state, err := compare(dir, file, recorded)
		if err != nil {
			return nil, err
		}
		switch state {
		case 0:
		case Foreign:
			changes = append(changes, Change{File: File{Path: file.Path}, State: state})
		default:
			changes = append(changes, Change{File: file, State: state})
		}
	}
	folders := []string{"."}
	if bundles == aFolder {
		folders = append(folders, bundleDir)
	}
	left, err := orphans(dir, folders, wanted, recorded)
	if err != nil {
		return nil, err
	}
	return append(changes, left...), nil
}

// thing is what has a name on disk.
type thing uint8

const (
	nothing thing = iota
	aFile
	aFolder
	aLink // or a device, a socket: somebody's doing, as are links
)

func lookAt(path string) (thing, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nothing, nil
	case err != nil:
		return nothing, plain(err)
	case info.Mode().IsRegular():
		return aFile, nil
	case info.IsDir():
		return aFolder, nil
	}
	return aLink, nil
}

func compare(dir string, file File, recorded map[string]string) (State, error) {
	path := filepath.Join(dir, filepath.FromSlash(file.Path))
	found, err := lookAt(path)
	switch {
	case err != nil:
		return 0, err
	case found == nothing:
		return Missing, nil
	case found != aFile:
		return Foreign, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, plain(err)
	}
	digest, known := recorded[file.Path]
	switch asRecorded := known && digest == Digest(data); {
	case bytes.Equal(lf(data), lf(file.Data)):
		return 0, nil
	case asRecorded, !known && Ours(file.Path, data):
		return Changed, nil
	case Ours(file.Path, data), known && len(data) == 0: // in an empty file nothing is lost
		return Edited, nil
	}
	return Foreign, nil
}

// orphans returns the files of ours in the folders that nothing wants any more. The record comes last, so that a run
// that ends before is noticed by the next one.
func orphans(dir string, folders []string, wanted map[string]bool, recorded map[string]string) ([]Change, error) {
	var found []Change
	for _, sub := range folders {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			return nil, plain(err)
		}
		for _, entry := range entries {
			path := entry.Name()
			if sub != "." {
				path = sub + "/" + path
			}
			if wanted[path] || !entry.Type().IsRegular() {
				continue
			}
			mine, err := orphaned(dir, path, recorded[path])
			if err != nil {
				return nil, err
			}
			if mine {
				found = append(found, Change{File: File{Path: path}, State: Orphaned})
			}
		}
	}
	slices.SortFunc(found, func(a, b Change) int {
		switch {
		case a.Path == record:
			return +1
		case b.Path == record:
			return -1
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return found, nil
}

// orphaned reports whether a file that nothing wants is ours.
func orphaned(dir, path, recorded string) (bool, error) {
	if isTemp(filepath.Base(path)) {
		return true, nil
	}
	if recorded == "" && !mayBeOurs(path) {
		return false, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) { // another run was faster
		return false, nil
	}
	if err != nil {
		return false, plain(err)
	}
	return Ours(path, data) || recorded == Digest(data), nil
}

// mayBeOurs tells by the name whether a file is worth reading.
func mayBeOurs(path string) bool {
	return strings.HasPrefix(path, bundleDir+"/") || strings.HasSuffix(path, ".redisgen.go") ||
		path == "redisgen.go" || strings.HasPrefix(path, "redisgen_") && strings.HasSuffix(path, ".go")
}

var (
	mark          = regexp.MustCompile(`^(//|--) Code generated by redisgen[; ].*DO NOT EDIT\.$`)
	generatorMark = regexp.MustCompile(`(?m)^\s*"generator": "redisgen `) // JSON has no comments
)

// Ours tells by the content whether redisgen wrote a file. The mark may stand below a line of somebody else's.
func Ours(path string, data []byte) bool {
	if strings.HasSuffix(path, ".json") {
		return generatorMark.Match(data)
	}
	for i, line := range bytes.SplitN(lf(data), []byte("\n"), 4) {
		if i < 3 && mark.Match(line) {
			return true
		}
	}
	return false
}

func lf(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// Digest returns the SHA-256 of data in hex, with its line ends as LF.
func Digest(data []byte) string {
	sum := sha256.Sum256(lf(data))
	return hex.EncodeToString(sum[:])
}

// plain names the file and the reason, without the system call.
func plain(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return fmt.Errorf("%s: %w", filepath.ToSlash(pathErr.Path), pathErr.Err)
	case errors.As(err, &linkErr):
		return fmt.Errorf("%s: %w", filepath.ToSlash(linkErr.New), linkErr.Err)
	}
	return err
}
