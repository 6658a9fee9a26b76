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

func TestNamesOfOnePerson(t *testing.T) {
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
		{"Thomas Keane Sr", "Thomas Keane, Senior", true},
		{"Keane, Thomas, Jr.", "Thomas Keane II", true},
		{"Thomas Keane, Jr.", "Thomas Keane, Sr.", false},
		{"Thomas Keane, Jr.", "Thomas Keane", false},
		{"Seau, Junior", "Junior Seau", true},
		{"Dr. Junior Mbeki", "Junior Mbeki", true},
		{"Acme, Inc, Boston", "Boston Acme, Inc", false},
	} {
		if got := KnownAs(test.a, []string{test.b}); got != test.want {
			t.Errorf("KnownAs(%q, %q) = %v", test.a, test.b, got)
		}
		if got := KnownAs(test.b, []string{test.a}); got != test.want {
			t.Errorf("KnownAs(%q, %q) = %v", test.b, test.a, got)
		}
	}
}

func TestSameName(t *testing.T) {
	m := DefaultModel()
	profile := func(name, typ string) *Prepared { return m.Prepare(Profile{Names: []string{name}, Type: typ}) }
	for _, test := range []struct {
		typ, a, b string
		want      bool
	}{
		{"organization", "Harrow Tools Ltd", "Harrow Tools Limited", true},
		{"organization", "Harrow Tools, Inc.", "HARROW TOOLS CORPORATION", true},
		{"organization", "The Orrin Group", "Orrin Group", true},
		{"organization", "Bell & Sons", "Bell and Sons", true},
		{"organization", "5th District Council", "Fifth District Council", true},
		{"organization", "Intl Shipping Assn", "International Shipping Association", true},
		{"organization", "Лукойл", "Lukoil", true},
		{"document", "Ticket #41", "ticket 41", true},
		{"system", "Data Mesh 2", "DataMesh 2", false},
		{"vessel", "HMS Lady Ann", "MS Lady Ann", false},
		{"location", "Building 3 Room 5", "Building 5 Room 3", false},
		{"organization", "Voices for Iran", "Voices of Iran", false},
		{"organization", "Now Here Ltd", "Nowhere Ltd", false},
		{"organization", "张伟 Ltd", "章伟 Ltd", false},
		{"person", "Νίκος Παππάς", "Nikos Pappas", true},
		{"organization", "The Lanterns", "Lanterns", false}, // whose name may be no more than the article
		{"organization", "Harrow Tools Ltd", "Harrow Tools GmbH", false},
		{"organization", "Harrow Tools", "Harrow Tools plc", false},
		{"organization", "Harrow Tools", "Harrow Tools Services", false},
		{"organization", "Bell and Sons", "Sons and Bell", false},
		{"organization", "Harrow", "Ηarrow", false}, // with a Greek letter that looks the same
		{"organization", "华为", "Huawei", false},
		{"system", "Falcon 9", "Falcon 10", false},
		{"document", "C++ Guide", "C# Guide", false},
		{"document", "C++ Guide", "C Guide", false},
		{"product", "Watcher S10+", "Watcher S10", false},
		{"system", "Atlas's cache", "Atlas cache", false},
		{"person", "Kim Lee", "Lee Kim", false},
		{"person", "张伟", "Zhang Wei", false},
		{"person", "Νίκος", "Nikos", false},
		{"person", "Νίκος Παππάς", "Nikos Pappas Jr.", false},
		{"person", "Juan de la Cruz", "Juan Cruz", false},
	} {
		for _, p := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := m.SameName(profile(p[0], test.typ), profile(p[1], test.typ)); got != test.want {
				t.Errorf("SameName(%q, %q) = %v", p[0], p[1], got)
			}
		}
	}
}

// TestTitlesTellTheSex checks that only titles before the name do, and the first of them.
func TestTitlesTellTheSex(t *testing.T) {
	for name, want := range map[string]int{
		"Mrs. Harold Finch": -1, "Mr Harold Finch": 1, "Dr. Harold Finch": 0, "Coretta Scott King": 0, "Mrs. Larry King": -1,
		"Sheikh Hasina Wazed": 0, "Finch, Mr. Harold": 1,
	} {
		n, _ := DefaultModel().prepareName(name, people)
		if n.sex != want {
			t.Errorf("%s: %d", name, n.sex)
		}
	}
}
