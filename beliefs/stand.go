package beliefs

import (
	"cmp"
	"slices"

	"tenure"
	"tenure/conflicts"
)

// Stand computes the standing of each claim. It is a pure function of the evidence and does not depend on the
// order of any list.
func Stand(e Evidence) map[tenure.ID]tenure.Standing {
	b := newEvaluator(e)
	out := make(map[tenure.ID]tenure.Standing, len(e.Claims))
	var admitted []*tenure.Claim
	early := map[tenure.ID][]tenure.Segment{} // the parts of windows before a start
	for i := range e.Claims {
		c := &e.Claims[i]
		g, excluded := b.exclusion(c)
		if !excluded {
			if g, excluded = b.beforeStart(c); excluded && g.Until < c.Window.Until {
				early[c.ID], excluded = []tenure.Segment{g}, false
				c = startedAt(c, g.Until)
			}
		}
		if excluded {
			out[c.ID] = tenure.Standing{Belief: c.ID, Segments: []tenure.Segment{g}}
			continue
		}
		v := b.of(c)
		v.admitted = append(v.admitted, c)
		admitted = append(admitted, c)
	}
	terminations := make([]termination, len(admitted))
	many := b.sayMany(admitted)
	var claimants []conflicts.Claimant
	var residues []conflicts.Residue
	for i, c := range admitted {
		terminations[i] = b.earliestTermination(c)
		p := conflicts.Claimant{
			Claim: c, Grain: Grain(e.Term, c.Value), Recalled: b.recalled(c), Many: many(c), Beside: b.of(c).beside,
		}
		if w := terminations[i].remaining(c.Window); !w.Empty() {
			p.Window = w
			claimants = append(claimants, p)
		}
		if g, ok := terminations[i].segment(c.Window); ok && !b.inSlot[g.By] {
			p.Window = g.Window
			residues = append(residues, conflicts.Residue{Claimant: p, TerminatedAt: terminations[i].at})
		}
	}
	swept := map[tenure.ID][]tenure.Segment{}
	for i, segments := range conflicts.Reconcile(claimants, residues, b.rule) {
		swept[claimants[i].Claim.ID] = segments
	}
	for i, c := range admitted {
		segments := swept[c.ID]
		if g, late := early[c.ID]; late {
			segments = slices.Concat(g, segments)
		}
		if g, ok := terminations[i].segment(c.Window); ok {
			segments = append(segments, g)
		}
		out[c.ID] = tenure.Standing{Belief: c.ID, Segments: segments}
	}
	for i := range e.Claims {
		c := &e.Claims[i]
		s := out[c.ID]
		s.LastConfirmed = b.lastConfirmed(c)
		out[c.ID] = ApplyGrounds(s, c.DependsOn, e.Grounds)
	}
	return out
}

// evaluator indexes the evidence of a slot for the rules.
type evaluator struct {
	rule        conflicts.Rule
	inSlot      map[tenure.ID]bool               // claims of the slot
	withdrawals map[tenure.ID][]tenure.Amendment // retract and reject, least id first
	confirmed   map[tenure.ID]tenure.Instant
	values      map[string]*statements
}

// statements are all that is said of one value of the slot.
type statements struct {
	admitted      []*tenure.Claim
	bars          map[conflicts.Voice]tenure.ID // the claim with the least id that each voice withdrew
	ends          []ending
	starts        []start
	beside        []conflicts.Beside
	supersessions []supersession
	// Of the claims that are not withdrawn: the earliest, the least id, and when the last was seen.
	earliest *tenure.Claim
	least    tenure.ID
	lastSeen tenure.Instant
}

// ending is an end of a claim of the slot.
type ending struct {
	termination

	target tenure.ID
}

// start is an amendment that says since when a claim's value is true.
type start struct {
	amendment tenure.Amendment
	claim     *tenure.Claim
}

// supersession is a named supersession of a claim of the slot.
type supersession struct {
	termination

	target tenure.ID
	// returned is from when on the value was reasserted, once it is known.
	returned *tenure.Instant
}

