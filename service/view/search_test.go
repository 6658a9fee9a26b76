package view

import "testing"

// TestAlike: how a search orders names.
func TestAlike(t *testing.T) {
	for query, order := range map[string][]string{
		"lena brandt": {"Lena Brandt", "Léna Brandt", "Brandt, Lena M.", "Lena Brant"},
		"brand":       {"Brand", "Brand Ltd", "Brandt", "Lena Brandt", "Hildebrand Gruber"},
		"jonathon":    {"Jonathon", "Jonathan", "Jonathan Smythe"},
		"face book":   {"Face Book", "Facebook"},
	} {
		last := 2.0
		for _, name := range order {
			score := alike(query, name)
			if score <= 0 || score >= last {
				t.Errorf("%q and %q: %v, after %v", query, name, score, last)
			}
			last = score
		}
	}
	for query, name := range map[string]string{
		"ann": "Jon", "bob": "Rob Smith", "lena brandt": "Lena Ohm", "": "Ann", "x": "Max", "an": "Jan", "?": "Ann", "brandt": "Grant",
	} {
		if score := alike(query, name); score != 0 {
			t.Errorf("%q and %q: %v", query, name, score)
		}
	}
}

func TestEdits(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"ab", ""}: 2, {"ab", "ba"}: 1, {"smyhte", "smythe"}: 1, {"kitten", "sitting"}: 3, {"ß", "s"}: 1,
	} {
		if got := edits([]rune(pair[0]), []rune(pair[1])); got != want {
			t.Errorf("%q: %d, want %d", pair, got, want)
		}
	}
}
