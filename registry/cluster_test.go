package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/similarity"
)

// family returns rows of a few people. Some share a name, a telephone, a mailbox or a house.
// Attributes are left out at random, so that similarity is not transitive.
func family(r *rand.Rand, n int) []record {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	list := make([]record, n)
	for i := range list {
		attributes := map[string][]string{}
		maybe := func(key string, values ...string) {
			if r.IntN(2) == 0 {
				attributes[key] = []string{pick(values...)}
			}
		}
		maybe("dob", "1950-03-07", "1980-11-23", "1980-11-24")
		maybe("phone", "+49 201 5550123", "+49 201 5550188")
		maybe("email", "j.brandt@saltmarsh.example", "brandt80@lighthouse.example")
		maybe("address", "4 Harbour Lane, Emden", "19 Mill Road, Leer")
		maybe("passport", "C01X00T47", "F7K229310")
		list[i] = record{profile: similarity.Profile{
			Names: []string{pick("Johann Brandt", "J. Brandt", "Johan Brandt", "Johanna Brandt", "Jo Brandt")}, Type: "person",
			Attributes: attributes, Records: []tenure.Record{{Source: pick("crm", "hr"), ID: fmt.Sprint(i)}},
		}}
	}
	return list
}

// groups formats the partition of the rows, independent of their order.
func groups(s *recordSet) string {
	var list []string
	for _, c := range s.clusters() {
		var ids []string
		for _, i := range c.places {
			ids = append(ids, s.list[i].profile.Records[0].ID)
		}
		if len(ids) > 0 {
			slices.Sort(ids)
			list = append(list, strings.Join(ids, " "))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " | ")
}

func TestClustersDoNotDependOnTheOrder(t *testing.T) {
	together := 0
	for round := range 60 {
		r := rand.New(rand.NewPCG(uint64(round), 11))
		s := &recordSet{model: similarity.DefaultModel(), list: family(r, 3+r.IntN(9))}
		s.cannotLink = func(i, j int) bool { // source hr has one row for each person
			a, b := s.list[i].profile.Records[0], s.list[j].profile.Records[0]
			return a.Source == "hr" && b.Source == "hr"
		}
		want := groups(s)
		if strings.Count(want, "|") < len(s.list)-1 {
			together++
		}
		for range 5 {
			r.Shuffle(len(s.list), func(i, j int) { s.list[i], s.list[j] = s.list[j], s.list[i] })
			if got := groups(s); got != want {
				t.Fatalf("round %d: %s in one order, %s in another", round, want, got)
			}
		}
	}
	if together < 20 {
		t.Errorf("rows were joined in %d rounds only", together)
	}
}

// TestClustersCompareWhatIsNear checks that rows which are not near each other do not link, and that to know which are
// changes nothing of the partition.
func TestClustersCompareWhatIsNear(t *testing.T) {
	model, never := similarity.DefaultModel(), func(int, int) bool { return false }
	for round := range 60 {
		r := rand.New(rand.NewPCG(uint64(round), 12))
		s := &recordSet{model: model, list: family(r, 3+r.IntN(9)), cannotLink: never}
		all := groups(s)
		near := make([][]bool, len(s.list))
		for i, a := range s.list {
			near[i] = make([]bool, len(s.list))
			for j, b := range s.list {
				p := model.CachedPair(model.CachedProfile(a.profile), model.CachedProfile(b.profile))
				near[i][j] = similarity.Probability(p.Registry+p.Against) > similarity.NewAt
			}
		}
		s.near = func(i, j int) bool { return near[i][j] }
		if got := groups(s); got != all {
			t.Errorf("round %d: %s, compared with all %s", round, got, all)
		}
		s.near = never
		if got := groups(s); strings.Count(got, "|") != len(s.list)-1 {
			t.Errorf("round %d: nothing is near, and %s", round, got)
		}
	}
}

func row(name string, attributes ...string) record {
	r := record{profile: similarity.Profile{Names: []string{name}, Type: "person", Attributes: map[string][]string{}}}
	for i := 0; i < len(attributes); i += 2 {
		r.profile.Attributes[attributes[i]] = []string{attributes[i+1]}
	}
	return r
}

func TestClusters(t *testing.T) {
	father := row("Johann Brandt", "dob", "1950-03-07", "phone", "+49 201 5550123")
	son := row("Johann Brandt", "dob", "1980-11-23", "email", "brandt80@lighthouse.example")
	either := row("Johann Brandt", "phone", "+49 201 5550123", "email", "brandt80@lighthouse.example")
	never := func(int, int) bool { return false }
	for _, c := range []struct {
		name       string
		list       []record
		mustLink   [][2]int
		cannotLink func(i, j int) bool
		want       string
	}{
		{"what-could-be-either-is-neither", []record{father, son, either}, nil, never, "0 | 1 | 2"},
		{"alone-it-is-the-one", []record{father, either}, nil, never, "0 1"},
		{"a-person-said-so", []record{father, son, either}, [][2]int{{0, 2}}, never, "0 2 | 1"},
		{"a-person-said-not", []record{father, son, either}, nil, func(i, j int) bool { return i+j == 2 }, "0 | 1 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.list {
				c.list[i].profile.Records = []tenure.Record{{Source: "crm", ID: fmt.Sprint(i)}}
			}
			s := &recordSet{model: similarity.DefaultModel(), list: c.list, mustLink: c.mustLink, cannotLink: c.cannotLink}
			if got := groups(s); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestGroupRecords(t *testing.T) {
	root := tenure.Entity{ID: "e"}
	record := func(id string) *tenure.Record { return &tenure.Record{Source: "crm", ID: id} }
	list := groupRecords(similarity.DefaultModel(), root, []tenure.Mention{
		{ID: "1", Name: "Ann Lee"},
		{ID: "2", Name: "Ann Lee", Record: record("r1")},
		{ID: "3", Name: "Anna Leigh", Record: record("r2")},
		{ID: "4", Name: "anna leigh"},
		{ID: "5", Name: "Ann Leigh", Record: record("r1")},
		{ID: "6", Name: "Annie", Record: record("r1"), Project: "nova"},
	})
	var got []string
	for _, r := range list {
		got = append(got, fmt.Sprint(r.mentions, r.profile.Names))
	}
	want := []string{"[1 6] [Ann Lee]", "[2 5] [Ann Leigh]", "[3 4] [anna leigh Anna Leigh]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
