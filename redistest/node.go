package redistest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// loopback is where nodes listen: they know each other by address, so a socket doesn't do.
const loopback = "127.0.0.1"

// node is a server that others talk to: of a cluster, or of the group that a sentinel watches.
type node struct {
	addr    string
	client  *redis.Client
	process *process
	killed  bool
}

// startNode starts a server on a free port. Whether the port is still free when the server takes it, only the server can
// tell; if not, another port is tried.
func startNode(ctx context.Context, path string, args func(dir, port string) ([]string, error)) (*node, error) {
	for attempt := 1; ; attempt++ {
		port, err := freePort(10000)
		if err != nil {
			return nil, err
		}
		p, err := launch(ctx, path, func(dir string) ([]string, error) {
			list, err := args(dir, strconv.Itoa(port))
			return append(list, "--port", strconv.Itoa(port), "--bind", loopback), err
		})
		if err == nil {
			addr := net.JoinHostPort(loopback, strconv.Itoa(port))
			return &node{addr: addr, client: redis.NewClient(&redis.Options{Addr: addr}), process: p}, nil
		}
		if attempt == 5 || !strings.Contains(err.Error(), "Failed listening on port") {
			return nil, err
		}
	}
}

// The ports to choose from lie below those that systems hand out to outgoing connections, which come and go all the
// time. That also holds for the ports of the cluster bus, which are 10000 higher.
const firstPort, lastPort = 11000, 21999

// freePort returns a port that nobody listens on, and with another above it, if that is not 0, that is free as well.
func freePort(another int) (int, error) {
	var err error
	for range 100 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		if err = listenable(port); err == nil && another != 0 {
			err = listenable(port + another)
		}
		if err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("redistest: no free port between %d and %d: %w", firstPort, lastPort, err)
}

func listenable(port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}

// stop ends the node. Whoever has killed it before is not surprised that it is gone.
func (n *node) stop() error {
	err := closeClients([]*redis.Client{n.client})
	if stopped := n.process.stop(); !n.killed {
		err = errors.Join(err, stopped)
	}
	return err
}

// kill ends the node at once, as a crash of its machine would.
func (n *node) kill() {
	n.killed = true
	n.process.kill()
}

func stopNodes(nodes []*node) error {
	var errs []error
	for _, n := range nodes {
		errs = append(errs, n.stop())
	}
	return errors.Join(errs...)
}

// field returns a field of a section of INFO.
func (n *node) field(ctx context.Context, section, name string) (string, error) {
	info, err := n.client.Info(ctx, section).Result()
	if err != nil {
		return "", fmt.Errorf("%s: %w", n.addr, err)
	}
	for _, line := range strings.Split(info, "\n") {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), ":"); key == name {
			return value, nil
		}
	}
	return "", nil
}

// follows returns an error as long as the node does not replicate the master, or has not got all its data yet.
func (n *node) follows(ctx context.Context, master string) error {
	for _, want := range []struct{ name, value string }{
		{"role", "slave"}, {"master_port", master[strings.LastIndex(master, ":")+1:]}, {"master_link_status", "up"},
	} {
		got, err := n.field(ctx, "replication", want.name)
		if err != nil {
			return err
		}
		if got != want.value {
			return fmt.Errorf("%s: %s is %q, want %q", n.addr, want.name, got, want.value)
		}
	}
	return nil
}

// online returns an error as long as the node does not count so many replicas as up to date.
func (n *node) online(ctx context.Context, replicas int) error {
	info, err := n.client.Info(ctx, "replication").Result()
	if err != nil {
		return fmt.Errorf("%s: %w", n.addr, err)
	}
	if got := strings.Count(info, "state=online"); got != replicas {
		return fmt.Errorf("%s: %d of %d replicas are online", n.addr, got, replicas)
	}
	return nil
}

// until asks again and again until there is no error, or the context ends.
func until(ctx context.Context, condition func() error) error {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		err := condition()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (last seen: %w)", ctx.Err(), err)
		case <-poll.C:
		}
	}
}
