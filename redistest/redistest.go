// Package redistest gives a test or a program a Redis server to run scripts on.
//
// [Start] is for tests, [Open] for programs that are no tests. They look for a server in this order:
//
//  1. the one that the environment variable REDISGEN_REDIS_ADDR names: host:port, unix:///path/to/socket, or a
//     redis:// or rediss:// URL with user, password and database. It is somebody else's, a single server, no cluster.
//     Nothing is ever flushed or configured there: callers put [Server.Prefix] before all their keys, and
//     [Server.Close] deletes the keys with that prefix and no other;
//  2. a program, started for the caller alone on a unix socket in a new folder, without a TCP port, a configuration
//     file or persistence: the first in the environment variable REDISGEN_SERVERS, which lists programs with their full
//     paths, separated by colons; else redis-server or valkey-server from PATH. A start takes some 50 ms. Not on Windows;
//  3. [miniredis], inside the process, so that tests and demonstrations also run where no Redis is installed.
//
// In CI (the environment variable CI is not empty) there is no third choice: a run without a real server is an error,
// so that a green run means what it says. A program that doesn't start is always an error.
//
// # More than one server
//
// [Matrix] runs a test on every program of REDISGEN_SERVERS, or of PATH: one and the same script meets Redis 7.0, Redis 8
// and Valkey 8. [Cluster] and [Sentinel] start a group of servers, and [MatrixCluster] and [MatrixSentinel] one group of
// each program. Groups are always started: without a program, their tests are skipped by name, and fail in CI.
//
// [Proxy] stands between a client and any server, and cuts connections, delays and loses replies, or refuses to listen.
//
// # What stops the servers
//
// Close, or the end of the process, whatever its cause: a panic, os.Exit, a SIGKILL. Each server is the child of a small
// shell that reads from a pipe whose other end only this process holds. The kernel closes that end when the process
// dies; the shell then kills the server and removes its folder. So nothing depends on our code running at the end, nor on
// which thread started the server, and it works the same on every Unix.
//
// # Where miniredis differs
//
// The embedded server is good for smoke tests: integers, strings, arrays and nil, EVALSHA and EVAL, NOSCRIPT, pipelines and
// MULTI. A test of anything below calls [Server.RequireReal], or it tests miniredis and not Redis:
//
//   - No FCALL or FUNCTION, ACL, CONFIG, SCRIPT KILL, CLIENT KILL, and no "#!lua" line with its flags.
//   - An error inside a script loses its code: there is no WRONGTYPE, OOM or MYCODE at its start and no SHA at its
//     end, only "ERR Error compiling script" with a stack trace.
//   - Numbers turn into other strings: 1e15 has an exponent, 0.1 is stored as 0.10000000000000001, infinity and
//     not-a-number are spelled differently, and tonumber('1e2') is nil.
//   - No RESP3 from scripts: tables with double, map, set, big_number or verbatim_string come back as empty arrays, and
//     redis.setresp(3) changes nothing.
//   - cjson encodes an empty table as a list, knows no cjson.null, keeps more digits, and decodes broken JSON to nil instead
//     of raising an error. cmsgpack, bit and struct are missing.
//   - The sandbox is open: os, require, print and writes to library tables work, so does goto. A command that Redis forbids in
//     scripts may run, or hang.
//   - A script that does not end can't be stopped, and one that returns a function kills the whole process.
//
// [miniredis]: https://github.com/alicebob/miniredis
package redistest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// EnvAddr is the environment variable that names a server to use instead of starting one.
const EnvAddr = "REDISGEN_REDIS_ADDR"

// ErrNoServer is returned in CI when there is no server in REDISGEN_REDIS_ADDR or REDISGEN_SERVERS and none on PATH.
var ErrNoServer = errors.New("redistest: no redis-server or valkey-server on PATH, and neither " + EnvServers + " nor " + EnvAddr +
	" is set; in CI (the variable CI is set) the embedded server is no substitute")

// startTimeout bounds how long Start waits for a server. A start takes some 50 ms; the rest is for loaded machines.
const startTimeout = 30 * time.Second

// Kind is what answers the commands.
type Kind string

// The kinds of servers.
const (
	Redis     Kind = "redis"
	Valkey    Kind = "valkey"
	Miniredis Kind = "miniredis" // embedded in this process
)

// Server is a server to run scripts on. Its fields are set by [Open] and [Start] and not changed after. Its methods may
// be called from several goroutines.
type Server struct {
	// Client is connected to the server; Close closes it.
	Client *redis.Client

	// Network and Addr are what to dial: "tcp" and host:port, or "unix" and the path of a socket.
	Network, Addr string

	// Prefix is random and unique to this Server. Put it before every key, so that runs that share a foreign server
	// don't meet. It contains no braces, so it leaves hash slots to the rest of the key, and it ends in a colon.
	Prefix string

	// Kind is what the server says it is.
	Kind Kind

	// Version is the server's own version, "7.0.15"; empty for miniredis, which imitates no particular one.
	Version string

	options *redis.Options // what NewClient starts from
	foreign bool
	stop    func() error // stops what Open started

	mu      sync.Mutex
	clients []*redis.Client
	closed  bool
}

