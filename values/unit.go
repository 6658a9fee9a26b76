package values

import (
	"math/big"
	"regexp"
	"strings"
)

// unit is a unit of a dimension: a value in it times factor, plus offset, is the value in the dimension's base.
type unit struct {
	dimension      string
	factor, offset *big.Rat
}

func (u unit) base(n *big.Rat) *big.Rat {
	b := new(big.Rat).Mul(n, u.factor)
	return b.Add(b, u.offset)
}

func quantity(u unit, base *big.Rat) Value {
	return Value{Kind: Quantity, form: base.RatString() + " " + u.dimension, grain: ofAmount(base, u.dimension)}
}

// addSI adds the units with prefixes that are not in a table: symbols with regard to case, where they may be confused.
func addSI(folded, exact map[string]unit) {
	for _, line := range tables["units of the SI"] {
		for _, p := range append(tables["prefixes"], entry{"1", []string{"", ""}}) {
			factor, _ := new(big.Rat).SetString(p.meaning)
			u := unit{line.meaning, factor, new(big.Rat)}
			symbol := p.words[0] + line.words[0]
			if _, ok := exact[symbol]; !ok {
				exact[symbol] = u
			}
			if low := strings.ToLower(symbol); strings.IndexAny(p.words[0], "mMpP") != 0 && len(symbol) > 1 {
				if _, ok := folded[low]; !ok {
					folded[low] = u
				}
			}
			for _, n := range line.words[1:] {
				folded[p.words[1]+n] = u
			}
		}
	}
	for _, n := range []string{"MHz", "MJ", "MV", "MPa", "MN"} { // no such thing in thousandths is in use
		folded[strings.ToLower(n)] = exact[n]
	}
}

// units finds a unit by its name, with and without regard to case.
var units, unitsByCase = func() (map[string]unit, map[string]unit) {
	folded, exact := map[string]unit{}, map[string]unit{}
	for name, u := range byWord("units", unitIn) {
		name, strict := strings.CutPrefix(name, "=")
		exact[name] = u
		if !strict {
			folded[strings.ToLower(name)] = u
		}
	}
	addSI(folded, exact)
	return folded, exact
}()

// unitIn reads what the table says of a unit: its dimension, its factor and perhaps its offset.
func unitIn(meaning string) unit {
	words := strings.Fields(meaning)
	numbers := []*big.Rat{}
	for len(words) > 1 {
		n, ok := new(big.Rat).SetString(words[len(words)-1])
		if !ok {
			break
		}
		words, numbers = words[:len(words)-1], append([]*big.Rat{n}, numbers...)
	}
	return unit{strings.Join(words, " "), numbers[0], append(numbers, new(big.Rat))[1]}
}

func unitOf(name string) (unit, bool) {
	name = strings.TrimRight(name, ".")
	if u, ok := unitsByCase[name]; ok {
		return u, true
	}
	u, ok := units[strings.ToLower(strings.TrimPrefix(name, "-"))]
	return u, ok
}

// smaller is the unit of a number that follows one of another unit: 5 ft 11, 1 m 80, 11 st 4.
var smaller = map[string]string{"ft": "in", "foot": "in", "feet": "in", "'": "in", "st": "lb", "stone": "lb", "m": "cm"}

// compound reads a quantity of several parts of one dimension, "1 h 30 min", "5 ft 11 in", or of months and days.
func compound(a amount) (Value, bool) {
	if a.before != "" {
		return Value{}, false
	}
	sums := map[string]*big.Rat{}
	var last unit
	name := ""
	for i, p := range a.parts {
		u, n, ok := partUnit(a.parts, i, name)
		if !ok || p.by != "" {
			return Value{}, false
		}
		if i > 0 && !follows(u, last) {
			return Value{}, false
		}
		name, last = n, u
		sum := sums[u.dimension]
		if sum == nil {
			sum = new(big.Rat)
			sums[u.dimension] = sum
		}
		amount := u.base(p.n)
		if i > 0 && a.parts[0].n.Sign() < 0 {
			amount.Neg(amount)
		}
		sum.Add(sum, amount)
	}
	return spanOf(sums)
}

// partUnit returns the unit of a part of an amount with its name. One that has none follows from the one before.
func partUnit(parts []part, i int, before string) (unit, string, bool) {
	name := strings.TrimSpace(parts[i].unit)
	if i < len(parts)-1 {
		name = strings.TrimSuffix(strings.TrimSuffix(name, " and"), " &")
		name = strings.TrimSuffix(strings.TrimSuffix(name, " und"), " et")
	}
	name = strings.Trim(name, " ,.")
	if name == "" && i > 0 && i == len(parts)-1 {
		if before == "m" && parts[i].n.Cmp(big.NewRat(10, 1)) < 0 {
			return unit{}, "", false // 1 m 8
		}
		name = smaller[before]
	}
	minutes := name == "m" && (i > 0 || strings.HasPrefix(parts[1].unit, "s") && parts[0].glue)
	u, ok := unitOf(name)
	if minutes {
		u, ok = units["min"], true
	}
	if ok && u.offset.Sign() != 0 || name == "" {
		return u, name, false
	}
	return u, name, ok
}

// follows reports whether a smaller unit of the dimension, or days after months, may follow.
func follows(u, last unit) bool {
	if u.dimension == last.dimension {
		return u.factor.Cmp(last.factor) < 0
	}
	return last.dimension == "month" && u.dimension == "s"
}

// spanOf is the sum of the parts of a quantity.
func spanOf(sums map[string]*big.Rat) (Value, bool) {
	months, seconds := sums["month"], sums["s"]
	if months != nil && seconds != nil && months.Sign() != 0 && seconds.Sign() != 0 {
		form := months.RatString() + " month " + seconds.RatString() + " s"
		return Value{Kind: Quantity, form: form, grain: ofAmount(seconds, "s after "+months.RatString()+" month")}, true
	}
	if months != nil && seconds != nil && months.Sign() == 0 {
		delete(sums, "month")
	}
	for dimension, sum := range sums {
		if len(sums) == 1 || dimension == "month" {
			return quantity(unit{dimension: dimension}, sum), true
		}
	}
	return Value{}, false
}

var isoDuration = regexp.MustCompile(`^P(?:(\d+(?:[.,]\d+)?)Y)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?` +
	`(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$`)

// readDuration reads a duration of ISO 8601.
func readDuration(s spelling) (Value, bool) {
	if s.low[0] != 'p' || len(s.low) < 3 || !isDigitAt(s.low, 1) && !isDigitAt(s.low, 2) {
		return Value{}, false
	}
	m := isoDuration.FindStringSubmatch(strings.ToUpper(s.low))
	if m == nil {
		return Value{}, false
	}
	sums := map[string]*big.Rat{}
	for i, factor := range []int64{12, 1, 604800, 86400, 3600, 60, 1} {
		n, ok := new(big.Rat).SetString(strings.Replace(m[i+1], ",", ".", 1))
		if !ok {
			continue // absent
		}
		dimension := "s"
		if i < 2 {
			dimension = "month"
		}
		if sums[dimension] == nil {
			sums[dimension] = new(big.Rat)
		}
		sums[dimension].Add(sums[dimension], n.Mul(n, big.NewRat(factor, 1)))
	}
	return spanOf(sums)
}
