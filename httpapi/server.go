package httpapi

import (
	"context"
	"io"
	"log"
	"net/http"

	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
	"tenure/fair"
	"tenure/httpapi/admission"
	"tenure/httpapi/body"
	"tenure/service"
	"tenure/tracing"
)

// server implements the operations of openapi.yaml.
type server struct {
	deps    Deps
	cfg     Config
	bind    *binder
	metrics *metrics
	rates   *admission.Buckets
	reads   *fair.Semaphore
}

var _ api.StrictServerInterface = (*server)(nil)

// New returns the handler of the whole API. It reports every missing dependency.
func New(deps Deps, cfg Config) (http.Handler, error) {
	if err := deps.check(); err != nil {
		return nil, err
	}
	ops, err := readOperations()
	if err != nil {
		return nil, err
	}
	rules, err := body.NewRules()
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	reads := fair.NewSemaphore(cfg.reads())
	m, err := newMetrics(deps.Registerer, reads)
	if err != nil {
		return nil, err
	}
	s := &server{deps: deps, cfg: cfg, metrics: m, rates: admission.New(cfg.Rates), reads: reads}
	s.bind = &binder{limit: cfg.BodyLimit, rules: rules, owe: s.owe}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Binder = s.bind
	e.Logger.SetOutput(io.Discard)
	e.StdLogger = log.New(io.Discard, "", 0)
	e.HTTPErrorHandler = func(err error, c echo.Context) { writeProblem(c, err) }
	e.Use(s.outer)
	admission := map[string][]echo.MiddlewareFunc{}
	for id, op := range ops {
		admission[id] = []echo.MiddlewareFunc{s.admit(op), traced(id)}
	}
	api.RegisterHandlersWithOptions(e, api.NewStrictHandler(s, s.inTurn),
		api.RegisterHandlersOptions{OperationMiddlewares: admission})
	return e, nil
}

// traced wraps an operation in a span.
func traced(operation string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx, span := tracing.Start(c.Request().Context(), operation)
			if !span.On() {
				return next(c)
			}
			outer := c.Request()
			c.SetRequest(outer.WithContext(ctx))
			err := next(c)
			c.SetRequest(outer)
			span.End(string(tenure.CodeOf(err)))
			return err
		}
	}
}

// keyOf returns the idempotency key of the request, nil if the caller sent none.
func keyOf(ctx context.Context) *tenure.IdempotencyKey {
	st := stateOf(ctx)
	key := st.echo.Request().Header.Get("Idempotency-Key")
	if key == "" {
		return nil
	}
	hash := st.bodyHash
	if id := st.echo.Param("id"); id != "" { // the object is in the path, not in the body, and must be part of the hash
		hash = hashOf([]byte(id + "\x1f" + hash))
	}
	return service.IdempotencyKey(st.caller, st.op.id, key, hash)
}

// told sets the replay header if the receipt of a write is that of an earlier request. It returns err.
func told(ctx context.Context, r tenure.Receipt, err error) error {
	if err == nil && r.Replayed {
		stateOf(ctx).echo.Response().Header().Set("Idempotency-Replayed", "true")
	}
	return err
}

// made is [told] for a write that made an object, whose path it sets as the Location.
func made(ctx context.Context, path string, id tenure.ID, r tenure.Receipt, err error) error {
	if err == nil {
		stateOf(ctx).echo.Response().Header().Set(echo.HeaderLocation, path+string(id))
	}
	return told(ctx, r, err)
}
