package values

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/currency"
)

var (
	symbols = byWord("currencies", asWritten)
	minor   = byWord("hundredths", asWritten)
	adverbs = byWord("adverbs", asWritten)
	things  = byWord("things", asWritten)
	// notCodes are the codes that are words or units, too: in small letters they are no currency.
	notCodes = byWord("not codes", isListed)
	// calendar are the names of times in a rate, by dimension and factor: they are not converted, because a rate of a day
	// is not 24 times that of an hour to whoever pays.
	calendar = byWord("calendar", asWritten)
)

func currencyOf(s string) (string, bool) {
	low := strings.TrimRight(strings.ToLower(s), ".")
	if c, ok := symbols[low]; ok {
		return c, true
	}
	if len(s) != 3 || notCodes[low] && s != strings.ToUpper(s) {
		return "", false
	}
	c, err := currency.ParseISO(s)
	return c.String(), err == nil
}

// money reads an amount with its currency before or after it, or a sign before and a code after.
func money(before string, p part) (code string, n *big.Rat, ok bool) {
	if code := minor[strings.ToLower(p.unit)]; code != "" && before == "" {
		return code, new(big.Rat).Quo(p.n, big.NewRat(100, 1)), true
	}
	n, after := p.n, p.unit
	if p.by == "" {
		n, after = shortMagnitude(n, before, after)
	}
	if rest, ok := strings.CutSuffix(before, "-"); ok {
		n, before = new(big.Rat).Neg(n), strings.TrimSpace(rest) // $-5
	}
	code, ok = currencyAround(before, after)
	if p.by == "T" && code != "USD" && before == "" {
		return "", nil, false // T€ is a thousand
	}
	return code, n, ok
}

// inThousands are the signs before the code or the sign of a currency that multiply: "k€", "TEUR", "Mio. €".
var inThousands = regexp.MustCompile(`^(k|K|T|m|M)(€|\$|£|¥|[A-Z]{3})$`)

// shortMagnitude reads the m and b that mean million and billion only beside a currency: "$5m", "5m USD", "5 k€".
func shortMagnitude(n *big.Rat, before, after string) (*big.Rat, string) {
	switch m, ok := strings.CutPrefix(after, "m"); {
	case ok && (m == "" && before != "" || strings.HasPrefix(m, " ")):
		return new(big.Rat).Mul(n, big.NewRat(1e6, 1)), strings.TrimSpace(m)
	case after == "b" && before != "":
		return new(big.Rat).Mul(n, big.NewRat(1e9, 1)), ""
	}
	if before != "" {
		if m, ok := magnitude(after); ok && len(after) == 1 { // $5 M
			return new(big.Rat).Mul(n, big.NewRat(m, 1)), ""
		}
		return n, after
	}
	if m := inThousands.FindStringSubmatch(after); m != nil {
		if _, known := currencyOf(m[2]); known {
			by := int64(1e6)
			if m[1] == "k" || m[1] == "K" || m[1] == "T" {
				by = 1e3
			}
			return new(big.Rat).Mul(n, big.NewRat(by, 1)), m[2]
		}
	}
	return n, after
}

// currencyAround returns the currency that stands before or after a number. A code after says which dollar is meant.
func currencyAround(before, after string) (string, bool) {
	sign, hasSign := currencyOf(before)
	code, hasCode := currencyOf(after)
	switch {
	case before != "" && !hasSign, after != "" && !hasCode:
		return "", false
	case !hasSign:
		return code, hasCode
	case !hasCode || sign == code:
		return sign, true
	}
	return code, before == "$" && strings.HasSuffix(code, "D") || sign == "JPY" && code == "CNY" || sign == "kr"
}

// readMoney reads an amount of money that is for nothing else.
func readMoney(before string, p part) (Value, bool) {
	code, n, ok := money(before, p)
	if !ok {
		return Value{}, false
	}
	return moneyOf(n, code, ""), true
}

func moneyOf(n *big.Rat, code, per string) Value {
	return Value{Kind: Money, form: code + " " + n.RatString() + per, grain: ofAmount(n, code+per)}
}

// ratio separates what an amount is for: "€/l", "per user per month", "dollars a day".
var ratio = regexp.MustCompile(`(?i)(?: ?/ ?|(?:^| )(?:per|pro|par|por|je|each|every|an?|p\.) )`)

func isRatio(unit string) bool {
	return unit == "per" || strings.HasSuffix(unit, "/") || strings.HasSuffix(unit, " per") ||
		strings.HasSuffix(unit, " pro")
}

// rateOf cuts what an amount is for from its unit.
func rateOf(unit string) (rest string, dens []string, ok bool) {
	list := []string{unit}
	if strings.ContainsAny(unit, " /") {
		list = ratio.Split(unit, -1)
	}
	rest = strings.TrimSpace(list[0])
	if words := strings.Fields(list[len(list)-1]); len(words) > 0 {
		if per := adverbs[strings.TrimRight(strings.ToLower(words[len(words)-1]), ".")]; per != "" && len(list) == 1 {
			return strings.Join(words[:len(words)-1], " "), []string{per}, true
		}
	}
	for _, d := range list[1:] {
		if d = strings.TrimRight(strings.TrimSpace(d), "."); d == "" || strings.EqualFold(d, "m") {
			return unit, nil, false // "/m": a month or a metre
		}
		dens = append(dens, d)
	}
	return rest, dens, true
}

// rated is an amount of money or a quantity for something. Quantities with units convert: 60 l/min is 1 l/s.
func rated(before string, p part, dens []string) (Value, bool) {
	if code, n, ok := money(before, p); ok {
		n, per, ok := forEach(n, dens, false)
		return moneyOf(n, code, per), ok
	}
	if before != "" {
		return Value{}, false
	}
	u, isUnit := unitOf(p.unit)
	if isUnit && u.offset.Sign() == 0 && u.dimension != "x" {
		n, per, ok := forEach(u.base(p.n), dens, true)
		return quantity(unit{dimension: u.dimension + per}, n), ok
	}
	noun := "time" // three times a week
	if p.unit != "" && !isUnit {
		var ok bool
		if noun, ok = nounOf(p.unit); !ok {
			return Value{}, false
		}
	}
	n, per, ok := forEach(p.n, dens, false)
	return quantity(unit{dimension: cmp.Or(things[noun], noun) + per}, n), ok
}

// forEach divides an amount by units, and names what it is for: "/l", "/month/user". Times are converted where the
// amount has a unit.
func forEach(n *big.Rat, dens []string, times bool) (*big.Rat, string, bool) {
	var names []string
	for _, d := range dens {
		d = cmp.Or(things[strings.ToLower(d)], d)
		u, isUnit := unitOf(d)
		if !isUnit || u.offset.Sign() != 0 {
			noun, ok := nounOf(d)
			if !ok {
				return n, "", false
			}
			names = append(names, cmp.Or(things[noun], noun))
			continue
		}
		name := calendar[u.dimension+" "+u.factor.RatString()]
		if times || name == "" {
			n, name = new(big.Rat).Quo(n, u.factor), u.dimension
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return n, "/" + strings.Join(names, "/"), true
}
