package runtime

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/redistest"
)

func newSource(text string) *scriptSource {
	sum := sha1.Sum([]byte(text))
	return &scriptSource{name: "probe", version: "1.0.0", sha: hex.EncodeToString(sum[:]), text: text, file: "probe.lua", lines: []scriptLine{{1, 11}, {3, 21}}}
}

// command is a whole EVALSHA command.
func (s *scriptSource) command(keys []string, args ...any) []any {
	list := []any{"evalsha", s.sha, len(keys)}
	for _, key := range keys {
		list = append(list, key)
	}
	return append(list, args...)
}

func TestCallOnServer(t *testing.T) { redistest.Matrix(t, testCallOnServer) }

func testCallOnServer(t *testing.T, server *redistest.Server) {
	r := newScriptRunner(server.Client, nil)
	echo := newSource("return {KEYS[1], ARGV[1], #ARGV}")
	key := server.Prefix + "key"
	for _, state := range []string{"cold", "warm"} {
		raw, _, err := r.run(t.Context(), echo, echo.command([]string{key}, "value"), 1)
		if err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		reply := replyReader{raw: raw}
		reply.array(3, 3)
		if k, a, n := reply.string(), reply.string(), reply.int(); k != key || a != "value" || n != 1 || reply.err != nil {
			t.Errorf("%s: the script saw %q, %q, %d (%v)", state, k, a, n, reply.err)
		}
	}
}

// The script's own words are its answer, whatever they resemble: it ran once, and the caller sees them.
func TestOwnErrorsRunOnce(t *testing.T) { redistest.Matrix(t, testOwnErrorsRunOnce) }

func testOwnErrorsRunOnce(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "error texts of scripts")
	r := newScriptRunner(server.Client, nil)
	key := server.Prefix + "runs"
	for _, text := range []string{"NOSCRIPT no such thing", "TRYAGAIN later", "LOADING the dishwasher", "CLUSTERDOWN not really", "MASTERDOWN nor this", "MYCODE boom"} {
		server.Client.Del(t.Context(), key)
		s := newSource("redis.call('INCR', KEYS[1])\nreturn redis.error_reply(ARGV[1])")
		_, _, err := r.run(t.Context(), s, s.command([]string{key}, text), 1)
		var failed *ScriptError
		if !errors.As(err, &failed) || err.Error() != "probe: "+text || failed.Word != strings.Fields(text)[0] {
			t.Errorf("%s: got %v", text, err)
		}
		if errors.Is(err, ErrNotExecuted) || errors.Is(err, ErrMaybeExecuted) {
			t.Errorf("%s: the script answered, but the error is %v", text, err)
		}
		if n, _ := server.Client.Get(t.Context(), key).Int(); n != 1 {
			t.Errorf("%s: ran %d times", text, n)
		}
	}
}

// Errors of the server lead to the line that a person wrote.
func TestErrorPlace(t *testing.T) { redistest.Matrix(t, testErrorPlace) }

func testErrorPlace(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "error texts of scripts")
	r := newScriptRunner(server.Client, nil)
	command := "Redis command"
	if server.Kind == redistest.Valkey {
		command = "command"
	}
	for _, test := range []struct {
		name, text, want, word string
		line                   int
	}{
		{"a Lua error", "local x = 1\nlocal y = 2\nreturn x + nil", "probe (probe.lua:21): ERR attempt to perform arithmetic on a nil value", "ERR", 21},
		{"an error of a call", "local x = 1\nreturn redis.call('GET')", "probe (probe.lua:12): ERR Wrong number of args calling " + command + " from script", "ERR", 12},
		{"error()", "error('LOCKED by another')", "probe (probe.lua:11): ERR LOCKED by another", "ERR", 11},
		{"error() with a table", "error({err='LOCKED by another'})", "probe (probe.lua:11): LOCKED by another", "LOCKED", 11},
		{"a returned error", "return {err='LOCKED by another'}", "probe: LOCKED by another", "LOCKED", 0},
		{"a compile error", "local x = 1\nreturn = 1", "probe (probe.lua:12): ERR Error compiling script (new function): unexpected symbol near '='", "ERR", 12},
	} {
		s := newSource(test.text)
		_, _, err := r.run(t.Context(), s, s.command(nil), 0)
		var failed *ScriptError
		if !errors.As(err, &failed) {
			t.Fatalf("%s: %v", test.name, err)
		}
		if err.Error() != test.want || failed.Line != test.line || failed.Word != test.word {
			t.Errorf("%s: got %q, word %q, line %d; want %q, %q, %d", test.name, err, failed.Word, failed.Line, test.want, test.word, test.line)
		}
		if strings.Contains(err.Error(), s.sha) {
			t.Errorf("%s: the message holds the SHA: %v", test.name, err)
		}
	}
}

