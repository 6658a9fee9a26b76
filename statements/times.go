package statements

import (
	"strconv"
	"strings"
	"time"

	"tenure"
	"tenure/values"
)

// bounds are the times that a clause states: from when and until when it holds. They are no values.
type bounds struct {
	from, until *tenure.Instant
	// lo and hi are the tokens of the times that are no values, marked by a word such as "from" or by another value.
	spent [][2]int
	// dates are those that bound the value by where they stand alone; they may also be values.
	dates []value
	// past reports whether a time is named that is over.
	past hit
}

// timed is a date that a clause names.
type timed struct {
	lo, hi int // without what introduces it
	begin  int // with what introduces it
	at     time.Time
	// starts, ends and back report whether it is introduced as a beginning, as an end, or as past.
	starts, ends, back bool
	// grain is 'd' for a day, 'm' for a month, 'y' for a year.
	grain byte
}

// times returns the dates of the clause, by the instant at which it is said.
func (r *reading) times(at time.Time) []timed {
	var list []timed
	for i := r.body; i < len(r.tokens); {
		t, ok := r.timeAt(i, at)
		if !ok {
			i++
			continue
		}
		t.begin = t.lo
		for t.begin > 0 && (r.tokens[t.begin-1].is(prep|det|from|until) || r.isTimeWord(t.begin-1)) && t.lo-t.begin < 4 {
			t.begin--
			switch {
			case r.tokens[t.begin].within&until != 0 || r.tokens[t.begin].is(until):
				t.ends = true
			case r.startsAt(t.begin, t.lo):
				t.starts = true
			case isLast(r.tokens[t.begin].low):
				t.back = true
			}
		}
		if t.grain == 'm' && t.begin == t.lo || t.hi < len(r.tokens) && t.grain == 'm' && isOpen(r.tokens[t.hi]) && r.tokens[t.hi].kind == word &&
			t.begin < t.lo && r.tokens[t.lo-1].is(det) {
			i = t.hi
			continue // "the April newsletter"
		}
		list = append(list, t)
		i = t.hi
	}
	return list
}

func (r *reading) isTimeWord(i int) bool {
	switch r.tokens[i].low {
	case "early", "late", "mid", "next", "last", "this", "coming", "end", "start", "beginning", "effective", "starting", "as", "w.e.f",
		"anfang", "mitte", "ende", "nächsten", "letzten", "fin", "début", "mi", "partir", "compter", "effect":
		return true
	}
	return isLast(r.tokens[i].low)
}

func isLast(s string) bool {
	switch s {
	case "last", "letzten", "letzte", "letztes", "vergangenen", "dernier", "dernière", "pasado", "pasada", "back", "previous":
		return true
	}
	return false
}

// startsAt reports whether tokens i to k say that something begins at the time after them.
func (r *reading) startsAt(i, k int) bool {
	switch r.tokens[i].low {
	case "from", "starting", "effective", "beginning", "since", "come", "ab", "seit", "dès", "desde", "depuis", "w.e.f", "partir", "compter":
		return true
	case "as":
		return i+1 < k && (r.tokens[i+1].low == "of" || r.tokens[i+1].low == "from")
	}
	return false
}

// timeAt reads the date at i.
func (r *reading) timeAt(i int, at time.Time) (timed, bool) {
	t := r.tokens[i]
	if t.is(relativeDay) {
		return r.relativeDay(i, at)
	}
	if v, ok := r.dateAt(i, len(r.tokens)); ok && !(t.is(weekday|month) && r.isPlainWord(i)) {
		if day, grain, ok := r.resolve(v, at); ok {
			return timed{lo: v.lo, hi: v.hi, at: day, grain: grain}, true
		}
	}
	if t.kind == number {
		if day, err := time.Parse(time.DateOnly, t.low); err == nil {
			return timed{lo: i, hi: i + 1, at: day, grain: 'd'}, true
		}
		if y := yearOf(t.low); y > 0 && i > 0 && (r.tokens[i-1].is(prep|from|until|since) || r.tokens[i-1].is(det) || i+1 < len(r.tokens) && r.tokens[i+1].low == "season") {
			return timed{lo: i, hi: i + 1, at: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), grain: 'y'}, true
		}
		return r.shortDate(i, at)
	}
	return r.nextPeriod(i, at)
}

func yearOf(s string) int {
	y, err := strconv.Atoi(s)
	if err != nil || y < 1900 || y > 2100 {
		return 0
	}
	return y
}

