package ner

import (
	"regexp"
	"strings"
)

// Identifiers that may hold spaces: the expressions are anchored and bounded,
// and tried only where a digit, a plus sign or a code begins.
var (
	phoneForm = regexp.MustCompile(`^(?:\+\d{1,3}[ .-]?(?:\(0\)[ ]?)?|\(\d{2,5}\)[ ]?)?\d{1,5}(?:[ ./-]\d{2,7}){0,6}`)
	ibanForm  = regexp.MustCompile(`^[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,8}(?: [A-Z0-9]{1,4})?\b`)
	codeForm  = regexp.MustCompile(`^(?:[A-Z]{1,4}[ -]?)?(?:\d[\dA-Z]*|[A-Z]+\d[\dA-Z]*)(?:[-/.][\dA-Z]+)*(?: \d{2,4})*`)
	smallCode = regexp.MustCompile(`^[a-z]{1,4}(?:-\d+)+$`)
	spacedTag = regexp.MustCompile(`^[A-Z]{2,4} ?$`)
	yearForm  = regexp.MustCompile(`^(?:19|20)\d\d$`)
	// dates and times are no identifiers, whatever stands before them
	dateForm = regexp.MustCompile(`^(?:\d{4}-\d\d(?:-\d\d)?(?:\D|$)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\D|$)|\d{1,2}:\d\d|\d{1,2}\.\d{1,2}\.)`)
)

var phoneCues = newWordSet("tel phone telephone call called ring rang hotline mobile cell fax number at on under telefon tél text sms dial whatsapp reach")

// codeCues stand before the number of a thing; "number", "no" and the like may
// stand between.
var codeCues = newWordSet("flight order invoice serial lot batch tracking parcel shipment ticket case reference ref passport policy account acct customer contract permit licence license vat tag booking claim po rechnung commande factura sku article item part claim receipt docket dossier file meter membership member registration consignment container waybill voucher")

var numberWords = newWordSet("no nr number num id code # ref")

// copulas may stand between a cue and its number: "my policy number is".
var copulas = newWordSet("is was are ist est è es")

// numberAt finds a phone, account or code that begins with the atom. It
// returns the end of it, or 0.
func (d *document) numberAt(a atom) (end int, rule string) {
	rest := d.text[a.start:min(len(d.text), a.start+64)]
	before := strings.Fields(a.before)
	before = before[max(0, len(before)-2):]
	if a.prior == '(' && isDigit(rest[0]) {
		// "(0171) 555": the bracket belongs to the number, the text before decides
		a.prior = 0
	}
	if m := ibanForm.FindString(rest); len(m) >= 15 {
		return a.start + len(m), "account"
	}
	if end := d.phoneAt(a, rest, before); end > 0 {
		return end, "phone"
	}
	return d.codeAt(a, rest, before)
}

func (d *document) phoneAt(a atom, rest string, before []string) int {
	m := phoneForm.FindString(rest)
	if m == "" || dateForm.MatchString(rest) || a.prior != 0 && (isWordRune(rune(a.prior)) || strings.IndexByte("-/.:#", a.prior) >= 0) {
		return 0
	}
	n := 0
	for i := range len(m) {
		if isDigit(m[i]) {
			n++
		}
	}
	if next := a.start + len(m); next < len(d.text) && (isWordRune(rune(d.text[next])) || d.text[next] == ':' && next+1 < len(d.text) && d.text[next+1] > ' ' || d.text[next] == '.' && next+1 < len(d.text) && isDigit(d.text[next+1])) {
		return 0
	}
	spaced := strings.ContainsAny(m, " -/.")
	cued := false
	for _, w := range before {
		cued = cued || phoneCues.has(w)
	}
	switch {
	case m[0] == '+' && n >= 7, m[0] == '0' && n >= 7 && n <= 15 && (spaced || n >= 9), spaced && cued && n >= 6 && n <= 15:
		return a.start + len(m)
	}
	return 0
}

// codeAt finds "order 5512", "VAT number DK 40 55 01 99", "KQ 884213".
func (d *document) codeAt(a atom, rest string, before []string) (end int, rule string) {
	cued, strong := false, false
	if n := len(before); n > 0 {
		last := before[n-1]
		strong = n > 1 && numberWords.has(last) && codeCues.has(before[n-2])
		cued = codeCues.has(last) || strong
	}
	if !cued || dateForm.MatchString(rest) {
		return 0, ""
	}
	m := strings.TrimRight(codeForm.FindString(rest), " -/.")
	if strong && m == "" && smallCode.MatchString(a.text) {
		m = a.text
	}
	digits := 0
	for i := range len(m) {
		if isDigit(m[i]) {
			digits++
		}
	}
	if a.titled && yearForm.MatchString(m) {
		return 0, ""
	}
	if len(m) < len(a.text) || digits == 0 || len(m) < 3 || digits == len(m) && len(m) < 4 && !strong {
		return 0, ""
	}
	if next := a.start + len(m); next < len(d.text) && isWordRune(rune(d.text[next])) {
		return 0, ""
	}
	return a.start + len(m), "number"
}
