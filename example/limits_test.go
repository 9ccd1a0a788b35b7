package main

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/redistest"
)

// The generated methods as a service uses them: calls in a pipeline and in MULTI, and a prefix before every key.
func TestGeneratedCalls(t *testing.T) {
	redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
		prefix := server.Prefix + "staging:"
		scripts := limits.NewScripts(server.Client, limits.WithKeyPrefix(prefix))
		params := limits.SlidingWindowParams{Tenant: "acme", Route: "/q", Window: time.Minute, Limit: 3}
		keys, err := scripts.SlidingWindow.Keys(params)
		if err != nil || keys.Log != prefix+"rl:{acme}:/q" {
			t.Fatalf("keys %+v, %v", keys, err)
		}
		admitted := 0
		for name, queue := range map[string]func(func(redis.Pipeliner) error) error{
			"pipeline": func(f func(redis.Pipeliner) error) error {
				_, err := server.Client.Pipelined(t.Context(), f)
				return err
			},
			"MULTI": func(f func(redis.Pipeliner) error) error {
				_, err := server.Client.TxPipelined(t.Context(), f)
				return err
			},
		} {
			var calls []*limits.Pending[limits.SlidingWindowResult]
			err := queue(func(pipe redis.Pipeliner) error {
				for _, member := range []string{name + "1", name + "2"} {
					params.Member = member
					call, err := scripts.SlidingWindow.Queue(t.Context(), pipe, params)
					if err != nil {
						return err
					}
					calls = append(calls, call)
				}
				params.Limit = 0
				if _, err := scripts.SlidingWindow.Queue(t.Context(), pipe, params); err == nil || !strings.Contains(err.Error(), "Limit") {
					t.Errorf("a bad argument was queued: %v", err)
				}
				params.Limit = 3
				if pipe.Len() != 2 {
					t.Errorf("%d commands are queued", pipe.Len())
				}
				return nil
			})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, call := range calls {
				res, err := call.Result()
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if res.Code == limits.SlidingWindowCodeAllowed {
					admitted++
				}
				if res.Count != int64(admitted) {
					t.Errorf("%s: count %d after %d admitted", name, res.Count, admitted)
				}
			}
		}
		if admitted != 3 {
			t.Errorf("%d of four requests were admitted, want 3", admitted)
		}
		if n := server.Client.ZCard(t.Context(), keys.Log).Val(); n != 3 {
			t.Errorf("the log holds %d members", n)
		}
	})
}
