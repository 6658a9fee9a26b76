package values

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// grain is what a value tells of how fine it is, beyond its form. Nil for a value that is neither coarse nor fine.
type grain struct {
	// amount is a number with its unit; of a range the least and the greatest.
	amount *extent
	// civil is a span of time, on the clock of where it was written.
	civil *span
	// parts are those of a place, the narrowest first.
	parts []string
}

type extent struct {
	unit      string
	low, high *big.Rat
}

// span is a time from its first to its last second. Every year it comes again if it is yearly.
type span struct {
	first, last int64
	zoned       bool // an instant: finer than the same time of an unknown zone
	yearly      bool
}

// Covers reports whether w says what v says, and more: a number within a range, a day of a month, "Oslo, Norway" of
// Oslo. No value covers itself.
func (v Value) Covers(w Value) bool {
	if w.grain == nil || v.grain == nil && v.Kind != Text {
		return false
	}
	if v.Kind == Text {
		return w.Kind == Text && within(v.place(), w.grain.parts)
	}
	a, b := v.grain, w.grain
	switch {
	case v.Kind == Range && a.amount != nil && b.amount != nil:
		return a.amount.covers(b.amount)
	case a.civil != nil && b.civil != nil:
		return a.civil.covers(b.civil)
	}
	return false
}

// Relates reports whether the value may cover another or be covered by one of its own kind: where no value of several
// relates, none covers another.
func (v Value) Relates() bool {
	if v.grain == nil {
		return false
	}
	return v.Kind == Range || v.Kind == Date || v.Kind == Moment || v.Kind == Instant || len(v.grain.parts) > 0
}

func (e *extent) covers(o *extent) bool {
	low, high := e.low.Cmp(o.low), e.high.Cmp(o.high)
	return e.unit == o.unit && low <= 0 && high >= 0 && (low < 0 || high > 0)
}

const daySeconds = 24 * 60 * 60

func (s *span) covers(o *span) bool {
	if s.yearly {
		a, b := time.Unix(s.first, 0).UTC(), time.Unix(o.first, 0).UTC()
		return !o.yearly && o.last-o.first < daySeconds && a.Month() == b.Month() && a.Day() == b.Day()
	}
	if o.yearly || s.first > o.first || s.last < o.last {
		return false
	}
	return s.first < o.first || s.last > o.last || !s.zoned && o.zoned
}

// place returns the parts of a place; a text without parts is one.
func (v Value) place() []string {
	if v.grain != nil && len(v.grain.parts) > 0 {
		return v.grain.parts
	}
	return []string{v.form}
}

// within reports whether some parts are among those of a finer place, in their order.
func within(coarse, fine []string) bool {
	if len(coarse) >= len(fine) {
		return false
	}
	n := 0
	for _, p := range fine {
		if n < len(coarse) && coarse[n] == p {
			n++
		}
	}
	return n == len(coarse)
}

// Finer chooses between two spellings of one value the one that says more of its grain. It does not depend on the
// order of the two.
func Finer(v, w Value) Value {
	a, b := v.weight(), w.weight()
	if slices.Compare(b, a) > 0 {
		return w
	}
	return v
}

func (v Value) weight() []string {
	if v.grain == nil {
		return nil
	}
	if c := v.grain.civil; c != nil {
		return []string{time.Unix(c.first, 0).UTC().Format(time.DateTime)}
	}
	return append([]string{" "}, v.grain.parts...)
}

// firstYear and lastYear bound the numbers that may be a year.
const firstYear, lastYear = 1000, 2999

// ofNumber is the grain of a number: an amount, and perhaps a year.
func ofNumber(n *big.Rat) *grain {
	g := &grain{amount: &extent{low: n, high: n}}
	if n.IsInt() && n.Num().IsInt64() {
		if y := n.Num().Int64(); y >= firstYear && y <= lastYear {
			g.civil = months12(int(y), 1, 12)
		}
	}
	return g
}

func ofAmount(n *big.Rat, unit string) *grain { return &grain{amount: &extent{unit: unit, low: n, high: n}} }

