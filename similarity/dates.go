package similarity

import (
	"tenure/attribute"
)

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

// decade is the least distance, in years, at which two dates of birth contradict each other although only one digit
// differs.
const decade = 10

// compareDates compares two dates at the precision that both have. Dates that are neither equal at that precision nor
// likely forms of one date are contrary.
func compareDates(x, y attribute.Date) found {
	if x.Day == 0 || y.Day == 0 {
		return compareYears(x, y)
	}
	return compareDays(x, y)
}

// compareYears compares two dates, at least one without a day.
func compareYears(x, y attribute.Date) found {
	same := sameYear(x.Year, y.Year)
	switch {
	case same && (x.Month == 0 || y.Month == 0 || x.Month == y.Month):
		return found{feature: dateYear, rank: 4, by: 1}
	case same:
		return found{feature: dateSameYear, rank: 2, by: 1}
	case yearTypo(x.Year, y.Year):
		apart := yearsApart(x.Year, y.Year)
		return found{feature: dateYearTypo, rank: 1, by: 1, contrary: apart > nearYears, slip: apart < decade}
	case yearsApart(x.Year, y.Year) <= nearYears:
		return found{feature: dateNear, rank: 1, by: 1}
	}
	return found{feature: dateDiffers, by: 1, contrary: true}
}

// yearTypo reports whether two four-digit years differ in exactly one digit.
func yearTypo(a, b int) bool {
	return a >= 1000 && b >= 1000 && digitsApart(attribute.Date{Year: a}, attribute.Date{Year: b}) == 1
}

// compareDays compares two dates that both have a day.
func compareDays(x, y attribute.Date) found {
	same, sameDay := sameYear(x.Year, y.Year), x.Month == y.Month && x.Day == y.Day
	switch {
	case same && sameDay:
		return found{feature: dateEqual, rank: 6, by: 1}
	case same && x.Month == y.Day && x.Day == y.Month:
		return found{feature: dateSwapped, rank: 5, by: 1}
	case dateSlip(x, y, same):
		return found{feature: dateTypo, rank: 3, by: 1, contrary: yearsApart(x.Year, y.Year) >= decade}
	case same || sameDay:
		return found{feature: dateSameYear, rank: 2, by: 1, contrary: contraryDays(x, y)}
	case yearsApart(x.Year, y.Year) <= nearYears:
		contrary := contraryDays(x, y)
		exact := contrary && x.Month != y.Month && x.Day != y.Day
		return found{feature: dateOther, rank: 1, by: 1, contrary: contrary, exact: exact}
	}
	contrary := contraryDays(x, y)
	return found{feature: dateDiffers, by: 1, contrary: contrary, exact: contrary && !newYear(x) && !newYear(y)}
}

// contraryDays reports whether two dates are no forms of one: neither stands for the year that both have, and even with
// day and month swapped they are more than a slip of the pen apart.
func contraryDays(x, y attribute.Date) bool {
	if sameYear(x.Year, y.Year) && (newYear(x) || newYear(y)) {
		return false
	}
	swapped := attribute.Date{Year: y.Year, Month: y.Day, Day: y.Month}
	a, b, c := digits(x), digits(y), digits(swapped)
	return digitsApart(x, swapped) > 1 && !slip(string(a[:]), string(b[:])) && !slip(string(a[:]), string(c[:]))
}

// digits returns the digits of a full date, the century left out.
func digits(d attribute.Date) (list [6]byte) {
	for i, n := range [3]int{d.Year % 100, d.Month, d.Day} {
		list[2*i], list[2*i+1] = '0'+byte(n/10), '0'+byte(n%10)
	}
	return list
}

// newYear reports whether a date is the first day of a year, which stands for the year in many registers.
func newYear(d attribute.Date) bool { return d.Month == 1 && d.Day == 1 }

// dateSlip reports whether two dates look like a typing error of each other: one digit differs, or both
// digits of the day or of the month alone.
func dateSlip(x, y attribute.Date, sameYear bool) bool {
	apart := digitsApart(x, y)
	return apart == 1 || apart == 2 && sameYear && (x.Month == y.Month || x.Day == y.Day)
}

// digitsApart counts the digits that differ between two full dates.
func digitsApart(x, y attribute.Date) int {
	a, b := x.Year*10000+x.Month*100+x.Day, y.Year*10000+y.Month*100+y.Day
	if x.Year < 100 || y.Year < 100 {
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
