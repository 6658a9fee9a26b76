package index_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/index"
	"tenure/internal/names"
)

// registrar writes names to an index as a process does: it searches for each, adds what it has written, and puts it
// once the log is followed. Some entries are those of another process, which only the log brings.
type registrar struct {
	*index.Index
	names []string
	later []int // entries that were not put yet
}

func (r *registrar) write(t *testing.T, name string, ours bool) {
	t.Helper()
	n := len(r.names)
	r.names, r.later = append(r.names, name), append(r.later, n)
	if !ours {
		return
	}
	if _, err := r.Candidates(t.Context(), "t", index.Query{Names: []string{name}, Limit: 12, Again: again}); err != nil {
		t.Fatal(err)
	}
	r.Add("t", tenure.Seq(n+1), written(n, name))
}

// again is the limit of second searches.
const again = 24

// follow puts what was written in two pages, and searches for all of it a second time.
func (r *registrar) follow(t *testing.T, check func(n int, found []tenure.ID)) {
	t.Helper()
	for _, page := range [][]int{r.later[:len(r.later)/2], r.later[len(r.later)/2:]} {
		var docs []index.Document
		upTo := 0
		for _, n := range page {
			docs, upTo = append(docs, named(n, r.names[n])), n+1
		}
		if len(docs) > 0 {
			put(t, r.Index, "t", tenure.Seq(upTo), docs...)
		}
	}
	for _, n := range r.later {
		check(n, candidates(t, r.Index, "t", index.Query{Names: []string{r.names[n]}, Limit: again, Alike: true}))
	}
	r.later = nil
}

// TestSecondSearchFindsWhatCame checks that a search for a name that was searched for before finds everything of the
// name, with a letter wrong or not, whoever wrote it, when, and wherever it is.
func TestSecondSearchFindsWhatCame(t *testing.T) {
	r := &registrar{Index: open(t, t.TempDir(), index.Config{Poll: time.Hour})}
	namer, rnd := names.New(3), rand.New(rand.NewPCG(5, 6))
	const entries = 600
	known := slices.Clone(inTwoScripts)
	for range 32 {
		name := namer.Name()
		known = append(known, twoSpellings{name, name})
	}
	of := map[tenure.ID]int{}
	for len(r.names) < entries {
		person := rnd.IntN(len(known))
		of[id(len(r.names))] = person
		name := known[person].a
		if rnd.IntN(2) == 0 {
			name = known[person].b
		}
		if rnd.IntN(2) == 0 {
			name = names.Mistyped(rnd, name, 1)
		}
		r.write(t, name, rnd.IntN(4) > 0)
		if rnd.IntN(12) > 0 {
			continue
		}
		if rnd.IntN(4) == 0 {
			if err := r.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		r.follow(t, func(n int, found []tenure.ID) {
			for m := range r.names {
				if alike := of[id(m)] == of[id(n)] && r.names[m] == r.names[n]; alike && !slices.Contains(found, id(m)) {
					t.Fatalf("a second search for entry %d, %q, misses entry %d of %d", n, r.names[n], m, len(r.names))
				}
			}
		})
	}
}

// TestSecondSearchRanksAsOne checks that what came since and what was there before are ranked together.
func TestSecondSearchRanksAsOne(t *testing.T) {
	r := &registrar{Index: open(t, t.TempDir(), index.Config{Poll: time.Hour})}
	r.write(t, "Katharina Lindqvist", true)
	r.write(t, "Katharina Okafor", true)
	r.follow(t, func(int, []tenure.ID) {})
	r.write(t, "Katharina Lindquist", true)
	r.write(t, "Katarina Lindquist", true)
	r.follow(t, func(n int, found []tenure.ID) {
		want := map[int][]tenure.ID{2: {id(2), id(3), id(0)}, 3: {id(3), id(2), id(0)}}[n]
		if !slices.Equal(found, want) {
			t.Errorf("for %q: %v", r.names[n], found)
		}
	})
}

// inTwoScripts are names of people in two scripts.
var inTwoScripts = []twoSpellings{
	{"Юрий Гагарин", "Yuri Gagarin"}, {"Анна Щукина", "Anna Shchukina"}, {"Дмитрий Шостакович", "Dmitry Shostakovich"},
	{"Νίκος Καζαντζάκης", "Nikos Kazantzakis"}, {"Γιώργος Παπαδόπουλος", "Giorgos Papadopoulos"},
	{"ジョン・スミス", "John Smith"}, {"سمير حداد", "Samir Haddad"}, {"דוד גולדברג", "David Goldberg"},
}

// TestSecondSearchFindsOtherScripts checks that a second search finds a name in the script of another entry, too, and
// ranks everything as a search of another scope does, for which there was no first one. Registries are small, so that
// all that matches is within the limit.
func TestSecondSearchFindsOtherScripts(t *testing.T) {
	namer, rnd := names.New(4), rand.New(rand.NewPCG(7, 8))
	for range 12 {
		r := &registrar{Index: open(t, t.TempDir(), index.Config{Poll: time.Hour})}
		people := rnd.Perm(len(inTwoScripts))[:3]
		of := map[int]int{}
		for len(r.names) < again {
			name := namer.Name()
			if rnd.IntN(3) > 0 {
				person := people[rnd.IntN(len(people))]
				of[len(r.names)] = person
				name = inTwoScripts[person].a
				if rnd.IntN(2) == 0 {
					name = inTwoScripts[person].b
				}
			}
			r.write(t, name, rnd.IntN(4) > 0)
			switch rnd.IntN(8) {
			case 0:
				if err := r.Flush(); err != nil {
					t.Fatal(err)
				}
				fallthrough
			case 1:
				r.follow(t, func(n int, found []tenure.ID) { sameInTwoScripts(t, r, of, n, found) })
			}
		}
		r.follow(t, func(n int, found []tenure.ID) { sameInTwoScripts(t, r, of, n, found) })
	}
}

// sameInTwoScripts checks what a second search found for an entry of one of the people, in either script.
func sameInTwoScripts(t *testing.T, r *registrar, of map[int]int, n int, found []tenure.ID) {
	t.Helper()
	person, known := of[n]
	if !known {
		return
	}
	other := false
	for m, p := range of {
		if p != person {
			continue
		}
		other = other || r.names[m] != r.names[n]
		if !slices.Contains(found, id(m)) {
			t.Fatalf("a second search for entry %d, %q, misses entry %d, %q, of %d", n, r.names[n], m, r.names[m], len(r.names))
		}
	}
	whole := candidates(t, r.Index, "t", index.Query{Names: []string{r.names[n]}, Project: "another", Limit: again, Alike: true})
	if other && !slices.Equal(found, whole) {
		t.Fatalf("a second search for entry %d, %q, of %d ranks\n%v, a whole one\n%v", n, r.names[n], len(r.names), found, whole)
	}
}
