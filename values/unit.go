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
// with "=". What has prefixes of the SI is in siTable.
var unitTable = map[string][]string{
	"m": {"1 m meter meters metre metres mètre mètres metro metros metri metrów metry метр метров метра метры м", "1000 km kms км", "1/100 cm см", "1/1000 =mm",
		"1/1000000 µm μm micron microns", "127/5000 in inch inches \" '' ″ zoll pouce pouces pulgada pulgadas", "381/1250 ft foot feet ' ′", "1143/1250 yd yds yard yards", "201168/125 mi mile miles meile",
		"1852 nmi NM nautical|mile nautical|miles", "1143/625 fathom fathoms", "25146/125 furlong furlongs", "1000 chilometro chilometri quilômetro quilômetros kilómetro kilómetros kilometrów километр километров километра 公里", "10000 mil|scandinavian"},
	"g": {"1 g gram grams gramm gramme grammes gr grammi gramos gramas г", "1000 kg kilo kilos kgs кг 公斤", "1/1000 mg", "1/1000000 µg μg mcg", "1000000 t tonne tonnes metric|ton metric|tons tonnen tonelada toneladas tonnellate т",
		"45359237/100000 lb lbs", "45359237/1600000 oz ounce ounces", "317514659/50000 st stone stones", "1/5 ct carat carats", "90718474/100 short|ton short|tons us|ton us|tons", "1016046.9088 long|ton long|tons",
		"31.1034768 troy|ounce troy|ounces ozt oz|t troy|oz", "0.06479891 grain grains"},
	"l": {"1 l liter liters litre litres =L ltr ltrs litro litros litri литр литров л dm3 dm³ dm^3", "1/1000 ml =mL cc cm3 cm³ cm^3 ccm cubic|centimeter cubic|centimeters cubic|centimetre cubic|centimetres", "1/100 cl", "1/10 dl", "100 hl",
		"1000 m3 m³ m^3 cu|m cubic|meter cubic|meters cubic|metre cubic|metres cbm kubikmeter", "1/1000000 mm3 mm³ mm^3",
		"473176473/125000000 gal gallon gallons us|gal us|gallon us|gallons", "4.54609 imperial|gallon imperial|gallons imp|gal uk|gallon uk|gallons", "473176473/1000000000 pt pint pints", "473176473/500000000 qt quart quarts", "473176473/16000000000 fl|oz fluid|ounce fluid|ounces",
		"0.01478676478125 tbsp tablespoon tablespoons", "0.00492892159375 tsp teaspoon teaspoons", "0.2365882365 cup cups", "158.987294928 bbl barrel barrels", "28.316846592 cu|ft ft3 ft³ ft^3 cubic|foot cubic|feet", "0.016387064 cu|in in3 in³ cubic|inch cubic|inches"},
	"m2": {"1 m2 m² m^2 sqm sq|m square|meter square|meters square|metre square|metres qm quadratmeter mètres|carrés metros|cuadrados metri|quadrati metros|quadrados кв.м", "1000000 km2 km² km^2 sq|km sqkm square|kilometer square|kilometers square|kilometre square|kilometres quadratkilometer",
		"1/10000 cm2 cm² cm^2 sq|cm square|centimeter square|centimeters square|centimetre square|centimetres", "1/1000000 mm2 mm² mm^2 square|millimetre square|millimetres square|millimeter square|millimeters", "10000 ha hectare hectares hektar hectárea hectáreas ettari",
		"145161/1562500 sqft sq|ft ft2 ft² ft^2 square|foot square|feet", "316160658/78125 acre acres ac", "0.00064516 sq|in in2 in² square|inch square|inches", "0.83612736 sq|yd square|yard square|yards", "2589988.110336 sq|mi mi2 mi² square|mile square|miles"},
	"m/s": {"1 m/s mps", "5/18 km/h kph kmh kmph", "1397/3125 mph", "463/900 kn kt kts knot knots knoten"},
	"B": {"1 =B byte bytes octet octets", "1000 kB KB kilobyte kilobytes", "1000000 MB megabyte megabytes", "1000000000 GB gigabyte gigabytes gig gigs", "1000000000000 TB terabyte terabytes", "1000000000000000 PB petabyte petabytes", "1000000000000000000 EB exabyte exabytes",
		"1024 KiB kibibyte kibibytes", "1048576 MiB mebibyte mebibytes", "1073741824 GiB gibibyte gibibytes", "1099511627776 TiB tebibyte tebibytes", "1125899906842624 PiB pebibyte pebibytes"},
	"B/s":   {"1000 kBps", "1000000 =MBps", "1000000000 =GBps"},
	"bit/s": {"1 bit/s bps", "1000 kbps kbit/s kb/s", "1000000 Mbps mbit/s =Mb/s", "1000000000 Gbps gbit/s =Gb/s", "1000000000000 Tbps"},
	"bit":   {"1 bit bits", "1000 =kb =Kb", "1000000 =Mb", "1000000000 =Gb"},
	"W":     {"745.69987158227022 hp horsepower bhp", "735.49875 ps"},
	"J": {"3600 Wh watt-hour watt-hours watt|hour watt|hours wattstunde wattstunden", "3600000 kWh kilowatt-hour kilowatt|hours kilowatt-hours kilowatt|hour kilowattstunde kilowattstunden kilowattheures", "3600000000 MWh megawatt|hour megawatt|hours megawatt-hours megawattstunden", "3600000000000 GWh gigawatt|hours gigawatt-hours", "3600000000000000 TWh terawatt|hours",
		"4184 kcal kilocalorie kilocalories", "523/125 cal calorie calories", "1055.05585262 btu"},
	"Pa":  {"100000 bar bars", "100 hPa mbar millibar millibars", "8896443230521/1290320000 psi", "101325 atm atmosphere atmospheres", "133.322387415 mmHg", "98066.5 at"},
	"K":   {"1 =K kelvin kelvins"},
	"deg": {"1 deg degree degrees grad", "1/60 arcmin arcminute arcminutes", "1/3600 arcsec arcsecond arcseconds"},
	"N m": {"1 Nm N·m newton-metre newton-metres newton|metre newton|metres newton|meters"},
	"A s": {"3600 Ah amp-hours amp|hours", "18/5 mAh"},
	"rpm": {"1 rpm r/min rev/min u/min revolutions|per|minute"}, "px": {"1 px pixel pixels"}, "MP": {"1 megapixel megapixels =MP"}, "dB": {"1 dB decibel decibels"},
	"dpi": {"1 dpi ppi dots|per|inch"}, "fps": {"1 fps frames|per|second"}, "pp": {"1 pp p.p ppt percentage|point percentage|points prozentpunkt prozentpunkte points|de|pourcentage puntos|porcentuales", "1/100 basis|points|difference"},
	"FTE": {"1 fte ftes full-time|equivalent full-time|equivalents full|time|equivalents"}, "x": {"1 x times fold -fold"},
	"s": {"1 s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden sekunder sekund sekundy sekunda sekuntia sekunti saniye сек секунда секунды секунд с 秒 秒間 秒钟 초",
		"60 min mins minute minutes minuten minuto minutos minuti minuut minuter minut minutter minuty minuta minuuttia minuutti dakika мин минут минуты минута 分 分間 分钟 분",
		"3600 h hr hrs hour hours stunde stunden std heure heures hora horas ora ore uur uren timme timmar timer godzina godziny godzin godz hodina hodiny hodin tunti tuntia saat ч час часа часов 時間 小时 시간",
		"86400 d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar dage dager dzień dni den dny dní päivä päivää gün день дня дней 日間 天 일",
		"604800 w wk wks week weeks woche wochen semaine semaines semana semanas settimana settimane weken vecka veckor uge uger uke uker tydzień tygodnie tygodni týden týdny týdnů viikko viikkoa hafta неделя недели недель 週間 周 星期 주",
		"1209600 fortnight fortnights"},
	"month": {"1 month months mo mos mth mths monat monate monaten mois mes meses mese mesi maand maanden månad månader måned måneder miesiąc miesiące miesięcy měsíc měsíce měsíců kuukausi kuukautta ay мес месяц месяца месяцев か月 ヶ月 カ月 ヵ月 个月 개월",
		"3 quarter quarters quartal quartale", "12 year years yr yrs y jahr jahre jahren an ans anno anni ano anos année années año años jaar jaren år rok lata lat roky vuosi vuotta yıl год года лет 年間 년",
		"120 decade decades jahrzehnt jahrzehnte", "1200 century centuries jahrhundert jahrhunderte"},
	"workday": {"1 business|day business|days working|day working|days workday workdays work|days arbeitstag arbeitstage arbeitstagen bd jours|ouvrés jour|ouvré días|hábiles día|hábil días|laborables dias|úteis dia|útil giorni|lavorativi giorno|lavorativo werkdagen arbetsdagar рабочих|дней 営業日 工作日 영업일"},
}

