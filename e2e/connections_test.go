package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestConnections looks at clients that hold connections.
func TestConnections(t *testing.T) {
	onEachEngine(t, func(t *testing.T, e engine) {
		t.Run("bodies-that-never-come", func(t *testing.T) { bodiesThatNeverCome(t, e) })
		t.Run("a-stop-does-not-wait-for-ever", func(t *testing.T) { stopUnderWay(t, e) })
		t.Run("a-stop-does-not-wait-for-a-first-request", func(t *testing.T) { stopUnused(t, e) })
	})
}

// dial connects to a server and begins a POST of observations whose body does not come.
func dial(t *testing.T, url, path, key string) net.Conn {
	t.Helper()
	address := strings.TrimPrefix(url, "http://")
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Error(err)
		return nil
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	media := "application/json"
	if strings.HasSuffix(path, "batch") {
		media = "application/x-ndjson"
	}
	// where the connection is closed at once, its reader is told
	_, _ = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\n"+
		"Content-Length: 100000\r\n\r\n", path, address, key, media)
	return c
}

// bodiesThatNeverCome begins requests without a valid key, more than the server has connections. Each is answered, and
// its connection closed, though none sends its body; what is above the share of the address is closed at once.
func bodiesThatNeverCome(t *testing.T, e engine) {
	store := e.store(t)
	s := serve(t, store, "--max-connections", "16")
	var clients sync.WaitGroup
	var answered atomic.Bool
	for range 100 {
		clients.Go(func() {
			c := dial(t, s.url(), "/v1/observations", "none")
			if c == nil {
				return
			}
			answer, err := io.ReadAll(c)
			if len(answer) == 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
			answered.Store(true)
			status, _, _ := strings.Cut(strings.TrimPrefix(string(answer), "HTTP/1.1 "), " ")
			if err != nil || status != "401" && status != "429" { // after many failures it is the latter
				t.Errorf("the connection was not closed with 401 or 429: %v %.80q", err, answer)
			}
		})
	}
	clients.Wait()
	if !answered.Load() {
		t.Error("no request was answered")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url()+"/healthz", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %s", res.Status)
	}
}

// stopUnderWay stops a server while a batch is under way whose lines do not come. It ends once the time of grace is over, and
// says why it did not end well.
func stopUnderWay(t *testing.T, e engine) {
	store := e.store(t)
	key := newKey(t, store, newTenant())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := quick.Start(ctx, store, "--grace", "100ms")
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, s.URL, "/v1/observations:batch", key)
	if _, err := fmt.Fprintln(c, "{}"); err != nil { // the first answer is that to the first line
		t.Error(err)
	}
	if status, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(status, " 200 ") {
		t.Errorf("the batch did not begin: %q, %v", status, err)
	}
	if err := s.Stop(); err == nil || !strings.Contains(s.Log(), "requests were still under way after 100ms") {
		t.Errorf("the server ended with %v; it says:\n%s", err, s.Log())
	}
}

// stopUnused stops a server with connections on which nothing was sent, as clients keep them for later. It ends well.
func stopUnused(t *testing.T, e engine) {
	s := serve(t, e.store(t), "--grace", "4s") // http.Server waits five seconds for them
	for range 3 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	w := newWorld(t, e, s)
	w.get("/healthz").is(200) // the connections before it are accepted, too
	if err := s.run.Stop(); err != nil {
		t.Errorf("the server ended with %v: %s", err, s.run.Log())
	}
}
