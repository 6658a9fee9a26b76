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
	clockPrefix = regexp.MustCompile(`^(?:at |um |à |a las? |às |alle |ore |om |klo |kello |kl\.? ?|godz\.? |o godz\.? |в |t(?:\d))`)
	clock       = regexp.MustCompile(`^(\d{1,2})(?:(?:([:.h時时点點시u]|uhr) ?|( uhr | h |h )|시 )([0-5]\d)(?:[:.]([0-5]\d)(?:[.,](\d+))?|[分분]? ?(?:([0-5]\d)[秒초])?)?[分분]?)?([時时点點시])?` +
		` ?(am|pm|a\. ?m|p\. ?m|π\.?μ|μ\.?μ|uhr|uur|o'clock|hrs|hours?|hs|h|horas|heures|ore|ч|год|น|[ap]|u)?\.?$`)
	clockWords = regexp.MustCompile(`o'clock|\b(?:past|to|in the|at night)\b|m$`)
	compact    = regexp.MustCompile(`^(?:(0\d)([0-5]\d) ?(?:hrs|hours|h|uhr)|t([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)$`)
	past       = regexp.MustCompile(`^(half|quarter|a quarter|[a-z-]+|\d{1,2})( minutes?)? (past|after|to|before|till) ([a-z]+|\d{1,2})((?: o'clock)?(?: ?(?:am|pm|a\.m|p\.m))?)$`)
	zone       = regexp.MustCompile(`^(.*?) ?\(?(z|zulu|(?:(utc|gmt) ?)?([+-]\d{1,2}(?::?\d{2})?)|utc|gmt)\)?(?: (?:\(?[a-z]{3,5}\)?))?$`)
	place      = regexp.MustCompile(`^(.*?) ?[\[(]?([a-z]+/[a-z_]+(?:/[a-z_]+)?)[\])]?$`)
)

// zones are the abbreviations that mean one offset, in minutes east of UTC. CST, IST, BST and AST mean several.
var zones = map[string]int{
	"cet": 60, "cest": 120, "mez": 60, "mesz": 120, "wet": 0, "west": 60, "eet": 120, "eest": 180, "msk": 180, "est": -300, "edt": -240,
	"cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "nst": -210, "ndt": -150,
	"adt": -180, "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "pkt": 300, "npt": 345, "wib": 420, "ict": 420, "awst": 480, "acst": 570,
	"acdt": 630, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "sast": 120, "wat": 60, "cat": 120, "eat": 180, "brt": -180,
	"art": -180, "clt": -240, "trt": 180, "idt": 180,
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
	return Value{Kind: Time, form: t.Add(-time.Duration(offset)*time.Minute).Format("15:04:05.999999999") + "Z"}, err == nil
}

// hoursByName are the times of day that have a name.
var hoursByName = func() map[string]string {
	m := map[string]string{}
	for at, names := range map[string]string{
		"12:00:00": "noon midday 12|noon 12:00|noon 12|midday mittag midi mediodía mezzogiorno meio-dia południe полдень 正午 정오 high|noon twelve|noon",
		"00:00:00": "midnight 12|midnight 12:00|midnight mitternacht minuit medianoche mezzanotte meia-noite middernacht midnatt midnat północ " +
			"полночь 자정 午夜 午前零時 twelve|midnight",
	} {
		for _, n := range strings.Fields(names) {
			m[strings.ReplaceAll(n, "|", " ")] = at
		}
	}
	return m
}()

