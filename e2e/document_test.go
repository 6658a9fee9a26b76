package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"tenure/api"
)

// lines is the type of a body that has one JSON value to a line.
const lines = "application/x-ndjson"

// document holds every exchange of every test to api/openapi.yaml: the status,
// headers and body of each answer, and each request that was carried out.
// Objects are closed here: a field that the document does not name is a fault,
// although clients have to pass over it.
type document struct {
	router  routers.Router
	problem *openapi3.Response // of a path that the document does not have
	options openapi3filter.Options

	mu     sync.Mutex
	faults []error // for the tests that expect errors of some requests
}

func newDocument() (*document, error) {
	doc, err := api.Spec()
	if err != nil {
		return nil, err
	}
	doc.Servers = nil // wherever the server of a test is
	router, err := legacy.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	for _, s := range doc.Components.Schemas {
		closeObjects(s)
	}
	json := openapi3filter.RegisteredBodyDecoder("application/json")
	openapi3filter.RegisterBodyDecoder(lines, json) // of one line
	openapi3filter.RegisterBodyDecoder("application/openapi+yaml", openapi3filter.FileBodyDecoder)
	return &document{
		router: router, problem: doc.Components.Responses["Problem"].Value,
		options: openapi3filter.Options{
			IncludeResponseStatus: true, MultiError: true, SkipSettingDefaults: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{
				openapi3.WithStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(
					`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)),
			},
		},
	}, nil
}

// closeObjects forbids the properties that the schema of an object, or of one
// inside it, does not name. Schemas made of several stay open, as each of
// these sees the properties of the others.
func closeObjects(ref *openapi3.SchemaRef) {
	if ref == nil || len(ref.Value.AllOf) > 1 {
		return
	}
	s := ref.Value
	if len(s.Properties) > 0 && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
		no := false
		s.AdditionalProperties.Has = &no
	}
	if ref.Ref != "" {
		return // a component, which has its own turn
	}
	for _, p := range s.Properties {
		closeObjects(p)
	}
	closeObjects(s.Items)
	closeObjects(s.AdditionalProperties.Schema)
}

// check returns how an exchange departs from the document, and remembers it.
func (d *document) check(ctx context.Context, req *http.Request, sent []byte, a answer) error {
	err := d.compare(ctx, req, sent, a)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %d is not as documented: %w: %s", a.asked, a.status, err, short(a.raw))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, err)
	return err
}

func (d *document) compare(ctx context.Context, req *http.Request, sent []byte, a answer) error {
	route, params, err := d.router.FindRoute(req)
	if err != nil { // a problem then, as of any operation
		none := &openapi3.Operation{Responses: openapi3.NewResponses()}
		none.Responses.Set("default", &openapi3.ResponseRef{Value: d.problem})
		route = &routers.Route{Spec: &openapi3.T{OpenAPI: "3.0.3"}, Operation: none}
	}
	asked := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: &d.options}
	if route.PathItem != nil && a.status < 300 && req.Header.Get("Content-Type") != lines { // of lines some may be wrong
		again := req.Clone(ctx)
		again.Body = io.NopCloser(bytes.NewReader(sent))
		if err := openapi3filter.ValidateRequest(ctx, &openapi3filter.RequestValidationInput{
			Request: again, PathParams: params, Route: route, Options: &d.options,
		}); err != nil {
			return fmt.Errorf("and the request was carried out: %w", err)
		}
	}
	for body := range bodies(a.header, a.raw) {
		if err := openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
			RequestValidationInput: asked, Status: a.status, Header: a.header, Options: &d.options,
			Body: io.NopCloser(bytes.NewReader(body)),
		}); err != nil {
			return err
		}
	}
	return nil
}

// bodies yields a body, or each line of one in lines.
func bodies(h http.Header, body []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if h.Get("Content-Type") != lines {
			yield(body)
			return
		}
		for line := range bytes.Lines(body) {
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(line) {
				return
			}
		}
	}
}

// departures returns what was remembered.
func (d *document) departures() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.faults...)
}
