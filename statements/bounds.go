package statements

import (
	"slices"
	"time"

	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/values"
)

// bounds are the times that a clause states: from when and until when it holds. They are no values.
type bounds struct {
	from, until *tenure.Instant
	// spent are the tokens lo to hi of times that are no values, because of a word such as "from" or another value.
	spent [][2]int
	// dates are those that bound the value by where they stand alone; they may also be values.
	dates []clauses.Value
	// past is the phrase that names a time which is over.
	past lex.Hit
}

// bound says from when and until when the clause holds. A date that is the only value of the clause is a value, unless
// a word says that it is a beginning or an end.
func (r *reading) bound(said tenure.Instant) bounds {
	var b bounds
	if said == 0 {
		return b
	}
	now := said.Time()
	if len(r.values) > 1 {
		b.past, _ = r.PastYear(now.Year())
	}
	set, _ := r.contrast()
	for _, t := range r.Times(r.body, now) {
		if set.covers(t.Lo, t.Hi) {
			continue
		}
		marked := t.Starts || t.Ends || t.Back
		other := r.otherValue(t)
		if !marked && r.verb < 0 && (r.has(lex.Repair) || !r.introduced(t)) {
			continue
		}
		if t.Back && other && r.brings() { // what moved yesterday is there now
			b.spent = append(b.spent, [2]int{t.Begin, t.Hi})
			continue
		}
		b.add(t, other, now)
	}
	return b
}

// add adds a date of the clause. Other reports whether the clause has another value.
func (b *bounds) add(t clauses.Time, other bool, now time.Time) {
	i := tenure.At(t.At)
	old := t.Grain == 'y' && t.At.Year() < now.Year()
	switch {
	case t.Ends:
		b.until = &i
		if old {
			b.past = lex.Hit{From: t.Begin, To: t.Hi}
		}
	case t.Starts:
		if t.Since && t.At.After(now) {
			i = tenure.At(t.At.AddDate(0, 0, -7))
		}
		b.from = &i
	case other && b.from == nil && t.At.After(now):
		b.from = &i
		b.dates = append(b.dates, clauses.Value{Lo: t.Lo, Hi: t.Hi, Kind: string(values.Date)})
	case other && (t.Back || old):
		b.past = lex.Hit{From: t.Begin, To: t.Hi}
	default:
		return
	}
	b.spent = append(b.spent, [2]int{t.Begin, t.Hi})
}

var enters = lex.Words("enters")

// brings reports whether the verb tells of an event whose result lasts: "moved", "took over".
func (r *reading) brings() bool {
	return r.has(lex.Moves|lex.Yields) || slices.ContainsFunc(r.Tokens, func(t lex.Token) bool { return enters[t.Low] })
}

// spends reports whether a token is of a time that bounds the clause.
func (b *bounds) spends(i int) bool {
	return slices.ContainsFunc(b.spent, func(s [2]int) bool { return s[0] <= i && i < s[1] })
}

// introduced reports whether a preposition stands before a time.
func (r *reading) introduced(t clauses.Time) bool {
	for i := t.Begin; i < t.Lo; i++ {
		if r.Tokens[i].Is(lex.Prep) {
			return true
		}
	}
	return r.Tokens[t.Lo].Is(lex.RelativeDay)
}

// otherValue reports whether the clause names another value than a date.
func (r *reading) otherValue(t clauses.Time) bool {
	for _, v := range r.values {
		if (v.Hi <= t.Begin || v.Lo >= t.Hi) && v.Lo >= r.body && r.isOther(v, t) {
			return true
		}
	}
	if r.verb < 0 || t.Begin <= r.rest {
		return false
	}
	lo, hi := r.trimNoun(r.rest, t.Begin)
	return hi > lo
}

// isOther reports whether a value beside a time is no time, and no subject of a clause whose value is the time.
func (r *reading) isOther(v clauses.Value, t clauses.Time) bool {
	switch v.Kind {
	case string(values.Date), string(values.Time), clauses.KindWeekday:
		return false
	}
	return r.verb < 0 || v.Lo > r.verb || v.Kind == clauses.KindName && t.Begin > r.rest
}

// isSpent reports whether a value is a time that only bounds another.
func (b bounds) isSpent(v clauses.Value) bool {
	for _, s := range b.spent {
		if v.Lo < s[1] && s[0] < v.Hi {
			return true
		}
	}
	return false
}
