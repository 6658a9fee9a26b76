package model

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// redactor replaces what is private by placeholders, one for each value. What is seen to be private in one text of a
// request is replaced in all of them. A nil redactor replaces nothing.
type redactor struct {
	texts  []string          // of the request
	values []string          // that are private, in the order in which they were seen
	names  map[string]string // their placeholders
	count  map[string]int    // of placeholders, by kind
}

// newRedactor returns a redactor for the texts of one request.
func newRedactor(texts []string) *redactor {
	r := &redactor{texts: texts, names: map[string]string{}, count: map[string]int{}}
	for _, text := range texts {
		for _, s := range private(text) {
			r.placeholder(s.kind, text[s.start:s.end])
		}
	}
	return r
}

// placeholder returns what stands for a value: what no text of the request contains.
func (r *redactor) placeholder(kind, value string) string {
	if name, ok := r.names[value]; ok {
		return name
	}
	for {
		r.count[kind]++
		name := fmt.Sprintf("[%s_%d]", kind, r.count[kind])
		if !slices.ContainsFunc(r.texts, func(text string) bool { return strings.Contains(text, name) }) {
			r.values, r.names[value] = append(r.values, value), name
			return name
		}
	}
}

// page returns the page of a text.
func (r *redactor) page(text string) *page {
	if r == nil {
		return newPage(text, nil)
	}
	var masks []mask
	add := func(start, end int, with string) {
		if !slices.ContainsFunc(masks, func(o mask) bool { return start < o.end && o.start < end }) {
			masks = append(masks, mask{start: start, end: end, with: with})
		}
	}
	for _, s := range private(text) {
		add(s.start, s.end, r.placeholder(s.kind, text[s.start:s.end]))
	}
	for _, value := range r.values {
		for i := 0; ; i++ {
			at := strings.Index(text[i:], value)
			if at < 0 {
				break
			}
			i += at
			add(i, i+len(value), r.names[value])
		}
	}
	slices.SortFunc(masks, func(a, b mask) int { return cmp.Compare(a.start, b.start) })
	return newPage(text, masks)
}

// excerpt returns about the first n bytes of a text, as they are sent.
func (r *redactor) excerpt(text string, n int) string {
	// Cut twice, so that no half of a secret is looked at alone.
	return head(r.page(head(text, 4*n)).sent, n)
}

// head returns the first n bytes of a text, without the half of a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// privateSpan is a span of a text that is not to be sent.
type privateSpan struct {
	start, end int
	kind       string
}

// privateForm is a form of what is private: the group of the match that is replaced, and what it must be besides.
type privateForm struct {
	kind  string
	form  *regexp.Regexp
	group int
	is    func(string) bool
}

// privateForms are tried in order: a span that an earlier form has found is not looked at again.
var privateForms = []privateForm{
	{"SECRET", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), 0, nil},
	// tokens of known issuers, JSON web tokens, and passwords in URLs
	{"SECRET", regexp.MustCompile(`\b(?:sk|pk|rk)[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9_-]{16,}|\bgh[oprsu]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|` +
		`\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bA(?:KI|SI)A[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`), 0, nil},
	{"SECRET", regexp.MustCompile(`[a-z]://[^\s:/@]*:([^\s/@]+)@`), 1, nil},
	{"SECRET", regexp.MustCompile(`(?i)\b(?:password|passphrase|passcode|passwort|kennwort|contraseña|mot de passe|secret|token|api[ _-]?key|` +
		`credentials?|pin)(?: code)?["']?\s*(?:[:=]|\bis(?: now)?\b|\bist\b|\blautet\b|\best\b|\bes\b|\bto\b)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]*[^\s"'` + "`" + `,;.!?])`), 1, looksSecret},
	{"EMAIL", regexp.MustCompile(`[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)*\.\pL{2,}`), 0, nil},
	{"ACCOUNT", regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`), 0, isIBAN},
	{"CARD", regexp.MustCompile(`\b\d(?:[ -]?\d){12,18}\b`), 0, isCard},
	{"PHONE", regexp.MustCompile(`\+\d{1,3}(?:[ ./-]?\(?\d{1,5}\)?){2,6}|\(\d{2,5}\) ?\d{2,5}(?:[ ./-]?\d{2,5}){1,4}|` +
		`\b0\d{1,5}(?:[ ./-]?\d{2,8}){1,5}\b|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b`), 0, isPhone},
	{"SECRET", regexp.MustCompile(`\b[A-Za-z0-9+/_-]{20,}={0,2}`), 0, isRandom},
}

// private returns the spans of a text that are not to be sent, in order, without overlaps.
func private(text string) []privateSpan {
	var found []privateSpan
	for _, f := range privateForms {
		for _, m := range f.form.FindAllStringSubmatchIndex(text, -1) {
			s := privateSpan{start: m[2*f.group], end: m[2*f.group+1], kind: f.kind}
			if f.is != nil && !f.is(text[s.start:s.end]) {
				continue
			}
			taken := slices.ContainsFunc(found, func(o privateSpan) bool { return s.start < o.end && o.start < s.end })
			if !taken {
				found = append(found, s)
			}
		}
	}
	slices.SortFunc(found, func(a, b privateSpan) int { return cmp.Compare(a.start, b.start) })
	return found
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// isCard reports whether the digits of a number pass the check of payment cards.
func isCard(s string) bool {
	digits, sum := digitsOf(s), 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && strings.Trim(digits, "0") != ""
}

// isIBAN reports whether an account number passes the check of ISO 13616.
func isIBAN(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	rest := 0
	for _, r := range s[4:] + s[:4] {
		switch {
		case r >= '0' && r <= '9':
			rest = (rest*10 + int(r-'0')) % 97
		default:
			rest = (rest*100 + int(r-'A') + 10) % 97
		}
	}
	return rest == 1
}

var civilDate = regexp.MustCompile(`^\d{1,2}[ ./-]\d{1,2}[ ./-]\d{2,4}`)

// isPhone reports whether a number has as many digits as telephone numbers have, and is no date.
func isPhone(s string) bool {
	n := len(digitsOf(s))
	return n >= 7 && n <= 15 && !civilDate.MatchString(s)
}

// looksSecret reports whether what is said to be a password is one: words such as "changed" are not.
func looksSecret(s string) bool {
	const short = 4
	if len(s) < short {
		return false
	}
	word := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) < 0
	return !word || strings.ToLower(s) != s && strings.ToUpper(s[:1])+strings.ToLower(s[1:]) != s
}

// isRandom reports whether a long token is of letters and digits in no order: no path, no name of a program.
func isRandom(s string) bool {
	const bits = 3.5 // for each character; words that are joined have less, or no digits
	counts, digits, letters := map[rune]int{}, 0, 0
	for _, r := range s {
		counts[r]++
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	entropy, n := 0.0, float64(len(s))
	for _, c := range counts {
		entropy -= float64(c) / n * math.Log2(float64(c)/n)
	}
	return digits >= 3 && letters >= 3 && entropy >= bits && strings.Count(s, "/")+strings.Count(s, "-") <= 2
}