// Open finds or starts a server as the package comment says. The caller calls [Server.Close]. The context bounds the
// start, not the life of the server.
func Open(ctx context.Context) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	s, err := find(ctx)
	if err != nil {
		return nil, err
	}
	return s.opened(ctx)
}

// opened completes a server that has been found or started, or closes it.
func (s *Server) opened(ctx context.Context) (*Server, error) {
	s.Network, s.Addr = s.options.Network, s.options.Addr
	s.Prefix = newPrefix()
	s.Client = s.NewClient()
	if s.Kind == Miniredis {
		return s, nil
	}
	var err error
	if s.Kind, s.Version, err = identify(ctx, s.options); err != nil {
		s.foreign = false // Nothing was written that would have to be deleted.
		return nil, errors.Join(fmt.Errorf("redistest: %s did not say what it is: %w", s.Addr, err), s.Close())
	}
	return s, nil
}

func find(ctx context.Context) (*Server, error) {
	if addr := os.Getenv(EnvAddr); addr != "" {
		return foreign(addr)
	}
	paths, err := programPaths()
	if err != nil {
		return nil, err
	}
	if len(paths) > 0 {
		return start(ctx, paths[0])
	}
	if os.Getenv("CI") != "" {
		return nil, ErrNoServer
	}
	return embed()
}

func newPrefix() string {
	var b [8]byte
	rand.Read(b[:]) // Never fails: it ends the process instead.
	return "redistest:" + hex.EncodeToString(b[:]) + ":"
}

// Start is [Open] for a test: a failure ends the test, and the server is closed when the test and its subtests are
// done. A server from PATH or an embedded one belongs to this test alone.
func Start(tb testing.TB) *Server {
	tb.Helper()
	return startServer(tb, Open)
}

func startServer(tb testing.TB, open func(context.Context) (*Server, error)) *Server {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	s, err := open(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	tb.Logf("redistest: %s", s)
	return s
}

// NewClient returns another client of the server; [Server.Close] closes it. The options start as go-redis' defaults
// with the address set, and each function may change them.
func (s *Server) NewClient(opts ...func(*redis.Options)) *redis.Client {
	o := *s.options
	if o.TLSConfig != nil {
		o.TLSConfig = o.TLSConfig.Clone()
	}
	for _, opt := range opts {
		opt(&o)
	}
	c := redis.NewClient(&o)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, c)
	return c
}

// Embedded reports whether the server is only an imitation, miniredis.
func (s *Server) Embedded() bool { return s.Kind == Miniredis }

// Foreign reports whether the server is somebody else's, from REDISGEN_REDIS_ADDR.
func (s *Server) Foreign() bool { return s.foreign }

// RequireReal skips the test, naming the feature, if the server is embedded. Call it in every test of what miniredis
// can't do. A test in CI is never skipped: there it fails.
func (s *Server) RequireReal(tb testing.TB, feature string) {
	tb.Helper()
	if s.Embedded() {
		skip(tb, feature+" needs a real server: install redis-server or valkey-server, or set "+EnvServers+" or "+EnvAddr)
	}
}

// RequireOwn skips the test, naming the feature, if the server is somebody else's. Call it in every test that touches more
// than its own keys: FLUSHALL, SCRIPT FLUSH, FUNCTION LOAD, CONFIG SET, an endless script. A test in CI is never skipped:
// there it fails.
func (s *Server) RequireOwn(tb testing.TB, feature string) {
	tb.Helper()
	if s.Foreign() {
		skip(tb, feature+" must not be done to a server that others use: unset "+EnvAddr)
	}
}

func skip(tb testing.TB, why string) {
	tb.Helper()
	if os.Getenv("CI") != "" {
		tb.Fatal(why)
	}
	tb.Skip(why)
}

// Close closes all clients and stops the server; on a foreign one it deletes the keys that start with Prefix. A second
// call does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true

	var errs []error
	if s.foreign {
		errs = append(errs, deleteKeys(s.options, s.Prefix))
	}
	errs = append(errs, closeClients(s.clients))
	if s.stop != nil {
		errs = append(errs, s.stop())
	}
	return errors.Join(errs...)
}

// closeClients closes clients, of which the caller may have closed some already.
func closeClients[C io.Closer](clients []C) error {
	var errs []error
	for _, c := range clients {
		if err := c.Close(); err != nil && !errors.Is(err, redis.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// String names the server for logs: "redis 7.0.15 at /tmp/redistest-1/redis.sock".
func (s *Server) String() string {
	name := string(s.Kind)
	if s.Version != "" {
		name += " " + s.Version
	}
	return name + " at " + s.Addr
}
