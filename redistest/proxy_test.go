package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// proxied starts a server with a proxy in front of it.
func proxied(t *testing.T) (*Server, *ProxyServer) {
	t.Helper()
	s := Start(t)
	return s, Proxy(t, s.Network, s.Addr)
}

// wire is a connection on which a test speaks the protocol itself, so that it knows each byte.
type wire struct {
	*testing.T
	net.Conn
	replies *bufio.Reader
}

func dial(t *testing.T, p *ProxyServer) *wire {
	t.Helper()
	c, err := net.Dial(p.Network, p.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &wire{t, c, bufio.NewReader(c)}
}

// send writes commands in one piece.
func (w *wire) send(commands ...string) {
	w.Helper()
	var text strings.Builder
	for _, c := range commands {
		words := strings.Fields(c)
		fmt.Fprintf(&text, "*%d\r\n", len(words))
		for _, word := range words {
			fmt.Fprintf(&text, "$%d\r\n%s\r\n", len(word), word)
		}
	}
	if _, err := io.WriteString(w.Conn, text.String()); err != nil {
		w.Fatal(err)
	}
}

// receive reads a reply and returns its last line.
func (w *wire) receive() (string, error) {
	w.Conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	frame, err := readFrame(w.replies)
	lines := strings.Split(strings.TrimSuffix(string(frame), "\r\n"), "\r\n")
	return lines[len(lines)-1], err
}

func (w *wire) expect(replies ...string) {
	w.Helper()
	for _, want := range replies {
		if got, err := w.receive(); got != want || err != nil {
			w.Fatalf("got %q, %v; want %q", got, err, want)
		}
	}
}

// ended reports that the connection was closed by the other side; a reset counts as well.
func (w *wire) ended() {
	w.Helper()
	got, err := w.receive()
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		w.Fatalf("the connection is open: got %q, %v", got, err)
	}
}

// silent reports that there is no reply, and no end either, for a moment.
func (w *wire) silent() {
	w.Helper()
	w.Conn.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	if b, err := w.replies.ReadByte(); !errors.Is(err, os.ErrDeadlineExceeded) {
		w.Fatalf("got %q, %v", b, err)
	}
}

// stored is what the server has under the key, asked without the proxy.
func stored(t *testing.T, s *Server, key string) string {
	t.Helper()
	got, err := s.Client.Get(t.Context(), s.Prefix+key).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		t.Fatal(err)
	}
	return got
}

func TestProxyPasses(t *testing.T) {
	Matrix(t, func(t *testing.T, s *Server) {
		p := Proxy(t, s.Network, s.Addr)
		client := s.NewClient(p.Through)
		big := strings.Repeat("0123456789\r\n", 100_000)
		if err := client.Set(t.Context(), s.Prefix+"k", big, 0).Err(); err != nil {
			t.Fatal(err)
		}
		if got, err := client.Get(t.Context(), s.Prefix+"k").Result(); got != big || err != nil {
			t.Errorf("got %d bytes, %v", len(got), err)
		}
		counts := p.Counts()
		if counts.Connections == 0 || counts.Requests < 2 || counts.Requests != counts.Replies || counts.Swallowed+counts.Dropped > 0 {
			t.Errorf("got %+v", counts)
		}
	})
}

