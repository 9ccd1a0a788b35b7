// Command example limits requests and releases a lock with the generated package limits. It uses the Redis that
// REDISGEN_REDIS_ADDR names, else a server on PATH, else an embedded one: it runs with no Redis installed.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/redistest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	server, err := redistest.Open(ctx)
	if err != nil {
		return err
	}
	defer server.Close()
	// A service leaves the clock alone; the example holds it still so that it prints the same every time.
	clock := limits.WithClock(func() time.Time { return time.Unix(1_700_000_000, 0) })
	scripts := limits.NewScripts(server.Client, clock, limits.WithObserver(slogObserver{slog.Default()}))
	if err := scripts.Load(ctx); err != nil {
		return err
	}
	if err := admit(ctx, out, scripts.SlidingWindow, server.Prefix+"acme"); err != nil {
		return err
	}
	return release(ctx, out, scripts.Unlock, server.Client, server.Prefix+"invoice-7")
}

// admit asks three times for a route that admits two requests a minute.
func admit(ctx context.Context, out io.Writer, window limits.SlidingWindowExecutor, tenant string) error {
	for _, request := range []string{"r1", "r2", "r3"} {
		res, err := window.Execute(ctx, limits.SlidingWindowParams{
			Tenant: tenant,
			Route:  "/quote",
			Window: time.Minute,
			Limit:  2,
			Member: request,
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s, %d in the window, moves on in %s\n", request, res.Code, res.Count, res.ResetAfter)
	}
	return nil
}

// release gives a lock back twice: the second time it is not held any more.
func release(ctx context.Context, out io.Writer, unlock *limits.UnlockScript, client *redis.Client, resource string) error {
	params := limits.UnlockParams{Resource: resource, Token: "7f9c2ba4"}
	keys, err := unlock.Keys(params)
	if err != nil {
		return err
	}
	if err := client.SetNX(ctx, keys.Lock, params.Token, time.Minute).Err(); err != nil {
		return err
	}
	for range 2 {
		res, err := unlock.Execute(ctx, params)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "unlock: %s\n", res.Code)
	}
	return nil
}
