package values

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // the offsets of named zones must not depend on the machine
	"unicode"
)

var (
	zones       = byWord("zones", num)
	hoursByName = byWord("hours", asWritten)
	halves      = tables["halves of the day"]
)

var (
	clockPrefix = regexp.MustCompile(`^(?:at |um |à |a las? |às |alle |ore |om |klo |kello |kl\.? ?|godz\.? |o godz\.? |в |t(?:\d))`)
	clock       = regexp.MustCompile(`^(\d{1,2})(?:(?:([:.h時时点點시u]|uhr) ?|( uhr | h |h )|시 )([0-5]\d)` +
		`(?:[:.]([0-5]\d)(?:[.,](\d+))?|[分분]? ?(?:([0-5]\d)[秒초])?)?[分분]?)?([時时点點시])?` +
		` ?(am|pm|a\. ?m|p\. ?m|π\.?μ|μ\.?μ|uhr|uur|o'clock|hrs|hours?|hs|h|horas|heures|ore|ч|год|น|[ap]|u)?\.?$`)
	clockWords = regexp.MustCompile(`o'clock|\b(?:past|to|in the|at night)\b|m$`)
	compact    = regexp.MustCompile(`^(?:(0\d)([0-5]\d) ?(?:hrs|hours|h|uhr)|t([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)$`)
	past       = regexp.MustCompile(`^(half|quarter|a quarter|[a-z-]+|\d{1,2})( minutes?)? (past|after|to|before|till) ` +
		`([a-z]+|\d{1,2})((?: o'clock)?(?: ?(?:am|pm|a\.m|p\.m))?)$`)
	zone = regexp.MustCompile(`^(.*?) ?\(?(z|zulu|(?:(utc|gmt) ?)?([+-]\d{1,2}(?::?\d{2})?)|utc|gmt)\)?` +
		`(?: (?:\(?[a-z]{3,5}\)?))?$`)
	hours = regexp.MustCompile(`^(?:from |between )?(\d[^-]*?) ?(?:-| to | until | bis | and ) ?(\d[^-]*)$`)
	place = regexp.MustCompile(`^(.*?) ?[\[(]?([a-z]+/[a-z_]+(?:/[a-z_]+)?)[\])]?$`)
)

// readHours reads a part of a day from one time to a later one: "2 pm - 6 pm", "14:00-18:00". What ends before it
// begins is none: 14:00-05:00 is a time with an offset.
func readHours(s spelling) (Value, bool) {
	if !mayBeDashed(s.low) && !strings.HasPrefix(s.low, "between ") && !strings.HasPrefix(s.low, "from ") {
		return Value{}, false
	}
	m := hours.FindStringSubmatch(s.low)
	if m == nil {
		return Value{}, false
	}
	from, ok1 := clockOf(strings.TrimSpace(m[1]))
	until, ok2 := clockOf(strings.TrimSpace(m[2]))
	return Value{Kind: Range, form: from + ".." + until}, ok1 && ok2 && from < until
}

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
	utc := t.Add(-time.Duration(offset) * time.Minute)
	return Value{Kind: Time, form: utc.Format("15:04:05.999999999") + "Z"}, err == nil
}

// clockOf returns a time of the day as hh:mm:ss, with a fraction of the second where there is one.
func clockOf(low string) (string, bool) {
	low = strings.TrimSuffix(strings.TrimSuffix(low, " sharp"), " exactly")
	if at, ok := hoursByName[low]; ok {
		return at, true
	}
	if !isClockLike(low) {
		return "", false
	}
	low, ok := withHalf(strings.Replace(low, " o'clock ", " ", 1))
	if !ok {
		return "", false
	}
	announced := false
	if low[0] == '0' || low[0] > '9' {
		if m := match(compact, low); m != nil {
			return m[1] + m[3] + ":" + m[2] + m[4] + ":" + cmp.Or(m[5], "00"), true
		}
		if m := clockPrefix.FindString(low); m != "" {
			low, announced = strings.TrimPrefix(low, strings.TrimRight(m, "0123456789")), m[0] == 'k' || m[0] == 'o'
		}
	}
	if strings.Contains(low, " ") {
		if m := match(past, low); m != nil {
			return clockPast(m)
		}
	}
	return clockIn(low, announced)
}

