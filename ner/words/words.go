// Package words holds what the rules of package ner know of words: gazetteers of
// names, classes of words, and the morphology of English. The lists are in the
// files beside it; the head of each file gives its origin.
package words

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed *.txt
var files embed.FS

// Lexicon is all lists. It is read-only.
type Lexicon struct {
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
	stems            Set               // CommonStems and SentenceStarters
	CommonStems      Set               // frequent words without inflection
	SentenceStarters Set               // function words and usual first words of a sentence, no part of a name after
	StarterNouns     Set               // the sentence starters that are nouns and may be part of a name before them
	Foreign          Set               // function words of all other languages
	Languages        []string          // codes of the other languages, sorted
	LanguageBits     map[string]uint64 // foreign function words to bits of languages
	Verbs            Set               // finite verbs, modals and auxiliaries
	Demonyms         Set               // languages, nationalities, religions: "Dutch", "Victorian"
	CalendarWords    Set               // days, months, feasts
	FormatNames      Set               // file formats, protocols, currencies and other codes in capitals that name nothing
}

// gazetteers are lists of names.
type gazetteers struct {
	Given        Set               // given names
	Ambiguous    Set               // given names that are also English words: "Will"
	Places       Set               // countries, regions, towns; a hyphen stands for a space
	Tools        map[string]string // software to its entity type
	bodyHeads    Set               // the first words of PublicBodies
	PublicBodies Set               // bodies known by a common noun, two words joined by a hyphen: "port-authority"
	RoleHeads    Set               // nouns for the holder of a job or office
	Functions    Set               // teams known by their function: "legal", "hr"
	Kin          Set               // how people call persons of theirs: "mum"
	Determiners  map[string]Set    // by language; under "other-de" those of German before what need not be known
}

// typeWords are the words inside a name that give its entity type.
type typeWords struct {
	LegalForms       Set // "gmbh"
	OrgPrefixes      Set // first words of organizations: "bank", "café"
	OrgSuffixes      Set // last words of organizations: "academy"
	PlacePrefixes    Set // first words of rooms, buildings and streets: "hall", "rue"
	PlaceSuffixes    Set // last words of streets, buildings and landscapes: "lane"
	PlaceNouns       Set // common nouns in lower case after a town: "Ghent office"
	DocPrefixes      Set // first words of documents: "annex", "rfc"
	DocSuffixes      Set // last words of documents: "handbook"
	ProductSuffixes  Set // last words of products: "pro", "mk"
	ShipPrefixes     Set // "mv", "trawler"
	Honorifics       Set // titles before a person's name, with and without dot
	SurnameParticles Set // "van", "de", "bin"
}

// contextWords are the trigger words around a name.
type contextWords struct {
	PersonTriggers     Set // before a person: "ask", "dear", "reported by"
	PersonVerbs        Set // verbs whose subject is a person: "said"
	PlacePrepositions  Set // "near", "outside"
	ProjectTriggers    Set // after a project: "rollout"
	ProductNouns       Set // after a product: "firmware"
	SystemTriggers     Set // after a system: "cluster", "crashed"
	ToolTriggers       Set // after a tool: "plugin"
	RepositoryTriggers Set // on either side of a repository: "repo", "clone"
}

// codedTails are the last parts of names with hyphens or underscores.
type codedTails struct {
	SystemTails     Set // "quota-svc"
	RepositoryTails Set // "team-docs"
	ToolTails       Set // "plan-lint"
}

// han holds the lists for Chinese and Japanese.
type han struct {
	HanSurnames        Set
	HanStopCharacters  Set // characters that are never part of a given name
	HanBoundaries      Set // characters after which a name may begin
	ChineseTitles      Set // after a name
	JapaneseHonorifics Set // after a name
	HanRoles           Set
	HanPlaces          Set
	HanPlaceSuffixes   Set // "市"
	HanOrgSuffixes     Set // what a firm does, at the end of its name
}

// hangul holds the lists for Korean.
type hangul struct {
	HangulSurnames       Set
	HangulTitles         Set // honorifics and ranks, after a name or part of the word
	HangulParticles      Set // case endings of persons and firms
	HangulCopulas        Set // "입니다"
	HangulPlaces         Set
	HangulPlaceParticles Set // case endings of places
	HangulOrgSuffixes    Set // what a firm does, at the end of its name
}

// arabic holds the lists for Arabic.
type arabic struct {
	ArabicTitles            Set // before a name
	ArabicGivenNames        Set
	ArabicStopWords         Set // function words, never part of a name
	ArabicPlacePrepositions Set
}

// Load returns the lists, which it reads once.
var Load = sync.OnceValue(func() *Lexicon {
	l := &Lexicon{}
	l.loadEnglish()
	l.loadGazetteers()
	l.loadClasses()
	l.loadScripts()
	return l
})

