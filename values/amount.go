package values

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"tenure/text"
)

// magnitudes are the words and letters that multiply a number.
var magnitudes = func() map[string]int64 {
	m := map[string]int64{}
	for n, words := range map[int64]string{
		12: "dozen dozens", 100: "hundred", 1e5: "lakh lakhs lac", 1e7: "crore crores", 1e4: "万 萬 만", 1e8: "億 亿 억",
		1e3: "k K thousand thousands tsd tausend mille mila duizend tusen tusind tys tysiąc tysiące tysięcy tis tisíc bin тыс тысяч тысячи " +
			"тысяча grand",
		1e6: "M MM mn mln mio million millions millionen millón millones milhão milhões milione milioni miljoen miljon miljoner " +
			"millioner milionów miliony milion milionů milyon млн миллион миллионов миллиона 百万",
		1e9: "B bn bln billion billions mrd milliarde milliarden milliard milliards miljard miljarder milliarder miliardo miliardi " +
			"miliard miliardy miliardów miliard milyar mld mia млрд миллиард миллиардов миллиарда 十亿",
		1e12: "T tn trn trillion trillions billionen",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = n
		}
	}
	return m
}()

func magnitude(w string) (int64, bool) {
	if m, ok := magnitudes[w]; ok {
		return m, true
	}
	if len(w) > 1 {
		m, ok := magnitudes[strings.TrimRight(strings.ToLower(w), ".")]
		return m, ok
	}
	return 0, false
}

// amount is numbers with what stands around them.
type amount struct {
	before string
	parts  []part
}

// part is a number with the words after it.
type part struct {
	n     *big.Rat
	doubt string // how else the number could be read
	by    string // the word of the magnitude that multiplied it
	unit  string
	glue  bool // no space before the unit
}

var (
	// priceDash is the dash for no cents: "5,-".
	priceDash = regexp.MustCompile(`(\d)[.,]-{1,2}( |$|[^\d\s])`)
	// minusAfter is the minus of accounts, after the number.
	minusAfter = regexp.MustCompile(`^([^-]*\d[.,]\d+)-$`)
)

// amountOf takes an amount apart: an optional sign and words before, then numbers with words after each.
func amountOf(s string) (a amount, ok bool) {
	negative := false
	if t, found := strings.CutPrefix(s, "("); found && strings.HasSuffix(t, ")") {
		s, negative = t[:len(t)-1], true
	}
	if strings.Contains(s, "-") {
		s = priceDash.ReplaceAllString(s, "$1$2")
		if m := minusAfter.FindStringSubmatch(s); m != nil && !negative {
			s, negative = m[1], true
		}
	}
	for _, t := range tokens(s) {
		switch {
		case t.n != nil:
			a.parts = append(a.parts, part{n: t.n, doubt: t.doubt})
		case len(a.parts) > 0:
			a.parts[len(a.parts)-1].add(t)
		case (t.word == "-" || t.word == "+" || strings.EqualFold(t.word, "minus") || strings.EqualFold(t.word, "negative")) && !negative:
			negative = t.word != "+"
		default:
			a.before += spaced(a.before, t)
		}
	}
	if len(a.parts) == 0 {
		return a, false
	}
	if negative {
		a.parts[0].n = new(big.Rat).Neg(a.parts[0].n)
	}
	return a, true
}

// add adds a word after the number: a magnitude, or a part of the unit. A single letter is a magnitude only without
// a space before it: "5K" is five thousand, "5 K" a temperature.
func (p *part) add(t token) {
	m, is := magnitude(t.word)
	if is && p.unit == "" && p.by == "" && (len(t.word) > 1 || t.glue || t.word == "k" || t.word == "M") {
		p.n, p.by, p.doubt = new(big.Rat).Mul(p.n, big.NewRat(m, 1)), t.word, ""
		return
	}
	if p.unit == "" {
		p.glue = t.glue
	}
	p.unit += spaced(p.unit, t)
}

func spaced(before string, t token) string {
	if before == "" || t.glue {
		return t.word
	}
	return " " + t.word
}

