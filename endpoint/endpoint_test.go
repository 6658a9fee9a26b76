package endpoint_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tenure/endpoint"
	"tenure/fair"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model is an endpoint that answers as a test says.
type model struct {
	*httptest.Server
	asked atomic.Int64
}

func serve(t *testing.T, answer func(w http.ResponseWriter, n int64)) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, m.asked.Add(1)) }))
	t.Cleanup(m.Close)
	return m
}

func (m *model) client(t *testing.T, change func(*endpoint.Config)) *endpoint.Client {
	t.Helper()
	cfg := endpoint.Config{URL: m.URL + "/v1/", Model: "small", Pause: time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	c, err := endpoint.New(cfg, "/v1/answers")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// ask returns the answer, which has at most ten bytes.
func ask(ctx context.Context, c *endpoint.Client) (answer string, err error) {
	err = c.Post(ctx, endpoint.Request{Body: []byte("{}"), Limit: 10, Read: func(raw []byte) error {
		answer = string(raw)
		if answer == "nonsense" {
			return fmt.Errorf("%w: it is nonsense", endpoint.ErrContent)
		}
		return nil
	}})
	return answer, err
}

// TestAnotherGoesWhileAModelIsAsked checks that a request to an endpoint holds no slot while it waits: here the answer
// comes after other work has had the only slot.
func TestAnotherGoesWhileAModelIsAsked(t *testing.T) {
	asked, went := make(chan struct{}), make(chan struct{})
	m := serve(t, func(w http.ResponseWriter, _ int64) {
		close(asked)
		<-went
		_, _ = w.Write([]byte("yes"))
	})
	slots := fair.NewSemaphore(fair.Config{Slots: 1, Waiting: 1, Wait: time.Minute})
	c := m.client(t, func(cfg *endpoint.Config) { cfg.Timeout = time.Minute })
	var asking sync.WaitGroup
	asking.Go(func() {
		err := slots.Do(t.Context(), "acme", "key", func(ctx context.Context) error {
			_, err := ask(ctx, c)
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-asked
	if err := slots.Do(t.Context(), "acme", "key", func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
	close(went)
	asking.Wait()
}

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for status, want := range map[int]int64{
		http.StatusTooManyRequests: 3, http.StatusBadGateway: 3, http.StatusInternalServerError: 3, http.StatusRequestTimeout: 3,
		http.StatusUnauthorized: 1, http.StatusNotFound: 1, http.StatusFound: 1, http.StatusBadRequest: 1,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			m := serve(t, func(w http.ResponseWriter, n int64) {
				if n < 3 {
					w.Header().Set("Retry-After", "0")
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
					return
				}
				_, _ = w.Write([]byte("yes"))
			})
			answer, err := ask(t.Context(), m.client(t, nil))
			if n := m.asked.Load(); n != want || (err == nil) != (want == 3) || (answer == "yes") != (want == 3) {
				t.Errorf("it was asked %d times and said %q; the error is %v", n, answer, err)
			}
		})
	}
}

// TestAttempts checks that each attempt is told, with its error.
func TestAttempts(t *testing.T) {
	m := serve(t, func(w http.ResponseWriter, n int64) {
		if n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("an answer of many bytes"))
	})
	var told []error
	err := m.client(t, nil).Post(t.Context(), endpoint.Request{
		Limit: 10, Read: func([]byte) error { return nil },
		Attempted: func(_ context.Context, _ time.Duration, err error) { told = append(told, err) },
	})
	var status endpoint.StatusError
	if !errors.Is(err, endpoint.ErrTooLong) || !errors.Is(err, endpoint.ErrContent) || len(told) != 2 ||
		!errors.As(told[0], &status) || status != http.StatusServiceUnavailable || !errors.Is(told[1], endpoint.ErrTooLong) {
		t.Errorf("it ended with %v after %v", err, told)
	}
}

// TestAnEndpointThatIsDownIsLeftAlone after some failures, until it had a rest. Answers that cannot be used are none.
func TestAnEndpointThatIsDownIsLeftAlone(t *testing.T) {
	var up, odd atomic.Bool
	m := serve(t, func(w http.ResponseWriter, _ int64) {
		switch {
		case odd.Load():
			_, _ = w.Write([]byte("nonsense"))
		case !up.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	c := m.client(t, func(cfg *endpoint.Config) { cfg.Attempts, cfg.Rest = 1, 50*time.Millisecond })
	odd.Store(true)
	for range 20 {
		if _, err := ask(t.Context(), c); !errors.Is(err, endpoint.ErrContent) {
			t.Fatal(err)
		}
	}
	odd.Store(false)
	before, resting := m.asked.Load(), 0
	for range 20 {
		_, err := ask(t.Context(), c)
		if err == nil {
			t.Fatal("it answered")
		}
		if errors.Is(err, endpoint.ErrResting) {
			resting++
		}
	}
	if n := m.asked.Load() - before; n >= 20 || resting == 0 {
		t.Errorf("it was asked %d times, and left alone %d times", n, resting)
	}
	up.Store(true)
	for {
		if _, err := ask(t.Context(), c); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestCallersThatGiveUp checks that they do not count against the endpoint, and wait no longer than they are to.
func TestCallersThatGiveUp(t *testing.T) {
	release := make(chan struct{})
	m := serve(t, func(w http.ResponseWriter, n int64) {
		if n <= 8 {
			<-release
		}
	})
	defer func() { close(release) }()
	c := m.client(t, func(cfg *endpoint.Config) { cfg.Concurrency = 1 })
	for range 8 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		if _, err := ask(ctx, c); err == nil {
			t.Error("a caller that gave up has an answer")
		}
		cancel()
	}
	for m.asked.Load() < 8 { // requests that never left count for none
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		_, _ = ask(ctx, c)
		cancel()
	}
	if _, err := ask(t.Context(), c); err != nil {
		t.Errorf("the endpoint is held responsible: %v", err)
	}
	slow := serve(t, func(http.ResponseWriter, int64) { <-release })
	_, err := ask(t.Context(), slow.client(t, func(cfg *endpoint.Config) { cfg.Timeout = 20 * time.Millisecond }))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

func TestFaultsOfAConfiguration(t *testing.T) {
	for _, cfg := range []endpoint.Config{
		{Model: "m"}, {URL: "ftp://x", Model: "m"}, {URL: "http://u:p@x", Model: "m"}, {URL: "http://x?key=1", Model: "m"},
		{URL: "http://x"}, {URL: "http://x", Model: "m", Key: "a b"}, {URL: "http://x", Model: "m", Timeout: -1},
		{URL: "http://x", Model: "m", Attempts: -1},
	} {
		if _, err := endpoint.New(cfg, "/v1/x"); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}