func TestSentinel(t *testing.T) { redistest.Matrix(t, testSentinel) }

func testSentinel(t *testing.T, server *redistest.Server) {
	r := newScriptRunner(server.Client, nil)
	locked := errors.New("lock held")
	s := newSource("return redis.error_reply('LOCKED by another')")
	s.errors = map[string]error{"LOCKED": locked}
	_, _, err := r.run(t.Context(), s, s.command(nil), 0)
	var reply redis.Error
	if !errors.Is(err, locked) || !errors.As(err, &reply) {
		t.Errorf("neither the sentinel nor the error of go-redis is in %v", err)
	}
}

// busy counts its runs and keeps the server busy for longer than the client waits. It counts, for since Redis 7.2 the
// time stands still within a script: 300 takes 200 to 600 ms.
const busy = `redis.call('INCR', KEYS[1])
for i = 1, ARGV[1] * 200000 do end
return 1`

// After a lost reply a script may have run: it is not sent again, unless its header says that it may be. The pool is
// warm, for a cold one would fail in its handshake and hide a second run.
func TestLostReply(t *testing.T) {
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		server.RequireReal(t, "a script that keeps the server busy")
		for _, repeatable := range []bool{false, true} {
			client := server.NewClient(func(o *redis.Options) { o.ReadTimeout = 100 * time.Millisecond })
			warm(t, client, 8)
			r := newScriptRunner(client, nil)
			s := newSource(busy)
			s.repeatable = repeatable
			if err := r.load(t.Context(), []*scriptSource{s}); err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprintf("%sruns%v", server.Prefix, repeatable)
			_, _, err := r.run(t.Context(), s, s.command([]string{key}, 300), 1)
			runs := settled(t, server.Client, key)
			switch {
			case !repeatable && (runs != 1 || !errors.Is(err, ErrMaybeExecuted)):
				t.Errorf("ran %d times, error %v", runs, err)
			case repeatable && runs < 2:
				t.Errorf("a repeatable script ran %d times, error %v", runs, err)
			}
		}
	})
}