// power is a number in the scientific notation, perhaps with its unit.
var power = regexp.MustCompile(`^(?:([+-]?\d+(?:[.,]\d+)?) ?(?:[eE]|[xX*·⋅] ?10 ?\^)|10\^)([+-]?\d{1,4})( .+|[^\d.,].*)?$`)

// readAmount reads a number, a percentage, an amount of money or a quantity.
func readAmount(s spelling) (Value, bool) {
	if strings.ContainsAny(s.as, "eE^") {
		if m := power.FindStringSubmatch(s.as); m != nil {
			return scientific(m)
		}
	}
	a, ok := amountOf(s.as)
	if !ok {
		return Value{}, false
	}
	v, ok := amountValue(a)
	if !ok || v.Kind == Text {
		return v, ok
	}
	for i, p := range a.parts {
		if p.doubt != "" && (i > 0 || percents[strings.ToLower(p.unit)] == nil) {
			return Value{Ambiguous: p.doubt}, false
		}
	}
	return v, !beyondRange(v)
}

// scientific reads a number times a power of ten: only numbers within range.
func scientific(m []string) (Value, bool) {
	n, ok := plainNumber(strings.Replace(cmp.Or(m[1], "1"), ",", ".", 1) + "e" + m[2])
	if !ok {
		return Value{}, false
	}
	if m[3] == "" {
		return number(n), true
	}
	return amountValue(amount{parts: []part{{n: n, unit: strings.TrimSpace(m[3]), glue: m[3][0] != ' '}}})
}

func beyondRange(v Value) bool {
	return v.grain != nil && v.grain.Amount != nil && beyond(v.grain.Amount.High)
}

func amountValue(a amount) (Value, bool) {
	if len(a.parts) == 2 && isRatio(a.parts[0].unit) { // 6 l / 100 km
		p, of := a.parts[0], a.parts[1]
		rest, dens, ok := rateOf(p.unit + " " + of.unit)
		if !ok || len(dens) == 0 || of.n.Sign() <= 0 {
			return Value{}, false
		}
		p.n, p.unit = new(big.Rat).Quo(p.n, of.n), rest
		return rated(a.before, p, dens)
	}
	if len(a.parts) > 1 {
		return compound(a)
	}
	p := a.parts[0]
	unit := strings.TrimRight(strings.ToLower(p.unit), ".")
	if a.before == "" && unit == "" {
		return number(p.n), true
	}
	if per := percents[strings.ToLower(a.before)+unit]; per != nil && (a.before == "" || unit == "") {
		return percentage(new(big.Rat).Mul(p.n, per)), true
	}
	rest, dens, ok := rateOf(p.unit)
	if ok && len(dens) > 0 && (rest != "" || a.before != "" || ratio.MatchString(p.unit)) {
		p.unit = rest
		if v, ok := rated(a.before, p, dens); ok {
			return v, true
		}
		p.unit = a.parts[0].unit
	}
	if code, n, ok := money(a.before, p); ok {
		return moneyOf(n, code, ""), true
	}
	if a.before != "" {
		return Value{}, false
	}
	if p.unit == "m" && p.glue && p.by == "" && p.n.Cmp(big.NewRat(1000, 1)) < 0 {
		return Value{Ambiguous: "is metres, minutes, months or millions: write the unit in full"}, false
	}
	if u, ok := unitOf(p.unit); ok {
		return quantity(u, u.base(p.n)), true
	}
	return counted(p)
}

var percents = map[string]*big.Rat{}

func init() {
	for w, n := range map[string]int64{
		"% percent pct pct. prozent pourcent pour|cent per|cent per|cent. por|ciento por|cento per|cento procent procento procenta procentów " +
			"процент процента процентов prosent prosenttia prosentti százalék yüzde パーセント 퍼센트 프로 百分之 v.h v.|h la|sută %|percent p.c " +
			"persen phần|trăm τοις|εκατό відсоток відсотків відсотки प्रतिशत بالمئة في|المئة procents pc": 100,
		"‰ permille per|mille promille per|mil per|mill": 1000, "bp bps bips basis|points basis|point basispunkte": 10000,
		"ppm parts|per|million": 1e6, "ppb parts|per|billion": 1e9,
	} {
		for _, f := range strings.Fields(w) {
			percents[strings.ReplaceAll(f, "|", " ")] = big.NewRat(1, n)
		}
	}
}

