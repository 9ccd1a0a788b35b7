// Package otelredisgen turns what generated packages report into OpenTelemetry metrics and spans.
//
//	observer, err := otelredisgen.New()
//	…
//	scripts := limits.NewScripts(client, limits.WithObserver(observer))
//
// One [Observer] serves every generated package: the Observer interface of each is made of standard types alone.
//
// # Metrics
//
//	redis.script.execution.count    calls; a call in a pipeline has redis.script.queued=true
//	redis.script.execution.latency  seconds, a histogram; calls in a pipeline have no duration of their own
//	redis.script.error.count        calls that returned an error
//	redis.script.noscript.count     calls that met a server without the script, whether or not it was sent to it then
//	redis.script.timeout.count      calls that ran into a deadline
//	redis.script.result.code        results, by redis.script.result.code
//
// What Load does is no call: of the metrics it is only in the error count, if it failed.
//
// All carry redis.script.name, .version, .package and .owner; the error count and the latency also carry error.type, the
// Class of the *ScriptError. All of these come from headers, so the number of series is that of scripts, codes and
// classes, however many keys and calls there are.
//
// # Spans
//
// A call is a client span by the semantic conventions for databases, a child of the span in the context of the call.
// It is made when the call is over, so what the client does meanwhile can't be below it. Its name is "EVALSHA" and the
// script's name, also where the server got EVAL or EVALSHA_RO instead: the observer isn't told which. Load is a span called
// "SCRIPT LOAD" and the script's name.
// Besides what the metrics carry it has redis.script.sha, redis.script.key.template, redis.script.result.code and
// redis.script.loaded. A failed one has the status Error and error.type.
//
// A call in a pipeline took no time of its own, and a span of no length would only spoil the statistics of the others.
// It is an event, redis.script.result, on the span in its context, with the same attributes.
//
// Values of keys and arguments are in none of these.
package otelredisgen

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.39.0"
	"go.opentelemetry.io/otel/trace"
)

// scope names the instrumentation in what is exported.
const scope = "github.com/redisgen/redisgen/otelredisgen"

// Observer is what the WithObserver option of a generated package takes. Get it from [New]. It may be used by many
// goroutines and many packages.
type Observer struct {
	metrics *metrics
	tracer  trace.Tracer
	series  sync.Map // kind to *series
}

// Option configures what [New] returns.
type Option func(*config)

type config struct {
	meters  metric.MeterProvider
	tracers trace.TracerProvider
}

// WithMeterProvider sets where metrics go; the default is the global provider.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(c *config) { c.meters = p }
}

// WithTracerProvider sets where spans go; the default is the global provider. The provider of package
// go.opentelemetry.io/otel/trace/noop turns them off.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(c *config) { c.tracers = p }
}

// New returns an observer. The error says that a provider is nil or refuses an instrument.
func New(opts ...Option) (*Observer, error) {
	c := config{meters: otel.GetMeterProvider(), tracers: otel.GetTracerProvider()}
	for _, opt := range opts {
		opt(&c)
	}
	if c.meters == nil {
		return nil, errors.New("otelredisgen: WithMeterProvider needs a provider")
	}
	if c.tracers == nil {
		return nil, errors.New("otelredisgen: WithTracerProvider needs a provider")
	}
	m, err := newMetrics(c.meters.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		return nil, err
	}
	return &Observer{metrics: m, tracer: c.tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL))}, nil
}

// ObserveScript is called by generated packages after each call.
func (o *Observer) ObserveScript(ctx context.Context, script string, attrs []slog.Attr) {
	end := time.Now()
	c := readCall(script, attrs)
	kept := o.seriesOf(c.kind)
	// A context that was cancelled, as after a timeout, must not keep the call from being counted.
	o.metrics.record(context.WithoutCancel(ctx), &c, kept)
	if c.queued {
		addEvent(ctx, &c, kept, end)
		return
	}
	o.addSpan(ctx, &c, kept, end)
}
