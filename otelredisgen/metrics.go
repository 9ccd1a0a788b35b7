package otelredisgen

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/metric"
)

// buckets are the limits of the histogram in seconds: the default ones are meant for milliseconds of web requests, and
// a script on a near server takes a tenth of one.
var buckets = []float64{
	0.00005, 0.0001, 0.00025, 0.0005,
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
	1, 2.5, 5, 10,
}

type metrics struct {
	executions metric.Int64Counter
	latency    metric.Float64Histogram
	errors     metric.Int64Counter
	noscripts  metric.Int64Counter
	timeouts   metric.Int64Counter
	codes      metric.Int64Counter
}

func newMetrics(meter metric.Meter) (*metrics, error) {
	var errs []error
	counter := func(name, unit, description string) metric.Int64Counter {
		c, err := meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return c
	}
	latency, err := meter.Float64Histogram("redis.script.execution.latency",
		metric.WithUnit("s"),
		metric.WithDescription("How long calls of scripts took, retries included."),
		metric.WithExplicitBucketBoundaries(buckets...))
	errs = append(errs, err)
	m := &metrics{
		executions: counter("redis.script.execution.count", "{call}", "Calls of scripts."),
		latency:    latency,
		errors:     counter("redis.script.error.count", "{call}", "Calls of scripts that returned an error."),
		noscripts:  counter("redis.script.noscript.count", "{call}", "Calls that met a server without the script."),
		timeouts:   counter("redis.script.timeout.count", "{call}", "Calls of scripts that ran into a deadline."),
		codes:      counter("redis.script.result.code", "{result}", "Results of scripts by their code."),
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("otelredisgen: %w", err)
	}
	return m, nil
}

func (m *metrics) record(ctx context.Context, c *call, s *series) {
	switch {
	case c.load:
		if c.errorClass != "" {
			m.errors.Add(ctx, 1, s.failed...)
		}
		return
	case c.queued:
		m.executions.Add(ctx, 1, s.queued...)
	default:
		m.executions.Add(ctx, 1, s.script...)
	}
	if c.timed {
		m.latency.Record(ctx, c.duration.Seconds(), s.latency...)
	}
	if c.errorClass != "" {
		m.errors.Add(ctx, 1, s.failed...)
	}
	if c.loaded || c.errorClass == "noscript" {
		m.noscripts.Add(ctx, 1, s.script...)
	}
	if c.errorClass == "timeout" {
		m.timeouts.Add(ctx, 1, s.script...)
	}
	if c.code != "" {
		m.codes.Add(ctx, 1, s.coded...)
	}
}
