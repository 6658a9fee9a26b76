package main

import (
	"math/rand/v2"
	"strings"
	"time"
)

// moment is an instant, or a date and a time of an unknown place.
type moment struct {
	t     time.Time
	local bool
}

func drawMoment(from, to int) func(*rand.Rand) moment {
	return func(r *rand.Rand) moment {
		t := drawDate(from, to)(r).Add(time.Duration(r.IntN(24*12)) * 5 * time.Minute)
		if r.IntN(5) == 0 {
			t = t.Add(time.Duration(1+r.IntN(59)) * time.Second)
		}
		return moment{t, r.IntN(5) < 2}
	}
}

func momentMiss(r *rand.Rand, m moment) miss[moment] {
	by := pick(r, []struct {
		d    time.Duration
		note string
	}{
		{12 * time.Hour, "morning and afternoon"}, {time.Hour, "an hour"}, {-time.Hour, "an hour"}, {time.Minute, "a minute"},
		{24 * time.Hour, "a day"}, {10 * time.Minute, "ten minutes"}, {7 * 24 * time.Hour, "a week"},
		{90 * time.Minute, "an hour and a half"},
	})
	switch r.IntN(6) {
	case 0:
		return miss[moment]{value: moment{m.t.AddDate(1, 0, 0), m.local}, note: "a year"}
	case 1:
		if d, n := m.t.Day(), int(m.t.Month()); d <= 12 && d != n {
			return miss[moment]{value: moment{m.t.AddDate(0, d-n, n-d), m.local}, note: "day and month swapped"}
		}
	case 2:
		if !m.local {
			return miss[moment]{raw: m.t.Format("2006-01-02T15:04:05") + pick(r, []string{"+01:00", "-05:00", "+05:30", "-08:00"}),
				note: "same clock, another zone"}
		}
	}
	return miss[moment]{value: moment{m.t.Add(by.d), m.local}, note: by.note}
}

// at writes an instant by the clock of a zone, so many minutes from UTC.
func at(minutes int, l string) func(moment) string {
	return func(m moment) string {
		return only(!m.local && exact(m, l), m.t.In(time.FixedZone("", 60*minutes)).Format(l))
	}
}

// here writes a date and a time without a zone.
func here(l string) func(moment) string {
	return func(m moment) string { return only(m.local && exact(m, l), m.t.Format(l)) }
}

// hereUnmistaken does so where the day is beyond 12.
func hereUnmistaken(l string) func(moment) string {
	return func(m moment) string { return only(m.t.Day() > 12, here(l)(m)) }
}

// hereIn does so with the name of the month in a language.
func hereIn(language, l, clock string) func(moment) string {
	return func(m moment) string {
		return only(m.local && exact(m, clock), tongue(language, l)(m.t)+m.t.Format(clock))
	}
}

// exact reports whether the layout says all of the instant.
func exact(m moment, l string) bool { return strings.Contains(l, "05") || m.t.Second() == 0 }

var sharedMoment = []form[moment]{
	{name: "RFC 3339", weight: 5, write: at(0, "2006-01-02T15:04:05Z")},
	{name: "local", weight: 5, write: here("2006-01-02T15:04:05")},
}

var devMoment = kind[moment]{name: "date-time", draw: drawMoment(1990, 2031), near: momentMiss, shared: sharedMoment,
	stray: []string{" %s", "%s "},
	own: []form[moment]{
		{name: "+01:00", weight: 4, write: at(60, "2006-01-02T15:04:05-07:00")},
		{name: "-05:00", weight: 3, write: at(-300, "2006-01-02T15:04:05-07:00")},
		{name: "UTC", weight: 4, write: at(0, "2006-01-02 15:04 UTC")},
		{name: ".000Z", weight: 3, write: at(0, "2006-01-02T15:04:05.000Z")},
		{name: "no seconds", weight: 3, write: at(0, "2006-01-02T15:04Z")},
		{name: "space Z", weight: 2, write: at(0, "2006-01-02 15:04:05Z")},
		{name: "RFC 1123", weight: 3, write: at(0, "Mon, 02 Jan 2006 15:04:05 GMT")},
		{name: "March 14, 2025 3:30 PM UTC", weight: 3, write: at(0, "January 2, 2006 3:04 PM UTC")},
		{name: "2025-03-14 15:30", weight: 4, write: here("2006-01-02 15:04")},
		{name: "2025-03-14 15:30:00", weight: 4, write: here("2006-01-02 15:04:05")},
		{name: "14.03.2025 15:30", weight: 3, write: here("02.01.2006 15:04")},
		{name: "14/03/2025 15:30", weight: 2, write: hereUnmistaken("02/01/2006 15:04")},
		{name: "14 March 2025, 15:30", weight: 3, write: here("2 January 2006, 15:04")},
		{name: "March 14, 2025 at 3:30 PM", weight: 3, write: here("January 2, 2006 at 3:04 PM")},
		{name: "14. März 2025, 15:30 Uhr", weight: 2, write: hereIn("de", "{D}. {M} {Y}", ", 15:04 Uhr")},
	}}

