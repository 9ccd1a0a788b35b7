package main

import (
	"context"
	"log/slog"
)

// slogObserver writes what generated packages report to a log: calls at level debug, failed ones as warnings. One value
// serves every generated package, for the Observer of each is made of standard types alone.
type slogObserver struct{ *slog.Logger }

func (o slogObserver) ObserveScript(ctx context.Context, script string, attrs []slog.Attr) {
	level := slog.LevelDebug
	for _, a := range attrs {
		if a.Key == "error.class" {
			level = slog.LevelWarn
		}
	}
	o.LogAttrs(ctx, level, "redis script "+script, attrs...)
}
