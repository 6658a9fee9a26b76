package attribute

import (
	"strings"
	"unicode"

	"tenure/text"
)

// Date is a possibly partial date. Year 0 is unknown; a year below 100 has no century.
type Date struct {
	Year, Month, Day int
}

var months = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// ParseDate parses dates in common notations: 1970-03-01, 3/1/70, 20/8/1991, 17-May-90, Mar 1 1970, 19700301,
// 1965, circa 1965. If two numbers could both be the month, the first is taken; comparison allows for the
// other order. The first of January is read as the year alone, because systems write it when only the year is
// known.
func ParseDate(s string) (Date, bool) {
	var d Date
	var numbers []int
	for _, f := range strings.FieldsFunc(strings.ToLower(s),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len(f) >= 3 && d.Month == 0 {
			d.Month = months[f[:3]]
		}
		if len(f) == 8 && text.AllDigits(f) && d.Year == 0 {
			y, _ := ParseNumber(f[:4])
			m, _ := ParseNumber(f[4:6])
			day, _ := ParseNumber(f[6:])
			return newDate(y, m, day), true
		}
		if i := strings.IndexFunc(f, func(r rune) bool { return r < '0' || r > '9' }); i > 0 && i <= 4 {
			f = f[:i] // 1st, 1965t00
		}
		if n, ok := ParseNumber(f); ok && len(f) <= 4 {
			if len(f) == 4 && d.Year == 0 {
				d.Year = n
				continue
			}
			numbers = append(numbers, n)
		}
	}
	return d.fill(numbers)
}

// fill assigns the numbers other than a four-digit year to day, month and year.
func (d Date) fill(n []int) (Date, bool) {
	if d.Year == 0 && len(n) > 0 && (len(n) == 3 || d.Month > 0 && len(n) == 2) {
		d.Year = n[len(n)-1]
		n = n[:len(n)-1]
	}
	switch {
	case d.Year == 0:
		return d, false
	case d.Month > 0 && len(n) > 0:
		return newDate(d.Year, d.Month, n[0]), true
	case len(n) >= 2:
		return newDate(d.Year, n[0], n[1]), true
	case len(n) == 1:
		return newDate(d.Year, n[0], 0), true
	}
	return d, true
}

// newDate returns a date whose month is at most 12, without the parts that cannot be.
func newDate(y, m, day int) Date {
	if m > 12 && day <= 12 {
		m, day = day, m
	}
	if m > 12 || day > 31 || m == 0 || m == 1 && day == 1 {
		m, day = 0, 0
	}
	return Date{y, m, day}
}
