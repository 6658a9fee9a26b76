package erasure

import "testing"

func TestHasAny(t *testing.T) {
	words := []string{"ada farid", "ada@x.example", "ada"}
	for text, want := range map[string]bool{
		"we met ada farid":        true,
		"ada's house":             true,
		"a canada trip":           false,
		"adam":                    false,
		"the roads of nevada ada": true,
		"write to ada@x.example":  true,
		"nevada@x.example":        false,
		"":                        false,
		"(ada)":                   true,
	} {
		if got := hasAny(text, words); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !hasAny("昨日山田太郎さんに会った", []string{"山田太郎"}) {
		t.Error("a name is not found in a script without blanks")
	}
}
