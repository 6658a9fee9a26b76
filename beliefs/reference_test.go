package beliefs_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"tenure"
	"tenure/beliefs"
)

// reference answers what docs/standing.md says of one claim at one instant, a
// sentence of that page at a time. It knows no sweep and splits no intervals.
type reference struct {
	e    beliefs.Evidence
	memo *memo
}

// memo keeps answers that are asked for again.
type memo struct {
	admitted     map[tenure.ID]bool
	terminations map[tenure.ID]termination // notTerminated
	answers      map[question]answer
}

type question struct {
	claim tenure.ID
	at    tenure.Instant
}

type answer struct {
	cause tenure.Cause
	by    tenure.ID
}

func newReference(e beliefs.Evidence) reference {
	return reference{e, &memo{map[tenure.ID]bool{}, map[tenure.ID]termination{}, map[question]answer{}}}
}

func level(c tenure.Claim) int { return c.Source.AuthorityLevel }

func equal(a, b tenure.Claim) bool { return a.Value.Canonical == b.Value.Canonical }

// finer lists the values of the tests that say what another says, and more.
var finer = map[string][]string{"1-9": {"1-4", "2", "7"}, "1-4": {"2"}}

func compatible(a, b tenure.Claim) bool {
	v, w := a.Value.Canonical, b.Value.Canonical
	return v == w || slices.Contains(finer[v], w) || slices.Contains(finer[w], v)
}

// outranks: the order of roles.
func (r reference) outranks(a, b string) bool { return r.e.Outranks != nil && r.e.Outranks(a, b) }

// stronger: of two voices.
func (r reference) stronger(level int, role string, than int, thanRole string) bool {
	return level < than || level == than && r.outranks(role, thanRole)
}

func (r reference) outspeaks(a, b tenure.Claim) bool {
	return r.stronger(level(a), a.Source.Role, level(b), b.Source.Role)
}

// binds: an amendment binds the claims that are not of a stronger voice.
func (r reference) binds(a tenure.Amendment, c tenure.Claim) bool {
	return !r.stronger(level(c), c.Source.Role, a.AuthorityLevel, a.Role)
}

// word is the claim by whose time, and observation, c counts as said: section 1, recall.
func (r reference) word(c tenure.Claim) tenure.Claim {
	if !c.Recalls || len(c.Supersedes) > 0 {
		return c
	}
	first := c
	for _, o := range r.e.Claims {
		if !equal(o, c) || r.withdrawn(o) || o.Window.From >= c.Window.From {
			continue
		}
		if first.ID == c.ID || o.Window.From < first.Window.From || o.Window.From == first.Window.From && o.Observation < first.Observation {
			first = o
		}
	}
	return first
}

func (r reference) said(c tenure.Claim) tenure.Instant { return r.word(c).Window.From }

// laterWord: of one speaker's two words. The values of a constant are only
// revised from the same time on.
func (r reference) laterWord(a, b tenure.Claim) bool {
	v, w := r.word(a), r.word(b)
	if v.Source.Identity() != w.Source.Identity() {
		return false
	}
	return v.Window.From > w.Window.From && !r.e.Term.Constant || v.Window.From == w.Window.From && v.Observation > w.Observation
}

// silent: no value, and not said of anything by name.
func silent(c tenure.Claim) bool { return c.Value.Canonical == "none" && len(c.Supersedes) == 0 }

// on lists the amendments of the given kinds on a belief, least id first.
func (r reference) on(belief tenure.ID, kinds ...tenure.AmendmentKind) []tenure.Amendment {
	var found []tenure.Amendment
	for _, a := range r.e.Amendments {
		if a.Belief == belief && slices.Contains(kinds, a.Kind) {
			found = append(found, a)
		}
	}
	slices.SortFunc(found, func(a, b tenure.Amendment) int { return compare(a.ID, b.ID) })
	return found
}

func compare(a, b tenure.ID) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// withdrawn: "it carries a retract or reject amendment".
func (r reference) withdrawn(c tenure.Claim) bool {
	return len(r.on(c.ID, tenure.Retract, tenure.Reject)) > 0
}

// barred: section 1, rule 2.
func (r reference) barred(c tenure.Claim) (by tenure.ID, barred bool) {
	if r.withdrawn(c) {
		return "", false
	}
	for _, v := range r.e.Claims {
		for _, a := range r.on(v.ID, tenure.Retract, tenure.Reject) {
			if equal(v, c) && r.binds(a, c) && (!barred || v.ID < by) {
				by, barred = v.ID, true
			}
		}
	}
	return by, barred
}

func (r reference) admitted(c tenure.Claim) bool {
	is, known := r.memo.admitted[c.ID]
	if !known {
		_, barred := r.barred(c)
		is = !r.withdrawn(c) && !barred
		r.memo.admitted[c.ID] = is
	}
	return is
}

// superseders are all claims, of this slot or another, each once.
func (r reference) superseders() []tenure.Claim {
	var all []tenure.Claim
	for _, s := range slices.Concat(r.e.Claims, r.e.Superseders) {
		if !slices.ContainsFunc(all, func(o tenure.Claim) bool { return o.ID == s.ID }) {
			all = append(all, s)
		}
	}
	return all
}

// started: section 1, rule 3: the claim from the latest start of its value on, as stated; by is that start, if any.
func (r reference) started(x tenure.Claim) (late tenure.Claim, by tenure.ID) {
	late = x
	for _, named := range r.e.Claims {
		for _, a := range r.on(named.ID, tenure.Start) {
			if !equal(named, x) || !r.binds(a, x) || r.withdrawn(named) || !named.Window.Overlaps(x.Window) {
				continue
			}
			if a.At > late.Window.From || by != "" && a.At == late.Window.From && a.ID < by {
				late.Window.From, late.Basis, late.Recalls, by = a.At, tenure.Stated, false, a.ID
			}
		}
	}
	return late, by
}

// beside: one settlement put the values of the two beside each other.
func (r reference) beside(a, b tenure.Claim, l int) bool {
	of := func(x tenure.Claim) (cases []tenure.ID) {
		for _, c := range r.e.Claims {
			for _, s := range r.on(c.ID, tenure.Beside) {
				if equal(c, x) && s.AuthorityLevel <= l && !r.withdrawn(c) {
					cases = append(cases, s.Case)
				}
			}
		}
		return cases
	}
	others := of(b)
	return slices.ContainsFunc(of(a), func(id tenure.ID) bool { return slices.Contains(others, id) })
}

