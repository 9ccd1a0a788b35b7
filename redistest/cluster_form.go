package redistest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

const slots = 16384

// slotRange is what the master with this number serves.
func (c *ClusterServer) slotRange(master int) (first, last int) {
	return master * slots / c.masters, (master+1)*slots/c.masters - 1
}

// replicasOf are the nodes that replicate the master with this number.
func (c *ClusterServer) replicasOf(master int) []*node {
	each := len(c.nodes)/c.masters - 1
	return c.nodes[c.masters+master*each:][:each]
}

// form makes a cluster of the nodes: it gives the masters their slots, introduces the nodes, and tells the replicas whom
// to follow. Each step begins when all nodes have seen the one before.
func (c *ClusterServer) form(ctx context.Context) error {
	if err := c.introduce(ctx); err != nil {
		return err
	}
	if err := until(ctx, func() error { return c.agree(ctx, false) }); err != nil {
		return err
	}
	for m := range c.masters {
		id, err := c.nodes[m].client.Do(ctx, "cluster", "myid").Text()
		if err != nil {
			return err
		}
		for _, replica := range c.replicasOf(m) {
			if err := replica.client.ClusterReplicate(ctx, id).Err(); err != nil {
				return fmt.Errorf("%s: cluster replicate: %w", replica.addr, err)
			}
		}
	}
	if err := until(ctx, func() error { return c.synced(ctx) }); err != nil {
		return err
	}
	for _, master := range c.nodes[:c.masters] {
		// Nodes don't mention replicas that have received nothing since their first copy. This changes nothing and is
		// replicated.
		if err := master.client.FunctionFlush(ctx).Err(); err != nil {
			return fmt.Errorf("%s: function flush: %w", master.addr, err)
		}
	}
	if err := until(ctx, func() error { return c.ready(ctx) }); err != nil {
		return err
	}
	return c.settle(ctx)
}

// settle lets the cluster live as a real one does. A test that kills a node need not wait long for a failover, and a
// loaded machine that holds up a healthy node for a while does not cause one.
func (c *ClusterServer) settle(ctx context.Context) error {
	for _, n := range c.nodes {
		for name, value := range map[string]string{"cluster-node-timeout": "2000", "cluster-replica-no-failover": "no"} {
			if err := n.client.ConfigSet(ctx, name, value).Err(); err != nil {
				return fmt.Errorf("%s: %w", n.addr, err)
			}
		}
	}
	return nil
}

// introduce lets each pair of nodes meet, which is faster than to wait until the word has spread. Different
// epochs from the start spare them a vote on who is right.
func (c *ClusterServer) introduce(ctx context.Context) error {
	for i, n := range c.nodes {
		if err := n.client.Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
			return fmt.Errorf("%s: cluster set-config-epoch: %w", n.addr, err)
		}
		if i < c.masters {
			first, last := c.slotRange(i)
			if err := n.client.ClusterAddSlotsRange(ctx, first, last).Err(); err != nil {
				return fmt.Errorf("%s: cluster addslotsrange: %w", n.addr, err)
			}
		}
		for _, other := range c.nodes[:i] {
			host, port, _ := strings.Cut(other.addr, ":")
			if err := n.client.ClusterMeet(ctx, host, port).Err(); err != nil {
				return fmt.Errorf("%s: cluster meet: %w", n.addr, err)
			}
		}
	}
	return nil
}

// agree returns an error as long as a node has another view of who serves which slots than the one intended.
func (c *ClusterServer) agree(ctx context.Context, withReplicas bool) error {
	for _, n := range c.nodes {
		//lint:ignore SA1019 it is what go-redis asks itself, and leaves out nodes that CLUSTER SHARDS has
		view, err := n.client.ClusterSlots(ctx).Result()
		if err != nil {
			return fmt.Errorf("%s: cluster slots: %w", n.addr, err)
		}
		slices.SortFunc(view, func(a, b redis.ClusterSlot) int { return a.Start - b.Start })
		got := make([]string, len(view))
		for i, s := range view {
			got[i] = describe(s.Start, s.End, s.Nodes)
		}
		want := make([]string, c.masters)
		for m := range want {
			nodes := []redis.ClusterNode{{Addr: c.nodes[m].addr}}
			if withReplicas {
				for _, r := range c.replicasOf(m) {
					nodes = append(nodes, redis.ClusterNode{Addr: r.addr})
				}
			}
			first, last := c.slotRange(m)
			want[m] = describe(first, last, nodes)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s: its slots are %v, want %v", n.addr, got, want)
		}
	}
	return nil
}

// describe names the master first and the replicas in the order of their addresses.
func describe(first, last int, nodes []redis.ClusterNode) string {
	var addrs []string
	for _, n := range nodes {
		addrs = append(addrs, n.Addr)
	}
	if len(addrs) > 0 {
		slices.Sort(addrs[1:])
	}
	return fmt.Sprintf("%d-%d at %s", first, last, strings.Join(addrs, "+"))
}

// synced returns an error as long as a replica is not up to date.
func (c *ClusterServer) synced(ctx context.Context) error {
	for m := range c.masters {
		replicas := c.replicasOf(m)
		for _, r := range replicas {
			if err := r.follows(ctx, c.nodes[m].addr); err != nil {
				return err
			}
		}
		if err := c.nodes[m].online(ctx, len(replicas)); err != nil {
			return err
		}
	}
	return nil
}

// ready returns an error as long as the cluster does not serve, or a node does not see it whole.
func (c *ClusterServer) ready(ctx context.Context) error {
	if err := c.agree(ctx, true); err != nil {
		return err
	}
	for _, n := range c.nodes {
		info, err := n.client.ClusterInfo(ctx).Result()
		if err != nil {
			return fmt.Errorf("%s: cluster info: %w", n.addr, err)
		}
		if state, _, _ := strings.Cut(info, "\r\n"); state != "cluster_state:ok" {
			return fmt.Errorf("%s: %s", n.addr, state)
		}
	}
	return nil
}
