package torture

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// network is a TCP proxy in front of one address, which can be slow, cut, or silent: then packets are lost without
// anybody being told.
type network struct {
	listener net.Listener
	upstream string
	work     sync.WaitGroup

	mu     sync.Mutex
	state  weather
	closed bool
	links  map[*link]bool
}

// weather is what a network does to new connections, and its delay to those that are open.
type weather struct {
	delay       time.Duration // of each piece of data, in either direction
	cut, silent bool
}

// link is one connection through the network.
type link struct {
	ends   []net.Conn
	silent atomic.Bool
	delay  atomic.Int64
}

func newNetwork(ctx context.Context, upstream string) (*network, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &network{listener: l, upstream: upstream, links: map[*link]bool{}}
	n.work.Go(n.accept)
	return n, nil
}

func (n *network) address() string { return n.listener.Addr().String() }

func (n *network) accept() {
	for {
		c, err := n.listener.Accept()
		if err != nil {
			return // it was closed
		}
		n.work.Go(func() { n.serve(c) })
	}
}

func (n *network) serve(c net.Conn) {
	l := &link{ends: []net.Conn{c}}
	defer n.drop(l)
	state, ok := n.add(l)
	if !ok || state.cut {
		return
	}
	if !state.silent {
		up, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", n.upstream)
		if err != nil {
			return
		}
		n.mu.Lock()
		l.ends = append(l.ends, up)
		n.mu.Unlock()
		n.work.Go(func() { l.pump(up, c); reset(up, c) })
		l.pump(c, up)
		return
	}
	l.pump(c, nil)
}

// add adds a link, and reports what the network is like and whether it is still open.
func (n *network) add(l *link) (weather, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.links[l] = true
	l.silent.Store(n.state.silent)
	l.delay.Store(int64(n.state.delay))
	return n.state, !n.closed
}

func (n *network) drop(l *link) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.links, l)
	reset(l.ends...)
}

// reset closes connections as a router does that has forgotten them.
func reset(ends ...net.Conn) {
	for _, c := range ends {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0)
		}
		_ = c.Close()
	}
}

// pump takes data from one end to the other until one is closed. A silent link loses them.
func (l *link) pump(from, to net.Conn) {
	data := make([]byte, 32<<10)
	for {
		count, err := from.Read(data)
		if err != nil {
			return
		}
		time.Sleep(time.Duration(l.delay.Load()))
		if l.silent.Load() {
			continue
		}
		if _, err := to.Write(data[:count]); err != nil {
			return
		}
	}
}

// slow delays each piece of data from now on.
func (n *network) slow(delay time.Duration) {
	n.set(weather{delay: delay}, func(l *link) { l.delay.Store(int64(delay)) })
}

// cut resets all connections and refuses new ones.
func (n *network) cut() {
	n.set(weather{cut: true}, func(l *link) { reset(l.ends...) })
}

// hush loses all data of the connections that are open, and of new ones.
func (n *network) hush() {
	n.set(weather{silent: true}, func(l *link) { l.silent.Store(true) })
}

// heal lets new connections through. Those of before a hush stay silent for ever, as behind a firewall that has
// forgotten them, or are reset.
func (n *network) heal(forget bool) {
	n.set(weather{}, func(l *link) {
		l.delay.Store(0)
		if l.silent.Load() && !forget {
			reset(l.ends...)
		}
	})
}

func (n *network) set(state weather, each func(*link)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state = state
	for l := range n.links {
		each(l)
	}
}

func (n *network) close() error {
	n.mu.Lock()
	n.closed = true
	for l := range n.links {
		reset(l.ends...)
	}
	n.mu.Unlock()
	err := n.listener.Close()
	n.work.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
