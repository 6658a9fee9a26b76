package registry_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"tenure"
	"tenure/registry"
	"tenure/text"
)

func ExampleKey() {
	fmt.Println(text.Key("  Zoe\u0308   MÜLLER "))
	fmt.Println(text.Key("ＡＢＣ Straße"))
	// Output:
	// zoë müller
	// abc strasse
}

// FuzzKey checks that alias keys are idempotent, and that case and width of ASCII letters do not change the
// key.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"", " ", "Zoë", "e\u0301\u0302", "ＡＢＣ", "ﬁ", "ŉ", "İ", "ẞ", "\u1e9b\u0323", "ΰ", "ͅ", "\u0345\u0301α"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		k := text.Key(s)
		if again := text.Key(k); again != k {
			t.Errorf("the key of %q is %q, and the key of that %q", s, k, again)
		}
		if text.Key(" \u2003"+s+"\t") != k {
			t.Errorf("space around %q changes its key", s)
		}
	})
}

func TestFormsOfAMention(t *testing.T) {
	m := tenure.Mention{
		Name: "Ada Park", Aliases: []string{"ADA"},
		Attributes: map[string][]string{
			"email": {"Ada <Ada@Park.example>", "not an address"}, "phone": {"+351 21 000 00 00", "12"},
			"url": {"https://www.Park.example/ada/"}, "favourite_colour": {"blue"},
		},
		Record: &tenure.Record{Source: "crm", ID: "7"},
	}
	want := []tenure.AliasKey{
		{Kind: "name", Key: "ada park"}, {Kind: "name", Key: "ada"}, {Kind: "email", Key: "ada@park.example"},
		{Kind: "phone", Key: "351210000000"}, {Kind: "url", Key: "park.example/ada"}, {Kind: "record", Key: "crm\x1f7"},
	}
	got := registry.AliasKeys(m)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
