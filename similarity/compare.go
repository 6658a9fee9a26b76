package similarity

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tenure/text"
)

// Prior is the log-odds assumed before two profiles are compared. It is a line of the explanation.
type Prior struct {
	Name    string
	LogOdds float64
}

// EvenPrior returns the prior for two profiles that a caller asks about: even odds.
func EvenPrior() Prior { return Prior{Name: "prior_even"} }

// RegistryPrior returns the prior of a candidate from candidate generation. It is low: most similar names
// belong to different entities.
func (m *Model) RegistryPrior() Prior {
	return Prior{Name: "prior_registry", LogOdds: m.prior.Registry}
}

// UniqueHolderPrior returns the prior of the only visible entity with exactly the name. Within one scope a
// name means one entity unless evidence contradicts it.
func (m *Model) UniqueHolderPrior() Prior {
	return Prior{Name: "prior_unique_name", LogOdds: m.prior.UniqueName}
}

// IdentifiedPrior returns the prior of an entity known by an exclusive identifier of the mention.
func (m *Model) IdentifiedPrior() Prior {
	return Prior{Name: "prior_identified", LogOdds: m.prior.Identified}
}

// Contribution is a line of an explanation: a kind of evidence, its log-odds, and the values compared.
type Contribution struct {
	Feature string  `json:"feature"`
	LogOdds float64 `json:"log_odds"`
	Left    string  `json:"left,omitempty"`
	Right   string  `json:"right,omitempty"`
	Reason  string  `json:"reason"`
}

// Vetoes: reasons not to merge whatever the score, for a person to judge.
const (
	VetoIdentifier = "contradicting_identifier"
	VetoBirthDate  = "contradicting_birth_date"
	VetoType       = "incompatible_type"
	VetoSpelling   = "suspicious_spelling" // look-alike letters of several scripts within one word
)

// Comparison is a score with its explanation. The contributions, sorted by descending weight with the prior
// last, add up to LogOdds; Score is the probability, 0 to 1. A Veto ("" for none) does not change the score.
type Comparison struct {
	Score         float64        `json:"score"`
	LogOdds       float64        `json:"log_odds"`
	Contributions []Contribution `json:"contributions"`
	Veto          string         `json:"veto,omitempty"`
}

// CompareCached is Compare without contributions, with the cache of pairs.
func (m *Model) CompareCached(l, r *Prepared, p Prior) Comparison {
	x := m.CachedPair(l, r)
	odds := m.weigh(l, r, x.dot, x.grounds, p).odds
	return Comparison{Score: Probability(odds), LogOdds: odds, Veto: x.veto}
}

// Score returns the probability that two profiles are of the same entity, 0 to 1. It is symmetric to the bit,
// and no profile scores higher than the profile with itself.
func (m *Model) Score(l, r *Prepared, p Prior) float64 {
	var e evidence
	m.gather(l, r, &e)
	return Probability(m.weigh(l, r, m.dot(&e), e.grounds(), p).odds)
}

// Compare returns the score of two profiles with its contributions.
func (m *Model) Compare(l, r *Prepared, p Prior) Comparison {
	e := evidence{notes: &notes{}}
	veto, swapped := m.gather(l, r, &e)
	w := m.weigh(l, r, m.dot(&e), e.grounds(), p)
	c := Comparison{LogOdds: w.odds, Veto: veto}
	c.Score = Probability(c.LogOdds)
	c.Contributions = m.explain(&e, swapped)
	line := func(feature string, odds float64, reason string) {
		if odds != 0 {
			c.Contributions = append(c.Contributions, Contribution{Feature: feature, LogOdds: odds, Reason: reason})
		}
	}
	bound := "no two are more alike than one is to itself"
	switch g := e.grounds(); {
	case w.odds <= mostAsked-nearBound:
	case g.unnumbered:
		bound = "of two offers without a number in common, a title does not tell whether they are of one article"
	case g.translated:
		bound = "a name that is translated may be another's own name"
	}
	line("bound", w.bound, bound)
	line("calibration", w.calibration, "from evidence to probability, as measured on labelled pairs")
	slices.SortStableFunc(c.Contributions, func(a, b Contribution) int {
		return cmp.Or(cmp.Compare(math.Abs(b.LogOdds), math.Abs(a.LogOdds)), strings.Compare(a.Feature, b.Feature))
	})
	c.Contributions = append(c.Contributions, Contribution{Feature: p.Name, LogOdds: p.LogOdds,
		Reason: "what is assumed before the two are compared"})
	return c
}

// furthest bounds log-odds, so that a probability is never exactly 0 or 1.
const furthest = 30

// Probability converts log-odds to a probability by the logistic function.
func Probability(odds float64) float64 {
	return 1 / (1 + math.Exp(-min(max(odds, -furthest), furthest)))
}

