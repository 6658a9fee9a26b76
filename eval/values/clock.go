package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// clock is a time of day, in UTC where it says so.
type clock struct {
	h, m int
	utc  bool
}

func drawClock(r *rand.Rand) clock {
	c := clock{h: r.IntN(24), m: 5 * r.IntN(12), utc: r.IntN(4) == 0}
	switch r.IntN(4) {
	case 0:
		c.m = r.IntN(60)
	case 1:
		c.m = 0
	}
	return c
}

func clockMiss(r *rand.Rand, c clock) miss[clock] {
	out, note := c, ""
	switch r.IntN(7) {
	case 0, 1, 2:
		out.h, note = (c.h+12)%24, "morning and afternoon"
	case 3:
		out.m, note = (c.m+pick(r, []int{1, 5, 10, 30}))%60, "minute"
	case 4:
		out.h, note = (c.h+1)%24, "hour"
	case 5:
		if c.m < 24 && c.m != c.h {
			out.h, out.m, note = c.m, c.h, "hour and minute swapped"
		}
	case 6:
		if c.m%10 == 5 && c.m > 10 {
			out.m, note = 5*10+c.m/10, "digits of the minute"
		}
	}
	return miss[clock]{value: out, note: note}
}

func (c clock) time() time.Time { return time.Date(2025, 1, 1, c.h, c.m, 0, 0, time.UTC) }

// local writes a time of day without a zone, zoned one in UTC.
func local(l string) func(clock) string {
	return func(c clock) string { return only(!c.utc, c.time().Format(l)) }
}

func zoned(l string) func(clock) string {
	return func(c clock) string { return only(c.utc, c.time().Format(l)) }
}

// full counts where the minutes are zero, so that an hour alone says it.
func full(l string) func(clock) string {
	return func(c clock) string { return only(c.m == 0, local(l)(c)) }
}

// word is a name of a time of day.
func word(h int, s string) func(clock) string {
	return func(c clock) string { return only(c == clock{h: h}, s) }
}

// elsewhere writes a time in UTC by the clock of another zone.
func elsewhere(minutes int, l string) func(clock) string {
	return func(c clock) string {
		return only(c.utc, c.time().In(time.FixedZone("", 60*minutes)).Format(l))
	}
}

var sharedClock = []form[clock]{
	{name: "15:30", weight: 5, write: local("15:04")},
	{name: "15:30Z", weight: 5, write: zoned("15:04Z")},
}

var devClock = kind[clock]{name: "time of day", draw: drawClock, near: clockMiss, shared: sharedClock,
	stray: []string{" %s", "%s "},
	own: []form[clock]{
		{name: "3:30 pm", weight: 5, write: local("3:04 pm")},
		{name: "3:30 PM", weight: 4, write: local("3:04 PM")},
		{name: "3:30pm", weight: 3, write: local("3:04pm")},
		{name: "15:30:00", weight: 3, write: local("15:04:05")},
		{name: "15h30", weight: 2, write: func(c clock) string { return only(c.h >= 13 && c.m > 0, local("15h04")(c)) }},
		{name: "15.30 Uhr", weight: 2, write: local("15.04 Uhr")},
		{name: "15:30 Uhr", weight: 2, write: local("15:04 Uhr")},
		{name: "3 pm", weight: 3, write: full("3 pm")},
		{name: "3PM", weight: 2, write: full("3PM")},
		{name: "15 Uhr", weight: 2, write: full("15 Uhr")},
		{name: "noon", weight: 6, write: word(12, "noon")},
		{name: "midnight", weight: 6, write: word(0, "midnight")},
		{name: "15:30 UTC", weight: 5, write: zoned("15:04 UTC")},
		{name: "15:30:00Z", weight: 4, write: zoned("15:04:05Z")},
		{name: "16:30+01:00", weight: 3, write: elsewhere(60, "15:04-07:00")},
	}}

