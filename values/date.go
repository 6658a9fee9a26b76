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
	months       = byWord("months", num)
	romans       = byWord("Roman months", num)
	weekdays     = byWord("weekdays", num)
	fillers      = byWord("fillers", isListed)
	ordinalWords = byWord("days", num)
	ordinalEnds  = byWord("ends of ordinals", isListed)
	ordinals     = byWord("ordinals", asWritten)
	partsOfYear  = byWord("parts of a year", asWritten)
	thirds       = byWord("thirds", asWritten)
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

var ofMonth = regexp.MustCompile(`^(?:the )?` + anyOf("thirds") + `[ -](.+)$`)

// partsOfDate are the forms of a quarter, a half, a week, a season, a decade, a whole year.
var partsOfDate = []form[Value, bool]{
	{"qths", regexp.MustCompile(`^(?:(?:(q|t|h|s)([1-4])|([1-4])(q|h)|(q)uarter ([1-4])|(h)alf ([12]))` +
		`(?:[ /,-]*(?:of |de )?(\d{4})|[ /,-]*'(\d\d))|[1-4]q-?(\d\d)|` +
		`(\d{4})[ /,:-]*(q|t|h|s)(?:uarter |alf )?([1-4])|(\d{4})[ /-]*([1-4])(q|h))$`), quarterIn},
	{"wvmkgy", regexp.MustCompile(`^(?:(\d{4})[ ,-]*(?:w|week |wk ?|kw ?|cw ?)(\d{1,2})|` +
		`(?:w|week |week no\. ?|week number |wk\.? ?|kw ?|cw ?|kalenderwoche |semaine |semana |settimana |vecka |v\. ?|` +
		`uke |uge |viikko |tydzień )(\d{1,2})[ /,-]*(?:of |in |de |del )?(\d{4})|` +
		`(?:the )?(\d{1,2})(?:st|nd|rd|th|\.) (?:week|kalenderwoche|kw),? (?:of |in )?(\d{4}))$`), weekIn},
	{"期度", regexp.MustCompile(`^(\d{4})年?第?([1-4一二三四])(?:四半期|季度)$`), cjkQuarterIn},
	{" ", regexp.MustCompile(`^(?:the )?` + anyOf("ordinals") + ` ` + anyOf("parts of a year") +
		`,? (?:of |in |de |del |du )?(\d{4})$`), ordinalIn},
	{"gmnl", regexp.MustCompile(`^(?:the )?(spring|summer|autumn|fall|winter),? (?:of |in )?(\d{4})$`), seasonIn},
	{"f", regexp.MustCompile(`^(?:fy|fiscal(?: year)?|financial year) ?-?'?(\d{4}|\d\d)$`), fiscalIn},
	{"s", regexp.MustCompile(`^(?:the )?([12]\d\d)0'?s$`), decadeIn},
	{"y年년", regexp.MustCompile(`^(?:the )?(?:calendar )?(?:year |cy ?)(\d{4})$|^(\d{4})(?:年|년)$`), yearIn},
}

// partOfDate reads a quarter, a half, a week, a season, a decade, a third of a month.
func partOfDate(low string) (Value, bool) {
	if low[0] > '9' {
		if m := match(ofMonth, low); m != nil {
			return thirdOf(m[1], m[2])
		}
	}
	if !mayHaveYear(low) || isNumeric(low) {
		return Value{}, false
	}
	v, ok, _ := readForms(partsOfDate, low)
	return v, ok
}

// mayHaveYear is a quick look: a part of a date has a year of four digits, or of two with something before it.
func mayHaveYear(low string) bool {
	const year = 4
	run := 0
	for i := range len(low) {
		if run++; !isDigitAt(low, i) {
			run = 0
		}
		if run == year || strings.IndexByte("'qf", low[i]) >= 0 {
			return true
		}
	}
	return false
}