// rangeOf is the grain of a range, nil where it runs backwards.
func rangeOf(low, high Value) *grain {
	a, b := low.grain.amount, high.grain.amount
	if a.unit != b.unit || a.low.Cmp(b.high) > 0 {
		return nil
	}
	return &grain{amount: &extent{unit: a.unit, low: a.low, high: b.high}}
}

// months12 is a number of months of a year, from one on.
func months12(year, first, count int) *span {
	from := time.Date(year, time.Month(first), 1, 0, 0, 0, 0, time.UTC)
	return &span{first: from.Unix(), last: from.AddDate(0, count, 0).Unix() - 1}
}

// ofDay is the grain of a date, or of the part of one that is known.
func ofDay(d day) *grain {
	if d.day == 0 {
		return &grain{civil: months12(d.year, d.month, 1)}
	}
	year := d.year
	if year == 0 {
		year = 2000 // a leap year
	}
	from := time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Unix()
	return &grain{civil: &span{first: from, last: from + daySeconds - 1, yearly: d.year == 0}}
}

// ofWeek is the grain of a week of a year, by ISO 8601: the first has the fourth of January.
func ofWeek(year, week int) *grain {
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(week-1)).Unix()
	return &grain{civil: &span{first: monday, last: monday + 7*daySeconds - 1}}
}

// ofClock is the grain of a time of a day.
func ofClock(at time.Time, zoned bool) *grain {
	_, offset := at.Zone()
	seconds := at.Unix() + int64(offset)
	return &grain{civil: &span{first: seconds, last: seconds, zoned: zoned}}
}

var placePart = regexp.MustCompile(`^[\pL\pM][\pL\pM.' -]*$`)

// ofPlace is the grain of a text that is a place in its parts: "Oslo, Norway", "Austin, TX". The last is a country or
// a state, so that a list of names, of colours or of countries is none.
func ofPlace(s string) *grain {
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
	return &grain{parts: parts}
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
	add := func(kind int, names string) {
		for n := range strings.SplitSeq(names, ";") {
			known[textForm(n)] |= kind
		}
	}
	for _, l := range []language.Tag{
		language.English, language.German, language.French, language.Spanish, language.Italian, language.Portuguese, language.Dutch,
		language.Norwegian, language.Swedish, language.Danish, language.Finnish, language.Polish, language.Russian, language.Japanese,
	} {
		name := display.Regions(l)
		for _, r := range language.Supported.Regions() {
			if n := name.Name(r); r.IsCountry() && n != "" {
				add(country, n)
			}
		}
	}
	add(country, "USA;US;United States of America;UK;UAE;England;Scotland;Wales;Northern Ireland;Great Britain;Holland;Czech Republic;"+
		"Korea;Ivory Coast;Burma;Macedonia;Republic of Ireland;Taiwan;Palestine;Congo;Vietnam")
	add(state, "Alabama;Alaska;Arizona;Arkansas;California;Colorado;Connecticut;Delaware;Florida;Georgia;Hawaii;Idaho;Illinois;Indiana;"+
		"Iowa;Kansas;Kentucky;Louisiana;Maine;Maryland;Massachusetts;Michigan;Minnesota;Mississippi;Missouri;Montana;Nebraska;Nevada;"+
		"New Hampshire;New Jersey;New Mexico;New York;North Carolina;North Dakota;Ohio;Oklahoma;Oregon;Pennsylvania;Rhode Island;"+
		"South Carolina;South Dakota;Tennessee;Texas;Utah;Vermont;Virginia;Washington;West Virginia;Wisconsin;Wyoming;D.C.;"+
		"Ontario;Quebec;British Columbia;Alberta;Manitoba;Saskatchewan;Nova Scotia;New Brunswick;"+
		"Bavaria;Bayern;Saxony;Sachsen;Hesse;Hessen;New South Wales;Queensland;Tasmania;"+
		"AL;AK;AZ;AR;CA;CO;CT;DE;FL;GA;HI;ID;IL;IA;KS;KY;LA;MD;MA;MI;MN;MS;MO;MT;NE;NV;NH;NJ;NM;NY;NC;ND;OH;OK;PA;RI;SC;SD;TN;TX;"+
		"UT;VT;VA;WA;WV;WI;WY;DC;BC;QC")
	return known
})
