package transfer

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"tenure"
	"tenure/store"
)

// statesAtOnce bounds the states of the source that are read at the same time.
const statesAtOnce = 4

// thing names what a change puts: a kind of thing, and the id or name of one.
type thing struct {
	kind tenure.ChangeKind
	id   string
}

// page makes the change sets of consecutive entries. A thing is read in the state after the entry that put it;
// the newest version of each within the page in the state after the last entry, so that most pages need one state.
type page struct {
	from    store.Store
	tenant  string
	entries []tenure.Entry
	base    tenure.Seq // the state before the page
	end     tenure.Seq
	last    map[thing]tenure.Seq // of the entries that put the thing, the last one
	moved   map[tenure.ID]bool   // claims that the page moves
	// aliased are, by entity, the entries that change its aliases.
	aliased map[tenure.ID][]tenure.Seq

	mu     sync.Mutex
	states map[tenure.Seq]*state
}

// record returns the entries with their change sets and idempotency keys.
func record(ctx context.Context, from store.Archive, tenant string, entries []tenure.Entry) ([]store.Recorded, error) {
	sets, err := ChangeSets(ctx, from, tenant, entries)
	if err != nil {
		return nil, err
	}
	keyed, err := from.Keyed(ctx, tenant, entries[0].Tx, entries[len(entries)-1].Tx)
	if err != nil {
		return nil, err
	}
	keys := map[tenure.Seq]store.Keyed{}
	for _, k := range keyed {
		keys[k.Seq] = k
	}
	list := make([]store.Recorded, len(entries))
	for i, e := range entries {
		if k, ok := keys[e.Seq]; ok {
			sets[i].Key, sets[i].Answer = &k.Key, k.Answer
		}
		list[i] = store.Recorded{Entry: e, Set: sets[i]}
	}
	return list, nil
}

// ErrMissing reports that the store lacks something that the log says was written.
var ErrMissing = tenure.Errorf(tenure.Internal, "the log names what is not in the store")

// ChangeSets returns the change sets of consecutive entries, at least one, with what they wrote but without idempotency
// keys and answers. It returns ErrMissing if some of that is not in the store.
func ChangeSets(
	ctx context.Context, from store.Store, tenant string, entries []tenure.Entry,
) ([]tenure.ChangeSet, error) {
	first, last := entries[0], entries[len(entries)-1]
	p := &page{
		from: from, tenant: tenant, entries: entries, base: first.Seq - 1, end: last.Seq,
		last: map[thing]tenure.Seq{}, moved: map[tenure.ID]bool{}, aliased: map[tenure.ID][]tenure.Seq{},
		states: map[tenure.Seq]*state{},
	}
	p.plan()
	if err := p.read(ctx); err != nil {
		return nil, err
	}
	sets := make([]tenure.ChangeSet, len(entries))
	for i, e := range entries {
		changes, err := p.changes(e)
		if err != nil {
			return nil, err
		}
		sets[i] = tenure.ChangeSet{ID: e.ID, Operation: e.Operation, Actor: e.Actor, Changes: changes}
	}
	return sets, nil
}

// plan finds out in which state each thing is to be read, and adds it to what is read there.
func (p *page) plan() {
	for _, e := range p.entries {
		for _, c := range e.Changes {
			p.last[thingOf(c)] = e.Seq
			switch c.Kind.Current() {
			case tenure.KindClaimMoved:
				p.moved[c.ID] = true
			case tenure.KindAliasAdded, tenure.KindAliasClosed:
				if at := p.aliased[c.Entity]; len(at) == 0 || at[len(at)-1] != e.Seq {
					p.aliased[c.Entity] = append(at, e.Seq)
				}
			}
		}
	}
	for _, e := range p.entries {
		for _, c := range e.Changes {
			p.state(p.at(c, e.Seq)).want(c)
			switch c.Kind.Current() {
			case tenure.KindClaimMoved:
				p.state(e.Seq - 1).want(c) // where it was moved from
			case tenure.KindAliasAdded, tenure.KindAliasClosed:
				p.state(p.base).want(c)
			}
		}
	}
}

