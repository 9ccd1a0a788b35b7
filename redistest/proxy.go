package redistest

import (
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// ProxyServer stands between a client and a server and makes the network fail. It understands the protocol, so that it
// fails between two requests or two replies and not anywhere: the same test sees the same every time. It starts without
// any fault; a fault holds until [ProxyServer.Heal]. Its methods may be called from several goroutines.
type ProxyServer struct {
	// Network and Addr are what to dial instead of the server: always "tcp", and host:port.
	Network, Addr string

	tb            testing.TB
	network, addr string // the server's
	wait          sync.WaitGroup

	mu       sync.Mutex
	listener *net.TCPListener // nil while connections are refused
	links    map[*link]bool
	match    func(request []byte) bool
	delay    time.Duration
	halfOpen bool
	closed   bool
	counts   ProxyCounts
}

// ProxyCounts are what a proxy has seen since it was started.
type ProxyCounts struct {
	Connections int // accepted
	Requests    int // passed on to the server
	Replies     int // passed on to the client
	Swallowed   int // requests that the server has not seen
	Dropped     int // replies that the client has not seen
}

// Proxy starts a proxy in front of the server at the address, for instance that of a [Server] or of a node of a cluster;
// the network is "tcp" or "unix". It is stopped when the test and its subtests are done. The protocol must be plain, not
// TLS.
func Proxy(tb testing.TB, network, addr string) *ProxyServer {
	tb.Helper()
	port, err := freePort(0)
	if err != nil {
		tb.Fatal(err)
	}
	p := &ProxyServer{
		Network: "tcp",
		Addr:    net.JoinHostPort(loopback, strconv.Itoa(port)),
		tb:      tb,
		network: network,
		addr:    addr,
		links:   map[*link]bool{},
	}
	if err := p.listen(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.close)
	return p
}

// Through makes a client go through the proxy: server.NewClient(proxy.Through).
func (p *ProxyServer) Through(o *redis.Options) { o.Network, o.Addr = p.Network, p.Addr }

// listen is called without the lock only before anybody else knows the proxy.
func (p *ProxyServer) listen() error {
	l, err := net.Listen(p.Network, p.Addr)
	if err != nil {
		return err
	}
	p.listener = l.(*net.TCPListener)
	p.wait.Add(1)
	go p.accept(p.listener)
	return nil
}

func (p *ProxyServer) accept(l *net.TCPListener) {
	defer p.wait.Done()
	for {
		client, err := l.AcceptTCP()
		if err != nil {
			return // The listener is closed.
		}
		p.mu.Lock()
		if p.listener != l {
			client.Close() // It came just before connections were refused.
		} else {
			p.counts.Connections++
			k := &link{proxy: p, client: client, lost: p.halfOpen, done: make(chan struct{})}
			p.links[k] = true
			p.wait.Add(1)
			go k.run()
		}
		p.mu.Unlock()
	}
}

// Cut closes all connections now. A client sees the end of the connection, or that it was reset; whether the server has
// run what was on its way depends on when. New connections are accepted.
func (p *ProxyServer) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut(func(*link) bool { return true })
}

func (p *ProxyServer) cut(which func(*link) bool) {
	for k := range p.links {
		if which(k) {
			k.close()
		}
	}
}

// CutAfterRequest loses the reply of each request that matches: the request is passed on, the server runs it and replies,
// the replies to the requests before it reach the client, and then the connection is closed. Requests that follow it in
// the same pipeline are swallowed. The function gets one whole request as it is on the wire, "*2\r\n$3\r\nGET\r\n…", and
// must not keep it. It is called for one request at a time, so it may count; it may not call the proxy. Replies are
// counted, which subscriptions and CLIENT REPLY upset.
func (p *ProxyServer) CutAfterRequest(match func(request []byte) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.match = match
}

// Delay holds all replies back for so long: the server has run the request, and the client waits. The replies of a pipeline
// that arrive together are held back together.
func (p *ProxyServer) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// HalfOpen is a server whose machine has vanished: connections stay and new ones are accepted, but requests are swallowed
// and there are no replies, not even to requests that the server has seen before. Heal closes the connections that have
// lost something.
func (p *ProxyServer) HalfOpen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.halfOpen = true
}

// Refuse makes nobody listen: new connections are refused. Those that have had a reply go on; a Cut after it makes the
// server look dead.
func (p *ProxyServer) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse()
}

func (p *ProxyServer) refuse() {
	if p.listener != nil {
		p.listener.Close()
		p.listener = nil
	}
}

// Heal ends all faults, for connections that exist and for new ones. Replies that are held back already come when they
// are due. If the port has been taken by somebody else while connections were refused, the test fails.
func (p *ProxyServer) Heal() {
	p.tb.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.match, p.delay, p.halfOpen = nil, 0, false
	p.cut(func(k *link) bool { return k.lost })
	if p.listener == nil && !p.closed {
		if err := p.listen(); err != nil {
			p.tb.Errorf("redistest: the proxy does not listen any more: %v", err)
		}
	}
}

// Counts returns what the proxy has seen so far. What a client has received is counted.
func (p *ProxyServer) Counts() ProxyCounts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counts
}

func (p *ProxyServer) close() {
	p.mu.Lock()
	p.closed = true
	p.refuse()
	p.cut(func(*link) bool { return true })
	p.mu.Unlock()
	p.wait.Wait()
}
