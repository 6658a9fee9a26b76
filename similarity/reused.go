package similarity

import "slices"

// Reused reports whether a row that said one thing and now says another is about something else now: what an entity
// has but one of is contrary and nothing of the kind is in common, and the names are unlike. Names change, and facts
// are put right, but seldom both at once.
//
// A birth date is not changed by what changes a surname. Numbers are given anew and mailboxes follow a name, so that
// beside them the given name has to be another, too.
func (m *Model) Reused(before, now *Prepared) bool {
	e := evidence{class: pairClass(before, now)}
	veto := compareAttributes(&e, before, now)
	m.bestNames(&e, before, now)
	if e.name[nameBase] == 0 || e.attr[idEqual]+e.attr[emailEqual] > 0 {
		return false
	}
	switch compareBirths(before, now) {
	case birthsDiffer:
		return !m.NamesMeet(before, now)
	case birthsAgree:
		return false
	}
	another := veto == VetoIdentifier || e.class == people && e.attr[emailDiffers] > 0
	return another && (e.name[nameNothing] > 0 || e.class == people && otherGiven(&e.name))
}

// births is what the dates of birth of two profiles say of each other.
type births uint8

const (
	birthsUnknown births = iota // one of them has none
	birthsAgree                 // they may be forms of one date
	birthsDiffer
)

func compareBirths(l, r *Prepared) births {
	a, b := l.birth(), r.birth()
	var e evidence
	switch {
	case a == nil || b == nil:
		return birthsUnknown
	case compareValues(&e, a, b) != "":
		return birthsDiffer
	}
	return birthsAgree
}

// birth returns the dates of birth of a profile, nil if it has none.
func (p *Prepared) birth() *preparedAttribute {
	i := slices.IndexFunc(p.attributes, func(a preparedAttribute) bool { return a.key == birthDate })
	if i < 0 {
		return nil
	}
	return &p.attributes[i]
}
