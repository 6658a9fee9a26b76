package values

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/currency"
)

// symbols are the signs and words of currencies. "$" alone is the dollar of the United States.
var symbols = func() map[string]string {
	m := map[string]string{}
	for code, names := range map[string]string{
		"USD": "$ us$ usd$ $us u.s.$ u.s|$ us|$ dollar dollars us|dollar us|dollars u.s.|dollars u.s|dollars u.s|dollar american|dollars american|dollar bucks buck dólares dólar",
		"EUR": "€ euro euros eur", "GBP": "£ gbp£ uk£ £stg pound pounds pound|sterling pounds|sterling british|pounds british|pound sterling quid stg",
		"JPY": "¥ 円 yen jp¥ japanese|yen", "CNY": "cn¥ 元 yuan rmb renminbi chinese|yuan 人民币 rmb¥",
		"INR": "₹ rs rupees rupee indian|rupees indian|rupee", "RUB": "₽ rubles roubles ruble rouble руб рублей рубля рубль russian|rubles russian|roubles",
		"KRW": "₩ won 원 korean|won south|korean|won", "TRY": "₺ tl turkish|lira turkish|liras", "ILS": "₪ shekel shekels israeli|shekels nis",
		"UAH": "₴ hryvnia hryvnias грн", "VND": "₫ dong đồng", "THB": "฿ baht thai|baht", "PLN": "zł zloty złoty złotych złote zlotys polish|zloty polish|zlotys",
		"CZK": "kč koruna czech|koruna czech|koruny czech|crowns korun", "CHF": "fr sfr fr. franken swiss|francs swiss|franc francs|suisses",
		"BRL": "r$ reais real brazilian|reais brazilian|real", "AUD": "a$ au$ australian|dollars australian|dollar aussie|dollars",
		"CAD": "c$ ca$ cdn$ canadian|dollars canadian|dollar", "NZD": "nz$ new|zealand|dollars nz|dollars", "HKD": "hk$ hong|kong|dollars",
		"SGD": "s$ sg$ singapore|dollars", "TWD": "nt$ new|taiwan|dollars", "MXN": "mx$ mex$ mexican|pesos mexican|peso", "kr": "kr kr. kroner",
		"SEK": "kronor swedish|kronor swedish|krona swedish|kroner svenska|kronor", "NOK": "norwegian|kroner norwegian|krone norske|kroner",
		"DKK": "danish|kroner danish|krone danske|kroner", "PHP": "₱ philippine|pesos", "NGN": "₦ naira", "ZAR": "r rand south|african|rand",
		"AED": "dh dhs dirhams uae|dirhams emirati|dirhams", "SAR": "saudi|riyals saudi|riyal", "HUF": "ft forint forints hungarian|forint",
		"IDR": "rp rupiah indonesian|rupiah", "MYR": "rm ringgit malaysian|ringgit", "EGP": "egyptian|pounds e£", "RON": "romanian|lei lei",
		"BGN": "лв bulgarian|lev", "KES": "ksh kenyan|shillings", "GHS": "gh₵ ₵ cedis", "ARS": "ar$ argentine|pesos", "CLP": "clp$ chilean|pesos",
		"COP": "col$ colombian|pesos", "PEN": "s/ soles", "BTC": "₿ btc bitcoin bitcoins", "ETH": "eth ether",
	} {
		for _, n := range strings.Fields(names) {
			m[strings.ReplaceAll(n, "|", " ")] = code
		}
	}
	delete(m, "ft") // feet
	return m
}()

// notCodes are the codes that are words or units, too: in small letters they are no currency.
var notCodes = map[string]bool{
	"all": true, "top": true, "try": true, "cup": true, "mad": true, "gel": true, "ron": true, "lak": true, "mop": true,
}

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

// minor are the words of hundredths.
var minor = map[string]string{
	"cent": "USD", "cents": "USD", "¢": "USD", "pence": "GBP", "eurocent": "EUR", "eurocents": "EUR", "euro cents": "EUR",
	"euro cent": "EUR", "us cents": "USD", "rappen": "CHF", "paise": "INR",
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
	which := before == "$" && strings.HasSuffix(code, "D") || sign == "JPY" && code == "CNY" || sign == "kr"
	return code, which
}

