package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/model"
)

const configName = "redisgen.yaml"

var badConfig = &diag.Kind{ID: "RG301", Name: "bad-configuration", Severity: diag.Error,
	Summary: "The configuration file can't be read, or holds something that redisgen does not know."}

// readConfig reads the configuration of a folder: redisgen.yaml at the root of the module, and that of the folder
// itself, whose settings win.
func readConfig(path string, sink *diag.Sink) (settings, error) {
	var s settings
	abs, err := filepath.Abs(path)
	if err != nil {
		return s, err
	}
	if root := moduleRoot(abs); root != "" && root != abs {
		relative, err := filepath.Rel(abs, root)
		if err != nil {
			return s, err
		}
		if err := s.read(filepath.Join(path, relative, configName), sink); err != nil {
			return s, err
		}
		s.packageName = "" // that of the root is not that of the folders below
	}
	return s, s.read(filepath.Join(path, configName), sink)
}

// moduleRoot returns the nearest folder at or above path that has a go.mod, or "".
func moduleRoot(path string) string {
	for {
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
			return path
		}
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
}

// checkModule warns about a go.mod that does not fit generated code.
func checkModule(abs string, sink *diag.Sink) error {
	root := moduleRoot(abs)
	if root == "" {
		return nil
	}
	path := filepath.Join(root, "go.mod")
	if wd, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(wd, path); err == nil {
			path = relative
		}
	}
	file, err := readFile(path)
	if err != nil {
		return err
	}
	model.CheckModule(file, sink)
	return nil
}

// read adds what a configuration file says; there need not be one.
func (s *settings) read(path string, sink *diag.Sink) error {
	file, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(file.Text), &doc); err != nil {
		sink.Report(badConfig, file.Span(0, 0), "%s", strings.TrimPrefix(err.Error(), "yaml: ")).WithHint("mend the YAML")
		return nil
	}
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		sink.Report(badConfig, nodeSpan(file, root), "the configuration is no mapping").WithHint("write lines such as: package: limits")
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		s.set(file, root.Content[i], root.Content[i+1], sink)
	}
	return nil
}

var configKeys = []string{"package", "initialisms"}

func (s *settings) set(file *diag.File, key, value *yaml.Node, sink *diag.Sink) {
	var err error
	switch key.Value {
	case "package":
		err = value.Decode(&s.packageName)
	case "initialisms":
		s.initialisms = nil
		err = value.Decode(&s.initialisms)
	default:
		f := sink.Report(badConfig, nodeSpan(file, key), "unknown key %s", key.Value)
		if near := diag.Nearest(key.Value, configKeys); near != "" {
			f.WithHint("did you mean %s?", near)
		} else {
			f.WithHint("this version of redisgen knows %s", strings.Join(configKeys, " and "))
		}
		return
	}
	if err != nil {
		want := map[string]string{"package": "a name", "initialisms": "a list of words"}[key.Value]
		sink.Report(badConfig, nodeSpan(file, value), "%s is not %s", key.Value, want).WithHint("write %s", want)
	}
}

// nodeSpan returns where a scalar stands, or the place where anything else begins.
func nodeSpan(file *diag.File, n *yaml.Node) diag.Span {
	start := 0
	for line := 1; line < n.Line; line++ {
		next := strings.IndexByte(file.Text[start:], '\n')
		if next < 0 {
			break
		}
		start += next + 1
	}
	start += n.Column - 1
	end := start
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		end += len(n.Value)
	}
	return file.Span(min(start, len(file.Text)), min(end, len(file.Text)))
}