func thingOf(c tenure.EntryChange) thing {
	kind := c.Kind.Current()
	switch kind {
	case tenure.KindAliasAdded, tenure.KindAliasClosed:
		return thing{tenure.KindAliasAdded, string(c.Entity)}
	case tenure.KindVocabularyPut, tenure.KindTermPut:
		return thing{kind, c.Name}
	case tenure.KindClaimMoved:
		return thing{tenure.KindStandingPut, string(c.ID)}
	}
	return thing{kind, string(c.ID)}
}

// at returns the state in which what a change of an entry put is read.
func (p *page) at(c tenure.EntryChange, seq tenure.Seq) tenure.Seq {
	switch c.Kind.Current() {
	case tenure.KindClaimAdded:
		if p.moved[c.ID] {
			return seq
		}
		return p.end
	case tenure.KindObservationAdded, tenure.KindMentionAdded, tenure.KindAmended:
		return p.end
	}
	if p.last[thingOf(c)] == seq {
		return p.end
	}
	return seq
}

// state returns the state with a number, and begins one.
func (p *page) state(seq tenure.Seq) *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.states[seq]
	if s == nil {
		s = newState(seq)
		p.states[seq] = s
	}
	return s
}

// read reads the states, some of them at the same time.
func (p *page) read(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := make(chan struct{}, statesAtOnce)
	var working sync.WaitGroup
	var once sync.Once
	var first error
	for _, s := range p.states {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			if err := s.read(ctx, p.from, p.tenant); err != nil {
				once.Do(func() { first = err; cancel() })
			}
		})
	}
	working.Wait()
	return first
}

// changes returns the changes of an entry with their contents.
func (p *page) changes(e tenure.Entry) ([]tenure.Change, error) {
	var list []tenure.Change
	aliased := map[tenure.ID]bool{}
	for _, c := range e.Changes {
		kind := c.Kind.Current()
		if kind == tenure.KindAliasAdded || kind == tenure.KindAliasClosed {
			if !aliased[c.Entity] {
				aliased[c.Entity] = true
				list = append(list, p.aliases(c.Entity, e)...)
			}
			continue
		}
		change, ok := p.states[p.at(c, e.Seq)].change(c)
		if move, is := change.(tenure.ClaimMoved); is && ok {
			var b tenure.Belief
			b, ok = p.states[e.Seq-1].beliefs[c.ID]
			move.From = b.Claim.Slot()
			change = move
		}
		if !ok {
			return nil, fmt.Errorf("%w: entry %d, %s %s%s", ErrMissing, e.Seq, kind, c.ID, c.Name)
		}
		list = append(list, change)
	}
	return list, nil
}

// aliases returns what an entry changed in the aliases of an entity: the log names none of them, so the states
// before and after it are compared.
func (p *page) aliases(entity tenure.ID, e tenure.Entry) []tenure.Change {
	at := p.aliased[entity]
	i := slices.Index(at, e.Seq)
	before, after := p.base, e.Seq
	if i > 0 {
		before = at[i-1]
	}
	if i == len(at)-1 {
		after = p.end
	}
	had, has := p.states[before].aliases[entity], p.states[after].aliases[entity]
	closed, added := without(had, has), without(has, had)
	said := map[tenure.ChangeKind]int{}
	for _, c := range e.Changes {
		if c.Entity == entity {
			said[c.Kind.Current()]++
		}
	}
	// One that was added though it was there is among the newest, which are last. One that was added and closed by
	// the same entry nobody has seen.
	unseen := said[tenure.KindAliasClosed] - len(closed)
	again := said[tenure.KindAliasAdded] - len(added) - unseen
	if again > 0 {
		newest := has[max(0, len(has)-len(added)-again):]
		added = append(without(newest, added), added...)
	}
	var list []tenure.Change
	for _, a := range closed {
		list = append(list, tenure.AliasClosed{Alias: a})
	}
	for _, a := range added {
		list = append(list, tenure.AliasAdded{Alias: a})
	}
	return list
}

// without returns the aliases of a list that are not in another.
func without(list, other []tenure.Alias) []tenure.Alias {
	return slices.DeleteFunc(slices.Clone(list), func(a tenure.Alias) bool { return slices.Contains(other, a) })
}
