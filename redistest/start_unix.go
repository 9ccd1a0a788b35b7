//go:build unix

package redistest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

const canStart = true

const (
	socketName = "redis.sock"

	// maxSocketPath is the longest path of a unix socket: sun_path has 104 bytes on macOS and the BSDs and 108 on
	// Linux, one of them for the final NUL.
	maxSocketPath = 103
)

// guard is the shell that stands between us and the server. Its $1 is the folder to remove, the rest is the command.
//
// It has three processes. The server runs in the background, where its parent can wait for it. Another background process
// blocks on the pipe that only our process holds open; at its end it kills the server. The shell itself waits for the
// server and tidies up, so it is also how we learn that a server died on its own: the shell exits with its status.
//
// A background process gets /dev/null as its standard input, therefore the pipe is moved to file descriptor 3. SIGKILL,
// because a server in an endless script does not listen to anything else, and it has nothing to save.
const guard = `
dir=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ read -r _ <&3; kill -KILL "$server"; } 2>/dev/null & watch=$!
wait "$server" 2>/dev/null; status=$?
kill -KILL "$watch" 2>/dev/null
rm -rf -- "$dir"
exit "$status"
`

// process is a running server with its guard.
type process struct {
	dir   string
	alive io.Closer     // our end of the pipe
	log   *os.File      // what the server prints; readable also after the folder is gone
	done  chan struct{} // closed when the guard has exited: the server is dead and the folder removed
	err   error         // how the guard exited; set before done is closed
}

// start runs the server program at path for itself, without a TCP port.
func start(ctx context.Context, path string) (*Server, error) {
	p, err := launch(ctx, path, func(string) ([]string, error) { return []string{"--port", "0"}, nil })
	if err != nil {
		return nil, err
	}
	return &Server{options: p.options(), stop: p.stop}, nil
}

// launch runs the server program at path in a new folder and waits until it answers. The arguments come from a function
// that may write files into the folder.
func launch(ctx context.Context, path string, args func(dir string) ([]string, error)) (*process, error) {
	dir, err := newFolder()
	if err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	list, err := args(dir)
	var p *process
	if err == nil {
		p, err = spawn(dir, path, list)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("redistest: starting %s: %w", path, err)
	}
	if err := p.await(ctx); err != nil {
		p.kill()
		err = fmt.Errorf("redistest: %s is not ready: %w; %s", path, err, tail(p.log))
		p.log.Close()
		return nil, err
	}
	return p, nil
}

// newFolder makes the server's folder, below /tmp if the path of the socket would be too long elsewhere.
func newFolder() (string, error) {
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		parent, err := filepath.Abs(parent)
		if err != nil {
			return "", err
		}
		dir, err := os.MkdirTemp(parent, "redistest-")
		if err != nil {
			return "", err
		}
		if len(filepath.Join(dir, socketName)) <= maxSocketPath {
			return dir, nil
		}
		if err := os.Remove(dir); err != nil {
			return "", err
		}
	}
	return "", errors.New("no folder for temporary files has a path short enough for a unix socket")
}

// spawn starts the guard, which starts the server.
func spawn(dir, path string, args []string) (*process, error) {
	path, err := filepath.Abs(path) // The command runs in another folder.
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	// All paths are relative to the folder: older servers cut arguments at blanks.
	args = append(args, "--unixsocket", socketName, "--unixsocketperm", "700", "--save", "", "--appendonly", "no", "--daemonize", "no")
	cmd := exec.Command("/bin/sh", append([]string{"-c", guard, "redistest", dir, path}, args...)...)
	cmd.Dir = dir
	// The guard needs rm also when a test has set PATH to something else.
	cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/bin:/bin")
	cmd.Stdout, cmd.Stderr = log, log
	// A process group of its own, so that Ctrl-C kills us but not the guard, who tidies up after us.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	alive, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		log.Close()
		return nil, err
	}
	p := &process{dir: dir, alive: alive, log: log, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// options are how to reach the server on its socket.
func (p *process) options() *redis.Options {
	return &redis.Options{Network: "unix", Addr: filepath.Join(p.dir, socketName)}
}

// await returns when the server answers a PING, when it has died, or when the context ends. It asks on the socket, which
// is certain to be this server's; a port may be somebody else's.
func (p *process) await(ctx context.Context) error {
	o := p.options()
	c := probe(o)
	defer c.Close()
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for {
		// A plain dial first: go-redis waits between attempts to dial for longer than a server takes to start.
		conn, err := net.Dial(o.Network, o.Addr)
		if err == nil {
			conn.Close()
			if err = c.Ping(ctx).Err(); err == nil {
				return nil
			}
		}
		select {
		case <-p.done:
			return fmt.Errorf("it has exited: %v", p.err)
		case <-ctx.Done():
			return fmt.Errorf("%w (last attempt: %v)", ctx.Err(), err)
		case <-poll.C:
		}
	}
}

// kill ends the server and returns when it is gone and its folder removed.
func (p *process) kill() {
	p.alive.Close()
	<-p.done
	os.RemoveAll(p.dir) // The guard has done that, unless somebody killed it.
}

// stop is kill with an error if the server had died before: a crash that would else look like a network error.
func (p *process) stop() error {
	defer p.log.Close()
	select {
	case <-p.done:
		p.kill()
		return fmt.Errorf("redistest: the server exited before it was closed: %v; %s", p.err, tail(p.log))
	default:
		p.kill()
		return nil
	}
}

// tail returns the end of the server's log, for an error message.
func tail(log *os.File) string {
	const most = 4096
	size := int64(0)
	if info, err := log.Stat(); err == nil {
		size = info.Size()
	}
	b := make([]byte, min(size, most))
	n, _ := log.ReadAt(b, size-int64(len(b)))
	text := strings.TrimSpace(string(b[:n]))
	if text == "" {
		return "its log is empty"
	}
	return "its log ends:\n" + text
}
