package registry_test

import (
	"fmt"
	"slices"
	"testing"

	"tenure/registry"
)

func TestTypeHierarchyCompatible(t *testing.T) {
	h := registry.TypeHierarchy{"manager": "employee", "employee": "person", "contractor": "person", "server": "system"}
	for typ, want := range map[string][]string{
		"":         nil, // excludes nothing
		"employee": {"employee", "", "person", "manager"},
		"person":   {"person", "", "contractor", "employee", "manager"},
		"manager":  {"manager", "", "employee", "person"}, // not the contractor
		"server":   {"server", "", "system"},
		"place":    {"place", ""},
	} {
		if got := h.Compatible(typ); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", typ, got, want)
		}
	}
	circle := registry.TypeHierarchy{"a": "b", "b": "a"}
	if got := circle.Compatible("a"); !slices.Equal(got, []string{"a", "", "b"}) {
		t.Errorf("a circle: %q", got)
	}
	deep := registry.TypeHierarchy{}
	for i := range 20 {
		deep[fmt.Sprint(i)] = fmt.Sprint(i + 1)
	}
	if got := deep.Compatible("0"); !slices.Contains(got, "16") || slices.Contains(got, "17") {
		t.Errorf("the depth is not bounded at 16: %q", got)
	}
}
