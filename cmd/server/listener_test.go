package main

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// arriving is a listener of connections that a test makes.
type arriving chan net.Conn

func (a arriving) Accept() (net.Conn, error) {
	c, ok := <-a
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (a arriving) Close() error { close(a); return nil }

func (a arriving) Addr() net.Addr { return &net.TCPAddr{} }

// visitor is a connection from an address.
type visitor struct {
	net.Conn
	from   string
	closed bool
}

func (v *visitor) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(v.from), 1))
}

func (v *visitor) Close() error { v.closed = true; return nil }

// door is a bounded listener from which a server accepts.
type door struct {
	*boundedListener
	arriving arriving
	accepted map[net.Conn]bool
}

// atDoor runs a test at a bounded listener, and closes it in the end.
func atDoor(t *testing.T, most int, test func(t *testing.T, d *door), proxies ...netip.Prefix) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &door{arriving: make(arriving), accepted: map[net.Conn]bool{}}
		d.boundedListener = newBoundedListener(d.arriving, most, proxies)
		go func() {
			for {
				c, err := d.Accept()
				if err != nil {
					return
				}
				d.accepted[c] = true
				d.note(c, http.StateNew)
			}
		}()
		test(t, d)
		if !d.closed {
			_ = d.Close()
		}
	})
}

// come has a connection arrive, whose request is under way if it is to be.
func (d *door) come(from string, asks bool) *visitor {
	v := &visitor{from: from}
	d.arriving <- v
	synctest.Wait()
	if asks {
		d.note(v, http.StateActive)
	}
	return v
}

func TestTheLongestIdleConnectionMakesRoom(t *testing.T) {
	atDoor(t, 3, func(t *testing.T, d *door) {
		asks, first, second := d.come("192.0.2.1", true), d.come("192.0.2.2", true), d.come("192.0.2.3", true)
		d.note(first, http.StateIdle)
		d.note(second, http.StateIdle)
		d.note(first, http.StateActive)
		d.note(first, http.StateIdle) // now the second has waited longest
		fourth := d.come("192.0.2.4", true)
		if asks.closed || first.closed || !second.closed || !d.accepted[fourth] {
			t.Errorf("closed: %v, %v, %v; accepted: %v", asks.closed, first.closed, second.closed, d.accepted[fourth])
		}
		d.note(second, http.StateClosed) // leaves no room again
		if fifth := d.come("192.0.2.5", true); !first.closed || !d.accepted[fifth] {
			t.Error("the other that waits did not make room")
		}
	})
}

func TestAConnectionWithoutARequestMakesRoom(t *testing.T) {
	atDoor(t, 1, func(t *testing.T, d *door) {
		bare := d.come("192.0.2.1", false)
		if next := d.come("192.0.2.2", false); !bare.closed || !d.accepted[next] {
			t.Errorf("closed: %v, accepted: %v", bare.closed, d.accepted[next])
		}
	})
}

func TestAConnectionWaitsWhileRequestsAreUnderWay(t *testing.T) {
	for name, state := range map[string]http.ConnState{"until-one-ends": http.StateIdle, "until-one-is-gone": http.StateClosed} {
		t.Run(name, func(t *testing.T) {
			atDoor(t, 2, func(t *testing.T, d *door) {
				busy, other := d.come("192.0.2.1", true), d.come("192.0.2.2", true)
				third := d.come("192.0.2.3", false)
				if d.accepted[third] || third.closed || busy.closed || other.closed {
					t.Fatal("it did not wait")
				}
				d.note(busy, state)
				synctest.Wait()
				if !d.accepted[third] || other.closed || busy.closed != (state == http.StateIdle) {
					t.Errorf("accepted: %v, closed: %v, %v", d.accepted[third], busy.closed, other.closed)
				}
			})
		})
	}
}

func TestARequestOverTLSIsUnderWay(t *testing.T) {
	atDoor(t, 1, func(t *testing.T, d *door) {
		busy := d.come("192.0.2.1", false)
		d.note(tls.Server(busy, &tls.Config{MinVersion: tls.VersionTLS13}), http.StateActive)
		if next := d.come("192.0.2.2", false); busy.closed || d.accepted[next] {
			t.Errorf("closed: %v, accepted: %v", busy.closed, d.accepted[next])
		}
	})
}

