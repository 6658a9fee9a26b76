// Package queries is the table of the questions that analysts ask of a whole tenant.
//
// In come the name of a question and its parameters; out go its texts in the languages of the engines, and checked
// parameters. The rule here is what each question asks: docs/queries.md is written from the table, GET /v1/queries
// lists it, and an engine runs it, read-only and for one tenant.
package queries

import (
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"tenure"
)

// Kind is the type of a parameter or a column.
type Kind string

// The kinds. A time is RFC 3339 outside, and microseconds or a native time inside.
const (
	Text    Kind = "text"
	Texts   Kind = "texts"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Time    Kind = "time"
	ID      Kind = "id"
)

// Column is a column of the rows that a query returns. Every cell may be null.
type Column struct {
	Name string
	Kind Kind
}

// Parameter is a parameter of a query. One that is not required has a default: the present of a time, Default of
// anything else.
type Parameter struct {
	Name, Description string
	Kind              Kind // Text, Integer, Time or ID
	Required          bool
	Default           any
	// Least and Most bound an integer.
	Least, Most int64
}

// Query is one question.
type Query struct {
	Name, Description string
	Parameters        []Parameter
	Columns           []Column
	// Cypher and SQL are its texts. They take the tenant as a parameter, and return at most the parameter limit of
	// rows. SQL is "" for what is asked of a graph alone.
	Cypher, SQL string
	// Example are parameters that docs/queries.md asks with.
	Example map[string]any
}

// Table lists every query, as docs/queries.md does.
var Table = slices.Concat(beliefQueries, displacementQueries, groundQueries, identityQueries)

// Find returns the query of a name.
func Find(name string) (Query, bool) {
	i := slices.IndexFunc(Table, func(q Query) bool { return q.Name == name })
	if i < 0 {
		return Query{}, false
	}
	return Table[i], true
}

// longestText bounds a text parameter, in characters.
const longestText = 1000

// Bind returns the values of all parameters, times as microseconds. Given are the decoded JSON values of a request;
// now is the default of times. It returns Invalid, pointing at each parameter that is missing, unknown or not of its
// kind.
func (q Query) Bind(given map[string]any, now tenure.Instant) (map[string]any, error) {
	var f tenure.Faults
	bound := map[string]any{}
	for _, p := range q.Parameters {
		value, stated := given[p.Name]
		switch {
		case stated:
			v, reason := p.parse(value)
			if reason != "" {
				f.Add("/parameters/"+p.Name, "%s", reason)
			}
			bound[p.Name] = v
		case p.Required:
			f.Add("/parameters/"+p.Name, "is required")
		case p.Kind == Time:
			bound[p.Name] = int64(now)
		default:
			bound[p.Name] = p.Default
		}
	}
	for name := range given {
		if !slices.ContainsFunc(q.Parameters, func(p Parameter) bool { return p.Name == name }) {
			f.Add("/parameters/"+name, "there is no such parameter")
		}
	}
	return bound, f.Err()
}

// parse returns the value as the engines take it, or why it is none.
func (p Parameter) parse(value any) (any, string) {
	if p.Kind == Integer {
		n, ok := value.(float64)
		if !ok || n != math.Trunc(n) || n < float64(p.Least) || n > float64(p.Most) {
			return nil, fmt.Sprintf("must be a whole number from %d to %d", p.Least, p.Most)
		}
		return int64(n), ""
	}
	text, ok := value.(string)
	switch {
	case !ok:
		return nil, "must be a string"
	case p.Kind == ID:
		if _, ok := tenure.ParseID(text); !ok {
			return nil, "must be the text of a UUID in lower case"
		}
	case p.Kind == Time:
		t, err := time.Parse(time.RFC3339, text)
		if err != nil || t.Year() < 1 {
			return nil, "must be an RFC 3339 time with a zone"
		}
		return int64(tenure.At(t)), ""
	case text == "" || utf8.RuneCountInString(text) > longestText:
		return nil, fmt.Sprintf("must have 1 to %d characters", longestText)
	}
	return text, ""
}

// Parameters that several queries take.
var (
	entity    = Parameter{Name: "entity", Kind: Text, Required: true, Description: "The name of an entity. All that was merged with it counts."}
	predicate = Parameter{Name: "predicate", Kind: Text, Required: true, Description: "A predicate."}
	at        = Parameter{Name: "at", Kind: Time, Description: "The instant of the world that is asked about. Default now."}
	belief    = Parameter{Name: "belief", Kind: ID, Required: true, Description: "The id of a belief."}
	least     = Parameter{Name: "least", Kind: Integer, Default: int64(1), Least: 1, Most: 1 << 30, Description: "The least number that counts. Default 1."}
)
