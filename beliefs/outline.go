package beliefs

import (
	"hash/maphash"
	"maps"
	"reflect"
	"slices"
	"time"

	"tenure"
	"tenure/conflicts"
	"tenure/grain"
)

// Outline is what is remembered of the claims of a slot that was judged: enough to tell which of them have to be read
// to judge a new one (see [Outline.Needed]). An Outline never changes.
type Outline struct {
	term     tenure.Term
	entities bool     // the values are entities
	roles    []string // in which claims were made, each once
	chunks   []*chunk
	n        int
}

// trace is what is remembered of a claim.
type trace struct {
	id tenure.ID
	// key, value and observation are hashes: they may be equal by chance, which only has more claims read.
	key, value, observation uint64
	grain                   *grain.Grain
	from                    tenure.Instant
	// settled is the last instant at which the claim can affect others. Later it has ended, or stays displaced by
	// authority, succession or name unless an added claim has its value.
	settled tenure.Instant
	level   int
	recalls bool
	late    bool // displaced by succession, at the end
}

// chunkSize is how many traces are copied at most to replace one.
const chunkSize = 128

// chunk is a run of traces, and what they have in common, so that few of the chunks are looked through.
type chunk struct {
	traces  []trace
	settled tenure.Instant // the last of all
	late    tenure.Instant // the last from of those displaced by succession
	weakest int            // of those
	vague   bool           // some grain may cover another
	marks   [chunkSize]uint64
}

func newChunk(traces []trace) *chunk {
	c := &chunk{traces: traces, settled: tenure.MinTime, late: tenure.MinTime}
	for i := range traces {
		t := &traces[i]
		c.settled = max(c.settled, t.settled)
		if t.late {
			c.late, c.weakest = max(c.late, t.from), max(c.weakest, t.level)
		}
		c.vague = c.vague || t.grain != nil && t.grain.Vague
		for _, k := range []uint64{t.key, t.value, t.observation} {
			at, bit := place(k)
			c.marks[at] |= bit
		}
	}
	return c
}

func place(k uint64) (at int, bit uint64) { return int(k>>6) % chunkSize, 1 << (k & 63) }

// keys is a set of hashes of ids, values or observations.
type keys map[uint64]bool

// mayHave reports whether a trace of the chunk may have one of the keys.
func (c *chunk) mayHave(list keys) bool {
	if len(list) > chunkSize {
		return true
	}
	for k := range list {
		if at, bit := place(k); c.marks[at]&bit != 0 {
			return true
		}
	}
	return false
}

var seed = maphash.MakeSeed()

func hashed(s string) uint64 { return maphash.String(seed, s) }

// NewOutline returns the outline of a slot, nil of one that has none: in which texts stand beside entities, so that
// what is equal depends on all of them. The evidence is of all claims of the slot, with the standings that follow from
// it.
func NewOutline(e Evidence, standings map[tenure.ID]tenure.Standing) *Outline {
	if len(e.Claims) == 0 {
		return nil
	}
	o := &Outline{term: e.Term, entities: e.Claims[0].Value.Entity != ""}
	return o.With(e, standings)
}

// With returns the outline with claims that were added to the slot or judged again, nil if the slot has none any more.
// The evidence is of all claims with the values of these.
func (o *Outline) With(e Evidence, standings map[tenure.ID]tenure.Standing) *Outline {
	next := *o
	next.roles, next.chunks = slices.Clip(o.roles), slices.Clone(o.chunks)
	t := newTracer(e)
	traces, ids := make(map[tenure.ID]trace, len(e.Claims)), keys{}
	for i := range e.Claims {
		c := &e.Claims[i]
		s := standings[c.ID]
		if (c.Value.Entity != "") != o.entities || len(s.Segments) == 0 {
			return nil
		}
		traces[c.ID] = t.trace(c, s)
		ids[traces[c.ID].key] = true
		if !slices.Contains(next.roles, c.Source.Role) {
			next.roles = append(next.roles, c.Source.Role)
		}
	}
	for k, c := range next.chunks {
		if c.mayHave(ids) {
			next.chunks[k] = c.with(traces, ids)
		}
	}
	for i := range e.Claims {
		if t, isNew := traces[e.Claims[i].ID]; isNew {
			next.add(t)
		}
	}
	return &next
}

// with returns the chunk with other traces of claims, which it removes from the map.
func (c *chunk) with(others map[tenure.ID]trace, ids keys) *chunk {
	var list []trace // once one is replaced
	for i := range c.traces {
		if !ids[c.traces[i].key] {
			continue
		}
		if t, again := others[c.traces[i].id]; again {
			if list == nil {
				list = slices.Clone(c.traces)
			}
			list[i] = t
			delete(others, t.id)
		}
	}
	if list == nil {
		return c
	}
	return newChunk(list)
}

