package main

import (
	"math/rand/v2"
	"strings"
)

// unit is a unit of measure: its symbol, its other spellings, and a smaller unit that it is an exact multiple of.
type unit struct {
	symbol string
	dev    []string // spellings of the first half
	held   []string // spellings of the second half
	one    string   // the singular, where it differs
	part   string   // symbol of the smaller unit
	factor int64
	rivals []string // symbols that are not this unit
}

var devUnits = []unit{
	{symbol: "km", dev: []string{"kilometers", "kilometres", "Kilometer", "kilomètres"}, part: "m", factor: 1000, rivals: []string{"mi", "m", "cm"}},
	{symbol: "kg", dev: []string{"kilograms", "kilos", "Kilogramm", "kilogrammes"}, part: "g", factor: 1000, rivals: []string{"g", "lb"}},
	{symbol: "cm", dev: []string{"centimeters", "centimetres", "Zentimeter"}, part: "mm", factor: 10, rivals: []string{"mm", "m", "in"}},
	{symbol: "L", dev: []string{"liters", "litres", "Liter", "l"}, part: "ml", factor: 1000, rivals: []string{"ml", "gal"}},
	{symbol: "GB", dev: []string{"gigabytes", "Gigabytes"}, part: "MB", factor: 1000, rivals: []string{"MB", "TB", "GiB"}},
	{symbol: "°C", dev: []string{"degrees Celsius", "C", "deg C", "celsius"}, rivals: []string{"°F", "K"}},
	{symbol: "km/h", dev: []string{"kph", "kmh", "kilometers per hour"}, rivals: []string{"mph", "m/s", "km"}},
	{symbol: "m²", dev: []string{"m2", "sqm", "square meters", "square metres"}, rivals: []string{"m", "m³", "sq ft"}},
	{symbol: "kWh", dev: []string{"kilowatt hours", "kilowatt-hours"}, part: "Wh", factor: 1000, rivals: []string{"kW", "MWh"}},
	{symbol: "ft", dev: []string{"feet", "foot"}, part: "in", factor: 12, rivals: []string{"m", "yd", "in"}},
	{symbol: "kW", dev: []string{"kilowatts", "Kilowatt"}, part: "W", factor: 1000, rivals: []string{"kWh", "W", "MW"}},
}

var heldUnits = []unit{
	{symbol: "m", held: []string{"meters", "metres", "Meter", "mètres"}, one: "meter", part: "cm", factor: 100, rivals: []string{"mi", "mm", "ft"}},
	{symbol: "g", held: []string{"grams", "grammes", "Gramm", "gr"}, one: "gram", part: "mg", factor: 1000, rivals: []string{"kg", "mg", "oz"}},
	{symbol: "mi", held: []string{"miles"}, one: "mile", part: "yd", factor: 1760, rivals: []string{"km", "nmi"}},
	{symbol: "t", held: []string{"tonnes", "metric tons", "Tonnen"}, one: "tonne", part: "kg", factor: 1000, rivals: []string{"kg", "lb"}},
	{symbol: "TB", held: []string{"terabytes"}, one: "terabyte", part: "GB", factor: 1000, rivals: []string{"GB", "TiB", "PB"}},
	{symbol: "GiB", held: []string{"gibibytes"}, one: "gibibyte", part: "MiB", factor: 1024, rivals: []string{"GB", "MiB"}},
	{symbol: "°F", held: []string{"degrees Fahrenheit", "F", "fahrenheit", "deg F"}, rivals: []string{"°C", "K"}},
	{symbol: "mph", held: []string{"miles per hour", "mi/h"}, rivals: []string{"km/h", "kn"}},
	{symbol: "sq ft", held: []string{"square feet", "ft²", "sqft", "ft2"}, rivals: []string{"ft", "m²"}},
	{symbol: "GHz", held: []string{"gigahertz"}, part: "MHz", factor: 1000, rivals: []string{"MHz", "kHz"}},
	{symbol: "V", held: []string{"volts", "Volt"}, one: "volt", rivals: []string{"kV", "W", "A"}},
	{symbol: "Mbps", held: []string{"Mbit/s", "Mb/s", "megabits per second"}, rivals: []string{"MB/s", "Gbps", "kbps"}},
	{symbol: "ha", held: []string{"hectares", "Hektar"}, one: "hectare", part: "m²", factor: 10_000, rivals: []string{"km²", "acres"}},
	{symbol: "lb", held: []string{"lbs"}, rivals: []string{"kg", "oz", "g"}},
	{symbol: "km²", held: []string{"square kilometers", "square kilometres", "km2", "sq km"}, rivals: []string{"km", "ha", "m²"}},
	{symbol: "m³", held: []string{"cubic meters", "cubic metres", "m3", "cbm"}, rivals: []string{"m²", "L", "ft³"}},
}

type quantity struct {
	n num
	u *unit
}

