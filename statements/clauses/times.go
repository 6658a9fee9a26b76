package clauses

import (
	"strconv"
	"strings"
	"time"

	"tenure"
	"tenure/statements/lex"
	"tenure/values"
)

// Time is a date that a clause names: tokens Lo to Hi, Hi exclusive, and from Begin on with what introduces it.
type Time struct {
	Begin, Lo, Hi int
	// At is when the day, month or year begins. Grain tells which it is: 'd', 'm' or 'y'.
	At    time.Time
	Grain byte
	// Starts, Ends and Back report whether it is introduced as a beginning, as an end, or as past.
	Starts, Ends, Back bool
	// Since reports whether the beginning is over: "since Monday".
	Since bool
}

// Times returns the dates of the clause from a token on, by the instant at which it is said.
func (c *Clause) Times(from int, said time.Time) []Time {
	var list []Time
	for i := from; i < len(c.Tokens); {
		t, ok := c.timeAt(i, said)
		if !ok {
			i++
			continue
		}
		c.introduce(&t)
		i = t.Hi
		if t.Grain == 'm' && (t.Begin == t.Lo || c.modifies(t)) {
			continue
		}
		list = append(list, t)
	}
	return list
}

// introduce finds the words before a date that say what it bounds.
func (c *Clause) introduce(t *Time) {
	t.Begin = t.Lo
	for t.Begin > 0 && t.Lo-t.Begin < 4 {
		before := c.Tokens[t.Begin-1]
		if !before.Is(lex.Prep|lex.Det|lex.From|lex.Until) && !timeWords[before.Low] && !lasts[before.Low] {
			return
		}
		t.Begin--
		switch {
		case before.Within&lex.Until != 0 || before.Is(lex.Until):
			t.Ends = true
		case c.startsAt(t.Begin, t.Lo):
			t.Starts, t.Since = true, before.Is(lex.Since)
		case lasts[before.Low]:
			t.Back = true
		}
	}
}

// modifies reports whether a month only describes a thing: "the April newsletter".
func (c *Clause) modifies(t Time) bool {
	next := lex.At(c.Tokens, t.Hi)
	return next.IsOpen() && c.Tokens[t.Lo-1].Is(lex.Det)
}

var (
	timeWords, starters = lex.Words("time word"), lex.Words("starts")
	lasts, nexts        = lex.Words("last"), lex.Words("next")
)

// startsAt reports whether tokens i to k say that something begins at the time after them.
func (c *Clause) startsAt(i, k int) bool {
	low, next := c.Tokens[i].Low, lex.At(c.Tokens, i+1).Low
	return starters[low] || low == "as" && i+1 < k && (next == "of" || next == "from")
}

// timeAt reads the date at i.
func (c *Clause) timeAt(i int, said time.Time) (Time, bool) {
	t := c.Tokens[i]
	if t.Is(lex.RelativeDay) {
		return c.relativeDay(i, said)
	}
	if v, ok := c.dateAt(i, len(c.Tokens)); ok && (!t.Is(lex.Weekday|lex.Month) || !c.IsPlainWord(i)) {
		if day, grain, ok := c.resolve(v, said); ok {
			return Time{Lo: v.Lo, Hi: v.Hi, At: day, Grain: grain}, true
		}
	}
	if t.Kind == lex.Number {
		return c.numericDate(i, said)
	}
	return c.nextPeriod(i, said)
}

// numericDate reads a date in digits, or a year where a word says that it is one.
func (c *Clause) numericDate(i int, said time.Time) (Time, bool) {
	low, before := c.Tokens[i].Low, lex.At(c.Tokens, i-1)
	if day, err := time.Parse(time.DateOnly, low); err == nil {
		return Time{Lo: i, Hi: i + 1, At: day, Grain: 'd'}, true
	}
	leads := before.Is(lex.Prep | lex.Det | lex.From | lex.Until | lex.Since)
	if y := yearOf(low); y > 0 && (leads || isRecord(lex.At(c.Tokens, i+1).Low)) {
		return Time{Lo: i, Hi: i + 1, At: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), Grain: 'y'}, true
	}
	return c.shortDate(i, said)
}

func yearOf(s string) int {
	y, err := strconv.Atoi(s)
	if err != nil || y < 1900 || y > 2100 {
		return 0
	}
	return y
}

func (c *Clause) shortDate(i int, said time.Time) (Time, bool) {
	low := c.Tokens[i].Low
	if strings.Count(low, "/") != 1 && strings.Count(strings.TrimSuffix(low, "."), ".") != 1 {
		return Time{}, false
	}
	v := values.Of(low)
	if v.Kind != values.Date {
		return Time{}, false
	}
	day, err := time.Parse("--01-02", strings.TrimPrefix(v.Canonical(), "date:"))
	if err != nil {
		return Time{}, false
	}
	return Time{Lo: i, Hi: i + 1, At: nearest(day.Month(), day.Day(), said), Grain: 'd'}, true
}