type termination struct {
	at    tenure.Instant
	cause tenure.Cause
	by    tenure.ID
}

// termination: section 1, rule 4, for an admitted claim.
func (r reference) termination(x tenure.Claim) (termination, bool) {
	k, known := r.memo.terminations[x.ID]
	if !known {
		k, _ = r.findTermination(x)
		r.memo.terminations[x.ID] = k
	}
	return k, k.by != ""
}

func (r reference) findTermination(x tenure.Claim) (termination, bool) {
	var all []termination
	x, _ = r.started(x)
	for _, named := range r.e.Claims { // End.
		for _, a := range r.on(named.ID, tenure.End) {
			if !equal(named, x) || !r.binds(a, x) || r.withdrawn(named) {
				continue
			}
			if x.ID == named.ID || r.said(x) < a.At || !r.resumed(x, named, a) {
				all = append(all, termination{a.At, tenure.ByEnd, a.ID})
			}
		}
	}
	for _, s := range r.superseders() { // Named supersession.
		for _, c := range r.e.Claims {
			if !slices.Contains(s.Supersedes, c.ID) || r.withdrawn(s) || r.outspeaks(c, s) {
				continue
			}
			if s.Scope.Provisional() && s.Scope.Key() != c.Scope.Key() {
				continue
			}
			T := s.Window.From
			named := x.ID == c.ID
			repeats := x.ID != c.ID && x.ID != s.ID && equal(x, c) && !r.outspeaks(x, s) && !r.reasserted(x, c, s)
			if named || repeats {
				all = append(all, termination{T, tenure.ByName, s.ID})
			}
		}
	}
	var first termination
	found := false
	for _, k := range all {
		if k.at >= x.Window.Until {
			continue
		}
		if !found || k.before(first) {
			first, found = k, true
		}
	}
	return first, found
}

func (k termination) before(o termination) bool {
	if k.at != o.at {
		return k.at < o.at
	}
	if k.cause != o.cause {
		return k.cause == tenure.ByName
	}
	return k.by < o.by
}

// resumed reports whether the value of x was said again after its end, by the time
// of x, by another claim than the one named and a voice that is not weaker than that of the end.
func (r reference) resumed(x, named tenure.Claim, end tenure.Amendment) bool {
	return slices.ContainsFunc(r.e.Claims, func(n tenure.Claim) bool {
		admitted := r.admitted(n)
		n, _ = r.started(n)
		return admitted && !n.Window.Empty() && n.ID != named.ID && equal(n, x) && end.At <= r.said(n) && r.said(n) <= r.said(x) &&
			!r.stronger(end.AuthorityLevel, end.Role, level(n), n.Source.Role)
	})
}

// reasserted reports whether the value of x, displaced by s naming c, had been
// reasserted by the start of x.
func (r reference) reasserted(x, c, s tenure.Claim) bool {
	for _, n := range r.e.Claims {
		admitted := r.admitted(n)
		n, _ = r.started(n)
		if !admitted || n.Window.Empty() || n.ID == c.ID || !equal(n, x) || r.said(n) > r.said(x) || r.outspeaks(s, n) {
			continue
		}
		byName := len(n.Supersedes) > 0 && r.said(n) >= s.Window.From
		stated := n.Basis == tenure.Stated && r.said(n) > s.Window.From
		if byName || stated {
			return true
		}
	}
	return false
}

// at is the cause, and by what, of the claim at an instant of its window.
func (r reference) at(x tenure.Claim, t tenure.Instant) (tenure.Cause, tenure.ID) {
	cause, by := r.beforeGrounds(x, t)
	if cause != tenure.Stands {
		return cause, by
	}
	var lost []tenure.ID
	for _, d := range x.DependsOn {
		if r.lost(d, x.ID, t) {
			lost = append(lost, d)
		}
	}
	if len(lost) > 0 {
		return tenure.ByDependency, slices.Min(lost)
	}
	return tenure.Stands, ""
}

// lost: section 3. A dependency in the slot itself has the standing that the
// slot gives it. What was lost to the dependent x itself does not count.
func (r reference) lost(d, x tenure.ID, t tenure.Instant) bool {
	for _, w := range r.e.Grounds[d].Again {
		if w.Contains(t) {
			return false
		}
	}
	for _, c := range r.e.Claims {
		if c.ID != d {
			continue
		}
		for _, o := range r.e.Claims {
			if !equal(o, c) || !o.Window.Contains(t) || len(o.DependsOn) > 0 {
				continue
			}
			if cause, _ := r.beforeGrounds(o, t); cause == tenure.Stands {
				return false
			}
		}
		if !r.admitted(c) {
			return true
		}
		if !c.Window.Contains(t) {
			return false
		}
		cause, by := r.segment(c, t)
		return cause != tenure.Stands && by != x
	}
	for _, g := range r.e.Grounds[d].Segments {
		if g.Cause == tenure.ByRetraction || g.Cause == tenure.ByRejection || g.Cause == tenure.ByBar {
			return true
		}
		if g.Contains(t) && g.Cause != tenure.Stands && g.By != x {
			return true
		}
	}
	return false
}

// segment is the cause at an instant, and what the segment began to be lost to.
func (r reference) segment(c tenure.Claim, t tenure.Instant) (tenure.Cause, tenure.ID) {
	cause, by := r.at(c, t)
	bounds := slices.Clone(r.instants())
	slices.Sort(bounds)
	slices.Reverse(bounds)
	for _, at := range bounds {
		if at >= t || !c.Window.Contains(at) {
			continue
		}
		earlier, from := r.at(c, at)
		if earlier != cause {
			break
		}
		by = from
	}
	return cause, by
}

// defeated: section 2, before the rules. Of all residues that x would lose to
// alone, the one with the greatest time, then the least id.
func (r reference) defeated(x tenure.Claim, t tenure.Instant) (cause tenure.Cause, by tenure.ID, defeated bool) {
	var found tenure.Claim
	for _, g := range r.e.Claims {
		admitted := r.admitted(g)
		g, _ = r.started(g)
		if !admitted || !g.Window.Contains(t) || r.many(g) || silent(g) {
			continue
		}
		k, ok := r.termination(g)
		if !ok || t < k.at || r.said(x) >= k.at {
			continue
		}
		if slices.ContainsFunc(r.e.Claims, func(c tenure.Claim) bool { return c.ID == k.by }) {
			continue // the superseder is of this slot
		}
		lost := r.losesTo(x, g)
		if lost == "" {
			continue
		}
		if !defeated || r.said(g) > r.said(found) || r.said(g) == r.said(found) && g.ID < found.ID {
			cause, by, defeated, found = lost, g.ID, true, g
		}
	}
	return cause, by, defeated
}

