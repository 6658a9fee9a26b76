package statements

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tenure"
	"tenure/statements/lex"
	"tenure/values"
)

// bounds are the times that a clause states: from when and until when it holds. They are no values.
type bounds struct {
	from, until *tenure.Instant
	// spent are the tokens lo to hi of times that are no values, because of a word such as "from" or another value.
	spent [][2]int
	// dates are those that bound the value by where they stand alone; they may also be values.
	dates []value
	// past is the phrase that names a time which is over.
	past lex.Hit
}

// timed is a date that a clause names.
type timed struct {
	lo, hi int // without what introduces it
	begin  int // with what introduces it
	at     time.Time
	// starts, ends and back report whether it is introduced as a beginning, as an end, or as past.
	starts, ends, back bool
	// since reports whether it is over: "since Monday".
	since bool
	// grain is 'd' for a day, 'm' for a month, 'y' for a year.
	grain byte
}

// times returns the dates of the clause, by the instant at which it is said.
func (r *reading) times(said time.Time) []timed {
	var list []timed
	for i := r.body; i < len(r.tokens); {
		t, ok := r.timeAt(i, said)
		if !ok {
			i++
			continue
		}
		r.introduce(&t)
		i = t.hi
		if t.grain == 'm' && (t.begin == t.lo || r.modifies(t)) {
			continue
		}
		list = append(list, t)
	}
	return list
}

// introduce finds the words before a date that say what it bounds.
func (r *reading) introduce(t *timed) {
	t.begin = t.lo
	for t.begin > 0 && t.lo-t.begin < 4 {
		before := r.tokens[t.begin-1]
		if !before.Is(lex.Prep|lex.Det|lex.From|lex.Until) && !timeWords[before.Low] && !lasts[before.Low] {
			return
		}
		t.begin--
		switch {
		case before.Within&lex.Until != 0 || before.Is(lex.Until):
			t.ends = true
		case r.startsAt(t.begin, t.lo):
			t.starts, t.since = true, before.Is(lex.Since)
		case lasts[before.Low]:
			t.back = true
		}
	}
}

// modifies reports whether a month only describes a thing: "the April newsletter".
func (r *reading) modifies(t timed) bool {
	next := lex.At(r.tokens, t.hi)
	return next.IsOpen() && r.tokens[t.lo-1].Is(lex.Det)
}

var (
	timeWords, starters = lex.Words("time word"), lex.Words("starts")
	lasts, nexts        = lex.Words("last"), lex.Words("next")
)

// startsAt reports whether tokens i to k say that something begins at the time after them.
func (r *reading) startsAt(i, k int) bool {
	low, next := r.tokens[i].Low, lex.At(r.tokens, i+1).Low
	return starters[low] || low == "as" && i+1 < k && (next == "of" || next == "from")
}

// timeAt reads the date at i.
func (r *reading) timeAt(i int, said time.Time) (timed, bool) {
	t := r.tokens[i]
	if t.Is(lex.RelativeDay) {
		return r.relativeDay(i, said)
	}
	if v, ok := r.dateAt(i, len(r.tokens)); ok && (!t.Is(lex.Weekday|lex.Month) || !r.isPlainWord(i)) {
		if day, grain, ok := r.resolve(v, said); ok {
			return timed{lo: v.lo, hi: v.hi, at: day, grain: grain}, true
		}
	}
	if t.Kind == lex.Number {
		return r.numericDate(i, said)
	}
	return r.nextPeriod(i, said)
}

// numericDate reads a date in digits, or a year where a word says that it is one.
func (r *reading) numericDate(i int, said time.Time) (timed, bool) {
	low, before := r.tokens[i].Low, lex.At(r.tokens, i-1)
	if day, err := time.Parse(time.DateOnly, low); err == nil {
		return timed{lo: i, hi: i + 1, at: day, grain: 'd'}, true
	}
	leads := before.Is(lex.Prep | lex.Det | lex.From | lex.Until | lex.Since)
	if y := yearOf(low); y > 0 && (leads || isRecord(lex.At(r.tokens, i+1).Low)) {
		return timed{lo: i, hi: i + 1, at: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), grain: 'y'}, true
	}
	return r.shortDate(i, said)
}

