package beliefs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/beliefs"
)

// seed of every random test here; trial i draws from PCG(seed, i).
const seed = 20260214

// chooser is where a generator takes its choices from: random numbers, or the
// bytes of a fuzzer.
type chooser interface{ IntN(n int) int }

// bytesChooser takes one byte a choice and 0 when there are none left.
type bytesChooser struct{ rest []byte }

func (b *bytesChooser) IntN(n int) int {
	if len(b.rest) == 0 {
		return 0
	}
	k := int(b.rest[0]) % n
	b.rest = b.rest[1:]
	return k
}

func pick[T any](g chooser, of ...T) T { return of[g.IntN(len(of))] }

// oneIn is true once in n; bytes of 0 are false.
func oneIn(g chooser, n int) bool { return g.IntN(n) == n-1 }

const minute = tenure.Instant(60 * 1_000_000)

// instant lies on a small grid around 1970, now and then one microsecond off.
func instant(g chooser) tenure.Instant {
	t := tenure.Instant(g.IntN(9)-2) * minute
	if oneIn(g, 12) {
		t += pick[tenure.Instant](g, -1, 1)
	}
	return t
}

func window(g chooser) tenure.Window {
	w := tenure.Window{From: instant(g), Until: tenure.MaxTime}
	if oneIn(g, 25) {
		w.From = tenure.MinTime
	}
	if oneIn(g, 2) {
		w.Until = max(w.From, -3*minute) + pick[tenure.Instant](g, 1, 2, 3, 5)*minute
	}
	if oneIn(g, 30) && w.From != tenure.MinTime {
		w.Until = w.From + 1
	}
	return w
}

func trust(g chooser) float64 {
	if oneIn(g, 2) {
		return pick(g, 0, .024, .025, .0749, .075, .125, .325, .474, .475, .524, .525, .5249999, .575, .574, .625, .675, .7, .825, .975, .974, 1)
	}
	return pick(g, .5, .5, .51, .9)
}

// roles are ordered but for the first and the last.
var roles = []string{"", "boss", "clerk", "clerk", "guest", "else"}

func outranks(a, b string) bool {
	return a == "boss" && (b == "clerk" || b == "guest") || a == "clerk" && b == "guest"
}

func authority(g chooser) int { return pick(g, 2, 2, 2, 2, 3, 3, 1, 1, 0, 4) }

func claim(g chooser, id tenure.ID, slot tenure.Slot) tenure.Claim {
	value := pick(g, "a", "a", "b", "b", "c", "1-9", "1-4", "2", "7", "none")
	c := tenure.Claim{
		ID: id, Subject: slot.Subject, Predicate: slot.Predicate, Scope: slot.Scope,
		Value: tenure.Value{Canonical: value, JSON: []byte(`"` + pick(g, value, strings.ToUpper(value)) + `"`)},
		Key:   value, Observation: "o" + id, Recalls: oneIn(g, 8), Many: oneIn(g, 15),
		Source:     tenure.Source{Origin: pick(g, "u", "u", "v"), Speaker: pick(g, "", "", "p", "q"), Role: pick(g, roles...), AuthorityLevel: authority(g), SourceAuthority: trust(g)},
		Confidence: trust(g),
		Window:     window(g),
		Basis:      pick(g, tenure.Observed, tenure.Stated),
		ObservedAt: instant(g),
	}
	if value == "none" {
		c.Value.JSON = []byte(`"unknown"`)
	}
	if c.Scope.Kind == tenure.ScopeGlobal && oneIn(g, 3) {
		c.Scope.Kind = "" // the same scope, less spelled out
	}
	return c
}