func newEvaluator(e Evidence) *evaluator {
	b := &evaluator{
		rule: e.rule(), inSlot: e.inSlot(), values: map[string]*statements{},
		withdrawals: map[tenure.ID][]tenure.Amendment{}, confirmed: map[tenure.ID]tenure.Instant{},
	}
	byID := make(map[tenure.ID]*tenure.Claim, len(e.Claims))
	for i := range e.Claims {
		c := &e.Claims[i]
		byID[c.ID] = c
		if b.values[c.Value.Canonical] == nil {
			b.values[c.Value.Canonical] = &statements{bars: map[conflicts.Voice]tenure.ID{}}
		}
	}
	amendments := slices.SortedFunc(slices.Values(e.Amendments),
		func(x, y tenure.Amendment) int { return cmp.Compare(x.ID, y.ID) })
	for _, a := range amendments {
		switch a.Kind {
		case tenure.Retract, tenure.Reject:
			b.withdrawals[a.Belief] = append(b.withdrawals[a.Belief], a)
		case tenure.Confirm:
			if last, ok := b.confirmed[a.Belief]; !ok || a.At > last {
				b.confirmed[a.Belief] = a.At
			}
		}
	}
	for _, a := range amendments {
		if c := byID[a.Belief]; c != nil && !b.withdrawn(c.ID) {
			b.of(c).add(a, c)
		}
	}
	for i := range e.Claims {
		b.index(&e.Claims[i])
	}
	b.findSupersessions(e, byID)
	return b
}

func voiceOf(a tenure.Amendment) conflicts.Voice {
	return conflicts.Voice{Level: a.AuthorityLevel, Role: a.Role}
}

// of returns what is said of the value of a claim.
func (b *evaluator) of(c *tenure.Claim) *statements { return b.values[c.Value.Canonical] }

// index adds a claim to the statements of its value.
func (b *evaluator) index(c *tenure.Claim) {
	v := b.of(c)
	for _, a := range b.withdrawals[c.ID] {
		if by, ok := v.bars[voiceOf(a)]; !ok || c.ID < by {
			v.bars[voiceOf(a)] = c.ID
		}
	}
	if b.withdrawn(c.ID) {
		return
	}
	if v.earliest == nil || earlier(c, v.earliest) {
		v.earliest = c
	}
	if v.least == "" {
		v.least, v.lastSeen = c.ID, b.lastSeen(c)
	}
	v.least, v.lastSeen = min(v.least, c.ID), max(v.lastSeen, b.lastSeen(c))
}

// earlier orders what was said by time, then by observation.
func earlier(c, o *tenure.Claim) bool {
	return cmp.Or(cmp.Compare(c.Window.From, o.Window.From), cmp.Compare(c.Observation, o.Observation),
		cmp.Compare(c.ID, o.ID)) < 0
}

// add indexes an amendment that speaks of the value of a claim.
func (v *statements) add(a tenure.Amendment, c *tenure.Claim) {
	switch a.Kind {
	case tenure.End:
		v.ends = append(v.ends, ending{termination{a.At, tenure.ByEnd, a.ID, voiceOf(a)}, c.ID})
	case tenure.Start:
		v.starts = append(v.starts, start{a, c})
	case tenure.Beside:
		v.beside = append(v.beside, conflicts.Beside{Case: a.Case, Level: a.AuthorityLevel})
	}
}

func (b *evaluator) findSupersessions(e Evidence, byID map[tenure.ID]*tenure.Claim) {
	seen := map[tenure.ID]bool{}
	for _, list := range [][]tenure.Claim{e.Superseders, e.Claims} {
		for i := range list {
			s := &list[i]
			if len(s.Supersedes) == 0 || seen[s.ID] || b.withdrawn(s.ID) {
				continue
			}
			seen[s.ID] = true
			voice := conflicts.VoiceOf(s.Source)
			for _, id := range s.Supersedes {
				if c := byID[id]; c != nil && b.binds(voice, c) && supersedesIn(s.Scope, c.Scope) {
					k := termination{s.Window.From, tenure.ByName, s.ID, voice}
					b.of(c).supersessions = append(b.of(c).supersessions, supersession{termination: k, target: id})
				}
			}
		}
	}
}

// binds reports whether what a voice says ends a claim, too: the claim is not of a stronger one.
func (b *evaluator) binds(v conflicts.Voice, c *tenure.Claim) bool {
	return !b.rule.Outspeaks(conflicts.VoiceOf(c.Source), v)
}

