package alias_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ner"
	"tenure/ner/alias"
)

// longest returns the length of the longest alias at the beginning of text, and its
// entities.
func longest(known ner.Aliases, text string) string {
	n, senses := known.Longest(ner.Tokens(text))
	var ids []tenure.ID
	for _, s := range senses {
		ids = append(ids, s.Entity)
	}
	return fmt.Sprint(n, slices.Sorted(slices.Values(ids)))
}

// TestSensesAreInOneOrder checks that the order of what has a name does not tell of what was changed last.
func TestSensesAreInOneOrder(t *testing.T) {
	d := alias.NewDictionary()
	for _, id := range []tenure.ID{"b", "a", "c", "a"} {
		d.Set(id, "person", "", "Ada")
	}
	_, senses := d.In("").Longest(ner.Tokens("Ada"))
	var ids []tenure.ID
	for _, s := range senses {
		ids = append(ids, s.Entity)
	}
	if !slices.Equal(ids, []tenure.ID{"a", "b", "c"}) {
		t.Errorf("senses of %q", ids)
	}
}

func TestDictionary(t *testing.T) {
	d := alias.NewDictionary()
	d.Set("short", "organization", "", "Korvex")
	d.Set("long", "organization", "", "Korvex  Labs", "KVX")
	d.Set("mine", "system", "p1", "Nova")
	d.Set("yours", "system", "p2", "Nova")
	d.Set("gone", "person", "", "Ada")
	d.Remove("gone")
	d.Set("moved", "person", "", "Old Name")
	d.Set("moved", "person", "", "New Name")
	d.Set("empty", "person", "", "", "  ")
	d.Set("wide", "person", "", "Straße")
	d.SetNames("everybodys", "project", alias.Name{Spelling: "Heron"}, alias.Name{Project: "p1", Spelling: "the bird"}, alias.Name{Project: "p2", Spelling: "KVX"})
	d.Set("twice", "system", "", "Ledger", "ledger")
	for _, c := range []struct{ name, project, text, want string }{
		{"two-cases-of-one-alias", "", "LEDGER", "1 [twice]"},
		{"own-name-of-what-is-everybodys", "p1", "the bird", "2 [everybodys]"},
		{"own-name-is-hidden-from-others", "p2", "the bird", "0 []"},
		{"own-name-is-hidden-without-a-project", "", "the bird", "0 []"},
		{"everybodys-name-besides", "p1", "heron", "1 [everybodys]"},
		{"own-name-that-another-goes-by", "p2", "kvx", "1 [everybodys long]"},
		{"longest-match", "", "korvex labs said", "2 [long]"},
		{"shorter-match", "", "Korvex said", "1 [short]"},
		{"second-spelling", "", "kvx", "1 [long]"},
		{"own-project", "p1", "nova", "1 [mine]"},
		{"another-project", "p2", "nova", "1 [yours]"},
		{"no-project-sees-nothing-of-projects", "", "nova", "0 []"},
		{"unknown-project-sees-everybodys", "p9", "kvx", "1 [long]"},
		{"removed", "", "ada", "0 []"},
		{"replaced", "", "old name", "0 []"},
		{"replacement", "", "new name", "2 [moved]"},
		{"full-case-folding", "", "STRASSE", "1 [wide]"},
		{"compatibility-forms", "", "Ｋｏｒｖｅｘ", "1 [short]"},
		{"beginning-is-no-match", "", "new", "0 []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := longest(d.In(c.project), c.text); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDictionaryIsReadWhileItIsUpdated(t *testing.T) {
	d := alias.NewDictionary()
	d.Set("fixed", "person", "", "Ada Lovelace")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 300 {
				id := tenure.ID(fmt.Sprintf("e%d", (w*300+i)%50))
				d.Set(id, "person", fmt.Sprint(i%3), fmt.Sprintf("Ada %d", i), "Ada")
				if i%5 == 0 {
					d.Remove(id)
				}
			}
		})
		wg.Go(func() {
			for range 300 {
				if got := longest(d.In("9"), "ada lovelace"); got != "2 [fixed]" {
					t.Errorf("got %s", got)
					return
				}
			}
		})
	}
	wg.Wait()
	for i := range 50 {
		d.Remove(tenure.ID(fmt.Sprintf("e%d", i)))
	}
	if diff := cmp.Diff("0 []", longest(d.In("0"), "ada")); diff != "" {
		t.Error(diff)
	}
}

// BenchmarkDictionaryOfAMillion reports the memory of a million aliases.
func BenchmarkDictionaryOfAMillion(b *testing.B) {
	syllables := strings.Fields("ba ko li mer nu sta vi tor qua zel ri an do pe fi gra hul jo ky wen")
	name := func(i int) string {
		s := ""
		for range 4 {
			s += syllables[i%len(syllables)]
			i /= len(syllables)
		}
		return s
	}
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		d := alias.NewDictionary()
		for i := range 1_000_000 {
			d.Set(tenure.DerivedID("benchmark", fmt.Sprint(i)), "person", "", name(i*7919)+" "+name(i*104729+i/3))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
		runtime.KeepAlive(d)
	}
}

func BenchmarkLongest(b *testing.B) {
	d := alias.NewDictionary()
	d.Set("a", "person", "", "Ada Lovelace")
	known, tokens := d.In(""), ner.Tokens("Ada Lovelace said")
	for b.Loop() {
		known.Longest(tokens)
	}
}
