package ner

import (
	"strings"
	"unicode"

	"tenure/ner/words"
)

// addName adds the name c with its type, and with what belongs to a place: the
// house number before a street, the common noun after a town ("Ghent office").
func (d *document) addName(c candidate, honorific bool) {
	s := span{rule: "name"}
	if c.hasHouseNumber() {
		c.from--
	}
	if !honorific && c.hasPlaceNoun() {
		s.typ, s.certain, s.rule = Place, true, "place with class word"
		c.to++
	} else {
		s.typ, s.certain = d.classifyName(c, honorific)
	}
	s.start, s.end = c.first().start, c.last().end
	d.add(s)
}

// hasHouseNumber reports whether a house number precedes the street c.
func (c candidate) hasHouseNumber() bool {
	number := c.before()
	return number.kind == numberToken && len(number.lower) <= 4 && c.first().adjacent() &&
		c.hasSeveralTokens() && c.PlaceSuffixes.Has(c.last().lower)
}

// hasPlaceNoun reports whether c is a town with a common noun after it.
func (c candidate) hasPlaceNoun() bool {
	noun := c.after()
	return noun.isLowercaseWord() && noun.adjacent() && c.PlaceNouns.Has(noun.lower) &&
		c.mayBeTown() && !c.IsPublicBody(c.first().lower, noun.lower)
}

func (c candidate) mayBeTown() bool {
	low := c.first().lower
	if c.last().kind != wordToken || c.FormatNames.Has(low) {
		return false
	}
	return c.Places.Has(c.key()) || c.isOneToken() && !c.IsGivenName(low) && !c.OrgSuffixes.Has(low)
}

// classifyName returns the entity type of c, and whether c itself is the evidence
// and not its context.
func (d *document) classifyName(c candidate, honorific bool) (typ string, certain bool) {
	if honorific {
		return Person, true
	}
	for _, evidence := range internalEvidence {
		if typ := evidence(c); typ != "" {
			return typ, true
		}
	}
	for _, evidence := range contextualEvidence {
		if typ := evidence(c); typ != "" {
			return typ, false
		}
	}
	return firstType(defaultRules, c), false
}

// Internal evidence is in the name, contextual evidence in the words around it.
var (
	internalEvidence = []func(candidate) string{
		candidate.typeByForm, candidate.typeByTypeWord, candidate.typeByGazetteer,
	}
	contextualEvidence = []func(candidate) string{
		candidate.typeByContext, candidate.typeByApposition,
	}
)

// typeRule gives a type to the candidates for which it holds.
type typeRule struct {
	typ   string
	holds func(candidate) bool
}

// firstType returns the type of the first rule that holds for c, or "".
func firstType(rules []typeRule, c candidate) string {
	for _, r := range rules {
		if r.holds(c) {
			return r.typ
		}
	}
	return ""
}

func (c candidate) typeByForm() string { return firstType(formRules, c) }

// formRules classify by the spelling of a name: its first word, its number, its
// initials.
var formRules = []typeRule{
	{Project, candidate.beginsWithProject},
	{Product, candidate.isShip},
	{Place, candidate.isSaint},
	{Document, func(c candidate) bool { return c.hasSeveralTokens() && c.DocPrefixes.Has(c.first().lower) }},
	{Organization, func(c candidate) bool { return c.hasSeveralTokens() && c.first().lower == "team" }},
	{Place, func(c candidate) bool { return c.first().kind == numberToken }},
	{Place, candidate.isNumberedRoom},
	{Document, candidate.isDatedDocument},
	{Place, candidate.isNumberedStreet},
	{Product, func(c candidate) bool { return c.last().kind == numberToken }},
	{Product, candidate.hasProductSuffix},
	{Person, candidate.hasInitials},
}

// beginsWithProject holds for "Project Heron" and "Operation Teal".
func (c candidate) beginsWithProject() bool {
	switch c.first().lower {
	case "project", "operation", "programme":
		return c.hasSeveralTokens()
	}
	return false
}

