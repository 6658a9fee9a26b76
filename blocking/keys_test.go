package blocking_test

import (
	"fmt"
	"slices"
	"strings"
	"tenure/attribute"
	"tenure/blocking"
	"testing"

	"tenure"
)

// TestKeysOfAName checks every blocking key of some names: the name written together, the number of words, acronyms,
// neighbouring words together, and of each word itself, its deletions, its sound and its initial.
func TestKeysOfAName(t *testing.T) {
	for name, want := range map[string]string{
		"":          "[]",
		"  ♥ ":      "[]",
		"A":         "[da fa nb ta wa]",
		"Ox":        "[aox dox fo nb sax tox wox]",
		"Ido":       "[aido ddo did dido dio fi nb sad tido wido]",
		"Inna":      "[ainna dina dinn dinna dnna fi nb san tinna winna]",
		"A B Ox":    "[aabo abo da db dox fa fb fo nd sax ta tab tb tbox tox wabox]",
		"Ido B":     "[aib db ddo did dido dio fb fi nc sad tb tido widob]",
		"IDO  Ìdo!": "[aii ddo did dido dio fi nc sad tido widoido ymai|do|ai|do]",
	} {
		got := blocking.Of(name).Keys()
		for i := range got { // the syllables of what may be Mandarin
			got[i] = strings.ReplaceAll(got[i], " ", "|")
		}
		if text := fmt.Sprint(sortedStrings(got)); text != fmt.Sprint(sortedStrings(strings.Fields(strings.Trim(want, "[]")))) {
			t.Errorf("%q: %s", name, text)
		}
	}
	for name, want := range map[string]string{
		"Heron":                             "[aheron]",        // may be an acronym
		"Herons":                            "[aherons]",       // six letters
		"Heronry":                           "[]",              // seven
		"H":                                 "[]",              // an initial
		"World Heron Union":                 "[awhu]",          // all words are long
		"World of Heron Union":              "[awohu awhu]",    // with and without short words
		"Sons of Heron":                     "[asoh ash]",      // four letters are long
		"Son of a Heron":                    "[asoah ash]",     // without words that carry nothing
		"Heron Union Ltd":                   "[ahul ahu]",      // without its legal form
		"Heron Ltd":                         "[ahl aheron]",    // may be an acronym, with its form
		"a b c d e f g h i j k l m n o p q": "[aabcdefghijkl]", // twelve words count
	} {
		if got := fmt.Sprint(blocking.Of(name).Acronyms); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// TestKeysOfSpellings checks that spellings of one given name, and of one Mandarin or Korean name, share a key.
func TestKeysOfSpellings(t *testing.T) {
	given := func(name string) []string { return blocking.Of(name).Words[0].Given }
	syllables := func(name string) []string { return blocking.Of(name).Syllables }
	for _, c := range []struct {
		a, b string
		of   func(string) []string
		want bool
	}{
		{"Bill Kessel", "William Kessel", given, true}, {"Peggy Kessel", "Margaret Kessel", given, true}, {"Bill Kessel", "Mary Kessel", given, false},
		{"Deng Xiaoping", "Teng Hsiao-p'ing", syllables, true}, {"Xiaoping Deng", "Deng Xiaoping", syllables, true},
		{"Lee Sang-hoon", "Yi Sanghun", syllables, true}, {"Sanghoon Rhee", "Yi Sang-hun", syllables, true},
		{"Park Ji-young", "Pak Chi-yong", syllables, true}, {"Park Ji-young", "Kim Ji-young", syllables, false},
		{"Ottoline Featherstone", "Ottoline Featherstone", syllables, false},
	} {
		met := slices.ContainsFunc(c.of(c.a), func(k string) bool { return slices.Contains(c.of(c.b), k) })
		if met != c.want {
			t.Errorf("%q %q and %q %q: %v", c.a, c.of(c.a), c.b, c.of(c.b), met)
		}
	}
}

func sortedStrings(list []string) []string {
	seen := map[string]bool{}
	for _, s := range list {
		seen[s] = true
	}
	return attribute.Names(seen)
}

// TestBoundsOfBlocking checks how much of a name yields keys.
func TestBoundsOfBlocking(t *testing.T) {
	word := func(n int) string { return strings.Repeat("ab", n/2) + strings.Repeat("c", n%2) }
	exact := func(name string) (list []string) {
		for _, w := range blocking.Of(name).Words {
			list = append(list, w.Exact)
		}
		return list
	}
	if got := exact(word(30)); len(got) != 1 || got[0] != "t"+word(24) {
		t.Errorf("a long word: %v", got)
	}
	var words []string
	for i := range 20 {
		words = append(words, fmt.Sprint("w", string(rune('a'+i))))
	}
	if got := exact(strings.Join(words, " ")); len(got) != 12 {
		t.Errorf("many words: %v", got)
	}
	if got := exact("ada ada bea ada"); len(got) != 2 {
		t.Errorf("a word again: %v", got)
	}
	if got := exact(strings.Repeat(" ", 508) + "beatrix"); len(got) != 1 || got[0] != "tbeat" {
		t.Errorf("the 512th letter: %v", got)
	}
	if n := len(blocking.Of(strings.Join(words, strings.Repeat("x", 22)+" ")).Keys()); n > blocking.MaxKeys {
		t.Errorf("%d keys", n)
	}
}

// TestWordsOfADescription checks by which words a description is found.
func TestWordsOfADescription(t *testing.T) {
	got := fmt.Sprint(blocking.DescriptionWords("The quay of the Harbour, an old harbour quay by no. 12a"))
	if want := "[quay harbour old 12a]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTrigrams checks the trigrams of a name, with the boundaries of its words.
func TestTrigrams(t *testing.T) {
	for name, want := range map[string]string{"Ada": "[^ad ada da$]", "Anna A": "[^an ana na$ ^a$]", "": "[]", "ada ada": "[^ad ada da$]"} {
		if got := fmt.Sprint(blocking.NGrams(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// TestKeysOfAttributes checks by which attributes entities find one another whose names share nothing.
func TestKeysOfAttributes(t *testing.T) {
	own := []tenure.IdentifierKind{}
	for _, c := range []struct{ name, value, want string }{
		{"passport", "X 123-4567", "passport x1234567"},
		{"E-Mail", "Ada <ADA@Park.example>", "email ada@park.example"},
		{"email", "nonsense", ""},
		{"telephone", "+44 117 496 0123", "phone 441174960123"},
		{"phone", "12", "phone 12"},
		{"dob", "1978-05-04", "dob 1978-4-5"},
		{"date_of_birth", "04.05.1978", "dob 1978-4-5"},
		{"dob", "1978-01-05", "dob 1978-1-5"},
		{"dob", "1978-05-01", "dob 1978-1-5"},
		{"dob", "1978", ""},
		{"dob", "May 1978", ""},
		{"founded", "1978-05-04", ""},
		{"address", "12 Mill Road, Leer", "address 12 mill"},
		{"address", "Mill Road 12", ""},
		{"address", "The Old Mill, 7 Harbour Lane", "address 7 harbour"},
		{"iban", "DE89 3704", "iban de893704"},
		{"gender", "f", ""},
		{"favourite_colour", "blue", ""},
	} {
		var got string
		for _, k := range blocking.AttributeKeys(map[string][]string{c.name: {c.value}}, own) {
			got += strings.TrimPrefix(k.Kind, "attribute.") + " " + k.Key
		}
		if got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.value, got, c.want)
		}
	}
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprint("X12345", i))
	}
	if n := len(blocking.AttributeKeys(map[string][]string{"passport": many}, own)); n != 16 {
		t.Errorf("%d keys of many values", n)
	}
}