var heldClock = kind[clock]{name: "time of day", draw: drawClock, near: clockMiss, shared: sharedClock,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[clock]{
		{name: "3:30 p.m.", weight: 5, write: func(c clock) string {
			return strings.NewReplacer("am", "a.m.", "pm", "p.m.").Replace(local("3:04 pm")(c))
		}},
		{name: "3.30pm", weight: 2, write: local("3.04pm")},
		{name: "03:30 PM", weight: 4, write: local("03:04 PM")},
		{name: "3:30 Pm", weight: 1, write: func(c clock) string {
			return strings.NewReplacer("AM", "Am", "PM", "Pm").Replace(local("3:04 PM")(c))
		}},
		{name: "3:30:00 PM", weight: 3, write: local("3:04:05 PM")},
		{name: "15:30 hrs", weight: 2, write: local("15:04 hrs")},
		{name: "1530 hrs", weight: 1, write: local("1504 hrs")},
		{name: "kl. 15.30", weight: 1, write: local("kl. 15.04")},
		{name: "ore 15:30", weight: 1, write: local("ore 15:04")},
		{name: "15時30分", weight: 1, write: local("15時04分")},
		{name: "15:30:00.000", weight: 1, write: local("15:04:05.000")},
		{name: "3 p.m.", weight: 2, write: func(c clock) string {
			return strings.NewReplacer("am", "a.m.", "pm", "p.m.").Replace(full("3 pm")(c))
		}},
		{name: "3 o'clock pm", weight: 1, write: full("3 o'clock pm")},
		{name: "at 3 pm", weight: 1, write: full("at 3 pm")},
		{name: "12 noon", weight: 4, write: word(12, "12 noon")},
		{name: "midday", weight: 4, write: word(12, "midday")},
		{name: "Midnight", weight: 4, write: word(0, "Midnight")},
		{name: "15:30 GMT", weight: 4, write: zoned("15:04 GMT")},
		{name: "3:30 PM UTC", weight: 3, write: zoned("3:04 PM UTC")},
		{name: "15:30+00:00", weight: 2, write: zoned("15:04+00:00")},
		{name: "15:30 (UTC)", weight: 1, write: zoned("15:04 (UTC)")},
		{name: "10:30-05:00", weight: 2, write: elsewhere(-300, "15:04-07:00")},
		{name: "21:00 +0530", weight: 1, write: elsewhere(330, "15:04 -0700")},
	}}

// span is a duration: milliseconds and months do not convert into each other, business days into neither.
type span struct {
	ms, months, business int64
}

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	daily  = 24 * hour
	week   = 7 * daily
)

func drawSpan(r *rand.Rand) span {
	switch r.IntN(10) {
	case 0, 1:
		return span{ms: pick(r, []int64{5, 10, 15, 20, 30, 45, 60, 75, 90, 105, 120, 135, 150, 180, 210, 270}) * minute}
	case 2:
		return span{ms: (1 + r.Int64N(48)) * hour}
	case 3:
		return span{ms: (1 + r.Int64N(45)) * daily}
	case 4:
		return span{ms: (1 + r.Int64N(12)) * week}
	case 5:
		return span{ms: pick(r, []int64{5, 10, 15, 30, 45, 90, 100, 120}) * second}
	case 6:
		return span{ms: pick(r, []int64{50, 100, 150, 200, 250, 300, 500, 750, 1500, 2500})}
	case 7:
		return span{months: 1 + r.Int64N(30)}
	case 8:
		return span{months: 12 * (1 + r.Int64N(25))}
	}
	return span{business: 1 + r.Int64N(30)}
}

func spanMiss(r *rand.Rand, s span) miss[span] {
	switch r.IntN(7) {
	case 0:
		return miss[span]{value: span{ms: s.ms * 60, business: s.months}, note: "another unit"}
	case 1:
		return miss[span]{value: span{months: s.ms / week, ms: s.months * week}, note: "weeks and months"}
	case 2:
		return miss[span]{value: span{ms: s.business * daily, months: s.ms / minute, business: s.months}, note: "another unit"}
	case 3:
		return miss[span]{value: span{s.ms * 10, s.months * 10, s.business * 10}, note: "ten times"}
	case 4:
		return miss[span]{value: span{s.ms / 7, s.months * 12, s.business * 5}, note: "another unit"}
	case 5:
		return miss[span]{value: span{s.ms * 1000, s.months / 12, 0}, note: "another unit"}
	}
	one := map[bool]int64{true: 1}
	return miss[span]{value: span{s.ms * 3 / 2, s.months + one[s.months > 0], s.business + one[s.business > 0]}, note: "somewhat more"}
}

// in returns how many of a unit the span is, with at most two digits after the point.
func (s span) in(size int64) (num, bool) {
	if s.ms <= 0 || s.months > 0 || s.ms*100%size != 0 {
		return num{}, false
	}
	return dec(s.ms*100/size, 2), true
}

// lasting writes the span in one unit, whole or with a fraction, between one and 120 of them.
func lasting(size int64, number func(num) string, suffix string) func(span) string {
	return func(s span) string {
		n, ok := s.in(size)
		if !ok || n.c < pow10(n.d) || n.c > 5400*pow10(n.d) || (n.d > 0 && suffix[0] != ' ') {
			return ""
		}
		if n == dec(1, 0) {
			suffix := strings.TrimSuffix(suffix, "s")
			return after(number(n), suffix)
		}
		return after(number(n), suffix)
	}
}

