package main

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"tenure/auth"
	"tenure/httpapi"
)

// boundedListener bounds the connections of a server, in all and by the address that they come from. A new one for
// which there is no room takes the place of the one that has waited longest for a request. While there is none that
// waits, it is closed if the others are of the same address, and else waits itself.
type boundedListener struct {
	net.Listener
	most    int
	proxies []netip.Prefix // their connections are those of many clients, and bounded in all alone

	mu      sync.Mutex
	changed *sync.Cond
	closed  bool
	open    map[net.Conn]*connection
	from    map[string]int // open connections by address
	waiting list.List      // of *connection, the one that has waited longest first
}

// connection is an open connection.
type connection struct {
	net.Conn
	address string        // "" if it counts for the share of none
	asked   bool          // a request has come
	place   *list.Element // among those that wait, nil during a request
}

func newBoundedListener(inner net.Listener, most int, proxies []netip.Prefix) *boundedListener {
	l := &boundedListener{
		Listener: inner, most: most, proxies: proxies, open: map[net.Conn]*connection{}, from: map[string]int{},
	}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// share returns how many connections an address may have.
func (l *boundedListener) share() int { return max(1, l.most/2) }

// Accept implements net.Listener.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.admit(&connection{Conn: c, address: l.addressOf(c)}) {
			return c, nil
		}
		_ = c.Close()
	}
}

// addressOf returns the address whose share a connection counts for, "" if there is none.
func (l *boundedListener) addressOf(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil || httpapi.IsTrusted(host, l.proxies) {
		return ""
	}
	return auth.Network(host)
}

// admit reports whether there is room for a connection, once there is.
func (l *boundedListener) admit(c *connection) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	ofAddress := func(o *connection) bool { return o.address == c.address }
	if c.address != "" && l.from[c.address] >= l.share() && !l.makeRoom(ofAddress) {
		return false
	}
	for !l.closed && len(l.open) >= l.most && !l.makeRoom(func(*connection) bool { return true }) {
		l.changed.Wait()
	}
	if l.closed {
		return false
	}
	l.open[c.Conn] = c
	l.from[c.address]++
	c.place = l.waiting.PushBack(c)
	return true
}

// makeRoom closes the connection that has waited longest for a request of those that fit. It reports whether one does.
func (l *boundedListener) makeRoom(fits func(*connection) bool) bool {
	for e := l.waiting.Front(); e != nil; e = e.Next() {
		if c, _ := e.Value.(*connection); fits(c) {
			l.remove(c)
			_ = c.Close()
			return true
		}
	}
	return false
}

func (l *boundedListener) remove(c *connection) {
	l.setWaiting(c, false)
	delete(l.open, c.Conn)
	if l.from[c.address]--; l.from[c.address] == 0 {
		delete(l.from, c.address)
	}
}

// setWaiting notes whether a connection waits for a request from now on.
func (l *boundedListener) setWaiting(c *connection, waits bool) {
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
	if waits {
		c.place = l.waiting.PushBack(c)
	}
}

// note is the ConnState of the http.Server that accepts from the listener.
func (l *boundedListener) note(c net.Conn, state http.ConnState) {
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.open[c]
	if known == nil { // it was closed to make room
		return
	}
	switch state {
	case http.StateNew: // as admit left it
	case http.StateActive:
		known.asked = true
		l.setWaiting(known, false)
	case http.StateIdle:
		l.setWaiting(known, true)
	case http.StateClosed, http.StateHijacked:
		l.remove(known)
	}
	l.changed.Signal()
}

// Close closes the listener, and the connections on which no request has come: a stopping http.Server would wait five
// seconds for one.
func (l *boundedListener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for e := l.waiting.Front(); e != nil; e = e.Next() {
		if c, _ := e.Value.(*connection); !c.asked {
			_ = c.Close()
		}
	}
	l.changed.Signal()
	return l.Listener.Close()
}
