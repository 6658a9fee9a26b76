package ner

import (
	"strings"
	"unicode"
)

// addName adds the span of tokens [i, j) with its type, and with the small
// class word that belongs to it ("Ghent office").
func (d *document) addName(i, j int, titled bool) {
	s := span{rule: "name", titled: titled}
	n := d.at(j)
	if d.at(i-1).kind == numberToken && len(d.at(i-1).lower) <= 4 && d.tokens[i].spaceBefore && !d.tokens[i].lineStart && d.placeSuffixes.has(d.tokens[j-1].lower) && j-i > 1 {
		i-- // the house number
	}
	if !titled && n.word() && !n.capital && n.spaceBefore && !n.lineStart && d.placeNouns.has(n.lower) && d.placeBefore(i, j) && !d.publicBodies.has(d.tokens[i].lower+"-"+n.lower) {
		s.typ, s.sure, s.rule = Place, true, "place with class word"
		j++
	} else {
		s.typ, s.sure = d.classifyName(i, j, titled)
	}
	s.start, s.end = d.tokens[i].start, d.tokens[j-1].end
	d.add(s)
}

// placeBefore says whether [i, j) can be the town of "Ghent office".
func (d *document) placeBefore(i, j int) bool {
	low := d.tokens[i].lower
	return d.tokens[j-1].kind == wordToken && (d.places.has(d.gazetteerKey(i, j)) || j-i == 1 && !d.isGivenName(low) && !d.orgSuffixes.has(low)) && !d.formatNames.has(low)
}

func (d *document) gazetteerKey(i, j int) string {
	parts := make([]string, 0, j-i)
	for _, t := range d.tokens[i:j] {
		parts = append(parts, t.lower)
	}
	return strings.Join(parts, "-")
}

// classify tells the type of a name, and whether the span itself says so.
func (d *document) classifyName(i, j int, titled bool) (typ string, sure bool) {
	if titled {
		return Person, true
	}
	for _, rule := range []func(i, j int) string{d.typeByForm, d.typeByTypeWord, d.typeByGazetteer} {
		if typ := rule(i, j); typ != "" {
			return typ, true
		}
	}
	for _, rule := range []func(i, j int) string{d.typeByContext, d.typeByApposition} {
		if typ := rule(i, j); typ != "" {
			return typ, false
		}
	}
	return d.typeByDefault(i, j), false
}

// byApposition knows types by what stands behind a comma: "firebird, the new
// cluster".
func (d *document) typeByApposition(_, j int) string {
	if d.at(j).lower != "," || !determiners.has(d.at(j+1).lower) && !articles.has(d.at(j+1).lower) || d.at(j).lineStart {
		return ""
	}
	k := j + 2
	if n := d.at(k + 1); n.word() && !n.capital && n.spaceBefore && !n.lineStart && d.isCommon(d.at(k).lower) && appositions[n.lower] != "" {
		k++
	}
	return appositions[d.at(k).lower]
}

// appositions are class words in small letters, and their types.
var appositions = columnTypes(map[string]string{
	Organization: "company firm supplier vendor school bank agency charity shop publisher insurer club bakery hospital university contractor",
	System:       "cluster server service database queue daemon bot host node pipeline cache proxy gateway worker cronjob",
	Tool:         "tool library cli editor linter plugin framework",
	Repository:   "repo repository monorepo",
	Project:      "project programme initiative",
	Place:        "town city village port island harbour suburb",
	Product:      "phone printer camera ship ferry boat lamp tractor drone scanner",
})

// firmWords come before the name of a firm.
var firmWords = newWordSet("firma firmy firmą firmie firmę firmo société entreprise empresa ditta bedrijf företaget firmaet selskapet yritys şirketi cég фирма фирмы фирму фирме компания компании компанию")