func drawQuantity(units []unit) func(*rand.Rand) quantity {
	return func(r *rand.Rand) quantity {
		q := quantity{u: &units[r.IntN(len(units))]}
		switch r.IntN(5) {
		case 0:
			q.n = dec(1+r.Int64N(20), 0)
		case 1, 2:
			q.n = dec(2+r.Int64N(998), 0)
		case 3:
			q.n = dec(11+r.Int64N(9990), 1)
		case 4:
			q.n = dec(1000+r.Int64N(99_000), 0)
		}
		return q
	}
}

func quantityMiss(r *rand.Rand, q quantity) miss[quantity] {
	if r.IntN(3) == 0 {
		return miss[quantity]{raw: after(q.n.spell(plain), " "+pick(r, q.u.rivals)), note: "unit"}
	}
	n, note := nearNumber(r, q.n)
	if note == "sign" && !strings.HasPrefix(q.u.symbol, "°") {
		note = ""
	}
	return miss[quantity]{value: quantity{n, q.u}, note: note}
}

// symbol writes the number and the symbol of the unit with the gap between them.
func symbol(s style, gap string) func(quantity) string {
	return func(q quantity) string {
		if gap == "" && strings.Contains(q.u.symbol, " ") {
			return ""
		}
		return after(q.n.spell(s), gap+q.u.symbol)
	}
}

// wordy writes the i-th other spelling of the unit.
func wordy(number func(num) string, i int, held bool) func(quantity) string {
	return func(q quantity) string {
		words := q.u.dev
		if held {
			words = q.u.held
		}
		if i >= len(words) || q.n == dec(1, 0) {
			return ""
		}
		return after(number(q.n), " "+words[i])
	}
}

// inPart writes the quantity in the smaller unit.
func inPart(s style, gap string) func(quantity) string {
	return func(q quantity) string {
		return only(q.u.part != "", after(q.n.times(q.u.factor).spell(s), gap+q.u.part))
	}
}

var sharedQuantity = []form[quantity]{{name: "5 km", weight: 8, write: symbol(plain, " ")}}

var devQuantity = kind[quantity]{name: "quantity", draw: drawQuantity(devUnits), near: quantityMiss, shared: sharedQuantity,
	stray: []string{" %s", "%s "},
	own: []form[quantity]{
		{name: "5km", weight: 4, write: symbol(plain, "")},
		{name: "1,234 km", weight: 3, write: symbol(english, " ")},
		{name: "5,5 km", weight: 2, write: symbol(comma, " ")},
		{name: "1.234,5 km", weight: 1, write: symbol(german, " ")},
		{name: "kilometers", weight: 3, write: wordy(in(plain), 0, false)},
		{name: "kilometres", weight: 2, write: wordy(in(plain), 1, false)},
		{name: "Kilometer", weight: 2, write: wordy(in(comma), 2, false)},
		{name: "last spelling", weight: 2, write: wordy(in(plain), 3, false)},
		{name: "five kilometers", weight: 1, write: wordy(small, 0, false)},
		{name: "in metres", weight: 4, write: inPart(plain, " ")},
		{name: "in metres, tight", weight: 1, write: inPart(plain, "")},
		{name: "5.0 km", weight: 2, write: symbol(plain.with(1), " ")},
		{name: "Fahrenheit", weight: 6, write: func(q quantity) string {
			f := dec(q.n.c*18, q.n.d+1)
			return only(q.u.symbol == "°C" && q.n.d == 0, dec(f.c+32*pow10(f.d), f.d).spell(plain)+" °F")
		}},
	}}

var heldQuantity = kind[quantity]{name: "quantity", draw: drawQuantity(heldUnits), near: quantityMiss, shared: sharedQuantity,
	stray: []string{"\u00a0%s", "%s\n"},
	own: []form[quantity]{
		{name: "5 m nbsp", weight: 4, write: symbol(plain, "\u00a0")},
		{name: "5 m thin", weight: 2, write: symbol(thin, "\u202f")},
		{name: "1,234.0 m", weight: 2, write: symbol(english.with(1), " ")},
		{name: "5.00m", weight: 2, write: symbol(plain.with(2), "")},
		{name: "1 234 m", weight: 1, write: symbol(spaced, " ")},
		{name: "meters", weight: 3, write: wordy(in(english), 0, true)},
		{name: "metres", weight: 2, write: wordy(in(plain), 1, true)},
		{name: "Meter", weight: 2, write: wordy(in(comma), 2, true)},
		{name: "last spelling", weight: 2, write: wordy(in(plain), 3, true)},
		{name: "METERS", weight: 1, write: func(q quantity) string {
			return only(len(q.u.held[0]) > 4, strings.ToUpper(wordy(in(plain), 0, true)(q)))
		}},
		{name: "five meters", weight: 1, write: wordy(small, 0, true)},
		{name: "thirty-two meters", weight: 1, write: wordy(large, 0, true)},
		{name: "1 meter", weight: 6, write: func(q quantity) string {
			return only(q.u.one != "" && q.n == dec(1, 0), "1 "+q.u.one)
		}},
		{name: "in centimetres", weight: 4, write: inPart(english, " ")},
		{name: "in centimetres, nbsp", weight: 1, write: inPart(plain, "\u00a0")},
	}}