// isNumeric reports whether a text has nothing but digits and what separates the parts of a date.
func isNumeric(low string) bool { return strings.Trim(low, "0123456789-/. ") == "" }

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
	switch part { // in French and Spanish
	case "t":
		part = "q"
	case "s":
		part = "h"
	}
	return partOfYear(year, part, n), part == "q" || n <= 2
}

func weekIn(m []string) (Value, bool) {
	year, n := num(m[1]+m[4]+m[6]), num(m[2]+m[3]+m[5])
	v := Value{Kind: Date, form: fmt.Sprintf("%04d-w%02d", year, n), grain: ofWeek(year, n)}
	return v, n >= 1 && n <= weeksOf(year)
}

func cjkQuarterIn(m []string) (Value, bool) {
	n := m[2]
	if i := strings.Index("一二三四", n); i >= 0 {
		n = strconv.Itoa(i/len("一") + 1)
	}
	return partOfYear(num(m[1]), "q", num(n)), true
}

// ordinalIn is "the third quarter of 2025".
func ordinalIn(m []string) (Value, bool) {
	part, n := partsOfYear[m[2]], num(ordinals[m[1]])
	if m[1] == "last" {
		n = map[string]int{"q": 4, "h": 2}[part]
	}
	return partOfYear(num(m[3]), part, n), part == "q" || n <= 2
}

func seasonIn(m []string) (Value, bool) {
	return Value{Kind: Date, form: m[2] + "-" + strings.Replace(m[1], "fall", "autumn", 1)}, true
}

func fiscalIn(m []string) (Value, bool) {
	year := num(m[1])
	if len(m[1]) == 2 {
		year += 2000
	}
	return Value{Kind: Date, form: fmt.Sprintf("fy%d", year)}, true
}

func decadeIn(m []string) (Value, bool) {
	year := num(m[1]) * 10
	g := &grain.Grain{Vague: true, Civil: monthsOf(year, 1, 120)}
	return Value{Kind: Date, form: fmt.Sprintf("%ds", year), grain: g}, true
}

func yearIn(m []string) (Value, bool) {
	n, ok := plainNumber(m[1] + m[2])
	return number(n), ok && n.Sign() > 0
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
	if on != 0 && (d.day == 0 || d.year != 0 && on%7 != int(d.time().Weekday())) {
		return day{}, ""
	}
	return d, ambiguous
}