func yearOf(s string) int {
	y, err := strconv.Atoi(s)
	if err != nil || y < 1900 || y > 2100 {
		return 0
	}
	return y
}

func (r *reading) shortDate(i int, said time.Time) (timed, bool) {
	low := r.tokens[i].Low
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
	return timed{lo: i, hi: i + 1, at: nearest(day.Month(), day.Day(), said), grain: 'd'}, true
}

var tomorrows, yesterdays, daysAfter = lex.Words("tomorrow"), lex.Words("yesterday"), lex.Words("after tomorrow")

func (r *reading) relativeDay(i int, said time.Time) (timed, bool) {
	t, days := r.tokens[i], 0
	switch {
	case t.Low == "morgen" && t.Capital && i > 0, t.Low == "mañana" && lex.At(r.tokens, i-1).Is(lex.Det):
		return timed{}, false // the morning
	case tomorrows[t.Low]:
		days = 1
	case yesterdays[t.Low]:
		days = -1
	case daysAfter[t.Low]:
		days = 2
	}
	return timed{lo: i, hi: i + 1, at: midnight(said).AddDate(0, 0, days), grain: 'd', back: days < 0}, true
}

func midnight(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

var (
	weeks, months       = lex.Words("week"), lex.Words("month")
	years, seasonJoints = lex.Words("year"), lex.Words("season joint")
)

// seasons are the months in which they begin.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

// nextPeriod reads "next week", "in the autumn", "next year", and "last week" at the end of a clause.
func (r *reading) nextPeriod(i int, said time.Time) (timed, bool) {
	low, before := r.tokens[i].Low, lex.At(r.tokens, i-1).Low
	start := midnight(said)
	if first, ok := seasons[low]; ok {
		day := time.Date(start.Year(), first, 1, 0, 0, 0, 0, time.UTC)
		return timed{lo: i, hi: i + 1, at: day, grain: 'm'}, seasonJoints[before] && day.After(said)
	}
	step := 1
	if lasts[before] && lex.At(r.tokens, i+1).Kind != lex.Word {
		step = -1
	}
	switch {
	case weeks[low]:
		start = start.AddDate(0, 0, 7*step-(int(start.Weekday())+6)%7)
	case months[low]:
		start = time.Date(start.Year(), start.Month()+time.Month(step), 1, 0, 0, 0, 0, time.UTC)
	case years[low]:
		start = time.Date(start.Year()+step, 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return timed{}, false
	}
	return timed{lo: i, hi: i + 1, at: start, grain: 'd'}, nexts[before] || step < 0
}

// dateParts are the parts of a date in words; weekday is -1 where there is none.
type dateParts struct {
	year, day, weekday int
	month              time.Month
}

// partsOf reads the parts of a date.
func (r *reading) partsOf(v value) dateParts {
	p := dateParts{weekday: -1}
	for _, t := range r.tokens[v.lo:v.hi] {
		switch {
		case t.Is(lex.Month) && p.month == 0:
			p.month = monthOf(t.Low)
		case t.Is(lex.Weekday) && p.weekday < 0:
			p.weekday = weekdayOf(t.Low)
		case t.Kind == lex.Number:
			if n, err := strconv.Atoi(strings.TrimRight(t.Low, "stndrh.")); err == nil && n > 31 {
				p.year = n
			} else if err == nil {
				p.day = n
			}
		case t.Low == "twenty":
			p.day += 20
		case t.Low == "thirty":
			p.day += 30
		case t.Is(lex.OrdinalWord):
			p.day += ordinals[t.Low]
		}
	}
	return p
}

// resolve returns the day that a date in words means, said at an instant.
func (r *reading) resolve(v value, said time.Time) (day time.Time, grain byte, ok bool) {
	p := r.partsOf(v)
	switch {
	case p.month > 0 && p.year > 0:
		return time.Date(p.year, p.month, max(p.day, 1), 0, 0, 0, 0, time.UTC), grainOf(p.day), true
	case p.month > 0:
		return nearest(p.month, p.day, said), grainOf(p.day), true
	case p.day > 0:
		return time.Date(said.Year(), said.Month(), p.day, 0, 0, 0, 0, time.UTC), 'd', true
	case p.weekday >= 0:
		days := (p.weekday-int(said.Weekday())+6)%7 + 1
		if lasts[lex.At(r.tokens, v.lo-1).Low] {
			days -= 7
		}
		return midnight(said).AddDate(0, 0, days), 'd', true
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

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
	"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
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
	now := said.Time()
	if y, ok := r.pastYear(now.Year()); ok {
		b.past = y
	}
	set, _ := r.contrast()
	for _, t := range r.times(now) {
		if set.covers(t.lo, t.hi) {
			continue
		}
		marked := t.starts || t.ends || t.back
		other := r.otherValue(t)
		if !marked && r.verb < 0 && (r.has(lex.Repair) || !r.introduced(t)) {
			continue
		}
		if t.back && other && r.brings() { // what moved yesterday is there now
			b.spent = append(b.spent, [2]int{t.begin, t.hi})
			continue
		}
		b.add(t, other, now)
	}
	return b
}

// add adds a date of the clause. Other reports whether the clause has another value.
func (b *bounds) add(t timed, other bool, now time.Time) {
	i := tenure.At(t.at)
	old := t.grain == 'y' && t.at.Year() < now.Year()
	switch {
	case t.ends:
		b.until = &i
		if old {
			b.past = lex.Hit{From: t.begin, To: t.hi}
		}
	case t.starts:
		if t.since && t.at.After(now) {
			i = tenure.At(t.at.AddDate(0, 0, -7))
		}
		b.from = &i
	case other && b.from == nil && t.at.After(now):
		b.from = &i
		b.dates = append(b.dates, value{t.lo, t.hi, string(values.Date), 0})
	case other && (t.back || old):
		b.past = lex.Hit{From: t.begin, To: t.hi}
	default:
		return
	}
	b.spent = append(b.spent, [2]int{t.begin, t.hi})
}

var enters = lex.Words("enters")

// brings reports whether the verb tells of an event whose result lasts: "moved", "took over".
func (r *reading) brings() bool {
	return r.has(lex.Moves|lex.Yields) || slices.ContainsFunc(r.tokens, func(t lex.Token) bool { return enters[t.Low] })
}

// spends reports whether a token is of a time that bounds the clause.
func (b *bounds) spends(i int) bool {
	return slices.ContainsFunc(b.spent, func(s [2]int) bool { return s[0] <= i && i < s[1] })
}

// pastYear finds a year that is over, as "log 2022:" has one, where the clause names another value.
func (r *reading) pastYear(year int) (lex.Hit, bool) {
	for i, t := range r.tokens {
		y := yearOf(strings.TrimSuffix(t.Low, "s"))
		if t.Kind != lex.Number || y == 0 || y >= year || y < year-80 || len(r.values) < 2 {
			continue
		}
		before := lex.At(r.tokens, i-1)
		alone := i+1 >= len(r.tokens) || r.tokens[i+1].Kind == lex.Punct || strings.HasSuffix(t.Low, "s")
		if alone && !before.Is(lex.Since) && (before.Is(lex.Prep|lex.Det) || isRecord(before.Low)) {
			return lex.Hit{From: i, To: i + 1}, true
		}
	}
	return lex.Hit{}, false
}

var records = lex.Words("record")

// isRecord reports whether a year after a word tells of which time a record is: "run log 2022".
func isRecord(s string) bool { return records[s] }

// introduced reports whether a preposition stands before a time.
func (r *reading) introduced(t timed) bool {
	for i := t.begin; i < t.lo; i++ {
		if r.tokens[i].Is(lex.Prep) {
			return true
		}
	}
	return r.tokens[t.lo].Is(lex.RelativeDay)
}

// otherValue reports whether the clause names another value than a date.
func (r *reading) otherValue(t timed) bool {
	for _, v := range r.values {
		if (v.hi <= t.begin || v.lo >= t.hi) && v.lo >= r.body && r.isOther(v, t) {
			return true
		}
	}
	if r.verb < 0 || t.begin <= r.rest {
		return false
	}
	lo, hi := r.trimNoun(r.rest, t.begin)
	return hi > lo
}

// isOther reports whether a value beside a time is no time, and no subject of a clause whose value is the time.
func (r *reading) isOther(v value, t timed) bool {
	switch v.kind {
	case string(values.Date), string(values.Time), kindWeekday:
		return false
	}
	return r.verb < 0 || v.lo > r.verb || v.kind == kindName && t.begin > r.rest
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
