package similarity_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenure"
	"tenure/similarity"
)

// described are attributes of every kind of value, of which some are alike.
var described = []attrs{
	nil,
	{"dob": {"1978-05-04"}, "gender": {"F"}, "country": {"de"}},
	{"dob": {"1978-05-14"}, "address": {"12 Mill Lane, Penzance TR18 4AB"}, "phone": {"+44 1736 555 010"}},
	{"email": {"ada@park.example"}, "passport": {"C01X00T47"}, "occupation": {"lace maker"}},
	{"price": {"19.99"}, "year": {"1999"}, "manufacturer": {"Saltmarsh Timber"}, "postcode": {"TR18 4AB"}},
	{"dob": {"1951"}, "occupation": {"μυλωνάς"}, "email": {"info@park.example"}, "employee_id": {"77812"}},
}

// TestFarIsNeverNear compares pairs in full and by the digest of one of the two.
func TestFarIsNeverNear(t *testing.T) {
	m, r := similarity.DefaultModel(), rand.New(rand.NewPCG(3, 5))
	var all []*similarity.Prepared
	for _, f := range families() {
		for _, p := range f.profiles {
			if p.Attributes == nil {
				p.Attributes = described[r.IntN(len(described))]
			}
			if r.IntN(2) == 0 {
				p.Records = []tenure.Record{{Source: "crm", ID: fmt.Sprint(r.IntN(40))}}
			}
			if r.IntN(8) == 0 {
				p.Project = fmt.Sprint("p", r.IntN(2))
			}
			all = append(all, m.Prepare(p))
		}
	}
	near, far, missed := 0, 0, 0
	for i, x := range all {
		for j := range all {
			y := all[j]
			if k := j - i; k > 30 || k < -30 {
				if r.IntN(20) > 0 {
					continue
				}
			}
			d := m.Digest(y)
			p := m.CachedPair(x, y)
			alike := similarity.Probability(p.Registry) > similarity.NewAt ||
				similarity.Probability(p.Registry+p.Against) > similarity.NewAt
			switch ruled := m.Far(x, d); {
			case ruled && alike:
				t.Fatalf("%q and %q are ruled out, with %+v", x.Key, y.Key, p)
			case ruled:
				far++
			case alike:
				near++
			case d != nil:
				missed++
			}
		}
	}
	if near < 1000 || far < 1000 || missed*20 > far {
		t.Errorf("%d are near, %d far, and %d far ones were not ruled out", near, far, missed)
	}
}

// TestProfilesWithoutADigest checks that what a digest cannot hold is left to the full comparison.
func TestProfilesWithoutADigest(t *testing.T) {
	m := similarity.DefaultModel()
	latin := similarity.Profile{Names: []string{"Ottoline Featherstone"}, Type: "person"}
	for name, change := range map[string]func(*similarity.Profile){
		"no-type":        func(p *similarity.Profile) { p.Type = "" },
		"another-script": func(p *similarity.Profile) { p.Names = append(p.Names, "Анна Каренина") },
		"a-description":  func(p *similarity.Profile) { p.Context = []string{"a lace maker of Penzance"} },
		"neighbours":     func(p *similarity.Profile) { p.Neighbours = []tenure.ID{"01910000-0000-7000-8000-000000000001"} },
		"an-identifier":  func(p *similarity.Profile) { p.Names = []string{"ada@park.example"} },
	} {
		t.Run(name, func(t *testing.T) {
			p := latin
			p.Names = append([]string(nil), latin.Names...)
			change(&p)
			if d := m.Digest(m.Prepare(p)); d != nil {
				t.Errorf("it has a digest of %d bytes", len(d))
			}
		})
	}
	if m.Digest(m.Prepare(latin)) == nil {
		t.Error("a plain profile has no digest")
	}
}
