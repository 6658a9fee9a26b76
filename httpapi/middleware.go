package httpapi

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/auth"
	"tenure/fair"
	"tenure/httpapi/body"
	"tenure/service"
	"tenure/tracing"
)

// state is what the layers of one request share.
type state struct {
	echo      echo.Context
	op        *operation // set by admit; nil for an unknown path
	caller    tenure.Caller
	requestID string
	bodyHash  string // set by the binder
	paid      int    // what admission has taken for it
	readsBody bool   // set by admit once the operation may read the body
	brokeOff  bool   // the client did not take all of the answer
}

type stateKey struct{}

// stateOf returns the state of the request, nil outside a request.
func stateOf(ctx context.Context) *state {
	st, _ := ctx.Value(stateKey{}).(*state)
	return st
}

// callerOf returns the caller of the request.
func callerOf(ctx context.Context) tenure.Caller { return stateOf(ctx).caller }

// metrics are the metrics of requests.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics(reg prometheus.Registerer, reads *fair.Semaphore) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tenure_http_requests_total", Help: "Requests by method, route and status.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tenure_http_request_seconds", Help: "Latency of requests by method and route.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route"}),
	}
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tenure_http_reads_waiting", Help: "Reads that wait for their turn.",
	}, func() float64 { return float64(reads.Waiting()) })
	for _, c := range []prometheus.Collector{m.requests, m.seconds, waiting} {
		if err := reg.Register(c); err != nil {
			return nil, fmt.Errorf("httpapi: %w", err)
		}
	}
	return m, nil
}

// outer attaches the state of a request, answers its errors and panics, and records its metrics and log line.
func (s *server) outer(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.deps.Mint().Now.Time()
		st := &state{echo: c, requestID: s.requestID(c.Request().Header.Get(echo.HeaderXRequestID))}
		connected := c.Request().Context() // until the client is gone
		c.SetRequest(c.Request().WithContext(context.WithValue(connected, stateKey{}, st)))
		c.Response().Header().Set(echo.HeaderXRequestID, st.requestID)
		c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
		c.Response().Before(func() { s.hurry(c, st) })
		err := s.recovered(next, c)
		switch {
		case err != nil && c.Response().Committed && connected.Err() != nil:
			st.brokeOff, err = true, nil // no fault of the service
		case err != nil:
			if !st.readsBody {
				s.hangUp(c)
			}
			writeProblem(c, err)
		}
		s.report(c, st, err, s.deps.Mint().Now.Time().Sub(start))
		return nil
	}
}

// recovered calls next and converts a panic into an Internal error, whose stack goes to the log only.
func (s *server) recovered(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler { //nolint:errorlint // the value itself is panicked
			panic(p)
		}
		err = &tenure.Error{Code: tenure.Internal, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
	}()
	return next(c)
}

func (s *server) report(c echo.Context, st *state, err error, took time.Duration) {
	route := "unmatched"
	if st.op != nil {
		route = st.op.path
	}
	method, status := c.Request().Method, c.Response().Status
	if st.op == nil {
		method = "any" // callers choose the method, and label values must be bounded
	}
	tracing.Request(c.Request().Context(), method, route, status)
	s.metrics.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	s.metrics.seconds.WithLabelValues(method, route).Observe(took.Seconds())
	attrs := []slog.Attr{
		slog.String("request_id", st.requestID), slog.String("method", c.Request().Method),
		slog.String("route", route), slog.Int("status", status), slog.Duration("took", took),
		slog.Int64("bytes", c.Response().Size),
	}
	if st.caller.Actor != "" {
		attrs = append(attrs, slog.String("tenant", st.caller.Tenant), slog.String("actor", st.caller.Actor))
	}
	if st.brokeOff {
		attrs = append(attrs, slog.Bool("broke_off", true))
	}
	level := slog.LevelInfo
	if err != nil {
		level = logLevel(err)
		attrs = append(attrs, slog.String("code", string(asError(err).Code)))
		if level > slog.LevelInfo { // the error of a bad request may quote its content
			attrs = append(attrs, slog.String("error", err.Error()))
		}
	}
	s.deps.Logger.LogAttrs(c.Request().Context(), level, "request", attrs...)
}