var tomorrows, yesterdays, daysAfter = lex.Words("tomorrow"), lex.Words("yesterday"), lex.Words("after tomorrow")

func (c *Clause) relativeDay(i int, said time.Time) (Time, bool) {
	t, days := c.Tokens[i], 0
	switch {
	case t.Low == "morgen" && t.Capital && i > 0, t.Low == "mañana" && lex.At(c.Tokens, i-1).Is(lex.Det):
		return Time{}, false // the morning
	case tomorrows[t.Low]:
		days = 1
	case yesterdays[t.Low]:
		days = -1
	case daysAfter[t.Low]:
		days = 2
	}
	return Time{Lo: i, Hi: i + 1, At: midnight(said).AddDate(0, 0, days), Grain: 'd', Back: days < 0}, true
}

func midnight(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

var (
	weeks, months       = lex.Words("week"), lex.Words("month")
	years, seasonJoints = lex.Words("year"), lex.Words("season joint")
)

// seasons are the months in which they begin.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

// nextPeriod reads "next week", "in the autumn", "next year", and "last week" at the end of a clause.
func (c *Clause) nextPeriod(i int, said time.Time) (Time, bool) {
	low, before := c.Tokens[i].Low, lex.At(c.Tokens, i-1).Low
	start := midnight(said)
	if first, ok := seasons[low]; ok {
		day := time.Date(start.Year(), first, 1, 0, 0, 0, 0, time.UTC)
		return Time{Lo: i, Hi: i + 1, At: day, Grain: 'm'}, seasonJoints[before] && day.After(said)
	}
	step := 1
	if lasts[before] && lex.At(c.Tokens, i+1).Kind != lex.Word {
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
		return Time{}, false
	}
	return Time{Lo: i, Hi: i + 1, At: start, Grain: 'd'}, nexts[before] || step < 0
}

// dateParts are the parts of a date in words; weekday is -1 where there is none.
type dateParts struct {
	year, day, weekday int
	month              time.Month
}

// partsOf reads the parts of a date.
func (c *Clause) partsOf(v Value) dateParts {
	p := dateParts{weekday: -1}
	for _, t := range c.Tokens[v.Lo:v.Hi] {
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
func (c *Clause) resolve(v Value, said time.Time) (day time.Time, grain byte, ok bool) {
	p := c.partsOf(v)
	switch {
	case p.month > 0 && p.year > 0:
		return time.Date(p.year, p.month, max(p.day, 1), 0, 0, 0, 0, time.UTC), grainOf(p.day), true
	case p.month > 0:
		return nearest(p.month, p.day, said), grainOf(p.day), true
	case p.day > 0:
		return time.Date(said.Year(), said.Month(), p.day, 0, 0, 0, 0, time.UTC), 'd', true
	case p.weekday >= 0:
		days := (p.weekday-int(said.Weekday())+6)%7 + 1
		if lasts[lex.At(c.Tokens, v.Lo-1).Low] {
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

// PastYear finds a year that is over in the one that is given, as "log 2022:" has one.
func (c *Clause) PastYear(year int) (lex.Hit, bool) {
	for i, t := range c.Tokens {
		y := yearOf(strings.TrimSuffix(t.Low, "s"))
		if t.Kind != lex.Number || y == 0 || y >= year || y < year-80 {
			continue
		}
		before := lex.At(c.Tokens, i-1)
		alone := i+1 >= len(c.Tokens) || c.Tokens[i+1].Kind == lex.Punct || strings.HasSuffix(t.Low, "s")
		if alone && !before.Is(lex.Since) && (before.Is(lex.Prep|lex.Det) || isRecord(before.Low)) {
			return lex.Hit{From: i, To: i + 1}, true
		}
	}
	return lex.Hit{}, false
}

var records = lex.Words("record")

// isRecord reports whether a year after a word tells of which time a record is: "run log 2022".
func isRecord(s string) bool { return records[s] }

// TimeOf returns the beginning of the day, month or year that a phrase such as "since Monday" or "1 May" names when it
// is said at an instant, and whether it names one. Of several it returns the first.
func TimeOf(words string, said tenure.Instant) (tenure.Instant, bool) {
	if said == 0 {
		return 0, false
	}
	tokens := lex.Tokens(words)
	lex.MarkAll(tokens)
	c := Clause{Text: words, Tokens: tokens}
	list := c.Times(0, said.Time())
	if len(list) == 0 {
		return 0, false
	}
	return tenure.At(list[0].At), true
}
