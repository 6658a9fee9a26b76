package identifier

import (
	"regexp"
	"slices"
	"strings"

	"tenure/ner/words"
)

// The forms of identifiers that may hold spaces. They are anchored and bounded,
// and tried only where a digit, a plus sign or a code begins.
var (
	phoneForm = regexp.MustCompile(
		`^(?:\+\d{1,3}[ .-]?(?:\(0\)[ ]?)?|\(\d{2,5}\)[ ]?)?\d{1,5}(?:[ ./-]\d{2,7}){0,6}`)
	ibanForm  = regexp.MustCompile(`^[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,8}(?: [A-Z0-9]{1,4})?\b`)
	codeForm  = regexp.MustCompile(`^(?:[A-Z]{1,4}[ -]?)?(?:\d[\dA-Z]*|[A-Z]+\d[\dA-Z]*)(?:[-/.][\dA-Z]+)*(?: \d{2,4})*`)
	smallCode = regexp.MustCompile(`^[a-z]{1,4}(?:-\d+)+$`)
	yearForm  = regexp.MustCompile(`^(?:19|20)\d\d$`)
	// dateForm matches dates and times, which are no identifiers after any trigger.
	dateForm = regexp.MustCompile(
		`^(?:\d{4}-\d\d(?:-\d\d)?(?:\D|$)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\D|$)|\d{1,2}:\d\d|\d{1,2}\.\d{1,2}\.)`)
)

// maxNumber bounds identifiers with spaces, in bytes.
const maxNumber = 64

// isTag reports whether s is two to four capitals, with which a number may begin.
func isTag(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return len(s) >= 2 && len(s) <= 4
}

// numberAt returns the end of the account, phone number or code that begins with
// a raw token, 0 if none does.
func (f *finder) numberAt(a rawToken) (end int, rule string) {
	rest := f.text[a.start:min(len(f.text), a.start+maxNumber)]
	if a.prev == '(' && words.IsDigit(rest[0]) {
		a.prev = 0 // the bracket of "(0171) 555" belongs to the number
	}
	const minIBAN = 15
	if len(rest) >= minIBAN && a.signs&upper != 0 {
		if m := ibanForm.FindString(rest); len(m) >= minIBAN {
			return a.start + len(m), "account"
		}
	}
	if m := f.phone(a, rest); m != "" {
		return a.start + len(m), "phone"
	}
	if m := f.code(a, rest); m != "" {
		return a.start + len(m), "number"
	}
	return 0, ""
}

// lastTwo returns the two words before the raw token, or as many as there are.
func (a *rawToken) lastTwo() []string {
	before := strings.Fields(a.before())
	return before[max(0, len(before)-2):]
}

// phone returns the phone number that rest begins with, or "".
func (f *finder) phone(a rawToken, rest string) string {
	if countDigits(rest) < minPhone {
		return ""
	}
	m := phoneForm.FindString(rest)
	if m == "" || dateForm.MatchString(rest) || isInsideNumber(a.prev) || f.numberContinues(a.start+len(m)) {
		return ""
	}
	triggered := slices.ContainsFunc(a.lastTwo(), phoneTriggers.Has)
	if !isPhone(m, triggered) {
		return ""
	}
	return m
}

// minPhone is the least number of digits of a phone number.
const minPhone = 6

// isPhone reports whether m has the digits of a phone number. Without a leading
// plus sign or zero, a trigger word and separators are needed.
func isPhone(m string, triggered bool) bool {
	digits := countDigits(m)
	switch {
	case m[0] == '+' && digits >= 7:
		return true
	case digits > 15:
		return false
	case m[0] == '0' && digits >= 7:
		return true
	}
	return triggered && digits >= minPhone && strings.ContainsAny(m, " -/.")
}

// isInsideNumber reports whether a number after byte prev is part of a longer
// word or number.
func isInsideNumber(prev byte) bool {
	return prev != 0 && (words.IsWordRune(rune(prev)) || strings.IndexByte("-/.:#", prev) >= 0)
}

// numberContinues reports whether a word, a time or a decimal goes on at byte i.
func (f *finder) numberContinues(i int) bool {
	if i >= len(f.text) {
		return false
	}
	following := byte(' ')
	if i+1 < len(f.text) {
		following = f.text[i+1]
	}
	switch c := f.text[i]; c {
	case ':':
		return following > ' '
	case '.':
		return words.IsDigit(following)
	default:
		return words.IsWordRune(rune(c))
	}
}

// code returns the code that rest begins with, if the words before it name a
// thing that has one: "order 5512", "VAT number DK 40 55 01 99".
func (f *finder) code(a rawToken, rest string) string {
	if last := a.lastWord(); !numberWords.Has(last) && !codeTriggers.Has(last) {
		return ""
	}
	triggered, announced := codeTrigger(a.lastTwo())
	if !triggered || dateForm.MatchString(rest) {
		return ""
	}
	m := strings.TrimRight(codeForm.FindString(rest), " -/.")
	if m == "" && announced && smallCode.MatchString(a.text) {
		m = a.text
	}
	if !isCode(m, announced) || len(m) < len(a.text) || a.afterTitle && yearForm.MatchString(m) {
		return ""
	}
	if end := a.start + len(m); end < len(f.text) && words.IsWordRune(rune(f.text[end])) {
		return ""
	}
	return m
}

// codeTrigger reports whether a code trigger ends the words before a number, and
// whether a word for "number" announces it as well.
func codeTrigger(before []string) (triggered, announced bool) {
	n := len(before)
	if n == 0 {
		return false, false
	}
	last := before[n-1]
	announced = n > 1 && numberWords.Has(last) && codeTriggers.Has(before[n-2])
	return announced || codeTriggers.Has(last), announced
}

// isCode reports whether m is long enough for a code. Three digits alone need
// to be announced.
func isCode(m string, announced bool) bool {
	const minCode, minBareDigits = 3, 4
	digits := countDigits(m)
	return digits > 0 && len(m) >= minCode && (digits < len(m) || len(m) >= minBareDigits || announced)
}
