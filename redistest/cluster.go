package redistest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// ClusterServer is a cluster of servers, all of this process. Its fields are set by [Cluster] and not changed after. Its
// methods may be called from several goroutines.
type ClusterServer struct {
	// Client is connected to the cluster; Close closes it.
	Client *redis.ClusterClient

	// Kind and Version are the same for all nodes.
	Kind    Kind
	Version string

	nodes   []*node // the masters, then the replicas of the first master, of the second, and so on
	masters int

	mu      sync.Mutex
	clients []*redis.ClusterClient
	closed  bool
}

// Cluster starts a cluster for the test and stops it when the test and its subtests are done. There are at least three
// masters, with so many replicas each. When it returns, all nodes agree who serves which slots, and all replicas are up
// to date. That takes some 2.5 s: for 2 s after its start a master doesn't serve.
//
// The nodes listen on TCP ports of the loopback interface, for they talk to each other. Where no server can be started
// the test is skipped by name; in CI it fails.
func Cluster(tb testing.TB, masters, replicas int) *ClusterServer {
	tb.Helper()
	return startCluster(tb, firstProgram(tb, "a cluster"), masters, replicas)
}

func startCluster(tb testing.TB, p program, masters, replicas int) *ClusterServer {
	tb.Helper()
	if masters < 3 || replicas < 0 {
		tb.Fatalf("redistest: a cluster of %d masters with %d replicas each: it needs three masters", masters, replicas)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*startTimeout)
	defer cancel()
	c, err := openCluster(ctx, p, masters, replicas)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	tb.Logf("redistest: %s", c)
	return c
}

func openCluster(ctx context.Context, p program, masters, replicas int) (*ClusterServer, error) {
	c := &ClusterServer{Kind: p.kind, Version: p.version, masters: masters, nodes: make([]*node, masters*(1+replicas))}
	errs := make([]error, len(c.nodes))
	var wait sync.WaitGroup
	for i := range c.nodes {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c.nodes[i], errs[i] = startNode(ctx, p.path, clusterArgs)
		}()
	}
	wait.Wait()
	err := errors.Join(errs...)
	if err == nil {
		err = c.form(ctx)
	}
	if err != nil {
		var started []*node
		for _, n := range c.nodes {
			if n != nil {
				started = append(started, n)
			}
		}
		return nil, errors.Join(fmt.Errorf("redistest: no cluster: %w", err), stopNodes(started))
	}
	c.Client = c.NewClient()
	return c, nil
}

func clusterArgs(string, string) ([]string, error) {
	return []string{
		"--cluster-enabled", "yes",
		"--cluster-announce-ip", loopback,
		// As long as the cluster forms, nodes tell each other news twice in this time, and nobody draws conclusions.
		"--cluster-node-timeout", "500",
		"--cluster-replica-no-failover", "yes",
		// A replica stays with its master, where the test expects it.
		"--cluster-migration-barrier", "1000",
		// By default a master waits for more replicas to come before it sends its data.
		"--repl-diskless-sync-delay", "0",
	}, nil
}

// NewClient returns another client of the cluster; [ClusterServer.Close] closes it. The options start as go-redis'
// defaults with the addresses set, and each function may change them.
func (c *ClusterServer) NewClient(opts ...func(*redis.ClusterOptions)) *redis.ClusterClient {
	o := &redis.ClusterOptions{Addrs: c.Addrs()}
	for _, opt := range opts {
		opt(o)
	}
	client := redis.NewClusterClient(o)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clients = append(c.clients, client)
	return client
}

// Addrs are the addresses of all nodes, host:port: the masters, then the replicas of the first, of the second, and so on.
func (c *ClusterServer) Addrs() []string {
	all := make([]string, len(c.nodes))
	for i, n := range c.nodes {
		all[i] = n.addr
	}
	return all
}

// Masters are clients of the nodes that have been masters from the start. The slots are shared out evenly, in this
// order. Close closes the clients.
func (c *ClusterServer) Masters() []*redis.Client { return clients(c.nodes[:c.masters]) }

// Replicas are clients of the nodes that have been replicas from the start, those of the first master first. Close
// closes the clients.
func (c *ClusterServer) Replicas() []*redis.Client { return clients(c.nodes[c.masters:]) }

func clients(nodes []*node) []*redis.Client {
	all := make([]*redis.Client, len(nodes))
	for i, n := range nodes {
		all[i] = n.client
	}
	return all
}

// Kill ends the node at the address at once, as a crash of its machine would. Its port refuses connections after.
func (c *ClusterServer) Kill(addr string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.nodes {
		if n.addr == addr && !c.closed {
			n.kill()
			return nil
		}
	}
	return fmt.Errorf("redistest: no node of the cluster runs at %s", addr)
}

// Close closes all clients and stops all nodes. A second call does nothing.
func (c *ClusterServer) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return errors.Join(closeClients(c.clients), stopNodes(c.nodes))
}

// String names the cluster for logs: "redis 7.0.15 cluster of 3 masters and 3 replicas at 127.0.0.1:12345".
func (c *ClusterServer) String() string {
	return fmt.Sprintf("%s %s cluster of %d masters and %d replicas at %s", c.Kind, c.Version, c.masters, len(c.nodes)-c.masters, c.nodes[0].addr)
}
