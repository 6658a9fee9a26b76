package storetest

import (
	"tenure"
	"tenure/store"
)

var proposalPromises = []promise{
	{"ProposalsOn lists the observations made in a scope that is visible in another that propose a change of one of the " +
		"entities, each once and without what was made of them", proposalsOn},
	{"of each entity the newest perEntity, of one change set those of the greatest ids.", proposalsNewest},
}

// proposing is an observation in a scope whose statements propose a change of each of some entities, in whose place ""
// stands for what was no entity.
func proposing(in tenure.Scope, entities ...tenure.ID) tenure.Observation {
	o := tenure.Observation{ID: newID(), Scope: in, Text: "x", Statements: []tenure.Said{{Effect: tenure.Keeps}}}
	for _, e := range entities {
		o.Statements = append(o.Statements, tenure.Said{
			Effect: tenure.Unsure, Entity: e, Predicate: "office", Proposal: &tenure.Proposal{Effect: tenure.Set, Value: "y"},
		})
	}
	return o
}

// foundOn are the ids of what proposes a change of the entities.
func (w *world) foundOn(r store.Reader, in tenure.Scope, perEntity int, entities ...tenure.ID) []tenure.ID {
	w.Helper()
	list, err := r.ProposalsOn(background(), entities, in, perEntity)
	w.ok(err)
	found := []tenure.ID{}
	for _, o := range list {
		found = append(found, o.Observation.ID)
	}
	return found
}

func proposalsOn(w *world) {
	a, b, c, all := newID(), newID(), newID(), tenure.Scope{}
	project := tenure.Scope{Kind: tenure.ScopeTask, ProjectID: "p"}
	both, twice := proposing(all, a, b), proposing(all, b, b, "")
	within, draft := proposing(project, a), proposing(tenure.Scope{Kind: tenure.ScopeDraft}, a)
	other := proposing(tenure.Scope{ProjectID: "q", UserID: "p"}, a)
	plain := tenure.Observation{ID: newID(), Statements: []tenure.Said{{Effect: tenure.Set, Entity: a}}}
	var first tenure.Receipt
	entries := []store.Recorded{}
	for i, o := range []tenure.Observation{both, plain, twice, within, draft, other, proposing(all, "")} {
		recorded := w.recorded(set(tenure.ObservationAdded{Observation: o}))
		if entries = append(entries, recorded...); i == 0 {
			first = tenure.Receipt{Seq: recorded[0].Entry.Seq, Tx: recorded[0].Entry.Tx}
		}
	}
	now := w.now()
	w.same("of two", []tenure.ID{both.ID, twice.ID}, w.foundOn(now, all, 9, b, a))
	w.same("of one", []tenure.ID{both.ID}, w.foundOn(now, all, 9, a, a))
	w.same("in a project", []tenure.ID{both.ID, within.ID}, w.foundOn(now, project, 9, a, c))
	w.same("in another", []tenure.ID{both.ID}, w.foundOn(now, tenure.Scope{ProjectID: "q"}, 9, a))
	w.same("among drafts", []tenure.ID{both.ID, draft.ID}, w.foundOn(now, tenure.Scope{Kind: tenure.ScopeDraft}, 9, a))
	w.same("of nothing that changes", []tenure.ID{}, w.foundOn(now, all, 9, c, ""))
	w.same("of nothing", []tenure.ID{}, w.foundOn(now, all, 9))
	w.same("before", []tenure.ID{both.ID}, w.foundOn(w.view(tenure.AsOf{Seq: first.Seq}), all, 9, a, b))
	w.same("of another tenant", []tenure.ID{}, w.foundOn(w.other().now(), all, 9, a, b))
	list, err := now.ProposalsOn(background(), []tenure.ID{a}, all, 9)
	w.ok(err)
	w.same("the record", []store.ObservationRecord{{Observation: both, RecordedAt: first.Tx}}, list)
	copied := w.other()
	w.ok(copied.archive().Replay(background(), copied.tenant, entries))
	w.same("of a copy", []tenure.ID{both.ID, twice.ID}, w.foundOn(copied.now(), all, 9, b, a))
}

func proposalsNewest(w *world) {
	a, b, all := newID(), newID(), tenure.Scope{}
	old := proposing(all, a)
	w.apply(tenure.ObservationAdded{Observation: old})
	one, two := proposing(all, a), proposing(all, a)
	w.apply(tenure.ObservationAdded{Observation: two}, tenure.ObservationAdded{Observation: one})
	hidden := proposing(tenure.Scope{UserID: "u"}, a)
	w.apply(tenure.ObservationAdded{Observation: hidden})
	others := proposing(all, b)
	w.apply(tenure.ObservationAdded{Observation: others})
	greater := max(one.ID, two.ID)
	w.same("the newest", []tenure.ID{greater}, w.foundOn(w.now(), all, 1, a))
	w.same("the newest of each", []tenure.ID{greater, others.ID}, w.foundOn(w.now(), all, 1, a, b))
	w.same("two", sorted(one.ID, two.ID), w.foundOn(w.now(), all, 2, a))
	w.same("all", append([]tenure.ID{old.ID}, sorted(one.ID, two.ID)...), w.foundOn(w.now(), all, 3, a))
	w.same("none", []tenure.ID{}, w.foundOn(w.now(), all, 0, a))
}
