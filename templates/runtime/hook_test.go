package runtime

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/redistest"
)

// keeper is a hook that keeps every command, as tracing hooks do, and prints them later in a goroutine of its own.
type keeper struct {
	mu   sync.Mutex
	kept []redis.Cmder
}

func (k *keeper) keep(cmds ...redis.Cmder) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, cmds...)
}

func (k *keeper) DialHook(next redis.DialHook) redis.DialHook { return next }

func (k *keeper) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		k.keep(cmd)
		return next(ctx, cmd)
	}
}

func (k *keeper) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		k.keep(cmds...)
		return next(ctx, cmds)
	}
}

// Hooks may keep a command for as long as they like. They see the values that were sent, but never a secret one.
func TestHooks(t *testing.T) {
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		client := server.NewClient()
		hook := &keeper{}
		client.AddHook(hook)
		r := newScriptRunner(client, nil)
		s := newSource("return {KEYS[1], ARGV[1], ARGV[2]}")
		seen := func([]byte) (int, string, error) { return 0, "", nil }
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				args := s.command([]string{fmt.Sprintf("%skey%d", server.Prefix, w)}, int64(1000+w), secret("hunter2"))
				if _, err := runScript(t.Context(), r, s, args, 1, seen); err != nil {
					t.Error(err)
				}
				pipe := client.Pipeline()
				if _, err := queueScript(t.Context(), r, pipe, s, args, 1, seen); err != nil {
					t.Error(err)
				}
				if _, err := pipe.Exec(t.Context()); err != nil {
					t.Error(err)
				}
			}()
		}
		wg.Wait()
		calls := 0
		for _, cmd := range hook.kept {
			text := fmt.Sprintf("%v %s", cmd.Args(), cmd)
			if strings.Contains(text, "hunter2") {
				t.Errorf("a hook sees the secret: %s", text)
			}
			if name := cmd.Name(); name != "evalsha" && name != "eval" {
				continue
			}
			calls++
			if !strings.Contains(text, server.Prefix+"key") || !strings.Contains(text, " 100") || !strings.Contains(text, "[secret]") {
				t.Errorf("a hook can't read the call: %s", text)
			}
		}
		if calls < 16 {
			t.Errorf("the hook saw %d calls", calls)
		}
	})
}

// Without EVAL an unknown script is loaded and called again; EVAL is never sent.
func TestWithoutEval(t *testing.T) {
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		client := server.NewClient()
		hook := &keeper{}
		client.AddHook(hook)
		r := newScriptRunner(client, []Option{WithoutEval()})
		s := newSource("return redis.call('INCR', KEYS[1]) + 0")
		for _, want := range []int64{1, 2} {
			n, err := runScript(t.Context(), r, s, s.command([]string{server.Prefix + "n"}), 1, decodeInt)
			if n != want || err != nil {
				t.Errorf("got %d, %v, want %d", n, err, want)
			}
		}
		var sent []string
		for _, cmd := range hook.kept {
			if name := cmd.Name(); name == "eval" || name == "evalsha" || name == "script" {
				sent = append(sent, name)
			}
		}
		if got := strings.Join(sent, " "); got != "evalsha script evalsha evalsha" {
			t.Errorf("sent %s", got)
		}
	})
}
