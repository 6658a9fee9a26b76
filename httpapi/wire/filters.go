package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// BeliefFilter converts the filter of a list of beliefs.
func BeliefFilter(p api.ListBeliefsParams) service.BeliefFilter {
	return service.BeliefFilter{
		Entity: tenure.ID(Value(p.EntityId)), Predicate: Value(p.Predicate), Status: tenure.Status(Value(p.Status)),
		Text: Value(p.Text), Source: Value(p.Source), Layer: tenure.Layer(Value(p.Layer)), NeedsReview: p.NeedsReview,
	}
}

// TaskFilter converts the filter of a list of tasks.
func TaskFilter(p api.ListTasksParams) service.TaskFilter {
	return service.TaskFilter{
		Kind: Value(p.Kind), WaitsFor: Value(p.WaitsFor), Project: Value(p.ProjectId), Lease: Value(p.Lease),
	}
}

// CaseFilter converts the filter of a list of cases.
func CaseFilter(p api.ListCasesParams) (f service.CaseFilter, err error) {
	f = service.CaseFilter{
		State: tenure.CaseState(Value(p.State)), Entity: tenure.ID(Value(p.EntityId)), Name: Value(p.Name),
		Predicate: Value(p.Predicate), Project: Value(p.ProjectId), Resolver: Value(p.Resolver), Lease: Value(p.Lease),
		SettledBy: Value(p.SettledBy), Due: Value(p.Due), ByID: p.Order != nil && *p.Order != "priority",
	}
	if f.OpenedAfter, err = instantParameter("opened_after", p.OpenedAfter); err != nil {
		return f, err
	}
	f.OpenedBefore, err = instantParameter("opened_before", p.OpenedBefore)
	return f, err
}

// ReviewFilter converts the filter of a list of reviews.
func ReviewFilter(p api.ListReviewsParams) (f service.ReviewFilter, err error) {
	f = service.ReviewFilter{
		State: tenure.ReviewState(Value(p.State)), Entity: tenure.ID(Value(p.EntityId)), Type: Value(p.Type),
		Project: Value(p.ProjectId), Reason: Value(p.Reason), Name: Value(p.Name),
		MinScore: p.MinScore, MaxScore: p.MaxScore, DecidedBy: Value(p.DecidedBy), Lease: Value(p.Lease),
		ByID: p.Order != nil && *p.Order != "priority",
	}
	if f.OpenedAfter, err = instantParameter("opened_after", p.OpenedAfter); err != nil {
		return f, err
	}
	f.OpenedBefore, err = instantParameter("opened_before", p.OpenedBefore)
	return f, err
}

// ObservationFilter converts the filter of a list of observations.
func ObservationFilter(p api.ListObservationsParams) (f service.ObservationFilter, err error) {
	f = service.ObservationFilter{
		Session: Value(p.SessionId), Project: Value(p.ProjectId), Speaker: Value(p.Speaker), Origin: Value(p.Origin),
		Text: Value(p.Text),
	}
	if f.Since, err = instantParameter("since", p.Since); err != nil {
		return f, err
	}
	f.Until, err = instantParameter("until", p.Until)
	return f, err
}
