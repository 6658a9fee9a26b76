package main

import (
	"math/rand/v2"
	"strings"
)

// money is an amount of a currency, for a period where it is a rate.
type money struct {
	n   num
	cur string // ISO 4217
	per string // month, year or ""
}

func drawMoney(currencies ...string) func(*rand.Rand) money {
	return func(r *rand.Rand) money {
		m := money{cur: pick(r, currencies)}
		switch r.IntN(6) {
		case 0:
			m.n = dec(1+r.Int64N(999), 0)
		case 1, 2:
			m.n = dec(10+r.Int64N(9990), 0).times(100)
		case 3:
			m.n = dec(1001+r.Int64N(998_000), 2)
		case 4:
			m.n = dec(10+r.Int64N(990), 1).shift(pick(r, []int{3, 6, 6, 9}))
		case 5:
			m.n = dec(1000+r.Int64N(9_000_000), 0)
		}
		if m.cur == "JPY" {
			m.n = dec(m.n.abs().c, 0)
		}
		switch r.IntN(12) {
		case 0:
			m.per = pick(r, []string{"month", "year"})
		case 1:
			m.n = m.n.neg()
		}
		return m
	}
}

func moneyMiss(currencies ...string) func(*rand.Rand, money) miss[money] {
	return func(r *rand.Rand, m money) miss[money] {
		switch r.IntN(8) {
		case 0, 1:
			if other := pick(r, currencies); other != m.cur && (m.cur != "JPY" || other != "CNY") {
				return miss[money]{value: money{m.n, other, m.per}, note: "currency"}
			}
		case 2:
			if m.per != "" {
				return miss[money]{value: money{m.n, m.cur, map[string]string{"month": "year", "year": "month"}[m.per]}, note: "period"}
			}
		case 3:
			if m.n.c > 0 && m.per == "" {
				return miss[money]{raw: after(m.n.spell(plain), "%"), note: "percent"}
			}
		}
		n, note := nearNumber(r, m.n)
		if m.cur == "JPY" && n.d > 0 {
			note = ""
		}
		return miss[money]{value: money{n, m.cur, m.per}, note: note}
	}
}

// table looks a word of the currency up; a currency without one has no such spelling.
type table map[string]string

// The sign alone stands for the largest of its countries: $ is USD, ¥ is JPY, £ is GBP.
var (
	signs    = table{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "PLN": "zł", "BRL": "R$"}
	narrower = table{"USD": "US$", "CAD": "CA$", "AUD": "A$", "CNY": "CN¥", "INR": "Rs. ", "BRL": "R$ "}
	trailing = table{"EUR": "€", "PLN": "zł"}
	plurals  = table{"USD": "dollars", "EUR": "euros", "GBP": "pounds sterling", "JPY": "yen", "CHF": "Swiss francs"}
	named    = table{"USD": "US dollars", "EUR": "Euro", "INR": "rupees", "PLN": "złoty", "BRL": "reais", "SEK": "Swedish kronor",
		"CAD": "Canadian dollars", "AUD": "Australian dollars", "CNY": "yuan"}
)

// coin builds a form: before and after the number stand the words that the tables have for the currency.
func coin(number func(num) string, pre, post table, gap string, periods table) func(money) string {
	return func(m money) string {
		s := number(m.n.abs())
		if m.cur == "JPY" && strings.ContainsAny(s, ".") && m.n.d == 0 && strings.HasSuffix(s, ".00") {
			return ""
		}
		if pre != nil {
			s = only(pre[m.cur] != "", before(pre[m.cur]+gap, s))
		}
		if post != nil {
			s = only(post[m.cur] != "", after(s, gap+post[m.cur]))
		}
		if m.n.c < 0 {
			s = before("-", s)
		}
		return only(m.per == "" || periods[m.per] != "", after(s, periods[m.per]))
	}
}

// codes are the currencies by their own code.
func codes(change func(string) string) table {
	out := table{}
	for _, c := range strings.Fields("USD EUR GBP JPY CHF INR PLN BRL SEK CAD AUD CNY") {
		out[c] = change(c)
	}
	return out
}

func asIs(s string) string { return s }

// cents writes amounts below one of a currency that has cents.
func cents(m money) string {
	return only(m.cur == "USD" && m.n.c > 0 && m.n.c < pow10(m.n.d) && m.per == "", after(m.n.shift(2).spell(plain), " cents"))
}

var (
	code      = codes(asIs)
	lowerCode = codes(strings.ToLower)
	devRates  = table{"month": "/month", "year": "/year"}
	devRates2 = table{"month": " per month", "year": " per year"}
	heldRates = table{"month": "/mo", "year": "/yr"}
	heldRate2 = table{"month": " a month", "year": " a year"}
	heldRate3 = table{"month": " monthly", "year": " p.a."}
)

var sharedMoney = []form[money]{
	{name: "USD 1500", weight: 6, write: coin(in(plain), code, nil, " ", devRates2)},
}

var devCurrencies = []string{"USD", "USD", "USD", "EUR", "EUR", "GBP", "CHF", "JPY"}

