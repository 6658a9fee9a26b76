package text

import "strings"

// Spaced returns the folded words of a text, each between single spaces, so that [strings.Contains] finds runs of
// whole words.
func Spaced(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range Words(s) {
		b.WriteString(Plain(s[w.From:w.Until]))
		b.WriteByte(' ')
	}
	return b.String()
}

// leastStem is the number of bytes that two forms of a word have at least in common.
const leastStem = 4

// endings are what inflection puts after a stem.
var endings = func() map[string]bool {
	set := map[string]bool{"": true}
	for e := range strings.FieldsSeq("s es ed ing y ies e d er ers") {
		set[e] = true
	}
	return set
}()

// Inflected reports whether two folded words of English look like forms of one: bonus and bonuses, offer and offering.
func Inflected(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= leastStem && endings[a[n:]] && endings[b[n:]]
}