// percentage is a part of a whole. That of one whole or several is no number: 100 % is not 1.
func percentage(n *big.Rat) Value {
	v := number(n)
	v.grain.Civil = nil
	if n.IsInt() && n.Sign() != 0 {
		v.form = new(big.Rat).Mul(n, big.NewRat(100, 1)).RatString() + "%"
	}
	return v
}

// counted reads a number of things that have no unit: "1,500 users".
func counted(p part) (Value, bool) {
	noun, ok := nounOf(p.unit)
	if !ok {
		return Value{}, false
	}
	return Value{Kind: Quantity, form: p.n.RatString() + " " + noun, grain: ofAmount(p.n, noun)}, true
}

// nounOf returns a word for things in the singular; two words, or three, may say more of them.
func nounOf(s string) (string, bool) {
	words := strings.Fields(strings.TrimRight(s, "."))
	if len(words) == 0 || len(words) > 3 || strings.ContainsAny(s, "0123456789/:-_#@()&+=<>%\"") {
		return "", false
	}
	noun := strings.Join(words, " ")
	if slices.Contains(words, "and") || slices.Contains(words, "or") {
		return "", false
	}
	if r := []rune(noun); len(r) < 3 {
		return "", false
	}
	return singular(text.Key(noun)), true
}

var irregular = map[string]string{
	"people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman", "lives": "life", "heads": "head",
	"series": "series", "species": "species", "analyses": "analysis", "buses": "bus", "times": "time",
}

func singular(noun string) string {
	at := strings.LastIndexByte(noun, ' ') + 1
	head, last := noun[:at], noun[at:]
	if one, ok := irregular[last]; ok {
		return head + one
	}
	for _, end := range []string{"xes", "ches", "shes", "sses"} {
		if strings.HasSuffix(last, end) {
			return head + strings.TrimSuffix(last, "es")
		}
	}
	switch {
	case len(last) > 4 && strings.HasSuffix(last, "ies"):
		return head + strings.TrimSuffix(last, "ies") + "y"
	case len(last) > 3 && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss"):
		return head + last[:len(last)-1]
	}
	return noun
}

var (
	between = regexp.MustCompile(`(?i)^(?:between|from|zwischen|von|entre|de) (.+?) (?:and|to|und|bis|et|y|à|a) (.+)$`)
	dashed  = regexp.MustCompile(`(?i)^(.*?\d.*?) ?(?:-|\.\.\.?| to | bis | à ) ?([^-]*\d.*)$`)
)

// readRange reads a range of numbers or amounts of one unit: "5-7", "between 5 and 7 days".
func readRange(s spelling) (Value, bool) {
	m := between.FindStringSubmatch(s.as)
	if m == nil {
		m = dashed.FindStringSubmatch(s.as)
	}
	if m == nil {
		return Value{}, false
	}
	low, ok1 := readAmount(spellingOf(strings.TrimSpace(m[1])))
	high, ok2 := readAmount(spellingOf(strings.TrimSpace(m[2])))
	if !ok1 || !ok2 {
		return Value{}, false
	}
	unit := strings.TrimLeft(strings.TrimSpace(m[2]), "0123456789.,'")
	bare := strings.TrimLeft(strings.TrimSpace(m[1]), "+-0123456789.,' ") == ""
	if low.Kind == Number && (high.Kind != Number || bare && unit != "") { // 5-7 days, 5-7%
		unit = unit[strings.LastIndexAny(unit, "0123456789")+1:]
		if low, ok1 = readAmount(spellingOf(strings.TrimSpace(m[1]) + unit)); !ok1 {
			return Value{}, false
		}
	}
	if low.Kind == Money && high.Kind == Number { // $5-7
		sign := strings.TrimRight(strings.TrimSpace(m[1]), "0123456789.,' kKM")
		if high, ok2 = readAmount(spellingOf(sign + strings.TrimSpace(m[2]))); !ok2 {
			return Value{}, false
		}
	}
	if low.Kind != high.Kind {
		return Value{}, false
	}
	return Value{Kind: Range, form: low.Canonical() + ".." + high.Canonical(), grain: rangeOf(low, high)}, true
}
