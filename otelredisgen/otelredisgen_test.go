package otelredisgen_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/redisgen/redisgen/otelredisgen"
)

func TestMetrics(t *testing.T) {
	const id = "name=window owner=platform package=limits version=1.2.0"
	took := slog.Duration("duration", time.Millisecond)
	for _, test := range []struct {
		name  string
		attrs []slog.Attr
		want  map[string]int64
	}{
		{"a call", of(took), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{" + id + "}": 1}},
		{"a code", of(took, slog.String("code", "rejected")), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{" + id + "}": 1,
			"result.code{name=window owner=platform package=limits result.code=rejected version=1.2.0}": 1}},
		{"an unknown script", of(took, slog.Bool("loaded", true)), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{" + id + "}": 1, "noscript.count{" + id + "}": 1}},
		{"an unknown script, and again after loading", of(took, slog.Bool("loaded", true), slog.String("error.class", "noscript")), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{error.type=noscript " + id + "}": 1, "noscript.count{" + id + "}": 1,
			"error.count{error.type=noscript " + id + "}": 1}},
		{"a load", of(took, slog.Bool("load", true)), map[string]int64{}},
		{"a load that failed", of(took, slog.Bool("load", true), slog.String("error.class", "network")), map[string]int64{
			"error.count{error.type=network " + id + "}": 1}},
		{"a timeout", of(took, slog.String("error.class", "timeout")), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{error.type=timeout " + id + "}": 1, "timeout.count{" + id + "}": 1,
			"error.count{error.type=timeout " + id + "}": 1}},
		{"a code that is an error", of(took, slog.String("code", "closed"), slog.String("error.class", "code")), map[string]int64{
			"execution.count{" + id + "}": 1, "execution.latency{error.type=code " + id + "}": 1, "error.count{error.type=code " + id + "}": 1,
			"result.code{name=window owner=platform package=limits result.code=closed version=1.2.0}": 1}},
		{"a call in a pipeline", of(slog.Bool("queued", true), slog.String("code", "allowed")), map[string]int64{
			"execution.count{name=window owner=platform package=limits queued=true version=1.2.0}":     1,
			"result.code{name=window owner=platform package=limits result.code=allowed version=1.2.0}": 1}},
		{"a failed one, which has no duration either", of(slog.Bool("queued", true), slog.String("error.class", "noscript")), map[string]int64{
			"execution.count{name=window owner=platform package=limits queued=true version=1.2.0}": 1,
			"noscript.count{" + id + "}": 1, "error.count{error.type=noscript " + id + "}": 1}},
		{"nothing else is known", nil, map[string]int64{"execution.count{name=window}": 1}},
		{"attributes of a later version, and known ones of another kind", []slog.Attr{
			slog.String("key", "rl:{acme}"), slog.Int("attempts", 2), slog.Int("version", 1), slog.Int("code", 2),
			slog.String("duration", "1s"), slog.String("queued", "true"), slog.String("loaded", "true")},
			map[string]int64{"execution.count{name=window}": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSDK(t)
			s.ObserveScript(t.Context(), "window", test.attrs)
			equalNumbers(t, s.numbers(), test.want)
		})
	}
}

func TestInstruments(t *testing.T) {
	s := newSDK(t)
	s.ObserveScript(t.Context(), "window", of(slog.Duration("duration", 300*time.Microsecond), slog.String("code", "x"), slog.String("error.class", "timeout"), slog.Bool("loaded", true)))
	var got []string
	for name, m := range s.instruments() {
		got = append(got, name+" "+m.Unit)
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok && (!sum.IsMonotonic || sum.Temporality != metricdata.CumulativeTemporality) {
			t.Errorf("%s is no counter", name)
		}
	}
	slices.Sort(got)
	want := []string{
		"redis.script.error.count {call}", "redis.script.execution.count {call}", "redis.script.execution.latency s",
		"redis.script.noscript.count {call}", "redis.script.result.code {result}", "redis.script.timeout.count {call}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the instruments are\n%q, want\n%q", got, want)
	}
	point := s.instruments()["redis.script.execution.latency"].Data.(metricdata.Histogram[float64]).DataPoints[0]
	if point.Sum != 0.0003 {
		t.Errorf("300µs were recorded as %v s", point.Sum)
	}
	if place := slices.Index(point.BucketCounts, 1); point.Bounds[place-1] != 0.00025 || point.Bounds[place] != 0.0005 {
		t.Errorf("300µs are in bucket %d of %v", place, point.Bounds)
	}
}