func (o *Outline) add(t trace) {
	last := len(o.chunks) - 1
	if last < 0 || len(o.chunks[last].traces) == chunkSize {
		o.chunks = append(o.chunks, newChunk([]trace{t}))
	} else {
		o.chunks[last] = newChunk(append(slices.Clip(o.chunks[last].traces), t))
	}
	o.n++
}

// Free reports whether each claim of the slot stands whatever the others do: then what becomes of their grounds changes
// nothing of what is remembered.
func (o *Outline) Free() bool { return o.term.Cardinality == tenure.Many }

// Spoken reports whether claims of the slot were made in a role.
func (o *Outline) Spoken() bool {
	return slices.ContainsFunc(o.roles, func(role string) bool { return role != "" })
}

// Len returns the number of claims in the slot.
func (o *Outline) Len() int { return o.n }

// each calls f with each trace of the chunks that are wanted.
func (o *Outline) each(wanted func(*chunk) bool, f func(*trace)) {
	for _, c := range o.chunks {
		if !wanted(c) {
			continue
		}
		for i := range c.traces {
			f(&c.traces[i])
		}
	}
}

// tracer finds what keeps claims from being settled.
type tracer struct {
	term   tenure.Term
	shared map[tenure.ID]int  // claims of each observation
	beside map[string]bool    // values that a settlement put beside others
	inSlot map[tenure.ID]bool // claims of the slot
}

func newTracer(e Evidence) *tracer {
	t := &tracer{
		term: e.Term, shared: map[tenure.ID]int{}, beside: map[string]bool{}, inSlot: e.inSlot(),
	}
	beside := map[tenure.ID]bool{}
	for _, a := range e.Amendments {
		if a.Kind == tenure.Beside {
			beside[a.Belief] = true
		}
	}
	for i := range e.Claims {
		c := &e.Claims[i]
		t.shared[c.Observation]++
		if beside[c.ID] {
			t.beside[c.Value.Canonical] = true
		}
	}
	return t
}

func (t *tracer) trace(c *tenure.Claim, s tenure.Standing) trace {
	last := s.Segments[len(s.Segments)-1]
	return trace{
		id: c.ID, key: hashed(string(c.ID)), value: hashed(c.Value.Canonical), observation: hashed(string(c.Observation)),
		grain: Grain(t.term, c.Value), from: c.Window.From, settled: t.settled(c, s),
		level: c.Source.AuthorityLevel, recalls: c.Recalls, late: last.Cause == tenure.BySuccession,
	}
}

// settled returns after when a claim takes no part any more, MaxTime if it may at any time.
func (t *tracer) settled(c *tenure.Claim, s tenure.Standing) tenure.Instant {
	if c.Recalls || c.SaysMany() || t.shared[c.Observation] > 1 || t.beside[c.Value.Canonical] {
		return tenure.MaxTime
	}
	for _, g := range s.Segments {
		if g.Cause == tenure.ByTie || g.Cause == tenure.ByStart {
			return tenure.MaxTime
		}
	}
	last := s.Segments[len(s.Segments)-1]
	switch {
	case last.Cause == tenure.ByRetraction, last.Cause == tenure.ByRejection, last.Cause == tenure.ByBar:
		return tenure.MinTime
	case last.Cause == tenure.BySuccession && !t.term.Constant, last.Cause == tenure.ByAuthority,
		last.Cause == tenure.ByName && t.inSlot[last.By]:
		return last.From
	}
	return last.Until
}

// Needed returns the claims of the slot that have to be read to judge added ones, and reports whether these are enough:
// else all are needed. What is returned holds all claims of each value that
//
//   - an added claim says or names as superseded, or an observation of one says;
//   - a claim says that may win or lose something from the time f on at which the first added claim begins, that is,
//     one that is not settled at f;
//   - a claim says that was displaced by succession, and is weaker than an added claim, or not older, by more than the
//     succession gap, than every claim that is not settled;
//   - covers one of these values, or is covered by it.
//
// Where the cardinality is many, the first is enough. Why this is enough is told in ADR 36.
func (o *Outline) Needed(term tenure.Term, outranks func(a, b string) bool, added []tenure.Claim) (
	ids []tenure.ID, enough bool,
) {
	if len(added) == 0 || !reflect.DeepEqual(o.term, term) || o.ordered(outranks, added) {
		return nil, false
	}
	n := &need{
		Outline: o, values: keys{}, recall: keys{}, noted: map[*grain.Grain]bool{},
		from: tenure.MaxTime, level: added[0].Source.AuthorityLevel,
	}
	undefined := term.Cardinality != tenure.Many && conflicts.Rule{Term: term}.Undefined()
	for i := range added {
		if (added[i].Value.Entity != "") != o.entities || added[i].SaysMany() && undefined {
			return nil, false // many is said of the whole slot
		}
	}
	if !n.said(added) {
		return nil, false
	}
	if term.Cardinality != tenure.Many {
		n.unsettled()
		n.compatible()
	}
	o.each(n.saying, func(t *trace) {
		if n.values[t.value] {
			ids = append(ids, t.id)
		}
	})
	return ids, true
}

