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

// unitTable lists units by dimension, the base first: factor, then its names. Those of which the case matters begin
// with "=".
var unitTable = map[string][]string{
	"m": {"1 m meter meters metre metres mètre mètres metro metros", "1000 km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros kms", "1/100 cm centimeter centimeters centimetre centimetres zentimeter", "1/1000 =mm millimeter millimeters millimetre millimetres", "1/1000000 µm μm micron microns micrometer micrometers",
		"127/5000 in inch inches \" '' ″ zoll", "381/1250 ft foot feet ' ′", "1143/1250 yd yard yards", "201168/125 mi mile miles", "1852 nmi nautical|mile nautical|miles"},
	"g": {"1 g gram grams gramm gramme grammes gr", "1000 kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kgs", "1/1000 mg milligram milligrams milligramm", "1/1000000 µg μg mcg microgram micrograms", "1000000 t tonne tonnes metric|ton metric|tons",
		"45359237/100000 lb lbs", "45359237/1600000 oz ounce ounces", "317514659/50000 st stone stones"},
	"l": {"1 l liter liters litre litres =L", "1/1000 ml milliliter milliliters millilitre millilitres =mL", "1/100 cl centiliter centilitre centiliters centilitres", "1/10 dl deciliter decilitre", "100 hl hectoliter hectolitre", "1000 m3 m³ cubic|meter cubic|meters cubic|metre cubic|metres cbm",
		"473176473/125000000 gal gallon gallons", "473176473/1000000000 pt pint pints", "473176473/500000000 qt quart quarts", "473176473/16000000000 fl|oz fluid|ounce fluid|ounces"},
	"m2":    {"1 m2 m² sqm sq|m square|meter square|meters square|metre square|metres qm", "1000000 km2 km² sq|km square|kilometers square|kilometres", "10000 ha hectare hectares hektar", "145161/1562500 sqft sq|ft ft2 ft² square|foot square|feet", "316160658/78125 acre acres"},
	"m/s":   {"1 m/s mps meters|per|second", "5/18 km/h kph kmh kmph kilometers|per|hour kilometres|per|hour", "1397/3125 mph miles|per|hour", "463/900 kn kt knot knots"},
	"B":     {"1 =B byte bytes octet octets", "1000 kB KB kilobyte kilobytes", "1000000 MB megabyte megabytes", "1000000000 GB gigabyte gigabytes gig gigs", "1000000000000 TB terabyte terabytes", "1000000000000000 PB petabyte petabytes", "1024 KiB kibibyte kibibytes", "1048576 MiB mebibyte mebibytes", "1073741824 GiB gibibyte gibibytes", "1099511627776 TiB tebibyte tebibytes"},
	"bit/s": {"1 bit/s", "1000 kbps kbit/s", "1000000 Mbps mbit/s =Mb/s", "1000000000 Gbps gbit/s =Gb/s"},
	"bit":   {"1 bit bits", "1000 kbit kilobit kilobits", "1000000 Mbit megabit megabits", "1000000000 Gbit gigabit gigabits"},
	"W":     {"1 W watt watts", "1000 kW kilowatt kilowatts", "1000000 =MW megawatt megawatts", "1000000000 GW gigawatt gigawatts", "1/1000 =mW milliwatt milliwatts"},
	"J":     {"1 J joule joules", "1000 kJ kilojoule kilojoules", "3600000 kWh kilowatt-hour kilowatt|hours kilowatt-hours kilowatt|hour", "3600 Wh watt-hours watt|hours", "3600000000 MWh megawatt|hours", "4184 kcal kilocalories", "523/125 cal calorie calories"},
	"Hz":    {"1 Hz hertz", "1000 kHz kilohertz", "1000000 MHz megahertz", "1000000000 GHz gigahertz"},
	"V":     {"1 V volt volts", "1000 kV kilovolt kilovolts", "1/1000 =mV millivolt millivolts"},
	"A":     {"1 =A amp amps ampere amperes", "1/1000 =mA milliamp milliamps"},
	"Pa":    {"1 Pa pascal pascals", "1000 kPa", "100000 bar bars", "100 hPa mbar millibar millibars", "8896443230521/1290320000 psi"},
	"K":     {"1 =K kelvin kelvins"},
	"s":     {"1 s sec secs second seconds sekunde sekunden seconde secondes segundo segundos", "1/1000 ms msec millisecond milliseconds millis", "1/1000000 µs μs microsecond microseconds", "60 min mins minute minutes minuten minuto minutos", "3600 h hr hrs hour hours stunde stunden std heure heures hora horas", "86400 d day days tag tage tagen jour jours día días", "604800 w wk wks week weeks woche wochen semaine semaines semana semanas"},
	"month": {"1 month months mo mos monat monate monaten mois mes meses", "3 quarter quarters", "12 year years yr yrs y jahr jahre jahren an ans année années año años"},
}

