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
	if d.at(i-1).kind == numberTok && len(d.at(i-1).low) <= 4 && d.toks[i].gap && !d.toks[i].line && d.in("placelast", d.toks[j-1].low) && j-i > 1 {
		i-- // the house number
	}
	if !titled && n.word() && !n.cap && n.gap && !n.line && d.in("placelower", n.low) && d.placeBefore(i, j) && !d.in("orgfull", d.toks[i].low+"-"+n.low) {
		s.typ, s.sure, s.rule = Place, true, "place with class word"
		j++
	} else {
		s.typ, s.sure = d.classify(i, j, titled)
	}
	s.start, s.end = d.toks[i].start, d.toks[j-1].end
	d.add(s)
}

// placeBefore says whether [i, j) can be the town of "Ghent office".
func (d *document) placeBefore(i, j int) bool {
	low := d.toks[i].low
	return d.toks[j-1].kind == wordTok && (d.places.has(d.placeKey(i, j)) || j-i == 1 && !d.givenName(low) && !d.in("orglast", low)) && !d.in("formats", low)
}

func (d *document) placeKey(i, j int) string {
	parts := make([]string, 0, j-i)
	for _, t := range d.toks[i:j] {
		parts = append(parts, t.low)
	}
	return strings.Join(parts, "-")
}

// classify tells the type of a name, and whether the span itself says so.
func (d *document) classify(i, j int, titled bool) (typ string, sure bool) {
	if titled {
		return Person, true
	}
	for _, rule := range []func(i, j int) string{d.byForm, d.byClassWord, d.byList} {
		if typ := rule(i, j); typ != "" {
			return typ, true
		}
	}
	for _, rule := range []func(i, j int) string{d.byContext, d.byApposition} {
		if typ := rule(i, j); typ != "" {
			return typ, false
		}
	}
	return d.byWords(i, j), false
}

