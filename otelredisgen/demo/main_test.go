package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// The demo prints every metric, and of both packages.
func TestDemo(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	var printed struct {
		ScopeMetrics []struct {
			Metrics []struct {
				Name string
				Data struct {
					DataPoints []struct {
						Attributes []struct {
							Key   string
							Value struct{ Value any }
						}
						Value int64
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	var metrics []string
	calls := map[any]int64{}
	for _, m := range printed.ScopeMetrics[0].Metrics {
		metrics = append(metrics, m.Name)
		if m.Name != "redis.script.execution.count" {
			continue
		}
		for _, point := range m.Data.DataPoints {
			for _, a := range point.Attributes {
				if a.Key == "redis.script.name" {
					calls[a.Value.Value] = point.Value
				}
			}
		}
	}
	for _, want := range []string{
		"redis.script.execution.count", "redis.script.execution.latency", "redis.script.error.count",
		"redis.script.noscript.count", "redis.script.timeout.count", "redis.script.result.code",
	} {
		if !slices.Contains(metrics, want) {
			t.Errorf("the demo prints no %s", want)
		}
	}
	for script, want := range map[string]int64{"sliding_window": 5, "reserve": 4, "left": 1} {
		if calls[script] != want {
			t.Errorf("the demo prints %d calls of %s, want %d", calls[script], script, want)
		}
	}
}
