package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// Entity encodes an entity.
func Entity(g service.Entity) api.Entity {
	e := g.Entity
	return api.Entity{
		Match:    matchView(g.Match),
		EntityId: e.ID, RootId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, ProjectId: e.Project,
		MergedInto: e.MergedInto, Reason: e.Reason, CreatedAt: e.CreatedAt.Time(), Aliases: Each(g.Aliases, Alias),
		Attributes: g.Attributes, Records: g.Records, Members: g.Members, MatchedIds: g.Matched,
		Cut: api.Cut(g.Cut), OpenReviews: g.OpenReviews, IdentityDecisions: Each(g.IdentityDecisions, IdentityDecision),
	}
}

func matchView(m *service.Match) *api.Match {
	if m == nil {
		return nil
	}
	return &api.Match{Alias: m.Alias.Spelling, Kind: m.Alias.Key.Kind, EntityId: m.Alias.Entity, Score: m.Score}
}

// Alias encodes an alias.
func Alias(o tenure.Alias) api.Alias {
	return api.Alias{
		EntityId: o.Entity, Kind: o.Key.Kind, Spelling: o.Spelling, ProjectId: o.Project, Exclusive: o.Exclusive,
		MentionId: o.Mention,
	}
}

// Entry encodes an entry of the log.
func Entry(e tenure.Entry) api.Entry {
	return api.Entry{
		Seq: e.Seq, RecordedAt: e.Tx.Time(), ChangeSetId: e.ID, Operation: e.Operation, Actor: e.Actor,
		Digest: e.Digest, Hash: e.Hash,
		Changes: Each(e.Changes, func(c tenure.EntryChange) api.EntrySubject {
			return api.EntrySubject{Kind: string(c.Kind), Id: c.ID, EntityId: c.Entity, BeliefId: c.Belief, Name: c.Name}
		}),
	}
}

// Node encodes a root in a neighborhood.
func Node(n service.Node) api.Node {
	e := n.Entity
	return api.Node{EntityId: e.ID, RootId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, Hops: n.Hops}
}

// Edge encodes a relation in a neighborhood.
func Edge(e service.Edge) api.Edge {
	return api.Edge{
		BeliefId: e.Belief, Subject: e.Subject, Predicate: e.Predicate, Object: e.Object,
		ValidFrom: OpenTime(e.Window.From), ValidUntil: OpenTime(e.Window.Until),
	}
}

// UndoOf converts a request to undo what has an id.
func UndoOf(id api.Id, in *api.UndoInput) service.Undo {
	body := Value(in)
	return service.Undo{ID: tenure.ID(id), Reviewer: body.Reviewer, Reason: body.Reason}
}

// UndoAnswer encodes the answer to an undo.
func UndoAnswer(w service.Written[service.Undone]) api.UndoAnswer {
	a := w.Answer
	var cut service.Cut
	out := api.UndoAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), UndoneDecisions: shown(&cut, "undone_decisions", a.Undone),
		EntityId: a.EntityID, RootId: a.RootID, ReopenedReviews: shown(&cut, "reopened_reviews", a.Reviews),
		Restored: shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// MergeAnswer encodes the answer to a merge.
func MergeAnswer(w service.Written[service.MergedEntity]) api.MergeAnswer {
	a := w.Answer
	var cut service.Cut
	out := api.MergeAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), MergeId: a.MergeID, EntityId: a.EntityID, RootId: a.RootID,
		SettledReviews: shown(&cut, "settled_reviews", a.Reviews),
		Restored:       shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// SplitAnswer encodes the answer to a split.
func SplitAnswer(w service.Written[service.SplitEntity]) api.SplitAnswer {
	a := w.Answer
	var cut service.Cut
	out := api.SplitAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), SplitId: a.SplitID, EntityId: a.EntityID,
		NewEntityId: a.NewEntityID, Mentions: shown(&cut, "mentions", a.Mentions),
		MovedBeliefs: shown(&cut, "moved_beliefs", a.Moved),
		Restored:     shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// IdentityDecision encodes an identity decision.
func IdentityDecision(v tenure.IdentityDecision) api.IdentityDecision {
	view := api.IdentityDecision{
		DecisionId: v.ID, Kind: v.Kind, From: v.From, Into: v.Into, Automatic: v.Automatic, Score: v.Score, Reason: v.Reason,
		SettledReviews: v.Reviews, ReviewId: v.Review, Actor: v.Actor, At: v.At.Time(),
		Undone: v.Undone, UndoneBy: v.UndoneBy, UndoneReason: v.UndoneReason,
	}
	for _, a := range v.Moved {
		view.Mentions = append(view.Mentions, a.Mention)
	}
	if v.Undone {
		view.UndoneAt = v.UndoneAt.Time()
	}
	return view
}