// The context of a call that ran into its deadline is over, and the call counts.
func TestCancelledContext(t *testing.T) {
	seen := &contextMeters{}
	observer, err := otelredisgen.New(otelredisgen.WithMeterProvider(seen))
	if err != nil {
		t.Fatal(err)
	}
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "baggage"))
	cancel()
	observer.ObserveScript(ctx, "window", nil)
	if seen.ctx.Err() != nil || seen.ctx.Value(key{}) != "baggage" {
		t.Errorf("the counter got a context with error %v and value %v", seen.ctx.Err(), seen.ctx.Value(key{}))
	}
}

// contextMeters keeps the context of the last measurement, by which a provider may drop it.
type contextMeters struct {
	noopmetric.MeterProvider
	ctx context.Context
}

func (m *contextMeters) Meter(string, ...metric.MeterOption) metric.Meter {
	return contextMeter{seen: m}
}

type contextMeter struct {
	noopmetric.Meter
	seen *contextMeters
}

func (m contextMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return contextCounter{seen: m.seen}, nil
}

type contextCounter struct {
	noopmetric.Int64Counter
	seen *contextMeters
}

func (c contextCounter) Add(ctx context.Context, _ int64, _ ...metric.AddOption) { c.seen.ctx = ctx }

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		opt  otelredisgen.Option
		want string
	}{
		{otelredisgen.WithMeterProvider(nil), "otelredisgen: WithMeterProvider needs a provider"},
		{otelredisgen.WithTracerProvider(nil), "otelredisgen: WithTracerProvider needs a provider"},
		{otelredisgen.WithMeterProvider(brokenMeters{}), "otelredisgen: no redis.script.timeout.count"},
	} {
		if observer, err := otelredisgen.New(test.opt); observer != nil || err == nil || err.Error() != test.want {
			t.Errorf("New returns %v, %v, want the error %s", observer, err, test.want)
		}
	}
}

type brokenMeters struct{ noopmetric.MeterProvider }

func (brokenMeters) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }

type brokenMeter struct{ noopmetric.Meter }

func (brokenMeter) Int64Counter(name string, _ ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	if name == "redis.script.timeout.count" {
		return noopmetric.Int64Counter{}, fmt.Errorf("no %s", name)
	}
	return noopmetric.Int64Counter{}, nil
}

// By default the global providers are used.
func TestGlobalProviders(t *testing.T) {
	meters, tracers := otel.GetMeterProvider(), otel.GetTracerProvider()
	t.Cleanup(func() {
		otel.SetMeterProvider(meters)
		otel.SetTracerProvider(tracers)
	})
	s := &sdk{tb: t, reader: sdkmetric.NewManualReader(), spans: tracetest.NewInMemoryExporter()}
	otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(s.reader)))
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans)))
	observer, err := otelredisgen.New()
	if err != nil {
		t.Fatal(err)
	}
	observer.ObserveScript(t.Context(), "window", nil)
	equalNumbers(t, s.numbers(), map[string]int64{"execution.count{name=window}": 1})
	if n := len(s.spans.GetSpans()); n != 1 {
		t.Errorf("%d spans reached the global provider, want 1", n)
	}
}

func BenchmarkObserveScript(b *testing.B) {
	observer, err := otelredisgen.New(
		otelredisgen.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))))
	if err != nil {
		b.Fatal(err)
	}
	attrs := of(slog.Duration("duration", time.Millisecond), slog.String("code", "allowed"))
	b.ReportAllocs()
	for b.Loop() {
		observer.ObserveScript(context.Background(), "window", attrs)
	}
}