// losesTo is why x would lose to g were they alone, "" if it would not.
func (r reference) losesTo(x, g tenure.Claim) tenure.Cause {
	if compatible(x, g) || r.together(x, g) || r.beside(x, g, min(level(x), level(g))) {
		return ""
	}
	if silent(x) {
		return tenure.NoValue
	}
	if level(x) != level(g) {
		if level(x) > level(g) {
			return tenure.ByAuthority
		}
		return ""
	}
	if r.outspeaks(g, x) {
		return tenure.ByRank
	}
	if r.outspeaks(x, g) {
		return ""
	}
	if r.succeeds(g, x) {
		return tenure.BySuccession
	}
	if !r.succeeds(x, g) && moreTrusted(g, x) {
		return tenure.ByTrust
	}
	return ""
}

// succeeds: section 2, rule 3.
func (r reference) succeeds(later, earlier tenure.Claim) bool {
	if r.laterWord(later, earlier) {
		return true
	}
	v, w := r.word(later), r.word(earlier)
	if r.e.Term.Constant || v.Window.From <= w.Window.From {
		return false
	}
	if v.Basis != tenure.Observed || w.Basis != tenure.Observed || v.Source.Identity() == w.Source.Identity() {
		return true
	}
	if !within(v.Window.From, w.Window.From, r.e.Term.SuccessionGap) {
		return true
	}
	people := v.Source.Speaker != "" && level(v) <= 2 && w.Source.Speaker != "" && level(w) <= 2
	return v.Observation > w.Observation && people
}

// definedOne reports whether the predicate is defined to have one value.
func (r reference) definedOne() bool {
	return r.e.Term.Cardinality == tenure.One && !r.e.Term.Registered
}

// many: section 2; the claim says so, or another one says so of all that it binds.
func (r reference) many(x tenure.Claim) bool {
	return x.Many && !x.Inverted || !r.definedOne() && slices.ContainsFunc(r.e.Claims, func(s tenure.Claim) bool {
		return s.Many && !s.Inverted && r.admitted(s) && !r.outspeaks(x, s)
	})
}

// together: one observation says both, from one time on, and nobody defined the
// predicate to have one value.
func (r reference) together(x, g tenure.Claim) bool {
	if r.definedOne() {
		return false
	}
	return x.Observation != "" && x.Observation == g.Observation && r.said(x) == r.said(g)
}

// beforeGrounds: sections 1 and 2.
func (r reference) beforeGrounds(x tenure.Claim, t tenure.Instant) (tenure.Cause, tenure.ID) {
	a, known := r.memo.answers[question{x.ID, t}]
	if !known {
		a.cause, a.by = r.judge(x, t)
		r.memo.answers[question{x.ID, t}] = a
	}
	return a.cause, a.by
}

func (r reference) judge(x tenure.Claim, t tenure.Instant) (tenure.Cause, tenure.ID) {
	if as := r.on(x.ID, tenure.Retract); len(as) > 0 {
		return tenure.ByRetraction, as[0].ID
	}
	if as := r.on(x.ID, tenure.Reject); len(as) > 0 {
		return tenure.ByRejection, as[0].ID
	}
	if by, barred := r.barred(x); barred {
		return tenure.ByBar, by
	}
	x, by := r.started(x)
	if t < x.Window.From {
		return tenure.ByStart, by
	}
	if k, ok := r.termination(x); ok && t >= k.at {
		return k.cause, k.by
	}
	if r.many(x) || r.e.Term.Cardinality == tenure.Many {
		return tenure.Stands, ""
	}
	var left []tenure.Claim
	for _, c := range r.e.Claims {
		admitted := r.admitted(c)
		c, _ = r.started(c)
		if !admitted || !c.Window.Contains(t) || r.many(c) {
			continue
		}
		if k, ok := r.termination(c); ok && t >= k.at {
			continue
		}
		cause, by, defeated := r.defeated(c, t)
		if defeated && c.ID == x.ID {
			return cause, by
		}
		if !defeated {
			left = append(left, c)
		}
	}
	loud := keep(left, func(c tenure.Claim) bool { return !silent(c) })
	if silent(x) {
		return r.nothing(x, loud)
	}
	for {
		n := r.round(loud)
		switch n.of(x) {
		case "goes on":
			loud = keep(loud, func(c tenure.Claim) bool { return n.of(c) == "goes on" })
		case "stands":
			return tenure.Stands, ""
		case "held":
			return tenure.ByTie, n.by(x)
		default:
			return n.lost(x), n.by(x)
		}
	}
}

// nothing: what says that nothing is known stands where nothing else is said.
func (r reference) nothing(x tenure.Claim, loud []tenure.Claim) (tenure.Cause, tenure.ID) {
	if len(loud) == 0 {
		return tenure.Stands, ""
	}
	n := r.round(loud)
	switch {
	case n.of(x) == "stands":
		return tenure.Stands, ""
	case n.of(x) == "held":
		return tenure.ByTie, n.by(x)
	}
	return tenure.NoValue, n.by(x)
}

// oneRound is one comparison, rules 1 to 5.
type oneRound struct {
	r                                               reference
	level                                           int
	claims, top, unoutranked, contenders, strongest []tenure.Claim
}

func (r reference) round(claims []tenure.Claim) oneRound {
	n := oneRound{r: r, claims: claims}
	// 1. The least level, and the top.
	L := level(claims[0])
	for _, c := range claims {
		L = min(L, level(c))
	}
	n.level = L
	n.top = keep(claims, func(c tenure.Claim) bool { return level(c) == L })
	// 2. Rank.
	n.unoutranked = keep(n.top, n.survives)
	// 3. The contenders.
	n.contenders = keep(n.unoutranked, n.contends)
	// 4. The strongest.
	n.strongest = keep(n.contenders, func(c tenure.Claim) bool {
		return !slices.ContainsFunc(n.contenders, func(o tenure.Claim) bool { return moreTrusted(o, c) })
	})
	return n
}

func (n oneRound) survives(c tenure.Claim) bool {
	return !slices.ContainsFunc(n.top, func(o tenure.Claim) bool {
		return n.r.outranks(o.Source.Role, c.Source.Role) && !compatible(o, c) && !n.r.beside(o, c, n.level) && n.survives(o)
	})
}

