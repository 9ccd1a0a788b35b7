package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/redisgen/redisgen/internal/diag"
	"github.com/redisgen/redisgen/internal/model"
)

const configName = "redisgen.yaml"

// settings are what the flags and the configuration say.
type settings struct {
	packageName string
	initialisms []string
}

// readConfig reads the configuration of a folder: redisgen.yaml at the root of the module, and that of the folder
// itself, whose settings win.
func readConfig(path string, sink *diag.Sink) (settings, error) {
	var s settings
	root, err := moduleRoot(path)
	if err != nil {
		return s, err
	}
	if root != "" && root != path {
		if err := s.readFile(filepath.Join(root, configName), sink); err != nil {
			return s, err
		}
		s.packageName = "" // that of the root is not that of the folders below
	}
	return s, s.readFile(filepath.Join(path, configName), sink)
}

// moduleRoot returns the nearest folder at or above path that has a go.mod, as a user would name it, or "".
func moduleRoot(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for place := abs; ; place = filepath.Dir(place) {
		info, err := os.Stat(filepath.Join(place, "go.mod"))
		switch {
		case err == nil && !info.IsDir():
			return namedFrom(path, abs, place)
		case place == filepath.Dir(place):
			return "", nil
		}
	}
}

// namedFrom names a folder at or above another one as that is named: the root of ./a/b is ., that of /x/a/b is /x.
func namedFrom(path, abs, above string) (string, error) {
	if filepath.IsAbs(path) {
		return above, nil
	}
	relative, err := filepath.Rel(abs, above)
	if err != nil {
		return "", err
	}
	return filepath.Join(path, relative), nil
}

// checkModule warns about a go.mod that does not fit generated code.
func checkModule(path string, sink *diag.Sink) error {
	root, err := moduleRoot(path)
	if root == "" || err != nil {
		return err
	}
	file, err := readFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	model.CheckModule(file, sink)
	return nil
}

// readFile adds what a configuration file says; there need not be one.
func (s *settings) readFile(path string, sink *diag.Sink) error {
	file, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		s.read(file, sink)
	}
	return err
}

func (s *settings) read(file *diag.File, sink *diag.Sink) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(file.Text), &doc); err != nil {
		span, message := yamlError(file, err)
		sink.Report(badConfig, span, "%s", message).WithHint("mend the YAML")
		return
	}
	if len(doc.Content) == 0 {
		return
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		sink.Report(badConfig, nodeSpan(file, root), "the configuration is no mapping").WithHint("write lines such as: package: limits")
		return
	}
	seen := map[string]diag.Span{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		span := nodeSpan(file, key)
		if first, again := seen[key.Value]; again {
			sink.Report(badConfig, span, "%s is set twice", key.Value).WithNote(first, "the first time is here").WithHint("remove one of the two")
			continue
		}
		seen[key.Value] = span
		s.set(file, key, value, sink)
	}
}

var (
	configKeys = []string{"package", "initialisms"}
	initialism = regexp.MustCompile(`^[A-Za-z0-9]+$`)
)

func (s *settings) set(file *diag.File, key, value *yaml.Node, sink *diag.Sink) {
	switch key.Value {
	case "package":
		if value.Kind != yaml.ScalarNode || value.Tag != "!!str" || !isPackageName(value.Value) {
			sink.Report(badConfig, nodeSpan(file, value), "the value of package is no name of a Go package").
				WithHint("write a line such as: package: limits")
			return
		}
		s.packageName = value.Value
	case "initialisms":
		s.initialisms = nil
		if value.Kind != yaml.SequenceNode {
			sink.Report(badConfig, nodeSpan(file, value), "the value of initialisms is no list").
				WithHint("write a line such as: initialisms: [DB, SKU]")
		}
		for _, word := range value.Content {
			if word.Kind != yaml.ScalarNode || !initialism.MatchString(word.Value) {
				sink.Report(badConfig, nodeSpan(file, word), "an initialism is one word of letters and digits").
					WithHint("write a line such as: initialisms: [DB, SKU]")
				continue
			}
			s.initialisms = append(s.initialisms, word.Value)
		}
	default:
		f := sink.Report(badConfig, nodeSpan(file, key), "unknown key %s", key.Value)
		if near := diag.Nearest(key.Value, configKeys); near != "" {
			f.WithHint("did you mean %s?", near)
		} else {
			f.WithHint("this version of redisgen knows %s", strings.Join(configKeys, " and "))
		}
	}
}

var (
	yamlLine = regexp.MustCompile(`^line (\d+): `)
	// The library counts the lines of these from 0, those of its other messages from 1.
	yamlFromZero = regexp.MustCompile(`^did not find expected ('|<|key$|node content$)`)
)

// yamlError takes the line out of the message of an error and into a span. The library has no column.
func yamlError(file *diag.File, err error) (diag.Span, string) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	number := 0
	m := yamlLine.FindStringSubmatch(message)
	if m != nil {
		number, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	if yamlFromZero.MatchString(message) {
		number++
	}
	for number > 1 && strings.TrimSpace(file.Line(number)) == "" { // the end of the file, of something that began above
		number--
	}
	start := lineStart(file, number)
	line := strings.TrimRight(file.Line(max(number, 1)), " \t")
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	return file.Span(start+indent, start+len(line)), message
}

// nodeSpan returns where a scalar stands, or the place where anything else begins.
func nodeSpan(file *diag.File, n *yaml.Node) diag.Span {
	start := lineStart(file, n.Line)
	for range n.Column - 1 { // the library counts characters
		_, size := utf8.DecodeRuneInString(file.Text[start:])
		start += size
	}
	end := start
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(file.Text[start:], n.Value) {
		end += len(n.Value)
	}
	return file.Span(start, end)
}

// lineStart returns the offset of a line, counted from 1; of the end, if there are not as many.
func lineStart(file *diag.File, number int) int {
	start := 0
	for line := 1; line < number; line++ {
		next := strings.IndexByte(file.Text[start:], '\n')
		if next < 0 {
			return len(file.Text)
		}
		start += next + 1
	}
	return start
}
