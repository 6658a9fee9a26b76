package ner

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed words/*.txt
var wordFiles embed.FS

// wordSet is a set of words in lower case.
type wordSet map[string]struct{}

// newWordSet returns the words of a list separated by spaces.
func newWordSet(list string) wordSet {
	s := wordSet{}
	s.add(list)
	return s
}

func (s wordSet) add(list string) {
	for w := range strings.FieldsSeq(list) {
		s[w] = struct{}{}
	}
}

func (s wordSet) has(w string) bool {
	_, ok := s[w]
	return ok
}

// lexicon holds the gazetteers and the open word classes of words/*.txt. The
// head of each file gives its origin. Short closed classes are in triggers.go.
type lexicon struct {
	englishWords
	gazetteers
	typeWords
	contextWords
	codedTails
	han
	hangul
	arabic
}

// englishWords classify the words of English, and set off those of other languages.
type englishWords struct {
	commonStems      wordSet           // frequent words without inflection
	sentenceStarters wordSet           // function words and usual first words of a sentence, no part of a name after
	starterNouns     wordSet           // the sentence starters that are nouns and may be part of a name before them
	foreign          wordSet           // function words of all other languages
	languages        []string          // codes of the other languages, sorted
	languageBits     map[string]uint64 // foreign function words to bits of languages
	verbs            wordSet           // finite verbs, modals and auxiliaries
	demonyms         wordSet           // languages, nationalities, religions: "Dutch", "Victorian"
	calendarWords    wordSet           // days, months, feasts
	formatNames      wordSet           // file formats, protocols, currencies and other codes in capitals that name nothing
}

// gazetteers are lists of names.
type gazetteers struct {
	given        wordSet           // given names
	ambiguous    wordSet           // given names that are also English words: "Will"
	places       wordSet           // countries, regions, towns; a hyphen stands for a space
	tools        map[string]string // software to its entity type
	publicBodies wordSet           // bodies known by a common noun, two words joined by a hyphen: "port-authority"
	roleHeads    wordSet           // nouns for the holder of a job or office
	functions    wordSet           // teams known by their function: "legal", "hr"
}

// typeWords are the words inside a name that give its entity type.
type typeWords struct {
	legalForms       wordSet // "gmbh"
	orgPrefixes      wordSet // first words of organizations: "bank", "café"
	orgSuffixes      wordSet // last words of organizations: "academy"
	placePrefixes    wordSet // first words of rooms, buildings and streets: "hall", "rue"
	placeSuffixes    wordSet // last words of streets, buildings and landscapes: "lane"
	placeNouns       wordSet // common nouns in lower case after a town: "Ghent office"
	docPrefixes      wordSet // first words of documents: "annex", "rfc"
	docSuffixes      wordSet // last words of documents: "handbook"
	productSuffixes  wordSet // last words of products: "pro", "mk"
	shipPrefixes     wordSet // "mv", "trawler"
	honorifics       wordSet // titles before a person's name, with and without dot
	surnameParticles wordSet // "van", "de", "bin"
}

// contextWords are the trigger words around a name.
type contextWords struct {
	personTriggers     wordSet // before a person: "ask", "dear", "reported by"
	personVerbs        wordSet // verbs whose subject is a person: "said"
	placePrepositions  wordSet // "near", "outside"
	projectTriggers    wordSet // after a project: "rollout"
	productNouns       wordSet // after a product: "firmware"
	systemTriggers     wordSet // after a system: "cluster", "crashed"
	toolTriggers       wordSet // after a tool: "plugin"
	repositoryTriggers wordSet // on either side of a repository: "repo", "clone"
}

// codedTails are the last parts of names with hyphens or underscores.
type codedTails struct {
	systemTails     wordSet // "quota-svc"
	repositoryTails wordSet // "team-docs"
	toolTails       wordSet // "plan-lint"
}

// han holds the lists for Chinese and Japanese.
type han struct {
	hanSurnames        wordSet
	hanStopCharacters  wordSet // characters that are never part of a given name
	hanBoundaries      wordSet // characters after which a name may begin
	chineseTitles      wordSet // after a name
	japaneseHonorifics wordSet // after a name
	hanRoles           wordSet
	hanPlaces          wordSet
	hanPlaceSuffixes   wordSet // "市"
	hanOrgSuffixes     wordSet // what a firm does, at the end of its name
}

// hangul holds the lists for Korean.
type hangul struct {
	hangulSurnames       wordSet
	hangulTitles         wordSet // honorifics and ranks, after a name or part of the word
	hangulParticles      wordSet // case endings of persons and firms
	hangulCopulas        wordSet // "입니다"
	hangulPlaces         wordSet
	hangulPlaceParticles wordSet // case endings of places
	hangulOrgSuffixes    wordSet // what a firm does, at the end of its name
}

// arabic holds the lists for Arabic.
type arabic struct {
	arabicTitles            wordSet // before a name
	arabicGivenNames        wordSet
	arabicStopWords         wordSet // function words, never part of a name
	arabicPlacePrepositions wordSet
}

var loadLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{}
	l.loadEnglish()
	l.loadGazetteers()
	l.loadClasses()
	l.loadScripts()
	return l
})

func (l *lexicon) loadEnglish() {
	l.commonStems = readWords("common", "")
	l.sentenceStarters, l.starterNouns = readWords("starters", ""), readWords("starters", "# nouns")
	l.foreign, l.languageBits = wordSet{}, map[string]uint64{}
	foreign := readLists("foreign")
	l.languages = slices.Sorted(maps.Keys(foreign))
	for i, language := range l.languages {
		for w := range foreign[language] {
			l.foreign[w] = struct{}{}
			l.languageBits[w] |= 1 << i
		}
	}
}

func (l *lexicon) loadGazetteers() {
	l.given, l.ambiguous = readWords("given", ""), readWords("given", "# also")
	l.places = readWords("places", "")
	l.roleHeads = readWords("roles", "")
	l.functions = readWords("functions", "")
	l.tools = map[string]string{}
	for entry := range readWords("tools", "") {
		name, typ, ok := strings.Cut(entry, "=")
		if !ok {
			typ = Tool
		}
		l.tools[name] = typ
	}
}

func (l *lexicon) loadClasses() {
	fill("classes", map[string]*wordSet{
		"legal-forms":         &l.legalForms,
		"org-prefixes":        &l.orgPrefixes,
		"org-suffixes":        &l.orgSuffixes,
		"public-bodies":       &l.publicBodies,
		"place-prefixes":      &l.placePrefixes,
		"place-suffixes":      &l.placeSuffixes,
		"place-nouns":         &l.placeNouns,
		"doc-prefixes":        &l.docPrefixes,
		"doc-suffixes":        &l.docSuffixes,
		"product-suffixes":    &l.productSuffixes,
		"product-nouns":       &l.productNouns,
		"ship-prefixes":       &l.shipPrefixes,
		"honorifics":          &l.honorifics,
		"surname-particles":   &l.surnameParticles,
		"person-triggers":     &l.personTriggers,
		"person-verbs":        &l.personVerbs,
		"place-prepositions":  &l.placePrepositions,
		"project-triggers":    &l.projectTriggers,
		"system-triggers":     &l.systemTriggers,
		"tool-triggers":       &l.toolTriggers,
		"repository-triggers": &l.repositoryTriggers,
		"system-tails":        &l.systemTails,
		"repository-tails":    &l.repositoryTails,
		"tool-tails":          &l.toolTails,
		"verbs":               &l.verbs,
		"demonyms":            &l.demonyms,
		"calendar-words":      &l.calendarWords,
		"format-names":        &l.formatNames,
	})
}

func (l *lexicon) loadScripts() {
	fill("scripts", map[string]*wordSet{
		"han-surnames":              &l.hanSurnames,
		"han-stop-characters":       &l.hanStopCharacters,
		"han-boundaries":            &l.hanBoundaries,
		"chinese-titles":            &l.chineseTitles,
		"japanese-honorifics":       &l.japaneseHonorifics,
		"han-roles":                 &l.hanRoles,
		"han-places":                &l.hanPlaces,
		"han-place-suffixes":        &l.hanPlaceSuffixes,
		"han-org-suffixes":          &l.hanOrgSuffixes,
		"hangul-surnames":           &l.hangulSurnames,
		"hangul-titles":             &l.hangulTitles,
		"hangul-particles":          &l.hangulParticles,
		"hangul-copulas":            &l.hangulCopulas,
		"hangul-places":             &l.hangulPlaces,
		"hangul-place-particles":    &l.hangulPlaceParticles,
		"hangul-org-suffixes":       &l.hangulOrgSuffixes,
		"arabic-titles":             &l.arabicTitles,
		"arabic-given-names":        &l.arabicGivenNames,
		"arabic-stop-words":         &l.arabicStopWords,
		"arabic-place-prepositions": &l.arabicPlacePrepositions,
	})
}

// fill reads a file of lists into the sets they belong to. It panics if a list
// is missing or belongs to no set, which only a change of this package can cause.
func fill(file string, sets map[string]*wordSet) {
	lists := readLists(file)
	for name, list := range lists {
		if sets[name] == nil {
			panic(fmt.Sprintf("%s.txt: list %q is unused", file, name))
		}
		*sets[name] = list
	}
	if len(lists) != len(sets) {
		panic(fmt.Sprintf("%s.txt has %d lists of %d", file, len(lists), len(sets)))
	}
}

// readWords reads the words of a file that follow the comment with a prefix.
func readWords(file, comment string) wordSet {
	found, on := wordSet{}, comment == ""
	for line := range strings.Lines(mustRead(file)) {
		if strings.HasPrefix(line, "#") {
			on = on || strings.HasPrefix(line, comment)
			continue
		}
		if on {
			found.add(line)
		}
	}
	return found
}

// readLists reads a file of "name: words" lines.
func readLists(file string) map[string]wordSet {
	found := map[string]wordSet{}
	for line := range strings.Lines(mustRead(file)) {
		name, words, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(line, "#") {
			found[name] = newWordSet(words)
		}
	}
	return found
}

// mustRead returns an embedded file. It panics if the file is missing from the
// program.
func mustRead(file string) string {
	raw, err := wordFiles.ReadFile("words/" + file + ".txt")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// inflections are the endings of common words, with what each replaces.
var inflections = []struct {
	ending   string
	replaced []string
}{
	{"'s", []string{""}}, {"ies", []string{"y"}}, {"es", []string{"", "e"}}, {"s", []string{""}},
	{"ied", []string{"y"}}, {"ed", []string{"", "e"}}, {"ing", []string{"", "e"}},
	{"ly", []string{"", "le"}}, {"er", []string{"", "e"}}, {"est", []string{"", "e"}},
}

// maxWord bounds the bytes of a word that is analysed part by part.
const maxWord = 64

// isCommon reports whether w is a common English word, inflected or compounded
// with a hyphen.
func (l *lexicon) isCommon(w string) bool {
	if len(w) > maxWord {
		return false
	}
	if l.isStem(w) || l.isInflected(w) {
		return true
	}
	head, tail, ok := strings.Cut(w, "-")
	return ok && head != "" && tail != "" && l.isCommon(head) && l.isCommon(tail)
}

func (l *lexicon) isInflected(w string) bool {
	for _, e := range inflections {
		stem, ok := strings.CutSuffix(w, e.ending)
		if !ok || len(stem) < 3 {
			continue
		}
		for _, r := range e.replaced {
			if l.isStem(stem + r) {
				return true
			}
		}
		// "stopped" doubles the last letter of its stem.
		if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && l.isStem(stem[:n-1]) {
			return true
		}
	}
	return false
}

func (l *lexicon) isStem(w string) bool { return l.commonStems.has(w) || l.sentenceStarters.has(w) }

// isGivenName reports whether w is a given name and no common word. A double
// name needs a hyphen.
func (l *lexicon) isGivenName(w string) bool {
	if !l.given.has(w) {
		head, tail, ok := strings.Cut(w, "-")
		return ok && l.given.has(head) && l.given.has(tail)
	}
	return !l.ambiguous.has(w) && !l.commonStems.has(w)
}

// maybeGivenName reports whether w is a given name, even if it is also a common
// word.
func (l *lexicon) maybeGivenName(w string) bool { return l.given.has(w) || l.isGivenName(w) }

func (l *lexicon) isTool(w string) bool { return l.tools[w] != "" }
