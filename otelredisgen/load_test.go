package otelredisgen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/otelredisgen"
	"github.com/redisgen/redisgen/otelredisgen/demo/stock"
	"github.com/redisgen/redisgen/redistest"
)

// One observer fits every generated package.
var (
	_ limits.Observer = (*otelredisgen.Observer)(nil)
	_ stock.Observer  = (*otelredisgen.Observer)(nil)
)

const (
	workers = 8
	rounds  = 60 // of each worker; a round is some twenty calls
	secret  = "hunter2"
)

// Eight workers call the scripts of two packages through one observer, in every way and with every failure that there
// is, while the server forgets its scripts again and again. Every number that is exported then equals what the workers
// counted themselves.
func TestLoad(t *testing.T) { redistest.Matrix(t, testLoad) }

func testLoad(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "EVALSHA_RO")
	server.RequireOwn(t, "SCRIPT FLUSH")
	s := newSDK(t)
	l := newLoad(t, server, s)
	start := time.Now()
	var group sync.WaitGroup
	for n := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			w := worker{load: l, name: fmt.Sprintf("%s%d-", server.Prefix, n)}
			for round := range rounds {
				w.round(round)
			}
		}()
	}
	group.Wait()
	elapsed := time.Since(start)

	equalNumbers(t, s.numbers(), l.want)
	for _, what := range []string{"noscript.count", "timeout.count", "error.count", "queued=true", "result.code=rejected", "result.code=not_held"} {
		if !strings.Contains(fmt.Sprint(l.want), what) {
			t.Errorf("the load had no %s", what)
		}
	}
	l.checkLatency(elapsed)
	l.checkSpans()
	l.checkValues()
}

// load is what the workers share.
type load struct {
	t      *testing.T
	server *redistest.Server
	sdk    *sdk

	window  *limits.Scripts
	stock   *stock.Scripts
	stalled *stock.Scripts // on a server that does not answer
	closed  *stock.Scripts // on a client that is closed
	shaOnly *stock.Scripts // without EVAL, to miss scripts in pipelines

	mu            sync.Mutex
	want          map[string]int64 // series to number, as the workers see it
	spans, events map[string]int64 // script and error class to number
}

func newLoad(t *testing.T, server *redistest.Server, s *sdk) *load {
	l := &load{t: t, server: server, sdk: s, want: map[string]int64{}, spans: map[string]int64{}, events: map[string]int64{}}
	proxy := redistest.Proxy(t, server.Network, server.Addr)
	proxy.HalfOpen()
	stalled := server.NewClient(proxy.Through, func(o *redis.Options) { o.ContextTimeoutEnabled, o.MaxRetries = true, -1 })
	closed := server.NewClient()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	server.Client.AddHook(l)
	l.window = limits.NewScripts(server.Client, limits.WithObserver(s))
	l.stock = stock.NewScripts(server.Client, stock.WithObserver(s))
	l.stalled = stock.NewScripts(stalled, stock.WithObserver(s))
	l.closed = stock.NewScripts(closed, stock.WithObserver(s))
	l.shaOnly = stock.NewScripts(server.Client, stock.WithObserver(s), stock.WithoutEval())
	if err := errors.Join(l.window.Load(t.Context()), l.stock.Load(t.Context())); err != nil {
		t.Fatal(err)
	}
	return l
}

// script is what the header of a script says, as the series have it.
type script struct{ name, owner, pkg, version, sha string }

var (
	window  = script{"sliding_window", limits.SlidingWindowOwner, "limits", limits.SlidingWindowVersion, limits.SlidingWindowSHA}
	unlock  = script{"unlock", limits.UnlockOwner, "limits", limits.UnlockVersion, limits.UnlockSHA}
	left    = script{"left", stock.LeftOwner, "stock", stock.LeftVersion, stock.LeftSHA}
	reserve = script{"reserve", stock.ReserveOwner, "stock", stock.ReserveVersion, stock.ReserveSHA}
)

// series spells the series of a script; extra goes where the order of the keys wants it.
func (s script) series(metric, errorType, extra string) string {
	if errorType != "" {
		errorType = "error.type=" + errorType + " "
	}
	if extra != "" {
		extra += " "
	}
	return fmt.Sprintf("%s{%sname=%s owner=%s package=%s %sversion=%s}", metric, errorType, s.name, s.owner, s.pkg, extra, s.version)
}

// count counts a call by what its caller knows of it.
func (l *load) count(s script, code, class string, queued bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if queued {
		l.want[s.series("execution.count", "", "queued=true")]++
		l.events[s.name+" "+class]++
	} else {
		l.want[s.series("execution.count", "", "")]++
		l.want[s.series("execution.latency", class, "")]++
		l.spans[s.name+" "+class]++
	}
	if code != "" {
		l.want[s.series("result.code", "", "result.code="+code)]++
	}
	if class != "" {
		l.want[s.series("error.count", class, "")]++
	}
	if class == "timeout" {
		l.want[s.series("timeout.count", "", "")]++
	}
}

// noscript counts a script that the server did not know.
func (l *load) noscript(s script) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.want[s.series("noscript.count", "", "")]++
}

// A load is a hook of the client: it alone sees the NOSCRIPT that a call survives.

func (l *load) DialHook(next redis.DialHook) redis.DialHook { return next }

func (l *load) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		l.reply(cmd, err)
		return err
	}
}

func (l *load) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		for _, cmd := range cmds {
			l.reply(cmd, cmd.Err())
		}
		return err
	}
}

func (l *load) reply(cmd redis.Cmder, err error) {
	if err == nil || !strings.HasPrefix(err.Error(), "NOSCRIPT") {
		return
	}
	for _, s := range []script{window, unlock, left, reserve} {
		if cmd.Args()[1] == s.sha {
			l.noscript(s)
		}
	}
}

// checkLatency holds the sums to the time that there was.
func (l *load) checkLatency(elapsed time.Duration) {
	var sum float64
	for _, point := range l.sdk.instruments()["redis.script.execution.latency"].Data.(metricdata.Histogram[float64]).DataPoints {
		sum += point.Sum
	}
	if most := elapsed.Seconds()*workers + 1; sum <= 0 || sum > most {
		l.t.Errorf("the calls took %v s, want at most %v", sum, most)
	}
}

// checkSpans compares spans and events with the counts.
func (l *load) checkSpans() {
	spans, events := map[string]int64{}, map[string]int64{}
	for _, span := range l.sdk.spans.GetSpans() {
		for _, event := range span.Events {
			attrs := texts(event.Attributes)
			events[attrs["redis.script.name"]+" "+attrs["error.type"]]++
		}
		name, call := strings.CutPrefix(span.Name, "EVALSHA ")
		if !call {
			continue
		}
		class := texts(span.Attributes)["error.type"]
		if failed := span.Status.Code == codes.Error; failed != (class != "") {
			l.t.Errorf("a span with error.type %q has the status %v", class, span.Status)
		}
		spans[name+" "+class]++
	}
	equalNumbers(l.t, spans, l.spans)
	equalNumbers(l.t, events, l.events)
}

// checkValues looks for what was in keys and arguments: every key holds the prefix of the server.
func (l *load) checkValues() {
	exported := fmt.Sprintf("%+v\n%+v", l.sdk.spans.GetSpans(), l.sdk.instruments())
	for _, value := range []string{secret, strings.TrimSuffix(l.server.Prefix, ":")} {
		if strings.Contains(exported, value) {
			l.t.Errorf("%q was exported", value)
		}
	}
}
