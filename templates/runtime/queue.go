package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Pending is a call in a pipeline. Its result is there once the pipeline was executed.
type Pending[T any] struct {
	ctx    context.Context
	runner *scriptRunner
	call   *scriptCall
	decode func([]byte) (T, string, error)
	told   bool // the observer knows
}

// Result returns what the call returned. Before Exec and after Discard it is ErrNotExecuted; so is a call of a script
// that the server did not know. The error is a *ScriptError. Result is not safe for concurrent use.
func (p *Pending[T]) Result() (result T, err error) {
	var seen observation
	if p.runner.observer != nil && !p.told {
		defer func() {
			p.told = true
			seen.queued = true
			p.runner.observe(p.ctx, p.call.source, seen, err)
		}()
	}
	s := p.call.source
	reply, err := p.call.result()
	if err != nil {
		return result, s.failCall(err, s.outcome(err).is)
	}
	if len(reply) == 0 {
		return result, s.fail("queued", ErrNotExecuted)
	}
	result, seen.code, err = p.decode(reply)
	return result, err
}

// evalAlways is up to which length a script is always queued as EVAL: that costs as little as EVALSHA, and a server
// that does not know the script can't be in the way.
const evalAlways = 1024

// queueScript puts a call into a pipeline. The longer scripts go as EVAL where they are first of their kind for their
// node in this pipeline, and as EVALSHA after.
func queueScript[T any](ctx context.Context, r *scriptRunner, pipe redis.Pipeliner, s *scriptSource, args []any, keys int, decode func([]byte) (T, string, error)) (*Pending[T], error) {
	if err := r.configError(); err != nil {
		return nil, s.fail("config", err)
	}
	node, known := r.nodeOf(ctx, args, keys)
	if !r.withoutEval && (len(s.text) <= evalAlways || !known || !queuedBefore(pipe.Cmds(), s, node)) {
		args = s.eval(args)
	}
	c := newScriptCall(ctx, args, keys)
	c.source, c.node = s, node
	if err := pipe.Process(ctx, c); err != nil {
		return nil, s.failCall(err, ErrNotExecuted)
	}
	return &Pending[T]{ctx: ctx, runner: r, call: c, decode: decode}, nil
}

// nodeOf returns the node that a queued call goes to; nil where there is only one. It is not known for a call without
// keys on a cluster, which goes to any node, and for clients that choose the node themselves.
func (r *scriptRunner) nodeOf(ctx context.Context, args []any, keys int) (node *redis.Client, known bool) {
	switch client := r.client.(type) {
	case *redis.Client, *redis.Conn, *redis.Tx:
		return nil, true
	case *redis.ClusterClient:
		if keys > 0 {
			first, isText := args[3].(string) // after EVALSHA, the SHA and the number of keys
			node, err := client.MasterForKey(ctx, first)
			return node, err == nil && isText
		}
	}
	return nil, false
}

// queuedBefore reports whether the pipeline holds a call of the script for the node already: the state is in the
// commands that the pipeline itself holds, so that Exec and Discard reset it.
func queuedBefore(cmds []redis.Cmder, s *scriptSource, node *redis.Client) bool {
	for i := len(cmds) - 1; i >= 0; i-- {
		if c, ok := cmds[i].(*scriptCall); ok && c.source == s && c.node == node {
			return true
		}
	}
	return false
}