// plural counts whole units, two or more of them; singular languages have another word for one.
func plural(size int64, number func(num) string, suffix string) func(span) string {
	return func(s span) string {
		n, ok := s.in(size)
		return only(ok && n.d == 0 && n.c > 1 && n.c <= 120, after(number(n), suffix))
	}
}

// monthly counts months, or years where size is 12.
func monthly(size int64, number func(num) string, suffix string) func(span) string {
	return func(s span) string {
		n := dec(s.months/size, 0)
		return only(s.months > 0 && s.months%size == 0 && n.c > 1 && n.c <= 400, after(number(n), suffix))
	}
}

// mixed writes whole hours and the rest in minutes.
func mixed(l string) func(span) string {
	return func(s span) string {
		a, b := s.ms/hour, s.ms%hour/minute
		if s.months > 0 || a == 0 || b == 0 || s.ms%minute != 0 || a > 48 {
			return ""
		}
		if strings.Contains(l, "hour") && (a == 1) != !strings.Contains(l, "hours") {
			return ""
		}
		return fmt.Sprintf(l, a, b)
	}
}

// years writes years and months.
func years(l string) func(span) string {
	return func(s span) string {
		a, b := s.months/12, s.months%12
		return only(a > 1 && b > 1, fmt.Sprintf(l, a, b))
	}
}

// fixed is a phrase for one span.
func fixed(of span, phrase string) func(span) string {
	return func(s span) string { return only(s == of, phrase) }
}

func working(suffix string) func(span) string {
	return func(s span) string { return only(s.business > 1, strconv.FormatInt(s.business, 10)+suffix) }
}

// iso writes ISO 8601 in hours and minutes, days, or years and months.
func iso(s span) string {
	var out string
	switch {
	case s.business > 0, s.ms%second != 0, s == span{}:
		return ""
	case s.months >= 12:
		out = fmt.Sprintf("P%dY%dM", s.months/12, s.months%12)
	case s.months > 0:
		out = fmt.Sprintf("P%dM", s.months)
	case s.ms >= daily && s.ms%daily == 0:
		out = fmt.Sprintf("P%dD", s.ms/daily)
	default:
		out = fmt.Sprintf("PT%dH%dM%dS", s.ms/hour, s.ms%hour/minute, s.ms%minute/second)
	}
	for _, zero := range []string{"P0Y", "T0H", "H0M", "T0M", "Y0M", "M0S", "H0S"} {
		out = strings.Replace(out, zero, zero[:1], 1)
	}
	return out
}

var sharedSpan = []form[span]{
	{name: "ISO", weight: 4, write: iso},
	{name: "minutes", weight: 3, write: lasting(minute, in(plain), " minutes")},
	{name: "days", weight: 3, write: lasting(daily, in(plain), " days")},
	{name: "months", weight: 5, write: monthly(1, in(plain), " months")},
	{name: "seconds", weight: 3, write: lasting(second, in(plain), " seconds")},
	{name: "business days", weight: 4, write: working(" business days")},
}

var devSpan = kind[span]{name: "duration", draw: drawSpan, near: spanMiss, shared: sharedSpan,
	stray: []string{" %s", "%s "},
	own: []form[span]{
		{name: "90 min", weight: 4, write: lasting(minute, in(plain), " min")},
		{name: "90min", weight: 1, write: lasting(minute, in(plain), "min")},
		{name: "1.5 hours", weight: 4, write: lasting(hour, in(plain), " hours")},
		{name: "1.5 h", weight: 2, write: lasting(hour, in(plain), " h")},
		{name: "1 h 30 min", weight: 3, write: mixed("%d h %d min")},
		{name: "1h30m", weight: 3, write: mixed("%dh%dm")},
		{name: "2 hours 30 minutes", weight: 2, write: mixed("%d hours %d minutes")},
		{name: "1 hour 30 minutes", weight: 2, write: mixed("%d hour %d minutes")},
		{name: "weeks", weight: 4, write: lasting(week, in(plain), " weeks")},
		{name: "two weeks", weight: 2, write: plural(week, small, " weeks")},
		{name: "ten days", weight: 2, write: plural(daily, small, " days")},
		{name: "30 sec", weight: 2, write: lasting(second, in(plain), " sec")},
		{name: "30s", weight: 2, write: lasting(second, in(plain), "s")},
		{name: "250 ms", weight: 4, write: lasting(1, in(plain), " ms")},
		{name: "0.25 s", weight: 4, write: func(s span) string {
			n, ok := s.in(second)
			return only(ok && s.ms < 2*second, after(n.spell(plain), " s"))
		}},
		{name: "years", weight: 4, write: monthly(12, in(plain), " years")},
		{name: "yrs", weight: 2, write: monthly(12, in(plain), " yrs")},
		{name: "three years", weight: 2, write: monthly(12, small, " years")},
		{name: "1 year and 6 months", weight: 2, write: years("%d years and %d months")},
		{name: "Jahre", weight: 2, write: monthly(12, in(plain), " Jahre")},
		{name: "ans", weight: 1, write: monthly(12, in(plain), " ans")},
		{name: "Stunden", weight: 1, write: plural(hour, in(plain), " Stunden")},
		{name: "Tage", weight: 2, write: plural(daily, in(plain), " Tage")},
		{name: "Wochen", weight: 1, write: plural(week, in(plain), " Wochen")},
		{name: "Business Days", weight: 4, write: working(" Business Days")},
	}}