// isShip holds for "MV Persephone".
func (c candidate) isShip() bool {
	return c.hasSeveralTokens() && c.first().allCaps && c.ShipPrefixes.Has(c.first().lower)
}

// isSaint holds for "Saint-Malo" and "Sankt-Pölten".
func (c candidate) isSaint() bool {
	low := c.first().lower
	return strings.HasPrefix(low, "saint-") || strings.HasPrefix(low, "sankt-")
}

// isNumberedRoom holds for "Hangar C" and "Hall Neptune", not for "Hall Ltd".
func (c candidate) isNumberedRoom() bool {
	if c.isLetteredNoun() {
		return true
	}
	last := c.last().lower
	return c.hasSeveralTokens() && c.PlacePrefixes.Has(c.first().lower) && !c.OrgSuffixes.Has(last) && !c.isLegalForm(last)
}

// isDatedDocument holds for "Plan 2031" and "Brindle Water Survey 2031".
func (c candidate) isDatedDocument() bool {
	year := c.last()
	if year.kind != numberToken || len(year.lower) != 4 {
		return false
	}
	return c.DocSuffixes.Has(c.at(c.to-2).lower) || strings.HasPrefix(year.lower, "20") && c.to-c.from > 2
}

// isNumberedStreet holds for "Barley Lane 7" and for the street of "7 Barley
// Lane".
func (c candidate) isNumberedStreet() bool {
	last := c.last()
	return last.kind == numberToken && last.spaceBefore && c.PlaceSuffixes.Has(c.at(c.to-2).lower) ||
		c.before().kind == numberToken && c.PlaceSuffixes.Has(last.lower)
}

// hasProductSuffix holds for "Teal Radio Pro".
func (c candidate) hasProductSuffix() bool {
	last := c.last().lower
	return c.hasSeveralTokens() && c.ProductSuffixes.Has(last) && !c.MaybeGivenName(last)
}

// hasInitials holds for "J. Okafor" and "J.R. Okafor".
func (c candidate) hasInitials() bool {
	for k := c.from; k < c.to; k++ {
		if c.isInitial(k) && (k+2 < c.to || isDotted(c.tokens[k].lower)) {
			return true
		}
	}
	return false
}

// typeByTypeWord classifies by a word of the name that gives its type: a legal
// form, a first or last word, a preposition.
func (c candidate) typeByTypeWord() string {
	if c.hasSeveralTokens() {
		if typ := firstType(typeWordRules, c); typ != "" {
			return typ
		}
	}
	switch {
	case c.contains("&"):
		return Organization
	case c.hasSeveralTokens():
		return c.typeByPreposition()
	case isGermanStreet(c.first().lower):
		return Place
	}
	return ""
}

// typeWordRules classify names of several tokens.
var typeWordRules = []typeRule{
	// "Quince Hill GmbH"
	{Organization, func(c candidate) bool {
		last := c.lastWord()
		return c.isLegalForm(last.lower) && (!c.MaybeGivenName(last.lower) || last.allCaps)
	}},
	// "Harbour Handbook"
	{Document, func(c candidate) bool {
		last := c.lastWord().lower
		return c.DocSuffixes.Has(last) && !c.OrgSuffixes.Has(last)
	}},
	// "Ghent Office"
	{Place, func(c candidate) bool {
		return c.PlaceNouns.Has(c.lastWord().lower) && c.Places.Has(c.candidate(c.from, c.to-1).key())
	}},
	// "Turku Academy"
	{Organization, func(c candidate) bool { return c.OrgSuffixes.Has(c.lastWord().lower) }},
	// "Hotel Almirante"
	{Organization, func(c candidate) bool {
		first := c.first()
		return c.OrgPrefixes.Has(first.lower) && (!c.MaybeGivenName(first.lower) || first.allCaps)
	}},
	// "Barley Lane", not "Anna Lane"
	{Place, func(c candidate) bool {
		return c.PlaceSuffixes.Has(c.lastWord().lower) && (c.to-c.from != 2 || !c.IsGivenName(c.first().lower))
	}},
}

