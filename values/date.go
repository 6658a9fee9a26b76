package values

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tenure/grain"
)

var (
	yearFirst = regexp.MustCompile(`^(\d{4})([-/.]| ?- ?|\. | )(\d{1,2})(?:[-/.]| ?- ?|\. | )(\d{1,2})\.?$`)
	yearLast  = regexp.MustCompile(`^(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?(\d{4}|\d{2})$`)
	numeric   = regexp.MustCompile(`^(?:(\d{4})[-/](0[1-9]|1[0-2])|(0?[1-9]|1[0-2])[/.](\d{4})|(\d{4})-?m(0[1-9]|1[0-2]))$`)
	quarter   = regexp.MustCompile(`^(?:(?:(q|t|h|s)([1-4])|([1-4])(q|h)|(q)uarter ([1-4])|(h)alf ([12]))(?:[ /,-]*(?:of |de )?(\d{4})|[ /,-]*'(\d\d))|[1-4]q-?(\d\d)|(\d{4})[ /,:-]*(q|t|h|s)(?:uarter |alf )?([1-4])|(\d{4})[ /-]*([1-4])(q|h))$`)
	ordinal   = regexp.MustCompile(`^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|last|1er|2e|3e|4e|2ème|3ème|4ème|[1-4][.ºo°]|erstes|zweites|drittes|viertes|` +
		`primer|segundo|tercer|cuarto|premier|deuxième|troisième|quatrième|primo|terzo|quarto) ` +
		`(quarter|half|quartal|halbjahr|trimestre|semestre|kwartaal|halvår|kvartal|квартал),? (?:of |in |de |del |du )?(\d{4})$`)
	cjkQuarter = regexp.MustCompile(`^(\d{4})年?第?([1-4一二三四])(?:四半期|季度)$`)
	week       = regexp.MustCompile(`^(?:(\d{4})[ ,-]*(?:w|week |wk ?|kw ?|cw ?)(\d{1,2})|(?:w|week |week no\. ?|week number |wk\.? ?|kw ?|cw ?|kalenderwoche |semaine |semana |settimana |vecka |v\. ?|uke |uge |viikko |tydzień )(\d{1,2})[ /,-]*(?:of |in |de |del )?(\d{4})|(?:the )?(\d{1,2})(?:st|nd|rd|th|\.) (?:week|kalenderwoche|kw),? (?:of |in )?(\d{4}))$`)
	weekDay    = regexp.MustCompile(`^(\d{4})-?w(\d\d)-?([1-7])$`)
	everyYear  = regexp.MustCompile(`^--(\d\d)-?(\d\d)$`)
	cjkDate    = regexp.MustCompile(`^(?:(\d{4})|(令和|平成|昭和)(\d{1,2}|元))[年년] ?(\d{1,2})[月월](?: ?(\d{1,2})[日일号])?$|^(\d{1,2})[月월] ?(\d{1,2})[日일号]$`)
	vietnamese = regexp.MustCompile(`^(?:ngày (\d{1,2}) )?tháng (\d{1,2}),? năm (\d{4})$`)
	ofMonth    = regexp.MustCompile(`^(?:the )?(early|mid|late|middle of|beginning of|start of|end of|anfang|mitte|ende|mi|début|fin)[ -](.+)$`)
	// hasYear is a quick look: a part of a date has a year.
	hasYear   = regexp.MustCompile(`\d{4}|'\d\d|q|fy|fiscal`)
	season    = regexp.MustCompile(`^(?:the )?(spring|summer|autumn|fall|winter),? (?:of |in )?(\d{4})$`)
	fiscal    = regexp.MustCompile(`^(?:fy|fiscal(?: year)?|financial year) ?-?'?(\d{4}|\d\d)$`)
	decadeOf  = regexp.MustCompile(`^(?:the )?([12]\d\d)0'?s$`)
	wholeYear = regexp.MustCompile(`^(?:the )?(?:calendar )?(?:year |cy ?)(\d{4})$|^(\d{4})(?:年|년)$`)
)

// day is a date, or the part of one that is known: 0 for what is not.
type day struct{ year, month, day int }

func (d day) valid() bool {
	if d.year < 0 || d.year > 9999 || d.month < 1 || d.month > 12 {
		return false
	}
	if d.day == 0 {
		return d.year > 0
	}
	return d.day > 0 && d.time().Day() == d.day
}

// impossible says that a day does not exist, "" for what is no date.
func (d day) impossible() string {
	if d.year < 1 || d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 {
		return ""
	}
	return fmt.Sprintf("is a day that does not exist: %s %d has no %d", time.Month(d.month), d.year, d.day)
}

