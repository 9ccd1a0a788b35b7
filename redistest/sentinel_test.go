//go:build unix

package redistest

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestSentinel(t *testing.T) {
	dir := real(t)
	MatrixSentinel(t, func(t *testing.T, s *SentinelServer) {
		first, second := s.Servers()
		client := s.NewClient(func(o *redis.FailoverOptions) { o.DialTimeout = time.Second })
		for i, master := range []*redis.Client{first, second, first} {
			if i > 0 {
				if err := s.Failover(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			other := second
			if master == second {
				other = first
			}
			if got := master.InfoMap(t.Context(), "replication").Val()["Replication"]["role"]; got != "master" {
				t.Errorf("after %d failovers the server is a %s", i, got)
			}
			// The clients hear of it from the sentinel.
			for _, c := range []*redis.Client{s.Client, client} {
				await(t, "the client to follow", func() bool {
					return c.Set(t.Context(), "k", i, 0).Err() == nil && master.Get(t.Context(), "k").Val() == other.Get(t.Context(), "k").Val()
				})
			}
			if got := master.Get(t.Context(), "k").Val(); got != string(rune('0'+i)) {
				t.Errorf("after %d failovers the master has %q", i, got)
			}
		}
		pids := processes(t, first, second)
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		for _, p := range pids {
			if !gone(p) {
				t.Errorf("process %d is still there", p)
			}
		}
		if left := folders(t, dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if err := s.Failover(t.Context()); err == nil {
			t.Error("servers that are stopped fail over")
		}
	})
}

// A replica that does not answer can't be promoted: Failover returns with its context.
func TestFailoverGivesUp(t *testing.T) {
	real(t)
	s := Sentinel(t)
	first, _ := s.Servers()
	s.nodes[1].kill()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := s.Failover(ctx); err == nil {
		t.Error("a dead replica was promoted")
	}
	if got := first.InfoMap(t.Context(), "replication").Val()["Replication"]["role"]; got != "master" {
		t.Errorf("the master is a %s", got)
	}
}
