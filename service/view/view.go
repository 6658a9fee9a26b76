package view

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"

	"tenure/similarity"
	"tenure/store"
	"tenure/visible"
)

// AsOf selects the state that a view shows, in valid time and in transaction time.
type AsOf struct {
	// ValidAt is an instant of valid time; nil is the present.
	ValidAt *tenure.Instant
	// Known is the state in transaction time.
	Known tenure.AsOf
}

// View is a snapshot of a tenant as one caller sees it, at one instant of valid time. Later writes do not
// affect it.
type View struct {
	store   store.Store // for what is no part of a state
	reader  store.Reader
	caller  tenure.Caller
	sees    audience.Sight // the caller's
	validAt tenure.Instant
	now     tenure.Instant
	present bool // not a state of the past, nor one that an earlier page chose
	model   *similarity.Model
}

// Open opens a state for a caller at the time now; model compares entities. It returns Unprocessable, pointing at
// known_at, for a state in the future.
func Open(
	ctx context.Context, s store.Store, c tenure.Caller, at AsOf, now tenure.Instant, model *similarity.Model,
) (*View, error) {
	r, err := Read(ctx, s, c, audience.Of(c), at.Known)
	if err != nil {
		return nil, err
	}
	return of(s, r, c, audience.Of(c), at, now, model), nil
}

// OpenFor opens the present state for what a caller states in evidence of a label: see [visible.For].
func OpenFor(
	ctx context.Context, s store.Store, c tenure.Caller, l tenure.Label, now tenure.Instant, model *similarity.Model,
) (*View, error) {
	r, err := ReadFor(ctx, s, c, l)
	if err != nil {
		return nil, err
	}
	return of(s, r, c, audience.Of(c).And(l.Covers), AsOf{}, now, model), nil
}

func of(
	s store.Store, r store.Reader, c tenure.Caller, sees audience.Sight, at AsOf, now tenure.Instant,
	model *similarity.Model,
) *View {
	v := &View{store: s, reader: r, caller: c, sees: sees, now: now, present: at.Known == tenure.Present, model: model}
	if v.validAt = v.now; at.ValidAt != nil {
		v.validAt = *at.ValidAt
	}
	return v
}

// Read opens a state of the caller's tenant for a sight: see [visible.Reader]. It fails as [Open] does.
func Read(
	ctx context.Context, s store.Store, c tenure.Caller, sees audience.Sight, at tenure.AsOf,
) (store.Reader, error) {
	r, err := state(ctx, s, c, at)
	if err != nil {
		return nil, err
	}
	return visible.Reader(r, c, sees), nil
}

// ReadFor opens the present state of the caller's tenant for what is read in evidence of a label: see [visible.For].
func ReadFor(ctx context.Context, s store.Store, c tenure.Caller, l tenure.Label) (store.Reader, error) {
	r, err := state(ctx, s, c, tenure.Present)
	if err != nil {
		return nil, err
	}
	return visible.For(r, c, l), nil
}

// state opens a state of the caller's tenant, of all evidence.
func state(ctx context.Context, s store.Store, c tenure.Caller, at tenure.AsOf) (store.Reader, error) {
	r, err := s.View(ctx, c.Tenant, at)
	if tenure.CodeOf(err) == tenure.Unprocessable {
		return nil, &tenure.Error{
			Code: tenure.Unprocessable, Message: "the state has not come yet", Err: err,
			Fields: []tenure.Field{{Pointer: "/known_at", Reason: "must not be in the future"}},
		}
	}
	return r, err
}

// State returns the sequence number and the transaction time of the state.
func (v *View) State() (tenure.Seq, tenure.Instant) { return v.reader.State() }

// ValidAt returns the instant of valid time that the view shows.
func (v *View) ValidAt() tenure.Instant { return v.validAt }

// inProject reports whether the caller may see an object of the project.
func (v *View) inProject(project string) bool {
	return v.caller.Within(tenure.Scope{ProjectID: project})
}

// seesClaim reports whether the caller sees a claim.
func (v *View) seesClaim(c tenure.Claim) bool { return v.sees.Sees(c.Label()) }

// visible filters out the beliefs that are hidden from the caller.
func (v *View) visible(list []tenure.Belief) []tenure.Belief {
	return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool { return !v.seesClaim(b.Claim) })
}

// entities returns entities by id, without those hidden from the caller.
func (v *View) entities(ctx context.Context, ids []tenure.ID) (map[tenure.ID]tenure.Entity, error) {
	ids = sortedUnique(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := v.reader.Entities(ctx, ids)
	found := make(map[tenure.ID]tenure.Entity, len(list))
	for _, e := range list {
		if v.inProject(e.Project) {
			found[e.ID] = e
		}
	}
	return found, err
}

// requireVisible returns Absent for an entity that is hidden from the caller.
func (v *View) requireVisible(ctx context.Context, id tenure.ID) error {
	found, err := v.entities(ctx, []tenure.ID{id})
	if err == nil && len(found) != 1 {
		return Absent()
	}
	return err
}

// sortedUnique returns the ids sorted and without duplicates; it does not modify the list.
func sortedUnique(ids []tenure.ID) []tenure.ID {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
