package similarity

// Pair is what two clusters say of each other.
type Pair struct {
	Registry, even float64 // log-odds with the registry's prior and an even one
	Against, worst float64 // what speaks against it outside the names, in all and the most of it
	dot            float64 // what the evidence adds up to
	bare           bool    // it is of names alone
	veto           string
	Barred         bool // a veto, or said apart
}

// CannotLink tells whether two, asked about alone without anything assumed, are as
// surely different as others the same that are merged; or are held for different,
// and one thing besides their names says so as surely.
func (p Pair) CannotLink() bool {
	score := Probability(p.even)
	return p.Barred || score <= 1-MergeAt || score <= NewAt && p.worst >= Margin
}

// Links tells whether two are the same by their score.
func (p Pair) Links() bool { return !p.Barred && Probability(p.Registry) >= MergeAt }

// comparePair compares two in both ways at once.
func (m *Model) comparePair(l, r *Prepared) Pair {
	var e evidence
	veto, _ := m.gather(l, r, &e)
	p := Pair{dot: m.dot(&e), bare: e.bare(), veto: veto, Barred: veto != ""}
	p.Registry = m.weigh(l, r, p.dot, p.bare, m.RegistryPrior()).odds
	p.even = m.weigh(l, r, p.dot, p.bare, EvenPrior()).odds
	for f, x := range e.attr {
		against := max(0, -x*m.attr[f])
		p.Against += against
		p.worst = max(p.worst, against)
	}
	return p
}

// SelfContradictory tells whether a profile has values that no single entity has: two dates
// of birth, two identifiers of a kind that one alone has.
func (p *Prepared) SelfContradictory() bool {
	for i := range p.attributes {
		a := &p.attributes[i]
		if a.kind != idKind && (a.kind != dateKind || a.key != "dob") {
			continue
		}
		for x := range a.values {
			for y := range x {
				if f := compareValue(a.kind, &a.values[x], &a.values[y]).feature; f == idDiffers || f == dateDiffers {
					return true
				}
			}
		}
	}
	return false
}
