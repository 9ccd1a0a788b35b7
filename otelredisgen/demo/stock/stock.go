// Package stock holds the Redis scripts of the demo that keep the stock of a shop.
package stock

//go:generate go -C ../../.. run ./cmd/redisgen generate otelredisgen/demo/stock
