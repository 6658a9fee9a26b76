package queries

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
)

// Every text is of one tenant and bounded, takes the parameters that are declared and no others, and writes nothing.
func TestTheTextsOfTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range Table {
		if seen[q.Name] || q.Description == "" || len(q.Columns) == 0 || !regexp.MustCompile(`^[a-z_]+$`).MatchString(q.Name) {
			t.Errorf("%s: twice, or without description or columns", q.Name)
		}
		seen[q.Name] = true
		want := []string{"limit", "tenant"}
		for _, p := range q.Parameters {
			want = append(want, p.Name)
			if p.Kind != Time && !p.Required && p.Default == nil {
				t.Errorf("%s: %s is neither required nor has a default", q.Name, p.Name)
			}
		}
		slices.Sort(want)
		for language, text := range map[string]string{"$": q.Cypher, ":": q.SQL} {
			if text == "" && language == ":" {
				continue
			}
			if !strings.HasSuffix(text, "LIMIT "+language+"limit") {
				t.Errorf("%s does not end with the limit:\n%s", q.Name, text)
			}
			plain := regexp.MustCompile(`'[^']*'`).ReplaceAllString(text, "")
			if word := regexp.MustCompile(`(?i)\b(CREATE|MERGE|DELETE|SET|REMOVE|INSERT|UPDATE|LOAD|CALL)\b`).FindString(plain); word != "" {
				t.Errorf("%s has the word %s", q.Name, word)
			}
			pattern := `[^:\w]:([a-z]\w*)` // a label begins with a capital, or follows a variable
			if language == "$" {
				pattern = `\$([a-z]\w*)`
			}
			var have []string
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(plain, -1) {
				have = append(have, m[1])
			}
			slices.Sort(have)
			if d := cmp.Diff(want, slices.Compact(have)); d != "" {
				t.Errorf("%s takes other parameters than it declares:\n%s\n%s", q.Name, d, text)
			}
		}
	}
}

func TestBind(t *testing.T) {
	q := Query{Parameters: []Parameter{entity, at, least, {Name: "belief", Kind: ID}}}
	const id = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	for _, c := range []struct {
		name  string
		given map[string]any
		want  map[string]any
		fault string
	}{
		{"defaults", map[string]any{"entity": "Jon"}, map[string]any{"entity": "Jon", "at": int64(7), "least": int64(1), "belief": nil}, ""},
		{"all", map[string]any{"entity": "Jon", "at": "1970-01-01T00:00:01+00:00", "least": 3.0, "belief": id},
			map[string]any{"entity": "Jon", "at": int64(1_000_000), "least": int64(3), "belief": id}, ""},
		{"missing", nil, nil, "/parameters/entity: is required"},
		{"unknown", map[string]any{"entity": "Jon", "tenant": "x"}, nil, "/parameters/tenant: there is no such parameter"},
		{"long", map[string]any{"entity": strings.Repeat("é", 1001)}, nil, "/parameters/entity: must have 1 to 1000 characters"},
		{"fraction", map[string]any{"entity": "Jon", "least": 1.5}, nil, "/parameters/least: must be a whole number from 1"},
		{"no-number", map[string]any{"entity": "Jon", "least": "3"}, nil, "/parameters/least: must be a whole number from 1"},
		{"no-text", map[string]any{"entity": true}, nil, "/parameters/entity: must be a string"},
		{"no-time", map[string]any{"entity": "Jon", "at": "0000-01-01T00:00:00Z"}, nil, "/parameters/at: must be an RFC 3339 time"},
		{"no-id", map[string]any{"entity": "Jon", "belief": strings.ToUpper(id)}, nil, "/parameters/belief: must be the text of a UUID"},
	} {
		got, err := q.Bind(c.given, 7)
		switch {
		case c.fault != "":
			if tenure.CodeOf(err) != tenure.Invalid || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil || !cmp.Equal(c.want, got):
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestEachCauseHasItsEdge(t *testing.T) {
	for _, c := range tenure.Causes {
		if _, ok := Edges[c]; !ok {
			t.Errorf("the cause %q has no line in Edges: say which edge of the graph shows it, or that none does", c)
		}
	}
}

func TestFind(t *testing.T) {
	if q, ok := Find("superseded"); !ok || q.Name != "superseded" {
		t.Error("superseded is not found")
	}
	if _, ok := Find("nothing"); ok {
		t.Error("nothing is found")
	}
}
