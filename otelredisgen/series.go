package otelredisgen

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.39.0"
	"go.opentelemetry.io/otel/trace"
)

// The attributes that the semantic conventions have no name for.
const (
	nameKey        = attribute.Key("redis.script.name")
	versionKey     = attribute.Key("redis.script.version")
	packageKey     = attribute.Key("redis.script.package")
	ownerKey       = attribute.Key("redis.script.owner")
	queuedKey      = attribute.Key("redis.script.queued")
	codeKey        = attribute.Key("redis.script.result.code")
	shaKey         = attribute.Key("redis.script.sha")
	keyTemplateKey = attribute.Key("redis.script.key.template")
	loadedKey      = attribute.Key("redis.script.loaded")
)

// series holds the attributes of one kind of call, in the form that each instrument takes.
type series struct {
	script, queued, failed, coded []metric.AddOption
	latency                       []metric.RecordOption
	span                          trace.SpanStartEventOption
}

// seriesOf returns the attributes of a kind of call. Sorting them anew for each call would cost more than the rest; those
// that are kept are no more than the series that a meter provider keeps as well.
func (o *Observer) seriesOf(k kind) *series {
	if s, ok := o.series.Load(k); ok {
		return s.(*series)
	}
	s, _ := o.series.LoadOrStore(k, newSeries(k))
	return s.(*series)
}

func newSeries(k kind) *series {
	script := []attribute.KeyValue{nameKey.String(k.script)}
	script = appendText(script, versionKey, k.version)
	script = appendText(script, packageKey, k.pkg)
	script = appendText(script, ownerKey, k.owner)

	with := func(more ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(append(more, script...)...))
	}
	failed := with(appendText(nil, semconv.ErrorTypeKey, k.errorClass)...)

	span := append([]attribute.KeyValue{semconv.DBSystemNameRedis, semconv.DBStoredProcedureName(k.script)}, script...)
	span = appendText(span, shaKey, k.sha)
	span = appendText(span, keyTemplateKey, k.keyTemplate)
	span = appendText(span, codeKey, k.code)
	span = appendText(span, semconv.ErrorTypeKey, k.errorClass)

	return &series{
		script:  []metric.AddOption{with()},
		queued:  []metric.AddOption{with(queuedKey.Bool(true))},
		failed:  []metric.AddOption{failed},
		coded:   []metric.AddOption{with(codeKey.String(k.code))},
		latency: []metric.RecordOption{failed},
		span:    trace.WithAttributes(span...),
	}
}

// appendText leaves out what is empty.
func appendText(attrs []attribute.KeyValue, key attribute.Key, value string) []attribute.KeyValue {
	if value == "" {
		return attrs
	}
	return append(attrs, key.String(value))
}
