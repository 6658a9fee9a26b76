package linking

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/words"
	"tenure/text"
)

// Word is a word of a text.
type Word struct {
	text.Span
	Key     string // folded, without marks
	Capital bool   // capitalized, not merely as an ordinary first word or in an all-capitals text
	Name    bool   // may be part of a name
	Taken   bool   // part of a name that was found
	Joined  bool   // follows the word before without anything but a space
}

// wordsOf reads the words of a query, and judges which may be part of a name: in small letters those that are no
// ordinary word, with a capital all but the first of a sentence.
func wordsOf(query string, taken map[int]bool) []Word {
	lexicon := words.Load()
	spans := text.Words(query)
	list := make([]Word, 0, min(len(spans), queryWords))
	shouted := strings.ToUpper(query) == query
	for i, s := range spans[:min(len(spans), queryWords)] {
		written := query[s.From:s.Until]
		w := Word{Span: s, Key: text.Unmarked(written), Taken: taken[i]}
		first, _ := utf8.DecodeRuneInString(written)
		w.Capital = unicode.IsUpper(first) && !shouted
		begins := i == 0
		if i > 0 {
			between := query[spans[i-1].Until:s.From]
			w.Joined = strings.TrimSpace(between) == ""
			begins = strings.ContainsAny(between, ".!?:;\n\"“(")
		}
		ordinary := !lexicon.IsGivenName(w.Key) && (lexicon.IsCommon(w.Key) || lexicon.MaybeGivenName(w.Key))
		w.Name = (w.Capital && !begins || !ordinary) && !text.AllDigits(w.Key) && utf8.RuneCountInString(w.Key) > 1 &&
			!lexicon.CalendarWords.Has(w.Key) && !lexicon.Honorifics.Has(w.Key)
		w.Capital = w.Capital && (!begins || !ordinary)
		list = append(list, w)
	}
	return list
}

// asked lists what to look for: the runs of words that may be names, and each of their words.
func asked(query string, list []Word) []string {
	var names []string
	add := func(from, until int) {
		if name := query[list[from].From:list[until].Until]; len(names) < askedNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	open := func(i int) bool { return i < len(list) && list[i].Name && !list[i].Taken }
	for i := 0; i < len(list); i++ {
		from := i
		for open(i) && open(i+1) && list[i+1].Joined {
			i++
		}
		if i > from {
			add(from, i)
		}
		for j := from; j <= i; j++ {
			if open(j) {
				add(j, j)
			}
		}
	}
	return names
}
