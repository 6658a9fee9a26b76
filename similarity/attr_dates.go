package similarity

import (
	"strings"
	"unicode"

	"tenure/text"
)

// date is a possibly partial date. Year 0 is unknown; a year below 100 has no century.
type date struct {
	year, month, day int
}

var months = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// parseDate parses dates in common notations: 1970-03-01, 3/1/70, 20/8/1991, 17-May-90, Mar 1 1970, 19700301,
// 1965, circa 1965. If two numbers could both be the month, the first is taken; comparison allows for the
// other order. The first of January is read as the year alone, because systems write it when only the year is
// known.
func parseDate(s string) (date, bool) {
	var d date
	var numbers []int
	for _, f := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len(f) >= 3 && d.month == 0 {
			d.month = months[f[:3]]
		}
		if len(f) == 8 && text.AllDigits(f) && d.year == 0 {
			y, _ := number(f[:4])
			m, _ := number(f[4:6])
			day, _ := number(f[6:])
			return d.set(y, m, day), true
		}
		if i := strings.IndexFunc(f, func(r rune) bool { return r < '0' || r > '9' }); i > 0 && i <= 4 {
			f = f[:i] // 1st, 1965t00
		}
		if n, ok := number(f); ok && len(f) <= 4 {
			if len(f) == 4 && d.year == 0 {
				d.year = n
				continue
			}
			numbers = append(numbers, n)
		}
	}
	return d.fill(numbers)
}

// fill assigns the numbers other than a four-digit year to day, month and year.
func (d date) fill(n []int) (date, bool) {
	if d.year == 0 && len(n) > 0 && (len(n) == 3 || d.month > 0 && len(n) == 2) {
		d.year = n[len(n)-1]
		n = n[:len(n)-1]
	}
	switch {
	case d.year == 0:
		return d, false
	case d.month > 0 && len(n) > 0:
		return d.set(d.year, d.month, n[0]), true
	case len(n) >= 2:
		return d.set(d.year, n[0], n[1]), true
	case len(n) == 1:
		return d.set(d.year, n[0], 0), true
	}
	return d, true
}

func (d date) set(y, m, day int) date {
	if m > 12 && day <= 12 {
		m, day = day, m
	}
	if m > 12 || day > 31 || m == 0 || m == 1 && day == 1 {
		m, day = 0, 0
	}
	return date{y, m, day}
}