// ordered reports whether some claims are made in a role that outranks that of others.
func (o *Outline) ordered(outranks func(a, b string) bool, added []tenure.Claim) bool {
	roles := slices.Clone(o.roles)
	for i := range added {
		roles = append(roles, added[i].Source.Role)
	}
	slices.Sort(roles)
	roles = slices.Compact(roles)
	for _, a := range roles {
		for _, b := range roles {
			if a != b && outranks != nil && outranks(a, b) {
				return true
			}
		}
	}
	return false
}

// need collects the values of the claims that are needed.
type need struct {
	*Outline

	values keys
	from   tenure.Instant // at which the first added claim begins
	level  int            // the strongest of the added claims
	recall keys           // values that recalling claims say
	grains []*grain.Grain // of the values
	noted  map[*grain.Grain]bool
}

// saying reports whether claims of a chunk may say one of the values.
func (n *need) saying(c *chunk) bool { return c.mayHave(n.values) }

// said adds the values that added claims say or name, and those of their observations. It reports false if one says a
// value more or less finely than it was said before.
func (n *need) said(added []tenure.Claim) bool {
	fine := map[uint64]*grain.Grain{}
	named, all := keys{}, keys{} // all: what is looked for
	for i := range added {
		c := &added[i]
		v := hashed(c.Value.Canonical)
		n.values[v] = true
		if c.Recalls {
			n.recall[v] = true
		}
		all[v], all[hashed(string(c.Observation))] = true, true
		n.from, n.level = min(n.from, c.Window.From), min(n.level, c.Source.AuthorityLevel)
		g := Grain(n.term, c.Value)
		if known, again := fine[v]; again && !reflect.DeepEqual(known, g) {
			return false
		}
		fine[v] = g
		n.note(g)
		for _, id := range c.Supersedes {
			named[hashed(string(id))] = true
		}
	}
	maps.Copy(all, named)
	same := true
	n.each(func(c *chunk) bool { return c.mayHave(all) }, func(t *trace) {
		if all[t.observation] || named[t.key] {
			n.values[t.value] = true
		}
		if g, again := fine[t.value]; again && g != t.grain {
			same = same && reflect.DeepEqual(g, t.grain)
		}
	})
	return same
}

// unsettled adds the values of the claims that may win or lose something.
func (n *need) unsettled() {
	oldest := n.from
	n.each(func(c *chunk) bool { return c.settled >= n.from }, func(t *trace) {
		if t.settled >= n.from {
			n.values[t.value] = true
			oldest = min(oldest, t.from)
			if t.recalls {
				n.recall[t.value] = true
			}
		}
	})
	n.each(func(c *chunk) bool { return c.mayHave(n.recall) }, func(t *trace) {
		if n.recall[t.value] {
			oldest = min(oldest, t.from)
		}
	})
	gap := time.Duration(n.term.SuccessionGap) * time.Second
	n.each(func(c *chunk) bool { return c.weakest > n.level || c.late.Add(gap) >= oldest }, func(t *trace) {
		if t.late && t.settled < n.from && (t.level > n.level || t.from.Add(gap) >= oldest) {
			n.values[t.value] = true
		}
	})
}

func (n *need) note(g *grain.Grain) {
	if g != nil && !g.None && !n.noted[g] {
		n.noted[g] = true
		n.grains = append(n.grains, g)
	}
}

// compatible adds the values that cover one of the values or are covered by one, and so on.
func (n *need) compatible() {
	vague := slices.ContainsFunc(n.grains, func(g *grain.Grain) bool { return g.Vague })
	vague = vague || slices.ContainsFunc(n.chunks, func(c *chunk) bool { return c.vague })
	if !vague {
		return
	}
	for done := 0; ; {
		n.each(n.saying, func(t *trace) {
			if n.values[t.value] {
				n.note(t.grain)
			}
		})
		if done == len(n.grains) {
			return
		}
		fresh := n.grains[done:]
		done = len(n.grains)
		n.each(func(*chunk) bool { return true }, func(t *trace) {
			if t.grain != nil && !n.values[t.value] && slices.ContainsFunc(fresh, t.covering) {
				n.values[t.value] = true
			}
		})
	}
}

// covering reports whether the value covers another, or is covered.
func (t *trace) covering(g *grain.Grain) bool {
	return (g.Vague || t.grain.Vague) && grain.Compatible(g, t.grain)
}
