package visible

import (
	"context"
	"slices"
	"sync"

	"tenure"
	"tenure/audience"
	"tenure/store"
)

// Reader returns a reader as a caller sees it whose sight is the one given, which may be less than the caller's.
func Reader(base store.Reader, c tenure.Caller, sees audience.Sight) store.Reader {
	bound := c.Bound != tenure.Scope{Kind: c.Bound.Kind}
	return &reader{Reader: base, sees: sees, bound: bound, within: c.Bound, log: !bound && c.Has(tenure.RoleAdmin)}
}

// For returns a reader for what a caller reads in evidence of a label: as everybody sees it who sees that evidence, and
// the caller.
func For(base store.Reader, c tenure.Caller, l tenure.Label) store.Reader {
	return &reader{
		Reader: base, sees: audience.Of(c).And(l.Covers), bound: true, within: l.Scope, only: true,
	}
}

// By returns a reader as somebody sees it of whom nothing is known but what they see.
func By(base store.Reader, sees audience.Sight) store.Reader {
	if sees == nil {
		return base
	}
	return &reader{Reader: base, sees: sees, bound: true}
}

// SightOf returns the sight of a reader, nil for one that shows everything.
func SightOf(r store.Reader) audience.Sight {
	if r, ok := r.(*reader); ok {
		return r.sees
	}
	return nil
}

// ShowsAll reports whether a reader shows all evidence of its tenant.
func ShowsAll(ctx context.Context, r store.Reader) (bool, error) {
	if r, ok := r.(*reader); ok {
		return r.whole(ctx)
	}
	return true, nil
}

// Bounds implements [audience.Bounded].
func (r *reader) Bounds(ctx context.Context) (*audience.Bounds, error) {
	if mixed, err := r.hides(ctx); err != nil || !mixed && !r.bound {
		return nil, err
	}
	b := &audience.Bounds{Labels: slices.DeleteFunc(slices.Clone(r.inUse), func(l tenure.Label) bool {
		return l.Scope != tenure.Scope{} || !r.sees.Sees(l)
	})}
	for id, at := range map[*string]**string{
		&r.within.UserID: &b.User, &r.within.SessionID: &b.Session, &r.within.TaskID: &b.Task,
	} {
		if *id != "" || r.only {
			*at = id
		}
	}
	return b, nil
}

// reader shows what an audience sees of a state.
type reader struct {
	store.Reader

	sees   audience.Sight
	bound  bool         // to a user, a project, a session or a task
	within tenure.Scope // to which it is bound, as far as that is known
	only   bool         // what is within, and nothing of a user, a session or a task if that names none
	log    bool         // the caller may read the log

	once   sync.Once
	inUse  []tenure.Label
	mixed  bool // there is evidence of a label that the audience does not see
	failed error
}

// mostLabels bounds the labels in use that are looked at: of more, one is taken to be hidden.
const mostLabels = 1000

// hides reports whether the tenant may have evidence that the audience does not see, by another label than its scope.
func (r *reader) hides(ctx context.Context) (bool, error) {
	r.once.Do(func() {
		list, err := r.Reader.ListTerms(ctx, tenure.LabelsInUse, "", mostLabels)
		r.failed = err
		r.mixed = len(list) == mostLabels || !r.sees.Sees(tenure.Label{})
		r.inUse = []tenure.Label{{}}
		for _, t := range list {
			l, ok := tenure.ParseLabel(t.Name)
			r.mixed = r.mixed || !ok || !r.sees.Sees(l)
			r.inUse = append(r.inUse, l)
		}
	})
	return r.mixed, r.failed
}

// whole reports whether the audience sees all evidence of the tenant.
func (r *reader) whole(ctx context.Context) (bool, error) {
	if r.bound {
		return false, nil
	}
	mixed, err := r.hides(ctx)
	return !mixed, err
}

// filled reads pages of a list until as many of their items are kept as are asked for, all if limit is not positive.
// fetch returns at most n items after the last one of the page before, nil for the first page.
func filled[T any](
	limit int, fetch func(last *T, n int) ([]T, error), keep func([]T) ([]T, error),
) ([]T, error) {
	if limit <= 0 {
		list, err := fetch(nil, limit)
		if err != nil {
			return nil, err
		}
		return keep(list)
	}
	var out []T
	var last *T
	for {
		list, err := fetch(last, limit)
		if err != nil {
			return nil, err
		}
		kept, err := keep(slices.Clone(list))
		if err != nil {
			return nil, err
		}
		out = append(out, kept...)
		if len(list) < limit || len(out) >= limit {
			return out[:min(len(out), limit)], nil
		}
		last = &list[len(list)-1]
	}
}

// atLeast returns the condition of grown that n are kept, or that the store has no more to give.
func atLeast[T any](n int) func(all, kept []T, room int) bool {
	return func(all, kept []T, room int) bool { return len(all) < room || len(kept) >= n }
}

// grown reads a list that has the best of something first with more and more room, until enough of it is kept or there
// is no more. enough is told what was read and what of it is kept.
func grown[T any](
	room int, fetch func(room int) ([]T, error), keep func([]T) ([]T, error), enough func(all, kept []T, room int) bool,
) ([]T, error) {
	const factor = 4
	before := -1
	for {
		list, err := fetch(room)
		if err != nil {
			return nil, err
		}
		kept, err := keep(slices.Clone(list))
		if err != nil {
			return nil, err
		}
		if len(list) == before || enough(list, kept, room) {
			return kept, nil
		}
		before, room = len(list), room*factor
	}
}
