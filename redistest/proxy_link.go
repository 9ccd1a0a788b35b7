package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// link is a connection of a client with the one to the server that belongs to it.
type link struct {
	proxy  *ProxyServer
	client *net.TCPConn
	once   sync.Once
	done   chan struct{} // closed when the link is

	// Guarded by the lock of the proxy.
	server        net.Conn // nil until it is dialled
	lost          bool     // a request was swallowed or a reply dropped: replies would come to the wrong requests
	sent, replied int      // requests that the server has got, replies that it has given
	last          int      // the request whose reply is lost, counted from 1; 0 if there is none
}

// close may be called with the lock of the proxy or without.
func (k *link) close() {
	k.once.Do(func() {
		close(k.done)
		k.client.Close()
	})
}

// run ends when the link is closed, by either side or by the proxy.
func (k *link) run() {
	defer k.proxy.wait.Done()
	defer func() {
		k.close()
		k.proxy.mu.Lock()
		delete(k.proxy.links, k)
		k.proxy.mu.Unlock()
	}()
	requests := bufio.NewReader(k.client)
	for {
		request, err := readFrame(requests)
		if err != nil {
			return
		}
		server, err := k.pass(request)
		if err != nil {
			return
		}
		if server == nil {
			continue
		}
		if _, err := server.Write(request); err != nil {
			return
		}
	}
}

// pass decides what becomes of a request. It returns the connection to write it to, or nil if it is swallowed.
func (k *link) pass(request []byte) (net.Conn, error) {
	p := k.proxy
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.halfOpen || k.lost || k.last > 0 {
		k.lost = k.lost || p.halfOpen
		p.counts.Swallowed++
		return nil, nil
	}
	if k.server == nil {
		// The first request dials, so that the server has no connection of a client that says nothing. It is on the same
		// machine: nobody waits long for the lock.
		server, err := net.Dial(p.network, p.addr)
		if err != nil {
			return nil, err
		}
		k.server = server
		p.wait.Add(1)
		go k.answer(server)
	}
	k.sent++
	p.counts.Requests++
	if p.match != nil && p.match(request) {
		k.last = k.sent
	}
	return k.server, nil
}

// answer passes on the replies.
func (k *link) answer(server net.Conn) {
	defer k.proxy.wait.Done()
	defer k.close()
	// The server's connection is closed with the client's, not only when the server has replied.
	stop := make(chan struct{})
	defer close(stop)
	k.proxy.wait.Add(1)
	go func() {
		defer k.proxy.wait.Done()
		select {
		case <-k.done:
		case <-stop:
		}
		server.Close()
	}()

	replies := bufio.NewReader(server)
	for {
		together := replies.Buffered() > 0 // with the one before, which has waited
		reply, err := readFrame(replies)
		if err != nil {
			return
		}
		if !together && !k.holdBack() {
			return
		}
		through, again := k.deliver(reply)
		if through {
			if _, err := k.client.Write(reply); err != nil {
				return
			}
		}
		if !again {
			// Only our half of the client's connection is closed, and the other half read to its end: to close it with
			// requests unread resets it, and might take the replies away that have just been delivered.
			server.Close()
			k.client.CloseWrite()
			<-k.done
			return
		}
	}
}

// holdBack waits for as long as replies are delayed. It returns false if the link is closed before.
func (k *link) holdBack() bool {
	k.proxy.mu.Lock()
	delay := k.proxy.delay
	k.proxy.mu.Unlock()
	if delay <= 0 {
		return true
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-k.done:
		return false
	}
}

// deliver decides what becomes of a reply: whether it goes through to the client, and whether the link goes on.
func (k *link) deliver(reply []byte) (through, again bool) {
	p := k.proxy
	p.mu.Lock()
	defer p.mu.Unlock()
	push := reply[0] == '>' // answers no request
	if !push {
		k.replied++
	}
	if p.halfOpen || k.lost {
		k.lost = true
		if !push {
			p.counts.Dropped++
		}
		return false, true
	}
	if push {
		return true, true
	}
	if k.last > 0 && k.replied >= k.last {
		p.counts.Dropped++
		return false, false
	}
	p.counts.Replies++
	return true, true
}

// maxFrame bounds what is kept in memory of a single request or reply. A server accepts half of it as one string.
const maxFrame = 1 << 30

// readFrame reads a whole request or reply, in either protocol, with all that is nested in it.
func readFrame(r *bufio.Reader) ([]byte, error) {
	var frame bytes.Buffer
	for left := 1; left > 0; left-- {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		frame.Write(line)
		switch line[0] {
		case '$', '=', '!', '*', '~', '>', '%', '|':
		default:
			continue // a reply of one line, or a request as one types it
		}
		n, err := strconv.Atoi(string(bytes.TrimRight(line[1:], "\r\n")))
		if err != nil {
			return nil, fmt.Errorf("redistest: %q is not the protocol of Redis", line)
		}
		if n > maxFrame || frame.Len() > maxFrame {
			return nil, errors.New("redistest: a request or a reply is too long")
		}
		switch {
		case n < 0: // nil
		case line[0] == '$' || line[0] == '=' || line[0] == '!':
			if _, err := io.CopyN(&frame, r, int64(n)+2); err != nil {
				return nil, err
			}
		case line[0] == '%':
			left += 2 * n
		case line[0] == '|':
			left += 2*n + 1 // attributes, and what they belong to
		default:
			left += n
		}
	}
	return frame.Bytes(), nil
}
