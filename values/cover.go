package values

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"tenure/grain"
)

// Grain returns how fine the value is, nil where that means nothing.
func (v Value) Grain() *grain.Grain {
	switch v.Kind {
	case None:
		return &grain.Grain{None: true}
	case Text:
		if v.grain == nil {
			return &grain.Grain{Parts: []string{v.form}}
		}
	}
	return v.grain
}

// firstYear and lastYear bound the numbers that may be a year.
const firstYear, lastYear = 1000, 2999

// ofNumber is the grain of a number: an amount, and perhaps a year.
func ofNumber(n *big.Rat) *grain.Grain {
	g := ofAmount(n, "")
	if n.IsInt() && n.Num().IsInt64() {
		if y := n.Num().Int64(); y >= firstYear && y <= lastYear {
			g.Civil = monthsOf(int(y), 1, 12)
		}
	}
	return g
}

func ofAmount(n *big.Rat, unit string) *grain.Grain {
	return &grain.Grain{Amount: &grain.Amount{Unit: unit, Low: n, High: n}}
}

// rangeOf is the grain of a range, nil where it runs backwards.
func rangeOf(low, high Value) *grain.Grain {
	a, b := low.grain.Amount, high.grain.Amount
	if a.Unit != b.Unit || a.Low.Cmp(b.High) > 0 {
		return nil
	}
	return &grain.Grain{Amount: &grain.Amount{Unit: a.Unit, Low: a.Low, High: b.High}, Vague: true}
}

// monthsOf is a number of months of a year, from one on.
func monthsOf(year, first, count int) *grain.Span {
	from := time.Date(year, time.Month(first), 1, 0, 0, 0, 0, time.UTC)
	return &grain.Span{First: from.Unix(), Last: from.AddDate(0, count, 0).Unix() - 1}
}

// ofDay is the grain of a date, or of the part of one that is known.
func ofDay(d day) *grain.Grain {
	if d.day == 0 {
		return &grain.Grain{Vague: true, Civil: monthsOf(d.year, d.month, 1)}
	}
	from := d.time().Unix()
	return &grain.Grain{Vague: true, Civil: &grain.Span{First: from, Last: from + grain.Day - 1, Yearly: d.year == 0}}
}

// ofWeek is the grain of a week of a year, by ISO 8601: the first has the fourth of January.
func ofWeek(year, week int) *grain.Grain {
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(week-1)).Unix()
	return &grain.Grain{Vague: true, Civil: &grain.Span{First: monday, Last: monday + 7*grain.Day - 1}}
}

// ofClock is the grain of a time of a day.
func ofClock(at time.Time, zoned bool) *grain.Grain {
	_, offset := at.Zone()
	seconds := at.Unix() + int64(offset)
	return &grain.Grain{Vague: true, Civil: &grain.Span{First: seconds, Last: seconds, Zoned: zoned}}
}

var placePart = regexp.MustCompile(`^[\pL\pM][\pL\pM.' -]*$`)

// ofPlace is the grain of a text that is a place in its parts: "Oslo, Norway", "Austin, TX". The last is a country or
// a state, so that a list of names, of colours or of countries is none.
func ofPlace(s string) *grain.Grain {
	if len(s) > longest || !strings.Contains(s, ",") {
		return nil
	}
	list := strings.Split(closed(spellingOf(s).as), ",")
	if len(list) < 2 || len(list) > 4 {
		return nil
	}
	parts := make([]string, len(list))
	for i, p := range list {
		p = strings.TrimSpace(p)
		if !placePart.MatchString(p) || len(strings.Fields(p)) > 4 || unicode.IsLower([]rune(p)[0]) {
			return nil
		}
		parts[i] = textForm(p)
	}
	if !isPlace(parts) {
		return nil
	}
	return &grain.Grain{Vague: true, Parts: parts}
}

// isPlace reports whether parts are a place and what it lies in: at most one state before a country, and no second
// country.
func isPlace(parts []string) bool {
	known := regions()
	last, before := parts[len(parts)-1], parts[:len(parts)-1]
	if known[last] == 0 {
		return false
	}
	states := 0
	for _, p := range before {
		switch {
		case p == last || known[p] == 0 || p == "new york" || p == "washington": // cities, too
		case known[p]&state == 0:
			return false // two countries
		default:
			states++
		}
	}
	return states == 0 || states == 1 && known[last]&country != 0
}

// The kinds of regions.
const (
	country = 1 << iota
	state
)

// regions are the names of countries in a dozen languages, and of the states that are written after a city.
var regions = sync.OnceValue(func() map[string]int {
	known := map[string]int{}
	for _, l := range []language.Tag{
		language.English, language.German, language.French, language.Spanish, language.Italian, language.Portuguese,
		language.Dutch, language.Norwegian, language.Swedish, language.Danish, language.Finnish, language.Polish,
		language.Russian, language.Japanese,
	} {
		name := display.Regions(l)
		for _, r := range language.Supported.Regions() {
			if n := name.Name(r); r.IsCountry() && n != "" {
				known[textForm(n)] |= country
			}
		}
	}
	for _, line := range tables["regions"] {
		kind := country
		if line.meaning == "state" {
			kind = state
		}
		for _, n := range line.words {
			known[textForm(n)] |= kind
		}
	}
	return known
})
