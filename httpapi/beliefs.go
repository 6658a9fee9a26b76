package httpapi

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/auth"
	"tenure/store"
)

// ListBeliefs implements GET /v1/beliefs.
func (s *server) ListBeliefs(ctx context.Context, req api.ListBeliefsRequestObject) (api.ListBeliefsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, p.ValidAt, p.KnownAt)
	if err != nil {
		return nil, err
	}
	status := string(tenure.Clean)
	if p.Status != nil {
		status = *p.Status
	}
	keep := func(b tenure.Belief) bool {
		g, covered := b.Standing.At(l.validAt)
		return covered && (status == "any" || string(g.Cause.Status()) == status)
	}
	items, next, err := l.beliefs(ctx, p.EntityId, beliefQuery(p.Predicate), keep)
	if err != nil {
		return nil, err
	}
	return api.ListBeliefs200JSONResponse{Items: items, NextCursor: next, AsOf: l.asOf}, nil
}

func beliefQuery(predicate *string) store.BeliefQuery {
	var q store.BeliefQuery
	if predicate != nil {
		q.Predicate = *predicate
	}
	return q
}

// beliefs is a page of the visible beliefs that keep takes, about any member of
// the entity's root where one is given.
func (l *listing) beliefs(
	ctx context.Context, entity *string, q store.BeliefQuery, keep func(tenure.Belief) bool,
) ([]api.Belief, string, error) {
	caller := callerOf(ctx)
	members, err := subjects(ctx, l.reader, entity)
	if err != nil {
		return nil, "", err
	}
	id := func(b tenure.Belief) string { return string(b.Claim.ID) }
	fetch := func(after string, n int) ([]tenure.Belief, error) {
		return together(members, n, id, func(member tenure.ID) ([]tenure.Belief, error) {
			q.Subject, q.After, q.Limit = member, tenure.ID(after), n
			return l.reader.List(ctx, q)
		})
	}
	found, last, more, err := scan(l, fetch, id, func(list []tenure.Belief) ([]*tenure.Belief, error) {
		kept := make([]*tenure.Belief, len(list))
		for i := range list {
			if caller.Sees(list[i].Claim) && keep(list[i]) {
				kept[i] = &list[i]
			}
		}
		return kept, nil
	})
	if err != nil {
		return nil, "", err
	}
	views, err := beliefs(ctx, l.reader, found, l.validAt)
	return views, l.next(last, more), err
}

// GetBelief implements GET /v1/beliefs/{id}.
func (s *server) GetBelief(ctx context.Context, req api.GetBeliefRequestObject) (api.GetBeliefResponseObject, error) {
	r, at, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	v, err := s.belief(ctx, r, tenure.ID(req.Id), at)
	return api.GetBelief200JSONResponse(v), err
}

func (s *server) belief(ctx context.Context, r store.Reader, id tenure.ID, at tenure.Instant) (api.Belief, error) {
	b, err := beliefByID(ctx, r, id)
	if err != nil {
		return api.Belief{}, err
	}
	views, err := beliefs(ctx, r, []tenure.Belief{b}, at)
	if err != nil {
		return api.Belief{}, err
	}
	return views[0], nil
}

// maxChain bounds how many beliefs a chain shows.
const maxChain = 200

