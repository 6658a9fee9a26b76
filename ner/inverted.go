package ner

// findInverted finds names with the surname first: "Doe, Jane" where the name
// stands alone, and "DOE/JANE MARY" of tickets and lists.
func (d *document) findInverted() {
	for i, t := range d.tokens {
		if !t.word() || !t.capital || len(t.lower) < 2 {
			continue
		}
		sep, given := d.at(i+1), d.at(i+2)
		if !given.word() || !given.capital || given.lineStart {
			continue
		}
		if sep.lower != "," && sep.lower != "/" {
			continue
		}
		end := i + 3
		for end < i+maxName && d.at(end).word() && d.at(end).capital && d.at(end).spaceBefore && !d.at(end).lineStart && (d.maybeGivenName(d.at(end).lower) || len(d.at(end).lower) == 1) {
			end++
		}
		comma := sep.lower == "," && given.spaceBefore && d.isGivenName(given.lower) && !d.isGivenName(t.lower) && !d.isCommon(t.lower) && d.standsAlone(i, end)
		slash := sep.lower == "/" && !sep.spaceBefore && !given.spaceBefore && t.allCaps && given.allCaps && d.nameLike(t.lower) && d.nameLike(given.lower)
		if comma || slash {
			for slash && end < i+maxName && d.at(end).word() && d.at(end).allCaps && d.at(end).spaceBefore && !d.at(end).lineStart && d.nameLike(d.at(end).lower) {
				end++
			}
			d.add(span{start: t.start, end: d.tokens[end-1].end, typ: Person, rule: "inverted", sure: true})
		}
	}
}

// standsAlone says whether [i, end) fills a field, a cell or a line, or an
// address or number in brackets follows.
func (d *document) standsAlone(i, end int) bool {
	before, after := d.at(i-1), d.at(end)
	open := d.tokens[i].lineStart || fieldStarts.has(before.lower)
	return open && (after.lineStart || fieldEnds.has(after.lower))
}

var fieldStarts, fieldEnds = newWordSet("| \" : ( ; = ,"), newWordSet("| \" ( < ; )")

func (d *document) nameLike(w string) bool {
	return len(w) > 2 && !d.isCommon(w) && !d.formatNames.has(w) && !d.orgSuffixes.has(w)
}