func (n oneRound) contends(c tenure.Claim) bool {
	return !slices.ContainsFunc(n.unoutranked, func(o tenure.Claim) bool { return n.r.succeeds(o, c) })
}

// unbroken: of those not outranked, nothing but what c's observation says with it
// is said after c.
func (n oneRound) unbroken(c tenure.Claim) bool {
	return !slices.ContainsFunc(n.unoutranked, func(o tenure.Claim) bool {
		return n.r.said(o) > n.r.said(c) && !slices.ContainsFunc(n.claims, func(with tenure.Claim) bool {
			return n.r.together(c, with) && equal(with, o)
		})
	})
}

// apart reports whether values contradict: neither is finer, no observation of
// one of the strongest, or the last one, says both, and no settlement put them beside each other.
func (n oneRound) apart(x, y tenure.Claim) bool {
	for _, s := range n.claims {
		strong := slices.ContainsFunc(n.strongest, func(k tenure.Claim) bool { return k.ID == s.ID })
		if !strong && !n.unbroken(s) {
			continue
		}
		for _, c := range n.claims {
			if n.r.together(s, c) && (equal(s, x) && equal(c, y) || equal(s, y) && equal(c, x)) {
				return false
			}
		}
	}
	return !compatible(x, y) && !n.r.beside(x, y, n.level)
}

// of is what the round finds about a claim.
func (n oneRound) of(x tenure.Claim) string {
	contradicted := slices.ContainsFunc(n.strongest, func(s tenure.Claim) bool { return n.apart(s, x) })
	switch among := slices.ContainsFunc(n.strongest, func(s tenure.Claim) bool { return equal(s, x) }); {
	case among && contradicted:
		return "held"
	case among:
		return "stands"
	case contradicted:
		return "lost"
	}
	return "goes on"
}

func (n oneRound) by(x tenure.Claim) tenure.ID {
	var by tenure.Claim
	for _, s := range n.strongest {
		if !n.apart(s, x) {
			continue
		}
		if by.ID == "" || n.r.said(s) > n.r.said(by) || n.r.said(s) == n.r.said(by) && s.ID < by.ID {
			by = s
		}
	}
	return by.ID
}

func (n oneRound) lost(x tenure.Claim) tenure.Cause {
	is := func(list []tenure.Claim) bool {
		return slices.ContainsFunc(list, func(c tenure.Claim) bool { return c.ID == x.ID })
	}
	switch {
	case !is(n.top):
		return tenure.ByAuthority
	case !is(n.unoutranked):
		return tenure.ByRank
	case !is(n.contenders):
		return tenure.BySuccession
	}
	return tenure.ByTrust
}

func keep(cs []tenure.Claim, ok func(tenure.Claim) bool) []tenure.Claim {
	var kept []tenure.Claim
	for _, c := range cs {
		if ok(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// within reports whether newest - from <= gap seconds, without overflow.
func within(newest, from tenure.Instant, gap int) bool {
	d := new(big.Int).Sub(big.NewInt(int64(newest)), big.NewInt(int64(from)))
	return d.Cmp(new(big.Int).Mul(big.NewInt(int64(gap)), big.NewInt(1_000_000))) <= 0
}

// steps is the decimal that f is written as, in steps of .05, halves up.
func steps(f float64) int64 {
	x, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	x.Mul(x, big.NewRat(20, 1)).Add(x, big.NewRat(1, 2))
	return new(big.Int).Div(x.Num(), x.Denom()).Int64()
}

func moreTrusted(a, b tenure.Claim) bool {
	if x, y := steps(a.Source.SourceAuthority), steps(b.Source.SourceAuthority); x != y {
		return x > y
	}
	return steps(a.Confidence) > steps(b.Confidence)
}

// lastConfirmed: section 4.
func (r reference) lastConfirmed(x tenure.Claim) tenure.Instant {
	own := func(c tenure.Claim) tenure.Instant {
		latest := c.ObservedAt
		for _, a := range r.on(c.ID, tenure.Confirm) {
			latest = max(latest, a.At)
		}
		return latest
	}
	alike := keep(r.e.Claims, func(c tenure.Claim) bool { return !r.withdrawn(c) && equal(c, x) })
	speaks := !r.withdrawn(x) && !slices.ContainsFunc(alike, func(c tenure.Claim) bool { return c.ID < x.ID })
	latest := own(x)
	for _, c := range alike {
		if speaks {
			latest = max(latest, own(c))
		}
	}
	return latest
}

// instants are all points at which anything may change, those one microsecond
// beside them, and one between each two.
func (r reference) instants() []tenure.Instant {
	points := []tenure.Instant{tenure.MinTime, tenure.MaxTime - 1}
	for _, c := range r.superseders() {
		points = append(points, c.Window.From, c.Window.Until)
	}
	for _, a := range r.e.Amendments {
		points = append(points, a.At)
	}
	for _, g := range r.e.Grounds {
		for _, s := range g.Segments {
			points = append(points, s.From, s.Until)
		}
		for _, w := range g.Again {
			points = append(points, w.From, w.Until)
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	all := slices.Clone(points)
	for i, p := range points {
		if p > tenure.MinTime {
			all = append(all, p-1)
		}
		if p < tenure.MaxTime {
			all = append(all, p+1)
		}
		if i > 0 {
			q := points[i-1]
			all = append(all, q/2+p/2)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// referenceStand puts the answers at all instants that matter together.
// Neighbours of one cause are one segment, by what began it.
func referenceStand(e beliefs.Evidence) map[tenure.ID]tenure.Standing {
	r := newReference(e)
	out := map[tenure.ID]tenure.Standing{}
	instants := r.instants()
	for _, c := range e.Claims {
		st := tenure.Standing{Belief: c.ID, LastConfirmed: r.lastConfirmed(c)}
		for _, t := range instants {
			if !c.Window.Contains(t) {
				continue
			}
			cause, by := r.at(c, t)
			st.NeedsReview = st.NeedsReview || cause == tenure.ByDependency
			n := len(st.Segments)
			if n == 0 {
				st.Segments = append(st.Segments, tenure.Segment{Window: c.Window, Cause: cause, By: by})
			} else if last := &st.Segments[n-1]; last.Cause != cause {
				last.Until = t
				st.Segments = append(st.Segments, tenure.Segment{
					Window: tenure.Window{From: t, Until: c.Window.Until}, Cause: cause, By: by})
			}
		}
		out[c.ID] = st
	}
	return out
}

// mk makes claims for the hand-made cases: days of valid time, one source
// unless changed.
func mk(id, value string, from, until tenure.Instant, change ...func(*tenure.Claim)) tenure.Claim {
	c := tenure.Claim{
		ID: tenure.ID(id), Subject: "e1", Predicate: "price",
		Value:      tenure.Value{Canonical: value},
		Window:     tenure.Window{From: from * day, Until: until},
		Basis:      tenure.Stated,
		Confidence: .8,
		Source:     tenure.Source{Origin: "crm", AuthorityLevel: 2, SourceAuthority: .8},
	}
	c.ObservedAt = c.Window.From
	if until != tenure.MaxTime {
		c.Window.Until = until * day
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

const day = tenure.Instant(24 * 3600 * 1_000_000)

func names(ids ...tenure.ID) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Supersedes = ids }
}
func needs(ids ...tenure.ID) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.DependsOn = ids }
}
func atLevel(l int) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Source.AuthorityLevel = l }
}
func by(speaker string) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Source.Speaker = speaker }
}
func trusted(f float64) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Source.SourceAuthority = f }
}
func in(observation tenure.ID) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Observation = observation }
}
func as(role string) func(*tenure.Claim) {
	return func(c *tenure.Claim) { c.Source.Role = role }
}