// halves are the words that say which half of the day is meant.
var halves = map[string]string{
	"in the morning": "am", "de la mañana": "am", "du matin": "am", "della mattina": "am", "da manhã": "am", "morgens": "am", "vormittags": "am",
	"in the afternoon": "pm", "in the evening": "pm", "at night": "pm", "de la tarde": "pm", "de la noche": "pm", "de l'après-midi": "pm",
	"du soir": "pm", "del pomeriggio": "pm", "di sera": "pm", "da tarde": "pm", "da noite": "pm", "nachmittags": "pm", "abends": "pm",
	"午前": "am", "上午": "am", "오전": "am", "午後": "pm", "下午": "pm", "오후": "pm", "de la madrugada": "am",
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
	low = strings.Replace(low, " o'clock ", " ", 1)
	for words, suffix := range halves {
		if rest, ok := strings.CutPrefix(low, words); ok {
			low = strings.TrimSpace(rest) + " " + suffix
			break
		}
		if rest, ok := strings.CutSuffix(low, " "+words); ok {
			if hour := num(strings.TrimRight(rest[:min(2, len(rest))], ":. ")); words == "at night" && (hour < 6 || hour > 11) {
				return "", false // 2 at night
			}
			low = rest + " " + suffix
			break
		}
	}
	if m := match(compact, low); m != nil {
		return m[1] + m[3] + ":" + m[2] + m[4] + ":" + cmp.Or(m[5], "00"), true
	}
	announced := false
	if m := clockPrefix.FindString(low); m != "" {
		low, announced = strings.TrimPrefix(low, strings.TrimRight(m, "0123456789")), m[0] == 'k' || m[0] == 'o'
	}
	if m := match(past, low); m != nil {
		return clockPast(m)
	}
	m := match(clock, inHours(low))
	if m == nil {
		return "", false
	}
	separator := strings.TrimSpace(m[2] + m[3])
	if m[8] != "" {
		separator = m[8]
	}
	suffix := strings.NewReplacer(".", "", " ", "", "πμ", "am", "μμ", "pm").Replace(m[9])
	fraction := strings.TrimRight(m[6], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	if suffix == "a" || suffix == "p" {
		suffix += "m"
	}
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
	minutes := 30
	spokenMinutes, used := spoken(numberWords(m[1]))
	switch {
	case m[1] == "half":
		if m[3] != "past" && m[3] != "after" {
			return "", false
		}
	case m[1] == "quarter" || m[1] == "a quarter":
		minutes = 15
	case isDigits(m[1]):
		minutes = num(m[1])
	case used == 0 || !spokenMinutes.IsInt():
		return "", false
	default:
		minutes = int(spokenMinutes.Num().Int64())
	}
	if m[3] == "to" && m[2]+m[5] == "" && m[1] != "quarter" && m[1] != "a quarter" {
		return "", false // a range
	}
	hour := num(m[4])
	if n, ok := wordNumbers[m[4]]; ok {
		hour = int(n)
	}
	suffix := strings.ReplaceAll(strings.TrimSpace(strings.Replace(m[5], " o'clock", "", 1)), ".", "")
	if at, ok := hoursByName[m[4]]; ok && suffix == "" {
		hour = num(at[:2])
	} else if hour < 1 || hour > 12 {
		return "", false
	}
	at, ok := inDay(hour, 0, 0, "", suffix)
	if !ok || minutes > 59 || minutes < 1 {
		return "", false
	}
	t, _ := time.Parse(time.TimeOnly, at)
	if m[3] != "past" && m[3] != "after" {
		minutes = -minutes
	}
	return t.Add(time.Duration(minutes) * time.Minute).Format(time.TimeOnly), true
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
	clockIn    = regexp.MustCompile(`\d[:.h時时点시]|\d ?[ap]\.? ?m|uhr|noon|midnight|mid|\dt\d|o'clock|klo|kl| at `)
)

// readInstant reads a date with a time: an instant if the zone is given.
func readInstant(s spelling) (Value, bool) {
	low := s.low
	if t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(low)); err == nil && t.Year() > 0 {
		return instant(t, 0), true
	}
	if len(low) < 10 || !clockIn.MatchString(low) || !strings.ContainsFunc(low, unicode.IsDigit) {
		return Value{}, false
	}
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
	for i, r := range low {
		if r != ' ' && r != 't' && r != '日' && r != '일' && r != '_' {
			continue
		}
		end := i
		if r == '日' || r == '일' {
			end = i + len(string(r))
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
	if pointed := strings.Replace(at, ".", ":", 1); len(at) > 3 && (len(at) == 5 || len(at) == 4) && isDigits(strings.Replace(at, ".", "", 1)) && pointed != at {
		at = pointed // 3.9.2025 14.30
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
	i := strings.LastIndexByte(at, ' ')
	if i < 0 {
		i = strings.LastIndexAny(at, "0123456789m")
	}
	if i > 0 && i < len(at)-2 {
		if offset, ok := zones[strings.Trim(at[i+1:], "()")]; ok {
			if c, ok := clockOf(strings.TrimSpace(at[:i+1])); ok {
				return c, offset, true
			}
		}
	}
	m := match(zone, at)
	if len(m) == 0 || m[1] == "" {
		return "", 0, false
	}
	if h, min, _ := strings.Cut(m[4], ":"); h != "" {
		if h[0] == '-' && m[3] == "" && min != "" && m[1] < h[1:]+":"+min {
			return "", 0, false // 09:00-12:00 is a range
		}
		if min == "" && len(h) > 3 {
			h, min = h[:len(h)-2], h[len(h)-2:]
		}
		hours := num(strings.TrimLeft(h, "+-"))
		if offset = 60*hours + num(min); hours > 14 || num(min) > 59 {
			return "", 0, false
		}
		if h[0] == '-' {
			offset = -offset
		}
	}
	at = strings.TrimSpace(m[1])
	if m[4] == "" && (len(at) == 4 || len(at) == 6) && isDigits(at) {
		at = "t" + at
	}
	c, ok := clockOf(at)
	return c, offset, ok
}