func (d day) time() time.Time {
	year := d.year
	if year == 0 {
		year = 2000 // a leap year
	}
	return time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
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
	"fi": "1", "1s": "1", "se": "2", "2n": "2", "th": "3", "3r": "3", "fo": "4", "4t": "4", "1e": "1", "2e": "2", "3e": "3", "4e": "4",
	"2è": "2", "3è": "3", "4è": "4", "1.": "1", "2.": "2", "3.": "3", "4.": "4", "1º": "1", "2º": "2", "3º": "3", "4º": "4", "1°": "1", "2°": "2",
	"3°": "3", "4°": "4", "1o": "1", "2o": "2", "3o": "3", "4o": "4", "er": "1", "zw": "2", "dr": "3", "vi": "4", "pr": "1", "te": "3", "cu": "4",
	"de": "2", "tr": "3", "qu": "4",
}

// readDate reads a day, a month of a year, a day of a month without a year, or another part of a year.
func readDate(s spelling) (Value, bool) {
	if v, ok := partOfDate(s.low); ok {
		return v, true
	}
	d, ambiguous := dayOf(s.low)
	if ambiguous != "" {
		return Value{Ambiguous: ambiguous}, false
	}
	if !d.valid() {
		return Value{Impossible: d.impossible()}, false
	}
	return Value{Kind: Date, form: d.String(), grain: ofDay(d)}, true
}

// partOfDate reads a quarter, a half, a week, a season, a decade, a third of a month.
func partOfDate(low string) (Value, bool) {
	if m := match(ofMonth, low); m != nil {
		return thirdOf(m[1], m[2])
	}
	if !hasYear.MatchString(low) {
		return Value{}, false
	}
	if m := match(quarter, low); m != nil {
		return quarterIn(m)
	}
	if m := match(week, low); m != nil {
		year, n := num(m[1]+m[4]+m[6]), num(m[2]+m[3]+m[5])
		return Value{Kind: Date, form: fmt.Sprintf("%04d-w%02d", year, n), grain: ofWeek(year, n)}, n >= 1 && n <= weeksOf(year)
	}
	if m := match(cjkQuarter, low); m != nil {
		n := m[2]
		if i := strings.Index("一二三四", n); i >= 0 {
			n = strconv.Itoa(i/len("一") + 1)
		}
		return partOfYear(num(m[1]), "q", num(n)), true
	}
	if m := match(ordinal, low); m != nil {
		n := num(ordinals[string([]rune(m[1])[:2])])
		part := "q"
		if strings.HasPrefix(m[2], "ha") || m[2] == "semestre" {
			part = "h"
		}
		if m[1] == "last" {
			n = map[string]int{"q": 4, "h": 2}[part]
		}
		return partOfYear(num(m[3]), part, n), part == "q" || n <= 2
	}
	if m := match(season, low); m != nil {
		return Value{Kind: Date, form: m[2] + "-" + strings.Replace(m[1], "fall", "autumn", 1)}, true
	}
	if m := match(fiscal, low); m != nil {
		year := num(m[1])
		if len(m[1]) == 2 {
			year += 2000
		}
		return Value{Kind: Date, form: fmt.Sprintf("fy%d", year)}, true
	}
	if m := match(decadeOf, low); m != nil {
		year := num(m[1]) * 10
		return Value{Kind: Date, form: fmt.Sprintf("%ds", year), grain: &grain.Grain{Vague: true, Civil: monthsOf(year, 1, 120)}}, true
	}
	if m := match(wholeYear, low); m != nil {
		n, ok := plainNumber(m[1] + m[2])
		return number(n), ok && n.Sign() > 0
	}
	return Value{}, false
}

// quarterIn is a quarter or a half in one of its spellings.
func quarterIn(m []string) (Value, bool) {
	if m[11] != "" { // 3Q25
		return partOfYear(2000+num(m[11]), "q", int(m[0][0]-'0')), true
	}
	part, n := m[1]+m[4]+m[5]+m[7]+m[13]+m[17], num(m[2]+m[3]+m[6]+m[8]+m[14]+m[16])
	year := num(m[9] + m[12] + m[15])
	if m[10] != "" {
		year = 2000 + num(m[10])
	}
	switch part {
	case "t":
		part = "q" // trimestre
	case "s":
		part = "h" // semestre
	}
	return partOfYear(year, part, n), part == "q" || n <= 2
}

