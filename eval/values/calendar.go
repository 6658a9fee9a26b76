package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// months are the names of the months by language, as they stand in a date.
var months = map[string][]string{
	"en":  strings.Fields("January February March April May June July August September October November December"),
	"en3": strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
	"de":  strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	"fr":  strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	"es":  strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	"it":  strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
	"nl":  strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
	"pt":  strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
	"pl":  strings.Fields("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
	"sv":  strings.Fields("januari februari mars april maj juni juli augusti september oktober november december"),
	"ru":  strings.Fields("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
	"fr3": strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func drawDate(from, to int) func(*rand.Rand) time.Time {
	return func(r *rand.Rand) time.Time {
		return day(from+r.IntN(to-from+1), 1+r.IntN(12), 1+r.IntN(28))
	}
}

func dateMiss(r *rand.Rand, t time.Time) miss[time.Time] {
	y, m, d := t.Year(), int(t.Month()), t.Day()
	note := ""
	switch r.IntN(9) {
	case 0, 1:
		d, note = d%28+1, "day"
	case 2:
		m, note = m%12+1, "month"
	case 3:
		y, note = y+1, "year"
	case 4:
		y, note = y-10, "decade"
	case 5:
		y, note = y-100, "century"
	case 6:
		if d <= 12 && d != m {
			m, d, note = d, m, "day and month swapped"
		}
	case 7:
		if d < 9 {
			d, note = d+10, "ten days"
		}
	case 8:
		if m <= 10 {
			m, note = m+2, "two months"
		}
	}
	return miss[time.Time]{value: day(y, m, d), note: note}
}

func layout(l string) func(time.Time) string { return func(t time.Time) string { return t.Format(l) } }

// unmistaken is a layout of numbers that only a day beyond 12, or equal to the month, makes certain.
func unmistaken(l string) func(time.Time) string {
	return func(t time.Time) string {
		return only(t.Day() > 12 || t.Day() == int(t.Month()), t.Format(l))
	}
}

// tongue writes a date with the name of its month: {D} is the day,
// {O} the day as an ordinal, {M} the month, {Y} the year, {W} the day of the week.
func tongue(language, l string) func(time.Time) string {
	return func(t time.Time) string {
		return strings.NewReplacer("{D}", fmt.Sprint(t.Day()), "{M}", months[language][t.Month()-1], "{Y}", fmt.Sprint(t.Year()),
			"{O}", ordinal(t.Day()), "{W}", t.Weekday().String()).Replace(l)
	}
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n != 11:
		return fmt.Sprint(n, "st")
	case n%10 == 2 && n != 12:
		return fmt.Sprint(n, "nd")
	case n%10 == 3 && n != 13:
		return fmt.Sprint(n, "rd")
	}
	return fmt.Sprint(n, "th")
}

var sharedDate = []form[time.Time]{{name: "ISO", weight: 8, write: layout("2006-01-02")}}

var devDate = kind[time.Time]{name: "date", draw: drawDate(1948, 2031), near: dateMiss, shared: sharedDate,
	stray: []string{" %s", "%s "},
	own: []form[time.Time]{
		{name: "14 March 2025", weight: 4, write: tongue("en", "{D} {M} {Y}")},
		{name: "March 14, 2025", weight: 4, write: tongue("en", "{M} {D}, {Y}")},
		{name: "Mar 14, 2025", weight: 3, write: tongue("en3", "{M} {D}, {Y}")},
		{name: "March 14th, 2025", weight: 2, write: tongue("en", "{M} {O}, {Y}")},
		{name: "Friday, March 14, 2025", weight: 2, write: tongue("en", "{W}, {M} {D}, {Y}")},
		{name: "14-Mar-2025", weight: 2, write: layout("02-Jan-2006")},
		{name: "14.03.2025", weight: 3, write: layout("02.01.2006")},
		{name: "14/03/2025", weight: 2, write: unmistaken("02/01/2006")},
		{name: "03/14/2025", weight: 3, write: unmistaken("01/02/2006")},
		{name: "2025/03/14", weight: 2, write: layout("2006/01/02")},
		{name: "14. März 2025", weight: 2, write: tongue("de", "{D}. {M} {Y}")},
		{name: "14 mars 2025", weight: 2, write: tongue("fr", "{D} {M} {Y}")},
		{name: "14 de marzo de 2025", weight: 2, write: tongue("es", "{D} de {M} de {Y}")},
		{name: "2025年3月14日", weight: 1, write: layout("2006年1月2日")},
	}}

var heldDate = kind[time.Time]{name: "date", draw: drawDate(1913, 2044), near: dateMiss, shared: sharedDate,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[time.Time]{
		{name: "14 Mar 2025", weight: 3, write: tongue("en3", "{D} {M} {Y}")},
		{name: "Mar. 14, 2025", weight: 2, write: func(t time.Time) string {
			return only(t.Month() != time.May, tongue("en3", "{M}. {D}, {Y}")(t))
		}},
		{name: "14th March 2025", weight: 3, write: tongue("en", "{O} {M} {Y}")},
		{name: "the 14th of March, 2025", weight: 1, write: tongue("en", "the {O} of {M}, {Y}")},
		{name: "MARCH 14 2025", weight: 1, write: func(t time.Time) string { return strings.ToUpper(tongue("en", "{M} {D} {Y}")(t)) }},
		{name: "march 14 2025", weight: 1, write: func(t time.Time) string { return strings.ToLower(tongue("en", "{M} {D} {Y}")(t)) }},
		{name: "Fri 14 Mar 2025", weight: 2, write: layout("Mon 2 Jan 2006")},
		{name: "Fri, Mar 14, 2025", weight: 2, write: layout("Mon, Jan 2, 2006")},
		{name: "2025-Mar-14", weight: 1, write: layout("2006-Jan-02")},
		{name: "14-Mar-25", weight: 1, write: func(t time.Time) string {
			return only(t.Year() >= 2000 && t.Year() <= 2029, t.Format("02-Jan-06"))
		}},
		{name: "14.3.2025", weight: 3, write: layout("2.1.2006")},
		{name: "14. 3. 2025", weight: 1, write: layout("2. 1. 2006")},
		{name: "3/14/2025", weight: 3, write: unmistaken("1/2/2006")},
		{name: "14-03-2025", weight: 2, write: unmistaken("02-01-2006")},
		{name: "14 / 03 / 2025", weight: 1, write: unmistaken("02 / 01 / 2006")},
		{name: "2025-3-14", weight: 1, write: layout("2006-1-2")},
		{name: "2025. 03. 14.", weight: 1, write: layout("2006. 01. 02.")},
		{name: "2025.03.14", weight: 1, write: layout("2006.01.02")},
		{name: "14 marzo 2025", weight: 2, write: tongue("it", "{D} {M} {Y}")},
		{name: "14 maart 2025", weight: 2, write: tongue("nl", "{D} {M} {Y}")},
		{name: "14 de março de 2025", weight: 2, write: tongue("pt", "{D} de {M} de {Y}")},
		{name: "14 marca 2025", weight: 1, write: tongue("pl", "{D} {M} {Y}")},
		{name: "14 mars 2025 sv", weight: 1, write: tongue("sv", "{D} {M} {Y}")},
		{name: "14 марта 2025 г.", weight: 1, write: tongue("ru", "{D} {M} {Y} г.")},
		{name: "14 févr. 2025", weight: 1, write: tongue("fr3", "{D} {M} {Y}")},
		{name: "2025년 3월 14일", weight: 1, write: layout("2006년 1월 2일")},
	}}

// partial is a part of a calendar: a year, a month, a quarter, a half, a week of a year, or a day of every year.
type partial struct {
	of   string // y, m, q, h, w or d
	y, n int    // the year and the number of the part; of d, n is the month
	d    int
}

func drawPartial(from, to int) func(*rand.Rand) partial {
	return func(r *rand.Rand) partial {
		p := partial{y: from + r.IntN(to-from+1)}
		switch n := r.IntN(20); {
		case n < 9:
			p.of, p.n = "m", 1+r.IntN(12)
		case n < 13:
			p.of, p.n = "q", 1+r.IntN(4)
		case n < 15:
			p.of, p.n = "h", 1+r.IntN(2)
		case n < 17:
			p.of, p.n = "w", 10+r.IntN(43)
		case n < 19:
			p.of, p.y, p.n, p.d = "d", 0, 1+r.IntN(12), 1+r.IntN(28)
		default:
			p.of = "y"
		}
		return p
	}
}

func partialMiss(r *rand.Rand, p partial) miss[partial] {
	out, note := p, ""
	size := map[string]int{"y": 1, "m": 12, "q": 4, "h": 2, "w": 52, "d": 12}[p.of]
	switch r.IntN(4) {
	case 0:
		if p.of != "d" {
			out.y, note = p.y+1, "year"
		}
	case 1:
		if p.of != "y" {
			out.n, note = p.n%size+1, "next one"
		}
	case 2:
		if p.of == "d" {
			out.d, note = p.d%28+1, "day"
		}
		if p.of == "m" {
			out.n, note = (p.n+1)%12+1, "two months"
		}
	case 3:
		if p.of == "m" && (p.n == 2 || p.n == 3 || p.n == 4) {
			out.of, note = "q", "quarter of the same number"
		}
	}
	return miss[partial]{value: out, note: note}
}

// part writes a kind of part: {Y} is the year, {y} its last two digits, {N} the number, {Z} in two digits, {Q} its
// ordinal, {E} the day in two digits, the others as in tongue.
func part(of, l, language string) func(partial) string {
	return func(p partial) string {
		if p.of != of {
			return ""
		}
		month := ""
		if language != "" {
			month = months[language][p.n-1]
		}
		return strings.NewReplacer("{Y}", fmt.Sprint(p.y), "{y}", fmt.Sprintf("%02d", p.y%100), "{N}", fmt.Sprint(p.n),
			"{Z}", fmt.Sprintf("%02d", p.n), "{O}", ordinal(p.d), "{Q}", ordinal(p.n), "{M}", month, "{D}", fmt.Sprint(p.d),
			"{E}", fmt.Sprintf("%02d", p.d)).Replace(l)
	}
}

var sharedPartial = []form[partial]{
	{name: "2025", weight: 5, write: part("y", "{Y}", "")},
	{name: "2025-03", weight: 5, write: part("m", "{Y}-{Z}", "")},
	{name: "Q1 2025", weight: 5, write: part("q", "Q{N} {Y}", "")},
	{name: "H1 2025", weight: 5, write: part("h", "H{N} {Y}", "")},
	{name: "2025-W12", weight: 5, write: part("w", "{Y}-W{N}", "")},
	{name: "--05-09", weight: 5, write: part("d", "--{Z}-{E}", "")},
}

var devPartial = kind[partial]{name: "partial date", draw: drawPartial(1970, 2031), near: partialMiss, shared: sharedPartial,
	stray: []string{" %s", "%s "},
	own: []form[partial]{
		{name: "JSON year", weight: 5, write: part("y", "{Y}", ""), json: true},
		{name: "March 2025", weight: 5, write: part("m", "{M} {Y}", "en")},
		{name: "Mar 2025", weight: 4, write: part("m", "{M} {Y}", "en3")},
		{name: "March, 2025", weight: 2, write: part("m", "{M}, {Y}", "en")},
		{name: "03/2025", weight: 3, write: part("m", "{Z}/{Y}", "")},
		{name: "März 2025", weight: 2, write: part("m", "{M} {Y}", "de")},
		{name: "mars 2025", weight: 2, write: part("m", "{M} {Y}", "fr")},
		{name: "marzo de 2025", weight: 2, write: part("m", "{M} de {Y}", "es")},
		{name: "2025年3月", weight: 1, write: part("m", "{Y}年{N}月", "")},
		{name: "2025-Q1", weight: 5, write: part("q", "{Y}-Q{N}", "")},
		{name: "Q1/2025", weight: 3, write: part("q", "Q{N}/{Y}", "")},
		{name: "first quarter of 2025", weight: 3, write: spelt("q", "{W} quarter of {Y}")},
		{name: "first half of 2025", weight: 5, write: spelt("h", "{W} half of {Y}")},
		{name: "2025-H1", weight: 5, write: part("h", "{Y}-H{N}", "")},
		{name: "week 12 of 2025", weight: 5, write: part("w", "week {N} of {Y}", "")},
		{name: "2025, week 12", weight: 2, write: part("w", "{Y}, week {N}", "")},
		{name: "9 May", weight: 4, write: part("d", "{D} {M}", "en")},
		{name: "May 9", weight: 4, write: part("d", "{M} {D}", "en")},
		{name: "May 9th", weight: 3, write: part("d", "{M} {O}", "en")},
		{name: "9. Mai", weight: 2, write: part("d", "{D}. {M}", "de")},
		{name: "9 mai", weight: 2, write: part("d", "{D} {M}", "fr")},
	}}

// spelt writes the number of the part in words.
func spelt(of, l string) func(partial) string {
	words := []string{"", "first", "second", "third", "fourth"}
	return func(p partial) string {
		if p.of != of {
			return ""
		}
		return strings.NewReplacer("{W}", words[p.n], "{Y}", fmt.Sprint(p.y), "{N}", fmt.Sprint(p.n)).Replace(l)
	}
}

var heldPartial = kind[partial]{name: "partial date", draw: drawPartial(1923, 2044), near: partialMiss, shared: sharedPartial,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[partial]{
		{name: "the year 2025", weight: 3, write: part("y", "the year {Y}", "")},
		{name: "2025年", weight: 3, write: part("y", "{Y}年", "")},
		{name: "Mar. 2025", weight: 3, write: func(p partial) string { return only(p.n != 5, part("m", "{M}. {Y}", "en3")(p)) }},
		{name: "MARCH 2025", weight: 2, write: func(p partial) string { return strings.ToUpper(part("m", "{M} {Y}", "en")(p)) }},
		{name: "Mar-2025", weight: 3, write: part("m", "{M}-{Y}", "en3")},
		{name: "March of 2025", weight: 2, write: part("m", "{M} of {Y}", "en")},
		{name: "2025/03", weight: 2, write: part("m", "{Y}/{Z}", "")},
		{name: "3/2025", weight: 3, write: part("m", "{N}/{Y}", "")},
		{name: "03-2025", weight: 1, write: part("m", "{Z}-{Y}", "")},
		{name: "marzo 2025", weight: 2, write: part("m", "{M} {Y}", "it")},
		{name: "maart 2025", weight: 2, write: part("m", "{M} {Y}", "nl")},
		{name: "março de 2025", weight: 2, write: part("m", "{M} de {Y}", "pt")},
		{name: "2025년 3월", weight: 1, write: part("m", "{Y}년 {N}월", "")},
		{name: "2025Q1", weight: 3, write: part("q", "{Y}Q{N}", "")},
		{name: "Q1'25", weight: 1, write: func(p partial) string { return only(p.y >= 2000 && p.y < 2030, part("q", "Q{N}'{y}", "")(p)) }},
		{name: "2025 Q1", weight: 3, write: part("q", "{Y} Q{N}", "")},
		{name: "1st quarter 2025", weight: 3, write: part("q", "{Q} quarter {Y}", "")},
		{name: "q1 2025", weight: 2, write: part("q", "q{N} {Y}", "")},
		{name: "1. Quartal 2025", weight: 1, write: part("q", "{N}. Quartal {Y}", "")},
		{name: "1st half of 2025", weight: 4, write: part("h", "{Q} half of {Y}", "")},
		{name: "2025H1", weight: 3, write: part("h", "{Y}H{N}", "")},
		{name: "H1/2025", weight: 3, write: part("h", "H{N}/{Y}", "")},
		{name: "W12 2025", weight: 3, write: part("w", "W{N} {Y}", "")},
		{name: "KW 12/2025", weight: 2, write: part("w", "KW {N}/{Y}", "")},
		{name: "CW12 2025", weight: 1, write: part("w", "CW{N} {Y}", "")},
		{name: "2025W12", weight: 2, write: part("w", "{Y}W{N}", "")},
		{name: "Week 12, 2025", weight: 3, write: part("w", "Week {N}, {Y}", "")},
		{name: "9th May", weight: 3, write: part("d", "{O} {M}", "en")},
		{name: "9th of May", weight: 2, write: part("d", "{O} of {M}", "en")},
		{name: "09 May", weight: 3, write: part("d", "{E} {M}", "en3")},
		{name: "9 maggio", weight: 2, write: part("d", "{D} {M}", "it")},
		{name: "9 mei", weight: 2, write: part("d", "{D} {M}", "nl")},
		{name: "9 de maio", weight: 2, write: part("d", "{D} de {M}", "pt")},
		{name: "5월 9일", weight: 1, write: part("d", "{N}월 {D}일", "")},
		{name: "5月9日", weight: 1, write: part("d", "{N}月{D}日", "")},
	}}
