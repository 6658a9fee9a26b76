package httpapi

import (
	"context"
	"io"
	"log"
	"net/http"

	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
	"tenure/tracing"
)

// server answers the operations of openapi.yaml.
type server struct {
	deps    Deps
	cfg     Config
	ops     operations
	bind    *binder
	metrics *metrics
}

var _ api.StrictServerInterface = (*server)(nil)

// New makes the handler of the whole API. It reports every dependency that is
// missing.
func New(deps Deps, cfg Config) (http.Handler, error) {
	if err := deps.check(); err != nil {
		return nil, err
	}
	ops, err := readOperations()
	if err != nil {
		return nil, err
	}
	rules, err := newRules()
	if err != nil {
		return nil, err
	}
	m, err := newMetrics(deps.Registerer)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	s := &server{deps: deps, cfg: cfg, ops: ops, metrics: m, bind: &binder{limit: cfg.BodyLimit, rules: rules}}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Binder = s.bind
	e.Logger.SetOutput(io.Discard)
	e.StdLogger = log.New(io.Discard, "", 0)
	e.HTTPErrorHandler = func(err error, c echo.Context) { writeProblem(c, err) }
	e.Use(s.outer, s.admit)
	api.RegisterHandlers(e, api.NewStrictHandler(s, []api.StrictMiddlewareFunc{traced}))
	return e, nil
}

// traced gives each operation a span.
func traced(next api.StrictHandlerFunc, operation string) api.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		ctx, span := tracing.Start(c.Request().Context(), operation)
		if !span.On() {
			return next(c, request)
		}
		outer := c.Request()
		c.SetRequest(outer.WithContext(ctx))
		answer, err := next(c, request)
		c.SetRequest(outer)
		span.End(string(tenure.CodeOf(err)))
		return answer, err
	}
}

// idempotencyKey is the key of the request for the store: it belongs to the
// credential and the operation. nil if the caller gave none.
func idempotencyKey(ctx context.Context, key *string) *tenure.IdempotencyKey {
	if key == nil {
		return nil
	}
	st := stateOf(ctx)
	hash := st.bodyHash
	if id := st.echo.Param("id"); id != "" { // the body says what to do; the path says to what
		hash = hashOf([]byte(id + "\x1f" + hash))
	}
	return &tenure.IdempotencyKey{Scope: keyScope(ctx, *key), Hash: hash}
}

func keyScope(ctx context.Context, key string) string {
	st := stateOf(ctx)
	return st.caller.Actor + "\x1f" + st.op.id + "\x1f" + key
}

// markReplayed tells the caller that the answer is that of the first request.
func markReplayed(ctx context.Context, r tenure.Receipt) {
	if r.Replayed {
		stateOf(ctx).echo.Response().Header().Set("Idempotency-Replayed", "true")
	}
}
