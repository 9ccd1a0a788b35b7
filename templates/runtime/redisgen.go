// Package runtime is the support code of generated packages: redisgen copies the parts that a package needs into it, so
// that a generated package depends on go-redis alone. It is ordinary Go and is compiled, vetted and tested here.
package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Option configures what NewScripts returns.
type Option func(*scriptRunner)

// WithClock sets the clock that fills the now() arguments of scripts; the default is time.Now.
func WithClock(now func() time.Time) Option {
	return func(r *scriptRunner) {
		if now == nil {
			r.err = &ConfigError{Problem: "WithClock needs a function"}
			return
		}
		r.now = now
	}
}

// WithKeyPrefix puts a prefix before every key, as in "staging:". Keys returns them with it. It must not hold a brace,
// which would change hash slots.
func WithKeyPrefix(prefix string) Option {
	return func(r *scriptRunner) {
		if strings.ContainsAny(prefix, "{}") {
			r.err = &ConfigError{Problem: "the key prefix holds a brace, which would change hash slots"}
			return
		}
		r.keyPrefix = prefix
	}
}

// WithoutEval never sends EVAL, for users whose ACL forbids it: a call is EVALSHA, with SCRIPT LOAD where the server does
// not know the script. A queued call of an unknown script is then ErrNotExecuted, and in MULTI all others commit.
func WithoutEval() Option {
	return func(r *scriptRunner) { r.withoutEval = true }
}

// WithObserver tells an observer of every call and every load.
func WithObserver(observer Observer) Option {
	return func(r *scriptRunner) { r.observer = observer }
}

// Observer is told what happened, after it did. It is called from many goroutines.
//
// The attributes are version, sha, package and owner of the script; key.template; duration; code, the name of the
// result code; error.class, the Class of the *ScriptError; loaded, true if the server did not know the script; load, true
// for what Load does, which is no call; queued, true for a call in a pipeline, which is told of when Result is first
// called and has no duration of its own. An attribute that does not apply is left out, and later versions may add some.
// Values of arguments and keys are never among them. A call with a refused argument is not sent and not told of.
type Observer interface {
	ObserveScript(ctx context.Context, script string, attrs []slog.Attr)
}

// ScriptInfo says what a script is, for logs, metrics and health pages.
type ScriptInfo struct {
	Name    string
	Version string // its @version
	Owner   string // its @owner
	SHA     string // the SHA-1 of Text, by which EVALSHA calls it
	File    string // the source file
	Text    string // what the server runs
}

// What is known about a call that failed without an answer of the script. errors.Is finds them in a *ScriptError.
var (
	// ErrNotExecuted says that the server certainly did not run the script.
	ErrNotExecuted = errors.New("the script did not run")

	// ErrMaybeExecuted says that the request may have reached the server, but no reply came back: the script ran once
	// or not at all. It was not repeated, unless its header says @readonly or @idempotent.
	ErrMaybeExecuted = errors.New("the script may have run")
)

// ScriptError is the error of a call. It wraps its causes: errors.Is and errors.As reach the script's own errors,
// *ArgumentError, *ReplyError, ErrNotExecuted, ErrMaybeExecuted and the error of go-redis.
type ScriptError struct {
	Script  string // the script's name
	Version string // its @version
	SHA     string // the SHA-1 of what the server runs
	Class   string // argument, config, network, timeout, noscript, busy, redis, reply, code, or queued
	Word    string // the first word of the server's error reply, such as WRONGTYPE; empty for other errors
	File    string // the source file in which the script failed, if the server named a line
	Line    int    // the line in File

	message string
	causes  []error
}

func (e *ScriptError) Error() string {
	var b strings.Builder
	b.WriteString(e.Script)
	if e.Line > 0 {
		fmt.Fprintf(&b, " (%s:%d)", e.File, e.Line)
	}
	b.WriteString(": ")
	b.WriteString(e.message)
	return b.String()
}

// Unwrap returns the causes.
func (e *ScriptError) Unwrap() []error { return e.causes }

// ArgumentError says which parameter was refused before anything was sent. It never holds the value.
type ArgumentError struct {
	Script  string // the script's name
	Field   string // the field of the parameters
	Problem string // what is wrong with it: "is below 1ms"
}

func (e *ArgumentError) Error() string { return e.Field + " " + e.Problem }

// ReplyError says that a reply does not have the shape that the script's header promises. It never holds the value.
type ReplyError struct {
	Path string // where in the reply: "reply[2]"
	Want string // what the header promises: "integer"
	Got  string // what came: "string"
}

func (e *ReplyError) Error() string {
	return e.Path + ": expected " + e.Want + ", got " + e.Got
}

// UnknownCodeError says that the script returned a result code that its header does not declare.
type UnknownCodeError struct {
	Code string // the code, or its length if it does not look like one
}

func (e *UnknownCodeError) Error() string { return "unknown result code " + e.Code }

// CrossSlotError says that a cluster refused the call because its keys are in different hash slots. Nothing ran.
type CrossSlotError struct {
	Script string // the script's name
}

func (e *CrossSlotError) Error() string { return "the keys of the call are in different hash slots" }

// ConfigError says that NewScripts was given something that can't work. Every call returns it.
type ConfigError struct {
	Problem string
}

func (e *ConfigError) Error() string { return e.Problem }