// valued gives a claim the JSON of its value, which tells how fine it is.
func valued(c tenure.Claim) tenure.Claim {
	c.Value.JSON = []byte(`"` + c.Value.Canonical + `"`)
	if c.Value.Canonical == "none" {
		c.Value.JSON = []byte(`"unknown"`)
	}
	return c
}

func many(c *tenure.Claim)      { c.Many = true }
func recalls(c *tenure.Claim)   { c.Recalls = true }
func seen(c *tenure.Claim)      { c.Basis = tenure.Observed }
func predicted(c *tenure.Claim) { c.Scope = tenure.Scope{Kind: tenure.ScopeHypothetical, TaskID: "t"} }
func elsewhere(c *tenure.Claim) { c.Predicate = "status" }

func amend(id string, kind tenure.AmendmentKind, belief string, at tenure.Instant, lvl int) tenure.Amendment {
	return tenure.Amendment{ID: tenure.ID(id), Kind: kind, Belief: tenure.ID(belief), At: at * day, AuthorityLevel: lvl}
}

// besides is a side of a settlement that put values beside each other.
func besides(id, belief, kase string, lvl int) tenure.Amendment {
	a := amend(id, tenure.Beside, belief, 0, lvl)
	a.Case = tenure.ID(kase)
	return a
}

