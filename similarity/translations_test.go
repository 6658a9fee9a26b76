package similarity

import (
	"strings"
	"testing"
)

// TestTranslations checks the table of words in many languages: each is folded, stands in one line, and no stem is so
// short that it stands for words of other meanings.
func TestTranslations(t *testing.T) {
	line := map[string]string{}
	for words := range strings.Lines(translationLines) {
		if strings.HasPrefix(words, "#") {
			continue
		}
		list := strings.Fields(words)
		for _, w := range list {
			stem, isStem := strings.CutSuffix(w, "*")
			switch before, twice := line[w]; {
			case twice:
				t.Errorf("%s means %s and %s", w, before, list[0])
			case strings.Trim(stem, "abcdefghijklmnopqrstuvwxyz") != "":
				t.Errorf("%s is not folded", w)
			case isStem && len(stem) < shortestMeant:
				t.Errorf("the stem %s is short", w)
			}
			line[w] = list[0]
		}
		if Meaning(list[0]) != list[0] {
			t.Errorf("%s means %q", list[0], Meaning(list[0]))
		}
	}
}

func TestMeaning(t *testing.T) {
	for word, want := range map[string]string{
		"banque": "bank", "masrif": "bank", "respubliki": "republic", "tsentralny": "central", "tsentr": "center", "souriya": "syria",
		"bank": "bank", "heronwell": "", "": "", "ban": "",
	} {
		if got := Meaning(word); got != want {
			t.Errorf("%q means %q, want %q", word, got, want)
		}
	}
}
