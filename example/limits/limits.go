// Package limits holds the Redis scripts of the example: a rate limit and the release of a lock.
package limits

//go:generate go tool redisgen generate