var heldMoment = kind[moment]{name: "date-time", draw: drawMoment(1970, 2044), near: momentMiss, shared: sharedMoment,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[moment]{
		{name: "+00:00", weight: 4, write: at(0, "2006-01-02T15:04:05+00:00")},
		{name: "+05:30", weight: 3, write: at(330, "2006-01-02T15:04:05-07:00")},
		{name: "-0800", weight: 2, write: at(-480, "2006-01-02T15:04:05-0700")},
		{name: "+02:00 no seconds", weight: 2, write: at(120, "2006-01-02T15:04-07:00")},
		{name: "space +02:00", weight: 2, write: at(120, "2006-01-02 15:04:05-07:00")},
		{name: "Go", weight: 1, write: at(0, "2006-01-02 15:04:05 +0000 UTC")},
		{name: "Postgres", weight: 1, write: at(0, "2006-01-02 15:04:05+00")},
		{name: "microseconds", weight: 2, write: at(0, "2006-01-02T15:04:05.000000+00:00")},
		{name: "basic", weight: 1, write: at(0, "20060102T150405Z")},
		{name: "lower", weight: 1, write: at(0, "2006-01-02t15:04:05z")},
		{name: "UTC seconds", weight: 3, write: at(0, "2006-01-02 15:04:05 UTC")},
		{name: "GMT", weight: 2, write: at(0, "2 January 2006 15:04 GMT")},
		{name: "(UTC)", weight: 1, write: at(0, "2 Jan 2006 15:04 (UTC)")},
		{name: "3:30 PM UTC on March 14, 2025", weight: 1, write: at(0, "3:04 PM UTC on January 2, 2006")},
		{name: "Unix date", weight: 1, write: at(0, "Mon Jan _2 15:04:05 UTC 2006")},
		{name: "mail", weight: 2, write: at(60, "Mon, 2 Jan 2006 15:04:05 -0700")},
		{name: "2025/03/14 15:30", weight: 2, write: here("2006/01/02 15:04")},
		{name: "T15:30", weight: 4, write: here("2006-01-02T15:04")},
		{name: "15:30:00.0", weight: 2, write: here("2006-01-02 15:04:05.0")},
		{name: "3/14/2025 3:30 PM", weight: 2, write: hereUnmistaken("1/2/2006 3:04 PM")},
		{name: "14.3.2025, 15:30", weight: 2, write: here("2.1.2006, 15:04")},
		{name: "14-03-2025 15:30", weight: 2, write: hereUnmistaken("02-01-2006 15:04")},
		{name: "Mar 14, 2025, 3:30 pm", weight: 3, write: here("Jan 2, 2006, 3:04 pm")},
		{name: "Friday, March 14, 2025 3:30 PM", weight: 2, write: here("Monday, January 2, 2006 3:04 PM")},
		{name: "15:30 on 14 March 2025", weight: 1, write: here("15:04 on 2 January 2006")},
		{name: "14 mars 2025 à 15:30", weight: 1, write: hereIn("fr", "{D} {M} {Y}", " à 15:04")},
		{name: "14 marzo 2025 15:30", weight: 1, write: hereIn("it", "{D} {M} {Y}", " 15:04")},
		{name: "2025年3月14日 15:30", weight: 1, write: here("2006年1月2日 15:04")},
	}}
