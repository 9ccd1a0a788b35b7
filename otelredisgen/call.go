package otelredisgen

import (
	"log/slog"
	"time"
)

// call is what a generated package reports about one call. What was not reported is empty.
type call struct {
	kind
	duration time.Duration
	timed    bool // duration was reported
	loaded   bool // the server did not know the script
	queued   bool // in a pipeline
	load     bool // what Load does, which is no call
}

// kind is what calls have in common that are counted together.
type kind struct {
	script, version, sha, pkg, owner, keyTemplate string

	code       string
	errorClass string
}

// readCall reads the attributes that it knows and no other: one that a later version reports can't end up in an export
// before somebody decided that it belongs there.
func readCall(script string, attrs []slog.Attr) call {
	c := call{kind: kind{script: script}}
	for _, a := range attrs {
		switch a.Key {
		case "version":
			c.version = text(a)
		case "sha":
			c.sha = text(a)
		case "package":
			c.pkg = text(a)
		case "owner":
			c.owner = text(a)
		case "key.template":
			c.keyTemplate = text(a)
		case "code":
			c.code = text(a)
		case "error.class":
			c.errorClass = text(a)
		case "duration":
			if a.Value.Kind() == slog.KindDuration {
				c.duration, c.timed = a.Value.Duration(), true
			}
		case "loaded":
			c.loaded = isTrue(a)
		case "load":
			c.load = isTrue(a)
		case "queued":
			c.queued = isTrue(a)
		}
	}
	return c
}

// text and isTrue look at the kind first: the methods of slog.Value panic on another one.

func text(a slog.Attr) string {
	if a.Value.Kind() == slog.KindString {
		return a.Value.String()
	}
	return ""
}

func isTrue(a slog.Attr) bool {
	return a.Value.Kind() == slog.KindBool && a.Value.Bool()
}
