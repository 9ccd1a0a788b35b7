//go:build unix

package redistest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lastName is what the innermost subtest was called.
func lastName(t *testing.T) string { return t.Name()[strings.LastIndex(t.Name(), "/")+1:] }

func TestMatrix(t *testing.T) {
	dir := real(t)
	all := matrixPrograms(t)
	var names []string
	Matrix(t, func(t *testing.T, s *Server) {
		want := all[len(names)]
		names = append(names, lastName(t))
		if s.Kind != want.kind || s.Version != want.version || !strings.HasPrefix(lastName(t), want.name()) || s.Foreign() {
			t.Errorf("got %s, want %+v", s, want)
		}
		if n, err := s.Client.DBSize(t.Context()).Result(); n != 0 || err != nil {
			t.Errorf("the server has %d keys, %v", n, err)
		}
		s.Client.Set(t.Context(), "k", "v", 0)
		if open := folders(t, dir); len(open) != 1 {
			t.Errorf("servers run in %v", open)
		}
	})
	if len(names) != len(all) {
		t.Errorf("ran on %v, want %v", names, all)
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMatrixWithoutProgram(t *testing.T) {
	embedded(t)
	ran := 0
	Matrix(t, func(t *testing.T, s *Server) {
		if ran++; !s.Embedded() || lastName(t) != "miniredis" {
			t.Errorf("got %s", s)
		}
	})
	if ran != 1 {
		t.Errorf("ran %d times", ran)
	}
}

// An address is somebody's wish, a server on PATH may just be there.
func TestMatrixOnForeignServer(t *testing.T) {
	real(t)
	host := Start(t)
	t.Setenv("CI", "")
	t.Setenv(EnvServers, "")
	t.Setenv(EnvAddr, "unix://"+host.Addr)
	ran := 0
	Matrix(t, func(t *testing.T, s *Server) {
		if ran++; !s.Foreign() || s.Addr != host.Addr || !strings.HasPrefix(lastName(t), string(host.Kind)+"-") {
			t.Errorf("got %s", s)
		}
	})
	if ran != 1 {
		t.Errorf("ran %d times", ran)
	}
}

// pretend makes programs that say what they are and can do nothing else.
func pretend(t *testing.T, says map[string]string) string {
	t.Helper()
	bin := t.TempDir()
	for name, text := range says {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho '"+text+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

func TestPrograms(t *testing.T) {
	const redis, valkey = "Redis server v=7.0.15 sha=0:0 bits=64", "Valkey server v=8.1.1 sha=0:0 bits=64"
	bin := pretend(t, map[string]string{"redis-server": redis, "valkey-server": valkey, "candidate": "Redis server v=8.0-rc1 sha=0", "false": "Hello"})
	at := func(names ...string) string {
		for i, name := range names {
			names[i] = filepath.Join(bin, name)
		}
		return strings.Join(names, ":")
	}
	for _, test := range []struct {
		name, servers, path, want, wrong string
	}{
		{"both on PATH", "", bin, "redis-7.0 valkey-8.1", ""},
		{"none", "", t.TempDir(), "", ""},
		{"listed, in this order", at("valkey-server", "candidate"), bin, "valkey-8.1 redis-8.0-rc1", ""},
		{"relative", "redis-server", bin, "", `"redis-server", which is not an absolute path`},
		{"empty", at("redis-server") + ":", bin, "", `"", which is not`},
		{"not there", at("missing"), bin, "", "missing does not say its version"},
		{"no server", at("false"), bin, "", "false is no server of Redis or Valkey"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(EnvServers, test.servers)
			t.Setenv("PATH", test.path)
			all, err := programs(t.Context())
			var names []string
			for _, p := range all {
				names = append(names, p.name())
			}
			if got := strings.Join(names, " "); got != test.want || (err == nil) != (test.wrong == "") ||
				err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestMatrixIsCompleteInCI(t *testing.T) {
	t.Setenv("CI", "true")
	t.Setenv("PATH", t.TempDir())
	bin := pretend(t, map[string]string{
		"redis-7.0": "Redis server v=7.0.15", "redis-7.4": "Redis server v=7.4.0", "redis-8": "Redis server v=8.2.1",
		"valkey-7": "Valkey server v=7.2.5", "valkey-8": "Valkey server v=8.0.1",
	})
	for _, test := range []struct {
		list    []string
		missing []string
	}{
		{nil, []string{"Redis 7.0", "Redis 8", "Valkey 8"}},
		{[]string{"redis-7.0"}, []string{"Redis 8", "Valkey 8"}},
		{[]string{"redis-7.4", "redis-8", "valkey-8"}, []string{"Redis 7.0"}},
		{[]string{"redis-7.0", "redis-8", "valkey-7"}, []string{"Valkey 8"}},
		{[]string{"valkey-8", "redis-7.4", "redis-8", "redis-7.0"}, nil},
	} {
		var paths []string
		for _, name := range test.list {
			paths = append(paths, filepath.Join(bin, name))
		}
		t.Setenv(EnvServers, strings.Join(paths, ":"))
		o := run(t, func(tb testing.TB) { matrixPrograms(tb) })
		for _, want := range required {
			if strings.Contains(o.fatal, "no "+want.name) != slices.Contains(test.missing, want.name) {
				t.Errorf("%v: %q", test.list, o.fatal)
			}
		}
		if (o.fatal == "") != (test.missing == nil) {
			t.Errorf("%v: %q", test.list, o.fatal)
		}
	}
}

// What only a program can do is skipped by name where there is none, and fails in CI.
func TestWithoutPrograms(t *testing.T) {
	embedded(t)
	for feature, f := range map[string]func(testing.TB){
		"a cluster ":  func(tb testing.TB) { Cluster(tb, 3, 0) },
		"a sentinel ": func(tb testing.TB) { Sentinel(tb) },
	} {
		t.Setenv("CI", "")
		if o := run(t, f); !strings.HasPrefix(o.skipped, feature) || o.fatal != "" {
			t.Errorf("outside CI: skipped %q, fatal %q", o.skipped, o.fatal)
		}
		t.Setenv("CI", "true")
		if o := run(t, f); !strings.HasPrefix(o.fatal, feature) || o.skipped != "" {
			t.Errorf("in CI: skipped %q, fatal %q", o.skipped, o.fatal)
		}
	}
}
