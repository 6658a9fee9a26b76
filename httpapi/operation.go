package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"tenure"
	"tenure/api"
)

// operation is what openapi.yaml says of one operation that all operations
// have in common: who may call it, and what its parameters may be.
type operation struct {
	id     string
	path   string // the template of the document, the label in metrics
	public bool
	roles  []tenure.Role
	stream bool
	params openapi3.Parameters
	query  map[string]bool
}

// operations finds an operation by its method and Echo's name for its route.
type operations map[string]*operation

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

func readOperations() (operations, error) {
	doc, err := api.Spec()
	if err != nil {
		return nil, err
	}
	ops := operations{}
	for path, item := range doc.Paths.Map() {
		route := pathParameter.ReplaceAllString(strings.ReplaceAll(path, ":", `\:`), ":$1")
		for method, op := range item.Operations() {
			o := &operation{id: op.OperationID, path: path, query: map[string]bool{}}
			o.public = op.Security != nil && len(*op.Security) == 0
			roles, _ := op.Extensions["x-roles"].([]any)
			for _, r := range roles {
				o.roles = append(o.roles, tenure.Role(fmt.Sprint(r)))
			}
			if op.RequestBody != nil {
				o.stream = op.RequestBody.Value.Content["application/x-ndjson"] != nil
			}
			o.params = append(append(o.params, item.Parameters...), op.Parameters...)
			for _, p := range o.params {
				if p.Value.In == openapi3.ParameterInQuery {
					o.query[p.Value.Name] = true
				}
			}
			ops[method+" "+route] = o
		}
	}
	return ops, nil
}

func (ops operations) of(c echo.Context) *operation {
	return ops[c.Request().Method+" "+c.Path()]
}

// checkParameters is Invalid where a parameter is unknown, given twice, missing
// or against its schema.
func (o *operation) checkParameters(c echo.Context) error {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return &tenure.Error{Code: tenure.Malformed, Message: "the query string cannot be read", Err: err}
	}
	var f faults
	for name, values := range query {
		switch {
		case !o.query[name]:
			f.add(name, "there is no such parameter")
		case len(values) > 1:
			f.add(name, "is given %d times", len(values))
		}
	}
	for _, p := range o.params {
		value, given := valueOf(p.Value, c, query)
		switch {
		case given:
			if reason := faultOf(p.Value.Schema.Value, value); reason != "" {
				f.add(p.Value.Name, "%s", reason)
			}
		case p.Value.Required:
			f.add(p.Value.Name, "is required")
		}
	}
	if len(f) > 0 {
		return &tenure.Error{Code: tenure.Invalid, Message: "the request cannot be taken as it is", Fields: f}
	}
	return nil
}

func valueOf(p *openapi3.Parameter, c echo.Context, query url.Values) (string, bool) {
	switch p.In {
	case openapi3.ParameterInPath:
		value := c.Param(p.Name)
		if c.Request().URL.RawPath != "" { // Echo gives what was escaped as it came
			if plain, err := url.PathUnescape(value); err == nil {
				value = plain
			}
		}
		return value, true
	case openapi3.ParameterInHeader:
		values := c.Request().Header.Values(p.Name)
		return strings.Join(values, ","), len(values) > 0
	}
	return query.Get(p.Name), query.Has(p.Name)
}

// faultOf says what is wrong with the text of a parameter, "" for nothing.
func faultOf(s *openapi3.Schema, value string) string {
	if s.Type.Is("integer") {
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil:
			return "must be a whole number"
		case s.Min != nil && float64(n) < *s.Min:
			return fmt.Sprintf("must be %v or more", *s.Min)
		case s.Max != nil && float64(n) > *s.Max:
			return fmt.Sprintf("must be %v or less", *s.Max)
		}
		return ""
	}
	if s.Type.Is("number") {
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
			return "must be a number"
		case s.Min != nil && x < *s.Min:
			return fmt.Sprintf("must be %v or more", *s.Min)
		case s.Max != nil && x > *s.Max:
			return fmt.Sprintf("must be %v or less", *s.Max)
		}
		return ""
	}
	n := uint64(utf8.RuneCountInString(value))
	switch {
	case !utf8.ValidString(value), strings.ContainsRune(value, 0):
		return "must be UTF-8 without NUL"
	case value == "" || n < s.MinLength:
		return "must not be empty"
	case s.MaxLength != nil && n > *s.MaxLength:
		return fmt.Sprintf("must be at most %d characters", *s.MaxLength)
	}
	if s.Format == "uuid" {
		if _, ok := tenure.ParseID(value); !ok {
			return "must be the text of a UUID in lower case"
		}
	}
	if len(s.Enum) > 0 {
		var known []string
		for _, e := range s.Enum {
			if e == any(value) {
				return ""
			}
			known = append(known, fmt.Sprint(e))
		}
		return "must be one of: " + strings.Join(known, ", ")
	}
	return ""
}

// bearer is the token of the Authorization header, "" if there is none.
func bearer(h http.Header) string {
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
