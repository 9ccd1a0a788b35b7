package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// EnvServers is the environment variable that lists server programs, as PATH lists folders: separated by colons, each
// an absolute path. They are what is started instead of the servers on PATH.
const EnvServers = "REDISGEN_SERVERS"

// program is a server that can be started.
type program struct {
	path    string
	kind    Kind
	version string // "7.0.15"
}

// name is what the program's subtest is called, "redis-7.0": patch releases come and go, names in logs stay.
func (p program) name() string { return shortName(p.kind, p.version) }

func shortName(kind Kind, version string) string {
	parts := strings.SplitN(version, ".", 3)
	if version == "" {
		return string(kind)
	}
	return string(kind) + "-" + strings.Join(parts[:min(2, len(parts))], ".")
}

// programPaths returns the servers that can be started, without a look at them: those of REDISGEN_SERVERS, else those on
// PATH, else none.
func programPaths() ([]string, error) {
	if !canStart {
		return nil, nil
	}
	if list := os.Getenv(EnvServers); list != "" {
		paths := filepath.SplitList(list)
		for _, path := range paths {
			// Tests run in the folders of their packages, each in another one.
			if !filepath.IsAbs(path) {
				return nil, fmt.Errorf("redistest: %s lists %q, which is not an absolute path", EnvServers, path)
			}
		}
		return paths, nil
	}
	var paths []string
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// programs is programPaths with a look at each.
func programs(ctx context.Context) ([]program, error) {
	paths, err := programPaths()
	if err != nil {
		return nil, err
	}
	var all []program
	for _, path := range paths {
		p, err := inspect(ctx, path)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

var versionLine = regexp.MustCompile(`^(Redis|Valkey) server v=(\S+)`)

// inspect asks a program what it is.
func inspect(ctx context.Context, path string) (program, error) {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return program{}, fmt.Errorf("redistest: %s does not say its version: %w", path, err)
	}
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return program{}, fmt.Errorf("redistest: %s is no server of Redis or Valkey", path)
	}
	return program{path: path, kind: Kind(strings.ToLower(string(m[1]))), version: string(m[2])}, nil
}

// required are the servers that a run in CI has to have seen.
var required = []struct {
	kind    Kind
	version string // how it begins
	name    string
}{
	{Redis, "7.0.", "Redis 7.0"},
	{Redis, "8.", "Redis 8"},
	{Valkey, "8.", "Valkey 8"},
}

// complete says which of the required servers are missing.
func complete(all []program) error {
	var missing []string
	for _, want := range required {
		found := false
		for _, p := range all {
			found = found || p.kind == want.kind && strings.HasPrefix(p.version, want.version)
		}
		if !found {
			missing = append(missing, want.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return errors.New("redistest: no " + strings.Join(missing, ", no ") + "; in CI (the variable CI is set) a matrix needs them all: list their programs in " + EnvServers)
}