func (r *reading) shortDate(i int, at time.Time) (timed, bool) {
	low := r.tokens[i].low
	if strings.Count(low, "/") != 1 && strings.Count(strings.TrimSuffix(low, "."), ".") != 1 {
		return timed{}, false
	}
	v := values.Of(low)
	if v.Kind != values.Date {
		return timed{}, false
	}
	day, err := time.Parse("--01-02", strings.TrimPrefix(v.Canonical(), "date:"))
	if err != nil {
		return timed{}, false
	}
	return timed{lo: i, hi: i + 1, at: nearest(day.Month(), day.Day(), at), grain: 'd'}, true
}

func (r *reading) relativeDay(i int, at time.Time) (timed, bool) {
	days := 0
	switch r.tokens[i].low {
	case "tomorrow", "tmrw", "tmr", "demain":
		days = 1
	case "morgen":
		days = 1
		if r.tokens[i].capital && i > 0 {
			return timed{}, false
		}
	case "mañana":
		days = 1
		if i > 0 && r.tokens[i-1].is(det) {
			return timed{}, false
		}
	case "yesterday", "gestern", "hier", "ayer":
		days = -1
	case "übermorgen", "après-demain":
		days = 2
	}
	return timed{lo: i, hi: i + 1, at: midnight(at).AddDate(0, 0, days), grain: 'd', back: days < 0}, true
}