var heldSpan = kind[span]{name: "duration", draw: drawSpan, near: spanMiss, shared: sharedSpan,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[span]{
		{name: "90 mins", weight: 4, write: lasting(minute, in(plain), " mins")},
		{name: "90 Min.", weight: 1, write: lasting(minute, in(plain), " Min.")},
		{name: "1 hr 30 mins", weight: 3, write: mixed("%d hr %d mins")},
		{name: "1 h 30 m", weight: 2, write: mixed("%d h %d m")},
		{name: "1h 30m", weight: 2, write: mixed("%dh %dm")},
		{name: "2 hours, 30 minutes", weight: 2, write: mixed("%d hours, %d minutes")},
		{name: "2 hours and 30 minutes", weight: 2, write: mixed("%d hours and %d minutes")},
		{name: "1h30m0s", weight: 2, write: mixed("%dh%dm0s")},
		{name: "PT90M", weight: 3, write: plural(minute, func(n num) string { return "PT" + n.spell(plain) }, "M")},
		{name: "1,5 h", weight: 2, write: lasting(hour, in(comma), " h")},
		{name: "hrs", weight: 3, write: lasting(hour, in(plain), " hrs")},
		{name: "48h", weight: 2, write: lasting(hour, in(plain), "h")},
		{name: "an hour", weight: 6, write: fixed(span{ms: hour}, "an hour")},
		{name: "half an hour", weight: 6, write: fixed(span{ms: hour / 2}, "half an hour")},
		{name: "an hour and a half", weight: 4, write: fixed(span{ms: 3 * hour / 2}, "an hour and a half")},
		{name: "1½ hours", weight: 4, write: fixed(span{ms: 3 * hour / 2}, "1½ hours")},
		{name: "a week", weight: 4, write: fixed(span{ms: week}, "a week")},
		{name: "one week", weight: 4, write: fixed(span{ms: week}, "One week")},
		{name: "a fortnight", weight: 2, write: fixed(span{ms: 2 * week}, "a fortnight")},
		{name: "wks", weight: 2, write: plural(week, in(plain), " wks")},
		{name: "P2W", weight: 3, write: plural(week, func(n num) string { return "P" + n.spell(plain) }, "W")},
		{name: "thirty-two days", weight: 1, write: plural(daily, large, " days")},
		{name: "14d", weight: 2, write: lasting(daily, in(plain), "d")},
		{name: "secs", weight: 3, write: lasting(second, in(plain), " secs")},
		{name: "milliseconds", weight: 3, write: lasting(1, in(plain), " milliseconds")},
		{name: "msec", weight: 1, write: lasting(1, in(plain), " msec")},
		{name: "250ms", weight: 3, write: lasting(1, in(plain), "ms")},
		{name: "3-year", weight: 2, write: monthly(12, in(plain), "-year")},
		{name: "Years", weight: 3, write: monthly(12, func(n num) string { return capital(small(n)) }, " Years")},
		{name: "3 yr", weight: 2, write: monthly(12, in(plain), " yr")},
		{name: "P18M", weight: 4, write: func(s span) string { return only(s.months > 0, fmt.Sprintf("P%dM", s.months)) }},
		{name: "2 years 6 months", weight: 2, write: years("%d years %d months")},
		{name: "2 yrs 6 mos", weight: 2, write: years("%d yrs %d mos")},
		{name: "mos", weight: 2, write: monthly(1, in(plain), " mos")},
		{name: "anni", weight: 1, write: monthly(12, in(plain), " anni")},
		{name: "años", weight: 1, write: monthly(12, in(plain), " años")},
		{name: "meses", weight: 1, write: monthly(1, in(plain), " meses")},
		{name: "giorni", weight: 1, write: plural(daily, in(plain), " giorni")},
		{name: "días", weight: 1, write: plural(daily, in(plain), " días")},
		{name: "dagar", weight: 1, write: plural(daily, in(plain), " dagar")},
		{name: "working days", weight: 8, write: working(" working days")},
	}}