// TestHandMade holds cases whose answers were worked out from the page by
// hand: both the reference and Stand must give them.
func TestHandMade(t *testing.T) {
	const inf = tenure.MaxTime
	type claims = []tenure.Claim
	type amendments = []tenure.Amendment
	one := tenure.Term{Cardinality: tenure.One, SuccessionGap: 300}
	withGap := func(days int) tenure.Term {
		return tenure.Term{Cardinality: tenure.One, SuccessionGap: days * 86400}
	}
	ground := func(segs ...tenure.Segment) map[tenure.ID]beliefs.Ground {
		return map[tenure.ID]beliefs.Ground{"g": {Standing: tenure.Standing{Belief: "g", Segments: segs}}}
	}
	seg := func(from, until tenure.Instant, cause tenure.Cause) tenure.Segment {
		return tenure.Segment{Window: tenure.Window{From: from * day, Until: until * day}, Cause: cause}
	}
	type handMade struct {
		name string
		e    beliefs.Evidence
		want map[tenure.ID]string // day:cause/by of each segment
	}
	cases := []handMade{
		{"nothing", beliefs.Evidence{Term: one}, nil},
		{"plain succession", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf), mk("2", "b", 5, inf)}},
			map[tenure.ID]string{"1": "1:stands 5:succession/2", "2": "5:stands"}},
		{"retroactive price: what the newer one does not cover stands", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, 6)}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2 6:stands", "2": "3:stands"}},
		{"future-dated value succeeds when its time comes", beliefs.Evidence{Term: one, Claims: claims{
			mk("2", "b", 900, inf), mk("1", "a", 1, inf), mk("3", "c", 4, inf)}},
			map[tenure.ID]string{"1": "1:stands 4:succession/3", "3": "4:stands 900:succession/2", "2": "900:stands"}},
		{"authority override", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, 8, atLevel(1)), mk("2", "b", 3, inf, atLevel(3))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:authority/1 8:stands"}},
		{"tie and its end", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, 4), mk("2", "b", 1, 6), mk("3", "a", 0, inf)}},
			map[tenure.ID]string{"1": "1:tie/2", "2": "1:tie/1 4:stands", "3": "0:stands 1:tie/2 4:succession/2 6:stands"}},
		{"trust within a step ties, beyond it decides", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, 9, trusted(.775)), mk("2", "b", 1, 9, trusted(.824)), mk("3", "c", 1, 9, trusted(.7749))}},
			map[tenure.ID]string{"1": "1:tie/2", "2": "1:tie/1", "3": "1:trust/1"}},
		{"observed within the gap by two sources", beliefs.Evidence{Term: withGap(2), Claims: claims{
			mk("1", "a", 1, inf, seen, by("p"), trusted(.9)), mk("2", "b", 3, inf, seen, by("q"))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:trust/1"}},
		{"beyond the gap", beliefs.Evidence{Term: withGap(2), Claims: claims{
			mk("1", "a", 1, inf, seen, by("p"), trusted(.9)), mk("2", "b", 4, inf, seen, by("q"))}},
			map[tenure.ID]string{"1": "1:stands 4:succession/2", "2": "4:stands"}},
		{"a source that updated itself is no contender", beliefs.Evidence{Term: withGap(9), Claims: claims{
			mk("1", "a", 1, inf, seen, by("p"), trusted(.9)), mk("2", "b", 2, inf, seen, by("p")), mk("3", "b", 3, inf, seen, by("q"))}},
			map[tenure.ID]string{"1": "1:stands 2:succession/2", "2": "2:stands", "3": "3:stands"}},
		{"constant: newer is no argument", beliefs.Evidence{
			Term:   tenure.Term{Cardinality: tenure.One, Constant: true},
			Claims: claims{mk("1", "a", 1, inf, trusted(.9)), mk("2", "b", 3, inf)}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:trust/1"}},
		{"many", beliefs.Evidence{Term: tenure.Term{Cardinality: tenure.Many}, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf), mk("3", "c", 4, inf, names("1"))}},
			map[tenure.ID]string{"1": "1:stands 4:named_supersession/3", "2": "3:stands", "3": "4:stands"}},
		{"named supersession and a restated dead value", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf, names("1")), mk("3", "a", 5, inf, seen)}},
			map[tenure.ID]string{"1": "1:stands 3:named_supersession/2", "2": "3:stands", "3": "5:named_supersession/2"}},
		{"reasserted from a stated time", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf, names("1")), mk("3", "a", 5, inf), mk("4", "a", 7, inf, seen), mk("5", "a", 4, inf, seen)}},
			map[tenure.ID]string{"1": "1:stands 3:named_supersession/2", "2": "3:stands 5:succession/3",
				"3": "5:stands", "4": "7:stands", "5": "4:named_supersession/2"}},
		{"reasserted by name", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf, names("1")), mk("3", "a", 3, inf, seen, names("2"))}},
			map[tenure.ID]string{"1": "1:stands 3:named_supersession/2", "2": "3:named_supersession/3", "3": "3:stands"}},
		{"a weaker superseder terminates nothing", beliefs.Evidence{Term: one,
			Claims: claims{mk("1", "a", 1, inf)}, Superseders: claims{mk("9", "x", 3, inf, elsewhere, names("1"), atLevel(3))}},
			map[tenure.ID]string{"1": "1:stands"}},
		{"across slots", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf)},
			Superseders: claims{mk("9", "x", 3, inf, elsewhere, names("1")), mk("8", "x", 2, inf, predicted, names("1"))}},
			map[tenure.ID]string{"1": "1:stands 3:named_supersession/9"}},
		{"a withdrawn superseder terminates nothing", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf)},
			Superseders: claims{mk("9", "x", 3, inf, elsewhere, names("1"))}, Amendments: amendments{amend("a1", tenure.Retract, "9", 9, 4)}},
			map[tenure.ID]string{"1": "1:stands"}},
		{"retraction bars the value up to its level", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "a", 3, inf, seen), mk("3", "a", 5, inf, atLevel(1)), mk("4", "b", 0, inf)},
			Amendments: amendments{amend("a2", tenure.Reject, "1", 9, 3), amend("a1", tenure.Retract, "1", 9, 2)}},
			map[tenure.ID]string{"1": "1:retraction/a1", "2": "3:barred_value/1", "3": "5:stands", "4": "0:stands 5:authority/3"}},
		{"end, by somebody of the same level", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "a", 4, inf), mk("3", "a", 6, inf), mk("4", "a", 1, inf, atLevel(1))},
			Amendments: amendments{amend("a1", tenure.End, "1", 6, 2)}},
			map[tenure.ID]string{"1": "1:stands 6:end/a1", "2": "4:stands 6:end/a1", "3": "6:stands", "4": "1:stands"}},
		{"supersession goes before an end at the same time", beliefs.Evidence{Term: one,
			Claims: claims{mk("1", "a", 1, inf), mk("2", "b", 4, inf, names("1"))}, Amendments: amendments{amend("0", tenure.End, "1", 4, 0)}},
			map[tenure.ID]string{"1": "1:stands 4:named_supersession/2", "2": "4:stands"}},
		{"a start leaves the time before to the other", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, by("p")), mk("2", "b", 1, inf, by("q")), mk("3", "b", 0, 1)},
			Amendments: amendments{amend("a1", tenure.Start, "1", 5, 2), amend("a2", tenure.End, "2", 5, 2)}},
			map[tenure.ID]string{"1": "1:start/a1 5:stands", "2": "1:stands 5:end/a2", "3": "0:stands"}},
		{"a start after the window, and an end before it, leave nothing", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, 4), mk("2", "b", 3, inf)},
			Amendments: amendments{amend("a1", tenure.Start, "1", 5, 2), amend("a2", tenure.End, "2", 2, 2)}},
			map[tenure.ID]string{"1": "1:start/a1", "2": "3:end/a2"}},
		{"a claim does not bring its value back from its own end", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 3, inf), mk("2", "a", 5, inf, atLevel(3))},
			Amendments: amendments{amend("a1", tenure.End, "1", 2, 2)}},
			map[tenure.ID]string{"1": "3:end/a1", "2": "5:end/a1"}},
		{"a start binds no higher role", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf, as("guest")), mk("2", "a", 1, inf, as("boss"))},
			Amendments: amendments{{ID: "a1", Kind: tenure.Start, Belief: "1", At: 5 * day, AuthorityLevel: 2, Role: "clerk"}}},
			map[tenure.ID]string{"1": "1:start/a1 5:stands", "2": "1:stands"}},
		{"beside each other through a third value is not enough", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, by("p")), mk("2", "b", 1, inf, by("q")), mk("3", "c", 1, inf, by("r"))},
			Amendments: amendments{besides("a1", "1", "k", 2), besides("a2", "2", "k", 2), besides("a3", "2", "l", 2), besides("a4", "3", "l", 2)}},
			map[tenure.ID]string{"1": "1:tie/3", "2": "1:stands", "3": "1:tie/1"}},
		{"the latest start counts, of no weaker authority", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf)},
			Amendments: amendments{amend("a1", tenure.Start, "1", 5, 2), amend("a2", tenure.Start, "1", 3, 2), amend("a3", tenure.Start, "1", 9, 3)}},
			map[tenure.ID]string{"1": "1:start/a1 5:stands"}},
		{"values beside each other do not contradict, whoever says them again", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, by("p")), mk("2", "b", 1, inf, by("q")), mk("3", "a", 4, inf), mk("4", "c", 6, inf), mk("5", "a", 8, inf, atLevel(1))},
			Amendments: amendments{besides("a1", "1", "k", 2), besides("a2", "2", "k", 2)}},
			map[tenure.ID]string{"1": "1:stands 6:succession/4 8:stands", "2": "1:stands 6:succession/4 8:authority/5",
				"3": "4:stands 6:succession/4 8:stands", "4": "6:stands 8:authority/5", "5": "8:stands"}},
		{"beside each other is what one case says", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, by("p")), mk("2", "b", 1, inf, by("q"))},
			Amendments: amendments{besides("a1", "1", "k", 2), besides("a2", "2", "l", 2)}},
			map[tenure.ID]string{"1": "1:tie/2", "2": "1:tie/1"}},
		{"the end of a value leaves alone what is beside it", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf)},
			Amendments: amendments{besides("a1", "1", "k", 2), besides("a2", "2", "k", 2), amend("a3", tenure.End, "2", 5, 2)}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:stands 5:end/a3"}},
		{"dependency displaced; expired grounds do not matter", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf, needs("g"))},
			Grounds: ground(seg(0, 3, tenure.Stands), seg(3, 6, tenure.BySuccession))},
			map[tenure.ID]string{"1": "1:stands 3:dependency/g 6:stands"}},
		{"dependency withdrawn", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf, needs("g"))},
			Grounds: ground(seg(3, 6, tenure.ByRetraction))},
			map[tenure.ID]string{"1": "1:dependency/g"}},
		{"dependents of dependents in one slot", beliefs.Evidence{Term: tenure.Term{Cardinality: tenure.Many}, Claims: claims{
			mk("1", "a", 1, inf, needs("2")), mk("2", "b", 2, 5, needs("g"))}, Grounds: ground(seg(3, 9, tenure.ByTie))},
			map[tenure.ID]string{"1": "1:stands 3:dependency/2 5:stands", "2": "2:stands 3:dependency/g"}},
	}
	free := tenure.Term{Cardinality: tenure.One, Registered: true, SuccessionGap: 300}
	cases = append(cases, []handMade{
		{"a finer value is no contradiction, whichever is newer", beliefs.Evidence{Term: one, Claims: claims{
			valued(mk("1", "1-9", 1, inf)), valued(mk("2", "7", 3, inf)), valued(mk("3", "1-9", 5, inf, by("q")))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:stands", "3": "5:stands"}},
		{"what contradicts both displaces both", beliefs.Evidence{Term: one, Claims: claims{
			valued(mk("1", "1-9", 1, inf)), valued(mk("2", "7", 3, inf)), mk("3", "20", 5, inf)}},
			map[tenure.ID]string{"1": "1:stands 5:succession/3", "2": "3:stands 5:succession/3", "3": "5:stands"}},
		{"below a coarse value the newer of two stands", beliefs.Evidence{Term: one, Claims: claims{
			valued(mk("1", "2", 1, inf)), valued(mk("2", "7", 3, inf)), valued(mk("3", "1-9", 5, inf))}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2", "2": "3:stands", "3": "5:stands"}},
		{"below a coarse value two tie", beliefs.Evidence{Term: one, Claims: claims{
			valued(mk("1", "2", 1, inf)), valued(mk("2", "7", 1, inf, by("q"))), valued(mk("3", "1-9", 5, inf))}},
			map[tenure.ID]string{"1": "1:tie/2", "2": "1:tie/1", "3": "5:stands"}},
		{"nothing known displaces nothing, at any level", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, 9), valued(mk("2", "none", 3, inf, atLevel(0)))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:no_value/1 9:stands"}},
		{"nothing known any more", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf), valued(mk("3", "none", 5, inf, names("2")))}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2", "2": "3:stands 5:named_supersession/3", "3": "5:stands"}},
		{"two values of one breath", beliefs.Evidence{Term: free, Claims: claims{
			mk("0", "c", 0, inf), mk("1", "a", 1, inf, in("o")), mk("2", "b", 1, inf, in("o"), trusted(.1))}},
			map[tenure.ID]string{"0": "0:stands 1:succession/1", "1": "1:stands", "2": "1:stands"}},
		{"one of two values of one breath, said again", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf, in("o")), mk("2", "b", 1, inf, in("o")), mk("3", "a", 3, inf, in("p")), mk("4", "b", 4, inf, in("q"))}},
			map[tenure.ID]string{"1": "1:stands", "2": "1:stands", "3": "3:stands", "4": "4:stands"}},
		{"one of two values of one breath, said again after a third", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf, in("o")), mk("2", "b", 1, inf, in("o")), mk("3", "c", 3, inf, in("p")), mk("4", "a", 5, inf, in("q"))}},
			map[tenure.ID]string{"1": "1:stands 3:succession/3 5:stands", "2": "1:stands 3:succession/3", "3": "3:stands 5:succession/4", "4": "5:stands"}},
		{"two values of one breath of a predicate that has one", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, in("o")), mk("2", "b", 1, inf, in("o"))}},
			map[tenure.ID]string{"1": "1:tie/2", "2": "1:tie/1"}},
		{"a history in one observation", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf, in("o")), mk("2", "b", 4, inf, in("o"))}},
			map[tenure.ID]string{"1": "1:stands 4:succession/2", "2": "4:stands"}},
		{"a claim that says many", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, many), mk("2", "b", 3, inf), mk("3", "c", 4, inf, many)}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:stands", "3": "4:stands"}},
		{"many, said of a slot of an undefined predicate", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, inf), mk("3", "c", 4, inf, many, atLevel(3)), mk("4", "d", 5, inf, atLevel(3)), mk("5", "e", 6, inf, atLevel(4))}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2", "2": "3:stands", "3": "4:stands", "4": "5:stands", "5": "6:stands"}},
		{"many brings back what was displaced, not what was ended or named", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 2, inf), mk("3", "c", 3, inf, names("2")), mk("4", "d", 4, inf), mk("5", "e", 5, inf, many)},
			Amendments: amendments{amend("a1", tenure.End, "4", 6, 2)}},
			map[tenure.ID]string{"1": "1:stands", "2": "2:stands 3:named_supersession/3", "3": "3:stands", "4": "4:stands 6:end/a1", "5": "5:stands"}},
		{"many, withdrawn", beliefs.Evidence{Term: free, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 2, inf), mk("3", "c", 3, inf, many)},
			Amendments: amendments{amend("a1", tenure.Retract, "3", 6, 2)}},
			map[tenure.ID]string{"1": "1:stands 2:succession/2", "2": "2:stands", "3": "3:retraction/a1"}},
		{"one speaker's later word, at once", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, in("o1"), trusted(.9)), mk("2", "b", 1, inf, in("o2")), mk("3", "a", 1, inf, in("o3"), by("q"), trusted(.1))}},
			map[tenure.ID]string{"1": "1:succession/2", "2": "1:stands", "3": "1:trust/2"}},
		{"a guest does not displace a manager", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf, as("boss")), mk("2", "b", 3, inf, as("guest")), mk("3", "a", 4, inf, as("guest"))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:rank/1", "3": "4:stands"}},
		{"one without a role is beside the others", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf, as("boss")), mk("2", "b", 3, inf)}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2", "2": "3:stands"}},
		{"an outranked claim outranks nobody", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			valued(mk("1", "1-9", 1, inf, as("boss"))), mk("2", "20", 2, inf, as("clerk")), valued(mk("3", "7", 3, inf, as("guest")))}},
			map[tenure.ID]string{"1": "1:stands", "2": "2:rank/1", "3": "3:stands"}},
		{"a guest supersedes no manager by name", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf, as("boss")), mk("2", "b", 3, inf, as("guest"), names("1"))}},
			map[tenure.ID]string{"1": "1:stands", "2": "3:rank/1"}},
		{"a guest reasserts nothing that a manager displaced", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "b", 3, 9, as("boss"), names("1")), mk("3", "a", 5, inf, as("guest"), names("2")), mk("4", "a", 7, inf, as("boss"))}},
			map[tenure.ID]string{"1": "1:stands 3:named_supersession/2", "2": "3:stands 7:succession/4", "3": "5:named_supersession/2", "4": "7:stands"}},
		{"what ended comes back by a voice that is not weaker", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "a", 5, inf, atLevel(3)), mk("3", "a", 6, inf, as("guest")), mk("4", "a", 8, inf, as("boss")), mk("5", "a", 9, inf, as("guest"))},
			Amendments: amendments{{ID: "a1", Kind: tenure.End, Belief: "1", At: 4 * day, AuthorityLevel: 2, Role: "clerk"}}},
			map[tenure.ID]string{"1": "1:stands 4:end/a1", "2": "5:end/a1", "3": "6:end/a1", "4": "8:stands", "5": "9:stands"}},
		{"a higher role says again what was retracted", beliefs.Evidence{Term: one, Outranks: outranks, Claims: claims{
			mk("1", "a", 1, inf), mk("2", "a", 3, inf, as("guest")), mk("3", "a", 5, inf, as("boss"))},
			Amendments: amendments{{ID: "a1", Kind: tenure.Retract, Belief: "1", At: 4 * day, AuthorityLevel: 2, Role: "clerk"}}},
			map[tenure.ID]string{"1": "1:retraction/a1", "2": "3:barred_value/1", "3": "5:stands"}},
		{"a recalled value is its first speaker's, at once", beliefs.Evidence{Term: withGap(5), Claims: claims{
			mk("1", "a", 1, inf, by("p"), seen), mk("2", "b", 2, inf, by("p"), seen), mk("3", "a", 3, inf, by("q"), seen, recalls)}},
			map[tenure.ID]string{"1": "1:stands 2:succession/2", "2": "2:stands", "3": "3:succession/2"}},
		{"people in turn, and one who came late", beliefs.Evidence{Term: withGap(5), Claims: claims{
			mk("1", "a", 1, inf, by("p"), seen, in("o1")), mk("2", "b", 3, inf, by("q"), seen, in("o2")), mk("3", "c", 2, inf, by("r"), seen, in("o3"))}},
			map[tenure.ID]string{"1": "1:stands 2:succession/3", "2": "3:tie/3", "3": "2:stands 3:tie/2"}},
		{"a recalled value is no news", beliefs.Evidence{Term: one, Claims: claims{
			mk("1", "a", 1, inf, by("q")), mk("2", "b", 3, inf), mk("3", "a", 5, inf, recalls), mk("4", "c", 7, inf, recalls)}},
			map[tenure.ID]string{"1": "1:stands 3:succession/2", "2": "3:stands 7:succession/4", "3": "5:succession/2", "4": "7:stands"}},
		{"a ground said again", beliefs.Evidence{Term: one, Claims: claims{mk("1", "a", 1, inf, needs("g"))},
			Grounds: map[tenure.ID]beliefs.Ground{"g": {
				Standing: tenure.Standing{Belief: "g", Segments: []tenure.Segment{seg(0, 9, tenure.ByRetraction)}},
				Again:    []tenure.Window{{From: 3 * day, Until: 6 * day}},
			}}},
			map[tenure.ID]string{"1": "1:dependency/g 3:stands 6:dependency/g"}},
	}...)
	text := func(st tenure.Standing) string {
		out := ""
		for i, g := range st.Segments {
			if i > 0 {
				out += " "
			}
			out += fmt.Sprintf("%d:%s", g.From/day, g.Cause)
			if g.By != "" {
				out += "/" + string(g.By)
			}
		}
		return out
	}
	for _, tc := range cases {
		for _, impl := range []struct {
			name  string
			stand func(beliefs.Evidence) map[tenure.ID]tenure.Standing
		}{{"reference", referenceStand}, {"Stand", stand}} {
			t.Run(tc.name+"/"+impl.name, func(t *testing.T) {
				got := impl.stand(tc.e)
				if len(got) != len(tc.want) {
					t.Errorf("standings of %d claims, want %d", len(got), len(tc.want))
				}
				for id, want := range tc.want {
					st := got[id]
					if text(st) != want {
						t.Errorf("%s: got %q, want %q", id, text(st), want)
					}
				}
				if t.Failed() {
					t.Log(describe(tc.e))
				}
			})
		}
	}
}

