package ner

import "strings"

// columns are the types that the heads of a table give to the cells below, by
// the last word of the head.
var columns = columnTypes(map[string]string{
	Person:       "owner owners keeper who whom assignee contact person reviewer approver responsible author backup deputy maintainer engineer lead manager driver speaker attendee",
	System:       "host hosts service services server servers system systems machine node component bot database cluster",
	Tool:         "tool tools library cli",
	Repository:   "repo repos repository repositories",
	Project:      "project projects programme initiative",
	Place:        "site sites place city town room location office venue country",
	Organization: "company firm vendor supplier suppliers organisation organization employer",
	Product:      "product products model device",
	Document:     "file files document documents",
})

func columnTypes(lists map[string]string) map[string]string {
	types := map[string]string{}
	for typ, list := range lists {
		for w := range strings.FieldsSeq(list) {
			types[w] = typ
		}
	}
	return types
}

// findTables gives the cells of Markdown tables the types that the head of
// their column says.
func (d *document) findTables() {
	var heads []string
	at := 0
	for line := range strings.Lines(d.text) {
		from := at
		at += len(line)
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "|") {
			heads = nil
			continue
		}
		if heads == nil {
			heads = columnHeads(line)
			continue
		}
		d.tableRow(from, line, heads)
	}
}

func columnHeads(line string) []string {
	heads := []string{}
	for cell := range strings.SplitSeq(line, "|") {
		words := strings.Fields(strings.ToLower(cell))
		typ := ""
		if len(words) > 0 {
			typ = columns[strings.Trim(words[len(words)-1], "*_")]
		}
		heads = append(heads, typ)
	}
	return heads
}

func (d *document) tableRow(at int, line string, heads []string) {
	for n := range heads {
		cell, rest, more := strings.Cut(line, "|")
		if heads[n] != "" {
			name := strings.Trim(cell, " \t\r\n*_`")
			if i := strings.Index(cell, name); d.cellName(name, heads[n]) {
				d.add(span{start: at + i, end: at + i + len(name), typ: heads[n], rule: "table cell", sure: true})
			}
		}
		if !more {
			return
		}
		at, line = at+len(cell)+1, rest
	}
}

// cellName says whether a cell is a name of a type: no sentence, no number, no
// ordinary word where a person or a place is expected.
func (d *document) cellName(name, typ string) bool {
	low := strings.ToLower(name)
	words := strings.Fields(low)
	if len(words) == 0 || len(words) > 3 || strings.ContainsAny(name, ",;:?!/@#<>()[]") || emptyCells.has(words[0]) || strings.Trim(name, "0123456789.-+%") == "" {
		return false
	}
	coded := typ == System || typ == Tool || typ == Repository
	for _, w := range words {
		if d.sentenceStarters.has(w) && !d.maybeGivenName(w) || d.roleHeads.has(w) || d.functions.has(w) || d.calendarWords.has(w) && !d.maybeGivenName(w) {
			return false
		}
	}
	switch {
	case coded:
		return len(words) == 1 || low != name
	case typ == Person && len(words) == 1 && low == name && !d.isGivenName(low):
		return false
	}
	return low != name || typ == Person
}

var emptyCells = newWordSet("none nobody n/a na tbd tba unknown - — ? yes no open closed done pending both all any me us you everyone various vacant")

// smallInTitles are words without a capital inside a title.
var smallInTitles = newWordSet("a an the of and or in on at to for from by with as its nor but into")

// findTitles finds titles in quotes: capitals throughout but for the small
// words between, and more than a name has.
func (d *document) findTitles() {
	for i, t := range d.tokens {
		if t.kind != punctToken || t.lower != "\"" && t.lower != "“" && t.lower != "«" && t.lower != "„" {
			continue
		}
		if end := d.titleEnd(i + 1); end > 0 {
			d.add(span{start: d.tokens[i+1].start, end: d.tokens[end-1].end, typ: Document, rule: "quoted title", sure: true})
		}
	}
}

// maxTitle bounds the words of a title.
const maxTitle = 10

// titleEnd is the end of the title that begins at token i, 0 if there is none.
func (d *document) titleEnd(i int) int {
	capital, small, isCommonToken := 0, 0, 0
	for j := i; j < i+maxTitle; j++ {
		t := d.at(j)
		switch {
		case t.kind == punctToken && (closesQuote(t.lower) || t.lower == "»") && j > i:
			last := d.tokens[j-1]
			if !last.capital || small == 0 && capital < 3 || capital < 2 || isCommonToken == 0 || d.endsInTypeSuffix(i, j) || d.orgPrefixes.has(d.at(i).lower) {
				return 0
			}
			return j
		case !t.word() || t.lineStart || t.allCaps:
			return 0
		case t.capital:
			capital++
			isCommonToken += boolInt(d.isCommon(t.lower) && !d.maybeGivenName(t.lower))
		case smallInTitles.has(t.lower) && j > i:
			small++
		default:
			return 0
		}
	}
	return 0
}
