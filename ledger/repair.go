package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"tenure"
)

// Reasons why a group was not decided in its time: the decision took long, or the store did not even say which state it
// is in.
var (
	errSlow   = errors.New("the decision took longer than its time")
	errSilent = errors.New("the store did not answer in time")
)

// Shares of [Config.Timeout], as their inverses, that the decision of several requests has. A single one has all of it.
// A part of a group has half of the time of the whole, so that the way to the request that takes long costs twice the
// first attempt.
const (
	groupShare = 6
	leastShare = 30
)

// timeFor returns how long the decision of n requests may take that were divided so often. A single request that was
// divided from others has no more than they: what it lacks it gets at the end.
func (w *Writer) timeFor(n, divided int) time.Duration {
	if n == 1 && divided == 0 {
		return w.cfg.Timeout
	}
	return max(w.cfg.Timeout/groupShare>>min(divided, 16), w.cfg.Timeout/leastShare)
}

// mostSuspects is after how many requests that take long on their own the store is taken for slow, and no longer the
// requests: the others are not divided then, but executed alone with all of their time.
const mostSuspects = 3

// repair executes the requests of a group whose first attempt failed, so that a request which takes long, panics or is
// refused by the engine costs no other its answer: the group is divided in halves until it is found. Requests that
// take long come last.
type repair struct {
	*Writer

	tenant   string
	suspects []*pending
	lost     error // of a store that does not answer: the other requests are refused with it
}

// redo executes a group of which the first attempt has failed with the error, if it has one.
func (w *Writer) redo(tenant string, group []*pending, err error) {
	r := &repair{Writer: w, tenant: tenant}
	switch code := tenure.CodeOf(err); {
	case err == nil || code == tenure.Conflicting:
		r.part(group, 0)
	case errors.Is(err, errSilent) && len(group) > 1: // a store that has just been started is slow at first
		r.divide(group, 0)
	case errors.Is(err, errSilent):
		r.suspects = group
	default:
		r.failed(group, err, 0)
	}
	r.last()
}

// part executes a part of a group, and divides it if it fails. Nobody waits for the requests of callers who have
// left meanwhile.
func (r *repair) part(group []*pending, divided int) {
	group = wanted(slices.Clone(group))
	switch {
	case len(group) == 0:
	case r.lost != nil:
		refuse(group, r.lost)
	case len(r.suspects) >= mostSuspects:
		r.suspects = append(r.suspects, group...)
	default:
		if rest, err := r.together(group, r.timeFor(len(group), divided)); err != nil {
			r.failed(rest, err, divided)
		}
	}
}

// failed settles what becomes of requests that could not be executed together.
func (r *repair) failed(group []*pending, err error, divided int) {
	slow, code := errors.Is(err, errSlow), tenure.CodeOf(err)
	switch {
	case !slow && (code == tenure.Unavailable || code == tenure.Conflicting):
		r.lost = err
		refuse(group, err)
	case len(group) > 1:
		r.divide(group, divided)
	case slow:
		r.suspects = append(r.suspects, group...)
	default:
		r.noteFailure(r.tenant, group[0], err)
		refuse(group, err)
	}
}

func (r *repair) divide(group []*pending, divided int) {
	half := len(group) / 2
	r.part(group[:half], divided+1)
	r.part(group[half:], divided+1)
}

// last executes the requests that take long, each with all of its time. If as many as would make the store slow fail
// once more, the others are refused.
func (r *repair) last() {
	failures := 0
	for _, it := range wanted(slices.Clone(r.suspects)) {
		if r.lost != nil {
			refuse([]*pending{it}, r.lost)
			continue
		}
		if _, err := r.together([]*pending{it}, r.cfg.Timeout); err != nil {
			r.noteFailure(r.tenant, it, err)
			refuse([]*pending{it}, err)
			if failures++; failures == mostSuspects {
				r.lost = err
			}
		}
	}
}

// together executes requests, in as many transactions as they need. It returns those that are left with their error.
func (r *repair) together(group []*pending, within time.Duration) (rest []*pending, err error) {
	ctx, cancel := context.WithTimeout(r.deciding, r.cfg.Timeout)
	defer cancel()
	ctx, span := shareSpan(ctx, group)
	defer func() { span.End(string(tenure.CodeOf(err))) }()
	for len(group) > 0 {
		n, err := r.execute(ctx, r.tenant, group, within)
		if err != nil {
			return group, err
		}
		group = group[n:]
	}
	return nil, nil
}

// refuse gives requests the error that they ended with.
func refuse(group []*pending, err error) {
	for _, it := range group {
		it.res = Result{Err: err}
	}
}