// supersedesIn reports whether a statement in scope s displaces a claim in scope c: a hypothetical or draft
// displaces nothing outside its own scope.
func supersedesIn(s, c tenure.Scope) bool { return !s.Provisional() || s.Key() == c.Key() }

// withdrawn reports whether a claim carries a retract or a reject amendment.
func (b *evaluator) withdrawn(id tenure.ID) bool { return len(b.withdrawals[id]) > 0 }

// exclusion returns the only segment of a claim that is withdrawn or barred, and reports whether it is.
func (b *evaluator) exclusion(c *tenure.Claim) (tenure.Segment, bool) {
	if list := b.withdrawals[c.ID]; len(list) > 0 {
		by, cause := list[0], tenure.ByRejection
		for _, a := range list {
			if a.Kind == tenure.Retract {
				by, cause = a, tenure.ByRetraction
				break
			}
		}
		return tenure.Segment{Window: c.Window, Cause: cause, By: by.ID}, true
	}
	var by tenure.ID
	for voice, id := range b.of(c).bars {
		if b.binds(voice, c) && (by == "" || id < by) {
			by = id
		}
	}
	return tenure.Segment{Window: c.Window, Cause: tenure.ByBar, By: by}, by != ""
}

// sayMany returns a predicate that reports whether a claim's value stands beside others: the claim says so or, if the
// cardinality is not defined, an admitted claim that binds it does.
func (b *evaluator) sayMany(admitted []*tenure.Claim) func(*tenure.Claim) bool {
	voices := map[conflicts.Voice]bool{}
	for _, c := range admitted {
		if c.SaysMany() && b.rule.Undefined() {
			voices[conflicts.VoiceOf(c.Source)] = true
		}
	}
	return func(c *tenure.Claim) bool {
		for v := range voices {
			if b.binds(v, c) {
				return true
			}
		}
		return c.SaysMany()
	}
}

// recalled returns the earliest claim of the value, if a recalling claim repeats an earlier one. One that names a
// supersession recalls nothing.
func (b *evaluator) recalled(c *tenure.Claim) *tenure.Claim {
	if !c.Recalls || len(c.Supersedes) > 0 {
		return nil
	}
	if first := b.of(c).earliest; first != nil && first.Window.From < c.Window.From {
		return first
	}
	return nil
}

// said returns when a claim counts as said.
func (b *evaluator) said(c *tenure.Claim) tenure.Instant {
	if first := b.recalled(c); first != nil {
		return first.Window.From
	}
	return c.Window.From
}

// beforeStart returns the part of the claim's window before the latest start of its value, and reports whether there
// is one. The part may be the whole window.
func (b *evaluator) beforeStart(c *tenure.Claim) (tenure.Segment, bool) {
	var last *start
	starts := b.of(c).starts
	for i := range starts {
		s := &starts[i]
		if !b.binds(voiceOf(s.amendment), c) || !s.claim.Window.Overlaps(c.Window) || s.amendment.At <= c.Window.From {
			continue
		}
		if last == nil || s.amendment.At > last.amendment.At {
			last = s
		}
	}
	if last == nil {
		return tenure.Segment{}, false
	}
	w := tenure.Window{From: c.Window.From, Until: min(c.Window.Until, last.amendment.At)}
	return tenure.Segment{Window: w, Cause: tenure.ByStart, By: last.amendment.ID}, true
}

// startedAt returns the claim as if it had stated that start, and recalled nothing.
func startedAt(c *tenure.Claim, at tenure.Instant) *tenure.Claim {
	late := *c
	late.Window.From, late.Basis, late.Recalls = at, tenure.Stated, false
	return &late
}

// termination ends a window early, by an end or by a named supersession.
type termination struct {
	at    tenure.Instant
	cause tenure.Cause
	by    tenure.ID
	voice conflicts.Voice
}

var notTerminated = termination{at: tenure.MaxTime}

func (k termination) remaining(w tenure.Window) tenure.Window {
	return tenure.Window{From: w.From, Until: min(w.Until, k.at)}
}

func (k termination) segment(w tenure.Window) (tenure.Segment, bool) {
	if k.at >= w.Until {
		return tenure.Segment{}, false
	}
	w.From = max(w.From, k.at)
	return tenure.Segment{Window: w, Cause: k.cause, By: k.by}, true
}