// lastWord returns the last token except for the dot of an abbreviation.
func (c candidate) lastWord() token {
	if last := c.last(); last.lower != "." || c.isOneToken() {
		return last
	}
	return c.tokens[c.to-2]
}

// typeByPreposition classifies "Bank of Ghent" and "Manual for Guests".
func (c candidate) typeByPreposition() string {
	for k := c.from + 1; k < c.to; k++ {
		switch c.tokens[k].lower {
		case "of", "for", "and":
			if c.DocSuffixes.Has(c.tokens[k-1].lower) {
				return Document
			}
			return Organization
		}
	}
	return ""
}

// isGermanStreet reports whether w ends in a Germanic word for a street.
func isGermanStreet(w string) bool {
	return words.HasLongerSuffix(w, "straße", "strasse", "gasse", "gatan", "gade", "straat", "platz")
}

func (c candidate) contains(lower string) bool {
	for _, t := range c.tokens[c.from:c.to] {
		if t.lower == lower {
			return true
		}
	}
	return false
}

// typeByGazetteer classifies by the lists of software, places and given names.
func (c candidate) typeByGazetteer() string {
	first, key := c.first().lower, c.key()
	switch {
	case c.IsTool(key) && !c.IsGivenName(first):
		return c.Tools[key]
	case c.Places.Has(key) && (!c.MaybeGivenName(first) || !c.hasPersonContext()):
		return Place
	case c.IsGivenName(first) && (c.hasSeveralTokens() || !c.ProjectTriggers.Has(c.after().lower)),
		c.hasSeveralTokens() && c.MaybeGivenName(first) && !c.IsCommon(c.last().lower):
		return Person
	}
	return ""
}

// hasPersonContext reports whether c is the subject of a person verb or stands
// after a person trigger that takes no place.
func (c candidate) hasPersonContext() bool {
	before := c.before().lower
	return c.PersonVerbs.Has(c.after().lower) ||
		c.PersonTriggers.Has(before) && !c.PlacePrepositions.Has(before) && before != "from" && before != "to"
}

// typeByContext classifies by trigger words on either side, on the same line.
func (c candidate) typeByContext() string { return firstType(contextRules, c) }

// beforeOnLine returns the token before c, or an empty token if that token or c
// begins a line.
func (c candidate) beforeOnLine() token {
	if before := c.before(); !before.lineStart && !c.first().lineStart {
		return before
	}
	return token{}
}

// afterOnLine returns the token after c, or an empty token if that begins a line.
func (c candidate) afterOnLine() token {
	if after := c.after(); !after.lineStart {
		return after
	}
	return token{}
}

var contextRules = []typeRule{
	{Project, candidate.hasProjectTrigger},
	{Organization, func(c candidate) bool { return firmTriggers.Has(c.beforeOnLine().lower) }},
	{Product, func(c candidate) bool { return c.ShipPrefixes.Has(c.beforeOnLine().lower) }},
	{Product, func(c candidate) bool { return c.ProductNouns.Has(c.afterOnLine().lower) && !c.isCamelCase() }},
	{System, candidate.hasSystemTrigger},
	{Place, candidate.followsForeignPreposition},
	{Tool, candidate.hasToolTrigger},
	{Repository, func(c candidate) bool { return c.RepositoryTriggers.Has(c.afterOnLine().lower) }},
	{Person, func(c candidate) bool { return c.PersonVerbs.Has(c.afterOnLine().lower) && !c.isCamelCase() }},
	{Project, func(c candidate) bool {
		return c.followsPlacePreposition() && c.beforeOnLine().lower == "in" && c.allCommonWords()
	}},
	{Place, candidate.followsPlacePreposition},
	{Place, candidate.isDestination},
	{Organization, candidate.isEmployer},
}

