package index_test

import (
	"fmt"
	"slices"
	"testing"

	"tenure"
	"tenure/index"
)

// TestNamesWithLittleInCommonAreNotAlike searches among 200 people with two given names, and checks that a search with
// Alike returns variants of the name and leaves out most of those that share the given name alone.
func TestNamesWithLittleInCommonAreNotAlike(t *testing.T) {
	const letters = "bdfgklmnprstvz"
	var docs []index.Document
	for i := range 200 {
		family := fmt.Sprintf("%ca%co%cel", letters[i%14], letters[i/14%14], letters[(i*5)%14])
		docs = append(docs, named(i, []string{"Anna ", "Peter "}[i%2]+family))
	}
	for i, name := range []string{
		"Anna Featherstone", "Anna Fetherston", "A. Featherstone", "Featherstone", "Anna Maria Featherstone",
		"Featherstone, Anna", "Anna Fxtxxrstxnx", "AnnaFeatherstone", "A. F.",
	} {
		docs = append(docs, named(1000+i, name))
	}
	docs = append(docs, index.Document{
		Entity: id(2000), Type: "person", Names: []string{"Peter Bado"}, Identifiers: []tenure.AliasKey{{Kind: "email", Key: "a@x.example"}},
	})
	far := map[[2]int]bool{{4, 8}: true} // two of three initials
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "t", 1, docs...)
	for i := range 9 {
		q := index.Query{
			Names: docs[200+i].Names, Limit: 48, Identifiers: []tenure.AliasKey{{Kind: "email", Key: "a@x.example"}},
		}
		all := candidates(t, x, "t", q)
		q.Alike = true
		alike := candidates(t, x, "t", q)
		if len(all) == q.Limit && len(alike) > 30 { // the others, and those with the same initials
			t.Errorf("%q is alike %d of %d candidates", docs[200+i].Names[0], len(alike), len(all))
		}
		for j, other := range docs[200:] {
			missed := slices.Contains(all, other.Entity) && !slices.Contains(alike, other.Entity)
			if missed != far[[2]int{i, j}] {
				t.Errorf("%q and %q: missed %v", docs[200+i].Names[0], other.Names[0], missed)
			}
		}
	}
}

// TestANicknameIsAlikeWhateverTheSurname searches for people of a common surname by a rare given name.
func TestANicknameIsAlikeWhateverTheSurname(t *testing.T) {
	var docs []index.Document
	for i := range 400 {
		docs = append(docs, named(i, fmt.Sprintf("%s Nguyen", []string{"Anna", "Dung", "Emil", "Fritz"}[i%4])))
	}
	pairs := [][2]string{{"Kathryn Nguyen", "Catherine Nguyen"}, {"Peggy Nguyen", "Margaret Nguyen"}, {"Bill Nguyen", "William Nguyen"}}
	for i, p := range pairs {
		docs = append(docs, named(1000+2*i, p[0]), named(1001+2*i, p[1]))
	}
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "t", 1, docs...)
	for i, p := range pairs {
		for j := range p {
			found := candidates(t, x, "t", index.Query{Names: []string{p[j]}, Limit: 48, Alike: true})
			if !slices.Contains(found, id(1001+2*i-j)) {
				t.Errorf("%s is not alike %s", p[j], p[1-j])
			}
			if len(found) > 20 {
				t.Errorf("%s is alike %d", p[j], len(found))
			}
		}
	}
}