// GetBeliefChain implements GET /v1/beliefs/{id}/chain.
func (s *server) GetBeliefChain(ctx context.Context, req api.GetBeliefChainRequestObject) (api.GetBeliefChainResponseObject, error) {
	r, at, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	first, err := beliefByID(ctx, r, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	found, truncated, err := chain(ctx, r, first)
	if err != nil {
		return nil, err
	}
	views, err := beliefs(ctx, r, found, at)
	if err != nil {
		return nil, err
	}
	return api.GetBeliefChain200JSONResponse{Items: views, Truncated: truncated}, nil
}

// chain follows who displaced whom, both ways, and gives the oldest first. It
// goes through no belief that the caller may not see.
func chain(ctx context.Context, r store.Reader, first tenure.Belief) (found []tenure.Belief, truncated bool, err error) {
	seen := map[tenure.ID]bool{first.Claim.ID: true}
	found = []tenure.Belief{first}
	for next := found; len(next) > 0; {
		linked, err := links(ctx, r, next)
		if err != nil {
			return nil, false, err
		}
		next = nil
		for _, b := range visibleBeliefs(callerOf(ctx), linked) {
			if seen[b.Claim.ID] {
				continue
			}
			if len(found) == maxChain {
				truncated = true
				break
			}
			seen[b.Claim.ID] = true
			found, next = append(found, b), append(next, b)
		}
	}
	slices.SortFunc(found, func(a, b tenure.Belief) int {
		return cmp.Or(cmp.Compare(a.RecordedAt, b.RecordedAt), cmp.Compare(a.Claim.ID, b.Claim.ID))
	})
	return found, truncated, nil
}

// links finds the beliefs that displaced one of the list or were displaced by
// one, by name or in their slot.
func links(ctx context.Context, r store.Reader, list []tenure.Belief) ([]tenure.Belief, error) {
	var ids, others []tenure.ID
	slots := map[string]tenure.Slot{}
	for _, b := range list {
		ids = append(ids, b.Claim.ID)
		others = append(others, b.Claim.Supersedes...)
		others = append(others, displacers(b)...)
		slots[b.Claim.Slot().Key()] = b.Claim.Slot()
	}
	linked, err := r.Superseders(ctx, ids)
	if err != nil {
		return nil, err
	}
	named, err := r.Beliefs(ctx, others)
	if err != nil {
		return nil, err
	}
	linked = append(linked, named...)
	var wanted []tenure.Slot
	for _, slot := range slots {
		wanted = append(wanted, slot)
	}
	states, err := r.Slots(ctx, wanted)
	if err != nil {
		return nil, err
	}
	for _, st := range states {
		for _, b := range st.Beliefs {
			if slices.ContainsFunc(displacers(b), func(by tenure.ID) bool { return slices.Contains(ids, by) }) {
				linked = append(linked, b)
			}
		}
	}
	return linked, nil
}

func displacers(b tenure.Belief) []tenure.ID {
	var ids []tenure.ID
	for _, g := range b.Standing.Segments {
		if g.By != "" && g.Cause.Status() == tenure.Overridden {
			ids = append(ids, g.By)
		}
	}
	return ids
}

// ConfirmBelief implements POST /v1/beliefs/{id}/confirm.
func (s *server) ConfirmBelief(ctx context.Context, req api.ConfirmBeliefRequestObject) (api.ConfirmBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.Confirm, tenure.ID(req.Id), req.Params.IdempotencyKey, req.Body)
	return api.ConfirmBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// RetractBelief implements POST /v1/beliefs/{id}/retract.
func (s *server) RetractBelief(ctx context.Context, req api.RetractBeliefRequestObject) (api.RetractBeliefResponseObject, error) {
	if req.Body != nil && !req.Body.At.IsZero() {
		return nil, tenure.FieldError(tenure.Invalid, "/at", "a retraction is of all time: end the belief instead")
	}
	a, err := s.amend(ctx, tenure.Retract, tenure.ID(req.Id), req.Params.IdempotencyKey, req.Body)
	return api.RetractBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// EndBelief implements POST /v1/beliefs/{id}/end.
func (s *server) EndBelief(ctx context.Context, req api.EndBeliefRequestObject) (api.EndBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.End, tenure.ID(req.Id), req.Params.IdempotencyKey, req.Body)
	return api.EndBelief200JSONResponse{AmendedJSONResponse: a}, err
}

func (s *server) amend(
	ctx context.Context, kind tenure.AmendmentKind, id tenure.ID, key *string, in *api.AmendmentInput,
) (api.AmendedJSONResponse, error) {
	var out api.AmendedJSONResponse
	if in == nil {
		in = &api.AmendmentInput{}
	}
	level, err := levelOf(callerOf(ctx), in.AuthorityLevel)
	if err != nil {
		return out, err
	}
	word := Amendment{Kind: kind, Belief: id, At: instantOf(in.At), AuthorityLevel: level, Reason: in.Reason}
	restored, receipt, err := s.deps.Amender.Amend(ctx, callerOf(ctx), idempotencyKey(ctx, key), word)
	if tenure.CodeOf(err) == tenure.NotFound {
		return out, notFound()
	}
	if err != nil {
		return out, err
	}
	r, err := s.after(ctx, receipt)
	if err != nil {
		return out, err
	}
	view, err := s.belief(ctx, r, id, s.deps.Mint().Now)
	out.Headers.IdempotencyReplayed = replayed(receipt)
	out.Body = api.AmendmentAnswer{
		Seq: receipt.Seq, RecordedAt: receipt.Tx.Time(), Belief: view, Restored: some(restored),
	}
	return out, err
}

// levelOf is the authority that a word of the caller carries.
func levelOf(c tenure.Caller, stated *int) (int, error) {
	if stated == nil {
		return c.MaxAuthority, nil
	}
	return *stated, auth.CheckAuthority(c, *stated, "/authority_level")
}

// after opens the state that a write left behind.
func (s *server) after(ctx context.Context, r tenure.Receipt) (store.Reader, error) {
	return s.deps.Store.View(ctx, callerOf(ctx).Tenant, tenure.AsOf{Seq: r.Seq})
}