// byApposition knows types by what stands behind a comma: "firebird, the new
// cluster".
func (d *document) byApposition(_, j int) string {
	if d.at(j).low != "," || !determiners.has(d.at(j+1).low) && !articles.has(d.at(j+1).low) || d.at(j).line {
		return ""
	}
	k := j + 2
	if n := d.at(k + 1); n.word() && !n.cap && n.gap && !n.line && d.common(d.at(k).low) && appositions[n.low] != "" {
		k++
	}
	return appositions[d.at(k).low]
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
var firmWords = cues("firma firmy firmą firmie firmę firmo société entreprise empresa ditta bedrijf företaget firmaet selskapet yritys şirketi cég фирма фирмы фирму фирме компания компании компанию")

// byForm knows types by the way a name is written.
func (d *document) byForm(i, j int) string {
	first, last := d.toks[i], d.toks[j-1]
	switch {
	case j-i > 1 && (first.low == "project" || first.low == "operation" || first.low == "programme"):
		return Project
	case j-i > 1 && first.upper && d.in("ships", first.low):
		return Product
	case strings.HasPrefix(first.low, "saint-") || strings.HasPrefix(first.low, "sankt-"):
		return Place
	case d.in("docfirst", first.low) && j-i > 1:
		return Document
	case j-i > 1 && first.low == "team":
		return Organization
	case first.kind == numberTok:
		return Place
	case d.placeLetter(i, j), d.in("placefirst", first.low) && j-i > 1 && !d.in("orglast", last.low) && !d.legal(last.low):
		return Place
	case last.kind == numberTok && len(last.low) == 4 && d.in("doclast", d.at(j-2).low), len(last.low) == 4 && strings.HasPrefix(last.low, "20") && j-i > 2 && last.kind == numberTok:
		return Document
	case last.kind == numberTok && d.toks[j-1].gap && d.in("placelast", d.at(j-2).low), d.at(i-1).kind == numberTok && d.in("placelast", last.low):
		return Place
	case last.kind == numberTok:
		return Product
	case j-i > 1 && d.in("productlast", last.low) && !d.anyName(last.low):
		return Product
	}
	for k := i; k < j; k++ {
		if d.initial(k) && (k+2 < j || dotted(d.toks[k].low)) {
			return Person
		}
	}
	return ""
}

// byClassWord knows types by a word within the name.
func (d *document) byClassWord(i, j int) string {
	first, last := d.toks[i], d.toks[j-1]
	if last.low == "." && j-i > 1 {
		last = d.toks[j-2]
	}
	switch {
	case j-i > 1 && d.legal(last.low) && (!d.anyName(last.low) || last.upper):
		return Organization
	case j-i > 1 && d.in("doclast", last.low) && !d.in("orglast", last.low):
		return Document
	case j-i > 1 && d.in("placelower", last.low) && d.places.has(d.placeKey(i, j-1)):
		return Place
	case j-i > 1 && d.in("orglast", last.low):
		return Organization
	case j-i > 1 && d.in("orgfirst", first.low) && (!d.anyName(first.low) || first.upper):
		return Organization
	case j-i > 1 && d.in("placelast", last.low) && (j-i != 2 || !d.givenName(first.low)):
		return Place
	case d.hasToken(i, j, "&"):
		return Organization
	}
	for k := i + 1; k < j; k++ {
		switch d.toks[k].low {
		case "of", "for", "and", "for the":
			if d.in("doclast", d.toks[k-1].low) {
				return Document
			}
			return Organization
		}
	}
	if j-i == 1 && germanStreet(first.low) {
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
	for _, t := range d.toks[i:j] {
		if t.low == low {
			return true
		}
	}
	return false
}

// byList knows types by the lists of names.
func (d *document) byList(i, j int) string {
	first := d.toks[i]
	switch {
	case d.tools[d.placeKey(i, j)] != "" && !d.givenName(first.low):
		return d.tools[d.placeKey(i, j)]
	case d.places.has(d.placeKey(i, j)) && (!d.anyName(first.low) || !d.personContext(i, j)):
		return Place
	case d.givenName(first.low) && (j-i != 1 || !d.in("projectcue", d.at(j).low)):
		return Person
	case j-i > 1 && d.anyName(first.low) && !d.common(d.toks[j-1].low):
		return Person
	}
	return ""
}

// personContext says whether what stands around a span does or gets what
// people do or get.
func (d *document) personContext(i, j int) bool {
	return d.in("personverbs", d.at(j).low) || d.in("personcue", d.at(i-1).low) && !d.in("placeprep", d.at(i-1).low) && d.at(i-1).low != "from" && d.at(i-1).low != "to"
}

// byContext knows types by the words around a name.
func (d *document) byContext(i, j int) string {
	before, after := d.at(i-1), d.at(j)
	if before.line || d.toks[i].line {
		before = token{}
	}
	if after.line {
		after = token{}
	}
	inner := camel(d.text[d.toks[i].start:d.toks[i].end])
	switch {
	case before.low == "project" || before.low == "operation" || d.in("projectcue", after.low):
		return Project
	case firmWords.has(before.low):
		return Organization
	case d.in("ships", before.low):
		return Product
	case d.in("productnoun", after.low) && !inner:
		return Product
	case d.in("systemcue", after.low) && (inner || d.allCommon(i, j)), before.low == "bot", before.low == "agent" && inner:
		return System
	case j-i == 1 && d.language(i) != "en" && townWords.has(before.low):
		return Place
	case d.in("toolcue", after.low), before.low == "tool", before.low == "library", before.low == "app":
		return Tool
	case d.in("repocue", after.low):
		return Repository
	case d.in("personverbs", after.low) && !inner:
		return Person
	case j-i == 1 && d.in("placeprep", before.low) && !inner:
		if d.allCommon(i, j) && before.low == "in" {
			return Project
		}
		return Place
	case j-i == 1 && (before.low == "from" || before.low == "to" || before.low == "at" || before.low == "off") && travel.has(d.at(i-2).low):
		return Place
	case employers.has(before.low+" "+after.low) || (before.low == "joined" || before.low == "join"), (before.low == "at" || before.low == "for") && working.has(d.at(i-2).low):
		return Organization
	}
	return ""
}

var (
	travel    = cues("flies flew travel travels travelled went goes go going came comes coming arrive arrives arrived moved moves move train flight bus ferry drive drove van trip route from back shipped landed lands born headed returns returned way")
	working   = cues("work works worked working job career teaches taught studied studies intern internship")
	employers = set{}
)

// townWords come before towns in other languages.
var townWords = cues("nach aus in da à en naar te till til fra från i w do z из в во до")

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
func (d *document) byWords(i, j int) string {
	first, last := d.toks[i], d.toks[j-1]
	words, common, inner := 0, 0, false
	for _, t := range d.toks[i:j] {
		if t.word() {
			words++
			common += boolInt(d.ordinary(t) && !d.anyName(t.low) && !d.in("particles", t.low))
			inner = inner || camel(d.text[t.start:t.end])
		}
	}
	title := first.low == "the" || d.quoted(i, j)
	switch {
	case inner && words > 1:
		return Product
	case inner && d.systemVerb(j):
		return System
	case inner:
		return Tool
	case title && words > 2 && common > 0 && d.hasByAfter(j):
		return Document
	case first.low == "the":
		return Organization
	case words > 1 && common > 0 && d.anyName(first.low) && !d.commonBase.has(last.low):
		return Person
	case words > 1 && d.at(i-1).low == "the" && !d.givenName(first.low):
		return Product
	case words > 1 && common == words:
		if d.at(i-1).low == "the" {
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
	case first.upper && words == 1:
		return Organization
	}
	return Person
}

// quoted says whether a span fills its quotes.
func (d *document) quoted(i, j int) bool {
	return (d.at(i-1).low == "\"" || d.at(i-1).low == "“") && closesQuote(d.at(j).low)
}

func (d *document) hasByAfter(j int) bool { return d.at(j).low == "by" || d.at(j+1).low == "by" }

// personBefore says whether a title or a label of people stands before i.
func (d *document) personBefore(i int) bool {
	return d.in("persontitles", d.at(i-1).low) || labels.has(d.at(i-1).low)
}

// systemVerb says whether what follows does what machines do.
func (d *document) systemVerb(j int) bool {
	return d.in("systemcue", d.at(j).low) || machineVerbs.has(d.at(j).low) || d.at(j).low == "is" && machineVerbs.has(d.at(j+1).low)
}

var machineVerbs = cues("crashes crashed restarts restarted logs returns returned retries times emits consumes processes must does doesn't fails failed hangs hung writes deadlocks serves polls down unreachable slow offline up full red green stuck")
