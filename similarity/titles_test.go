package similarity

import "testing"

func TestKnownAs(t *testing.T) {
	for _, test := range []struct {
		name  string
		names []string
		want  bool
	}{
		{"Mr Kim Lee", []string{"Kim Lee", "Dr. Kim Lee"}, true},
		{"Mr Kim Lee", []string{"Kim Lee", "Ms Kim Lee"}, false},
		{"Mr Kim Lee", []string{"Kim Lee", "Ms Ann Lee"}, true},
		{"Mr Kim Lee", []string{"Ann Lee"}, false},
		{"Mr Kim Lee", nil, false},
	} {
		if got := KnownAs(test.name, test.names); got != test.want {
			t.Errorf("KnownAs(%q, %q) = %v", test.name, test.names, got)
		}
	}
}

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
