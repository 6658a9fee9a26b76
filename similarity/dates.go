package similarity

import (
	"strings"
	"unicode"
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
		if len(f) == 8 && digits(f) && d.year == 0 {
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

func sameYear(a, b int) bool {
	return a == b || (a < 100 || b < 100) && a%100 == b%100
}

// yearsApart returns the distance of two years, either of which may lack its century.
func yearsApart(a, b int) int {
	if a >= 100 && b >= 100 {
		return abs(a - b)
	}
	return abs(a%100 - b%100)
}

// nearYears is the largest distance of two years that may both be estimates of one.
const nearYears = 2

// compareDates compares two dates at the precision that both have.
func compareDates(x, y date) found {
	if x.day == 0 || y.day == 0 {
		return compareYears(x, y)
	}
	return compareDays(x, y)
}

// compareYears compares two dates, at least one without a day.
func compareYears(x, y date) found {
	same := sameYear(x.year, y.year)
	switch {
	case same && (x.month == 0 || y.month == 0 || x.month == y.month):
		return found{feature: dateYear, rank: 4, by: 1}
	case same:
		return found{feature: dateSameYear, rank: 2, by: 1}
	case yearTypo(x.year, y.year):
		return found{feature: dateYearTypo, rank: 1, by: 1}
	case yearsApart(x.year, y.year) <= nearYears:
		return found{feature: dateNear, rank: 1, by: 1}
	}
	return found{feature: dateDiffers, by: 1}
}

// yearTypo reports whether two four-digit years differ in exactly one digit.
func yearTypo(a, b int) bool {
	return a >= 1000 && b >= 1000 && digitsApart(date{year: a}, date{year: b}) == 1
}

// compareDays compares two dates that both have a day.
func compareDays(x, y date) found {
	same, sameDay := sameYear(x.year, y.year), x.month == y.month && x.day == y.day
	switch {
	case same && sameDay:
		return found{feature: dateEqual, rank: 6, by: 1}
	case same && x.month == y.day && x.day == y.month:
		return found{feature: dateSwapped, rank: 5, by: 1}
	case dateSlip(x, y, same):
		return found{feature: dateTypo, rank: 3, by: 1}
	case same || sameDay:
		return found{feature: dateSameYear, rank: 2, by: 1}
	case yearsApart(x.year, y.year) <= nearYears:
		return found{feature: dateOther, rank: 1, by: 1}
	}
	return found{feature: dateDiffers, by: 1}
}

// dateSlip reports whether two dates look like a typing error of each other: one digit differs, or both
// digits of the day or of the month alone.
func dateSlip(x, y date, sameYear bool) bool {
	apart := digitsApart(x, y)
	return apart == 1 || apart == 2 && sameYear && (x.month == y.month || x.day == y.day)
}

// digitsApart counts the digits that differ between two full dates.
func digitsApart(x, y date) int {
	a, b := x.year*10000+x.month*100+x.day, y.year*10000+y.month*100+y.day
	if x.year < 100 || y.year < 100 {
		a, b = a%1000000, b%1000000
	}
	n := 0
	for ; a > 0 || b > 0; a, b = a/10, b/10 {
		if a%10 != b%10 {
			n++
		}
	}
	return n
}
