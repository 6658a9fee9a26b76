package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
)

// kinds maps each code to its status and title.
var kinds = map[tenure.Code]struct {
	status int
	title  string
}{
	tenure.Invalid:          {http.StatusBadRequest, "A field is invalid"},
	tenure.Malformed:        {http.StatusBadRequest, "Malformed JSON"},
	tenure.Unauthenticated:  {http.StatusUnauthorized, "Missing or wrong credential"},
	tenure.Forbidden:        {http.StatusForbidden, "The credential does not allow it"},
	tenure.AuthorityTooHigh: {http.StatusForbidden, "The key does not have this authority"},
	tenure.NotFound:         {http.StatusNotFound, "Not found"},
	tenure.Gone:             {http.StatusGone, "No longer there"},
	tenure.Conflicting:      {http.StatusConflict, "Conflict with the current state"},
	tenure.KeyReused:        {http.StatusConflict, "The idempotency key was used with another body"},
	tenure.Unprocessable:    {http.StatusUnprocessableEntity, "Cannot be processed"},
	tenure.StaleCursor:      {http.StatusBadRequest, "The cursor belongs to another listing"},
	tenure.MethodNotAllowed: {http.StatusMethodNotAllowed, "No such method here"},
	tenure.UnsupportedMedia: {http.StatusUnsupportedMediaType, "This type of body is not taken"},
	tenure.TooLarge:         {http.StatusRequestEntityTooLarge, "Too large"},
	tenure.TooMany:          {http.StatusTooManyRequests, "Too many requests"},
	tenure.Unsupported:      {http.StatusNotImplemented, "Not supported by this engine"},
	tenure.Unavailable:      {http.StatusServiceUnavailable, "Try again later"},
	tenure.Internal:         {http.StatusInternalServerError, "The service failed"},
}

const problemType = "application/problem+json"

// problemOf converts an error into a problem. Causes are not disclosed, and a foreign error becomes Internal
// without detail.
func problemOf(err error) api.Problem {
	e := asError(err)
	kind, ok := kinds[e.Code]
	if !ok {
		e, kind = &tenure.Error{Code: tenure.Internal}, kinds[tenure.Internal]
	}
	detail := e.Message
	if e.Code == tenure.Internal || detail == "" {
		detail = kind.title
	}
	p := api.Problem{
		Type: "urn:tenure:problem:" + string(e.Code), Title: kind.title,
		Status: kind.status, Code: e.Code, Detail: detail,
	}
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, api.FieldError{Pointer: shorten(f.Pointer), Reason: f.Reason})
	}
	return p
}

// outcome returns the status of an item of a batch, and its problem if it has one.
func outcome(err error) (status int, problem *api.Problem) {
	if err == nil {
		return http.StatusOK, nil
	}
	p := problemOf(err)
	return p.Status, &p
}

// shorten truncates a pointer made of a caller's own long names.
func shorten(pointer string) string {
	const most = 1000
	if len(pointer) <= most {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:most], "") + "..."
}

// asError finds the tenure.Error in err, or converts an error of Echo or of the context.
func asError(err error) *tenure.Error {
	var e *tenure.Error
	var h *echo.HTTPError
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &tenure.Error{Code: tenure.Unavailable, Message: "no answer in time", Err: err}
	case errors.As(err, &h):
		return echoError(h)
	}
	return &tenure.Error{Code: tenure.Internal, Err: err}
}

func echoError(h *echo.HTTPError) *tenure.Error {
	switch h.Code {
	case http.StatusMethodNotAllowed:
		return &tenure.Error{Code: tenure.MethodNotAllowed, Message: "this path has no such method: see Allow", Err: h}
	case http.StatusNotFound:
		return &tenure.Error{Code: tenure.NotFound, Message: "there is no such operation", Err: h}
	case http.StatusBadRequest:
		return &tenure.Error{Code: tenure.Malformed, Message: "the request cannot be read", Err: h}
	}
	return &tenure.Error{Code: tenure.Internal, Err: h}
}

// writeProblem answers with the problem, unless the response has already begun.
func writeProblem(c echo.Context, err error) {
	if c.Response().Committed {
		return
	}
	p := problemOf(err)
	body, merr := jsonv2.Marshal(p)
	if merr != nil {
		body = []byte(`{"type":"urn:tenure:problem:internal","status":500,"code":"internal"}`)
	}
	h := c.Response().Header()
	if p.Status == http.StatusUnauthorized {
		h.Set(echo.HeaderWWWAuthenticate, "Bearer")
	}
	if p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests {
		h.Set(echo.HeaderRetryAfter, retryAfter(err))
	}
	h.Set(echo.HeaderContentType, problemType)
	h.Set(echo.HeaderXContentTypeOptions, "nosniff")
	c.Response().WriteHeader(p.Status)
	_, _ = c.Response().Write(body) // the client may have disconnected
}

// retryAfter returns the value of Retry-After: whole seconds, at least one.
func retryAfter(err error) string {
	wait := asError(err).RetryAfter
	return strconv.Itoa(max(1, int((wait+time.Second-1)/time.Second)))
}

// logLevel returns the level for a request that ended with the error: error only for faults of the service.
func logLevel(err error) slog.Level {
	switch asError(err).Code {
	case tenure.Internal:
		return slog.LevelError
	case tenure.Unavailable:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
