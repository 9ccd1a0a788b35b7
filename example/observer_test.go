package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/redistest"
)

// The log tells of calls and failures, and never holds a value: neither the token, which is secret, nor the resource.
func TestSlogObserver(t *testing.T) { redistest.Matrix(t, testSlogObserver) }

func testSlogObserver(t *testing.T, server *redistest.Server) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	scripts := limits.NewScripts(server.Client, limits.WithObserver(slogObserver{logger}))
	unlock := limits.UnlockParams{Resource: server.Prefix + "resource-7", Token: "hunter2"}
	if _, err := scripts.Unlock.Execute(t.Context(), unlock); err != nil {
		t.Fatal(err)
	}
	// A key of another kind: the call fails on the server.
	keys, err := scripts.SlidingWindow.Keys(limits.SlidingWindowParams{Tenant: server.Prefix + "acme", Route: "/q"})
	if err != nil {
		t.Fatal(err)
	}
	server.Client.Set(t.Context(), keys.Log, "text", time.Minute)
	if _, err := scripts.SlidingWindow.Execute(t.Context(), limits.SlidingWindowParams{Tenant: server.Prefix + "acme", Route: "/q", Window: time.Second, Limit: 1, Member: "m"}); err == nil {
		t.Fatal("a call on a key of another kind succeeded")
	}
	for _, want := range []string{`level=DEBUG msg="redis script unlock"`, "code=not_held", "key.template=lock:{<resource>}", `level=WARN msg="redis script sliding_window"`, "error.class=redis"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	for _, value := range []string{"hunter2", "resource-7", "acme"} {
		if strings.Contains(log.String(), value) {
			t.Errorf("the log holds %s:\n%s", value, log.String())
		}
	}
}
