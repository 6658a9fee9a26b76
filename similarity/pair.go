package similarity

import "slices"

// Pair is the result of comparing two profiles of clusters.
type Pair struct {
	Registry, even float64 // log-odds under the registry's prior and under even odds
	Against, worst float64 // attribute evidence against a match: its sum, and the strongest item
	dot            float64 // sum of the evidence in log-odds
	grounds        grounds
	veto           string
	Barred         bool // has a veto or a cannot-link
}

// CannotLink reports whether two clusters must not be joined: they have a veto or a cannot-link; or under
// even odds they are as surely different as merged entities are the same; or they score as different and one
// attribute alone is evidence of that strength.
func (p Pair) CannotLink() bool {
	score := Probability(p.even)
	return p.Barred || score <= 1-MergeAt || score <= NewAt && p.worst >= Margin
}

// Links reports whether the score reaches MergeAt without a veto or a cannot-link.
func (p Pair) Links() bool { return !p.Barred && Probability(p.Registry) >= MergeAt }

// comparePair compares two profiles once and weighs the evidence under both priors.
func (m *Model) comparePair(l, r *Prepared) Pair {
	var e evidence
	veto, _ := m.gather(l, r, &e)
	p := Pair{dot: m.dot(&e), grounds: e.grounds(), veto: veto, Barred: veto != ""}
	p.Registry = m.weigh(l, r, p.dot, p.grounds, m.RegistryPrior()).odds
	p.even = m.weigh(l, r, p.dot, p.grounds, EvenPrior()).odds
	for f, x := range e.attr {
		against := max(0, -x*m.attr[f])
		p.Against += against
		p.worst = max(p.worst, against)
	}
	return p
}

// Contradict reports whether two profiles have values that a single entity cannot have, such as two dates of birth or
// two values of an exclusive identifier.
func (m *Model) Contradict(l, r *Prepared) bool { return m.Contradiction(l, r) != "" }

// Contradiction returns the veto of values that a single entity cannot have, "" if two profiles have none.
func (m *Model) Contradiction(l, r *Prepared) string {
	var e evidence
	veto := compareAttributes(&e, l, r)
	if veto == VetoBirthDate && m.mistyped(&e, l, r) {
		return ""
	}
	return veto
}

// SelfContradictory reports whether a profile has values that a single entity cannot have, such as two dates
// of birth or two values of an exclusive identifier.
func (p *Prepared) SelfContradictory() bool {
	return slices.ContainsFunc(p.attributes, func(a preparedAttribute) bool { return a.veto() != "" && a.contrary() })
}

// TwoBirthDates reports whether a profile has dates of birth that contradict each other.
func (p *Prepared) TwoBirthDates() bool {
	return slices.ContainsFunc(p.attributes, func(a preparedAttribute) bool {
		return a.veto() == VetoBirthDate && a.contrary()
	})
}

// contrary reports whether two of the values are contrary.
func (a *preparedAttribute) contrary() bool {
	for x := range a.values {
		for y := range x {
			if compareValue(a.kind, &a.values[x], &a.values[y]).contrary {
				return true
			}
		}
	}
	return false
}
