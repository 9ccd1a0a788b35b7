package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// scriptRunner sends the calls of all scripts of the package.
type scriptRunner struct {
	client interface {
		Process(context.Context, redis.Cmder) error
	}
	now         func() time.Time
	keyPrefix   string
	withoutEval bool
	observer    Observer
	err         error // a *ConfigError: what is returned instead of calling
}

// newScriptRunner checks the client and applies the options.
func newScriptRunner(client interface {
	Process(context.Context, redis.Cmder) error
}, opts []Option) *scriptRunner {
	r := &scriptRunner{client: client, now: time.Now}
	if problem := clientProblem(client); problem != "" {
		r.err = &ConfigError{Problem: problem}
		return r
	}
	for _, opt := range opts {
		opt(r)
	}
	return r
}

// configError returns the *ConfigError that stands in the way of every call.
func (r *scriptRunner) configError() error {
	if r == nil {
		return &ConfigError{Problem: "the script does not come from NewScripts"}
	}
	return r.err
}

// problem returns the *ConfigError that stands in the way of a call of the script: go-redis looks at a deadline only
// with ContextTimeoutEnabled.
func (r *scriptRunner) problem(s *scriptSource) error {
	if err := r.configError(); err != nil || s.timeout == 0 {
		return err
	}
	enabled := true
	switch client := r.client.(type) {
	case *redis.Client:
		enabled = client.Options().ContextTimeoutEnabled
	case *redis.ClusterClient:
		enabled = client.Options().ContextTimeoutEnabled
	case *redis.Ring:
		enabled = client.Options().ContextTimeoutEnabled
	}
	if !enabled {
		return &ConfigError{Problem: "a script with @timeout needs a client with ContextTimeoutEnabled"}
	}
	return nil
}

// clock returns the time for now() arguments.
func (r *scriptRunner) clock() time.Time {
	if r == nil || r.now == nil {
		return time.Now()
	}
	return r.now()
}

// with returns the same runner on another client.
func (r *scriptRunner) with(client interface {
	Process(context.Context, redis.Cmder) error
}) *scriptRunner {
	other := *r
	other.client = client
	if problem := clientProblem(client); problem != "" {
		other.err = &ConfigError{Problem: problem}
	}
	return &other
}

// clientProblem says why a client can't be used.
func clientProblem(client any) string {
	if v := reflect.ValueOf(client); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "the client is nil"
	}
	if _, queues := client.(interface{ Discard() }); queues {
		return "the client is a pipeline, which only queues: give NewScripts the client, and the pipeline to Queue"
	}
	return ""
}

// prefix returns what stands before every key.
func (r *scriptRunner) prefix() string {
	if r == nil {
		return ""
	}
	return r.keyPrefix
}

// scriptSource is one script: what the server runs, and where it came from.
type scriptSource struct {
	name, version, owner, sha, text string
	pkg, template                   string // the Go package, and the template of the first key

	file  string       // the source file
	lines []scriptLine // from lines of text to lines of file

	timeout time.Duration // of one call, repeated attempts included; 0 for none

	repeatable bool             // @readonly or @idempotent: may be sent again after a lost reply
	readonly   bool             // sent as EVALSHA_RO
	errors     map[string]error // the header's @error: first word of the reply to sentinel
}

