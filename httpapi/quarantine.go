package httpapi

import (
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// ListCases implements GET /v1/quarantine.
func (s *server) ListCases(ctx context.Context, req api.ListCasesRequestObject) (api.ListCasesResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	q := store.CaseQuery{State: tenure.CaseOpen}
	if p.State != nil {
		q.State = tenure.CaseState(*p.State)
	}
	if q.State == "any" {
		q.State = ""
	}
	members, err := subjects(ctx, l.reader, p.EntityId)
	if err != nil {
		return nil, err
	}
	id := func(c tenure.Case) string { return string(c.ID) }
	fetch := func(after string, n int) ([]tenure.Case, error) {
		return together(members, n, id, func(member tenure.ID) ([]tenure.Case, error) {
			q.Subject, q.After, q.Limit = member, tenure.ID(after), n
			return l.reader.ListCases(ctx, q)
		})
	}
	items, last, more, err := scan(l, fetch, id, func(list []tenure.Case) ([]*api.Case, error) {
		return cases(ctx, l.reader, list, l.validAt)
	})
	if err != nil {
		return nil, err
	}
	return api.ListCases200JSONResponse{Items: items, NextCursor: l.next(last, more)}, nil
}

// GetCase implements GET /v1/quarantine/{id}.
func (s *server) GetCase(ctx context.Context, req api.GetCaseRequestObject) (api.GetCaseResponseObject, error) {
	r, at, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	c, err := caseByID(ctx, r, tenure.ID(req.Id), at)
	return api.GetCase200JSONResponse(c), err
}

func caseByID(ctx context.Context, r store.Reader, id tenure.ID, at tenure.Instant) (api.Case, error) {
	list, err := r.Cases(ctx, []tenure.ID{id})
	if err != nil {
		return api.Case{}, err
	}
	views, err := cases(ctx, r, list, at)
	if err != nil {
		return api.Case{}, err
	}
	if len(views) != 1 || views[0] == nil {
		return api.Case{}, notFound()
	}
	return *views[0], nil
}

// cases are the views of cases, in their order; nil for a case with a side
// that the caller may not see.
func cases(ctx context.Context, r store.Reader, list []tenure.Case, at tenure.Instant) ([]*api.Case, error) {
	var ids []tenure.ID
	for _, c := range list {
		ids = append(ids, c.Holds...)
	}
	slices.Sort(ids)
	held, err := r.Beliefs(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	sides, err := beliefs(ctx, r, visibleBeliefs(callerOf(ctx), held), at)
	if err != nil {
		return nil, err
	}
	byID := map[tenure.ID]api.Belief{}
	for _, v := range sides {
		byID[v.ObjectId] = v
	}
	views := make([]*api.Case, len(list))
	for i, c := range list {
		if v := caseView(c, byID); len(v.Beliefs) == len(c.Holds) && callerOf(ctx).Within(c.Scope) {
			views[i] = &v
		}
	}
	return views, nil
}

func caseView(c tenure.Case, sides map[tenure.ID]api.Belief) api.Case {
	v := api.Case{
		CaseId: c.ID, State: c.State, Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope.Normal(),
		CrossScope: c.CrossScope, Holds: some(c.Holds), Beliefs: []api.Belief{}, Windows: []api.Window{},
		Resolver: c.Resolver, OpenedAt: c.OpenedAt.Time(), Accepted: c.Accepted, Note: c.Note, Version: c.Version,
	}
	if c.ClosedAt != 0 {
		v.ClosedAt = c.ClosedAt.Time()
	}
	for _, id := range c.Holds {
		if b, ok := sides[id]; ok {
			v.Beliefs = append(v.Beliefs, b)
		}
	}
	for _, w := range c.Windows {
		v.Windows = append(v.Windows, api.Window{ValidFrom: openTime(w.From), ValidUntil: openTime(w.Until)})
	}
	return v
}

// ResolveCase implements POST /v1/quarantine/{id}/resolution.
func (s *server) ResolveCase(ctx context.Context, req api.ResolveCaseRequestObject) (api.ResolveCaseResponseObject, error) {
	in, id := req.Body, tenure.ID(req.Id)
	level, err := levelOf(callerOf(ctx), in.AuthorityLevel)
	if err != nil {
		return nil, err
	}
	word := Settlement{Case: id, Accept: in.Accept, Version: in.Version, AuthorityLevel: level, Note: in.Note}
	restored, receipt, err := s.deps.Settler.Settle(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey), word)
	if tenure.CodeOf(err) == tenure.NotFound {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	r, err := s.after(ctx, receipt)
	if err != nil {
		return nil, err
	}
	view, err := caseByID(ctx, r, id, s.deps.Mint().Now)
	body := api.ResolutionAnswer{Seq: receipt.Seq, RecordedAt: receipt.Tx.Time(), Case: view, Restored: some(restored)}
	headers := api.ResolveCase200ResponseHeaders{IdempotencyReplayed: replayed(receipt)}
	return api.ResolveCase200JSONResponse{Body: body, Headers: headers}, err
}

// ListConflicts implements GET /v1/conflicts.
func (s *server) ListConflicts(ctx context.Context, req api.ListConflictsRequestObject) (api.ListConflictsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, p.ValidAt, p.KnownAt)
	if err != nil {
		return nil, err
	}
	q := beliefQuery(p.Predicate)
	q.Contested = true
	items, next, err := l.beliefs(ctx, p.EntityId, q, func(tenure.Belief) bool { return true })
	if err != nil {
		return nil, err
	}
	winners, err := l.winners(ctx, items)
	if err != nil {
		return nil, err
	}
	out := api.ListConflicts200JSONResponse{Items: []api.Conflict{}, NextCursor: next, AsOf: l.asOf}
	for _, b := range items {
		c := api.Conflict{Belief: b, CaseId: b.CaseId, LostTo: []api.Loss{}}
		for _, g := range b.Segments {
			if !contest(g.Cause) {
				continue
			}
			loss := api.Loss{
				ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil, Status: g.Status, Cause: g.Cause, By: g.By, Relation: g.Relation,
			}
			if w, ok := winners[g.By]; ok {
				loss.Belief = &w
			}
			c.LostTo = append(c.LostTo, loss)
		}
		out.Items = append(out.Items, c)
	}
	return out, nil
}

// winners are the visible beliefs that those of a page lost to.
func (l *listing) winners(ctx context.Context, items []api.Belief) (map[tenure.ID]api.Belief, error) {
	var ids []tenure.ID
	for _, b := range items {
		for _, g := range b.Segments {
			if contest(g.Cause) && g.By != "" {
				ids = append(ids, g.By)
			}
		}
	}
	slices.Sort(ids)
	list, err := l.reader.Beliefs(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	views, err := beliefs(ctx, l.reader, visibleBeliefs(callerOf(ctx), list), l.validAt)
	byID := map[tenure.ID]api.Belief{}
	for _, v := range views {
		byID[v.ObjectId] = v
	}
	return byID, err
}

// contest tells whether a segment was lost to a contradiction; the same causes
// as in store.Contested.
func contest(c tenure.Cause) bool {
	return store.Contested(tenure.Standing{Segments: []tenure.Segment{{Cause: c}}})
}
