package redisinfo_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/internal/redisinfo"
	"github.com/redisgen/redisgen/redistest"
)

// The words that the header language refuses by name.
func TestReservedWords(t *testing.T) {
	for _, word := range strings.Fields(`NOSCRIPT READONLY MOVED ASK TRYAGAIN LOADING CLUSTERDOWN MASTERDOWN NOREPLICAS BUSY OOM
		NOPERM WRONGTYPE ERR`) {
		if why, reserved := redisinfo.ReservedErrorWord(word); !reserved || why == "" {
			t.Errorf("%s is not reserved, or nobody knows why: %q", word, why)
		}
	}
	for _, word := range []string{"", "LOCKED", "ERRR", "err", "NOT_ENOUGH", "MOVE"} {
		if why, reserved := redisinfo.ReservedErrorWord(word); reserved || why != "" {
			t.Errorf("%q is reserved: %s", word, why)
		}
	}
}

// What a server says when it is provoked is reserved.
func TestWordsOfAServer(t *testing.T) { redistest.Matrix(t, testWordsOfAServer) }

func testWordsOfAServer(t *testing.T, server *redistest.Server) {
	server.RequireReal(t, "the error replies of a real server")
	server.RequireOwn(t, "a password, a limit of memory and a replica")
	ctx := t.Context()
	for _, test := range []struct {
		word    string
		provoke func(*redis.Conn) error
	}{
		{"ERR", do("NOSUCHCOMMAND")},
		{"WRONGTYPE", do("SET", "k", "v", "then", "LPUSH", "k", "v")},
		{"NOSCRIPT", do("EVALSHA", strings.Repeat("0", 40), "0")},
		{"EXECABORT", do("MULTI", "then", "NOSUCHCOMMAND", "then", "EXEC")},
		{"BUSYGROUP", do("XGROUP", "CREATE", "x", "g", "$", "MKSTREAM", "then", "XGROUP", "CREATE", "x", "g", "$")},
		{"BUSYKEY", func(c *redis.Conn) error {
			dump := c.Dump(ctx, "k").Val()
			return c.Restore(ctx, "k", 0, dump).Err()
		}},
		{"NOTBUSY", do("SCRIPT", "KILL")},
		{"UNBLOCKED", unblocked(server)},
		{"OOM", do("CONFIG", "SET", "maxmemory", "1", "then", "SET", "k", "v", "then", "CONFIG", "SET", "maxmemory", "0")},
		{"READONLY", do("REPLICAOF", "localhost", "1", "then", "SET", "k", "v", "then", "REPLICAOF", "NO", "ONE")},
		{"MASTERDOWN", do("REPLICAOF", "localhost", "1", "then", "CONFIG", "SET", "replica-serve-stale-data", "no", "then", "GET", "k",
			"then", "CONFIG", "SET", "replica-serve-stale-data", "yes", "then", "REPLICAOF", "NO", "ONE")},
		{"NOREPLICAS", do("CONFIG", "SET", "min-replicas-to-write", "1", "then", "SET", "k", "v", "then", "CONFIG", "SET", "min-replicas-to-write", "0")},
		{"NOPROTO", do("HELLO", "9")},
		{"WRONGPASS", do("AUTH", "nobody", "wrong")},
		{"NOPERM", do("ACL", "SETUSER", "reader", "on", "nopass", "~*", "+get", "then", "AUTH", "reader", "x", "then", "SET", "k", "v")},
		{"NOAUTH", do("CONFIG", "SET", "requirepass", "secret", "then", "RESET", "then", "GET", "k", "then", "AUTH", "secret",
			"then", "CONFIG", "SET", "requirepass", "")},
	} {
		conn := server.NewClient().Conn()
		err := test.provoke(conn)
		_ = conn.Close()
		var reply redis.Error
		if !errors.As(err, &reply) {
			t.Errorf("%s: the server says %v", test.word, err)
			continue
		}
		word, _, _ := strings.Cut(reply.Error(), " ")
		if word != test.word {
			t.Errorf("wanted %s, the server says %v", test.word, reply)
		}
		if _, reserved := redisinfo.ReservedErrorWord(word); !reserved {
			t.Errorf("%s is not reserved", word)
		}
	}
}

// do returns a function that sends commands, which are separated by "then", and returns the last error reply.
func do(words ...any) func(*redis.Conn) error {
	var commands [][]any
	var command []any
	for _, word := range append(words, "then") {
		if word != "then" {
			command = append(command, word)
			continue
		}
		commands, command = append(commands, command), nil
	}
	return func(c *redis.Conn) error {
		var last error
		for _, command := range commands {
			if err := c.Do(context.Background(), command...).Err(); err != nil {
				last = err
			}
		}
		return last
	}
}

// unblocked returns a function that blocks, and is let go by another client.
func unblocked(server *redistest.Server) func(*redis.Conn) error {
	return func(c *redis.Conn) error {
		ctx := context.Background()
		id, err := c.ClientID(ctx).Result()
		if err != nil {
			return err
		}
		done := make(chan error, 1)
		go func() { done <- c.BLPop(ctx, 0, "nothing").Err() }()
		for {
			select {
			case err := <-done:
				return err
			default:
				if err := server.Client.ClientUnblockWithError(ctx, id).Err(); err != nil {
					return err
				}
			}
		}
	}
}
