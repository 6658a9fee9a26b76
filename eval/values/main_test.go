package main

import (
	"path"
	"strings"
	"testing"
)

// TestFilesAreTheGenerated holds the stored pairs to the tables: one without the other would be a silent change of
// what is measured.
func TestFilesAreTheGenerated(t *testing.T) {
	for half, made := range generate() {
		entries, err := files.ReadDir(path.Join("testdata", half))
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(made) {
			t.Errorf("%s: %d files, %d types", half, len(entries), len(made))
		}
		for name, pairs := range made {
			want, err := encode(pairs)
			if err != nil {
				t.Fatal(err)
			}
			got, err := files.ReadFile(path.Join("testdata", half, name))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s/%s is not what the tables say (%v): go run ./eval/values -write eval/values/testdata", half, name, err)
			}
		}
	}
}

// indifferent is a judge that claims nothing, for counting.
var indifferent = judge{
	compare: func(_, _ any) (equal, ambiguous bool) { return false, false },
	finer:   func(_, _ any) string { return "" },
	nothing: func(string, any) bool { return false },
}

func TestEachHalfHasItsPairs(t *testing.T) {
	for _, half := range halves {
		results := map[string]*result{}
		for _, r := range measure(indifferent, pairsOf(t, half), "") {
			results[r.kind] = r
		}
		if len(results) != 16 {
			t.Errorf("%s: %d types, want 15 and what is no value", half, len(results))
		}
		for kind, r := range results {
			if kind != "no value" && (r.equal.n != perHalf || r.apart.n != perHalf) {
				t.Errorf("%s, %s: %d equal and %d unequal pairs, want %d of each", half, kind, r.equal.n, r.apart.n, perHalf)
			}
		}
	}
}

func TestHeldOutPairsAreUnseen(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range pairsOf(t, "dev") {
		seen[literal(p.Left)+literal(p.Right)] = true
		seen[literal(p.Right)+literal(p.Left)] = true
	}
	for _, p := range pairsOf(t, "heldout") {
		if p.Right != nil && seen[literal(p.Left)+literal(p.Right)] {
			t.Errorf("%s: %v and %v stand in both halves", p.Type, p.Left, p.Right)
		}
	}
}

// TestGoldIsConsistent joins what is equal, over both halves and all types: no other pair may then lie within a group.
func TestGoldIsConsistent(t *testing.T) {
	all := append(pairsOf(t, "dev"), pairsOf(t, "heldout")...)
	group := map[string]string{}
	var find func(string) string
	find = func(s string) string {
		if group[s] == "" || group[s] == s {
			return s
		}
		group[s] = find(group[s])
		return group[s]
	}
	key := func(v any) string { return strings.TrimSpace(literal(v)) }
	for _, p := range all {
		if p.Gold == goldEqual {
			group[find(key(p.Left))] = find(key(p.Right))
		}
	}
	for _, p := range all {
		if p.Right != nil && p.Gold != goldEqual && find(key(p.Left)) == find(key(p.Right)) {
			t.Errorf("%s: %v and %v are %s, and equal by other pairs", p.Type, p.Left, p.Right, p.Gold)
		}
	}
}

func TestAnErrorIsCounted(t *testing.T) {
	all := judge{
		compare: func(_, _ any) (bool, bool) { return true, false },
		finer:   func(_, _ any) string { return "left" },
		nothing: func(string, any) bool { return true },
	}
	for _, r := range measure(all, pairsOf(t, "dev"), "") {
		if r.kind == "no value" {
			if r.something.right != 0 || r.nothing.right != r.nothing.n {
				t.Errorf("no value: %v, %v", r.nothing, r.something)
			}
			continue
		}
		if r.equal.right != perHalf || r.apart.right != 0 || r.claimed != r.admitted.n || r.finer.right != 0 {
			t.Errorf("%s, everything called equal: %+v", r.kind, *r)
		}
		if len(r.failures) != r.n-perHalf {
			t.Errorf("%s: %d failures of %d pairs", r.kind, len(r.failures), r.n)
		}
	}
}

func pairsOf(t *testing.T, half string) []pair {
	t.Helper()
	pairs, err := load(half)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}
