package redistest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// embedded makes Open fall back to the embedded server.
func embedded(t *testing.T) {
	t.Setenv(EnvAddr, "")
	t.Setenv(EnvServers, "")
	t.Setenv("CI", "")
	t.Setenv("PATH", t.TempDir())
}

// outcome runs f as a test of its own and says how it ended.
type outcome struct {
	testing.TB
	fatal, skipped string
}

func (o *outcome) Helper()           {}
func (o *outcome) Fatal(args ...any) { o.fatal = fmt.Sprint(args...); panic(o) }
func (o *outcome) Skip(args ...any)  { o.skipped = fmt.Sprint(args...); panic(o) }

func (o *outcome) Fatalf(format string, args ...any) { o.Fatal(fmt.Sprintf(format, args...)) }

func run(t *testing.T, f func(testing.TB)) (o *outcome) {
	o = &outcome{TB: t}
	defer func() {
		if r := recover(); r != nil && r != any(o) {
			panic(r)
		}
	}()
	f(o)
	return o
}

func TestEmbeddedServer(t *testing.T) {
	embedded(t)
	s := Start(t)
	if !s.Embedded() || s.Foreign() || s.Kind != Miniredis || s.Version != "" {
		t.Fatalf("got %+v", s)
	}
	ctx := context.Background()
	got, err := s.Client.Eval(ctx, "redis.call('set', KEYS[1], ARGV[1]) return redis.call('get', KEYS[1])", []string{s.Prefix + "k"}, "v").Result()
	if err != nil || got != "v" {
		t.Fatalf("eval: %v, %v", got, err)
	}
}

func TestEmbeddedKeysExpire(t *testing.T) {
	embedded(t)
	s := Start(t)
	ctx := context.Background()
	if err := s.Client.Set(ctx, s.Prefix+"k", "v", 20*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	await(t, "the key to expire", func() bool {
		return errors.Is(s.Client.Get(ctx, s.Prefix+"k").Err(), redis.Nil)
	})
}

func TestEmbeddedIsSkippedByName(t *testing.T) {
	embedded(t)
	s := Start(t)
	o := run(t, func(tb testing.TB) { s.RequireReal(tb, "FCALL") })
	if !strings.HasPrefix(o.skipped, "FCALL ") || o.fatal != "" {
		t.Errorf("outside CI: skipped %q, fatal %q", o.skipped, o.fatal)
	}
	t.Setenv("CI", "true")
	o = run(t, func(tb testing.TB) { s.RequireReal(tb, "FCALL") })
	if !strings.HasPrefix(o.fatal, "FCALL ") || o.skipped != "" {
		t.Errorf("in CI: skipped %q, fatal %q", o.skipped, o.fatal)
	}
	o = run(t, func(tb testing.TB) { s.RequireOwn(tb, "SCRIPT FLUSH") })
	if o.fatal != "" || o.skipped != "" {
		t.Errorf("an embedded server is our own: skipped %q, fatal %q", o.skipped, o.fatal)
	}
}

func TestNoEmbeddedServerInCI(t *testing.T) {
	embedded(t)
	t.Setenv("CI", "true")
	s, err := Open(context.Background())
	if !errors.Is(err, ErrNoServer) {
		t.Fatalf("got %v, %v", s, err)
	}
}

func TestCloseTwice(t *testing.T) {
	embedded(t)
	s, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c := s.NewClient(func(o *redis.Options) { o.MaxRetries = -1 })
	if err := c.Ping(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []*redis.Client{c, s.Client} {
		if err := c.Ping(context.Background()).Err(); !errors.Is(err, redis.ErrClosed) {
			t.Errorf("a client is still open: %v", err)
		}
	}
}

func TestOpenWithCancelledContext(t *testing.T) {
	embedded(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := Open(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, %v", s, err)
	}
}

func TestPrefix(t *testing.T) {
	a, b := newPrefix(), newPrefix()
	if a == b {
		t.Errorf("two prefixes are the same: %s", a)
	}
	if strings.ContainsAny(a, `{}*?[]\^`) || !strings.HasSuffix(a, ":") {
		t.Errorf("unusable in a key or a pattern: %s", a)
	}
}

func TestParseAddr(t *testing.T) {
	for addr, want := range map[string]redis.Options{
		"localhost:6379":          {Network: "tcp", Addr: "localhost:6379"},
		"unix:///run/a/b.sock":    {Network: "unix", Addr: "/run/a/b.sock"},
		"redis://u:p@db:7000/3":   {Network: "tcp", Addr: "db:7000", Username: "u", Password: "p", DB: 3},
		"unix://u:p@/s.sock?db=2": {Network: "unix", Addr: "/s.sock", Username: "u", Password: "p", DB: 2},
	} {
		o, err := parseAddr(addr)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		got := redis.Options{Network: o.Network, Addr: o.Addr, Username: o.Username, Password: o.Password, DB: o.DB}
		if got.Network != want.Network || got.Addr != want.Addr || got.Username != want.Username || got.Password != want.Password || got.DB != want.DB {
			t.Errorf("%s: got %s %s %s %s %d", addr, got.Network, got.Addr, got.Username, got.Password, got.DB)
		}
	}
	_, err := parseAddr("http://user:hunter2@host:%zz")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a bad URL: %v", err)
	}
}

func TestParseInfo(t *testing.T) {
	for _, c := range []struct {
		info    string
		kind    Kind
		version string
	}{
		{"# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n", Redis, "7.0.15"},
		{"# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n", Valkey, "8.0.1"},
		{"# Server\r\n", Redis, ""},
	} {
		if kind, version := parseInfo(c.info); kind != c.kind || version != c.version {
			t.Errorf("%q: got %s %s", c.info, kind, version)
		}
	}
}

// await polls until the condition holds; it fails the test when it takes too long.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// folders lists what servers have left in the folder for temporary files.
func folders(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "redistest-*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}
