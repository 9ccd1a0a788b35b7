package otelredisgen_test

import (
	"log/slog"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/redisgen/redisgen/otelredisgen"
)

func TestSpan(t *testing.T) {
	s := newSDK(t)
	ctx, parent := s.tracer.Start(t.Context(), "request")
	before := time.Now()
	s.ObserveScript(ctx, "window", of(slog.Duration("duration", 3*time.Second), slog.String("code", "rejected"), slog.Bool("loaded", true)))
	after := time.Now()
	spans := s.spans.GetSpans()
	if len(spans) != 1 {
		t.Fatalf("%d spans, want 1", len(spans))
	}
	span := spans[0]
	if span.Name != "EVALSHA window" || span.SpanKind != trace.SpanKindClient || span.Status.Code != codes.Unset {
		t.Errorf("the span is %q, of kind %s, with status %v", span.Name, span.SpanKind, span.Status)
	}
	if span.Parent.SpanID() != parent.SpanContext().SpanID() {
		t.Errorf("the parent is %s, want the span in the context", span.Parent.SpanID())
	}
	if took := span.EndTime.Sub(span.StartTime); took != 3*time.Second {
		t.Errorf("the span took %s, want 3s", took)
	}
	if span.EndTime.Before(before) || span.EndTime.After(after) {
		t.Errorf("the span ended at %s, want between %s and %s", span.EndTime, before, after)
	}
	equalAttributes(t, span.Attributes, []string{
		"db.operation.name=EVALSHA", "db.stored_procedure.name=window", "db.system.name=redis",
		"redis.script.key.template=rl:{<tenant>}", "redis.script.loaded=true", "redis.script.name=window",
		"redis.script.owner=platform", "redis.script.package=limits", "redis.script.result.code=rejected",
		"redis.script.sha=bb742b10", "redis.script.version=1.2.0",
	})
}

func TestSpanOfAFailedCall(t *testing.T) {
	s := newSDK(t)
	s.ObserveScript(t.Context(), "window", []slog.Attr{slog.Duration("duration", time.Second), slog.String("error.class", "busy")})
	span := s.spans.GetSpans()[0]
	if span.Status.Code != codes.Error || span.Parent.IsValid() {
		t.Errorf("the status is %v and the parent %v, want an error without parent", span.Status, span.Parent)
	}
	equalAttributes(t, span.Attributes, []string{
		"db.operation.name=EVALSHA", "db.stored_procedure.name=window", "db.system.name=redis", "error.type=busy",
		"redis.script.name=window",
	})
}

// A sampler decides by the attributes that are there at the start.
func TestSamplersSeeAttributes(t *testing.T) {
	sampler := &recordingSampler{}
	observer, err := otelredisgen.New(
		otelredisgen.WithMeterProvider(noopmetric.NewMeterProvider()),
		otelredisgen.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler))))
	if err != nil {
		t.Fatal(err)
	}
	observer.ObserveScript(t.Context(), "window", []slog.Attr{slog.String("error.class", "busy")})
	equalAttributes(t, sampler.seen, []string{
		"db.operation.name=EVALSHA", "db.stored_procedure.name=window", "db.system.name=redis", "error.type=busy",
		"redis.script.name=window",
	})
}

type recordingSampler struct{ seen []attribute.KeyValue }

func (s *recordingSampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	s.seen = p.Attributes
	return sdktrace.SamplingResult{Decision: sdktrace.Drop}
}

func (s *recordingSampler) Description() string { return "recording" }

// A call in a pipeline is an event on the span of whoever asks for its result.
func TestQueuedCall(t *testing.T) {
	s := newSDK(t)
	ctx, parent := s.tracer.Start(t.Context(), "request")
	s.ObserveScript(ctx, "window", of(slog.Bool("queued", true), slog.String("code", "allowed"), slog.String("error.class", "code")))
	s.ObserveScript(t.Context(), "window", of(slog.Bool("queued", true))) // no span to tell
	parent.End()
	spans := s.spans.GetSpans()
	if len(spans) != 1 || spans[0].Name != "request" {
		t.Fatalf("the spans are %v, want only the one of the request", spans)
	}
	events := spans[0].Events
	if len(events) != 1 || events[0].Name != "redis.script.result" {
		t.Fatalf("the events are %v, want one redis.script.result", events)
	}
	equalAttributes(t, events[0].Attributes, []string{
		"db.stored_procedure.name=window", "db.system.name=redis", "error.type=code",
		"redis.script.key.template=rl:{<tenant>}", "redis.script.name=window", "redis.script.owner=platform",
		"redis.script.package=limits", "redis.script.result.code=allowed", "redis.script.sha=bb742b10",
		"redis.script.version=1.2.0",
	})
}
