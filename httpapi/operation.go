package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
)

// operation is the part of openapi.yaml that all operations have in common: the roles that may call it and
// the constraints on its parameters.
type operation struct {
	id     string
	path   string // the path template of the document, used as the label in metrics
	public bool
	read   bool // takes its turn among the reads
	roles  []tenure.Role
	stream bool
	media  []string // the types of body that it takes
	params []*openapi3.Parameter
	query  map[string]bool
}

// readsByPost are the operations that read, and have a body. A compilation is kept, and is a read in all else.
var readsByPost = []string{
	"AskQuery", "CheckAnswer", "Compare", "Compile", "Recall", "ReplayCompilation", "Resolve",
}

// erases reports whether the operation erases content: its answer may come late.
func (o *operation) erases() bool { return strings.HasSuffix(o.path, "/content") }

// readOperations returns the operations of openapi.yaml by operation id, which it reads once: no server changes them.
var readOperations = sync.OnceValues(func() (map[string]*operation, error) {
	doc, err := api.Spec()
	if err != nil {
		return nil, err
	}
	ops := map[string]*operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o := &operation{id: op.OperationID, path: path, query: map[string]bool{}}
			o.public = op.Security != nil && len(*op.Security) == 0
			o.read = !o.public && (method == http.MethodGet || slices.Contains(readsByPost, o.id))
			roles, _ := op.Extensions["x-roles"].([]any)
			for _, r := range roles {
				o.roles = append(o.roles, tenure.Role(fmt.Sprint(r)))
			}
			if op.RequestBody != nil {
				o.media = slices.Sorted(maps.Keys(op.RequestBody.Value.Content))
				o.stream = op.RequestBody.Value.Content["application/x-ndjson"] != nil
			}
			for _, list := range []openapi3.Parameters{item.Parameters, op.Parameters} {
				for _, p := range list {
					o.params = append(o.params, p.Value)
					o.query[p.Value.Name] = p.Value.In == openapi3.ParameterInQuery
				}
			}
			ops[o.id] = o
		}
	}
	return ops, nil
})

// parameterOptions validates parameters against the document without setting defaults, which handlers apply:
// defaults set in the URL would alter the filters that a cursor is made for.
var parameterOptions = openapi3filter.Options{
	SkipSettingDefaults: true,
	SchemaValidationOptions: []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidator("uuid", openapi3.NewCallbackValidator(func(text string) error {
			if _, ok := tenure.ParseID(text); !ok {
				return errNoID
			}
			return nil
		})),
	},
}

var errNoID = errors.New("must be the text of a UUID in lower case")

// checkParameters returns Invalid for a parameter that is unknown, repeated, missing, or in violation of its
// schema in openapi.yaml.
func (o *operation) checkParameters(c echo.Context) error {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return &tenure.Error{Code: tenure.Malformed, Message: "the query string cannot be read", Err: err}
	}
	var f tenure.Faults
	for name := range query {
		if !o.query[name] {
			f.Add(name, "there is no such parameter")
		}
	}
	input := &openapi3filter.RequestValidationInput{
		Request: c.Request(), PathParams: pathParameters(c), QueryParams: query, Options: &parameterOptions,
	}
	for _, p := range o.params {
		if reason := parameterFault(p, input); reason != "" {
			f.Add(p.Name, "%s", reason)
		}
	}
	return f.Err()
}

// parameterFault returns the fault of a parameter: first the checks that no schema expresses, then its
// schema; "" if the parameter is valid.
func parameterFault(p *openapi3.Parameter, in *openapi3filter.RequestValidationInput) string {
	var given []string
	switch p.In {
	case openapi3.ParameterInHeader:
		given = in.Request.Header.Values(p.Name)
	case openapi3.ParameterInPath:
		given = []string{in.PathParams[p.Name]}
	case openapi3.ParameterInQuery:
		given = in.QueryParams[p.Name]
	}
	if len(given) > 1 {
		return fmt.Sprintf("is given %d times", len(given))
	}
	for _, v := range given {
		if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
			return "must be UTF-8 without NUL"
		}
	}
	if err := openapi3filter.ValidateParameter(in.Request.Context(), in, p); err != nil {
		return parameterReason(p, err)
	}
	return ""
}

// pathParameters returns the parameters in the path, unescaped: Echo leaves them escaped where the path
// contains an escaped character.
func pathParameters(c echo.Context) map[string]string {
	values := make(map[string]string, len(c.ParamNames()))
	for _, name := range c.ParamNames() {
		value := c.Param(name)
		if c.Request().URL.RawPath != "" {
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
		}
		values[name] = value
	}
	return values
}

// parameterReason returns a sentence for the caller: the reason of the schema, or the expected type where the
// text could not be parsed.
func parameterReason(p *openapi3.Parameter, err error) string {
	var schema *openapi3.SchemaError
	switch {
	case errors.As(err, &schema):
		return schema.Reason
	case errors.Is(err, openapi3filter.ErrInvalidRequired):
		return "is required"
	case errors.Is(err, openapi3filter.ErrInvalidEmptyValue):
		return "must not be empty"
	case p.Schema.Value.Type.Is(openapi3.TypeInteger):
		return "must be a whole number"
	}
	return "must be a " + strings.Join(p.Schema.Value.Type.Slice(), " or ")
}

// bearer returns the token of the Authorization header, "" if there is none.
func bearer(h http.Header) string {
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
