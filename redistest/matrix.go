package redistest

import (
	"context"
	"os"
	"testing"
)

// Matrix runs f as a subtest on each server that can be started: those of REDISGEN_SERVERS, else those on PATH. The
// subtest is named after the server, "redis-7.0" or "valkey-8.1", and has one of its own. Where REDISGEN_REDIS_ADDR names
// a server, and REDISGEN_SERVERS is not set, f runs on that one alone; where there is none at all, on the embedded one.
//
// In CI it takes Redis 7.0, Redis 8 and Valkey 8: if one is missing, the test fails.
func Matrix(t *testing.T, f func(t *testing.T, s *Server)) {
	t.Helper()
	all := matrixPrograms(t)
	theirs := os.Getenv(EnvAddr) != "" && os.Getenv(EnvServers) == "" && os.Getenv("CI") == ""
	if theirs || len(all) == 0 {
		s := Start(t)
		t.Run(shortName(s.Kind, s.Version), func(t *testing.T) { f(t, s) })
		return
	}
	for _, p := range all {
		t.Run(p.name(), func(t *testing.T) {
			f(t, startServer(t, p.open))
		})
	}
}

// open starts the program for a caller alone.
func (p program) open(ctx context.Context) (*Server, error) {
	s, err := start(ctx, p.path)
	if err != nil {
		return nil, err
	}
	return s.opened(ctx)
}

// MatrixCluster is [Matrix] with a [Cluster] of each server.
func MatrixCluster(t *testing.T, masters, replicas int, f func(t *testing.T, c *ClusterServer)) {
	t.Helper()
	matrix(t, "a cluster", func(t *testing.T, p program) { f(t, startCluster(t, p, masters, replicas)) })
}

// MatrixSentinel is [Matrix] with a [Sentinel] of each server.
func MatrixSentinel(t *testing.T, f func(t *testing.T, s *SentinelServer)) {
	t.Helper()
	matrix(t, "a sentinel", func(t *testing.T, p program) { f(t, startSentinel(t, p)) })
}

// matrix is for what only a program can do: without one, the test is skipped.
func matrix(t *testing.T, feature string, f func(t *testing.T, p program)) {
	t.Helper()
	all := matrixPrograms(t)
	if len(all) == 0 {
		skip(t, noPrograms(feature))
	}
	for _, p := range all {
		t.Run(p.name(), func(t *testing.T) { f(t, p) })
	}
}

func noPrograms(feature string) string {
	return feature + " needs servers that can be started: put redis-server or valkey-server on PATH, or list programs in " + EnvServers
}

func matrixPrograms(tb testing.TB) []program {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	all, err := programs(ctx)
	if err == nil && os.Getenv("CI") != "" {
		err = complete(all)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// firstProgram is the server for a caller who wants any. Without one, the test is skipped; in CI it fails.
func firstProgram(tb testing.TB, feature string) program {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	paths, err := programPaths()
	if err == nil && len(paths) == 0 {
		skip(tb, noPrograms(feature))
	}
	var p program
	if err == nil {
		p, err = inspect(ctx, paths[0])
	}
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