// generate makes the evidence of one slot. What is hostile could not have been
// recorded: cycles, windows without an instant, grounds that are missing.
func generate(g chooser, hostile bool) beliefs.Evidence {
	var e beliefs.Evidence
	e.Term = tenure.Term{
		Cardinality:   pick(g, tenure.One, tenure.One, tenure.One, tenure.One, "", tenure.Many),
		Constant:      oneIn(g, 6),
		Registered:    oneIn(g, 2),
		SuccessionGap: pick(g, 0, 60, 120, 300),
	}
	if oneIn(g, 2) {
		e.Outranks = outranks
	}
	slot := tenure.Slot{Subject: "e1", Predicate: "p", Scope: pick(g,
		tenure.Scope{Kind: tenure.ScopeGlobal}, tenure.Scope{Kind: tenure.ScopeGlobal},
		tenure.Scope{Kind: tenure.ScopeTask, TaskID: "t"},
		tenure.Scope{Kind: tenure.ScopeHypothetical, TaskID: "t"},
		tenure.Scope{Kind: tenure.ScopeDraft})}

	// In an even match there is little to choose by but time and trust.
	even, named := oneIn(g, 2), 3
	if even {
		named = 9
	}
	n := 1 + g.IntN(6)
	if oneIn(g, 10) {
		n += 6
	}
	ids := shuffledIDs(g, "c", n)
	for i := range n {
		c := claim(g, ids[i], slot)
		if even {
			c.Source.AuthorityLevel = pick(g, 2, 2, 2, 2, 2, 3)
			c.Source.SourceAuthority = pick(g, .5, .5, .51, .524, .525, .475, .474)
			c.Confidence = pick(g, .7, .7, .7, .725, .724, .675)
			c.Window.From = min(c.Window.From, pick[tenure.Instant](g, 0, 0, 1, 3)*minute)
			if c.Window.From != tenure.MinTime && !oneIn(g, 4) {
				c.Window = tenure.Window{From: max(c.Window.From, 0), Until: max(c.Window.Until, 4*minute)}
			}
		}
		if i > 0 && oneIn(g, 4) { // said in one breath with another
			o := e.Claims[g.IntN(i)]
			c.Observation, c.Source, c.ObservedAt = o.Observation, o.Source, o.ObservedAt
			if !oneIn(g, 3) {
				c.Window, c.Basis, c.Recalls = o.Window, o.Basis, o.Recalls
			}
		}
		if i > 0 && oneIn(g, named) {
			c.Supersedes = append(c.Supersedes, ids[g.IntN(i)])
			if oneIn(g, 4) {
				c.Supersedes = append(c.Supersedes, ids[g.IntN(i)])
			}
		}
		if oneIn(g, 10) {
			c.Supersedes = append(c.Supersedes, "elsewhere")
		}
		if i > 0 && oneIn(g, 8) {
			c.DependsOn = append(c.DependsOn, ids[g.IntN(i)])
		}
		for oneIn(g, 5) {
			c.DependsOn = append(c.DependsOn, pick[tenure.ID](g, "g1", "g2", "b0"))
		}
		if hostile && oneIn(g, 4) {
			c.DependsOn = append(c.DependsOn, ids[g.IntN(n)], "missing")
		}
		if hostile && oneIn(g, 4) {
			c.Supersedes = append(c.Supersedes, ids[g.IntN(n)])
		}
		if hostile && oneIn(g, 6) {
			c.Window.Until = c.Window.From - tenure.Instant(g.IntN(2))*minute
		}
		e.Claims = append(e.Claims, c)
		if len(c.Supersedes) > 0 && oneIn(g, 3) {
			e.Superseders = append(e.Superseders, c) // it may be in both
		}
	}

	amendable := slices.Clone(ids)
	for i, id := range shuffledIDs(g, "s", pick(g, 0, 0, 0, 1, 1, 2, 3)) {
		s := claim(g, id, pick(g,
			tenure.Slot{Subject: "e1", Predicate: "q", Scope: slot.Scope},
			tenure.Slot{Subject: "e2", Predicate: "p", Scope: slot.Scope},
			tenure.Slot{Subject: "e1", Predicate: "p", Scope: tenure.Scope{Kind: tenure.ScopeSession, SessionID: "z"}},
			tenure.Slot{Subject: "e1", Predicate: "p", Scope: tenure.Scope{Kind: tenure.ScopeDraft, TaskID: "u"}},
			tenure.Slot{Subject: "e1", Predicate: "p", Scope: tenure.Scope{Kind: tenure.ScopeHypothetical, TaskID: "u"}}))
		if i%2 == 0 {
			s.ID = "0" + s.ID // an id before those of the claims
		}
		s.Supersedes = []tenure.ID{ids[g.IntN(n)], "elsewhere"}
		if oneIn(g, 3) {
			s.Supersedes = append(s.Supersedes, ids[g.IntN(n)])
		}
		e.Superseders = append(e.Superseders, s)
		amendable = append(amendable, s.ID)
	}

	for _, id := range shuffledIDs(g, "a", pick(g, 0, 0, 0, 1, 1, 2, 3, 5)) {
		e.Amendments = append(e.Amendments, tenure.Amendment{
			ID: id, Kind: pick(g, tenure.Retract, tenure.Reject, tenure.End, tenure.End, tenure.Confirm, tenure.Accept,
				tenure.Start, tenure.Beside, tenure.Beside, tenure.Beside),
			Case:   pick(g, tenure.ID("k1"), "k1", "k2"),
			Belief: amendable[g.IntN(len(amendable))], At: instant(g), AuthorityLevel: authority(g), Role: pick(g, roles...),
		})
	}

	e.Grounds = map[tenure.ID]beliefs.Ground{}
	for _, id := range []tenure.ID{"g1", "g2", "b0"} {
		st := beliefs.Ground{Standing: ground(g, id)}
		for oneIn(g, 4) {
			st.Again = append(st.Again, window(g))
		}
		e.Grounds[id] = st
	}
	return e
}

