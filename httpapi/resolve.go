package httpapi

import (
	"context"

	"tenure/api"
	"tenure/service"
)

// Resolve implements POST /v1/resolve.
func (s *server) Resolve(ctx context.Context, req api.ResolveRequestObject) (api.ResolveResponseObject, error) {
	in := req.Body
	r := service.ResolveRequest{
		Mentions: each(in.Mentions, mentionOf), Text: in.Text, Scope: in.Scope, MaxCandidates: value(in.MaxCandidates),
	}
	if in.KnownAt != "" {
		var err error
		if r.Known, err = parseKnownAt(in.KnownAt, "/known_at"); err != nil {
			return nil, err
		}
	}
	found, err := s.deps.Service.Resolve(ctx, callerOf(ctx), r)
	return api.Resolve200JSONResponse{
		// names have transaction time only
		Mentions: each(found.Mentions, resolvedView), AsOf: knownState(found.Seq, found.Tx),
		Index: &api.IndexState{Lag: found.Lag},
	}, err
}

func resolvedView(m service.ResolvedMention) api.ResolvedMention {
	v := api.ResolvedMention{
		Name: m.Name, Type: m.Type, Decision: m.Outcome, Score: m.Score, EntityId: m.Entity, Reason: m.Reason,
		Candidates: each(m.Candidates, candidateView),
	}
	if p := m.Place; p != nil {
		v.Start, v.End, v.Chain = &p.Start, &p.End, p.Chain
	}
	return v
}

func candidateView(c service.RankedCandidate) api.RankedCandidate {
	return api.RankedCandidate{
		EntityId: c.Root.ID, Name: c.Root.Name, Type: c.Root.Type, Status: c.Root.Status,
		Score: c.Score, Veto: c.Veto, Contributions: nonNil(c.Contributions), Aliases: c.Aliases,
	}
}

// Compare implements POST /v1/compare.
func (s *server) Compare(ctx context.Context, req api.CompareRequestObject) (api.CompareResponseObject, error) {
	c, err := s.deps.Service.Compare(ctx, callerOf(ctx), mentionOf(*req.Body.Left), mentionOf(*req.Body.Right))
	if err != nil {
		return nil, err
	}
	return api.Compare200JSONResponse(comparisonView(c)), nil
}

func comparisonView(c service.Comparison) api.Comparison {
	return api.Comparison{
		Score: c.Score, Decision: c.Band, Veto: c.Veto, Prior: api.Prior{Name: c.Prior.Name, LogOdds: c.Prior.LogOdds},
		Contributions: nonNil(c.Contributions), Model: c.Model,
	}
}
