package similarity

import "testing"

func TestSamePerson(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"Dr. Tobias Krenn", "Tobias Krenn", true},
		{"Prof. Dr. Ada Sorel", "Professor Ada Sorel", true},
		{"Capt. Bo Strand", "bo strand", true},
		{"Moor, Greta", "Greta Moor", true},
		{"Krenn, Dr. Tobias", "Herr Tobias Krenn", true},
		{"Señora Ana Ruiz", "Ana Ruiz", true},
		{"A. Krenn", "Krenn, A.", true},
		{"Dr. A. Krenn", "Prof. A. Krenn", false},
		{"Dr. A. Krenn", "A. Krenn", false},
		{"Mr Kim Lee", "Ms Kim Lee", false},
		{"Dr. Krenn", "Krenn", false},
		{"Tobias Krenn", "Tobias Kranz", false},
		{"Tobias Karl Krenn", "Dr. Tobias Krenn", false},
		{"Luther King, Jr.", "Jr. Luther King", false},
		{"Acme, Inc, Boston", "Boston Acme, Inc", false},
	} {
		if got := SamePerson(test.a, test.b); got != test.want {
			t.Errorf("SamePerson(%q, %q) = %v", test.a, test.b, got)
		}
		if got := SamePerson(test.b, test.a); got != test.want {
			t.Errorf("SamePerson(%q, %q) = %v", test.b, test.a, got)
		}
	}
}