func midnight(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// nextPeriod reads "next week", "in the autumn", "next year".
func (r *reading) nextPeriod(i int, at time.Time) (timed, bool) {
	low, before := r.tokens[i].low, ""
	if i > 0 {
		before = r.tokens[i-1].low
	}
	start := midnight(at)
	next := before == "next" || before == "nächste" || before == "nächsten" || before == "nächstes" || before == "prochain" || before == "próximo" || before == "próxima"
	switch low {
	case "week", "woche":
		start = start.AddDate(0, 0, 7-(int(start.Weekday())+6)%7)
	case "month", "monat":
		start = time.Date(start.Year(), start.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	case "year", "jahr", "season", "term", "quarter":
		start = time.Date(start.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)
	case "spring", "summer", "autumn", "fall", "winter":
		if !(before == "in" || before == "the" || before == "next" || before == "come" || before == "this" || before == "from" || before == "until" || before == "till") {
			return timed{}, false
		}
		starts := map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
		day := time.Date(start.Year(), starts[low], 1, 0, 0, 0, 0, time.UTC)
		return timed{lo: i, hi: i + 1, at: day, grain: 'm'}, day.After(at)
	default:
		return timed{}, false
	}
	return timed{lo: i, hi: i + 1, at: start, grain: 'd'}, next
}

// resolve returns the day that a date in words means, said at an instant.
func (r *reading) resolve(v value, at time.Time) (day time.Time, grain byte, ok bool) {
	var m time.Month
	d, y, wd := 0, 0, -1
	for i := v.lo; i < v.hi; i++ {
		t := r.tokens[i]
		switch {
		case t.is(month) && m == 0:
			m = monthOf(t.low)
		case t.is(weekday) && wd < 0:
			wd = weekdayOf(t.low)
		case t.kind == number:
			n, err := strconv.Atoi(strings.TrimRight(t.low, "stndrh."))
			if err != nil {
				continue
			}
			if n > 31 {
				y = n
			} else {
				d = n
			}
		case t.is(ordinalWord):
			d += ordinals[t.low]
		case t.is(numberWord) && (t.low == "twenty" || t.low == "thirty"):
			d += map[string]int{"twenty": 20, "thirty": 30}[t.low]
		}
	}
	switch {
	case m > 0 && y > 0:
		return time.Date(y, m, max(d, 1), 0, 0, 0, 0, time.UTC), grainOf(d), true
	case m > 0:
		return nearest(m, d, at), grainOf(d), true
	case d > 0:
		day := time.Date(at.Year(), at.Month(), d, 0, 0, 0, 0, time.UTC)
		return day, 'd', true
	case wd >= 0:
		back := v.lo > 0 && isLast(r.tokens[v.lo-1].low)
		days := (wd-int(at.Weekday())+6)%7 + 1
		if back {
			days -= 7
		}
		return midnight(at).AddDate(0, 0, days), 'd', true
	}
	return time.Time{}, 0, false
}

func grainOf(day int) byte {
	if day == 0 {
		return 'm'
	}
	return 'd'
}

// nearest is the day of a month in the year that is meant: within eight months ahead, else before.
func nearest(m time.Month, d int, at time.Time) time.Time {
	day := time.Date(at.Year(), m, max(d, 1), 0, 0, 0, 0, time.UTC)
	switch {
	case day.Before(at.AddDate(0, -4, 0)):
		return day.AddDate(1, 0, 0)
	case day.After(at.AddDate(0, 8, 0)):
		return day.AddDate(-1, 0, 0)
	}
	return day
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
	"seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30}

// monthOf returns the month by its name in one of the languages, as package values knows it.
func monthOf(s string) time.Month {
	day, err := time.Parse("2006-01", strings.TrimPrefix(values.Of(s+" 2024").Canonical(), "date:"))
	if err != nil {
		return 0
	}
	return day.Month()
}

var weekdays = [][]string{
	{"sun", "so", "dim", "dom"}, {"mon", "montag", "lun"}, {"tue", "die", "mar"}, {"wed", "mit", "mer", "mié", "mie"},
	{"thu", "don", "jeu", "jue"}, {"fri", "fre", "ven", "vie"}, {"sat", "sam", "sáb", "sab", "sonnabend"},
}

func weekdayOf(s string) int {
	best, length := -1, 0
	for i, names := range weekdays {
		for _, name := range names {
			if strings.HasPrefix(s, name) && len(name) > length {
				best, length = i, len(name)
			}
		}
	}
	return best
}

// bound says from when and until when the clause holds. A date that is the only value of the clause is a value, unless
// a word says that it is a beginning or an end.
func (r *reading) bound(said tenure.Instant) bounds {
	var b bounds
	if said == 0 {
		return b
	}
	at := said.Time()
	if y, ok := r.pastYear(at.Year()); ok {
		b.past = y
	}
	for _, t := range r.times(at) {
		other := r.otherValue(t)
		if other && !t.starts && !t.ends && !t.back && (r.has(repair) && r.verb < 0 || r.verb < 0 && !r.introduced(t)) {
			continue
		}
		switch {
		case t.ends:
			i := tenure.At(t.at)
			b.until = &i
			b.spent = append(b.spent, [2]int{t.begin, t.hi})
			if t.grain == 'y' && t.at.Before(at) {
				b.past = hit{0, t.begin, t.hi}
			}
		case t.starts || other && t.at.After(at) && b.from == nil:
			if b.from != nil && !t.starts {
				continue
			}
			i := tenure.At(t.at)
			b.from = &i
			if !t.starts {
				b.dates = append(b.dates, value{t.lo, t.hi, string(values.Date), 0})
			}
			b.spent = append(b.spent, [2]int{t.begin, t.hi})
		case (t.back || t.grain == 'y' && t.at.Year() < at.Year()) && other:
			b.past = hit{0, t.begin, t.hi}
			b.spent = append(b.spent, [2]int{t.begin, t.hi})
		}
	}
	return b
}

// pastYear finds a year that is over, as "log 2022:" has one, where the clause names another value.
func (r *reading) pastYear(year int) (hit, bool) {
	for i, t := range r.tokens {
		if y := yearOf(strings.TrimSuffix(t.low, "s")); t.kind == number && y > 0 && y < year && y >= year-80 && i > 0 && len(r.values) > 1 {
			alone := i+1 >= len(r.tokens) || r.tokens[i+1].kind == punct || strings.HasSuffix(t.low, "s")
			if before := r.tokens[i-1]; alone && (before.is(prep|det) || isRecord(before.low)) && !before.is(since) {
				return hit{0, i, i + 1}, true
			}
		}
	}
	return hit{}, false
}

// isRecord reports whether a year after a word tells of which time a record is: "run log 2022".
func isRecord(s string) bool {
	switch s {
	case "log", "list", "catalogue", "catalog", "season", "edition", "minutes", "archive", "records", "record", "programme", "program",
		"brochure", "handbook", "directory", "inventory", "register", "year", "jahr", "année", "año", "saison", "temporada":
		return true
	}
	return false
}

// introduced reports whether a preposition stands before a time.
func (r *reading) introduced(t timed) bool {
	for i := t.begin; i < t.lo; i++ {
		if r.tokens[i].is(prep) {
			return true
		}
	}
	return r.tokens[t.lo].is(relativeDay)
}

// otherValue reports whether the clause names another value than a date.
func (r *reading) otherValue(t timed) bool {
	for _, v := range r.values {
		if (v.hi <= t.begin || v.lo >= t.hi) && v.lo >= r.body && (r.verb < 0 || v.lo > r.verb || v.kind == kindName) {
			if v.kind == string(values.Date) || v.kind == kindWeekday || v.kind == string(values.Time) {
				continue
			}
			if r.verb >= 0 && v.lo < r.verb && t.begin <= r.rest {
				continue
			}
			return true
		}
	}
	if r.verb < 0 || t.begin <= r.rest {
		return false
	}
	lo, hi := r.trimNoun(r.rest, t.begin)
	return hi > lo
}

// isSpent reports whether a value is a time that only bounds another.
func (b bounds) isSpent(v value) bool {
	for _, s := range b.spent {
		if v.lo < s[1] && s[0] < v.hi {
			return true
		}
	}
	return false
}