// partOfYear is a quarter or a half of a year, "q" or "h".
func partOfYear(year int, part string, n int) Value {
	count := 3
	if part == "h" {
		count = 6
	}
	g := &grain.Grain{Vague: true, Civil: monthsOf(year, 1+(n-1)*count, count)}
	return Value{Kind: Date, form: fmt.Sprintf("%04d-%s%d", year, part, n), grain: g}
}

// thirds are the words for a third of a month or a year.
var thirds = map[string]string{
	"early": "early", "beginning of": "early", "start of": "early", "anfang": "early", "début": "early",
	"mid": "mid", "middle of": "mid", "mitte": "mid", "mi": "mid", "late": "late", "end of": "end", "ende": "end", "fin": "end",
}

// thirdOf is the beginning, the middle or the end of a month, or of a year.
func thirdOf(third, of string) (Value, bool) {
	of = strings.TrimPrefix(strings.TrimPrefix(of, "of "), "the ")
	third = thirds[third]
	if len(of) == 4 && isDigits(of) {
		return Value{Kind: Date, form: of + "-" + third}, true
	}
	if m, ok := months[strings.TrimRight(of, ".")]; ok {
		return Value{Kind: Date, form: fmt.Sprintf("--%02d-%s", m, third)}, true
	}
	d, ambiguous := dayOf(of)
	if !d.valid() || d.day != 0 || ambiguous != "" {
		return Value{}, false
	}
	span := monthsOf(d.year, d.month, 1)
	switch third {
	case "early":
		span.Last = span.First + 10*grain.Day - 1
	case "mid":
		span.First, span.Last = span.First+10*grain.Day, span.First+20*grain.Day-1
	default:
		span.First += 20 * grain.Day
	}
	return Value{Kind: Date, form: d.String() + "-" + third, grain: &grain.Grain{Vague: true, Civil: span}}, true
}

// weeksOf returns the number of weeks of a year, by ISO 8601.
func weeksOf(year int) int {
	_, n := time.Date(year, time.December, 28, 0, 0, 0, 0, time.UTC).ISOWeek()
	return n
}

// dayOf reads a date in one of its forms, with a day of the week or without; the day is invalid if the text is none.
func dayOf(low string) (d day, ambiguous string) {
	low, on := withoutWeekday(low)
	low = strings.TrimPrefix(low, "on ")
	d, ambiguous = dateIn(low)
	if on != 0 && (d.day == 0 || d.year != 0 && on&(1<<int(d.time().Weekday())) == 0) {
		return day{}, ""
	}
	return d, ambiguous
}

// withoutWeekday cuts the day of the week from the beginning or the end of a date, and returns which it may be.
func withoutWeekday(low string) (string, int) {
	if i := strings.IndexAny(low, " ,."); i > 0 {
		if on := weekdays[low[:i]]; on != 0 && months[low[:i]] == 0 {
			return strings.TrimPrefix(strings.TrimLeft(low[i:], " ,."), "the "), on
		}
		if on := weekdays[low[:i]]; on != 0 && months[low[:i]] != 0 && strings.Count(low, " ") > 2 { // mar. 3 mar. 2025
			return strings.TrimLeft(low[i:], " ,."), on
		}
	}
	if i := strings.LastIndexAny(low, " ,("); i > 0 {
		last := strings.Trim(low[i:], " ,().")
		if on := weekdays[last]; on != 0 && months[last] == 0 {
			return strings.TrimRight(low[:i], " ,("), on
		}
	}
	return low, 0
}

func dateIn(low string) (day, string) {
	if low == "" {
		return day{}, ""
	}
	if m := match(yearFirst, low); m != nil {
		return known(num(m[1]), num(m[3]), num(m[4])), ""
	}
	if m := match(yearLast, low); m != nil {
		return inNumbers(m)
	}
	if m := match(numeric, low); m != nil {
		return known(num(m[1]+m[4]+m[5]), num(m[2]+m[3]+m[6]), 0), ""
	}
	if m := match(weekDay, low); m != nil {
		g := ofWeek(num(m[1]), num(m[2]))
		if num(m[2]) < 1 || num(m[2]) > weeksOf(num(m[1])) {
			return day{}, ""
		}
		t := time.Unix(g.Civil.First, 0).UTC().AddDate(0, 0, num(m[3])-1)
		return day{t.Year(), int(t.Month()), t.Day()}, ""
	}
	if m := match(cjkDate, low); m != nil {
		return cjk(m), ""
	}
	if m := match(vietnamese, low); m != nil {
		return known(num(m[3]), num(m[2]), num(m[1])), ""
	}
	if m := match(everyYear, low); m != nil {
		return day{0, num(m[1]), num(m[2])}, ""
	}
	return inWords(low), ""
}

