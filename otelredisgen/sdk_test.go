package otelredisgen_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/redisgen/redisgen/otelredisgen"
)

// sdk is an observer and what it exported.
type sdk struct {
	*otelredisgen.Observer
	tb     testing.TB
	reader *sdkmetric.ManualReader
	spans  *tracetest.InMemoryExporter
	tracer trace.Tracer // of the service that calls
}

func newSDK(tb testing.TB) *sdk {
	tb.Helper()
	s := &sdk{tb: tb, reader: sdkmetric.NewManualReader(), spans: tracetest.NewInMemoryExporter()}
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans))
	s.tracer = tracers.Tracer("service")
	var err error
	s.Observer, err = otelredisgen.New(
		otelredisgen.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(s.reader))),
		otelredisgen.WithTracerProvider(tracers))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// instruments returns what was recorded, by the name of the instrument.
func (s *sdk) instruments() map[string]metricdata.Metrics {
	s.tb.Helper()
	var all metricdata.ResourceMetrics
	if err := s.reader.Collect(context.Background(), &all); err != nil {
		s.tb.Fatal(err)
	}
	found := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		if want := "github.com/redisgen/redisgen/otelredisgen"; scope.Scope.Name != want {
			s.tb.Errorf("the scope is %s, want %s", scope.Scope.Name, want)
		}
		for _, m := range scope.Metrics {
			found[m.Name] = m
		}
	}
	return found
}

// numbers returns every series as "metric{attributes}" and its sum; of the histogram, the number of observations.
func (s *sdk) numbers() map[string]int64 {
	s.tb.Helper()
	sums := map[string]int64{}
	for name, m := range s.instruments() {
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, point := range data.DataPoints {
				sums[series(name, point.Attributes)] = point.Value
			}
		case metricdata.Histogram[float64]:
			for _, point := range data.DataPoints {
				sums[series(name, point.Attributes)] = int64(point.Count)
			}
		default:
			s.tb.Errorf("%s is a %T", name, data)
		}
	}
	return sums
}

func series(name string, attrs attribute.Set) string {
	var parts []string
	for _, a := range attrs.ToSlice() {
		key := strings.TrimPrefix(string(a.Key), "redis.script.")
		parts = append(parts, key+"="+a.Value.Emit())
	}
	return strings.TrimPrefix(name, "redis.script.") + "{" + strings.Join(parts, " ") + "}"
}

func equalNumbers(t *testing.T, got, want map[string]int64) {
	t.Helper()
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s is %d, want %d", name, got[name], n)
		}
	}
	for name, n := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is %d, want no such series", name, n)
		}
	}
}

// of returns the attributes that every call reports, and more.
func of(more ...slog.Attr) []slog.Attr {
	return append([]slog.Attr{
		slog.String("version", "1.2.0"), slog.String("sha", "bb742b10"), slog.String("package", "limits"),
		slog.String("owner", "platform"), slog.String("key.template", "rl:{<tenant>}"),
	}, more...)
}

func equalAttributes(t *testing.T, got []attribute.KeyValue, want []string) {
	t.Helper()
	var lines []string
	for _, a := range got {
		lines = append(lines, string(a.Key)+"="+a.Value.Emit())
	}
	slices.Sort(lines)
	if !slices.Equal(lines, want) {
		t.Errorf("the attributes are\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

// texts returns attributes by their key.
func texts(attrs []attribute.KeyValue) map[string]string {
	all := map[string]string{}
	for _, a := range attrs {
		all[string(a.Key)] = a.Value.Emit()
	}
	return all
}