// siTable lists the units that take prefixes of the SI, by dimension: the symbol, then the names.
var siTable = map[string]string{
	"m": "m meter meters metre metres mètre mètres metri", "g": "g gram grams gramm gramme grammes gramos", "l": "l liter liters litre litres litros litri",
	"W": "W watt watts", "J": "J joule joules", "Hz": "Hz hertz", "V": "V volt volts", "A": "A amp amps ampere amperes", "Pa": "Pa pascal pascals",
	"N": "N newton newtons", "Ω": "Ω ohm ohms", "F": "F farad farads", "s": "s second seconds sekunde sekunden seconde secondes segundos", "mol": "mol mole moles",
	"bit": "bit bit bits", "eV": "eV electronvolt electronvolts", "lm": "lm lumen lumens", "lx": "lx lux", "VA": "VA volt-ampere", "cd": "cd candela candelas",
	"Sv": "Sv sievert sieverts", "Bq": "Bq becquerel becquerels",
}

// prefixes are those of the SI: symbol, name, factor.
var prefixes = [][3]string{
	{"", "", "1"}, {"n", "nano", "1/1000000000"}, {"µ", "micro", "1/1000000"}, {"μ", "mikro", "1/1000000"}, {"m", "milli", "1/1000"},
	{"c", "centi", "1/100"}, {"c", "zenti", "1/100"}, {"d", "deci", "1/10"}, {"h", "hecto", "100"}, {"k", "kilo", "1000"}, {"k", "kiló", "1000"},
	{"M", "mega", "1000000"}, {"G", "giga", "1000000000"}, {"T", "tera", "1000000000000"}, {"P", "peta", "1000000000000000"},
}

// addSI adds the units with prefixes that are not in a table: symbols with regard to case, where they may be confused.
func addSI(folded, exact map[string]unit) {
	for dimension, names := range siTable {
		list := strings.Fields(names)
		for _, p := range prefixes {
			factor, _ := new(big.Rat).SetString(p[2])
			u := unit{dimension, factor, new(big.Rat)}
			symbol := p[0] + list[0]
			if _, ok := exact[symbol]; !ok {
				exact[symbol] = u
			}
			if low := strings.ToLower(symbol); strings.IndexAny(p[0], "mMpP") != 0 && len(symbol) > 1 {
				if _, ok := folded[low]; !ok {
					folded[low] = u
				}
			}
			for _, n := range list[1:] {
				folded[p[1]+n] = u
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
	addSI(folded, exact)
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
