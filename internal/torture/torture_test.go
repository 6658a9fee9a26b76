package torture

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWhatIsLostOrDoubledIsFound settles a round with a server that does what no server must.
func TestWhatIsLostOrDoubledIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		replayed string
		answer   string
		log      string
		want     Result
		wrong    int
	}{
		"as-it-should-be": {"true", `{"seq":1}`, `{"seq":1,"operation":"ingest"}`, Result{}, 0},
		"lost":            {"", `{"seq":1}`, `{"seq":1,"operation":"ingest"}`, Result{Lost: 1}, 0},
		"doubled": {"true", `{"seq":1}`, `{"seq":1,"operation":"ingest"},{"seq":2,"operation":"ingest"}`,
			Result{Doubled: 1}, 0},
		"re-resolved":    {"true", `{"seq":1}`, `{"seq":1,"operation":"ingest"},{"seq":2,"operation":"look"}`, Result{}, 0},
		"another-answer": {"true", `{"seq":1,"x":1}`, `{"seq":1,"operation":"ingest"}`, Result{}, 1},
		"not-in-the-log": {"true", `{"seq":1}`, ``, Result{}, 1},
		"a-gap":          {"true", `{"seq":1}`, `{"seq":1,"operation":"ingest"},{"seq":3,"operation":"look"}`, Result{}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == http.MethodPost:
					w.Header().Set("Idempotency-Replayed", c.replayed)
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprint(w, c.answer)
				case r.URL.Query().Get("after") == "0":
					_, _ = fmt.Fprintf(w, `{"items":[%s]}`, c.log)
				default:
					_, _ = fmt.Fprint(w, `{"items":[]}`)
				}
			}))
			defer s.Close()
			r := &Round{Target: Target{Patience: time.Minute}, urls: []string{s.URL}}
			r.load = &load{r: r, parcels: []*parcel{{key: "w0-0", answer: []byte(`{"seq":1}`), tries: 1}}}
			at, err := r.deliverAll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			entries, err := r.entries(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r.compare(at, entries)
			if r.Lost != c.want.Lost || r.Doubled != c.want.Doubled || len(r.Wrong) != c.wrong {
				t.Errorf("%d lost, %d doubled, wrong: %q", r.Lost, r.Doubled, r.Wrong)
			}
		})
	}
}

// TestNetwork sends through a network that is cut, silent and healed.
func TestNetwork(t *testing.T) {
	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = upstream.Close() }()
	go func() {
		for c, err := upstream.Accept(); err == nil; c, err = upstream.Accept() {
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	n, err := newNetwork(t.Context(), upstream.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := n.close(); err != nil {
			t.Error(err)
		}
	}()
	dial := func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", n.address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	echoed := func(c net.Conn, patience time.Duration) error {
		_ = c.SetDeadline(time.Now().Add(patience))
		if _, err := c.Write([]byte("x")); err != nil {
			return err
		}
		_, err := io.ReadFull(c, make([]byte, 1))
		return err
	}
	const long, moment = time.Minute, 50 * time.Millisecond
	first := dial()
	if err := echoed(first, long); err != nil {
		t.Errorf("at first: %v", err)
	}
	n.hush()
	for _, c := range []net.Conn{first, dial()} {
		if err := echoed(c, moment); !os.IsTimeout(err) {
			t.Errorf("in silence: %v", err)
		}
	}
	n.heal(true)
	if err := echoed(first, moment); !os.IsTimeout(err) {
		t.Errorf("a connection that was forgotten: %v", err)
	}
	second := dial()
	if err := echoed(second, long); err != nil {
		t.Errorf("a new connection: %v", err)
	}
	n.cut()
	for _, c := range []net.Conn{second, dial()} {
		if err := echoed(c, long); err == nil || os.IsTimeout(err) {
			t.Errorf("in a cut network: %v", err)
		}
	}
	n.heal(false)
	n.slow(10 * time.Millisecond)
	began := time.Now()
	if err := echoed(dial(), long); err != nil || time.Since(began) < 20*time.Millisecond {
		t.Errorf("in a slow network: %v after %s", err, time.Since(began))
	}
}

func TestReadWAL(t *testing.T) {
	const page = 512
	frame := func(salts string) []byte {
		return append([]byte("........"+salts+"........"), make([]byte, page)...)
	}
	text := binary.BigEndian.AppendUint32([]byte("magic+ve"), page)
	text = append(text, "....newsaltscheckmsg"...)
	for _, salts := range []string{"newsalts", "newsalts", "oldsalts"} {
		text = append(text, frame(salts)...)
	}
	file := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(file+"-wal", text, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := readWAL(file)
	if want := (wal{"newsalts", 32 + 2*(24+page)}); err != nil || w != want {
		t.Errorf("%+v, %v, want %+v", w, err, want)
	}
}

func TestSum(t *testing.T) {
	totals := Sum([]Result{
		{Fault: "disk-full", Acknowledged: 2, Lost: 1, Ready: []time.Duration{1}},
		{Fault: "server-killed", Acknowledged: 5}, {Fault: "disk-full", Acknowledged: 3, Ready: []time.Duration{2}},
	})
	if len(totals) != 2 || totals[0].Fault != "server-killed" || totals[1].Rounds != 2 || totals[1].Good != 1 ||
		totals[1].Acknowledged != 5 || totals[1].Lost != 1 || len(totals[1].Ready) != 2 {
		t.Errorf("%+v", totals)
	}
}
