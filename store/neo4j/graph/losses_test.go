package graph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/queries"
)

func TestTypeLabel(t *testing.T) {
	for name, want := range map[string]string{
		"person": "person", "Web Shop": "web_shop", "belief": "belief", "Entity": "entity", "`) DETACH DELETE n //": "detach_delete_n",
		"人": "", "": "", "3d_print": "", "--x--": "x", strings.Repeat("a", 41): "",
	} {
		if got := typeLabel(name); got != want {
			t.Errorf("%q: %q instead of %q", name, got, want)
		}
	}
}

func TestLossSpans(t *testing.T) {
	a := loss{queries.Edge{Type: queries.Supersedes, Rule: "authority"}, "a", tenure.Window{From: 1, Until: 2}}
	b := loss{queries.Edge{Type: queries.Supersedes, Rule: "trust"}, "b", tenure.Window{From: 2, Until: 3}}
	for _, c := range []struct {
		name          string
		before        []loss
		versions      []LossVersion
		added, closed []lossSpan
	}{
		{"new", nil, []LossVersion{{5, []loss{a, b}}}, []lossSpan{{a, 5, Forever}, {b, 5, Forever}}, nil},
		{"goes-on", []loss{a}, []LossVersion{{5, []loss{a}}, {6, []loss{a}}}, nil, nil},
		{"ends", []loss{a, b}, []LossVersion{{5, []loss{b}}}, nil, []lossSpan{{a, -1, 5}}},
		{"ends-later", []loss{a}, []LossVersion{{5, []loss{a}}, {6, nil}}, nil, []lossSpan{{a, -1, 6}}},
		{"between", nil, []LossVersion{{5, []loss{a}}, {6, nil}, {7, []loss{a}}}, []lossSpan{{a, 5, 6}, {a, 7, Forever}}, nil},
		{"back", []loss{a}, []LossVersion{{5, nil}, {6, []loss{a}}}, []lossSpan{{a, 6, Forever}}, []lossSpan{{a, -1, 5}}},
	} {
		added, closed := lossSpans(c.before, c.versions)
		opts := cmp.AllowUnexported(lossSpan{}, loss{})
		if d := cmp.Diff(c.added, added, opts) + cmp.Diff(c.closed, closed, opts); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}
