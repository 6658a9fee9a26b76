package erasure

import (
	"strings"
	"testing"
)

func TestFinder(t *testing.T) {
	f := NewFinder([]string{"Ada Farid", "ada@x.example", "Ada", "DE89 3704 0044 0532 0130 00", "Zoë Núñez", "x"})
	for text, want := range map[string]bool{
		"We met Ada Farid":                       true,
		"we met ADA\nFARID":                      true,
		"Ada's house":                            true,
		"a Canada trip":                          false,
		"Adam":                                   false,
		"the roads of Nevada, Ada":               true,
		"write to Ada@x.example":                 true,
		"nevada@x.example":                       false,
		"":                                       false,
		"(ada)":                                  true,
		"x":                                      false, // too short to mean anything
		"ＡＤＡ has left":                           true,
		"IBAN DE89370400440532013000, please":    true,
		"IBAN DE8937 0400 4405 3201 3000 please": true,
		"DE893704004405320130001":                false,
		"Zoe Nunez":                              true,
		"zoe\u0308 nu\u0301n\u0303ez":            true,
		"Zoenunezia":                             false,
	} {
		if got := f.In("nothing", text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !NewFinder([]string{"山田太郎"}).In("昨日山田太郎さんに会った") {
		t.Error("a name is not found in a script without blanks")
	}
}

// FuzzFinder checks that a name is found alone, in capitals, in a sentence, and with other blanks.
func FuzzFinder(f *testing.F) {
	for _, s := range []string{"Ada Farid", "山田太郎", "ẞ", "a\xffbc", "ﬁne", "İzmir Kaya", "ad\u0301a", "١٢٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		words := NewFinder([]string{name})
		if len(words) == 0 {
			return
		}
		for _, said := range []string{name, "(" + name + ")", "met " + name + ", once", strings.Join(strings.Fields(name), "\n\t")} {
			if !words.In(said) {
				t.Errorf("%q is not found in %q", name, said)
			}
		}
	})
}
