package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// masterName is what sentinel and its clients call the group.
const masterName = "redistest"

// SentinelServer is a master and a replica with a sentinel that watches them, all of this process. Its fields are set by
// [Sentinel] and not changed after. Its methods may be called from several goroutines.
type SentinelServer struct {
	// Client asks the sentinel for the master and follows it; Close closes it.
	Client *redis.Client

	// MasterName is what the sentinel calls the master, whichever server that is.
	MasterName string

	// Kind and Version are the same for all three.
	Kind    Kind
	Version string

	nodes    []*node // the first master, then its replica
	sentinel *node

	mu      sync.Mutex
	clients []*redis.Client
	closed  bool
}

// Sentinel starts a master, a replica and a sentinel for the test, and stops them when the test and its subtests are
// done. When it returns, the replica is up to date and the sentinel ready to promote it, see [SentinelServer.Failover].
// It never promotes it on its own account in less than 30 s.
//
// They listen on TCP ports of the loopback interface. Where no server can be started the test is skipped by name; in CI
// it fails.
func Sentinel(tb testing.TB) *SentinelServer {
	tb.Helper()
	return startSentinel(tb, firstProgram(tb, "a sentinel"))
}

func startSentinel(tb testing.TB, p program) *SentinelServer {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*startTimeout)
	defer cancel()
	s, err := openSentinel(ctx, p)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	tb.Logf("redistest: %s", s)
	return s
}

func openSentinel(ctx context.Context, p program) (*SentinelServer, error) {
	s := &SentinelServer{MasterName: masterName, Kind: p.kind, Version: p.version}
	if err := s.start(ctx, p.path); err != nil {
		return nil, errors.Join(fmt.Errorf("redistest: no sentinel: %w", err), s.Close())
	}
	s.Client = s.NewClient()
	return s, nil
}

func (s *SentinelServer) start(ctx context.Context, path string) error {
	master, err := startNode(ctx, path, func(string, string) ([]string, error) {
		return []string{"--repl-diskless-sync-delay", "0"}, nil
	})
	if err != nil {
		return err
	}
	s.nodes = append(s.nodes, master)
	host, port, err := net.SplitHostPort(master.addr)
	if err != nil {
		return err
	}
	replica, err := startNode(ctx, path, func(string, string) ([]string, error) {
		return []string{"--repl-diskless-sync-delay", "0", "--replicaof", host + " " + port}, nil
	})
	if err != nil {
		return err
	}
	s.nodes = append(s.nodes, replica)
	// A sentinel that comes when the replica is there finds it at its first look.
	if err := until(ctx, func() error { return s.settled(ctx, 0) }); err != nil {
		return err
	}
	s.sentinel, err = startNode(ctx, path, func(dir, _ string) ([]string, error) {
		// A sentinel keeps its state in its configuration file and does not start without one.
		const name = "sentinel.conf"
		config := fmt.Sprintf("sentinel monitor %s %s %s 1\n", masterName, host, port)
		return []string{name, "--sentinel"}, os.WriteFile(filepath.Join(dir, name), []byte(config), 0o600)
	})
	if err != nil {
		return err
	}
	// Patience that becomes a data centre makes a failover take ten seconds. A sentinel that finds the clock has jumped, as
	// it does on a loaded machine, stays idle for the tilt period.
	err = s.sentinel.client.Do(ctx, "sentinel", "debug", "info-period", 100, "ping-period", 200, "publish-period", 100, "tilt-period", 200).Err()
	if err != nil {
		return fmt.Errorf("sentinel debug: %w", err)
	}
	return until(ctx, func() error { return s.watched(ctx, 0) })
}

// NewClient returns another client that follows the master; [SentinelServer.Close] closes it. The options start as
// go-redis' defaults with the sentinel's address and the master's name set, and each function may change them.
func (s *SentinelServer) NewClient(opts ...func(*redis.FailoverOptions)) *redis.Client {
	o := &redis.FailoverOptions{MasterName: masterName, SentinelAddrs: []string{s.sentinel.addr}}
	for _, opt := range opts {
		opt(o)
	}
	c := redis.NewFailoverClient(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, c)
	return c
}

// Addr is the address of the sentinel, host:port.
func (s *SentinelServer) Addr() string { return s.sentinel.addr }

