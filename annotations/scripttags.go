package annotations

import (
	"slices"
	"time"

	"github.com/redisgen/redisgen/internal/diag"
)

func (o *operands) script() Tag {
	return &ScriptTag{TagBase: o.TagBase, Script: o.name("the script's name")}
}

func (o *operands) flag() Tag { return &FlagTag{o.TagBase} }

func (o *operands) text() Tag {
	if o.free.Text == "" && o.Name.Text != "idempotent" {
		o.missing("the text")
	}
	return &TextTag{TagBase: o.TagBase, Text: o.free}
}

func (o *operands) version() Tag {
	tag := &VersionTag{TagBase: o.TagBase}
	t := o.next()
	if t.kind == endToken {
		tag.Version = o.missing("the version")
		return tag
	}
	tag.Version.Span = t.Span
	if isSemver(t.text) || isDateSerial(t.text) {
		tag.Version = t.word()
		return tag
	}
	o.sink.Report(BadVersion, t.Span, "%s is no version", show(t.text)).WithHint("%s", versionHint(t.text))
	return tag
}

func (o *operands) timeout() Tag {
	tag := &TimeoutTag{TagBase: o.TagBase}
	t := o.next()
	if t.kind == endToken {
		tag.Timeout = o.missing("the duration")
		return tag
	}
	tag.Timeout.Span = t.Span
	if d, err := time.ParseDuration(t.text); err != nil || d <= 0 {
		o.sink.Report(BadTimeout, t.Span, "%s is no duration that a call can last", show(t.text)).
			WithHint("write it with its unit, such as 250ms or 2s")
		return tag
	}
	tag.Timeout = t.word()
	return tag
}

var servers = []string{"redis", "valkey"}

func (o *operands) since() Tag {
	tag := &SinceTag{TagBase: o.TagBase}
	t := o.next()
	switch {
	case t.kind == endToken:
		tag.Server = o.missing("the server")
		return tag
	case isServerVersion(t.text):
		o.sink.Report(BadSince, t.Span, "a version without a server").WithHint("write redis %s or valkey %s", t.text, t.text)
		o.lost = true
		return tag
	case !slices.Contains(servers, t.text):
		f := o.sink.Report(BadSince, t.Span, "unknown server %s", show(t.text)).WithHint("the servers are redis and valkey")
		if near := diag.Nearest(t.text, servers); near != "" {
			f.WithHint("did you mean %s?", near)
		}
		tag.Server.Span = t.Span
	default:
		tag.Server = t.word()
		o.once("since "+t.text, t.Span, "@since "+t.text)
	}
	switch t := o.next(); {
	case t.kind == endToken:
		tag.Version = o.missing("the server's version")
	case !isServerVersion(t.text):
		tag.Version.Span = t.Span
		o.sink.Report(BadSince, t.Span, "%s is no version of a server", show(t.text)).WithHint("write it as 7.0 or 7.0.5")
	default:
		tag.Version = t.word()
	}
	return tag
}
