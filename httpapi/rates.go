package httpapi

import (
	"context"
	"net/http"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi/admission"
)

// afford takes from the buckets of the caller what a request costs as far as its header tells, or returns TooMany. The
// lines of a batch pay for themselves.
func (s *server) afford(ctx context.Context, op *operation, r *http.Request) error {
	if op.public {
		return nil
	}
	st, length := stateOf(ctx), r.ContentLength
	if op.stream {
		length = 0
	}
	st.paid = admission.Cost(op.id, length, 0)
	wait := s.rates.Admit(s.deps.Mint().Now.Time(), st.caller.Tenant, st.caller.Actor, st.paid)
	if wait > 0 {
		return &tenure.Error{
			Code: tenure.TooMany, Message: "this key, or its tenant, asks for more than it may", RetryAfter: wait,
		}
	}
	return nil
}

// owe takes what a request costs beyond what its header told, once its body is decoded. It is carried out in any case,
// and the next ones wait for what is missing.
func (s *server) owe(st *state, bytes int64, target any) {
	if more := admission.Cost(st.op.id, bytes, namesIn(target)) - st.paid; more > 0 {
		s.rates.Owe(s.deps.Mint().Now.Time(), st.caller.Tenant, st.caller.Actor, more)
	}
}

// oweAnswer takes what the answer of a request costs, once it is written.
func (s *server) oweAnswer(st *state, bytes int64) {
	if more := admission.CostOfAnswer(bytes); more > 0 && !st.op.public && !st.op.stream {
		s.rates.Owe(s.deps.Mint().Now.Time(), st.caller.Tenant, st.caller.Actor, more)
	}
}

// namesIn returns how many names a body brings that are looked for and compared.
func namesIn(target any) int {
	switch in := target.(type) {
	case *api.ObservationInput:
		return namesOf(in.Mentions)
	case *api.BatchLine:
		return namesOf(in.Mentions)
	case *api.ResolveInput:
		return namesOf(in.Mentions)
	case *api.RememberInput:
		return 2 * len(in.Facts) // whom a fact is about, and whom it may name
	}
	return 0
}

func namesOf(mentions []api.MentionInput) int {
	n := len(mentions)
	for _, m := range mentions {
		n += len(m.Aliases)
	}
	return n
}

// throttle takes the cost of a group of lines and waits until it is made up for, or the context ends: whoever sends a
// batch is slowed down, and none of its lines is refused.
func (b *batch) throttle(ctx context.Context, cost int) {
	st := stateOf(b.ctx)
	wait := b.server.rates.Owe(b.server.deps.Mint().Now.Time(), st.caller.Tenant, st.caller.Actor, cost)
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
