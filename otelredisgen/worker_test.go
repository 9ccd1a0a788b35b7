package otelredisgen_test

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/otelredisgen/demo/stock"
)

// worker makes calls, and counts each by what it provoked and what came back.
type worker struct {
	*load
	name string // before each key
}

// round makes each kind of call. Every third one the server forgets its scripts first.
func (w worker) round(n int) {
	ctx, span := w.sdk.tracer.Start(w.t.Context(), "round")
	defer span.End()
	if n%3 == 0 {
		if err := w.server.Client.ScriptFlush(ctx).Err(); err != nil {
			w.t.Error(err)
		}
	}
	w.limitRequests(ctx)
	w.releaseLock(ctx)
	w.reserveStock(ctx)
	w.failOnServer(ctx)
	w.failOnTheWay(ctx)
	w.pipeline(ctx)
	w.missInTransaction(ctx)
	w.discard(ctx)
}

// returned counts a call, whose error must be there exactly if a class is expected.
func (w worker) returned(s script, code, class string, queued bool, err error) {
	if (err != nil) != (class != "") {
		w.t.Errorf("%s: error %v, want one of class %q", s.name, err, class)
	}
	w.count(s, code, class, queued)
}

func (w worker) limitRequests(ctx context.Context) {
	for _, member := range []string{"a", "b", secret} {
		res, err := w.window.SlidingWindow.Execute(ctx, limits.SlidingWindowParams{
			Tenant: w.name, Route: "/q", Window: 20 * time.Millisecond, Limit: 2, Member: member})
		w.returned(window, res.Code.String(), "", false, err)
	}
}

func (w worker) releaseLock(ctx context.Context) {
	params := limits.UnlockParams{Resource: w.name, Token: secret}
	keys, err := w.window.Unlock.Keys(params)
	if err != nil {
		w.t.Error(err)
	}
	if err := w.server.Client.Set(ctx, keys.Lock, secret, time.Minute).Err(); err != nil {
		w.t.Error(err)
	}
	for range 2 {
		res, err := w.window.Unlock.Execute(ctx, params)
		w.returned(unlock, res.Code.String(), "", false, err)
	}
}

// set gives a stock a number of pieces.
func (w worker) set(ctx context.Context, sku string, pieces int) stock.ReserveParams {
	params := stock.ReserveParams{Sku: w.name + sku, Quantity: 2}
	keys, err := w.stock.Reserve.Keys(params)
	if err != nil {
		w.t.Error(err)
	}
	if err := w.server.Client.Set(ctx, keys.Stock, pieces, time.Minute).Err(); err != nil {
		w.t.Error(err)
	}
	return params
}

func (w worker) reserveStock(ctx context.Context) {
	params := w.set(ctx, "shoe", 3)
	for range 2 {
		res, err := w.stock.Reserve.Execute(ctx, params)
		w.returned(reserve, res.Code.String(), "", false, err)
	}
	pieces, err := w.stock.Left.Execute(ctx, stock.LeftParams{Sku: params.Sku})
	w.returned(left, "", "", false, err)
	if pieces != 1 {
		w.t.Errorf("%d pieces are left, want 1", pieces)
	}
}

func (w worker) failOnServer(ctx context.Context) {
	_, err := w.stock.Reserve.Execute(ctx, w.set(ctx, "hat", -1))
	w.returned(reserve, "closed", "code", false, err)

	params := stock.LeftParams{Sku: w.name + "list"}
	keys, err := w.stock.Left.Keys(params)
	if err != nil {
		w.t.Error(err)
	}
	if err := w.server.Client.LPush(ctx, keys.Stock, secret).Err(); err != nil {
		w.t.Error(err)
	}
	_, err = w.stock.Left.Execute(ctx, params)
	w.returned(left, "", "redis", false, err)
}

func (w worker) failOnTheWay(ctx context.Context) {
	params := stock.ReserveParams{Sku: w.name + "sock", Quantity: 1}
	short, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
	_, err := w.stalled.Reserve.Execute(short, params)
	w.returned(reserve, "", "timeout", false, err)
	cancel()

	over, cancel := context.WithCancel(ctx)
	cancel()
	for range 2 { // not as often as timeouts, so that the numbers differ
		_, err = w.stock.Reserve.Execute(over, params)
		w.returned(reserve, "", "network", false, err)
	}

	_, err = w.closed.Reserve.Execute(ctx, params)
	w.returned(reserve, "", "config", false, err)
}

// pipeline asks for each result twice: it counts once. What is never asked for does not count.
func (w worker) pipeline(ctx context.Context) {
	params := w.set(ctx, "coat", 3)
	pipe := w.server.Client.Pipeline()
	var pending []*stock.Pending[stock.ReserveResult]
	for range 3 {
		p, err := w.stock.Reserve.Queue(ctx, pipe, params)
		if err != nil {
			w.t.Error(err)
			return
		}
		pending = append(pending, p)
	}
	token, err := w.window.Unlock.Queue(ctx, pipe, limits.UnlockParams{Resource: w.name, Token: secret})
	if err != nil {
		w.t.Error(err)
		return
	}
	if _, err := pipe.Exec(ctx); err != nil {
		w.t.Error(err)
	}
	for _, p := range pending[:2] {
		res, err := p.Result()
		w.returned(reserve, res.Code.String(), "", true, err)
		if again, err := p.Result(); again != res || err != nil {
			w.t.Errorf("Result returns %v, %v, and before %v", again, err, res)
		}
	}
	res, err := token.Result()
	w.returned(unlock, res.Code.String(), "", true, err)
}

// missInTransaction lets the server forget the script between MULTI and the call.
func (w worker) missInTransaction(ctx context.Context) {
	var missed, known *stock.Pending[stock.ReserveResult]
	params := w.set(ctx, "belt", 2)
	_, err := w.server.Client.TxPipelined(ctx, func(pipe redis.Pipeliner) (err error) {
		pipe.ScriptFlush(ctx)
		if missed, err = w.shaOnly.Reserve.Queue(ctx, pipe, params); err != nil {
			return err
		}
		known, err = w.stock.Reserve.Queue(ctx, pipe, params)
		return err
	})
	if missed == nil || known == nil {
		w.t.Error(err)
		return
	}
	_, err = missed.Result()
	w.returned(reserve, "", "noscript", true, err)
	res, err := known.Result()
	w.returned(reserve, res.Code.String(), "", true, err)
}

// discard asks for the result of a call that was not sent.
func (w worker) discard(ctx context.Context) {
	pipe := w.server.Client.Pipeline()
	p, err := w.stock.Left.Queue(ctx, pipe, stock.LeftParams{Sku: w.name})
	if err != nil {
		w.t.Error(err)
		return
	}
	pipe.Discard()
	_, err = p.Result()
	w.returned(left, "", "queued", true, err)
}
