package vocabulary

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tenure"
	"tenure/text"
)

// Normal returns the normal form of a predicate: folded words with underscores between them. "homeCity",
// "Home City" and "HOME-CITY" are "home_city". It is idempotent, and "" for what has no letters or digits.
func Normal(predicate string) string {
	if plain(predicate) {
		return predicate
	}
	split := text.Key(splitCamel(apostrophes.Replace(norm.NFKC.String(predicate))))
	var b strings.Builder
	for _, w := range text.Words(split) {
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(split[w.From:w.Until])
	}
	return b.String()
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

// plain reports whether a predicate is in normal form already, as most are. It says no when in doubt.
func plain(s string) bool {
	last := byte('_')
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '_' || last == '_') {
			return false
		}
		last = c
	}
	return last != '_'
}

// splitCamel puts spaces between the words of camelCase.
func splitCamel(s string) string {
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		if i > 0 && startsWord(runes, i) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// startsWord reports whether a capital begins a word: one after a small letter, and one after a digit ("s3Bucket") or
// a capital ("URLPath") before a small letter, unless that is the s of a plural ("URLs").
func startsWord(runes []rune, i int) bool {
	if !capital(runes[i]) {
		return false
	}
	before, after := runes[i-1], runes[i+1:]
	if unicode.IsLower(before) {
		return true
	}
	plural := len(after) > 0 && after[0] == 's' && (len(after) == 1 || !unicode.IsLower(after[1]))
	return (capital(before) || unicode.IsDigit(before)) && len(after) > 0 && unicode.IsLower(after[0]) && !plural
}

// capital reports whether a rune is a capital that folding makes small: Cherokee is folded to capitals.
func capital(r rune) bool { return unicode.IsUpper(r) && !unicode.Is(unicode.Cherokee, r) }

// prefix is a word before a predicate that changes nothing, given what follows it and the term that this means.
type prefix struct {
	words []string
	safe  condition
}

// condition reports whether a prefix changes nothing.
type condition func(rest string, t *tenure.Term) bool

var prefixes = []prefix{
	{[]string{"the_", "a_", "an_", "my_", "your_", "his_", "her_", "its_", "our_", "their_"},
		func(string, *tenure.Term) bool { return true }},
	{[]string{"has_", "have_"}, func(string, *tenure.Term) bool { return true }},
	// "is manager" says what the subject is, "is manager of" whose.
	{[]string{"is_", "are_"}, func(rest string, t *tenure.Term) bool {
		return t.ValueType == tenure.BooleanValue || relates(rest)
	}},
	// What was so once need not be so now, unless it never changes.
	{[]string{"was_", "were_"}, func(_ string, t *tenure.Term) bool { return t.Constant }},
	{[]string{"current_", "currently_", "present_", "presently_", "now_"},
		func(_ string, t *tenure.Term) bool { return !t.Constant }},
	// Of several values a new one stands beside the others.
	{[]string{"new_", "updated_", "revised_", "corrected_", "latest_", "final_"},
		func(_ string, t *tenure.Term) bool { return changes(t) }},
}

// revisions are words behind a predicate that say of a value which one it is: "deadline_v2", "deadline_new".
var revisions = []string{"_new", "_revised", "_corrected", "_latest", "_current"}

// changes reports whether a term has one value at a time, which another takes the place of.
func changes(t *tenure.Term) bool { return t.Cardinality == tenure.One && !t.Constant }

// cutRevision removes the word behind a predicate that says which of its values is meant. An address has a v4 and a v6
// beside each other.
func cutRevision(predicate string) (string, bool) {
	for _, word := range revisions {
		if rest, ok := strings.CutSuffix(predicate, word); ok && rest != "" {
			return rest, true
		}
	}
	at := strings.LastIndex(predicate, "_v")
	if at <= 0 || predicate[at:] == "_v4" || predicate[at:] == "_v6" || len(predicate) == at+2 || strings.Trim(predicate[at+2:], "0123456789") != "" {
		return "", false
	}
	return predicate[:at], true
}

// relates reports whether there is a preposition among the words of a predicate, as in "owner_of".
func relates(s string) bool {
	for word := range strings.SplitSeq(s, "_") {
		if slices.Contains(prepositions, word) {
			return true
		}
	}
	return false
}

var prepositions = strings.Fields("of to in at by on for with from as under")

// phrase is a predicate in normal form, without some of the words before it.
type phrase struct {
	word string
	// removed holds the conditions of the removed prefixes, with what followed each.
	removed []func(t *tenure.Term) bool
}

// means reports whether the phrase, if it names the term, says the same as the whole predicate.
func (p phrase) means(t *tenure.Term) bool {
	for _, safe := range p.removed {
		if !safe(t) {
			return false
		}
	}
	return true
}

// maxPrefixes bounds the prefixes that are removed from a predicate.
const maxPrefixes = 3

// phrases lists a predicate in normal form, then what is left of it as its prefixes are removed one by one.
func phrases(predicate string) []phrase {
	list := []phrase{{word: predicate}}
	for len(list) <= maxPrefixes {
		last := list[len(list)-1]
		rest, safe := cutPrefix(last.word)
		if safe == nil {
			break
		}
		removed := append(slices.Clip(last.removed), func(t *tenure.Term) bool { return safe(rest, t) })
		list = append(list, phrase{rest, removed})
	}
	return list
}

func cutPrefix(predicate string) (string, condition) {
	for _, p := range prefixes {
		for _, word := range p.words {
			if rest, ok := strings.CutPrefix(predicate, word); ok && rest != "" {
				return rest, p.safe
			}
		}
	}
	if rest, ok := cutRevision(predicate); ok {
		return rest, func(_ string, t *tenure.Term) bool { return changes(t) }
	}
	return "", nil
}
