package otelredisgen

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.39.0"
	"go.opentelemetry.io/otel/trace"
)

const (
	operation = "EVALSHA" // stands for every way to run a script
	loading   = "SCRIPT LOAD"
)

// event is the name of the event that a call in a pipeline becomes.
const event = "redis.script.result"

var (
	withOperation = trace.WithAttributes(semconv.DBOperationName(operation))
	withLoading   = trace.WithAttributes(semconv.DBOperationName(loading))
	withLoaded    = trace.WithAttributes(loadedKey.Bool(true))
)

// addSpan makes the span of a call that is over.
func (o *Observer) addSpan(ctx context.Context, c *call, s *series, end time.Time) {
	// All attributes are there from the start, since samplers see no others.
	name, with := operation, withOperation
	if c.load {
		name, with = loading, withLoading
	}
	opts := append(make([]trace.SpanStartOption, 0, 5),
		trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(end.Add(-c.duration)), with, s.span)
	if c.loaded {
		opts = append(opts, withLoaded)
	}
	_, span := o.tracer.Start(ctx, name+" "+c.script, opts...)
	if c.errorClass != "" {
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(end))
}

// addEvent tells the span in the context of a call in a pipeline.
func addEvent(ctx context.Context, c *call, s *series, at time.Time) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	opts := append(make([]trace.EventOption, 0, 3), trace.WithTimestamp(at), s.span)
	if c.loaded {
		opts = append(opts, withLoaded)
	}
	span.AddEvent(event, opts...)
}
