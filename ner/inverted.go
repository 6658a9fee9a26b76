package ner

// findInverted finds names with the surname first: "Doe, Jane" where the name
// stands alone, and "DOE/JANE MARY" of tickets and lists.
func (d *document) findInverted() {
	for i, t := range d.toks {
		if !t.word() || !t.cap || len(t.low) < 2 {
			continue
		}
		sep, given := d.at(i+1), d.at(i+2)
		if !given.word() || !given.cap || given.line {
			continue
		}
		if sep.low != "," && sep.low != "/" {
			continue
		}
		end := i + 3
		for end < i+maxName && d.at(end).word() && d.at(end).cap && d.at(end).gap && !d.at(end).line && (d.anyName(d.at(end).low) || len(d.at(end).low) == 1) {
			end++
		}
		comma := sep.low == "," && given.gap && d.givenName(given.low) && !d.givenName(t.low) && !d.common(t.low) && d.standsAlone(i, end)
		slash := sep.low == "/" && !sep.gap && !given.gap && t.upper && given.upper && d.nameLike(t.low) && d.nameLike(given.low)
		if comma || slash {
			for slash && end < i+maxName && d.at(end).word() && d.at(end).upper && d.at(end).gap && !d.at(end).line && d.nameLike(d.at(end).low) {
				end++
			}
			d.add(span{start: t.start, end: d.toks[end-1].end, typ: Person, rule: "inverted", sure: true})
		}
	}
}

// standsAlone says whether [i, end) fills a field, a cell or a line, or an
// address or number in brackets follows.
func (d *document) standsAlone(i, end int) bool {
	before, after := d.at(i-1), d.at(end)
	open := d.toks[i].line || fieldStarts.has(before.low)
	return open && (after.line || fieldEnds.has(after.low))
}

var fieldStarts, fieldEnds = cues("| \" : ( ; = ,"), cues("| \" ( < ; )")

func (d *document) nameLike(w string) bool {
	return len(w) > 2 && !d.common(w) && !d.in("formats", w) && !d.in("orglast", w)
}
