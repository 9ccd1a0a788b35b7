package runtime

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/redisgen/redisgen/redistest"
)

// On a cluster every node has a script cache of its own: cold or warm, a call runs once on the node of its key, single,
// in a pipeline over all nodes, and in MULTI.
func TestCluster(t *testing.T) {
	redistest.MatrixCluster(t, 3, 1, func(t *testing.T, cluster *redistest.ClusterServer) {
		r := newScriptRunner(cluster.Client, nil)
		for name, s := range map[string]*scriptSource{"short": newSource(incr), "long": long(incr)} {
			for _, state := range []string{"cold", "warm"} {
				single(t, r, s, name+state)
				piped(t, cluster, r, s, name+state)
				multi(t, cluster, r, s, name+state)
			}
		}

		// A call without keys goes to any node.
		keyless := newSource("return 7")
		for range 12 {
			if n, err := runScript(t.Context(), r, keyless, keyless.command(nil), 0, decodeInt); n != 7 || err != nil {
				t.Errorf("without keys: %d, %v", n, err)
			}
		}
		pipe := cluster.Client.Pipeline()
		p, err := queueScript(t.Context(), r, pipe, long("return 7"), long("return 7").command(nil), 0, decodeInt)
		if err != nil {
			t.Fatal(err)
		}
		if p.call.Name() != "eval" {
			t.Errorf("queued without keys as %s", p.call.Name())
		}
		if _, err := pipe.Exec(t.Context()); err != nil {
			t.Error(err)
		}

		loaded := long("return 8")
		if err := r.load(t.Context(), []*scriptSource{loaded}); err != nil {
			t.Fatal(err)
		}
		for _, node := range append(cluster.Masters(), cluster.Replicas()...) {
			if there, err := node.ScriptExists(t.Context(), loaded.sha).Result(); err != nil || !there[0] {
				t.Errorf("after Load %s does not have the script: %v", node, err)
			}
		}

		crossing := newSource("return #KEYS")
		_, err = runScript(t.Context(), r, crossing, crossing.command([]string{"a", "b", "c"}), 3, decodeInt)
		refusedCrossSlot(t, err)
	})
}

const clusterKeys = 30 // enough that each of three masters has some

func single(t *testing.T, r *scriptRunner, s *scriptSource, name string) {
	t.Helper()
	for i := range clusterKeys {
		key := fmt.Sprintf("single:%s:%d", name, i)
		if n, err := runScript(t.Context(), r, s, s.command([]string{key}), 1, decodeInt); n != 1 || err != nil {
			t.Errorf("%s returned %d, %v", key, n, err)
		}
	}
}

// piped queues the calls of all keys twice: of a long script the first for each node is EVAL, all others EVALSHA.
func piped(t *testing.T, cluster *redistest.ClusterServer, r *scriptRunner, s *scriptSource, name string) {
	t.Helper()
	pipe := cluster.Client.Pipeline()
	var pending []*Pending[int64]
	evals := 0
	for i := range 2 * clusterKeys {
		p := queueIncr(t, r, pipe, s, fmt.Sprintf("piped:%s:%d", name, i%clusterKeys))
		if p.call.Name() == "eval" {
			evals++
		}
		pending = append(pending, p)
	}
	if want := map[bool]int{true: 2 * clusterKeys, false: 3}[len(s.text) <= evalAlways]; evals != want {
		t.Errorf("%s: %d calls were queued as EVAL, want %d", name, evals, want)
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, p := range pending {
		if n, err := p.Result(); n != int64(i/clusterKeys+1) || err != nil {
			t.Errorf("%s: call %d returned %d, %v", name, i, n, err)
		}
	}
}

func multi(t *testing.T, cluster *redistest.ClusterServer, r *scriptRunner, s *scriptSource, name string) {
	t.Helper()
	var pending []*Pending[int64]
	_, err := cluster.Client.TxPipelined(t.Context(), func(pipe redis.Pipeliner) error {
		for range 3 {
			pending = append(pending, queueIncr(t, r, pipe, s, "{multi}:"+name))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, p := range pending {
		if n, err := p.Result(); n != int64(i+1) || err != nil {
			t.Errorf("%s: call %d in MULTI returned %d, %v", name, i, n, err)
		}
	}
}