// TestLastConfirmed: the least id among those that say the same speaks for
// them; a withdrawn claim for itself only.
func TestLastConfirmed(t *testing.T) {
	e := beliefs.Evidence{Claims: []tenure.Claim{
		mk("1", "a", 8, tenure.MaxTime), mk("2", "a", -9, tenure.MaxTime), mk("3", "a", 4, tenure.MaxTime), mk("4", "b", 5, tenure.MaxTime), mk("5", "c", -2, tenure.MaxTime),
	}, Amendments: []tenure.Amendment{
		amend("a1", tenure.Retract, "1", 20, 4), amend("a2", tenure.Confirm, "3", 7, 4), amend("a3", tenure.Confirm, "1", 9, 4),
		amend("a4", tenure.Confirm, "4", 2, 4), amend("a5", tenure.Accept, "2", 30, 0),
	}}
	want := map[tenure.ID]tenure.Instant{"1": 9, "2": 7, "3": 7, "4": 5, "5": -2}
	for name, f := range map[string]func(beliefs.Evidence) map[tenure.ID]tenure.Standing{"reference": referenceStand, "Stand": stand} {
		for id, st := range f(e) {
			if st.LastConfirmed != want[id]*day {
				t.Errorf("%s of %s: day %d, want %d", name, id, st.LastConfirmed/day, want[id])
			}
		}
	}
}
