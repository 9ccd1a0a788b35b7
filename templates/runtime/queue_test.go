package runtime

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/redistest"
)

// long is a script that is too long to be queued as EVAL every time.
func long(text string) *scriptSource {
	return newSource(text + "\n-- " + strings.Repeat("x", evalAlways))
}

func decodeInt(raw []byte) (int64, string, error) {
	r := replyReader{raw: raw}
	n := r.int()
	if r.err != nil {
		return 0, "", r.err
	}
	return n, "", nil
}

func queueIncr(t *testing.T, r *scriptRunner, pipe redis.Pipeliner, s *scriptSource, key string) *Pending[int64] {
	t.Helper()
	p, err := queueScript(t.Context(), r, pipe, s, s.command([]string{key}), 1, decodeInt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const incr = "return redis.call('INCR', KEYS[1])"

// Cold or warm, in a pipeline or in MULTI, long or short: every call runs once, in order.
func TestQueue(t *testing.T) { redistest.Matrix(t, testQueue) }

func testQueue(t *testing.T, server *redistest.Server) {
	r := newScriptRunner(server.Client, nil)
	for name, s := range map[string]*scriptSource{"short": newSource(incr), "long": long(incr)} {
		for mode, pipe := range map[string]redis.Pipeliner{"pipeline": server.Client.Pipeline(), "MULTI": server.Client.TxPipeline()} {
			key := server.Prefix + name + mode
			for _, state := range []string{"cold", "warm"} {
				server.Client.Del(t.Context(), key)
				if state == "cold" && !server.Foreign() {
					server.Client.ScriptFlush(t.Context())
				}
				var pending []*Pending[int64]
				for range 5 {
					pending = append(pending, queueIncr(t, r, pipe, s, key))
				}
				var sent []string
				for _, cmd := range pipe.Cmds() {
					sent = append(sent, cmd.Name())
				}
				want := "eval eval eval eval eval"
				if name == "long" {
					want = "eval evalsha evalsha evalsha evalsha"
				}
				if got := strings.Join(sent, " "); got != want {
					t.Errorf("%s, %s, %s: queued %s, want %s", name, mode, state, got, want)
				}
				if _, err := pipe.Exec(t.Context()); err != nil {
					t.Fatalf("%s, %s, %s: %v", name, mode, state, err)
				}
				for i, p := range pending {
					if n, err := p.Result(); n != int64(i+1) || err != nil {
						t.Errorf("%s, %s, %s: call %d returned %d, %v", name, mode, state, i, n, err)
					}
				}
			}
		}
	}
}

// A nested error, a wrong shape, an error reply: whatever a queued script returns, the commands after it get their own
// replies.
func TestQueueKeepsNeighbours(t *testing.T) { redistest.Matrix(t, testQueueKeepsNeighbours) }

func testQueueKeepsNeighbours(t *testing.T, server *redistest.Server) {
	r := newScriptRunner(server.Client, nil)
	for _, text := range []string{
		"return {1, redis.error_reply('OOM nested'), 'second'}",
		"return {{1, {2, {3}}}, 'x'}",
		"return redis.error_reply('MYCODE boom')",
		"return nil",
		"return 'text'",
	} {
		s := newSource(text)
		pipe := server.Client.Pipeline()
		p, err := queueScript(t.Context(), r, pipe, s, s.command(nil), 0, decodeInt)
		if err != nil {
			t.Fatal(err)
		}
		echo := pipe.Echo(t.Context(), "neighbour")
		_, _ = pipe.Exec(t.Context())
		if echo.Val() != "neighbour" || echo.Err() != nil {
			t.Errorf("%s: the neighbour got %q, %v", text, echo.Val(), echo.Err())
		}
		if n, err := p.Result(); err == nil {
			t.Errorf("%s: was read as %d", text, n)
		}
	}
}

func TestQueueNotExecuted(t *testing.T) { redistest.Matrix(t, testQueueNotExecuted) }

func testQueueNotExecuted(t *testing.T, server *redistest.Server) {
	key := server.Prefix + "n"
	s := long(incr)
	r := newScriptRunner(server.Client, nil)
	notRun := func(name string, p *Pending[int64]) {
		t.Helper()
		if n, err := p.Result(); !errors.Is(err, ErrNotExecuted) || n != 0 {
			t.Errorf("%s: got %d, %v", name, n, err)
		}
	}

	pipe := server.Client.Pipeline()
	p := queueIncr(t, r, pipe, s, key)
	notRun("before Exec", p)
	pipe.Discard()
	notRun("after Discard", p)
	if c := queueIncr(t, r, pipe, s, key); c.call.Name() != "eval" {
		t.Error("after Discard the first call is not EVAL again")
	}

	// A user without EVAL: the script is unknown, the other commands run.
	noEval := newScriptRunner(server.Client, []Option{WithoutEval()})
	if !server.Foreign() {
		server.Client.ScriptFlush(t.Context())
	}
	for _, pipe := range []redis.Pipeliner{server.Client.Pipeline(), server.Client.TxPipeline()} {
		unknown := long(incr + " + 0")
		p = queueIncr(t, noEval, pipe, unknown, key)
		ping := pipe.Ping(t.Context())
		if _, err := pipe.Exec(t.Context()); err == nil {
			t.Error("Exec hides that a script was unknown")
		}
		notRun("unknown script", p)
		var failed *ScriptError
		if _, err := p.Result(); !errors.As(err, &failed) || failed.Class != "noscript" {
			t.Errorf("unknown script: %v", err)
		}
		if ping.Err() != nil {
			t.Errorf("the command beside it: %v", ping.Err())
		}
	}
	if n, _ := server.Client.Exists(t.Context(), key).Result(); n != 0 {
		t.Error("something ran")
	}

	refused := redis.NewClient(&redis.Options{Network: "unix", Addr: "/nonexistent/redis.sock", MaxRetries: -1})
	t.Cleanup(func() { _ = refused.Close() })
	pipe = refused.Pipeline()
	p = queueIncr(t, newScriptRunner(refused, nil), pipe, s, key)
	_, _ = pipe.Exec(t.Context())
	notRun("dial refused", p)
}

// A transaction that was not executed, because a watched key changed or a command in it was refused, ran nothing.
func TestQueueDiscardedTransaction(t *testing.T) { redistest.Matrix(t, testQueueDiscardedTransaction) }

func testQueueDiscardedTransaction(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "EXECABORT")
	key := server.Prefix + "n"
	s := newSource(incr)
	scripts := newScriptRunner(server.Client, nil)

	var p *Pending[int64]
	err := server.Client.Watch(t.Context(), func(tx *redis.Tx) error {
		server.Client.Set(t.Context(), key, "7", 0)
		_, err := tx.TxPipelined(t.Context(), func(pipe redis.Pipeliner) error {
			p = queueIncr(t, scripts.with(tx), pipe, s, key)
			return nil
		})
		return err
	}, key)
	if !errors.Is(err, redis.TxFailedErr) {
		t.Fatal(err)
	}
	if _, err := p.Result(); !errors.Is(err, ErrNotExecuted) {
		t.Errorf("watched key changed: %v", err)
	}

	pipe := server.Client.TxPipeline()
	p = queueIncr(t, scripts, pipe, s, key)
	pipe.Do(t.Context(), "nosuchcommand")
	if _, err := pipe.Exec(t.Context()); err == nil {
		t.Fatal("the transaction was executed")
	}
	if _, err := p.Result(); !errors.Is(err, ErrNotExecuted) {
		t.Errorf("EXECABORT: %v", err)
	}
	if got := server.Client.Get(t.Context(), key).Val(); got != "7" {
		t.Errorf("the key is %q", got)
	}
}

func TestWithTx(t *testing.T) { redistest.Matrix(t, testWithTx) }

func testWithTx(t *testing.T, server *redistest.Server) {
	key := server.Prefix + "n"
	s := long(incr)
	scripts := newScriptRunner(server.Client, nil)
	err := server.Client.Watch(t.Context(), func(tx *redis.Tx) error {
		raw, _, err := scripts.with(tx).run(t.Context(), s, s.command([]string{key}), 1)
		if string(raw) != ":1\r\n" {
			t.Errorf("got %q", raw)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var config *ConfigError
	if _, _, err := scripts.with(nil).run(t.Context(), s, s.command([]string{key}), 1); !errors.As(err, &config) {
		t.Errorf("With(nil): %v", err)
	}
}

// On a Ring the node is not known: a queued call is always EVAL.
func TestQueueOnRing(t *testing.T) {
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) { testQueueOnRing(t, server, redistest.Start(t)) })
}

func testQueueOnRing(t *testing.T, a, b *redistest.Server) {
	ring := redis.NewRing(&redis.RingOptions{
		Addrs: map[string]string{"a": a.Addr, "b": b.Addr},
		NewClient: func(o *redis.Options) *redis.Client {
			o.Network = a.Network
			return redis.NewClient(o)
		},
	})
	t.Cleanup(func() { _ = ring.Close() })
	r := newScriptRunner(ring, nil)
	s := long(incr)
	pipe := ring.Pipeline()
	var pending []*Pending[int64]
	for _, key := range strings.Split("abcdefghij", "") {
		key = a.Prefix + key
		if n, err := runScript(t.Context(), r, s, s.command([]string{key}), 1, decodeInt); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", key, n, err)
		}
		pending = append(pending, queueIncr(t, r, pipe, s, key))
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range pending {
		if n, err := p.Result(); n != 2 || err != nil {
			t.Errorf("queued: %d, %v", n, err)
		}
	}
	if err := r.load(t.Context(), []*scriptSource{s}); err != nil {
		t.Fatal(err)
	}
	for _, server := range []*redistest.Server{a, b} {
		if there, err := server.Client.ScriptExists(t.Context(), s.sha).Result(); err != nil || !there[0] {
			t.Errorf("after Load a shard of the ring does not have the script: %v", err)
		}
	}
}

// recorded is an observer that keeps what it is told.
type recorded struct{ told []string }

func (o *recorded) ObserveScript(_ context.Context, script string, attrs []slog.Attr) {
	line := script
	for _, a := range attrs {
		value := a.Value.String()
		if a.Key == "duration" {
			value = "some"
		}
		line += " " + a.Key + "=" + value
	}
	o.told = append(o.told, line)
}

func TestObserver(t *testing.T) { redistest.Matrix(t, testObserver) }

func testObserver(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "error texts of scripts")
	observer := &recorded{}
	r := newScriptRunner(server.Client, []Option{WithObserver(observer)})
	s := newSource("if ARGV[1] then return redis.error_reply('MYCODE boom') end return 1")
	s.pkg, s.owner, s.template = "limits", "platform", "rl:{<tenant>}"
	decode := func([]byte) (int, string, error) { return 1, "allowed", nil }
	command := s.command(nil)
	for range 2 {
		if _, err := runScript(t.Context(), r, s, command, 0, decode); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := runScript(t.Context(), r, s, s.command(nil, "topsecret"), 0, decode); err == nil {
		t.Fatal("no error")
	}
	pipe := server.Client.Pipeline()
	p, err := queueScript(t.Context(), r, pipe, s, command, 0, decode)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Result(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.load(t.Context(), []*scriptSource{s}); err != nil {
		t.Fatal(err)
	}
	base := "probe version=1.0.0 sha=" + s.sha + " package=limits owner=platform key.template=rl:{<tenant>}"
	want := []string{
		base + " duration=some code=allowed loaded=true",
		base + " duration=some code=allowed",
		base + " duration=some error.class=redis",
		base + " code=allowed queued=true",
		base + " duration=some load=true",
	}
	if got := strings.Join(observer.told, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("told\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// An observer that is not there costs nothing: as many allocations as a call without the machinery around it.
func TestNoObserverNoCost(t *testing.T) {
	s := newSource("return 1")
	args := s.command([]string{"key"}, "value")
	client := &canned{reply: []byte(":1\r\n")}
	r := newScriptRunner(client, nil)
	bare := testing.AllocsPerRun(200, func() {
		raw, _, _ := r.run(context.Background(), s, args, 1)
		_, _, _ = decodeInt(raw)
	})
	whole := testing.AllocsPerRun(200, func() {
		_, _ = runScript(context.Background(), r, s, args, 1, decodeInt)
	})
	if whole > bare {
		t.Errorf("%v allocations, %v without observing", whole, bare)
	}
}

// canned answers every call with the same reply and keeps nothing.
type canned struct{ reply []byte }

func (c *canned) Process(_ context.Context, cmd redis.Cmder) error {
	_, err := cmd.(*scriptCall).reply.Write(c.reply)
	return err
}

func TestKeyPrefix(t *testing.T) {
	r := newScriptRunner(&canned{}, []Option{WithKeyPrefix("staging:")})
	if r.prefix() != "staging:" || r.configError() != nil {
		t.Errorf("prefix %q, %v", r.prefix(), r.configError())
	}
	var config *ConfigError
	if err := newScriptRunner(&canned{}, []Option{WithKeyPrefix("a{b")}).configError(); !errors.As(err, &config) {
		t.Errorf("a prefix with a brace: %v", err)
	}
}

// A script with a timeout ends within it, and a client that would not look at the deadline is refused.
func TestTimeout(t *testing.T) { redistest.Matrix(t, testTimeout) }

func testTimeout(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "a script that keeps the server busy")
	s := newSource(busy)
	s.timeout = 50 * time.Millisecond
	client := server.NewClient(func(o *redis.Options) { o.ContextTimeoutEnabled = true })
	warm(t, client, 2)
	key := server.Prefix + "runs"
	_, _, err := newScriptRunner(client, nil).run(t.Context(), s, s.command([]string{key}, 300), 1)
	var failed *ScriptError
	if !errors.As(err, &failed) || failed.Class != "timeout" || !errors.Is(err, ErrMaybeExecuted) {
		t.Errorf("got %v", err)
	}
	if n := settled(t, server.Client, key); n != 1 {
		t.Errorf("ran %d times", n)
	}

	deaf := newScriptRunner(server.Client, nil)
	var config *ConfigError
	if _, _, err := deaf.run(t.Context(), s, s.command([]string{key}, 1), 1); !errors.As(err, &config) {
		t.Errorf("a call without ContextTimeoutEnabled: %v", err)
	}
	if err := deaf.load(t.Context(), []*scriptSource{s}); !errors.As(err, &config) {
		t.Errorf("Load without ContextTimeoutEnabled: %v", err)
	}
}

// refusedCrossSlot holds an error to what a cluster says to keys of different slots: nothing ran.
func refusedCrossSlot(t *testing.T, err error) {
	t.Helper()
	var crossing *CrossSlotError
	if !errors.As(err, &crossing) || !errors.Is(err, ErrNotExecuted) {
		t.Errorf("keys in different slots: %v", err)
	}
}