// units finds a unit by its name, with and without regard to case.
var units, unitsByCase = func() (map[string]unit, map[string]unit) {
	folded, exact := map[string]unit{}, map[string]unit{}
	zero := new(big.Rat)
	for dimension, list := range unitTable {
		for _, line := range list {
			words := strings.Fields(line)
			factor, _ := new(big.Rat).SetString(words[0])
			u := unit{dimension, factor, zero}
			for _, name := range words[1:] {
				name, strict := strings.CutPrefix(strings.ReplaceAll(name, "|", " "), "=")
				exact[name] = u
				if !strict {
					folded[strings.ToLower(name)] = u
				}
			}
		}
	}
	celsius, fahrenheit := big.NewRat(27315, 100), big.NewRat(45967*5, 900)
	for _, n := range strings.Fields("°c celsius centigrade °celsius") {
		folded[n] = unit{"K", big.NewRat(1, 1), celsius}
	}
	exact["C"], exact["F"] = unit{"K", big.NewRat(1, 1), celsius}, unit{"K", big.NewRat(5, 9), fahrenheit}
	for _, n := range []string{
		"degrees celsius", "degree celsius", "degrees c", "deg c", "grad celsius", "degrés celsius",
	} {
		folded[n] = unit{"K", big.NewRat(1, 1), celsius}
	}
	for _, n := range []string{"°f", "fahrenheit", "degrees fahrenheit", "degree fahrenheit", "degrees f", "deg f"} {
		folded[n] = unit{"K", big.NewRat(5, 9), fahrenheit}
	}
	return folded, exact
}()

func unitOf(name string) (unit, bool) {
	name = strings.TrimRight(name, ".")
	if u, ok := unitsByCase[name]; ok {
		return u, true
	}
	u, ok := units[strings.ToLower(strings.TrimPrefix(name, "-"))]
	return u, ok
}

// compound reads a quantity of several parts of one dimension: "1 h 30 min", "5 ft 11 in".
func compound(a amount) (Value, bool) {
	if a.before != "" {
		return Value{}, false
	}
	sum, dimension := new(big.Rat), ""
	var smaller *big.Rat
	for i, p := range a.parts {
		name := strings.Trim(strings.TrimSuffix(strings.TrimSpace(p.unit), "and"), " ,")
		u, ok := unitOf(name)
		if i > 0 && name == "m" && dimension == "s" {
			u, ok = units["min"], true
		}
		if i == 0 && name == "" || !ok || dimension != "" && u.dimension != dimension || p.mult {
			return Value{}, false
		}
		if smaller != nil && u.factor.Cmp(smaller) >= 0 {
			return Value{}, false
		}
		dimension, smaller = u.dimension, u.factor
		sum.Add(sum, u.base(p.n))
	}
	return quantity(unit{dimension: dimension}, sum), true
}

var isoDuration = regexp.MustCompile(`^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)

// readDuration reads a duration of ISO 8601 that has months or seconds, not both.
func readDuration(s spelling) (Value, bool) {
	m := isoDuration.FindStringSubmatch(s.as)
	if m == nil {
		return Value{}, false
	}
	var months, seconds big.Rat
	for i, factor := range []int64{12, 1, 604800, 86400, 3600, 60, 1} {
		n, ok := new(big.Rat).SetString(m[i+1])
		if !ok {
			continue // absent
		}
		sum := &seconds
		if i < 2 {
			sum = &months
		}
		sum.Add(sum, n.Mul(n, big.NewRat(factor, 1)))
	}
	switch {
	case months.Sign() != 0 && seconds.Sign() == 0:
		return quantity(unit{dimension: "month"}, &months), true
	case months.Sign() == 0 && m[0] != "P" && m[0] != "PT":
		return quantity(unit{dimension: "s"}, &seconds), true
	}
	return Value{}, false
}