// admit returns the middleware of an operation: it bounds the time of the request, authenticates and
// authorizes the caller, and validates the parameters and the type of the body. It runs before the body is read, so
// that a refused request costs no decoding.
func (s *server) admit(op *operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx := c.Request().Context()
			stateOf(ctx).op = op
			if !op.stream {
				bounded, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
				defer cancel()
				ctx = bounded
				c.SetRequest(c.Request().WithContext(ctx))
			}
			if err := s.acceptable(ctx, op, c); err != nil {
				return err
			}
			if len(op.media) > 0 {
				stateOf(ctx).readsBody = true
			} else {
				s.hangUp(c)
			}
			if op.erases() {
				s.awaitPurge(c)
			}
			defer func() { s.oweAnswer(stateOf(ctx), c.Response().Size) }()
			return next(c)
		}
	}
}

// awaitPurge has the connection take an answer that comes once files were written anew.
func (s *server) awaitPurge(c echo.Context) {
	if s.cfg.Now != nil { // not every transport has deadlines
		_ = http.NewResponseController(c.Response()).SetWriteDeadline(s.cfg.Now().Add(service.PurgeTime + 2*s.cfg.Timeout))
	}
}

// anonymousAnswer is how long the answer to a caller without a key may take to be read. Nothing says who it is, and
// the largest such answer is the document of the API.
const anonymousAnswer = 10 * time.Second

// hurry sets the write deadline of an answer to a caller without a key, so that an unknown client that does not read
// holds its connection for a short time only.
func (s *server) hurry(c echo.Context, st *state) {
	if st.caller.Actor == "" && s.cfg.Now != nil {
		// not every transport has deadlines
		_ = http.NewResponseController(c.Response()).SetWriteDeadline(s.cfg.Now().Add(anonymousAnswer))
	}
}

// unreadBody is how long the server waits for a body that no handler reads, which may never come. It waits at all
// because a client that is cut off while it sends may not read the answer.
const unreadBody = time.Second

// hangUp closes the connection of a request after the answer if no handler reads its body.
func (s *server) hangUp(c echo.Context) {
	if c.Request().ContentLength == 0 || s.cfg.Now == nil {
		return
	}
	c.Response().Header().Set(echo.HeaderConnection, "close")
	// not every transport has deadlines
	_ = http.NewResponseController(c.Response()).SetReadDeadline(s.cfg.Now().Add(unreadBody))
}

// acceptable authorizes the caller of a request and checks what precedes its body.
func (s *server) acceptable(ctx context.Context, op *operation, c echo.Context) error {
	r := c.Request()
	if err := s.authorize(ctx, op, r); err != nil {
		return err
	}
	if err := s.afford(ctx, op, r); err != nil {
		return err
	}
	if err := op.checkParameters(c); err != nil {
		return err
	}
	if r.ContentLength == 0 || len(op.media) == 0 {
		return nil
	}
	if err := body.CheckEncoding(r.Header.Get(echo.HeaderContentEncoding)); err != nil {
		return err
	}
	return body.CheckType(r.Header.Get(echo.HeaderContentType), op.media)
}

// authorize sets the caller of the request and checks its role against those of the operation.
func (s *server) authorize(ctx context.Context, op *operation, r *http.Request) error {
	if op.public {
		return nil
	}
	caller, err := s.deps.Authenticator.Authenticate(ctx, bearer(r.Header), clientOf(r, s.cfg.TrustedProxies))
	if err != nil {
		return err
	}
	stateOf(ctx).caller = caller
	return auth.Require(caller, op.roles...)
}

func visible(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

var saneID = regexp.MustCompile(`^[A-Za-z0-9._:/+=@-]{1,128}$`)

// requestID returns the caller's request id if it is safe to log, or else a new one.
func (s *server) requestID(given string) string {
	if saneID.MatchString(given) {
		return given
	}
	raw := make([]byte, 16)
	if _, err := io.ReadFull(s.deps.Random, raw); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(raw)
}