func TestProxyCutAfterRequest(t *testing.T) {
	s, p := proxied(t)
	const rounds = 50
	p.CutAfterRequest(func(request []byte) bool { return bytes.Contains(request, []byte("INCR")) })
	for range rounds {
		w := dial(t, p)
		w.send("SET "+s.Prefix+"a 1", "PING", "INCR "+s.Prefix+"n", "INCR "+s.Prefix+"n", "SET "+s.Prefix+"after 1")
		w.expect("+OK", "+PONG")
		if got, err := w.receive(); err != io.EOF {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	// When the client learns of the end, the request has been run.
	if got := stored(t, s, "n"); got != fmt.Sprint(rounds) {
		t.Errorf("the requests were run %s times, want %d", got, rounds)
	}
	if got := stored(t, s, "after"); got != "" {
		t.Errorf("a request after the cut was run")
	}
	want := ProxyCounts{Connections: rounds, Requests: 3 * rounds, Replies: 2 * rounds, Swallowed: 2 * rounds, Dropped: rounds}
	await(t, "all requests to be counted", func() bool { return p.Counts() == want })

	p.Heal()
	w := dial(t, p)
	w.send("INCR " + s.Prefix + "n")
	w.expect(fmt.Sprint(":", rounds+1))
}

func TestProxyMatchMayCount(t *testing.T) {
	s, p := proxied(t)
	calls := 0
	p.CutAfterRequest(func(request []byte) bool {
		if bytes.Contains(request, []byte("incr")) {
			calls++
		}
		return calls == 1 && bytes.Contains(request, []byte("incr"))
	})
	n, err := s.NewClient(p.Through).Incr(t.Context(), s.Prefix+"n").Result()
	if n != 2 || err != nil {
		t.Errorf("go-redis repeats once: got %d, %v", n, err)
	}
}

func TestProxyCut(t *testing.T) {
	s, p := proxied(t)
	a, b := dial(t, p), dial(t, p)
	for _, w := range []*wire{a, b} {
		w.send("PING")
		w.expect("+PONG")
	}
	p.Cut()
	a.ended()
	b.ended()
	c := dial(t, p)
	c.send("SET " + s.Prefix + "k 1")
	c.expect("+OK")
}

func TestProxyDelay(t *testing.T) {
	s, p := proxied(t)
	w := dial(t, p)
	const delay = 60 * time.Millisecond
	p.Delay(delay)
	begin := time.Now()
	w.send("SET "+s.Prefix+"k early", "PING", "PING")
	await(t, "the request to be run", func() bool { return stored(t, s, "k") == "early" })
	if p.Counts().Replies > 0 && time.Since(begin) < delay {
		t.Error("the reply was not held back")
	}
	w.expect("+OK", "+PONG", "+PONG")
	if took := time.Since(begin); took < delay {
		t.Errorf("the replies came after %s", took)
	}

	p.Delay(time.Hour)
	w.send("PING")
	w.silent()
	p.Cut() // does not wait for the delay
	w.ended()
}

func TestProxyHalfOpen(t *testing.T) {
	s, p := proxied(t)
	before := dial(t, p)
	before.send("PING")
	before.expect("+PONG")
	bystander := dial(t, p)
	bystander.send("PING")
	bystander.expect("+PONG")

	p.HalfOpen()
	after := dial(t, p)
	for _, w := range []*wire{before, after} {
		w.send("SET " + s.Prefix + "k 1")
		w.silent()
	}
	if got := stored(t, s, "k"); got != "" {
		t.Error("a request came through")
	}
	if got := p.Counts(); got.Swallowed != 2 || got.Requests != 2 {
		t.Errorf("got %+v", got)
	}

	p.Heal()
	before.ended()
	after.ended()
	bystander.send("PING") // has lost nothing
	bystander.expect("+PONG")
	w := dial(t, p)
	w.send("SET " + s.Prefix + "k 1")
	w.expect("+OK")
}

// A request that the server has seen gets no reply either.
func TestProxyHalfOpenDropsReplies(t *testing.T) {
	s, p := proxied(t)
	w := dial(t, p)
	w.send("BLPOP " + s.Prefix + "list 0")
	await(t, "the request to be passed on", func() bool { return p.Counts().Requests == 1 })
	p.HalfOpen()
	if err := s.Client.RPush(t.Context(), s.Prefix+"list", "v").Err(); err != nil {
		t.Fatal(err)
	}
	await(t, "the reply to be dropped", func() bool { return p.Counts().Dropped == 1 })
	w.silent()
	p.Heal()
	w.ended()
}

func TestProxyRefuse(t *testing.T) {
	s, p := proxied(t)
	w := dial(t, p)
	w.send("PING") // The reply shows that the connection is accepted.
	w.expect("+PONG")
	for i := range 20 {
		p.Refuse()
		if c, err := net.Dial(p.Network, p.Addr); !errors.Is(err, syscall.ECONNREFUSED) {
			if c != nil {
				c.Close()
			}
			t.Fatalf("round %d: got %v", i, err)
		}
		w.send("INCR " + s.Prefix + "n") // A connection that exists goes on.
		w.expect(fmt.Sprint(":", 2*i+1))
		p.Heal()
		again := dial(t, p)
		again.send("INCR " + s.Prefix + "n")
		again.expect(fmt.Sprint(":", 2*i+2))
	}
	p.Refuse()
	p.Cut()
	w.ended()
}

func TestProxyWithoutServer(t *testing.T) {
	port, err := freePort(0)
	if err != nil {
		t.Fatal(err)
	}
	w := dial(t, Proxy(t, "tcp", fmt.Sprint(loopback, ":", port)))
	w.send("PING")
	w.ended()
}

func TestProxyStopsWithItsTest(t *testing.T) {
	s := Start(t)
	var p *ProxyServer
	var open *wire
	t.Run("inner", func(t *testing.T) {
		p = Proxy(t, s.Network, s.Addr)
		c, err := net.Dial(p.Network, p.Addr)
		if err != nil {
			t.Fatal(err)
		}
		open = &wire{t, c, bufio.NewReader(c)}
		open.send("PING")
		open.expect("+PONG")
	})
	defer open.Close()
	open.T = t
	open.ended()
	if c, err := net.Dial(p.Network, p.Addr); err == nil {
		c.Close()
		t.Error("the proxy still listens")
	}
	p.Heal()
	if c, err := net.Dial(p.Network, p.Addr); err == nil {
		c.Close()
		t.Error("the proxy listens again")
	}
}

func TestReadFrame(t *testing.T) {
	for _, frame := range []string{
		"+OK\r\n", "-ERR no\r\n", ":1\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(12345678901234567890\r\n", "PING\r\n",
		"$3\r\na\nb\r\n", "$0\r\n\r\n", "$-1\r\n", "=7\r\ntxt:a\r\n\r\n", "!5\r\nERR x\r\n",
		"*0\r\n", "*-1\r\n", "*2\r\n*1\r\n:1\r\n$1\r\na\r\n", "~1\r\n:1\r\n", ">2\r\n+a\r\n+b\r\n",
		"%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n", "|1\r\n+ttl\r\n:1\r\n:7\r\n",
	} {
		r := bufio.NewReader(strings.NewReader(frame + "+next\r\n"))
		if got, err := readFrame(r); string(got) != frame || err != nil {
			t.Errorf("%q: got %q, %v", frame, got, err)
		}
		if rest, _ := io.ReadAll(r); string(rest) != "+next\r\n" {
			t.Errorf("%q: %q is left", frame, rest)
		}
		if got, err := readFrame(bufio.NewReader(strings.NewReader(frame[:len(frame)-1]))); err == nil {
			t.Errorf("%q without its end: got %q", frame, got)
		}
	}
	for _, wrong := range []string{"*x\r\n", "$\r\n", "$9999999999\r\n", "*9999999999\r\n", ""} {
		if got, err := readFrame(bufio.NewReader(strings.NewReader(wrong))); err == nil {
			t.Errorf("%q: got %q", wrong, got)
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n")
	f.Add("|1\r\n+ttl\r\n%1\r\n=7\r\ntxt:a\r\n\r\n_\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		frame, err := readFrame(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return
		}
		if !strings.HasPrefix(text, string(frame)) || len(frame) == 0 {
			t.Fatalf("%q: the frame is %q", text, frame)
		}
		again, err := readFrame(bufio.NewReader(bytes.NewReader(frame)))
		if err != nil || !bytes.Equal(again, frame) {
			t.Fatalf("%q: read again it is %q, %v", frame, again, err)
		}
	})
}