// byForm knows types by the way a name is written.
func (d *document) typeByForm(i, j int) string {
	first, last := d.tokens[i], d.tokens[j-1]
	switch {
	case j-i > 1 && (first.lower == "project" || first.lower == "operation" || first.lower == "programme"):
		return Project
	case j-i > 1 && first.allCaps && d.shipPrefixes.has(first.lower):
		return Product
	case strings.HasPrefix(first.lower, "saint-") || strings.HasPrefix(first.lower, "sankt-"):
		return Place
	case d.docPrefixes.has(first.lower) && j-i > 1:
		return Document
	case j-i > 1 && first.lower == "team":
		return Organization
	case first.kind == numberToken:
		return Place
	case d.placeLetter(i, j), d.placePrefixes.has(first.lower) && j-i > 1 && !d.orgSuffixes.has(last.lower) && !d.legal(last.lower):
		return Place
	case last.kind == numberToken && len(last.lower) == 4 && d.docSuffixes.has(d.at(j-2).lower), len(last.lower) == 4 && strings.HasPrefix(last.lower, "20") && j-i > 2 && last.kind == numberToken:
		return Document
	case last.kind == numberToken && d.tokens[j-1].spaceBefore && d.placeSuffixes.has(d.at(j-2).lower), d.at(i-1).kind == numberToken && d.placeSuffixes.has(last.lower):
		return Place
	case last.kind == numberToken:
		return Product
	case j-i > 1 && d.productSuffixes.has(last.lower) && !d.maybeGivenName(last.lower):
		return Product
	}
	for k := i; k < j; k++ {
		if d.initial(k) && (k+2 < j || dotted(d.tokens[k].lower)) {
			return Person
		}
	}
	return ""
}

// byClassWord knows types by a word within the name.
func (d *document) typeByTypeWord(i, j int) string {
	first, last := d.tokens[i], d.tokens[j-1]
	if last.lower == "." && j-i > 1 {
		last = d.tokens[j-2]
	}
	switch {
	case j-i > 1 && d.legal(last.lower) && (!d.maybeGivenName(last.lower) || last.allCaps):
		return Organization
	case j-i > 1 && d.docSuffixes.has(last.lower) && !d.orgSuffixes.has(last.lower):
		return Document
	case j-i > 1 && d.placeNouns.has(last.lower) && d.places.has(d.gazetteerKey(i, j-1)):
		return Place
	case j-i > 1 && d.orgSuffixes.has(last.lower):
		return Organization
	case j-i > 1 && d.orgPrefixes.has(first.lower) && (!d.maybeGivenName(first.lower) || first.allCaps):
		return Organization
	case j-i > 1 && d.placeSuffixes.has(last.lower) && (j-i != 2 || !d.isGivenName(first.lower)):
		return Place
	case d.hasToken(i, j, "&"):
		return Organization
	}
	for k := i + 1; k < j; k++ {
		switch d.tokens[k].lower {
		case "of", "for", "and", "for the":
			if d.docSuffixes.has(d.tokens[k-1].lower) {
				return Document
			}
			return Organization
		}
	}
	if j-i == 1 && germanStreet(first.lower) {
		return Place
	}
	return ""
}