func (l *Lexicon) loadEnglish() {
	l.CommonStems = readWords("common", "")
	l.SentenceStarters, l.StarterNouns = readWords("starters", ""), readWords("starters", "# nouns")
	l.stems = NewSet(readList("common", "") + " " + readList("starters", ""))
	l.LanguageBits = map[string]uint64{}
	foreign := readLists("foreign")
	l.Foreign = NewSet(strings.Join(slices.Collect(maps.Values(foreign)), " "))
	l.Languages = slices.Sorted(maps.Keys(foreign))
	for i, language := range l.Languages {
		for w := range strings.FieldsSeq(foreign[language]) {
			l.LanguageBits[w] |= 1 << i
		}
	}
}

func (l *Lexicon) loadGazetteers() {
	l.Given, l.Ambiguous = readWords("given", ""), readWords("given", "# also")
	l.Places = readWords("places", "")
	l.RoleHeads = readWords("roles", "")
	l.Functions = readWords("functions", "")
	l.Kin = readWords("kin", "")
	l.Determiners = map[string]Set{}
	for language, list := range readLists("determiners") {
		l.Determiners[language] = NewSet(list)
	}
	l.Tools = map[string]string{}
	for entry := range strings.FieldsSeq(readList("tools", "")) {
		name, typ, ok := strings.Cut(entry, "=")
		if !ok {
			typ = Tool
		}
		l.Tools[name] = typ
	}
}

func (l *Lexicon) loadClasses() {
	fill("classes", map[string]*Set{
		"legal-forms":         &l.LegalForms,
		"org-prefixes":        &l.OrgPrefixes,
		"org-suffixes":        &l.OrgSuffixes,
		"public-bodies":       &l.PublicBodies,
		"place-prefixes":      &l.PlacePrefixes,
		"place-suffixes":      &l.PlaceSuffixes,
		"place-nouns":         &l.PlaceNouns,
		"doc-prefixes":        &l.DocPrefixes,
		"doc-suffixes":        &l.DocSuffixes,
		"product-suffixes":    &l.ProductSuffixes,
		"product-nouns":       &l.ProductNouns,
		"ship-prefixes":       &l.ShipPrefixes,
		"honorifics":          &l.Honorifics,
		"surname-particles":   &l.SurnameParticles,
		"person-triggers":     &l.PersonTriggers,
		"person-verbs":        &l.PersonVerbs,
		"place-prepositions":  &l.PlacePrepositions,
		"project-triggers":    &l.ProjectTriggers,
		"system-triggers":     &l.SystemTriggers,
		"tool-triggers":       &l.ToolTriggers,
		"repository-triggers": &l.RepositoryTriggers,
		"system-tails":        &l.SystemTails,
		"repository-tails":    &l.RepositoryTails,
		"tool-tails":          &l.ToolTails,
		"verbs":               &l.Verbs,
		"demonyms":            &l.Demonyms,
		"calendar-words":      &l.CalendarWords,
		"format-names":        &l.FormatNames,
	})
	var heads strings.Builder
	for body := range strings.FieldsSeq(readLists("classes")["public-bodies"]) {
		head, _, _ := strings.Cut(body, "-")
		heads.WriteString(head + " ")
	}
	l.bodyHeads = NewSet(heads.String())
}

func (l *Lexicon) loadScripts() {
	fill("scripts", map[string]*Set{
		"han-surnames":              &l.HanSurnames,
		"han-stop-characters":       &l.HanStopCharacters,
		"han-boundaries":            &l.HanBoundaries,
		"chinese-titles":            &l.ChineseTitles,
		"japanese-honorifics":       &l.JapaneseHonorifics,
		"han-roles":                 &l.HanRoles,
		"han-places":                &l.HanPlaces,
		"han-place-suffixes":        &l.HanPlaceSuffixes,
		"han-org-suffixes":          &l.HanOrgSuffixes,
		"hangul-surnames":           &l.HangulSurnames,
		"hangul-titles":             &l.HangulTitles,
		"hangul-particles":          &l.HangulParticles,
		"hangul-copulas":            &l.HangulCopulas,
		"hangul-places":             &l.HangulPlaces,
		"hangul-place-particles":    &l.HangulPlaceParticles,
		"hangul-org-suffixes":       &l.HangulOrgSuffixes,
		"arabic-titles":             &l.ArabicTitles,
		"arabic-given-names":        &l.ArabicGivenNames,
		"arabic-stop-words":         &l.ArabicStopWords,
		"arabic-place-prepositions": &l.ArabicPlacePrepositions,
	})
}

// fill reads a file of lists into the sets they belong to. It panics if a list
// is missing or belongs to no set, which only a change of this package can cause.
func fill(file string, sets map[string]*Set) {
	lists := readLists(file)
	for name, list := range lists {
		if sets[name] == nil {
			panic(fmt.Sprintf("%s.txt: list %q is unused", file, name))
		}
		*sets[name] = NewSet(list)
	}
	if len(lists) != len(sets) {
		panic(fmt.Sprintf("%s.txt has %d lists of %d", file, len(lists), len(sets)))
	}
}