// lf returns text with LF line ends: a checkout may have turned them into CRLF, the server gets what was generated.
func lf(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// info returns what Infos says about the script.
func (s *scriptSource) info() ScriptInfo {
	return ScriptInfo{Name: s.name, Version: s.version, Owner: s.owner, SHA: s.sha, File: s.file, Text: s.text}
}

// scriptLine says that line bundle of the text came from line source; the lines after it follow one by one.
type scriptLine struct{ bundle, source int }

// scriptCall is the command that go-redis sends. It keeps the raw reply: go-redis itself then reads a reply to its end
// whatever is in it, while its typed commands stop at an error inside an array and take the rest for the next reply.
// NoRetry, which it inherits, keeps go-redis from running the script again after a lost reply. Always hand the whole
// scriptCall to Process, never the command inside it.
type scriptCall struct {
	redis.RawWriteToCmd
	reply  replyBuffer
	source *scriptSource // of a queued call, as is node
	node   *redis.Client
}

func newScriptCall(ctx context.Context, args []any, keys int) *scriptCall {
	c := &scriptCall{}
	c.RawWriteToCmd = *redis.NewRawWriteToCmd(ctx, &c.reply, args...)
	if keys > 0 {
		c.SetFirstKeyPos(3)
	}
	return c
}

// replyBuffer collects a raw reply.
type replyBuffer struct{ raw []byte }

// Write appends to the reply. An error reply is returned as an error so that go-redis sees it: it follows MOVED and
// ASK, and hooks are told. A nil is no error: it is a value that a script may return.
func (b *replyBuffer) Write(p []byte) (int, error) {
	if len(b.raw) == 0 && len(p) > 0 && p[0] == '-' {
		return 0, replyError(redis.Nil, string(p[1:]))
	}
	b.raw = append(b.raw, p...)
	return len(p), nil
}

// replyError makes an error of the type of like, the error type of go-redis, which has no name outside of it.
func replyError[T ~string](like T, text string) T { return T(text) }

const maxAttempts = 8 // about 1.3 s of waiting in all

// runScript runs a script and decodes its reply. decode also names the result code, for the observer.
func runScript[T any](ctx context.Context, r *scriptRunner, s *scriptSource, args []any, keys int, decode func([]byte) (T, string, error)) (result T, err error) {
	var seen observation
	if r != nil && r.observer != nil {
		seen.start = time.Now()
		defer func() { r.observe(ctx, s, seen, err) }()
	}
	reply, loaded, err := r.run(ctx, s, args, keys)
	seen.loaded = loaded
	if err != nil {
		return result, err
	}
	result, seen.code, err = decode(reply)
	return result, err
}

// noResult is the decode of a script that returns nothing.
func noResult([]byte) (struct{}, string, error) { return struct{}{}, "", nil }

// run sends the call until it is answered, and returns the raw reply. args is the whole command: EVALSHA, the SHA, the
// number of keys, the keys and the arguments.
//
// It sends again what the server certainly did not run, and a repeatable script also after a lost reply, with a growing
// pause and never past the deadline of ctx.
func (r *scriptRunner) run(ctx context.Context, s *scriptSource, args []any, keys int) (reply []byte, loaded bool, err error) {
	if err := r.problem(s); err != nil {
		return nil, false, s.fail("config", err)
	}
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	if err := ctx.Err(); err != nil {
		return nil, false, s.failCall(err, ErrNotExecuted)
	}
	for attempt := 1; ; attempt++ {
		reply, loaded, err = r.send(ctx, s, args, keys)
		if err == nil {
			return reply, loaded, nil
		}
		outcome := s.outcome(err)
		again := outcome.again || outcome.is == ErrMaybeExecuted && s.repeatable && ctx.Err() == nil
		if !again || attempt == maxAttempts || !pause(ctx, attempt) {
			return nil, loaded, s.failCall(err, outcome.is)
		}
	}
}

// send sends the call once: EVALSHA, and where the server does not know the script, EVAL, which can't lose a race
// against SCRIPT FLUSH as SCRIPT LOAD and EVALSHA can. Only a user without the right to EVAL needs the latter.
func (r *scriptRunner) send(ctx context.Context, s *scriptSource, args []any, keys int) (reply []byte, loaded bool, err error) {
	reply, err = r.process(ctx, args, keys)
	if err == nil || !unknownScript[err.Error()] {
		return reply, false, err
	}
	if !r.withoutEval {
		reply, err = r.process(ctx, s.eval(args), keys)
		if err == nil || !evalForbidden(err.Error()) {
			return reply, true, err
		}
	}
	if err := r.loadAll(ctx, []*scriptSource{s}); err != nil {
		return nil, true, err
	}
	reply, err = r.process(ctx, args, keys)
	return reply, true, err
}

// eval turns an EVALSHA command into EVAL. It is a copy: a hook may hold the first one.
func (s *scriptSource) eval(args []any) []any {
	eval := slices.Clone(args)
	eval[0], eval[1] = "eval", s.text
	if s.readonly {
		eval[0] = "eval_ro"
	}
	return eval
}

func (r *scriptRunner) process(ctx context.Context, args []any, keys int) ([]byte, error) {
	c := newScriptCall(ctx, args, keys)
	_ = r.client.Process(ctx, c) // an asynchronous client knows the error only when Err asks for it
	return c.result()
}

// result returns the raw reply of a call that was sent.
func (c *scriptCall) result() ([]byte, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	if len(c.reply.raw) > 0 && c.reply.raw[0] == '!' {
		reader := replyReader{raw: c.reply.raw}
		return nil, replyError(redis.Nil, string(reader.take().text))
	}
	return c.reply.raw, nil
}

// load is Load: it loads the scripts on every node that the client knows, and tells the observer.
func (r *scriptRunner) load(ctx context.Context, scripts []*scriptSource) error {
	if err := r.configError(); err != nil {
		return err
	}
	var errs []error
	for _, s := range scripts {
		seen := observation{start: time.Now(), load: true}
		err := r.problem(s)
		if err != nil {
			err = s.fail("config", err)
		} else if err = r.loadAll(ctx, []*scriptSource{s}); err != nil {
			err = s.failCall(err, nil)
		}
		errs = append(errs, err)
		if r.observer != nil {
			r.observe(ctx, s, seen, err)
		}
	}
	return errors.Join(errs...)
}

// loadAll loads scripts on every node that the client knows.
func (r *scriptRunner) loadAll(ctx context.Context, scripts []*scriptSource) error {
	on := func(ctx context.Context, process func(context.Context, redis.Cmder) error) error {
		for _, s := range scripts {
			cmd := redis.NewStringCmd(ctx, "script", "load", s.text)
			_ = process(ctx, cmd)
			if err := cmd.Err(); err != nil {
				return err
			}
		}
		return nil
	}
	switch client := r.client.(type) {
	case interface {
		ForEachShard(context.Context, func(context.Context, *redis.Client) error) error
	}:
		return client.ForEachShard(ctx, func(ctx context.Context, node *redis.Client) error { return on(ctx, node.Process) })
	case interface {
		ScriptLoad(context.Context, string) *redis.StringCmd // an AutoPipeliner passes it on to its client
	}:
		for _, s := range scripts {
			if err := client.ScriptLoad(ctx, s.text).Err(); err != nil {
				return err
			}
		}
		return nil
	}
	return on(ctx, r.client.Process)
}

// pause waits before the next attempt, and reports whether there is time for one.
func pause(ctx context.Context, attempt int) bool {
	wait := 10 * time.Millisecond << (attempt - 1)
	wait = wait/2 + rand.N(wait/2+1) // spread, so that clients don't come back together
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