// warm gives the pool n connections that have done their handshake.
func warm(t *testing.T, client *redis.Client, n int) {
	t.Helper()
	conns := make([]*redis.Conn, n)
	for i := range conns {
		conns[i] = client.Conn()
		if err := conns[i].Ping(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range conns {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// settled returns the counter once the server answers, that is, once no script runs any more.
func settled(t *testing.T, client *redis.Client, key string) int {
	t.Helper()
	for {
		n, err := client.Get(t.Context(), key).Int()
		if err == nil {
			return n
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func TestNotExecuted(t *testing.T) {
	refused := redis.NewClient(&redis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}})
	closed := redis.NewClient(&redis.Options{})
	_ = closed.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name   string
		ctx    context.Context
		client *redis.Client
	}{{"dial refused", t.Context(), refused}, {"closed client", t.Context(), closed}, {"cancelled before", cancelled, refused}} {
		s := newSource("return 1")
		_, _, err := newScriptRunner(test.client, nil).run(test.ctx, s, s.command(nil), 0)
		if !errors.Is(err, ErrNotExecuted) || errors.Is(err, ErrMaybeExecuted) {
			t.Errorf("%s: %v", test.name, err)
		}
		var config *ConfigError
		if isConfig := errors.As(err, &config); isConfig != (test.client == closed) {
			t.Errorf("%s: is a *ConfigError: %v", test.name, isConfig)
		}
	}
}

// scripted answers the calls one after the other.
type scripted struct {
	replies []string
	sent    []string
}

func (c *scripted) Process(_ context.Context, cmd redis.Cmder) error {
	c.sent = append(c.sent, cmd.Name())
	reply := c.replies[0]
	c.replies = c.replies[1:]
	call := cmd.(*scriptCall)
	_, err := call.reply.Write([]byte(reply))
	call.SetErr(err)
	return err
}

// What the server says before it runs anything, word for word, is sent again.
func TestNotRunIsRepeated(t *testing.T) {
	s := newSource("return 1")
	suffix := " script: " + s.sha + ", on @user_script:1."
	foreign := " script: " + strings.Repeat("0", 40) + ", on @user_script:1."
	want := map[string]string{}
	for text := range notRun {
		want[text] = "evalsha evalsha"
	}
	for text := range unknownScript {
		want[text] = "evalsha eval"
	}
	for text, want := range want {
		c := &scripted{replies: []string{"-" + text, ":1\r\n"}}
		if _, _, err := newScriptRunner(c, nil).run(t.Context(), s, s.command(nil), 0); err != nil || strings.Join(c.sent, " ") != want {
			t.Errorf("%s: sent %v, error %v", text, c.sent, err)
		}
	}
	for _, test := range []struct {
		text  string
		again bool
	}{
		{readonlyReplica + suffix, true},
		{readonlyReplica + foreign, false},
		{"TRYAGAIN Multiple keys request during rehashing of slot" + suffix, false},
		{"OOM command not allowed when used memory > 'maxmemory'.", false},
	} {
		c := &scripted{replies: []string{"-" + test.text, ":1\r\n"}}
		_, _, err := newScriptRunner(c, nil).run(t.Context(), s, s.command(nil), 0)
		if again := len(c.sent) == 2; again != test.again || again != (err == nil) {
			t.Errorf("%s: sent %v, error %v", test.text, c.sent, err)
		}
	}
}

// A deadline ends the repeating, and the error says that nothing ran.
func TestRepeatingEnds(t *testing.T) {
	s := newSource("return 1")
	replies := make([]string, maxAttempts+1)
	for i := range replies {
		replies[i] = "-LOADING Redis is loading the dataset in memory"
	}
	c := &scripted{replies: replies}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, _, err := newScriptRunner(c, nil).run(ctx, s, s.command(nil), 0)
	if !errors.Is(err, ErrNotExecuted) || len(c.sent) == 0 || len(c.sent) >= maxAttempts {
		t.Errorf("sent %d times, error %v", len(c.sent), err)
	}
}

// A user who may not EVAL still gets the script onto the server.
func TestEvalForbidden(t *testing.T) { redistest.Matrix(t, testEvalForbidden) }

func testEvalForbidden(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "ACL")
	server.RequireOwn(t, "ACL users")
	if err := server.Client.Do(t.Context(), "ACL", "SETUSER", "caller", "on", "nopass", "~*", "+@all", "-eval").Err(); err != nil {
		t.Fatal(err)
	}
	client := server.NewClient(func(o *redis.Options) { o.Username, o.Password = "caller", "any" })
	t.Cleanup(func() { _ = client.Close() })
	s := newSource("return 7")
	raw, _, err := newScriptRunner(client, nil).run(t.Context(), s, s.command(nil), 0)
	if err != nil || string(raw) != ":7\r\n" {
		t.Errorf("got %q, %v", raw, err)
	}
}

func TestBlobError(t *testing.T) {
	s := newSource("return 1")
	c := &scripted{replies: []string{"!11\r\nMYCODE boom\r\n"}}
	_, _, err := newScriptRunner(c, nil).run(t.Context(), s, s.command(nil), 0)
	if err == nil || err.Error() != "probe: MYCODE boom" {
		t.Errorf("got %v", err)
	}
}

func TestConfigErrors(t *testing.T) {
	client := redis.NewClient(&redis.Options{})
	t.Cleanup(func() { _ = client.Close() })
	s := newSource("return 1")
	for name, r := range map[string]*scriptRunner{
		"nil":           newScriptRunner(nil, nil),
		"nil *Client":   newScriptRunner((*redis.Client)(nil), nil),
		"pipeline":      newScriptRunner(client.Pipeline(), nil),
		"nil clock":     newScriptRunner(client, []Option{WithClock(nil)}),
		"not from New…": nil,
	} {
		var config *ConfigError
		if _, _, err := r.run(t.Context(), s, s.command(nil), 0); !errors.As(err, &config) {
			t.Errorf("%s: a call gives %v", name, err)
		}
		if err := r.load(t.Context(), []*scriptSource{s}); !errors.As(err, &config) {
			t.Errorf("%s: Load gives %v", name, err)
		}
	}
}
