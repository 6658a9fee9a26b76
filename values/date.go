package values

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tenure/grain"
)

// months are the names of the months in English, German, French, Spanish, Italian, Portuguese and Dutch, and their
// abbreviations.
var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"january jan januar jänner janvier janv enero ene gennaio gen janeiro januari",
		"february feb februar feber février févr fevrier febrero febbraio fevereiro fev februari",
		"march mar märz mär mrz mars marzo março marco maart mrt",
		"april apr avril avr abril abr aprile",
		"may mai mayo maggio mag maio mei",
		"june jun juni juin junio giugno giu junho",
		"july jul juli juillet juil julio luglio lug julho",
		"august aug août aout agosto ago augustus",
		"september sep sept septembre septiembre set settembre setembro",
		"october oct oktober okt octobre octubre ottobre ott outubro out",
		"november nov novembre noviembre novembro",
		"december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = i + 1
		}
	}
	return m
}()

const month = `(\pL+)\.?`

var (
	weekday = regexp.MustCompile(`^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|` +
		`sunday|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|` +
		`samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\.?,? (?:(?:the|den|le|el) )?(.*\d.*)$`)
	yearFirst  = regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})$`)
	yearLast   = regexp.MustCompile(`^(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?(\d{4}|\d{2})$`)
	dayFirst   = regexp.MustCompile(`^(?:the )?(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[ -]?(?:of |de |di |d')?` + month + `(?:[ ,-]+(?:of |de |del )?'?(\d{4}|\d{2}))?$`)
	monthFirst = regexp.MustCompile(`^` + month + `[ -](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:[ ,-]+'?(\d{4}))?$`)
	spelt      = regexp.MustCompile(`^(\d{4})[ ,-]+` + month + `[ -](\d{1,2})(?:st|nd|rd|th)?$`)
	monthYear  = regexp.MustCompile(`^` + month + `[ ,-]+(?:of |de |del )?'?(\d{4})$`)
	yearMonth  = regexp.MustCompile(`^(\d{4})[ -]+` + month + `$`)
	numeric    = regexp.MustCompile(`^(?:(\d{4})-(0[1-9]|1[0-2])|(0?[1-9]|1[0-2])[/.](\d{4}))$`)
	quarter    = regexp.MustCompile(`^(?:(q|h)([1-4])[ /,'-]*(\d{4})|(\d{4})[ /,-]*(q|h)([1-4]))$`)
	ordinal    = regexp.MustCompile(`^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th) (quarter|half),? (?:of |in )?(\d{4})$`)
	week       = regexp.MustCompile(`^(?:(\d{4})[ ,-]*(?:w|week |kw ?)(\d{1,2})|(?:w|week |kw ?)(\d{1,2})[ /,-]*(?:of |in )?(\d{4}))$`)
	everyYear  = regexp.MustCompile(`^--(\d\d)-(\d\d)$`)
	cjkDate    = regexp.MustCompile(`^(\d{4})[年년] ?(\d{1,2})[月월](?: ?(\d{1,2})[日일])?$`)
)

// day is a date, or the part of one that is known: 0 for what is not.
type day struct{ year, month, day int }

func (d day) valid() bool {
	if d.year < 0 || d.year > 9999 || d.month < 1 || d.month > 12 {
		return false
	}
	if d.day == 0 {
		return true
	}
	year := d.year
	if year == 0 {
		year = 2000 // a leap year
	}
	t := time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
	return t.Day() == d.day
}

func (d day) String() string {
	switch {
	case d.year == 0:
		return fmt.Sprintf("--%02d-%02d", d.month, d.day)
	case d.day == 0:
		return fmt.Sprintf("%04d-%02d", d.year, d.month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
}

// ordinals are the numbers of ordinals, by their first two letters.
var ordinals = map[string]string{
	"fi": "1", "1s": "1", "se": "2", "2n": "2", "th": "3", "3r": "3", "fo": "4", "4t": "4",
}

// readDate reads a day, a month of a year, a day of a month without a year, a quarter or a half of a year.
func readDate(s spelling) (Value, bool) {
	low := s.low
	if m := weekday.FindStringSubmatch(low); m != nil {
		low = m[1]
	}
	if m := quarter.FindStringSubmatch(low); len(m) > 0 && (m[1]+m[5] == "q" || m[2]+m[6] <= "2") {
		return partOfYear(m[3]+m[4], m[1]+m[5], m[2]+m[6]), true
	}
	if m := ordinal.FindStringSubmatch(low); m != nil {
		n := ordinals[m[1][:2]]
		return partOfYear(m[3], m[2][:1], n), m[2] == "quarter" || n <= "2"
	}
	if m := week.FindStringSubmatch(low); m != nil {
		year, n := m[1]+m[4], num(m[2]+m[3])
		return Value{Kind: Date, form: fmt.Sprintf("%s-w%02d", year, n), grain: ofWeek(num(year), n)}, n <= 53
	}
	d, ambiguous := dayOf(low)
	if ambiguous != "" {
		return Value{Ambiguous: ambiguous}, false
	}
	if !d.valid() {
		return Value{}, false
	}
	return Value{Kind: Date, form: d.String(), grain: ofDay(d)}, true
}

// partOfYear is a quarter or a half of a year, "q" or "h".
func partOfYear(year, part, n string) Value {
	count := 3
	if part == "h" {
		count = 6
	}
	g := &grain.Grain{Vague: true, Civil: monthsOf(num(year), 1+(num(n)-1)*count, count)}
	return Value{Kind: Date, form: year + "-" + part + n, grain: g}
}

// dayOf reads a date in one of its forms; the day is invalid if the text is none.
func dayOf(low string) (d day, ambiguous string) {
	switch {
	case match(yearFirst, low) != nil:
		m := match(yearFirst, low)
		return day{num(m[1]), num(m[3]), num(m[4])}, ""
	case match(yearLast, low) != nil:
		return inNumbers(match(yearLast, low))
	case match(cjkDate, low) != nil:
		m := match(cjkDate, low)
		return day{num(m[1]), num(m[2]), num(m[3])}, ""
	case match(everyYear, low) != nil:
		m := match(everyYear, low)
		return day{0, num(m[1]), num(m[2])}, ""
	case match(numeric, low) != nil:
		m := match(numeric, low)
		return day{num(m[1] + m[4]), num(m[2] + m[3]), 0}, ""
	}
	return inWords(low), ""
}

// inNumbers reads day, month and year in numbers. With full stops the day comes first; otherwise a number above 12 has
// to say which is the day.
func inNumbers(m []string) (day, string) {
	a, b, year := num(m[1]), num(m[3]), fullYear(m[4])
	switch {
	case m[2] == "." || a > 12 || a == b:
		return day{year, b, a}, ""
	case b > 12:
		return day{year, a, b}, ""
	}
	if !(day{year, b, a}).valid() && !(day{year, a, b}).valid() {
		return day{}, ""
	}
	return day{}, fmt.Sprintf("is %s or %s: write the year first", day{year, b, a}, day{year, a, b})
}

func inWords(low string) day {
	if m := match(dayFirst, low); len(m) > 0 && months[m[2]] > 0 {
		return day{fullYear(m[3]), months[m[2]], num(m[1])}
	}
	if m := match(monthFirst, low); len(m) > 0 && months[m[1]] > 0 {
		return day{num(m[3]), months[m[1]], num(m[2])}
	}
	if m := match(spelt, low); len(m) > 0 && months[m[2]] > 0 {
		return day{num(m[1]), months[m[2]], num(m[3])}
	}
	if m := match(monthYear, low); len(m) > 0 && months[m[1]] > 0 {
		return day{num(m[2]), months[m[1]], 0}
	}
	if m := match(yearMonth, low); len(m) > 0 && months[m[2]] > 0 {
		return day{num(m[1]), months[m[2]], 0}
	}
	return day{}
}

func match(r *regexp.Regexp, s string) []string { return r.FindStringSubmatch(s) }

// num returns the number of some digits, 0 for none.
func num(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// centuryOf is the first two-digit year of the last century.
const centuryOf = 70

// fullYear returns the year of four digits, or of two: of this century up to 69.
func fullYear(s string) int {
	n := num(s)
	if len(s) != 2 {
		return n
	}
	if n < centuryOf {
		return 2000 + n
	}
	return 1900 + n
}

var (
	clock = regexp.MustCompile(`^(?:at |um |à |a las )?(\d{1,2})(?:([:.h])([0-5]\d)(?:[:.]([0-5]\d)(?:[.,]\d+)?)?)? ?(am|pm|a\.m|p\.m|uhr|o'clock|hrs|h)?\.?$`)
	zone  = regexp.MustCompile(`^(.*?) ?(?:z|\(?(utc|gmt)?([+-]\d{1,2}(?::?\d{2})?)?\)?)$`)
	named = map[string]int{"cet": 60, "cest": 120, "est": -300, "edt": -240, "pst": -480, "pdt": -420, "jst": 540}
)

// readTime reads a time of the day.
func readTime(s spelling) (Value, bool) {
	if at, ok := clockOf(s.low); ok {
		return Value{Kind: Time, form: at}, true
	}
	at, offset, ok := zoned(s.low)
	if !ok {
		return Value{}, false
	}
	t, err := time.Parse(time.TimeOnly, at)
	return Value{Kind: Time, form: t.Add(-time.Duration(offset)*time.Minute).Format(time.TimeOnly) + "Z"}, err == nil
}

// clockOf returns a time of the day as hh:mm:ss.
func clockOf(low string) (string, bool) {
	switch low {
	case "noon", "midday", "12 noon", "mittag", "midi":
		return "12:00:00", true
	case "midnight", "mitternacht", "minuit":
		return "00:00:00", true
	}
	m := match(clock, low)
	if m == nil {
		return "", false
	}
	hour, suffix := num(m[1]), strings.ReplaceAll(m[5], ".", "")
	half := suffix == "am" || suffix == "pm"
	if !isClock(m[2], suffix, half) || hour > 23 || half && (hour < 1 || hour > 12) {
		return "", false
	}
	if half {
		hour %= 12
	}
	if suffix == "pm" {
		hour += 12
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, num(m[3]), num(m[4])), true
}

// isClock reports whether digits with a separator and a suffix are a time, and not a number, a decimal or hours.
func isClock(separator, suffix string, half bool) bool {
	switch separator {
	case "":
		return half || suffix == "uhr" || suffix == "o'clock"
	case ".":
		return suffix != "" && suffix != "h"
	case "h":
		return !half
	}
	return true
}

// readInstant reads a date with a time: an instant if the zone is given.
func readInstant(s spelling) (Value, bool) {
	if t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s.low)); err == nil {
		return instant(t, 0), true
	}
	for i := range len(s.low) {
		if s.low[i] != ' ' && s.low[i] != 't' {
			continue
		}
		left, right := strings.TrimRight(s.low[:i], ", "), strings.TrimSpace(s.low[i+1:])
		if v, ok := dateTime(left, right); ok {
			return v, true
		}
		if v, ok := dateTime(strings.TrimPrefix(right, "on "), left); ok {
			return v, true
		}
	}
	return Value{}, false
}

// instant is a time, some minutes before it for the offset of its zone.
func instant(t time.Time, offset int) Value {
	utc := t.UTC().Add(-time.Duration(offset) * time.Minute)
	return Value{Kind: Instant, form: utc.Format(time.RFC3339Nano), grain: ofClock(t, true)}
}

// dateTime joins a day and a time of the day with its zone, if it has one.
func dateTime(date, at string) (Value, bool) {
	if m := match(weekday, date); m != nil {
		date = m[1]
	}
	d, _ := dayOf(date)
	if !d.valid() || d.day == 0 || d.year == 0 {
		return Value{}, false
	}
	at = strings.TrimPrefix(strings.TrimPrefix(at, "at "), "um ")
	if c, ok := clockOf(at); ok {
		t, err := time.Parse(civilTime, d.String()+"T"+c)
		return Value{Kind: Moment, form: d.String() + "T" + c, grain: ofClock(t, false)}, err == nil
	}
	c, offset, ok := zoned(at)
	if !ok {
		return Value{}, false
	}
	t, err := time.Parse(civilTime, d.String()+"T"+c)
	return instant(t, offset), err == nil
}

const civilTime = "2006-01-02T15:04:05"

// zoned splits a time of the day from its zone: the offset from UTC in minutes.
func zoned(at string) (clock string, offset int, ok bool) {
	if i := strings.LastIndexByte(at, ' '); i > 0 {
		if offset, ok := named[at[i+1:]]; ok {
			c, ok := clockOf(at[:i])
			return c, offset, ok
		}
	}
	m := match(zone, at)
	if len(m) == 0 || m[1] == at {
		return "", 0, false
	}
	if h, min, _ := strings.Cut(m[3], ":"); h != "" {
		if min == "" && len(h) > 3 {
			h, min = h[:len(h)-2], h[len(h)-2:]
		}
		offset = 60*num(strings.TrimLeft(h, "+-")) + num(min)
		if h[0] == '-' {
			offset = -offset
		}
	}
	c, ok := clockOf(strings.TrimSpace(m[1]))
	return c, offset, ok
}
