package lex_test

import (
	"strings"
	"testing"

	"tenure/statements/lex"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, language, want string }{
		{"It isn't Ann's, is it?", "en", "it is n't ann 's , is it ?"},
		{"im sure its moved and they dont", "en", "i 'm sure it 's moved and they do n't"},
		{"its colour", "en", "its colour"},
		{"l'avocat n'est plus là", "fr", "l' avocat n' est plus là"},
		{"OPS-311 -> 14:30, 4.2 or a@b.example", "en", "ops-311 -> 14:30 , 4.2 or a@b.example"},
		{`he wrote "on hold" twice`, "en", `he wrote "on hold" twice`},
	} {
		var words []string
		for _, t := range lex.Marked(lex.Tokens(c.text), c.language) {
			words = append(words, t.Low)
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q is %q, not %q", c.text, got, c.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ text, before, want string }{
		{"the code is 4711", "", "en"},
		{"der Code ist jetzt 4711", "en", "de"},
		{"le code est 4711", "", "fr"},
		{"el código es 4711", "", "es"},
		{"4711", "de", "de"},
		{"4711", "", "en"},
		{"Il conto è stato pagato ieri e non serve più", "", ""},
		{"会议在星期五", "en", ""},
	} {
		if got := lex.Language(lex.Tokens(c.text), c.before); got != c.want {
			t.Errorf("%q after %q is %q, not %q", c.text, c.before, got, c.want)
		}
	}
}

func TestClasses(t *testing.T) {
	tokens := lex.Marked(lex.Tokens("no longer, you know, the price moved"), "en")
	if h := tokens[0].Hits; len(h) == 0 || !tokens[0].Is(lex.No) || tokens[0].Within&lex.End == 0 {
		t.Errorf("no phrase begins with %+v", tokens[0])
	}
	if price := lex.At(tokens, 7); !price.Is(lex.Attribute) || !price.IsOpen() {
		t.Errorf("%+v is no property", price)
	}
	if lex.At(tokens, len(tokens)).Kind != lex.Break || lex.ClassOf("moved")&lex.Moves == 0 {
		t.Error("the end is no break, or moved no verb of change")
	}
	end := tokens[len(tokens)-2:]
	lex.Remark(end, "en")
	for _, h := range end[0].Hits {
		if h.From != 0 || h.To > len(end) {
			t.Errorf("%+v is no place of two tokens", h)
		}
	}
	var titles []string
	for title := range (lex.Attribute | lex.Unmade).Titles {
		titles = append(titles, title)
	}
	if got := strings.Join(titles, ","); got != "attribute,unmade" {
		t.Errorf("the classes are called %q", got)
	}
}

// FuzzTokens: tokens are parts of the text, in their order, none overlapping another.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"It's 4 'o clock", "l'\u2019\xff„“«", "İ'S İt's ǅ’s its ", "dont->x\n\n🙄🙄", "\u202e1,2,3:4 http://a.b/c?d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, k := range lex.Marked(lex.Tokens(text), "en") {
			if k.Start < end || k.End <= k.Start || k.End > len(text) {
				t.Fatalf("%q has %+v after %d", text, k, end)
			}
			end = k.End
		}
	})
}