// known is a date of a year from 1 to 9999, not that of every year.
func known(year, month, d int) day {
	if year == 0 {
		return day{}
	}
	return day{year, month, d}
}

// eras are the years before the first of each Japanese era.
var eras = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925}

func cjk(m []string) day {
	switch {
	case m[6] != "":
		return day{0, num(m[6]), num(m[7])}
	case m[2] != "":
		return known(eras[m[2]]+max(num(m[3]), 1), num(m[4]), num(m[5]))
	}
	return known(num(m[1]), num(m[4]), num(m[5]))
}

// inNumbers reads day, month and year in numbers. With full stops the day comes first; otherwise a number above 12 has
// to say which is the day. A year of two digits is certain nowhere.
func inNumbers(m []string) (day, string) {
	a, b, year := num(m[1]), num(m[3]), num(m[4])
	if len(m[4]) == 2 {
		if a > 31 || b > 31 || a == 0 || b == 0 {
			return day{}, ""
		}
		return day{}, "has a year of two digits: write the year first, in four"
	}
	switch {
	case m[2] == "." || a > 12 || a == b:
		return known(year, b, a), ""
	case b > 12:
		return known(year, a, b), ""
	}
	if !(day{year, b, a}).valid() && !(day{year, a, b}).valid() || year == 0 {
		return day{}, ""
	}
	return day{}, fmt.Sprintf("is %s or %s: write the year first", day{year, b, a}, day{year, a, b})
}

// inWords reads a date whose month has a name: its day, month and year in any order that people write.
func inWords(low string) day {
	var d day
	short, order := 0, ""
	for w := range strings.FieldsFuncSeq(low, isBetween) {
		part, n := partIn(w)
		switch part {
		case 'd':
			d.day, short = n, short*100+n
		case 'm', 'r':
			d.month = n
		case 'y':
			d.year = n
		case '-':
			continue
		}
		order += string(part)
		if part == '?' || len(order) > 3 {
			return day{}
		}
	}
	switch order {
	case "dmy", "mdy", "ymd", "dm", "md", "my", "ym":
		return d
	case "dmd", "mdd": // the second is a year of two digits
		if d = (day{shortYear(short % 100), d.month, short / 100}); d.year > 0 {
			return d
		}
	case "dry", "yrd":
		return d
	}
	return day{}
}

func isBetween(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",./-", r) }

// partIn reads a word of a date: 'd' a day, 'm' a month, 'y' a year, '-' a word between them, '?' anything else.
func partIn(w string) (rune, int) {
	if m := months[w]; m > 0 {
		return 'm', m
	}
	if fillers[w] {
		return '-', 0
	}
	if n := romans[w]; n > 0 {
		return 'r', n
	}
	if n := ordinalWords[w]; n > 0 {
		return 'd', n
	}
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	switch suffix := w[i:]; {
	case i == 4 && suffix == "" && num(w) > 0:
		return 'y', num(w)
	case i == 4 && (suffix == "r" || suffix == "г" || suffix == "年"):
		return 'y', num(w[:4])
	case (i == 1 || i == 2) && isOrdinal(suffix):
		return 'd', num(w[:i])
	case len(w) == 3 && w[0] == '\'' && isDigits(w[1:]):
		if year := shortYear(num(w[1:])); year > 0 {
			return 'y', year
		}
	}
	if strings.HasPrefix(w, "d'") {
		return partIn(w[2:])
	}
	if strings.HasPrefix(w, "ב") {
		return partIn(strings.TrimPrefix(w, "ב"))
	}
	return '?', 0
}

// isOrdinal reports whether letters after a number make it an ordinal.
func isOrdinal(s string) bool {
	switch s {
	case "", "st", "nd", "rd", "th", "er", "º", "ª", "o", "a", "e", "eme", "ème", "ste", "de", "-й", "го", ":a", ":e", "°":
		return true
	}
	return false
}

func match(r *regexp.Regexp, s string) []string { return r.FindStringSubmatch(s) }

// num returns the number of some digits, 0 for none.
func num(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// shortYear returns the year of two digits beside the name of a month: of this century up to 29, of the last from 70 on.
// What is between could be either, 0.
func shortYear(n int) int {
	const thisCentury, lastCentury = 29, 70
	switch {
	case n <= thisCentury:
		return 2000 + n
	case n >= lastCentury:
		return 1900 + n
	}
	return 0
}