// hasProjectTrigger holds for "project Heron" and "the Heron rollout".
func (c candidate) hasProjectTrigger() bool {
	before := c.beforeOnLine().lower
	return before == "project" || before == "operation" || c.ProjectTriggers.Has(c.afterOnLine().lower)
}

// hasSystemTrigger holds for "the BasketPricer service" and "the bot Kettle".
func (c candidate) hasSystemTrigger() bool {
	before := c.beforeOnLine().lower
	return before == "bot" || before == "agent" && c.isCamelCase() ||
		c.SystemTriggers.Has(c.afterOnLine().lower) && (c.isCamelCase() || c.allCommonWords())
}

// followsForeignPreposition holds for "nach Turku".
func (c candidate) followsForeignPreposition() bool {
	return c.isOneToken() && !c.isEnglish(c.from) && foreignPlacePrepositions.Has(c.beforeOnLine().lower)
}

// hasToolTrigger holds for "the Kettle plugin" and "the library Kettle".
func (c candidate) hasToolTrigger() bool {
	switch c.beforeOnLine().lower {
	case "tool", "library", "app":
		return true
	}
	return c.ToolTriggers.Has(c.afterOnLine().lower)
}

// followsPlacePreposition holds for "near Turku".
func (c candidate) followsPlacePreposition() bool {
	return c.isOneToken() && c.PlacePrepositions.Has(c.beforeOnLine().lower) && !c.isCamelCase()
}

// isDestination holds for "the train to Turku".
func (c candidate) isDestination() bool {
	switch c.beforeOnLine().lower {
	case "from", "to", "at", "off":
		return c.isOneToken() && travelTriggers.Has(c.at(c.from-2).lower)
	}
	return false
}

// isEmployer holds for "joined Korvex" and "works at Korvex".
func (c candidate) isEmployer() bool {
	switch c.beforeOnLine().lower {
	case "joined", "join":
		return true
	case "at", "for":
		return employmentTriggers.Has(c.at(c.from - 2).lower)
	}
	return false
}

// isCamelCase reports whether the first word of c has an inner capital.
func (c candidate) isCamelCase() bool { return hasInnerCapital(c.text[c.first().start:c.first().end]) }