// withoutWeekday cuts the day of the week from the beginning or the end of a date, and returns which it is, 1 for
// Monday.
func withoutWeekday(low string) (string, int) {
	if i := strings.IndexAny(low, " ,."); i > 0 {
		first, rest := low[:i], strings.TrimLeft(low[i:], " ,.")
		switch on := weekdays[first]; {
		case on != 0 && months[first] == 0:
			return strings.TrimPrefix(rest, "the "), on
		case on != 0 && strings.Count(low, " ") > 2: // mar. 3 mar. 2025
			return rest, on
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

// inDigitsOnly are the forms of a date that have nothing but digits and what separates them.
var inDigitsOnly = []form[day, string]{
	{"-/. ", regexp.MustCompile(`^(\d{4})(?:[-/.]| ?- ?|\. | )(\d{1,2})(?:[-/.]| ?- ?|\. | )(\d{1,2})\.?$`),
		func(m []string) (day, string) { return known(m[1], m[2], m[3]), "" }},
	{"-/.", regexp.MustCompile(`^(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?(\d{4}|\d{2})$`), inNumbers},
	{"-/", regexp.MustCompile(`^(\d{4})[-/](0[1-9]|1[0-2])$`),
		func(m []string) (day, string) { return known(m[1], m[2], ""), "" }},
	{"/.", regexp.MustCompile(`^(0?[1-9]|1[0-2])[/.](\d{4})$`),
		func(m []string) (day, string) { return known(m[2], m[1], ""), "" }},
	{"-", regexp.MustCompile(`^--(\d\d)-?(\d\d)$`),
		func(m []string) (day, string) { return day{0, num(m[1]), num(m[2])}, "" }},
}

// inSigns are the forms of a date of digits and letters or signs in fixed places.
var inSigns = []form[day, string]{
	{"m", regexp.MustCompile(`^(\d{4})-?m(0[1-9]|1[0-2])$`),
		func(m []string) (day, string) { return known(m[1], m[2], ""), "" }},
	{"w", regexp.MustCompile(`^(\d{4})-?w(\d\d)-?([1-7])$`), dayOfWeek},
	{"月월", regexp.MustCompile(`^(?:(\d{4})|(令和|平成|昭和)(\d{1,2}|元))[年년] ?(\d{1,2})[月월](?: ?(\d{1,2})[日일号])?$|` +
		`^(\d{1,2})[月월] ?(\d{1,2})[日일号]$`), cjk},
	{"t", regexp.MustCompile(`^(?:ngày (\d{1,2}) )?tháng (\d{1,2}),? năm (\d{4})$`),
		func(m []string) (day, string) { return known(m[3], m[2], m[1]), "" }},
}

func dateIn(low string) (day, string) {
	if isNumeric(low) {
		d, ambiguous, _ := readForms(inDigitsOnly, low)
		return d, ambiguous
	}
	if d, ambiguous, found := readForms(inSigns, low); found {
		return d, ambiguous
	}
	return inWords(low), ""
}

// known is a date of a year from 1 to 9999, not that of every year.
func known(year, month, d string) day {
	if num(year) == 0 {
		return day{}
	}
	return day{num(year), num(month), num(d)}
}

// dayOfWeek is a day of a week of a year, by ISO 8601.
func dayOfWeek(m []string) (day, string) {
	year, week := num(m[1]), num(m[2])
	if week < 1 || week > weeksOf(year) {
		return day{}, ""
	}
	t := time.Unix(ofWeek(year, week).Civil.First, 0).UTC().AddDate(0, 0, num(m[3])-1)
	return day{t.Year(), int(t.Month()), t.Day()}, ""
}

// eras are the years before the first of each Japanese era.
var eras = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925}

func cjk(m []string) (day, string) {
	switch {
	case m[6] != "":
		return day{0, num(m[6]), num(m[7])}, ""
	case m[2] != "":
		return day{eras[m[2]] + max(num(m[3]), 1), num(m[4]), num(m[5])}, ""
	}
	return known(m[1], m[4], m[5]), ""
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
		return known(m[4], m[3], m[1]), ""
	case b > 12:
		return known(m[4], m[1], m[3]), ""
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

// partIn reads a word of a date: 'd' a day, 'm' a month, 'r' one in Roman numbers, 'y' a year, '-' a word between them,
// '?' anything else.
func partIn(w string) (rune, int) {
	if isDigitAt(w, 0) {
		return numberPart(w)
	}
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
	if short, ok := strings.CutPrefix(w, "'"); ok && len(short) == 2 && isDigits(short) && shortYear(num(short)) > 0 {
		return 'y', shortYear(num(short))
	}
	for _, prefix := range []string{"d'", "ב"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok {
			return partIn(rest)
		}
	}
	return '?', 0
}

// numberPart reads a word of a date that begins with digits.
func numberPart(w string) (rune, int) {
	suffix := strings.TrimLeft(w, "0123456789")
	n := num(w[:len(w)-len(suffix)])
	switch len(w) - len(suffix) {
	case 1, 2:
		if suffix == "" || ordinalEnds[suffix] {
			return 'd', n
		}
	case 4:
		if suffix == "" && n > 0 || suffix == "r" || suffix == "г" || suffix == "年" {
			return 'y', n
		}
	}
	return '?', 0
}

// shortYear returns the year of two digits beside the name of a month: of this century up to 29, of the last from 70
// on. What is between could be either, 0.
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
