package statements_test

import (
	"strings"
	"testing"

	"tenure"
	"tenure/statements"
)

func FuzzRead(f *testing.F) {
	for _, text := range []string{"launch city is Namur these days", "from 30 to 40, not 50 but \x00 60", "\xff'’“„«'s", "l'", "a'",
		strings.Repeat("x is 4 and ", 50), "İ'S İt's ǅ’s", "- a: b\n- c: 4", "\u202eabc\u202c ist jetzt 5"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, before string) {
		turn := statements.Turn{Text: text}
		for _, s := range statements.Read(turn, []statements.Turn{{Text: before}}) {
			for _, span := range []tenure.Span{s.Span, s.Subject} {
				if text[span.Start:span.End] != span.Text {
					t.Errorf("span %+v is not of the text", span)
				}
			}
		}
	})
}