// hasInnerCapital reports whether w has a capital after a lower-case letter, as
// in BasketPricer, except for the prefixes of surnames such as McDonald.
func hasInnerCapital(w string) bool {
	for _, p := range surnamePrefixes {
		w = strings.TrimPrefix(w, p)
	}
	small := false
	for _, r := range w {
		if unicode.IsUpper(r) && small {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

var surnamePrefixes = []string{"Mc", "Mac", "De", "Di", "Du", "La", "Le", "Van", "Fitz", "O'", "D'", "L'", "Da", "El"}

// typeByApposition classifies by the noun after a comma: "Firebird, the new
// cluster".
func (c candidate) typeByApposition() string {
	comma, article := c.after(), c.at(c.to+1).lower
	if comma.lower != "," || comma.lineStart || !determiners.Has(article) && !indefiniteArticles.Has(article) {
		return ""
	}
	adjective, noun := c.at(c.to+2).lower, c.at(c.to+3)
	if noun.isLowercaseWord() && noun.adjacent() && appositionNouns[noun.lower] != "" && c.IsCommon(adjective) {
		return appositionNouns[noun.lower]
	}
	return appositionNouns[adjective] // a noun without adjective
}

// appositionNouns are the common nouns of an apposition, with their types.
var appositionNouns = typesByWord(map[string]string{
	Organization: "company firm supplier vendor school bank agency charity shop publisher insurer club bakery hospital " +
		"university contractor",
	System:     "cluster server service database queue daemon bot host node pipeline cache proxy gateway worker cronjob",
	Tool:       "tool library cli editor linter plugin framework",
	Repository: "repo repository monorepo",
	Project:    "project programme initiative",
	Place:      "town city village port island harbour suburb",
	Product:    "phone printer camera ship ferry boat lamp tractor drone scanner",
})

// typesByWord turns types with their words into words with their type.
func typesByWord(lists map[string]string) map[string]string {
	types := map[string]string{}
	for typ, list := range lists {
		for w := range strings.FieldsSeq(list) {
			types[w] = typ
		}
	}
	return types
}

// defaultRules classify names without other evidence by how many of their words
// are common English; the last rule always holds.
var defaultRules = []typeRule{
	{Product, func(c candidate) bool { return c.hasCamelCaseWord() && c.words() > 1 }},
	{System, func(c candidate) bool { return c.hasCamelCaseWord() && c.hasMachineVerb(c.to) }},
	{Tool, candidate.hasCamelCaseWord},
	{Document, candidate.isTitleByAuthor},
	{Organization, func(c candidate) bool { return c.first().lower == "the" }},
	{Person, candidate.isNameOfAmbiguousWords},
	// "the Teal Radio"
	{Product, func(c candidate) bool {
		return c.words() > 1 && c.before().lower == "the" && !c.IsGivenName(c.first().lower)
	}},
	{Product, func(c candidate) bool { return c.words() > 1 && c.isAllCommon() && c.before().lower == "the" }},
	{Project, func(c candidate) bool { return c.words() > 1 && c.isAllCommon() }},
	{Organization, func(c candidate) bool { return c.words() > 1 && c.commonWords() > 0 && !c.followsPersonLabel() }},
	{System, func(c candidate) bool { return c.isOneCommonWord() && c.hasMachineVerb(c.to) }},
	{Project, candidate.isOneCommonWord},
	{Organization, func(c candidate) bool { return c.words() == 1 && c.first().allCaps }},
	{Person, func(candidate) bool { return true }},
}

// commonWords counts the words of c that are common and no part of a person's
// name.
func (c candidate) commonWords() int {
	n := 0
	for _, t := range c.tokens[c.from:c.to] {
		n += boolInt(t.isWord() && c.isCommonToken(t) && !c.MaybeGivenName(t.lower) && !c.SurnameParticles.Has(t.lower))
	}
	return n
}

func (c candidate) isAllCommon() bool { return c.commonWords() == c.words() }

func (c candidate) isOneCommonWord() bool { return c.words() == 1 && c.commonWords() == 1 }

func (c candidate) hasCamelCaseWord() bool {
	for _, t := range c.tokens[c.from:c.to] {
		if t.isWord() && hasInnerCapital(c.text[t.start:t.end]) {
			return true
		}
	}
	return false
}

// isTitleByAuthor holds for a quoted or "The" title with "by" after it.
func (c candidate) isTitleByAuthor() bool {
	byAuthor := c.after().lower == "by" || c.at(c.to+1).lower == "by"
	return byAuthor && (c.first().lower == "the" || c.fillsQuotes()) && c.words() > 2 && c.commonWords() > 0
}

// isNameOfAmbiguousWords holds for "Will Cooper": a given name and a surname that
// are also common words.
func (c candidate) isNameOfAmbiguousWords() bool {
	return c.words() > 1 && c.commonWords() > 0 && c.MaybeGivenName(c.first().lower) && !c.CommonStems.Has(c.last().lower)
}

// fillsQuotes reports whether c is all that its quotation marks hold.
func (c candidate) fillsQuotes() bool {
	open := c.before().lower
	return (open == "\"" || open == "“") && closesQuote(c.after().lower)
}

// followsPersonLabel reports whether an honorific or a label precedes c.
func (c candidate) followsPersonLabel() bool {
	before := c.before().lower
	return c.Honorifics.Has(before) || personLabels.Has(before)
}

// hasMachineVerb reports whether the words from token j on are the predicate of a
// program.
func (d *document) hasMachineVerb(j int) bool {
	verb := d.at(j).lower
	return d.SystemTriggers.Has(verb) || machineVerbs.Has(verb) || verb == "is" && machineVerbs.Has(d.at(j+1).lower)
}