func moneyOf(n *big.Rat, code, per string) Value {
	return Value{Kind: Money, form: code + " " + n.RatString() + per, grain: ofAmount(n, code+per)}
}

// ratio separates what an amount is for: "€/l", "per user per month", "dollars a day".
var ratio = regexp.MustCompile(`(?i)(?: ?/ ?|(?:^| )(?:per|pro|par|por|je|each|every|an?|p\.) )`)

func isRatio(unit string) bool {
	return strings.HasSuffix(unit, "/") || strings.HasSuffix(unit, " per") || strings.HasSuffix(unit, " pro") || unit == "per"
}

// adverbs are words for a rate.
var adverbs = map[string]string{
	"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year",
	"p.a": "year", "pa": "year", "p.m": "month", "pm": "month", "p.w": "week", "pw": "week", "p.h": "hour", "mtl": "month", "jährlich": "year",
	"monatlich": "month", "apiece": "piece", "each": "piece",
}

// things are words for what an amount is for that mean the same.
var things = map[string]string{
	"annum": "year", "head": "person", "capita": "person", "pers": "person", "pc": "piece", "pcs": "piece", "unit": "piece", "stück": "piece",
	"req": "request", "txn": "transaction", "hr": "hour",
}

// rateOf cuts what an amount is for from its unit.
func rateOf(unit string) (rest string, dens []string, ok bool) {
	list := ratio.Split(unit, -1)
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

// calendar are the names of times in a rate, by dimension and factor: they are not converted, because a rate of a day is
// not 24 times that of an hour to whoever pays.
var calendar = map[string]string{
	"s 1": "second", "s 60": "minute", "s 3600": "hour", "s 86400": "day", "s 604800": "week", "month 1": "month", "month 3": "quarter",
	"month 12": "year",
}

// rated is an amount of money or a quantity for something. Quantities with units convert: 60 l/min is 1 l/s.
func rated(before string, p part, dens []string) (Value, bool) {
	if code, n, ok := money(before, p); ok {
		n, per, ok := forEach(n, dens, false)
		if !ok {
			return Value{}, false
		}
		return moneyOf(n, code, per), true
	}
	if before != "" {
		return Value{}, false
	}
	u, isUnit := unitOf(p.unit)
	if isUnit && u.offset.Sign() == 0 && u.dimension != "x" {
		n, per, ok := forEach(u.base(p.n), dens, true)
		if !ok {
			return Value{}, false
		}
		return quantity(unit{dimension: u.dimension + per}, n), true
	}
	noun := "time" // three times a week
	if p.unit != "" && !isUnit {
		var ok bool
		if noun, ok = nounOf(p.unit); !ok {
			return Value{}, false
		}
	}
	n, per, ok := forEach(p.n, dens, false)
	if !ok {
		return Value{}, false
	}
	if things[noun] != "" {
		noun = things[noun]
	}
	return quantity(unit{dimension: noun + per}, n), true
}

// forEach divides an amount by units, and names what it is for: "/l", "/month/user". Times are converted where the
// amount has a unit.
func forEach(n *big.Rat, dens []string, times bool) (*big.Rat, string, bool) {
	var names []string
	for _, d := range dens {
		low := strings.ToLower(d)
		if name := things[low]; name != "" {
			d = name
		}
		u, ok := unitOf(d)
		name := ""
		switch {
		case ok && u.offset.Sign() == 0 && (times || calendar[u.dimension+" "+u.factor.RatString()] == ""):
			n, name = new(big.Rat).Quo(n, u.factor), u.dimension
		case ok && u.offset.Sign() == 0:
			name = calendar[u.dimension+" "+u.factor.RatString()]
		default:
			noun, isNoun := nounOf(d)
			if !isNoun {
				return nil, "", false
			}
			if name = noun; things[noun] != "" {
				name = things[noun]
			}
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return n, "/" + strings.Join(names, "/"), true
}