// before orders by time, then named supersession before end, then id.
func (k termination) before(o termination) bool {
	if k.at != o.at {
		return k.at < o.at
	}
	if k.cause != o.cause {
		return k.cause == tenure.ByName
	}
	return k.by < o.by
}

func (b *evaluator) earliestTermination(c *tenure.Claim) termination {
	first := notTerminated
	consider := func(k termination) {
		if k.at < c.Window.Until && (first == notTerminated || k.before(first)) {
			first = k
		}
	}
	v, said := b.of(c), b.said(c)
	for _, e := range v.ends {
		if b.binds(e.voice, c) && (e.target == c.ID || said < e.at || !b.resumed(v, e, said)) {
			consider(e.termination)
		}
	}
	for i := range v.supersessions {
		k := &v.supersessions[i]
		if k.target == c.ID || k.by != c.ID && b.binds(k.voice, c) && said < b.reasserted(v, k) {
			consider(k.termination)
		}
	}
	return first
}

// resumed reports whether a value that was ended was said again by then, from the end on, by a claim other than the one
// that was ended and by a voice that is not weaker than that of the end.
func (b *evaluator) resumed(v *statements, e ending, by tenure.Instant) bool {
	return slices.ContainsFunc(v.admitted, func(n *tenure.Claim) bool {
		from := b.said(n)
		return n.ID != e.target && e.at <= from && from <= by && b.reaches(n, e.voice)
	})
}

// reasserted returns from when on the value of a named supersession was reasserted, MaxTime if never: by a claim that
// supersedes by name or states a later start of its own, and whose voice is not weaker than the superseder's.
func (b *evaluator) reasserted(v *statements, k *supersession) tenure.Instant {
	if k.returned != nil {
		return *k.returned
	}
	first := tenure.MaxTime
	for _, n := range v.admitted {
		from := b.said(n)
		named, stated := len(n.Supersedes) > 0 && from >= k.at, n.Basis == tenure.Stated && from > k.at
		if n.ID != k.target && (named || stated) && from < first && b.reaches(n, k.voice) {
			first = from
		}
	}
	k.returned = &first
	return first
}

// reaches reports whether the voice of a claim is not weaker than another.
func (b *evaluator) reaches(c *tenure.Claim, v conflicts.Voice) bool {
	return !b.rule.Outspeaks(v, conflicts.VoiceOf(c.Source))
}

// lastConfirmed returns when the claim was last confirmed. The oldest claim of a value that is not withdrawn
// speaks for all claims of that value, because restating confirms.
func (b *evaluator) lastConfirmed(c *tenure.Claim) tenure.Instant {
	if v := b.of(c); v.least == c.ID {
		return v.lastSeen
	}
	return b.lastSeen(c)
}

// lastSeen returns when the claim was last observed or confirmed.
func (b *evaluator) lastSeen(c *tenure.Claim) tenure.Instant {
	if at, ok := b.confirmed[c.ID]; ok {
		return max(c.ObservedAt, at)
	}
	return c.ObservedAt
}

// Yielded lists the beliefs that would stand again without those that are gone: they yielded to one of them, or to one
// that is listed (see [YieldedAt]). It adds what it lists to those that are gone.
func Yielded(list []tenure.Belief, gone map[tenure.ID]bool) []tenure.Belief {
	var yielded []tenure.Belief
	for found := true; found; {
		found = false
		for _, b := range list {
			if _, to := YieldedAt(b.Standing, gone); len(to) > 0 && !gone[b.Claim.ID] {
				gone[b.Claim.ID], found = true, true
				yielded = append(yielded, b)
			}
		}
	}
	return yielded
}

// YieldedAt returns the given beliefs that displaced a claim after it last stood or was tied, and the time from which
// on the first of them did. It returns none for a withdrawn claim. A bar and a lost ground are not displacements.
func YieldedAt(s tenure.Standing, given map[tenure.ID]bool) (at tenure.Instant, to []tenure.ID) {
	for _, g := range s.Segments {
		switch g.Cause {
		case tenure.ByRetraction, tenure.ByRejection:
			return 0, nil
		case tenure.Stands, tenure.ByTie:
			to = nil
		case tenure.ByBar, tenure.ByDependency:
		default:
			if !given[g.By] {
				continue
			}
			if len(to) == 0 {
				at = g.From
			}
			to = append(to, g.By)
		}
	}
	return at, to
}
