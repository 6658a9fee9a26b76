package ner

import "strings"

// columnTypes are the last words of table heads, with the entity types of the
// cells below.
var columnTypes = typesByWord(map[string]string{
	Person: "owner owners keeper who whom assignee contact person reviewer approver responsible author backup deputy " +
		"maintainer engineer lead manager driver speaker attendee",
	System:       "host hosts service services server servers system systems machine node component bot database cluster",
	Tool:         "tool tools library cli",
	Repository:   "repo repos repository repositories",
	Project:      "project projects programme initiative",
	Place:        "site sites place city town room location office venue country",
	Organization: "company firm vendor supplier suppliers organisation organization employer",
	Product:      "product products model device",
	Document:     "file files document documents",
})

// findTableCells finds the names in the cells of Markdown tables whose column
// head gives a type.
func (d *document) findTableCells() {
	var heads []string
	at := 0
	for line := range strings.Lines(d.text) {
		from := at
		at += len(line)
		switch {
		case !strings.HasPrefix(strings.TrimLeft(line, " \t"), "|"):
			heads = nil
		case heads == nil:
			heads = columnHeads(line)
		default:
			d.findRowCells(from, line, heads)
		}
	}
}

// columnHeads returns the types of the columns below the head of a table, "" for
// columns without.
func columnHeads(line string) []string {
	heads := []string{}
	for cell := range strings.SplitSeq(line, "|") {
		typ := ""
		if words := strings.Fields(strings.ToLower(cell)); len(words) > 0 {
			typ = columnTypes[strings.Trim(words[len(words)-1], "*_")]
		}
		heads = append(heads, typ)
	}
	return heads
}

// findRowCells finds the names in a row that begins at byte at.
func (d *document) findRowCells(at int, line string, heads []string) {
	for _, typ := range heads {
		cell, rest, more := strings.Cut(line, "|")
		if typ != "" {
			name := strings.Trim(cell, " \t\r\n*_`")
			if d.isCellName(name, typ) {
				start := at + strings.Index(cell, name)
				d.add(span{start: start, end: start + len(name), typ: typ, rule: "table cell", certain: true})
			}
		}
		if !more {
			return
		}
		at, line = at+len(cell)+1, rest
	}
}

// isCellName reports whether a cell is a name of a type: neither a sentence nor a
// number, nor a common word where a person or a place is expected.
func (d *document) isCellName(name, typ string) bool {
	const maxWords = 3
	low := strings.ToLower(name)
	words := strings.Fields(low)
	if len(words) == 0 || len(words) > maxWords || strings.ContainsAny(name, ",;:?!/@#<>()[]") ||
		emptyCells.Has(words[0]) || strings.Trim(name, "0123456789.-+%") == "" || d.hasFunctionWord(words) {
		return false
	}
	capital, several := low != name, len(words) > 1
	switch typ {
	case System, Tool, Repository:
		return capital || !several
	case Person:
		return capital || several || d.IsGivenName(low)
	}
	return capital
}

// hasFunctionWord reports whether one of words is a function word, a role, a team
// or a date.
func (d *document) hasFunctionWord(words []string) bool {
	for _, w := range words {
		starterOrDate := d.SentenceStarters.Has(w) || d.CalendarWords.Has(w)
		if starterOrDate && !d.MaybeGivenName(w) || d.RoleHeads.Has(w) || d.Functions.Has(w) {
			return true
		}
	}
	return false
}

// findQuotedTitles finds titles in quotation marks: in title case, with a
// function word or more words than a name has.
func (d *document) findQuotedTitles() {
	for i, t := range d.tokens {
		if t.kind != punctToken || !opensQuote(t.lower) {
			continue
		}
		if end := d.titleEnd(i + 1); end > i+1 && d.isTitle(i+1, end) {
			d.add(span{
				start: d.tokens[i+1].start, end: d.tokens[end-1].end, typ: Document, rule: "quoted title", certain: true,
			})
		}
	}
}

func opensQuote(s string) bool { return s == "\"" || s == "“" || s == "«" || s == "„" }

// maxTitle bounds the words of a title.
const maxTitle = 10

// titleEnd returns the place of the closing quotation mark after words in title
// case from token i, 0 if there is none.
func (d *document) titleEnd(i int) int {
	for j := i; j < i+maxTitle; j++ {
		t := d.at(j)
		if t.kind == punctToken && (closesQuote(t.lower) || t.lower == "»") {
			return j
		}
		particle := j > i && titleParticles.Has(t.lower)
		if !t.isWord() || t.lineStart || t.allCaps || !t.capital && !particle {
			return 0
		}
	}
	return 0
}

// isTitle reports whether the words [i, end), in title case, are a title: at
// least two capitals with a particle between, or three, and not all of them parts
// of names.
func (d *document) isTitle(i, end int) bool {
	capitals, particles, common := 0, 0, 0
	for _, t := range d.tokens[i:end] {
		if t.capital {
			capitals++
			common += boolInt(d.IsCommon(t.lower) && !d.MaybeGivenName(t.lower))
		} else {
			particles++
		}
	}
	return d.tokens[end-1].capital && (capitals >= 3 || capitals == 2 && particles > 0) && common > 0 &&
		!d.candidate(i, end).endsInTypeSuffix() && !d.OrgPrefixes.Has(d.tokens[i].lower)
}
