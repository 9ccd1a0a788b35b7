package redistest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// deleteTimeout bounds the clean-up of a foreign server, which must not hang the end of a test run.
const deleteTimeout = 30 * time.Second

// foreign returns the server at addr; whether anybody is there shows when it is asked for its version.
func foreign(addr string) (*Server, error) {
	o, err := parseAddr(addr)
	if err != nil {
		return nil, err
	}
	return &Server{options: o, foreign: true}, nil
}

func parseAddr(addr string) (*redis.Options, error) {
	if !strings.Contains(addr, "://") {
		return &redis.Options{Network: "tcp", Addr: addr}, nil
	}
	o, err := redis.ParseURL(addr)
	if err != nil {
		// The error of a URL may quote it with its password, and test logs are public.
		return nil, fmt.Errorf("redistest: %s is neither host:port nor a unix://, redis:// or rediss:// URL", EnvAddr)
	}
	return o, nil
}

// probe returns a client that gives up when its context does and tries each thing once. A user's client has go-redis'
// defaults, which look at the context only between attempts.
func probe(o *redis.Options) *redis.Client {
	p := *o
	p.MaxRetries = -1
	p.DialerRetries = 1
	p.ContextTimeoutEnabled = true
	p.PoolSize = 1
	return redis.NewClient(&p)
}

// identify asks the server for its kind and version.
func identify(ctx context.Context, o *redis.Options) (Kind, string, error) {
	c := probe(o)
	defer c.Close()
	info, err := c.Info(ctx, "server").Result()
	if err != nil {
		return "", "", err
	}
	kind, version := parseInfo(info)
	if version == "" {
		return "", "", fmt.Errorf("no redis_version or valkey_version in its INFO")
	}
	return kind, version, nil
}

// parseInfo reads the server section of INFO. Valkey also has a redis_version, the last Redis that it is compatible
// with.
func parseInfo(info string) (Kind, string) {
	var version string
	for _, line := range strings.Split(info, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "valkey_version":
			return Valkey, value
		case "redis_version":
			version = value
		}
	}
	return Redis, version
}

// deleteKeys deletes the keys that start with the prefix and nothing else. SCAN visits every key that exists for as long
// as the iteration lasts, so all keys that a test has left behind are found.
func deleteKeys(o *redis.Options, prefix string) error {
	ctx, cancel := context.WithTimeout(context.Background(), deleteTimeout)
	defer cancel()
	c := probe(o)
	defer c.Close()

	var cursor uint64
	for {
		// The prefix has no character that means something in a pattern.
		keys, next, err := c.Scan(ctx, cursor, prefix+"*", 1000).Result()
		if err == nil && len(keys) > 0 {
			err = c.Del(ctx, keys...).Err()
		}
		if err != nil {
			return fmt.Errorf("redistest: keys that start with %q are left on the server in %s: %w", prefix, EnvAddr, err)
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}
