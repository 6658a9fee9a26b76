package ner

import (
	"embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed words/*.txt
var wordFiles embed.FS

type set map[string]struct{}

func (s set) has(w string) bool {
	_, ok := s[w]
	return ok
}

// lexicon is the word lists, in lower case.
type lexicon struct {
	commonBase set // words without their endings
	starters   set // never part of a name that follows
	labels     set // of those, nouns: part of a name before them
	given      set
	ambiguous  set // given names that are also English words
	places     set
	roleHeads  set
	functions  set
	tools      map[string]string // to their type
	foreign    set               // function words of other languages
	languages  []string          // sorted
	languageOf map[string]uint64 // words to bits of languages
	class      map[string]set
}

var loadLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{
		commonBase: words("common", ""),
		starters:   words("starters", ""),
		labels:     words("starters", "# nouns"),
		places:     words("places", ""),
		roleHeads:  words("roles", ""),
		functions:  words("functions", ""),
		tools:      map[string]string{},
		foreign:    set{},
		languageOf: map[string]uint64{},
		class:      lists("classes"),
	}
	l.given, l.ambiguous = words("given", ""), words("given", "# also")
	for name, list := range lists("scripts") {
		l.class[name] = list
	}
	for entry := range words("tools", "") {
		name, typ, ok := strings.Cut(entry, "=")
		if !ok {
			typ = Tool
		}
		l.tools[name] = typ
	}
	foreign := lists("foreign")
	l.languages = slices.Sorted(maps.Keys(foreign))
	for i, language := range l.languages {
		for w := range foreign[language] {
			l.foreign[w] = struct{}{}
			l.languageOf[w] |= 1 << i
		}
	}
	return l
})

// words reads the words of a file that follow a comment with that beginning.
func words(file, after string) set {
	found, on := set{}, after == ""
	for line := range strings.Lines(mustRead(file)) {
		if strings.HasPrefix(line, "#") {
			on = on || strings.HasPrefix(line, after)
			continue
		}
		if on {
			for _, w := range strings.Fields(line) {
				found[w] = struct{}{}
			}
		}
	}
	return found
}

// lists reads a file of "name: words" lines.
func lists(file string) map[string]set {
	found := map[string]set{}
	for line := range strings.Lines(mustRead(file)) {
		name, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		s := set{}
		for _, w := range strings.Fields(rest) {
			s[w] = struct{}{}
		}
		found[name] = s
	}
	return found
}

// mustRead panics only if a file that is part of the program is missing.
func mustRead(file string) string {
	raw, err := wordFiles.ReadFile("words/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// in says whether w is on a list of classes.txt.
func (l *lexicon) in(list, w string) bool { return l.class[list].has(w) }

// endings are what common words may end in, and what stood there before.
var endings = []struct {
	ending string
	before []string
}{
	{"'s", []string{""}}, {"ies", []string{"y"}}, {"es", []string{"", "e"}}, {"s", []string{""}},
	{"ied", []string{"y"}}, {"ed", []string{"", "e"}}, {"ing", []string{"", "e"}},
	{"ly", []string{"", "le"}}, {"er", []string{"", "e"}}, {"est", []string{"", "e"}},
}

// maxWord bounds what is looked up part by part.
const maxWord = 64

// common says whether w, in lower case, is an ordinary English word.
func (l *lexicon) common(w string) bool {
	if len(w) > maxWord {
		return false
	}
	if l.known(w) {
		return true
	}
	for _, e := range endings {
		stem, ok := strings.CutSuffix(w, e.ending)
		if !ok || len(stem) < 3 {
			continue
		}
		for _, b := range e.before {
			if l.known(stem + b) {
				return true
			}
		}
		// "stopped": the letter before the ending is doubled
		if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && l.known(stem[:n-1]) {
			return true
		}
	}
	head, tail, ok := strings.Cut(w, "-")
	return ok && head != "" && tail != "" && l.common(head) && l.common(tail)
}

func (l *lexicon) known(w string) bool { return l.commonBase.has(w) || l.starters.has(w) }

// givenName says whether w is a given name and no ordinary word.
func (l *lexicon) givenName(w string) bool {
	if !l.given.has(w) {
		head, tail, ok := strings.Cut(w, "-")
		return ok && l.given.has(head) && l.given.has(tail)
	}
	return !l.ambiguous.has(w) && !l.commonBase.has(w)
}

// anyName says whether w can be a given name.
func (l *lexicon) anyName(w string) bool { return l.given.has(w) || l.givenName(w) }
