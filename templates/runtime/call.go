package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"math/rand/v2"
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
	now func() time.Time
	err error // a *ConfigError: what is returned instead of calling
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

// clock returns the time for now() arguments.
func (r *scriptRunner) clock() time.Time {
	if r == nil || r.now == nil {
		return time.Now()
	}
	return r.now()
}

// clientProblem says why a client can't be used. A nil client of a concrete type is no nil interface, hence the types.
func clientProblem(client any) string {
	switch c := client.(type) {
	case nil:
		return "NewScripts was given a nil client"
	case *redis.Client:
		if c == nil {
			return "NewScripts was given a nil *redis.Client"
		}
	case *redis.ClusterClient:
		if c == nil {
			return "NewScripts was given a nil *redis.ClusterClient"
		}
	case *redis.Ring:
		if c == nil {
			return "NewScripts was given a nil *redis.Ring"
		}
	case interface {
		Exec(context.Context) ([]redis.Cmder, error)
	}:
		return "NewScripts was given a pipeline, which only queues: give it the client"
	}
	return ""
}

// scriptSource is one script: what the server runs, and where it came from.
type scriptSource struct {
	name, version, owner, sha, text string

	file  string       // the source file
	lines []scriptLine // from lines of text to lines of file

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
	reply replyBuffer
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

// run sends the call until it is answered, and returns the raw reply. args is the whole command: EVALSHA, the SHA, the
// number of keys, the keys and the arguments.
//
// It sends again what the server certainly did not run, and a repeatable script also after a lost reply, with a growing
// pause and never past the deadline of ctx.
func (r *scriptRunner) run(ctx context.Context, s *scriptSource, args []any, keys int) ([]byte, error) {
	if err := r.configError(); err != nil {
		return nil, s.fail("config", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, s.failCall(err, ErrNotExecuted)
	}
	for attempt := 1; ; attempt++ {
		reply, err := r.send(ctx, s, args, keys)
		if err == nil {
			return reply, nil
		}
		outcome := s.outcome(err)
		again := outcome.again || outcome.is == ErrMaybeExecuted && s.repeatable && ctx.Err() == nil
		if !again || attempt == maxAttempts || !pause(ctx, attempt) {
			return nil, s.failCall(err, outcome.is)
		}
	}
}

// send sends the call once: EVALSHA, and where the server does not know the script, EVAL, which can't lose a race
// against SCRIPT FLUSH as SCRIPT LOAD and EVALSHA can. Only a user without the right to EVAL needs the latter.
func (r *scriptRunner) send(ctx context.Context, s *scriptSource, args []any, keys int) ([]byte, error) {
	reply, err := r.process(ctx, args, keys)
	if err == nil || !unknownScript[err.Error()] {
		return reply, err
	}
	eval := slices.Clone(args) // a hook may hold the first one
	eval[0], eval[1] = "eval", s.text
	if s.readonly {
		eval[0] = "eval_ro"
	}
	reply, err = r.process(ctx, eval, keys)
	if err == nil || !evalForbidden(err.Error()) {
		return reply, err
	}
	if _, err := r.process(ctx, []any{"script", "load", s.text}, 0); err != nil {
		return nil, err
	}
	return r.process(ctx, args, keys)
}

func (r *scriptRunner) process(ctx context.Context, args []any, keys int) ([]byte, error) {
	c := newScriptCall(ctx, args, keys)
	_ = r.client.Process(ctx, c) // an asynchronous client knows the error only when Err asks for it
	if err := c.Err(); err != nil {
		return nil, err
	}
	if len(c.reply.raw) > 0 && c.reply.raw[0] == '!' {
		reader := replyReader{raw: c.reply.raw}
		return nil, replyError(redis.Nil, string(reader.take().text))
	}
	return c.reply.raw, nil
}

// load loads the scripts on every node that the client knows.
func (r *scriptRunner) load(ctx context.Context, scripts []*scriptSource) error {
	if err := r.configError(); err != nil {
		return err
	}
	nodes, ok := r.client.(interface {
		ForEachShard(context.Context, func(context.Context, *redis.Client) error) error
	})
	if !ok {
		return loadOn(ctx, r.client.Process, scripts)
	}
	return nodes.ForEachShard(ctx, func(ctx context.Context, node *redis.Client) error {
		return loadOn(ctx, node.Process, scripts)
	})
}

func loadOn(ctx context.Context, process func(context.Context, redis.Cmder) error, scripts []*scriptSource) error {
	var errs []error
	for _, s := range scripts {
		cmd := redis.NewStringCmd(ctx, "script", "load", s.text)
		_ = process(ctx, cmd)
		if err := cmd.Err(); err != nil {
			errs = append(errs, s.failCall(err, nil))
		}
	}
	return errors.Join(errs...)
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
