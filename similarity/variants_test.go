package similarity_test

import (
	"testing"

	"tenure/similarity"
	"tenure/text"
)

// TestVariants checks which names people may have for one that is written more or less completely, or otherwise.
func TestVariants(t *testing.T) {
	m := similarity.DefaultModel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"M. Silva", "Maria Silva", true},
		{"Alex Novak", "Alexandra Novak", true},
		{"Steven Li", "Stephen Lee", true},
		{"محمد علي", "Mohammed Ali", true},
		{"דוד כהן", "David Cohen", true},
		{"Maria Garcia", "Maria Garcia Lopez", true},
		{"Laura Meyer", "Laura Meyer-Lindt", true},
		{"Maher Katrangi", "Maher Katranji", true},
		{"J. Petrov", "Ivan Petrov", false},
		{"Maria Silva", "Marco Silva", false},
		{"Maria Garcia Ruiz", "Maria Garcia Lopez", false},
		{"Tim Becker", "Tom Baker", false},
		{"Anna Schmidt", "Anne Schmitz", false},
		{"Alexander Novak", "Alexandra Novak", false},
		{"M. S.", "Maria Silva", false},
		{"Maria", "Maria Silva", false}, // one word
		{"Maria Silva's cat", "Maria Silva", false},
		{"Helena Marchetti", "Helena Marchesi", false}, // two letters, and no sound
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			l := m.Prepare(similarity.Profile{Names: pair[:1], Type: "person"})
			r := m.Prepare(similarity.Profile{Names: pair[1:], Type: "person"})
			if got := m.Variants(l, r); got != c.want {
				t.Errorf("%q and %q: %v", pair[0], pair[1], got)
			}
		}
	}
	l, r := m.Prepare(similarity.Profile{Names: []string{"Acme Cloud"}, Type: "system"}), m.Prepare(similarity.Profile{
		Names: []string{"Acme Cloud Storage"}, Type: "system"})
	if m.Variants(l, r) {
		t.Error("a part of the name of a thing is a variant of it")
	}
}

// TestVariantsOfOrganizations checks which long names of organisations may be of one although a word differs.
func TestVariantsOfOrganizations(t *testing.T) {
	m := similarity.DefaultModel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Heronwell Islamic Resistance Support Association", "Heronwell Islamic Resistance Support Organization", true},
		{"Sanabil Group for Relief and Development", "Sanabil Association for Relief and Development", true},
		{"Heronwell Relief Agency of Saltmarsh", "Heronwell Relief Fund of Saltmarsh Harbour", true},
		{"Heronwell Relief Agency", "Heronwell Relief Fund", false}, // two words
		{"Heronwell Works", "Heronwell Works", false},
		{"First National Bank of Springfield", "First National Bank of Shelbyville", false}, // the rarest word differs
		{"Saltmarsh Relief and Development Agency Kenya", "Saltmarsh Relief and Development Agency Ghana", false},
		{"Saltmarsh Capital Growth Partners II", "Saltmarsh Capital Growth Fund III", false},
		{"Saltmarsh Relief and Development Oyster Fund", "Saltmarsh Relief and Development Heron Trust", false}, // two words each
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			l, r := m.Prepare(organization(pair[0], nil)), m.Prepare(organization(pair[1], nil))
			if got := m.Variants(l, r); got != c.want {
				t.Errorf("%q and %q: %v", pair[0], pair[1], got)
			}
		}
	}
}

// TestVIsSpokenAsF checks that spellings with v and with f, ph or ff sound alike.
func TestVIsSpokenAsF(t *testing.T) {
	for _, pair := range [][2]string{{"steven", "stephen"}, {"ivanov", "ivanoff"}, {"vogel", "fogel"}} {
		if x, y := text.Sound(pair[0]), text.Sound(pair[1]); x != y {
			t.Errorf("%q sounds %q, and %q %q", pair[0], x, pair[1], y)
		}
	}
}