func TestAnAddressHasItsShare(t *testing.T) {
	for name, c := range map[string]struct{ one, same, other string }{
		"ipv4":     {"192.0.2.1", "192.0.2.1", "192.0.2.2"},
		"loopback": {"127.0.0.1", "127.0.0.1", "127.0.0.2"},
		"ipv6":     {"2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"}, // one host has a /64
		"mapped":   {"::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"},
	} {
		t.Run(name, func(t *testing.T) {
			atDoor(t, 4, func(t *testing.T, d *door) {
				busy, others := d.come(c.one, true), d.come(c.other, false)
				idle := d.come(c.same, false)
				if next := d.come(c.one, true); !d.accepted[next] || !idle.closed || busy.closed || others.closed {
					t.Errorf("accepted: %v, closed: %v, %v, %v", d.accepted[next], idle.closed, busy.closed, others.closed)
				}
				if more := d.come(c.same, false); d.accepted[more] || !more.closed || others.closed {
					t.Errorf("above the share: accepted %v, closed %v, %v", d.accepted[more], more.closed, others.closed)
				}
				if second := d.come(c.other, false); !d.accepted[second] {
					t.Error("another address is kept out")
				}
				d.note(busy, http.StateClosed)
				if again := d.come(c.one, false); !d.accepted[again] {
					t.Error("the share is not given back")
				}
			})
		})
	}
}

func TestAProxyHasNoShare(t *testing.T) {
	atDoor(t, 4, func(t *testing.T, d *door) {
		for n := range 4 {
			if v := d.come("10.0.0.1", true); !d.accepted[v] {
				t.Errorf("connection %d of a proxy was not accepted", n)
			}
		}
	}, netip.MustParsePrefix("10.0.0.0/8"))
}

func TestACloseLeavesWhatHadARequest(t *testing.T) {
	atDoor(t, 4, func(t *testing.T, d *door) {
		busy, idle, bare := d.come("192.0.2.1", true), d.come("192.0.2.2", true), d.come("192.0.2.3", false)
		d.note(idle, http.StateIdle)
		if err := d.Close(); err != nil || busy.closed || idle.closed || !bare.closed {
			t.Errorf("%v, closed: %v, %v, %v", err, busy.closed, idle.closed, bare.closed)
		}
	})
}

func TestACloseEndsAWait(t *testing.T) {
	atDoor(t, 1, func(t *testing.T, d *door) {
		busy, waits := d.come("192.0.2.1", true), d.come("192.0.2.2", false)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if busy.closed || !waits.closed || d.accepted[waits] {
			t.Errorf("closed: %v, %v; accepted: %v", busy.closed, waits.closed, d.accepted[waits])
		}
	})
}

// patience is far longer than anything takes that does happen, on whatever machine.
const patience = 5 * time.Minute

// answer sends the header of a request on a connection of its own, which stays open, and reads the answer.
func answer(t *testing.T, url, line string, header ...string) (*http.Response, error) {
	t.Helper()
	return http.ReadResponse(bufio.NewReader(send(t, url, line, header...)), nil)
}

func send(t *testing.T, url, line string, header ...string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	lines := slices.Concat([]string{line + " HTTP/1.1", "Host: tenure"}, header, []string{"", ""})
	_, _ = io.WriteString(c, strings.Join(lines, "\r\n")) // reading the answer fails if the connection was closed
	return c
}

// TestIdleConnectionsKeepNobodyOut opens many more connections than a server has, each of which stays after the answer
// to a request. All of the requests are answered.
func TestIdleConnectionsKeepNobodyOut(t *testing.T) {
	url, _ := startServer(t, &serveCmd{MaxConnections: 4}, io.Discard)
	for range 100 {
		answered(t, url)
	}
}

// answered asks on new connections until one is answered and stays open: one is closed at once while the share of the
// address is taken by requests that are under way.
func answered(t *testing.T, url string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		res, err := answer(t, url, "GET /healthz")
		if err == nil && res.StatusCode == http.StatusOK && !res.Close {
			_ = res.Body.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%v, %v", res, err)
		}
	}
}

// TestSilentBodiesKeepNobodyOut opens many more connections than a server has, each with a request whose body does not
// come. A client that asks afterwards is answered.
func TestSilentBodiesKeepNobodyOut(t *testing.T) {
	url, _ := startServer(t, &serveCmd{MaxConnections: 4}, io.Discard)
	for range 100 {
		send(t, url, "GET /healthz", "Content-Length: 100000")
	}
	answered(t, url)
}

// TestOptionsOfAllAreAnsweredAtOnce sends the one request that http.Server would answer itself, after its body.
func TestOptionsOfAllAreAnsweredAtOnce(t *testing.T) {
	url, _ := startServer(t, &serveCmd{}, io.Discard)
	res, err := answer(t, url, "OPTIONS *", "Content-Length: 1000")
	if err != nil || res.StatusCode != http.StatusNotFound || !res.Close {
		t.Fatalf("%v, %v", res, err)
	}
	_ = res.Body.Close()
}
