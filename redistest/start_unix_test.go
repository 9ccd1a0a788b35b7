//go:build unix

package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// real makes Open start a server of its own in a folder of the test, and returns that folder. Without a server to start
// the test is skipped by name, in CI it fails.
func real(t *testing.T) string {
	t.Helper()
	t.Setenv(EnvAddr, "")
	firstProgram(t, "starting a server")
	// Not t.TempDir: its path holds the test's name and may be too long for a socket.
	dir, err := os.MkdirTemp("/tmp", "rt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

// pid asks the server for its process.
func pid(t *testing.T, c *redis.Client) int {
	t.Helper()
	info, err := c.InfoMap(context.Background(), "server").Result()
	if err != nil {
		t.Fatal(err)
	}
	var id int
	if _, err := fmt.Sscan(info["Server"]["process_id"], &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func TestServerStopsAtClose(t *testing.T) {
	dir := real(t)
	s, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.Embedded() || s.Foreign() || s.Version == "" || s.Network != "unix" {
		t.Errorf("got %s, network %s", s, s.Network)
	}
	server := pid(t, s.Client)
	if gone(server) || len(folders(t, dir)) != 1 {
		t.Fatalf("not there: process %d, folders %v", server, folders(t, dir))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	// No waiting: when Close returns, everything is gone.
	if !gone(server) {
		t.Errorf("process %d is still there", server)
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestServersAreSeparate(t *testing.T) {
	real(t)
	a, b := Start(t), Start(t)
	ctx := context.Background()
	if err := a.Client.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Client.DBSize(ctx).Result(); n != 0 || err != nil {
		t.Errorf("the other server has %d keys, %v", n, err)
	}
}

func TestServerStopsInAnEndlessScript(t *testing.T) {
	real(t)
	s, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	server := pid(t, s.Client)
	ctx := context.Background()
	// The script is sent and its reply not awaited; the next command shows that it runs.
	c := s.NewClient(func(o *redis.Options) { o.ReadTimeout, o.MaxRetries = 50*time.Millisecond, -1 })
	if err := c.Eval(ctx, "redis.call('set', KEYS[1], 1) while true do end", []string{"k"}).Err(); err == nil {
		t.Fatal("the script ended")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !gone(server) {
		t.Errorf("process %d is still there", server)
	}
}

func TestServerThatDiesIsReported(t *testing.T) {
	dir := real(t)
	s, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// The memory test at the end of the report takes a second, and may crash once more.
	if err := s.Client.ConfigSet(context.Background(), "crash-memcheck-enabled", "no").Err(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid(t, s.Client), syscall.SIGSEGV); err != nil {
		t.Fatal(err)
	}
	await(t, "the guard to remove the folder", func() bool { return len(folders(t, dir)) == 0 })
	await(t, "Close to notice", func() bool { return s.Client.Ping(context.Background()).Err() != nil })
	err = s.Close()
	if err == nil || !strings.Contains(err.Error(), "exited before it was closed") || !strings.Contains(err.Error(), " BUG REPORT") {
		t.Errorf("no crash report: %v", err)
	}
}

// impostor puts a redis-server on PATH that does something else.
func impostor(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "redis-server"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv(EnvServers, "")
}

func TestServerThatDoesNotStart(t *testing.T) {
	dir := real(t)
	impostor(t, "echo no such luck >&2; exit 3\n")
	s, err := Open(context.Background())
	if err == nil {
		t.Fatalf("got %s", s)
	}
	for _, want := range []string{"redis-server", "exit status 3", "no such luck"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %q: %v", want, err)
		}
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestOpenGivesUpWithItsContext(t *testing.T) {
	dir := real(t)
	impostor(t, "echo $$ > pid; echo thinking; exec sleep 600\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var slow int
	go func() { // Cancel as soon as the server runs.
		for ctx.Err() == nil {
			files, _ := filepath.Glob(filepath.Join(dir, "redistest-*", "pid"))
			for _, f := range files {
				text, _ := os.ReadFile(f)
				if strings.HasSuffix(string(text), "\n") {
					fmt.Sscan(string(text), &slow)
					cancel()
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	s, err := Open(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, %v", s, err)
	}
	if !strings.Contains(err.Error(), "thinking") {
		t.Errorf("the error does not show the log: %v", err)
	}
	if slow == 0 || !gone(slow) {
		t.Errorf("process %d is still there", slow)
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLongTempFolder(t *testing.T) {
	dir := real(t)
	long := filepath.Join(dir, strings.Repeat("long", 30))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	s := Start(t)
	if len(s.Addr) > maxSocketPath {
		t.Errorf("the socket's path is too long: %s", s.Addr)
	}
	if left := folders(t, long); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := s.Client.Ping(context.Background()).Err(); err != nil {
		t.Error(err)
	}
}

func TestTempFolderWithBlanks(t *testing.T) {
	dir := real(t)
	odd := filepath.Join(dir, `a "b' $c`)
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", odd)
	s, err := Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left := folders(t, odd); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestForeignServerKeepsItsKeys(t *testing.T) {
	real(t)
	ctx := context.Background()
	host := Start(t)
	t.Setenv(EnvAddr, "unix://"+host.Addr)

	s, err := Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Foreign() || s.Embedded() || s.Addr != host.Addr || s.Version != host.Version {
		t.Errorf("got %s", s)
	}
	o := run(t, func(tb testing.TB) { s.RequireOwn(tb, "SCRIPT FLUSH") })
	if o.fatal+o.skipped == "" || !strings.HasPrefix(o.fatal+o.skipped, "SCRIPT FLUSH ") {
		t.Errorf("SCRIPT FLUSH on a foreign server: skipped %q, fatal %q", o.skipped, o.fatal)
	}

	theirs := []string{"a", "redistest:", "redistest:0000:k", strings.TrimSuffix(s.Prefix, ":"), "x" + s.Prefix + "k"}
	for _, k := range theirs {
		if err := host.Client.Set(ctx, k, "theirs", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	pipe := s.Client.Pipeline()
	for i := range 5000 { // More than one page of SCAN.
		pipe.Set(ctx, fmt.Sprint(s.Prefix, i), "ours", 0)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := host.Client.DBSize(ctx).Val(); n != int64(len(theirs)) {
		t.Errorf("%d keys are left, want %d", n, len(theirs))
	}
	if n := host.Client.Exists(ctx, theirs...).Val(); n != int64(len(theirs)) {
		t.Errorf("%d of their keys are left, want %d", n, len(theirs))
	}
}

func TestForeignServerThatIsNotThere(t *testing.T) {
	t.Setenv(EnvAddr, "unix:///nonexistent/redis.sock")
	s, err := Open(context.Background())
	if err == nil || !strings.Contains(err.Error(), "/nonexistent/redis.sock") {
		t.Fatalf("got %v, %v", s, err)
	}
}
