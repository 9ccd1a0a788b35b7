//go:build unix

package redistest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/redis/go-redis/v9"
)

// left is what a child process says about a server of its own.
type left struct {
	Pid int
	Dir string
}

// say tells the parent about the servers, and waits until it has looked.
func say(t *testing.T, servers ...*redis.Client) {
	t.Helper()
	var all []left
	for _, c := range servers {
		all = append(all, left{pid(t, c), folder(t, c)})
	}
	json.NewEncoder(os.Stdout).Encode(all)
	bufio.NewReader(os.Stdin).ReadString('\n')
}

// folder asks the server for its folder.
func folder(t *testing.T, c *redis.Client) string {
	t.Helper()
	dir, err := c.ConfigGet(context.Background(), "dir").Result()
	if err != nil {
		t.Fatal(err)
	}
	return dir["dir"]
}

const envChild = "REDISTEST_CHILD"

// TestChild is what a child process of TestNothingIsLeftWhenTheProcessDies runs: it starts servers and dies without
// stopping them. In any other process it has nothing to do.
func TestChild(t *testing.T) {
	mode := os.Getenv(envChild)
	switch mode {
	case "":
		return
	case "panic in a test":
		say(t, Start(t).Client)
		panic("the test's own bug")
	case "a cluster, killed":
		c := Cluster(t, 3, 1)
		say(t, append(c.Masters(), c.Replicas()...)...)
	case "a sentinel, killed":
		s := Sentinel(t)
		first, second := s.Servers()
		// A sentinel doesn't tell its folder.
		say(t, first, second)
	default:
		s, err := Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		say(t, s.Client)
	}
	switch mode {
	case "panic in a goroutine":
		go panic("a bug")
	case "exit":
		os.Exit(1)
	}
	select {} // until it is killed
}

func TestNothingIsLeftWhenTheProcessDies(t *testing.T) {
	if os.Getenv(envChild) != "" {
		t.Fatal("a child process has no children")
	}
	for mode, servers := range map[string]int{
		"panic in a test": 1, "panic in a goroutine": 1, "exit": 1, "killed": 1, "a cluster, killed": 6, "a sentinel, killed": 2,
	} {
		t.Run(mode, func(t *testing.T) {
			dir := real(t)
			cmd := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.timeout=2m")
			cmd.Env = append(os.Environ(), envChild+"="+mode)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var all []left
			if err := json.NewDecoder(out).Decode(&all); err != nil || len(all) != servers {
				t.Errorf("%d servers run, %v", len(all), err)
			}
			for _, s := range all {
				if _, err := os.Stat(s.Dir); gone(s.Pid) || err != nil {
					t.Errorf("no server runs: %+v, %v", s, err)
				}
			}
			if made := len(folders(t, dir)); made < servers {
				t.Errorf("%d folders are in %s", made, dir)
			}
			if in.Write([]byte("\n")); servers > 1 || mode == "killed" {
				cmd.Process.Kill()
			}
			if err := cmd.Wait(); err == nil {
				t.Error("the child ended well")
			}
			for _, s := range all {
				await(t, fmt.Sprintf("server %d to be gone", s.Pid), func() bool { return gone(s.Pid) })
				await(t, "its folder to be gone", func() bool {
					_, err := os.Stat(s.Dir)
					return errors.Is(err, os.ErrNotExist)
				})
			}
			await(t, "all folders to be gone", func() bool { return len(folders(t, dir)) == 0 })
		})
	}
}
