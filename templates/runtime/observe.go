package runtime

//lint:file-ignore U1000 much of it is used by generated code only

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// observation is what there is to tell about a call besides its error.
type observation struct {
	start          time.Time // zero for a queued call
	code           string
	loaded, queued bool
	load           bool // a load, no call
}

// observe tells the observer. What does not apply is left out.
func (r *scriptRunner) observe(ctx context.Context, s *scriptSource, seen observation, err error) {
	attrs := make([]slog.Attr, 0, 10)
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	text("version", s.version)
	text("sha", s.sha)
	text("package", s.pkg)
	text("owner", s.owner)
	text("key.template", s.template)
	if !seen.start.IsZero() {
		attrs = append(attrs, slog.Duration("duration", time.Since(seen.start)))
	}
	text("code", seen.code)
	var failed *ScriptError
	if errors.As(err, &failed) {
		text("error.class", failed.Class)
	}
	if seen.loaded {
		attrs = append(attrs, slog.Bool("loaded", true))
	}
	if seen.load {
		attrs = append(attrs, slog.Bool("load", true))
	}
	if seen.queued {
		attrs = append(attrs, slog.Bool("queued", true))
	}
	r.observer.ObserveScript(ctx, s.name, attrs)
}
