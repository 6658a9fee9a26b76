package ner

// findInvertedNames finds names with the surname first: "Doe, Jane" alone in a
// field, and the "DOE/JANE MARY" of tickets and passenger lists.
func (d *document) findInvertedNames() {
	for i, t := range d.tokens {
		given := d.at(i + 2)
		if !t.isCapitalWord() || len(t.lower) < 2 || !given.isCapitalWord() || given.lineStart {
			continue
		}
		end := 0
		switch d.at(i + 1).lower {
		case ",":
			end = d.commaName(i)
		case "/":
			end = d.slashName(i)
		}
		if end > 0 {
			d.add(span{start: t.start, end: d.tokens[end-1].end, typ: Person, rule: "inverted", certain: true})
		}
	}
}

// commaName returns the end of the "Doe, Jane" that begins at token i, 0 if none
// does.
func (d *document) commaName(i int) int {
	surname, given := d.tokens[i].lower, d.at(i+2)
	if !given.spaceBefore || !d.IsGivenName(given.lower) || d.IsGivenName(surname) || d.IsCommon(surname) {
		return 0
	}
	if end := d.givenNamesEnd(i); d.fillsField(i, end) {
		return end
	}
	return 0
}

// slashName returns the end of the "DOE/JANE MARY" that begins at token i, 0 if
// none does.
func (d *document) slashName(i int) int {
	surname, slash, given := d.tokens[i], d.at(i+1), d.at(i+2)
	if slash.spaceBefore || given.spaceBefore || !d.isShoutedName(surname) || !d.isShoutedName(given) {
		return 0
	}
	end := d.givenNamesEnd(i)
	for end < i+maxName && d.at(end).adjacent() && d.isShoutedName(d.at(end)) {
		end++
	}
	return end
}

// givenNamesEnd returns the end of the given names and initials of the inverted
// name that begins at token i.
func (d *document) givenNamesEnd(i int) int {
	end := i + 3
	for end < i+maxName && d.isCapitalNext(end-1) && (d.MaybeGivenName(d.at(end).lower) || len(d.at(end).lower) == 1) {
		end++
	}
	return end
}

// fillsField reports whether [i, end) is all of a field, a cell or a line, but
// for an address or a number in brackets after it.
func (d *document) fillsField(i, end int) bool {
	after := d.at(end)
	return (d.tokens[i].lineStart || fieldStarts.Has(d.at(i-1).lower)) && (after.lineStart || fieldEnds.Has(after.lower))
}

// isShoutedName reports whether t is a word in capitals that is neither common
// nor a format.
func (d *document) isShoutedName(t token) bool {
	return t.isWord() && t.allCaps && len(t.lower) > 2 &&
		!d.IsCommon(t.lower) && !d.FormatNames.Has(t.lower) && !d.OrgSuffixes.Has(t.lower)
}
