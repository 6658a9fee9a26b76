package labels_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"tenure/labels"
)

// FuzzRead holds for any text: what is read of it are whole characters, and never more than the text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"[Restricted: ȺȺȺȺȺȺȺȺȺȺȺȺȺȺȺ only to X] word", "[Restricted: İİİİİİİİİİİİ restricted to é] word", "[DRAFT ȺȺȺȺ - x] y",
		"[Confidential – ȺȺ only] é", "[Secret: K to ﬀ, only for Å] ß", "Draft: two years in Gent (tentative)", "[SCOPE: ȺȺ] x\xff", "(\u00a0", " ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, from, until := labels.Read(s)
		if from < 0 || until > len(s) {
			t.Fatalf("%q: span %d to %d", s, from, until)
		}
		if !utf8.ValidString(s) {
			return
		}
		for _, part := range slices.Concat(l.Audience, []string{s[:from], s[from:until], s[until:], l.Scope, l.Written}) {
			if !utf8.ValidString(part) {
				t.Errorf("%q: %q is cut in a character", s, part)
			}
		}
	})
}