// shuffledIDs keeps the order of ids apart from that of recording.
func shuffledIDs(g chooser, prefix string, n int) []tenure.ID {
	var ids []tenure.ID
	for i := range n {
		at := g.IntN(i + 1)
		ids = slices.Insert(ids, at, tenure.ID(fmt.Sprintf("%s%02d", prefix, i+1)))
	}
	return ids
}

func ground(g chooser, id tenure.ID) tenure.Standing {
	st := tenure.Standing{Belief: id}
	w := window(g)
	if oneIn(g, 5) {
		st.Segments = []tenure.Segment{{Window: w, Cause: pick(g, tenure.ByRetraction, tenure.ByRejection, tenure.ByBar), By: "z"}}
		return st
	}
	for !w.Empty() {
		s := tenure.Segment{Window: w, Cause: pick(g, tenure.Stands, tenure.Stands, tenure.Stands, tenure.ByEnd, tenure.ByName,
			tenure.ByAuthority, tenure.BySuccession, tenure.ByTrust, tenure.ByTie, tenure.ByDependency)}
		if cut := instant(g); w.Contains(cut) && cut > w.From && len(st.Segments) < 3 {
			s.Until = cut
		}
		if s.Cause != tenure.Stands {
			s.By = "z"
		}
		st.Segments = append(st.Segments, s)
		w.From = s.Until
	}
	return st
}

