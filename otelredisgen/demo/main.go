// Command demo runs scripts of two generated packages through one observer and prints the metrics as the stdout exporter
// of OpenTelemetry writes them. It uses the Redis that REDISGEN_REDIS_ADDR names, else a server on PATH, else an embedded
// one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/redisgen/redisgen/example/limits"
	"github.com/redisgen/redisgen/otelredisgen"
	"github.com/redisgen/redisgen/otelredisgen/demo/stock"
	"github.com/redisgen/redisgen/redistest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) (err error) {
	server, err := redistest.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	exporter, err := stdoutmetric.New(stdoutmetric.WithWriter(out), stdoutmetric.WithPrettyPrint())
	if err != nil {
		return err
	}
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)))
	defer func() { err = errors.Join(err, meters.Shutdown(ctx)) }() // exports what was recorded

	observer, err := otelredisgen.New(otelredisgen.WithMeterProvider(meters))
	if err != nil {
		return err
	}
	requests := limits.NewScripts(server.Client, limits.WithObserver(observer))
	shop := stock.NewScripts(server.Client, stock.WithObserver(observer))
	// The scripts of the shop are left to their first calls: they show as noscript.
	if err := requests.Load(ctx); err != nil {
		return err
	}
	if err := order(ctx, requests, shop, server); err != nil {
		return err
	}
	return late(ctx, shop, server.Prefix+"shoe")
}

// order sells the three pieces of a stock by twos, to a customer who may order four times a minute.
func order(ctx context.Context, requests *limits.Scripts, shop *stock.Scripts, server *redistest.Server) error {
	params := stock.ReserveParams{Sku: server.Prefix + "shoe", Quantity: 2}
	keys, err := shop.Reserve.Keys(params)
	if err != nil {
		return err
	}
	if err := server.Client.Set(ctx, keys.Stock, 3, time.Minute).Err(); err != nil {
		return err
	}
	for n := range 5 {
		res, err := requests.SlidingWindow.Execute(ctx, limits.SlidingWindowParams{
			Tenant: server.Prefix + "acme", Route: "/order", Window: time.Minute, Limit: 4, Member: fmt.Sprint("order-", n)})
		if err != nil {
			return err
		}
		if res.Code == limits.SlidingWindowCodeRejected {
			continue
		}
		if _, err := shop.Reserve.Execute(ctx, params); err != nil {
			return err
		}
	}
	return nil
}

// late asks when there is no time left, which is an error and a timeout.
func late(ctx context.Context, shop *stock.Scripts, sku string) error {
	ctx, cancel := context.WithTimeout(ctx, 0)
	defer cancel()
	if _, err := shop.Left.Execute(ctx, stock.LeftParams{Sku: sku}); !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("without time: %w", err)
	}
	return nil
}