// withHalf writes the words for a half of the day as am or pm at the end. It refuses hours that they are not true of: 2
// at night.
func withHalf(low string) (string, bool) {
	for _, half := range halves {
		for _, words := range half.words {
			if rest, ok := strings.CutPrefix(low, words); ok {
				return strings.TrimSpace(rest) + " " + half.meaning, true
			}
			rest, ok := strings.CutSuffix(low, words)
			if !ok || !strings.HasSuffix(rest, " ") {
				continue
			}
			rest = rest[:len(rest)-1]
			hour := num(strings.TrimRight(rest[:min(2, len(rest))], ":. "))
			return rest + " " + half.meaning, words != "at night" || hour >= 6 && hour <= 11
		}
	}
	return low, true
}

// clockIn reads a time whose hour is in digits, or in a word. After a word for "at" it needs no more than minutes.
func clockIn(low string, announced bool) (string, bool) {
	m := match(clock, inHours(low))
	if m == nil {
		return "", false
	}
	fraction := strings.TrimRight(m[6], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	suffix := m[9]
	switch suffix {
	case "a", "am", "a.m", "a. m", "π.μ", "πμ":
		suffix = "am"
	case "p", "pm", "p.m", "p. m", "μ.μ", "μμ":
		suffix = "pm"
	}
	separator := cmp.Or(m[8], strings.TrimSpace(m[2]+m[3]))
	if !isClock(separator, suffix, m[4] != "") && (!announced || m[4] == "") {
		return "", false
	}
	return inDay(num(m[1]), num(m[4]), num(m[5]+m[7]), fraction, suffix)
}

// isClockLike is a quick look: a time begins with a digit or a word for a number, or has one after a short word.
func isClockLike(low string) bool {
	const longest = 40
	if len(low) > longest {
		return false
	}
	if !strings.ContainsFunc(low, unicode.IsDigit) {
		return clockWords.MatchString(low)
	}
	const short = 6 // 14.30
	return strings.ContainsAny(low, ":htk時时点點시zu") || strings.HasSuffix(low, "m") || strings.HasSuffix(low, "μ") ||
		len(low) <= short && (strings.Contains(low, ".") || strings.HasSuffix(low, "p") || strings.HasSuffix(low, "a"))
}

// inDay is a time of the day with the suffix that it was written with.
func inDay(hour, minute, second int, fraction, suffix string) (string, bool) {
	half := suffix == "am" || suffix == "pm"
	if hour > 23 || half && (hour < 1 || hour > 12) {
		return "", false
	}
	if half {
		hour %= 12
	}
	if suffix == "pm" {
		hour += 12
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, minute, second) + fraction, true
}

// inHours writes the hour in digits where it is a word: "nine o'clock".
func inHours(low string) string {
	first, rest, _ := strings.Cut(low, " ")
	if n, ok := wordNumbers[first]; ok && n > 0 && n <= 12 && rest != "" {
		return fmt.Sprintf("%d %s", n, rest)
	}
	return low
}

// clockPast reads "half past nine", "a quarter to ten pm".
func clockPast(m []string) (string, bool) {
	later := m[3] == "past" || m[3] == "after"
	isQuarter := m[1] == "quarter" || m[1] == "a quarter"
	minutes := minutesOf(m[1])
	switch {
	case minutes < 1 || minutes > 59, m[1] == "half" && !later:
		return "", false
	case m[3] == "to" && m[2]+m[5] == "" && !isQuarter: // a range
		return "", false
	}
	at, ok := hourOf(m[4], strings.ReplaceAll(strings.TrimSpace(strings.Replace(m[5], " o'clock", "", 1)), ".", ""))
	if !ok {
		return "", false
	}
	t, _ := time.Parse(time.TimeOnly, at)
	if !later {
		minutes = -minutes
	}
	return t.Add(time.Duration(minutes) * time.Minute).Format(time.TimeOnly), true
}

// minutesOf returns the minutes before or after an hour, 0 for what is none.
func minutesOf(w string) int {
	switch {
	case w == "half":
		return 30
	case w == "quarter" || w == "a quarter":
		return 15
	case isDigits(w):
		return num(w)
	}
	if n, used := spoken(numberWords(w)); used > 0 && n.IsInt() && n.Num().IsInt64() {
		return int(n.Num().Int64())
	}
	return 0
}

// hourOf returns the time of a full hour: 1 to 12 in digits or words, noon or midnight.
func hourOf(w, suffix string) (string, bool) {
	if at, ok := hoursByName[w]; ok && suffix == "" {
		return at, true
	}
	hour := num(w)
	if n, ok := wordNumbers[w]; ok {
		hour = int(n)
	}
	if hour < 1 || hour > 12 {
		return "", false
	}
	return inDay(hour, 0, 0, "", suffix)
}

// isClock reports whether digits with a separator and a suffix are a time, and not a number, a decimal or hours.
func isClock(separator, suffix string, minutes bool) bool {
	half := suffix == "am" || suffix == "pm"
	switch separator {
	case "":
		return half || suffix == "uhr" || suffix == "o'clock"
	case ".":
		return suffix != "" && suffix != "h" && suffix != "hours" && suffix != "hour" && minutes
	case "h", "u":
		return !half && minutes
	case ":", "uhr":
		return suffix != "hour" && minutes
	}
	return true
}

var (
	isoBasic   = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)t?(\d\d)(\d\d)(\d\d)?(z|[+-]\d\d:?(?:\d\d)?)?$`)
	apache     = regexp.MustCompile(`^\[?(\d{1,2}/[a-z]{3}/\d{4}):(\d\d:\d\d:\d\d ?(?:[+-]\d{4})?)\]?$`)
	yearAtEnd  = regexp.MustCompile(`^(.*?) (\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)((?: [a-z]{1,5}| [+-]\d{4})?) (\d{4})$`)
	midnightAt = regexp.MustCompile(`^(.*?)24:00(?::00)?(.*)$`)
	afterDigit = regexp.MustCompile(`^(?:[:.h時时点시]| ?[ap]\.? ?m|t\d)`)
)

// hasClock is a quick look: a text may have a time of the day in it.
func hasClock(low string) bool {
	for _, w := range []string{"uhr", "noon", "mid", "o'clock", "kl", " at "} {
		if strings.Contains(low, w) {
			return true
		}
	}
	for i := range len(low) - 1 {
		if isDigitAt(low, i) && !isDigitAt(low, i+1) && afterDigit.MatchString(low[i+1:]) {
			return true
		}
	}
	return false
}

// readInstant reads a date with a time: an instant if the zone is given.
func readInstant(s spelling) (Value, bool) {
	const shortest, shortestISO = 10, 19
	if len(s.low) >= shortestISO && s.low[4] == '-' && s.low[10] == 't' {
		if t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s.low)); err == nil && t.Year() > 0 {
			return instant(t, 0), true
		}
	}
	if len(s.low) < shortest || !hasClock(s.low) || !strings.ContainsFunc(s.low, unicode.IsDigit) {
		return Value{}, false
	}
	low := dateBeforeTime(s.low)
	for i, r := range low {
		end := i // of what is before it
		switch r {
		case '日', '일':
			end += len(string(r))
		case ' ', 't', '_':
		default:
			continue
		}
		left, right := strings.TrimRight(low[:end], ", -@|"), strings.TrimLeft(low[i+len(string(r)):], " -@|,")
		left = strings.TrimSuffix(strings.TrimSuffix(left, " at"), ",")
		if v, ok := dateTime(left, right); ok {
			return v, true
		}
		if v, ok := dateTime(strings.TrimPrefix(right, "on "), left); ok {
			return v, true
		}
	}
	return Value{}, false
}

// dateBeforeTime writes the forms that have the time within the date, or nothing between them, in the usual order.
func dateBeforeTime(low string) string {
	if m := match(isoBasic, low); m != nil && strings.Contains(low, "t") {
		low = m[1] + "-" + m[2] + "-" + m[3] + " " + m[4] + ":" + m[5]
		if m[6] != "" {
			low += ":" + m[6]
		}
		low += m[7]
	}
	if m := match(apache, low); m != nil {
		low = m[1] + " " + m[2]
	}
	if m := match(yearAtEnd, low); m != nil {
		low = m[1] + " " + m[4] + " " + m[2] + m[3]
	}
	return low
}

// instant is a time, some minutes before it for the offset of its zone.
func instant(t time.Time, offset int) Value {
	utc := t.UTC().Add(-time.Duration(offset) * time.Minute)
	return Value{Kind: Instant, form: utc.Format(time.RFC3339Nano), grain: ofClock(t, true)}
}

const civilTime = "2006-01-02T15:04:05"

// dateTime joins a day and a time of the day with its zone, if it has one.
func dateTime(date, at string) (Value, bool) {
	if len(date) < 6 || len(at) < 2 {
		return Value{}, false
	}
	d, _ := dayOf(date)
	if !d.valid() || d.day == 0 || d.year == 0 {
		return Value{}, false
	}
	if m := match(midnightAt, at); m != nil {
		next := d.time().AddDate(0, 0, 1)
		d, at = day{next.Year(), int(next.Month()), next.Day()}, m[1]+"00:00"+m[2]
	}
	if hour, minute, ok := strings.Cut(at, "."); ok && (len(at) == 5 || len(at) == 4) && isDigits(hour+minute) {
		at = hour + ":" + minute // 3.9.2025 14.30
	}
	if c, ok := clockOf(at); ok {
		t, err := time.Parse(civilTime, d.String()+"T"+c)
		return Value{Kind: Moment, form: d.String() + "T" + c, grain: ofClock(t, false)}, err == nil
	}
	if c, offset, ok := zoned(at); ok {
		t, err := time.Parse(civilTime, d.String()+"T"+c)
		return instant(t, offset), err == nil
	}
	return inPlace(d, at)
}

// inPlace reads a time by the clock of a place: "14:30 Europe/Berlin".
func inPlace(d day, at string) (Value, bool) {
	m := match(place, at)
	if m == nil {
		return Value{}, false
	}
	if c, offset, ok := zoned(m[1]); ok { // 14:30+02:00[Europe/Berlin]
		t, err := time.Parse(civilTime, d.String()+"T"+c)
		return instant(t, offset), err == nil
	}
	parts := strings.FieldsFunc(m[2], func(r rune) bool { return r == '/' || r == '_' })
	name := m[2]
	for _, p := range parts {
		name = strings.Replace(name, p, strings.ToUpper(p[:1])+p[1:], 1)
	}
	c, ok := clockOf(m[1])
	zone, err := time.LoadLocation(name)
	if !ok || err != nil {
		return Value{}, false
	}
	t, err := time.ParseInLocation(civilTime, d.String()+"T"+c, zone)
	return instant(t, 0), err == nil
}

// zoned splits a time of the day from its zone: the offset from UTC in minutes.
func zoned(at string) (clock string, offset int, ok bool) {
	if clock, offset, ok = abbreviated(at); ok {
		return clock, offset, true
	}
	if !strings.ContainsAny(at, "z+-") && !strings.Contains(at, "utc") && !strings.Contains(at, "gmt") {
		return "", 0, false
	}
	m := match(zone, at)
	if len(m) == 0 || m[1] == "" {
		return "", 0, false
	}
	if m[4] != "" {
		if offset, ok = offsetOf(m[4], m[3] != "", m[1]); !ok {
			return "", 0, false
		}
	}
	at = strings.TrimSpace(m[1])
	if m[4] == "" && (len(at) == 4 || len(at) == 6) && isDigits(at) {
		at = "t" + at
	}
	clock, ok = clockOf(at)
	return clock, offset, ok
}

// abbreviated splits a time from the abbreviation of its zone.
func abbreviated(at string) (clock string, offset int, ok bool) {
	i := strings.LastIndexByte(at, ' ')
	if i < 0 {
		i = strings.LastIndexAny(at, "0123456789m")
	}
	if i <= 0 || i >= len(at)-2 {
		return "", 0, false
	}
	if offset, ok = zones[strings.Trim(at[i+1:], "()")]; !ok {
		return "", 0, false
	}
	clock, ok = clockOf(strings.TrimSpace(at[:i+1]))
	return clock, offset, ok
}

// offsetOf reads an offset as "+01:00", "-5" in minutes. Without "UTC" one that is after the time is the end of a range:
// 09:00-12:00.
func offsetOf(written string, named bool, time string) (int, bool) {
	h, min, _ := strings.Cut(written, ":")
	if h[0] == '-' && !named && min != "" && time < h[1:]+":"+min {
		return 0, false
	}
	if min == "" && len(h) > 3 {
		h, min = h[:len(h)-2], h[len(h)-2:]
	}
	hours := num(h[1:])
	offset := 60*hours + num(min)
	if h[0] == '-' {
		offset = -offset
	}
	return offset, hours <= 14 && num(min) <= 59
}
