package vocabulary_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenure"
	"tenure/vocabulary"
)

// kinds are the sections of the file, in its order.
var kinds = []string{
	"person", "organization", "project", "system", "document", "place", "event", "product", "account", vocabulary.Any,
}

func TestBase(t *testing.T) {
	all := vocabulary.All()
	for _, f := range vocabulary.Check(all) {
		t.Error(f)
	}
	if len(all) < 250 {
		t.Errorf("%d predicates", len(all))
	}
	for _, term := range all {
		for _, k := range term.Subjects {
			if !slices.Contains(kinds, k) {
				t.Errorf("%s: subjects: %q is none of %v", term.Name, k, kinds)
			}
		}
		if len(term.Subjects) == 0 || term.Description == "" || term.Decay == "" || term.Vocabulary != tenure.Predicates {
			t.Errorf("%s: is not filled in", term.Name)
		}
	}
}

// TestBaseIsInOrder keeps the file easy to read and to compare: by its first kind of subject, then by name, the
// synonyms in order.
func TestBaseIsInOrder(t *testing.T) {
	place := func(x vocabulary.Term) string {
		return fmt.Sprintf("%02d %s", slices.Index(kinds, x.Subjects[0]), x.Name)
	}
	all := vocabulary.All()
	for i, term := range all {
		if i > 0 && place(all[i-1]) > place(term) {
			t.Errorf("%s comes before %s", all[i-1].Name, term.Name)
		}
		if !slices.IsSorted(term.Synonyms) {
			t.Errorf("%s: the synonyms are not in order", term.Name)
		}
	}
}

// TestEverySynonymIsNeeded finds synonyms that the rules of spelling would find anyway.
func TestEverySynonymIsNeeded(t *testing.T) {
	all := vocabulary.All()
	for i, term := range all {
		for n, word := range term.Synonyms {
			all[i].Synonyms = slices.Delete(slices.Clone(term.Synonyms), n, n+1)
			if !startsLikePrefix(word) {
				continue
			}
			if got, ok := vocabulary.NewSet(all).Lookup(word); ok && got.Name == term.Name {
				t.Errorf("%s: %q is found without being listed", term.Name, word)
			}
		}
		all[i].Synonyms = term.Synonyms
	}
}

func startsLikePrefix(word string) bool {
	first, _, _ := strings.Cut(word, "_")
	return slices.Contains(strings.Fields("is are has have was were the a an current currently"), first)
}

// TestVersion fails when what terms do has changed and the version has not: stores judge again by the version.
func TestVersion(t *testing.T) {
	all := vocabulary.All()
	for i := range all {
		all[i].Description, all[i].Subjects = "", nil
	}
	got := fmt.Sprintf("%d %.8x", vocabulary.Version, sha256.Sum256(fmt.Appendf(nil, "%+v", all)))
	if want := "4 481e5fe7c1138404"; got != want {
		t.Errorf("the terms have changed (%s, they were %s): raise Version if it was released, and note both here", got, want)
	}
}

// TestEveryWordIsFound looks each word up in three spellings.
func TestEveryWordIsFound(t *testing.T) {
	for _, term := range vocabulary.All() {
		for _, word := range append([]string{term.Name}, term.Synonyms...) {
			for _, spelling := range []string{word, strings.ReplaceAll(word, "_", " "), strings.ToUpper(word), " " + strings.ReplaceAll(word, "_", "-") + "?"} {
				if got, ok := vocabulary.Lookup(spelling); !ok || got.Name != term.Name {
					t.Errorf("%q is %q, want %q", spelling, got.Name, term.Name)
				}
			}
		}
	}
}