// describe prints evidence in few lines: times in minutes.
func describe(e beliefs.Evidence) string {
	var b strings.Builder
	fmt.Fprintf(&b, "term %q registered=%v constant=%v gap=%ds ranks=%v\n", e.Term.Cardinality, e.Term.Registered, e.Term.Constant, e.Term.SuccessionGap, e.Outranks != nil)
	line := func(mark string, c tenure.Claim) {
		fmt.Fprintf(&b, "%s %s=%s [%s,%s) %s level %d trust %v,%v source %q seen %s scope %q", mark, c.ID, c.Value.Canonical,
			clock(c.Window.From), clock(c.Window.Until), c.Basis, c.Source.AuthorityLevel, c.Source.SourceAuthority, c.Confidence,
			c.Source.Identity(), clock(c.ObservedAt), c.Scope.Key())
		fmt.Fprintf(&b, " role %q in %s", c.Source.Role, c.Observation)
		if c.Many || c.Recalls {
			fmt.Fprintf(&b, " many=%v recalls=%v", c.Many, c.Recalls)
		}
		if len(c.Supersedes) > 0 {
			fmt.Fprintf(&b, " names %v", c.Supersedes)
		}
		if len(c.DependsOn) > 0 {
			fmt.Fprintf(&b, " needs %v", c.DependsOn)
		}
		b.WriteByte('\n')
	}
	for _, c := range e.Claims {
		line("claim", c)
	}
	for _, c := range e.Superseders {
		line("superseder", c)
	}
	for _, a := range e.Amendments {
		fmt.Fprintf(&b, "amendment %s %s %s at %s level %d role %q\n", a.ID, a.Kind, a.Belief, clock(a.At), a.AuthorityLevel, a.Role)
	}
	for _, id := range []tenure.ID{"b0", "g", "g1", "g2"} {
		needed := slices.ContainsFunc(e.Claims, func(c tenure.Claim) bool { return slices.Contains(c.DependsOn, id) })
		if st, ok := e.Grounds[id]; ok && needed {
			fmt.Fprintf(&b, "ground %s again %v\n", describeStanding(st.Standing), st.Again)
		}
	}
	return b.String()
}

func describeStanding(st tenure.Standing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", st.Belief)
	for _, g := range st.Segments {
		fmt.Fprintf(&b, " [%s,%s)%s", clock(g.From), clock(g.Until), g.Cause)
		if g.By != "" {
			fmt.Fprintf(&b, "/%s", g.By)
		}
	}
	fmt.Fprintf(&b, " review=%v confirmed=%s", st.NeedsReview, clock(st.LastConfirmed))
	return b.String()
}

func clock(t tenure.Instant) string {
	switch {
	case t == tenure.MinTime || t == tenure.MaxTime:
		return t.String()
	case t%minute == 0:
		return fmt.Sprint(int64(t / minute))
	case (t+1)%minute == 0:
		return fmt.Sprintf("%d-1µs", int64((t+1)/minute))
	case (t-1)%minute == 0:
		return fmt.Sprintf("%d+1µs", int64((t-1)/minute))
	}
	return fmt.Sprintf("%dµs", int64(t))
}

// stand is Stand with grounds that are true of the slot itself: where a claim
// depends on another of its slot, the standing that Stand gives that one is
// among the grounds. Dependencies go back to what was recorded before, so it
// settles after as many rounds as there are claims.
func stand(e beliefs.Evidence) map[tenure.ID]tenure.Standing {
	got := beliefs.Stand(e)
	for range e.Claims {
		grounds := maps.Clone(e.Grounds)
		if grounds == nil {
			grounds = map[tenure.ID]beliefs.Ground{}
		}
		within := false
		for _, c := range e.Claims {
			for _, d := range c.DependsOn {
				if st, ok := got[d]; ok {
					grounds[d], within = beliefs.Ground{Standing: st, Again: again(e.Claims, got, d)}, true
				}
			}
		}
		if !within {
			break
		}
		e.Grounds = grounds
		got = beliefs.Stand(e)
	}
	return got
}

// again lists where claims that rest on nothing, and say what a ground says, stand.
func again(claims []tenure.Claim, got map[tenure.ID]tenure.Standing, ground tenure.ID) (list []tenure.Window) {
	at := slices.IndexFunc(claims, func(c tenure.Claim) bool { return c.ID == ground })
	for _, c := range claims {
		if !equal(c, claims[at]) || len(c.DependsOn) > 0 {
			continue
		}
		for _, g := range got[c.ID].Segments {
			if g.Cause == tenure.Stands {
				list = append(list, g.Window)
			}
		}
	}
	return list
}