var devMoney = kind[money]{name: "money", draw: drawMoney(devCurrencies...), near: moneyMiss(devCurrencies...), shared: sharedMoney,
	stray: []string{" %s", "%s "},
	own: []form[money]{
		{name: "$1,500", weight: 6, write: coin(in(english), signs, nil, "", devRates)},
		{name: "$1500", weight: 4, write: coin(in(plain), signs, nil, "", devRates2)},
		{name: "$1,500.00", weight: 3, write: coin(in(english.with(2)), signs, nil, "", devRates2)},
		{name: "$1.5k", weight: 3, write: coin(scale(3, plain, "k"), signs, nil, "", devRates)},
		{name: "$1.5M", weight: 3, write: coin(scale(6, plain, "M"), signs, nil, "", devRates)},
		{name: "1.5M USD", weight: 2, write: coin(scale(6, plain, "M"), nil, code, " ", devRates)},
		{name: "$1.5 million", weight: 2, write: coin(scale(6, plain, " million"), signs, nil, "", devRates2)},
		{name: "1.5 million dollars", weight: 1, write: coin(scale(6, plain, " million"), nil, plurals, " ", devRates2)},
		{name: "1,500 dollars", weight: 3, write: coin(in(english), nil, plurals, " ", devRates2)},
		{name: "US$1,500", weight: 2, write: coin(in(english), table{"USD": "US$"}, nil, "", devRates)},
		{name: "USD 1,500.00", weight: 3, write: coin(in(english.with(2)), code, nil, " ", devRates)},
		{name: "1500 USD", weight: 3, write: coin(in(plain), nil, code, " ", devRates2)},
		{name: "1,500 USD", weight: 2, write: coin(in(english), nil, code, " ", devRates)},
		{name: "USD1500", weight: 1, write: coin(in(plain), code, nil, "", devRates)},
		{name: "1.500,00 €", weight: 4, write: coin(in(german.with(2)), nil, trailing, " ", devRates)},
		{name: "1 500,00 €", weight: 2, write: coin(in(french.with(2)), nil, trailing, " ", devRates)},
		{name: "€ 1.500,00", weight: 2, write: coin(in(german.with(2)), table{"EUR": "€"}, nil, " ", devRates)},
		{name: "CHF 1'500.00", weight: 3, write: coin(in(swiss.with(2)), table{"CHF": "CHF"}, nil, " ", devRates)},
	}}

var heldCurrencies = []string{"USD", "USD", "EUR", "EUR", "INR", "PLN", "BRL", "SEK", "CAD", "AUD", "CNY", "GBP"}

var heldMoney = kind[money]{name: "money", draw: drawMoney(heldCurrencies...), near: moneyMiss(heldCurrencies...), shared: sharedMoney,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[money]{
		{name: "$ 1,500", weight: 3, write: coin(in(english), signs, nil, " ", heldRates)},
		{name: "$1,500 USD", weight: 2, write: coin(func(n num) string { return before("$", n.spell(english)) }, nil,
			table{"USD": "USD", "CAD": "CAD", "AUD": "AUD"}, " ", heldRate2)},
		{name: "$1500.00", weight: 3, write: coin(in(plain.with(2)), signs, nil, "", heldRate2)},
		{name: "CA$1,500", weight: 4, write: coin(in(english), narrower, nil, "", heldRates)},
		{name: "$1.5K", weight: 2, write: coin(scale(3, plain, "K"), signs, nil, "", heldRates)},
		{name: "$1.5m", weight: 2, write: coin(scale(6, plain, "m"), signs, nil, "", heldRate3)},
		{name: "$1.5bn", weight: 2, write: coin(scale(9, plain, "bn"), signs, nil, "", heldRates)},
		{name: "EUR 1.5 bn", weight: 1, write: coin(scale(9, plain, " bn"), code, nil, " ", heldRates)},
		{name: "USD 1.5 million", weight: 2, write: coin(scale(6, plain, " million"), code, nil, " ", heldRate2)},
		{name: "1,5 Mio. €", weight: 2, write: coin(scale(6, comma, " Mio."), nil, trailing, " ", heldRates)},
		{name: "1500€", weight: 2, write: coin(in(comma), nil, trailing, "", heldRates)},
		{name: "1 500,00 EUR thin", weight: 2, write: coin(in(thin.with(2)), nil, code, "\u00a0", heldRates)},
		{name: "1500 US dollars", weight: 2, write: coin(in(plain), nil, named, " ", heldRate2)},
		{name: "1,500.00 Canadian dollars", weight: 2, write: coin(in(english.with(2)), nil, named, " ", heldRate2)},
		{name: "usd 1500", weight: 1, write: coin(in(plain), lowerCode, nil, " ", heldRate2)},
		{name: "1500.00 usd", weight: 1, write: coin(in(plain.with(2)), nil, lowerCode, " ", heldRates)},
		{name: "USD1,500.00", weight: 1, write: coin(in(english.with(2)), code, nil, "", heldRates)},
		{name: "1500USD", weight: 1, write: coin(in(plain), nil, code, "", heldRates)},
		{name: "R$ 1.500,00", weight: 3, write: coin(in(german.with(2)), table{"BRL": "R$"}, nil, " ", heldRate3)},
		{name: "₹1,50,000", weight: 2, write: coin(in(indian), table{"INR": "₹"}, nil, "", heldRate3)},
		{name: "₹1.5 lakh", weight: 1, write: coin(scale(5, plain, " lakh"), table{"INR": "₹"}, nil, "", heldRate3)},
		{name: "1 500,00 zł", weight: 2, write: coin(in(french.with(2)), nil, trailing, " ", heldRates)},
		{name: "SEK 1 500", weight: 1, write: coin(in(style{group: " ", point: ","}), code, nil, " ", heldRate3)},
		{name: "($1,500.00)", weight: 2, write: func(m money) string {
			return only(m.n.c < 0, before("(", after(coin(in(english.with(2)), signs, nil, "", nil)(money{m.n.neg(), m.cur, m.per}), ")")))
		}},
		{name: "50 cents", weight: 1, write: cents},
	}}