// readWords reads the words of a file that follow the comment with a prefix.
func readWords(file, comment string) Set { return NewSet(readList(file, comment)) }

// readList reads the lines of a file that follow the comment with a prefix.
func readList(file, comment string) string {
	var found strings.Builder
	on := comment == ""
	for line := range strings.Lines(mustRead(file)) {
		if strings.HasPrefix(line, "#") {
			on = on || strings.HasPrefix(line, comment)
			continue
		}
		if on {
			found.WriteString(line)
		}
	}
	return found.String()
}

// readLists reads a file of "name: words" lines.
func readLists(file string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(mustRead(file)) {
		name, words, ok := strings.Cut(line, ":")
		if ok && !strings.HasPrefix(line, "#") {
			found[name] = words
		}
	}
	return found
}

// mustRead returns an embedded file. It panics if the file is missing from the
// program.
func mustRead(file string) string {
	raw, err := files.ReadFile(file + ".txt")
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

// MaxAnalysed bounds the bytes of a word that is analysed part by part.
const MaxAnalysed = 64

// IsCommon reports whether w is a common English word, inflected or compounded
// with a hyphen.
func (l *Lexicon) IsCommon(w string) bool {
	if len(w) > MaxAnalysed {
		return false
	}
	if l.IsStem(w) || l.isInflected(w) {
		return true
	}
	head, tail, ok := strings.Cut(w, "-")
	return ok && head != "" && tail != "" && l.IsCommon(head) && l.IsCommon(tail)
}

func (l *Lexicon) isInflected(w string) bool {
	for _, e := range inflections {
		stem, ok := strings.CutSuffix(w, e.ending)
		if !ok || len(stem) < 3 {
			continue
		}
		for _, r := range e.replaced {
			if l.IsStem(stem + r) {
				return true
			}
		}
		// "stopped" doubles the last letter of its stem.
		if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && l.IsStem(stem[:n-1]) {
			return true
		}
	}
	return false
}

// IsStem reports whether w is a common word without inflection.
func (l *Lexicon) IsStem(w string) bool { return l.stems.Has(w) }

// IsGivenName reports whether w is a given name and no common word. A double
// name needs a hyphen.
func (l *Lexicon) IsGivenName(w string) bool {
	if !l.Given.Has(w) {
		head, tail, ok := strings.Cut(w, "-")
		return ok && l.Given.Has(head) && l.Given.Has(tail)
	}
	return !l.Ambiguous.Has(w) && !l.CommonStems.Has(w)
}

// MaybeGivenName reports whether w is a given name, even if it is also a common
// word.
func (l *Lexicon) MaybeGivenName(w string) bool { return l.Given.Has(w) || l.IsGivenName(w) }

// IsPublicBody reports whether two words are a body known by a common noun.
func (l *Lexicon) IsPublicBody(first, second string) bool {
	return l.bodyHeads.Has(first) && l.PublicBodies.Has(first+"-"+second)
}

// ReadLanguages are the codes of the languages that texts are read in.
var ReadLanguages = []string{"en", "de", "fr", "es"}

// IsDeterminer reports whether w is a determiner of one of the languages that texts are read in: "the", "unser", "mi".
func (l *Lexicon) IsDeterminer(w string) bool {
	return slices.ContainsFunc(ReadLanguages, l.determines(w))
}

// IsDeterminerOf reports whether w is a determiner of a language.
func (l *Lexicon) IsDeterminerOf(language, w string) bool { return l.determines(w)(language) }

// MaybeDeterminer reports whether w is a determiner of any language.
func (l *Lexicon) MaybeDeterminer(w string) bool {
	for _, list := range l.Determiners {
		if list.Has(w) {
			return true
		}
	}
	return false
}

func (l *Lexicon) determines(w string) func(language string) bool {
	return func(language string) bool {
		return l.Determiners[language].Has(w) || l.Determiners["other-"+language].Has(w)
	}
}

// IsKind reports whether w is a common noun for things of a kind: "project", "database", "cluster".
func (l *Lexicon) IsKind(w string) bool {
	for _, kinds := range []Set{l.PlaceNouns, l.ProductNouns, l.ProjectTriggers, l.SystemTriggers, l.ToolTriggers,
		l.RepositoryTriggers} {
		if kinds.Has(w) {
			return true
		}
	}
	return false
}

// IsBody reports whether w is a noun for bodies, which also is part of their names: "company", "bank".
func (l *Lexicon) IsBody(w string) bool { return l.OrgPrefixes.Has(w) || l.OrgSuffixes.Has(w) }

// IsTool reports whether w is widely known software.
func (l *Lexicon) IsTool(w string) bool { return l.Tools[w] != "" }