// divergence is where Stand and the reference differ, "" if nowhere.
func divergence(e beliefs.Evidence) string {
	got, want := stand(e), referenceStand(e)
	if len(got) != len(want) {
		return fmt.Sprintf("standings of %d claims, want %d", len(got), len(want))
	}
	instants := newReference(e).instants()
	for _, c := range e.Claims {
		is, should := got[c.ID], want[c.ID]
		if is.Belief != c.ID {
			return fmt.Sprintf("%s: standing of %q", c.ID, is.Belief)
		}
		for _, t := range instants {
			g, covered := is.At(t)
			w, ok := should.At(t)
			if covered != ok || g.Cause != w.Cause || g.By != w.By {
				return fmt.Sprintf("%s at %s: got %s by %q, want %s by %q", c.ID, clock(t), g.Cause, g.By, w.Cause, w.By)
			}
		}
		if is.NeedsReview != should.NeedsReview {
			return fmt.Sprintf("%s: needs_review %v, want %v", c.ID, is.NeedsReview, should.NeedsReview)
		}
		if is.LastConfirmed != should.LastConfirmed {
			return fmt.Sprintf("%s: last_confirmed %s, want %s", c.ID, clock(is.LastConfirmed), clock(should.LastConfirmed))
		}
	}
	return ""
}

// unlawful is what breaks the law of structure, "" if nothing does.
func unlawful(e beliefs.Evidence, got map[tenure.ID]tenure.Standing) string {
	for _, c := range e.Claims {
		st, ok := got[c.ID]
		if !ok {
			return fmt.Sprintf("%s has no standing", c.ID)
		}
		bad := func(what string) string { return what + ": " + describeStanding(st) }
		if c.Window.Empty() {
			continue // no such claim is ever recorded: it must do no harm
		}
		if len(st.Segments) == 0 {
			return bad("no segments")
		}
		if st.Segments[0].From != c.Window.From || st.Segments[len(st.Segments)-1].Until != c.Window.Until {
			return bad("not the claim's own window")
		}
		for i, g := range st.Segments {
			if g.Empty() {
				return bad("empty segment")
			}
			if (g.Cause == tenure.Stands) != (g.By == "") {
				return bad("by belongs to every cause but stands")
			}
			if i == 0 {
				continue
			}
			if p := st.Segments[i-1]; p.Until != g.From {
				return bad("segments do not adjoin")
			} else if p.Cause == g.Cause {
				return bad("neighbours alike")
			}
		}
	}
	return ""
}

// without is the evidence less one claim, or superseder, and all about it.
// Dependencies on it are dropped.
func without(e beliefs.Evidence, id tenure.ID) beliefs.Evidence {
	drop := func(cs []tenure.Claim) []tenure.Claim {
		var out []tenure.Claim
		for _, c := range cs {
			if c.ID == id {
				continue
			}
			if slices.Contains(c.DependsOn, id) {
				c.DependsOn = slices.DeleteFunc(slices.Clone(c.DependsOn), func(d tenure.ID) bool { return d == id })
			}
			out = append(out, c)
		}
		return out
	}
	e.Claims, e.Superseders = drop(e.Claims), drop(e.Superseders)
	e.Amendments = slices.DeleteFunc(slices.Clone(e.Amendments), func(a tenure.Amendment) bool { return a.Belief == id || a.ID == id })
	return e
}

// shrink leaves out what a failure does not need.
func shrink(e beliefs.Evidence, fails func(beliefs.Evidence) string) beliefs.Evidence {
	for again := true; again; {
		again = false
		var ids []tenure.ID
		for _, c := range slices.Concat(e.Claims, e.Superseders) {
			ids = append(ids, c.ID)
		}
		for _, a := range e.Amendments {
			ids = append(ids, a.ID)
		}
		for _, id := range ids {
			if less := without(e, id); fails(less) != "" {
				e, again = less, true
			}
		}
		for i, c := range e.Claims {
			for _, plainer := range []func(*tenure.Claim){
				func(c *tenure.Claim) { c.DependsOn = nil },
				func(c *tenure.Claim) { c.Supersedes = nil },
				func(c *tenure.Claim) { c.Source.AuthorityLevel = 2 },
				func(c *tenure.Claim) { c.Source.SourceAuthority = .5 },
				func(c *tenure.Claim) { c.Confidence = .5 },
			} {
				less := e
				less.Claims = slices.Clone(e.Claims)
				x := c
				plainer(&x)
				less.Claims[i] = x
				less.Superseders = slices.Clone(e.Superseders)
				for k, s := range less.Superseders {
					if s.ID == x.ID {
						less.Superseders[k] = x
					}
				}
				if !cmp.Equal(x, e.Claims[i]) && fails(less) != "" {
					e, c, again = less, x, true
				}
			}
		}
	}
	return e
}

