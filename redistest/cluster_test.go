//go:build unix

package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// processes are those of the servers.
func processes(t *testing.T, servers ...*redis.Client) []int {
	t.Helper()
	var all []int
	for _, c := range servers {
		all = append(all, pid(t, c))
	}
	return all
}

func TestCluster(t *testing.T) {
	dir := real(t)
	MatrixCluster(t, 3, 1, func(t *testing.T, c *ClusterServer) {
		masters, replicas := c.Masters(), c.Replicas()
		if len(masters) != 3 || len(replicas) != 3 || len(c.Addrs()) != 6 || len(folders(t, dir)) != 6 {
			t.Fatalf("%d masters, %d replicas, addresses %v, folders %v", len(masters), len(replicas), c.Addrs(), folders(t, dir))
		}
		writeEverywhere(t, c)
		for i := range masters {
			// The replica follows the master with the same number.
			info := replicas[i].InfoMap(t.Context(), "replication").Val()["Replication"]
			if info["role"] != "slave" || loopback+":"+info["master_port"] != c.Addrs()[i] || masters[i].Options().Addr != c.Addrs()[i] {
				t.Errorf("replica %d: %v", i, info)
			}
		}
		pids := processes(t, append(masters, replicas...)...)
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		// No waiting: when Close returns, everything is gone.
		for _, p := range pids {
			if !gone(p) {
				t.Errorf("process %d is still there", p)
			}
		}
		if left := folders(t, dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if err := c.Client.Ping(t.Context()).Err(); !errors.Is(err, redis.ErrClosed) {
			t.Errorf("the client is still open: %v", err)
		}
		if err := masters[0].Ping(t.Context()).Err(); !errors.Is(err, redis.ErrClosed) {
			t.Errorf("a node's client is still open: %v", err)
		}
	})
}

// writeEverywhere writes keys through the cluster, and sees that they are shared out and replicated.
func writeEverywhere(t *testing.T, c *ClusterServer) {
	t.Helper()
	const keys = 300
	client := c.NewClient(func(o *redis.ClusterOptions) { o.MaxRedirects = -1 }) // It knows at once where to go.
	for i := range keys {
		if err := client.Set(t.Context(), fmt.Sprint("key", i), i, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	var total int64
	for i, m := range c.Masters() {
		n, err := m.DBSize(t.Context()).Result()
		if err != nil || n < keys/6 {
			t.Errorf("master %d has %d keys, %v", i, n, err)
		}
		total += n
		each := len(c.Replicas()) / len(c.Masters())
		for _, r := range c.Replicas()[i*each:][:each] {
			await(t, "the replica to have the keys of its master", func() bool { return r.DBSize(t.Context()).Val() == n })
		}
	}
	if total != keys {
		t.Errorf("%d keys are in the cluster, want %d", total, keys)
	}
}

// A script may run on any node as soon as the cluster is there.
func TestClusterIsLoadedEverywhere(t *testing.T) {
	real(t)
	c := Cluster(t, 3, 2)
	if len(c.Replicas()) != 6 {
		t.Fatalf("%d replicas", len(c.Replicas()))
	}
	// go-redis sends SCRIPT LOAD to the nodes that the cluster tells it about.
	sha, err := c.Client.ScriptLoad(t.Context(), "return 1").Result()
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range append(c.Masters(), c.Replicas()...) {
		if there, err := n.ScriptExists(t.Context(), sha).Result(); err != nil || !slices.Equal(there, []bool{true}) {
			t.Errorf("node %d: %v, %v", i, there, err)
		}
	}
}

func TestClusterFailsOver(t *testing.T) {
	dir := real(t)
	c := Cluster(t, 3, 1)
	if err := c.Client.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	master, err := c.Client.MasterForKey(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	addr := master.Options().Addr
	heir := c.Replicas()[slices.Index(c.Addrs(), addr)]
	await(t, "the replica to have the key", func() bool { return heir.DBSize(t.Context()).Val() == 1 })

	if err := c.Kill(addr); err != nil {
		t.Fatal(err)
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("the killed node still listens")
	}
	await(t, "the replica to take over", func() bool {
		return heir.InfoMap(t.Context(), "replication").Val()["Replication"]["role"] == "master"
	})
	await(t, "the client to find the new master", func() bool {
		c.Client.ReloadState(t.Context()) // It asks any node, which may not have heard of it yet.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return c.Client.Get(ctx, "k").Val() == "v"
	})
	if err := c.Kill("127.0.0.1:1"); err == nil {
		t.Error("a node that isn't there was killed")
	}
	if err := c.Close(); err != nil {
		t.Errorf("whoever kills a node knows that it is dead: %v", err)
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestClusterNeedsThreeMasters(t *testing.T) {
	real(t)
	if o := run(t, func(tb testing.TB) { Cluster(tb, 2, 1) }); !strings.Contains(o.fatal, "three masters") {
		t.Errorf("fatal %q, skipped %q", o.fatal, o.skipped)
	}
}

func TestClusterThatDoesNotStart(t *testing.T) {
	dir := real(t)
	p := firstProgram(t, "a cluster")
	impostor(t, "echo no such luck >&2; exit 3\n")
	paths, err := programPaths()
	if err != nil {
		t.Fatal(err)
	}
	p.path = paths[0]
	c, err := openCluster(t.Context(), p, 3, 1)
	if err == nil || !strings.Contains(err.Error(), "no such luck") {
		t.Errorf("got %v, %v", c, err)
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Another process may take a port between our look at it and the server's.
func TestNodeTriesAnotherPort(t *testing.T) {
	dir := real(t)
	p := firstProgram(t, "a node")
	for _, above := range []int{0, 10000} { // the port itself, and that of the cluster bus
		var taken net.Listener
		n, err := startNode(t.Context(), p.path, func(_, port string) ([]string, error) {
			if taken == nil {
				var err error
				if taken, err = net.Listen("tcp", higher(port, above)); err != nil {
					return nil, err
				}
			}
			return clusterArgs("", port)
		})
		if err != nil {
			t.Fatal(err)
		}
		taken.Close()
		if n.addr == taken.Addr().String() {
			t.Errorf("the node has the port of another: %s", n.addr)
		}
		if err := n.stop(); err != nil {
			t.Error(err)
		}
	}
	if left := folders(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// higher is the address with a port that lies so much above.
func higher(port string, above int) string {
	n, _ := strconv.Atoi(port)
	return net.JoinHostPort(loopback, strconv.Itoa(n+above))
}