// gather collects the evidence. It always compares from the lesser profile key to the greater, so that scores are
// symmetric: floating-point sums depend on their order.
func (m *Model) gather(l, r *Prepared, e *evidence) (veto string, swapped bool) {
	if l.Key > r.Key {
		l, r, swapped = r, l, true
	}
	e.class = pairClass(l, r)
	mixed := m.bestNames(e, l, r)
	compareDescribedCodes(e, l, r)
	veto = compareAttributes(e, l, r)
	if len(l.contexts) > 0 || len(r.contexts) > 0 {
		compareContexts(e, l, r)
	}
	compareSurroundings(e, l, r)
	compareHouseholds(e)
	e.unnumbered = unnumbered(e, l, r)
	switch {
	case veto == VetoBirthDate && m.mistyped(e, l, r):
		veto = ""
	case veto != "":
	case incompatible(l.typ, r.typ):
		veto = VetoType
	case mixed:
		veto = VetoSpelling
	}
	return veto, swapped
}

// mostAsked bounds the log-odds of two offers without a number in common, and of names alone in two languages.
const mostAsked = 2.94 // a score of less than .95

// nearBound is how far below a bound the odds are compressed.
const nearBound = .2

// below maps what is near a bound, or over it, to below it, in the same order.
func below(odds, bound float64) float64 {
	if odds <= bound-nearBound {
		return odds
	}
	return bound - nearBound/(1+odds-(bound-nearBound))
}

// unnumbered reports whether two offers of shops have neither a model number nor an identifier in common. Shops sell
// several articles under one title: colours, licences, editions, languages.
func unnumbered(e *evidence, l, r *Prepared) bool {
	return l.typ == product && r.typ == product && (l.offers() || r.offers()) && e.attr[idEqual] == 0 &&
		(e.name[nameCodeEqual] == 0 || e.name[nameEditionDiffers] > 0)
}

// offers reports whether the profile is of what a shop sells: a product of which more is told than its name.
func (p *Prepared) offers() bool {
	return p.typ == product && (len(p.attributes) > 0 || len(p.contexts) > 0)
}

// Unnumbered reports whether two profiles are of offers that have no number in common: their title does not tell
// whether they are of one article.
func (m *Model) Unnumbered(l, r *Prepared) bool {
	return l.offers() && r.offers() && m.CachedPair(l, r).grounds.unnumbered
}

// product is the type of what shops sell.
const product = "product"

// mistyped reports whether contrary dates of birth are rather one that was written down wrongly. With an identifier in
// common they are where one digit of the year differs, and in two rows of systems of record that share a number which
// is not exclusive, if all else says that the rows are one. Without an identifier, only rows may be of one person whose
// date was estimated or mistyped: the score counts it against that.
func (m *Model) mistyped(e *evidence, l, r *Prepared) bool {
	rows := len(l.records) > 0 && len(r.records) > 0
	switch {
	case e.exclusive:
		return e.born.slip
	case e.attr[idEqual] > 0:
		return e.born.slip || rows && m.agree(e)
	}
	return rows && !e.born.exact
}

// agree reports whether what two profiles say besides numbers and dates is enough to merge them, a dwelling or a
// telephone among it.
func (m *Model) agree(e *evidence) bool {
	a := &e.attr
	if a[addressEqual]+a[addressClose]+a[postcodeEqual]+a[phoneEqual] == 0 {
		return false
	}
	rest := m.dot(e)
	for _, f := range [...]attrFeature{idEqual, dateYearTypo, dateTypo, dateSameYear, dateOther, dateDiffers, household} {
		rest -= a[f] * m.attr[f]
	}
	return Probability(m.calibrated(rest, false)) >= MergeAt
}

// compareHouseholds adds the interactions of birth date, address, telephone and mailbox. Members of a family
// share all but the date, twins the date too: with different given names or dates, all that a household shares is
// one piece of evidence, which each further one adds nothing to.
func compareHouseholds(e *evidence) {
	a, n := &e.attr, &e.name
	common := min(a[addressEqual]+a[addressClose], 1) + min(a[phoneEqual]+a[phoneLocal], 1) +
		min(a[emailEqual]+a[emailShared], 1)
	others := otherGiven(n) && n[nameNothing] == 0
	switch {
	case a[dateEqual] == 0 || common+a[postcodeEqual] == 0:
	case others:
		e.add(bornTogether, 1, "", "")
	default:
		e.add(bornOnce, 1, "", "")
	}
	others = others || a[dateDiffers]+a[dateOther] > 0 && n[nameNothing] == 0
	switch {
	case common == 0 || e.class != people:
	case others:
		e.add(household, common, "", "")
	case n[nameOneWord] > 0 && n[nameExtraFirst] > 0:
		e.add(household, common/2, "", "") // a surname alone means any of them
	}
}

// otherGiven reports whether two names of people have given names that differ: words without a partner that are not
// the last alone, which a marriage changes; other syllables of a Korean or Chinese name; two given names of the table,
// or of a man and a woman; or short words that are neither slips of one another nor sound alike.
func otherGiven(n *vector) bool {
	return n[nameConflict] > n[nameConflictLast] || n[nameConflictFirst]+n[nameSyllable] > 0 ||
		n[nameGiven]+n[nameGender] > 0 || n[nameSimilarTwoShort]+n[nameSimilarFar] > n[nameSound]
}

