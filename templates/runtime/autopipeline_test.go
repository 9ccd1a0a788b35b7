//go:build autopipeline

// These tests need a go-redis with AutoPipeline: 9.23 has all of it. CI runs them in a copy of the tree on the newest one.
package runtime

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/redistest"
)

// Calls through an AutoPipeliner, which batches those of many goroutines: each gets its own reply, also beside calls that
// fail, with the scripts known to the server or not.
func TestAutoPipeline(t *testing.T) {
	for name, options := range map[string]*redis.AutoPipelineOptions{
		"blocking":    {MaxBatchSize: 50},
		"async":       {MaxBatchSize: 50},
		"full duplex": {MaxBatchSize: 50, FullDuplex: true},
	} {
		redistest.Matrix(t, func(t *testing.T, server *redistest.Server) {
			server.RequireReal(t, "SCRIPT FLUSH beside calls")
			server.RequireOwn(t, "SCRIPT FLUSH")
			open := server.Client.AutoPipelineWithOptions
			if name == "async" {
				open = server.Client.AsyncAutoPipelineWithOptions
			}
			pipeliner, err := open(options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = pipeliner.Close() })
			r := newScriptRunner(pipeliner, nil)
			count, fail := newSource(incr), newSource("return redis.error_reply('MYCODE boom')")
			const workers, calls = 8, 50
			var wg sync.WaitGroup
			for w := range workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					key := fmt.Sprintf("%sworker%d", server.Prefix, w)
					for i := range calls {
						if n, err := runScript(t.Context(), r, count, count.command([]string{key}), 1, decodeInt); n != int64(i+1) || err != nil {
							t.Errorf(name+": call %d returned %d, %v", i, n, err)
							return
						}
						var failed *ScriptError
						if _, err := runScript(t.Context(), r, fail, fail.command(nil), 0, decodeInt); !errors.As(err, &failed) || failed.Word != "MYCODE" {
							t.Errorf(name+": the failing script: %v", err)
						}
						if i%10 == w {
							server.Client.ScriptFlush(t.Context())
						}
					}
				}()
			}
			wg.Wait()
			if err := r.load(t.Context(), []*scriptSource{count}); err != nil {
				t.Error(err)
			}

			// A queued call does not know the node behind an AutoPipeliner: it is always EVAL.
			pipe := pipeliner.Pipeline()
			s := long(incr)
			key := server.Prefix + "queued"
			first, second := queueIncr(t, r, pipe, s, key), queueIncr(t, r, pipe, s, key)
			if first.call.Name() != "eval" || second.call.Name() != "eval" {
				t.Errorf("queued as %s and %s", first.call.Name(), second.call.Name())
			}
			if _, err := pipe.Exec(t.Context()); err != nil {
				t.Error(err)
			}
			if n, err := second.Result(); n != 2 || err != nil {
				t.Errorf("got %d, %v", n, err)
			}
		})
	}
}
