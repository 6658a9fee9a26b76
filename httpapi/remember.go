package httpapi

import (
	"context"

	"tenure/api"
	"tenure/httpapi/wire"
)

// Remember implements POST /v1/remember.
func (s *server) Remember(ctx context.Context, req api.RememberRequestObject) (api.RememberResponseObject, error) {
	w, err := s.deps.Service.Remember(ctx, callerOf(ctx), keyOf(ctx), wire.RememberOf(*req.Body))
	a := w.Answer
	out := api.Remember201JSONResponse{
		ObservationId: a.ObservationID, Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(),
		Entities: []api.RememberedEntity{}, Beliefs: wire.Each(a.Beliefs, wire.BeliefAnswer),
		Statements: wire.Statements(a.Statements), Later: wire.LaterTexts(a.Later), Registered: wire.NonNil(a.Registered),
		Warnings: wire.Each(a.Warnings, wire.Warning),
	}
	for i, m := range a.Mentions {
		v := wire.MentionAnswer(m)
		out.Entities = append(out.Entities, api.RememberedEntity{
			Name: a.Names[i], MentionId: v.MentionId, Decision: v.Decision, Score: v.Score, EntityId: v.EntityId,
			PendingId: v.PendingId, ReviewId: v.ReviewId, Reason: v.Reason, Candidates: v.Candidates,
		})
	}
	return out, made(ctx, "/v1/observations/", a.ObservationID, w.Receipt, err)
}