// bestNames takes the pair of names with the highest weighted sum and reports whether exactly one of the two
// mixes look-alike scripts.
func (m *Model) bestNames(e *evidence, l, r *Prepared) (mixed bool) {
	best := math.Inf(-1)
	weights := &m.name[e.class]
	var v vector
	namesL, countriesL := m.namesAs(l, e.class)
	namesR, countriesR := m.namesAs(r, e.class)
	for i := range namesL {
		for j := range namesR {
			compareNames(&namesL[i], &namesR[j], &v)
			odds := 0.0
			for f, x := range v {
				odds += x * weights[f]
			}
			if odds <= best {
				continue
			}
			best, e.name = odds, v
			mixed = namesL[i].mixed != namesR[j].mixed
			if e.notes != nil {
				e.notes.names = [2]string{namesL[i].written, namesR[j].written}
			}
		}
	}
	if disjoint(countriesL, countriesR) {
		e.name[nameCountryDiffers] = 1 // counts even if another pair of names matches: branches share aliases
	}
	return mixed
}

// disjoint reports whether two lists are both non-empty and share no element.
func disjoint(l, r []string) bool {
	for _, s := range l {
		if slices.Contains(r, s) {
			return false
		}
	}
	return len(l) > 0 && len(r) > 0
}

// weighed is evidence in log-odds: what the bound and the calibration add, and the sum.
type weighed struct {
	bound, calibration, odds float64
}

func (m *Model) weigh(l, r *Prepared, dot float64, g grounds, p Prior) weighed {
	raw := dot + p.LogOdds
	odds := m.calibrated(raw, g.bare)
	most := odds
	if l.Key != r.Key {
		most = min(odds, m.most(l, p), m.most(r, p))
		if g.asked() {
			most = below(most, mostAsked)
		}
	}
	return weighed{bound: most - odds, calibration: odds - raw, odds: most}
}

// most returns the log-odds of a profile with itself, an upper bound for every comparison with the profile.
func (m *Model) most(p *Prepared, prior Prior) float64 {
	s := m.self(p)
	return m.calibrated(s.odds+prior.LogOdds, s.bare)
}

func (m *Model) dot(e *evidence) float64 {
	sum := 0.0
	for f, x := range e.name {
		sum += x * m.name[e.class][f]
	}
	for f, x := range e.attr {
		sum += x * m.attr[f]
	}
	return sum
}

// likeSelf is the evidence of a profile against itself.
type likeSelf struct {
	odds float64
	bare bool
}

// self returns the evidence of a profile against itself, computed once.
func (m *Model) self(p *Prepared) likeSelf {
	if v := p.self.Load(); v != nil {
		return *v
	}
	var e evidence
	m.gather(p, p, &e)
	v := likeSelf{m.dot(&e), e.bare()}
	p.self.Store(&v)
	return v
}

func (m *Model) explain(e *evidence, swapped bool) []Contribution {
	var list []Contribution
	line := func(w word, odds float64, values [2]string) {
		if odds == 0 {
			return
		}
		if swapped {
			values[0], values[1] = values[1], values[0]
		}
		list = append(list, Contribution{Feature: w.name, LogOdds: odds, Left: values[0], Right: values[1], Reason: w.reason})
	}
	for f, x := range e.name {
		line(nameWords[f], x*m.name[e.class][f], e.notes.names)
	}
	for f, x := range e.attr {
		line(attrWords[f], x*m.attr[f], e.notes.attr[f])
	}
	return list
}

// Kind describes a kind of evidence: its name in the model file, and whether its weight may only be positive
// (1), only negative (-1) or either (0).
type Kind struct {
	Name string
	Sign int
}

// Kinds lists the kinds of evidence from names and from attributes, in the order of Evidence.
func Kinds() (names, attributes []Kind) {
	for _, w := range nameWords {
		names = append(names, Kind{w.name, int(w.sign)})
	}
	for _, w := range attrWords {
		attributes = append(attributes, Kind{w.name, int(w.sign)})
	}
	return names, attributes
}

// Evidence returns the feature values of a comparison, for programs that fit weights: the class whose weights
// apply to the names, and the values in the order of Kinds.
func (m *Model) Evidence(l, r *Prepared) (class string, names, attributes []float64) {
	var e evidence
	m.gather(l, r, &e)
	return classNames[e.class], e.name[:], e.attr[:]
}

// Tokens lists the words by which a name of a type is compared, and whose frequencies a model learns.
func Tokens(spelling, typ string) []string {
	n, _ := (&Model{}).prepareName(spelling, classOf(text.Key(typ)))
	var list []string
	for i := range n.tokens {
		list = append(list, n.tokens[i].Whole())
	}
	return list
}

// Calibrated maps the sum of evidence and prior to calibrated log-odds, for programs that measure
// calibration. bare selects the map for evidence from names alone.
func (m *Model) Calibrated(odds float64, bare bool) float64 { return m.calibrated(odds, bare) }
