package httpapi

import (
	"context"
	"errors"
	"strconv"

	"tenure"
	"tenure/fair"
)

// inTurn carries out an operation, a read once it is its turn. It surrounds the handler alone, so that no turn is taken
// while a body comes in or an answer goes out, which is as slow as the client is.
func (s *server) inTurn(ctx context.Context, handle func(context.Context) error) error {
	st := stateOf(ctx)
	if !st.reads() {
		return handle(ctx)
	}
	switch err := s.reads.Do(ctx, st.caller.Tenant, st.caller.Actor, handle); {
	case errors.Is(err, fair.ErrFull):
		return tenure.Errorf(tenure.Unavailable, "too many reads are waiting already: try again later")
	case errors.Is(err, fair.ErrWaited):
		return tenure.Errorf(tenure.Unavailable, "other reads kept this one waiting for %s: try again later",
			s.cfg.reads().Wait)
	default:
		return err
	}
}

// reads reports whether the request takes its turn among the reads. What is decided without being written does, too,
// since it does not wait among the writes.
func (st *state) reads() bool {
	dry, _ := strconv.ParseBool(st.echo.QueryParam("dry_run"))
	return st.op.read || dry
}