func germanStreet(w string) bool {
	for _, e := range []string{"straße", "strasse", "gasse", "gatan", "gade", "straat", "platz"} {
		if len(w) > len(e)+2 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

func (d *document) hasToken(i, j int, low string) bool {
	for _, t := range d.tokens[i:j] {
		if t.lower == low {
			return true
		}
	}
	return false
}

// byList knows types by the lists of names.
func (d *document) typeByGazetteer(i, j int) string {
	first := d.tokens[i]
	switch {
	case d.tools[d.gazetteerKey(i, j)] != "" && !d.isGivenName(first.lower):
		return d.tools[d.gazetteerKey(i, j)]
	case d.places.has(d.gazetteerKey(i, j)) && (!d.maybeGivenName(first.lower) || !d.personContext(i, j)):
		return Place
	case d.isGivenName(first.lower) && (j-i != 1 || !d.projectTriggers.has(d.at(j).lower)):
		return Person
	case j-i > 1 && d.maybeGivenName(first.lower) && !d.isCommon(d.tokens[j-1].lower):
		return Person
	}
	return ""
}

// personContext says whether what stands around a span does or gets what
// people do or get.
func (d *document) personContext(i, j int) bool {
	return d.personVerbs.has(d.at(j).lower) || d.personTriggers.has(d.at(i-1).lower) && !d.placePrepositions.has(d.at(i-1).lower) && d.at(i-1).lower != "from" && d.at(i-1).lower != "to"
}

// byContext knows types by the words around a name.
func (d *document) typeByContext(i, j int) string {
	before, after := d.at(i-1), d.at(j)
	if before.lineStart || d.tokens[i].lineStart {
		before = token{}
	}
	if after.lineStart {
		after = token{}
	}
	inner := camel(d.text[d.tokens[i].start:d.tokens[i].end])
	switch {
	case before.lower == "project" || before.lower == "operation" || d.projectTriggers.has(after.lower):
		return Project
	case firmWords.has(before.lower):
		return Organization
	case d.shipPrefixes.has(before.lower):
		return Product
	case d.productNouns.has(after.lower) && !inner:
		return Product
	case d.systemTriggers.has(after.lower) && (inner || d.allCommonWords(i, j)), before.lower == "bot", before.lower == "agent" && inner:
		return System
	case j-i == 1 && d.language(i) != "en" && townWords.has(before.lower):
		return Place
	case d.toolTriggers.has(after.lower), before.lower == "tool", before.lower == "library", before.lower == "app":
		return Tool
	case d.repositoryTriggers.has(after.lower):
		return Repository
	case d.personVerbs.has(after.lower) && !inner:
		return Person
	case j-i == 1 && d.placePrepositions.has(before.lower) && !inner:
		if d.allCommonWords(i, j) && before.lower == "in" {
			return Project
		}
		return Place
	case j-i == 1 && (before.lower == "from" || before.lower == "to" || before.lower == "at" || before.lower == "off") && travel.has(d.at(i-2).lower):
		return Place
	case employers.has(before.lower+" "+after.lower) || (before.lower == "joined" || before.lower == "join"), (before.lower == "at" || before.lower == "for") && working.has(d.at(i-2).lower):
		return Organization
	}
	return ""
}

var (
	travel    = newWordSet("flies flew travel travels travelled went goes go going came comes coming arrive arrives arrived moved moves move train flight bus ferry drive drove van trip route from back shipped landed lands born headed returns returned way")
	working   = newWordSet("work works worked working job career teaches taught studied studies intern internship")
	employers = wordSet{}
)

// townWords come before towns in other languages.
var townWords = newWordSet("nach aus in da à en naar te till til fra från i w do z из в во до")

// camel says whether a word has a capital after a small letter, as BasketPricer.
func camel(w string) bool {
	for _, p := range []string{"Mc", "Mac", "De", "Di", "Du", "La", "Le", "Van", "Fitz", "O'", "D'", "L'", "Da", "El"} {
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

// byWords is the last resort: what the words are by themselves.
func (d *document) typeByDefault(i, j int) string {
	first, last := d.tokens[i], d.tokens[j-1]
	words, common, inner := 0, 0, false
	for _, t := range d.tokens[i:j] {
		if t.word() {
			words++
			common += boolInt(d.isCommonToken(t) && !d.maybeGivenName(t.lower) && !d.surnameParticles.has(t.lower))
			inner = inner || camel(d.text[t.start:t.end])
		}
	}
	title := first.lower == "the" || d.quoted(i, j)
	switch {
	case inner && words > 1:
		return Product
	case inner && d.systemVerb(j):
		return System
	case inner:
		return Tool
	case title && words > 2 && common > 0 && d.hasByAfter(j):
		return Document
	case first.lower == "the":
		return Organization
	case words > 1 && common > 0 && d.maybeGivenName(first.lower) && !d.commonStems.has(last.lower):
		return Person
	case words > 1 && d.at(i-1).lower == "the" && !d.isGivenName(first.lower):
		return Product
	case words > 1 && common == words:
		if d.at(i-1).lower == "the" {
			return Product
		}
		return Project
	case words > 1 && common > 0 && !d.personBefore(i):
		return Organization
	case words == 1 && common == 1:
		if d.systemVerb(j) {
			return System
		}
		return Project
	case first.allCaps && words == 1:
		return Organization
	}
	return Person
}

// quoted says whether a span fills its quotes.
func (d *document) quoted(i, j int) bool {
	return (d.at(i-1).lower == "\"" || d.at(i-1).lower == "“") && closesQuote(d.at(j).lower)
}

func (d *document) hasByAfter(j int) bool { return d.at(j).lower == "by" || d.at(j+1).lower == "by" }

// personBefore says whether a title or a label of people stands before i.
func (d *document) personBefore(i int) bool {
	return d.honorifics.has(d.at(i-1).lower) || labels.has(d.at(i-1).lower)
}

// systemVerb says whether what follows does what machines do.
func (d *document) systemVerb(j int) bool {
	return d.systemTriggers.has(d.at(j).lower) || machineVerbs.has(d.at(j).lower) || d.at(j).lower == "is" && machineVerbs.has(d.at(j+1).lower)
}

var machineVerbs = newWordSet("crashes crashed restarts restarted logs returns returned retries times emits consumes processes must does doesn't fails failed hangs hung writes deadlocks serves polls down unreachable slow offline up full red green stuck")
