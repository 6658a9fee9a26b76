package view

import (
	"context"
	"fmt"
	"strings"

	"tenure"
	"tenure/labels"
	"tenure/store"
	"tenure/text"
)

// ObservationRecord is an observation with the assignments of its mentions.
type ObservationRecord struct {
	Observation tenure.Observation
	RecordedAt  tenure.Instant
	Mentions    []AssignedMention
}

// ObservationFilter selects observations. A zero field does not filter. Text matches a part of the text, whatever its
// case.
type ObservationFilter struct {
	Session, Project, Speaker, Origin, Text string
	Since, Until                            *tenure.Instant
}

// search returns the field of the filter by which the store searches: that which chooses the fewest, as a rule.
func (f ObservationFilter) search() (store.ObservationField, string) {
	switch {
	case f.Session != "":
		return store.BySession, f.Session
	case f.Speaker != "":
		return store.BySpeaker, f.Speaker
	case f.Project != "":
		return store.ByProject, f.Project
	}
	return "", ""
}

// chooses reports whether the filter selects an observation within its window.
func (f ObservationFilter) chooses(o tenure.Observation) bool {
	is := func(wanted, have string) bool { return wanted == "" || wanted == have }
	return is(f.Session, store.BySession.Field(o)) && is(f.Project, store.ByProject.Field(o)) &&
		is(f.Speaker, store.BySpeaker.Field(o)) && is(f.Origin, o.Source.Origin) &&
		(f.Text == "" || strings.Contains(text.Plain(o.Text), text.Plain(f.Text)))
}

// Observations lists the observations whose scope and claims are all visible to the caller, those observed last first,
// without their mentions.
func (v *View) Observations(ctx context.Context, f ObservationFilter, p Page) (Listing[ObservationRecord], error) {
	q := store.ObservationQuery{From: tenure.MinTime, Before: tenure.MaxTime}
	q.By, q.Name = f.search()
	if f.Since != nil {
		q.From = *f.Since
	}
	if f.Until != nil {
		q.Before = *f.Until
	}
	key := func(o store.ObservationRecord) string {
		return fmt.Sprintf("%d/%s", o.Observation.ObservedAt, o.Observation.ID)
	}
	fetch := func(after string, n int) ([]store.ObservationRecord, error) {
		if q.Limit = n; after != "" {
			if _, err := fmt.Sscanf(after, "%d/%s", &q.Before, &q.BeforeID); err != nil {
				return nil, tenure.FieldError(tenure.StaleCursor, "cursor", "is not the place of an observation")
			}
		}
		return v.reader.ListObservations(ctx, q)
	}
	return scan(p.WithDefaults(), fetch, key, func(list []store.ObservationRecord) ([]*ObservationRecord, error) {
		return v.chosen(ctx, f, list)
	})
}

// chosen returns the observations that a filter selects and the caller sees, nil in the place of each other one.
func (v *View) chosen(
	ctx context.Context, f ObservationFilter, list []store.ObservationRecord,
) ([]*ObservationRecord, error) {
	kept := make([]*ObservationRecord, len(list))
	var claims []tenure.ID
	for i, o := range list {
		if v.sees.Sees(labels.LabelOf(o.Observation)) && f.chooses(o.Observation) {
			kept[i] = &ObservationRecord{Observation: o.Observation, RecordedAt: o.RecordedAt}
			claims = append(claims, o.Observation.Claims...)
		}
	}
	beliefs, err := v.reader.Beliefs(ctx, claims)
	if err != nil {
		return nil, err
	}
	hidden := map[tenure.ID]bool{} // observations with a claim that the caller does not see
	for _, b := range beliefs {
		if !v.sees.Sees(b.Claim.Label()) {
			hidden[b.Claim.Observation] = true
		}
	}
	var seen []tenure.Observation
	for _, o := range kept {
		if o != nil {
			seen = append(seen, o.Observation)
		}
	}
	withheld, err := v.withheld(ctx, seen)
	if err != nil {
		return nil, err
	}
	for i, o := range kept {
		if o != nil && (hidden[o.Observation.ID] || withheld[o.Observation.Of]) {
			kept[i] = nil
		}
	}
	return kept, nil
}

// withheld finds the observations that some others are of, and that the caller may not see.
func (v *View) withheld(ctx context.Context, list []tenure.Observation) (map[tenure.ID]bool, error) {
	var ids, claims []tenure.ID
	for _, o := range list {
		if o.Of != "" {
			ids = append(ids, o.Of)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := v.reader.Observations(ctx, sortedUnique(ids))
	if err != nil {
		return nil, err
	}
	out := map[tenure.ID]bool{}
	for _, o := range found {
		out[o.ID] = !v.sees.Sees(labels.LabelOf(o))
		claims = append(claims, o.Claims...)
	}
	beliefs, err := v.reader.Beliefs(ctx, sortedUnique(claims))
	for _, b := range beliefs {
		if !v.sees.Sees(b.Claim.Label()) {
			out[b.Claim.Observation] = true
		}
	}
	return out, err
}

// AssignedMention is a mention with its assignment and the root of the assigned entity; both are zero for an
// unassigned mention.
type AssignedMention struct {
	Mention    tenure.Mention
	Assignment tenure.Assignment
	RootID     tenure.ID
}

// Observation returns an observation whose scope and claims are all visible to the caller.
func (v *View) Observation(ctx context.Context, id tenure.ID) (ObservationRecord, error) {
	rec, err := v.reader.Observation(ctx, id)
	if err != nil {
		return ObservationRecord{}, Hide(err)
	}
	beliefs, err := v.reader.Beliefs(ctx, rec.Observation.Claims)
	if err != nil {
		return ObservationRecord{}, err
	}
	if !v.sees.Sees(labels.LabelOf(rec.Observation)) || len(v.visible(beliefs)) != len(beliefs) {
		return ObservationRecord{}, Absent()
	}
	withheld, err := v.withheld(ctx, []tenure.Observation{rec.Observation})
	if err != nil {
		return ObservationRecord{}, err
	}
	if withheld[rec.Observation.Of] {
		return ObservationRecord{}, Absent()
	}
	var assigned []tenure.ID
	for _, a := range rec.Assignments {
		assigned = append(assigned, a.Entity)
	}
	roots, err := v.rootIDs(ctx, assigned)
	out := ObservationRecord{Observation: rec.Observation, RecordedAt: rec.RecordedAt}
	out.Observation.Classification = labels.LabelOf(rec.Observation).Level()
	for i, m := range rec.Mentions {
		mention := AssignedMention{Mention: m}
		if i < len(rec.Assignments) {
			mention.Assignment = rec.Assignments[i]
			mention.RootID = roots[mention.Assignment.Entity]
		}
		out.Mentions = append(out.Mentions, mention)
	}
	return out, err
}