// fail reports what is wrong with the evidence of a trial, made small.
func fail(t *testing.T, trial int, e beliefs.Evidence, fails func(beliefs.Evidence) string) {
	t.Helper()
	small := shrink(e, fails)
	t.Errorf("seed %d trial %d: %s\nshrunk to: %s\n%swhole evidence:\n%s", seed, trial, fails(e), fails(small), describe(small), describe(e))
}

// trialsIn returns how many of n trials are made: a tenth in a short run.
func trialsIn(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// trials calls f with the evidence of n trials; it stops after three failures.
func trials(t *testing.T, n int, f func(g *rand.Rand, trial int, e beliefs.Evidence) bool) {
	t.Helper()
	failed := 0
	for i := range trialsIn(n) {
		g := rand.New(rand.NewPCG(seed, uint64(i)))
		if !f(g, i, generate(g, false)) {
			if failed++; failed == 3 {
				return
			}
		}
	}
}

func TestStandEqualsReference(t *testing.T) {
	causes := map[tenure.Cause]int{}
	trials(t, 1000, func(_ *rand.Rand, trial int, e beliefs.Evidence) bool {
		if divergence(e) != "" {
			fail(t, trial, e, divergence)
			return false
		}
		for _, st := range stand(e) {
			for _, g := range st.Segments {
				causes[g.Cause]++
			}
		}
		return true
	})
	for _, c := range tenure.Causes {
		if causes[c] < trialsIn(50) && !t.Failed() {
			t.Errorf("the generator made only %d segments of cause %s", causes[c], c)
		}
	}
}

func TestStructureOfStandings(t *testing.T) {
	check := func(e beliefs.Evidence) string { return unlawful(e, stand(e)) }
	trials(t, 1000, func(_ *rand.Rand, trial int, e beliefs.Evidence) bool {
		if check(e) != "" {
			fail(t, trial, e, check)
			return false
		}
		return true
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	trials(t, 200, func(g *rand.Rand, trial int, e beliefs.Evidence) bool {
		want := stand(e)
		same := func(claims []tenure.Claim) bool {
			p := e
			p.Claims = claims
			p.Superseders, p.Amendments = shuffled(g, e.Superseders), shuffled(g, e.Amendments)
			got := stand(p)
			if cmp.Equal(want, got) {
				return true
			}
			t.Errorf("seed %d trial %d: order matters (-first +permuted):\n%s\nfirst:\n%spermuted:\n%s",
				seed, trial, cmp.Diff(want, got), describe(e), describe(p))
			return false
		}
		if len(e.Claims) <= 6 {
			return permutations(slices.Clone(e.Claims), len(e.Claims), same)
		}
		for range 50 {
			if !same(shuffled(g, e.Claims)) {
				return false
			}
		}
		return true
	})
}

func shuffled[T any](g *rand.Rand, of []T) []T {
	out := slices.Clone(of)
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// permutations calls f with every order of the first n until f is false.
func permutations[T any](of []T, n int, f func([]T) bool) bool {
	if n <= 1 {
		return f(slices.Clone(of))
	}
	for i := range n {
		of[i], of[n-1] = of[n-1], of[i]
		if !permutations(of, n-1, f) {
			return false
		}
		of[i], of[n-1] = of[n-1], of[i]
	}
	return true
}

// standingValues are the values that stand at an instant.
func standingValues(e beliefs.Evidence, sts map[tenure.ID]tenure.Standing, t tenure.Instant) []string {
	values := []string{}
	for _, c := range e.Claims {
		if g, ok := sts[c.ID].At(t); ok && g.Cause == tenure.Stands {
			values = append(values, c.Value.Canonical)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func TestRestatingAddsNothing(t *testing.T) {
	tried := 0
	trials(t, 1000, func(_ *rand.Rand, trial int, e beliefs.Evidence) bool {
		check := func(e beliefs.Evidence) string {
			before := stand(e)
			ids := []tenure.ID{"c99"}
			if !slices.ContainsFunc(e.Claims, func(c tenure.Claim) bool { return len(c.DependsOn) > 0 }) {
				ids = append(ids, "c00") // it changes what a ground is said to be lost to
			}
			for _, c := range e.Claims {
				if !slices.ContainsFunc(before[c.ID].Segments, func(g tenure.Segment) bool { return g.Cause == tenure.Stands }) {
					continue
				}
				for _, id := range ids {
					tried++
					more := e
					repeated := c
					repeated.ID = id
					more.Claims = append(slices.Clone(e.Claims), repeated)
					after := stand(more)
					for _, at := range newReference(more).instants() {
						if was, is := standingValues(e, before, at), standingValues(more, after, at); !slices.Equal(was, is) {
							return fmt.Sprintf("repeating %s as %s: at %s stood %v, now %v", c.ID, id, clock(at), was, is)
						}
					}
				}
			}
			return ""
		}
		if check(e) != "" {
			fail(t, trial, e, check)
			return false
		}
		return true
	})
	if tried < trialsIn(1000) {
		t.Errorf("only %d claims were repeated", tried)
	}
}

// A retracted claim bars its value, its amendments may end claims of an equal
// value, and its dependents lose their ground. Where its value is its own and
// nothing depends on it, a retraction leaves what it would be without it.
func TestRetractionRestores(t *testing.T) {
	tried := 0
	trials(t, 1000, func(_ *rand.Rand, trial int, e beliefs.Evidence) bool {
		check := func(e beliefs.Evidence) string {
			for _, x := range e.Claims {
				if slices.ContainsFunc(e.Claims, func(c tenure.Claim) bool {
					return c.ID != x.ID && equal(c, x) || slices.Contains(c.DependsOn, x.ID)
				}) {
					continue
				}
				tried++
				retracted := e
				retracted.Amendments = append(slices.Clone(e.Amendments),
					tenure.Amendment{ID: "a00", Kind: tenure.Retract, Belief: x.ID, At: 0, AuthorityLevel: 0})
				got, want := stand(retracted), stand(without(e, x.ID))
				delete(got, x.ID)
				if !cmp.Equal(want, got) {
					return fmt.Sprintf("%s retracted is not as if never made (-never +retracted):\n%s", x.ID, cmp.Diff(want, got))
				}
			}
			return ""
		}
		if check(e) != "" {
			fail(t, trial, e, check)
			return false
		}
		return true
	})
	if tried < trialsIn(300) {
		t.Errorf("only %d claims were retracted", tried)
	}
}

func FuzzStand(f *testing.F) {
	f.Add([]byte{})
	for i := range 20 {
		g := rand.New(rand.NewPCG(seed, uint64(i)))
		b := make([]byte, 250)
		for k := range b {
			b[k] = byte(g.IntN(256))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g := &bytesChooser{rest: b}
		hostile := oneIn(g, 2)
		e := generate(g, hostile)
		if bad := unlawful(e, beliefs.Stand(e)); bad != "" {
			t.Fatalf("%s\n%s", bad, describe(e))
		}
		if hostile {
			return
		}
		if d := divergence(e); d != "" {
			t.Fatalf("%s\n%s", d, describe(e))
		}
	})
}