// Servers are clients of the two servers themselves: of the one that has been master from the start, and of the other.
// Close closes them.
func (s *SentinelServer) Servers() (first, second *redis.Client) {
	return s.nodes[0].client, s.nodes[1].client
}

// Failover makes the sentinel promote the replica, and returns when the former master follows the new one and has all
// its data: that is, when Failover may be called again. Clients hear of it from the sentinel, some a little later.
func (s *SentinelServer) Failover(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("redistest: failover: the servers are stopped")
	}
	ctx, cancel := context.WithTimeout(ctx, 2*startTimeout)
	defer cancel()
	if err := s.failover(ctx); err != nil {
		return fmt.Errorf("redistest: failover: %w", err)
	}
	return nil
}

func (s *SentinelServer) failover(ctx context.Context) error {
	before, _, err := s.master(ctx)
	if err != nil {
		return err
	}
	next := 0
	if before == s.nodes[0].addr {
		next = 1
	}
	return until(ctx, func() error {
		now, flags, err := s.master(ctx)
		if err != nil {
			return err
		}
		// The sentinel gives up if it has not heard from the replica for a moment. It says both at once, so it can't have
		// finished in between and be told to do it again.
		if now == before && !strings.Contains(flags, "failover_in_progress") {
			if err := s.sentinel.client.Do(ctx, "sentinel", "failover", masterName).Err(); err != nil {
				return err
			}
		}
		return s.watched(ctx, next)
	})
}

// master asks the sentinel for the address of the master and what it thinks of it.
func (s *SentinelServer) master(ctx context.Context) (addr, flags string, err error) {
	entry, err := s.sentinel.client.Do(ctx, "sentinel", "master", masterName).Result()
	if err != nil {
		return "", "", fmt.Errorf("sentinel master: %w", err)
	}
	fields := stringFields(entry)
	return net.JoinHostPort(fields["ip"], fields["port"]), fields["flags"], nil
}

// settled returns an error as long as the node with this number is not the master of the other, which is up to date.
func (s *SentinelServer) settled(ctx context.Context, master int) error {
	role, err := s.nodes[master].field(ctx, "replication", "role")
	if err != nil {
		return err
	}
	if role != "master" {
		return fmt.Errorf("%s is a %s", s.nodes[master].addr, role)
	}
	if err := s.nodes[1-master].follows(ctx, s.nodes[master].addr); err != nil {
		return err
	}
	return s.nodes[master].online(ctx, 1)
}

// watched returns an error as long as the sentinel would not promote the other node.
func (s *SentinelServer) watched(ctx context.Context, master int) error {
	if err := s.settled(ctx, master); err != nil {
		return err
	}
	addr, _, err := s.master(ctx)
	if err != nil {
		return err
	}
	if addr != s.nodes[master].addr {
		return fmt.Errorf("the sentinel takes %s for the master", addr)
	}
	list, err := s.sentinel.client.Do(ctx, "sentinel", "replicas", masterName).Slice()
	if err != nil {
		return err
	}
	for _, entry := range list {
		fields := stringFields(entry)
		if fields["name"] == s.nodes[1-master].addr && fields["flags"] == "slave" && fields["master-link-status"] == "ok" &&
			fields["role-reported"] == "slave" {
			return nil
		}
	}
	return fmt.Errorf("the sentinel does not count on %s: %v", s.nodes[1-master].addr, list)
}

// stringFields reads a map from either protocol.
func stringFields(entry any) map[string]string {
	fields := map[string]string{}
	switch entry := entry.(type) {
	case map[any]any:
		for k, v := range entry {
			fields[fmt.Sprint(k)] = fmt.Sprint(v)
		}
	case []any:
		for i := 0; i+1 < len(entry); i += 2 {
			fields[fmt.Sprint(entry[i])] = fmt.Sprint(entry[i+1])
		}
	}
	return fields
}

// Close closes all clients and stops the servers and the sentinel. A second call does nothing.
func (s *SentinelServer) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	errs := []error{closeClients(s.clients)}
	// The sentinel first, so that it does not think that the master has died.
	if s.sentinel != nil {
		errs = append(errs, s.sentinel.stop())
	}
	return errors.Join(append(errs, stopNodes(s.nodes))...)
}

// String names the group for logs: "redis 7.0.15 with a sentinel at 127.0.0.1:12345".
func (s *SentinelServer) String() string {
	return fmt.Sprintf("%s %s with a sentinel at %s", s.Kind, s.Version, s.Addr())
}
