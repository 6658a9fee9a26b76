// Package verify checks a store for consistency: neither the log nor the evidence that it vouches for was altered, each
// entity follows from its mentions and identity decisions, and each standing and case follows from the evidence.
//
// Input is a store; output is a report of the differences. The package writes nothing and may run
// concurrently with a server that writes.
package verify

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/store"
)

// Report counts the checked objects and lists the faults found.
type Report struct {
	Entries int
	// Attested counts the entries whose evidence was compared with its digest: those that added any, since entries have
	// digests, and of which none is erased.
	Attested int
	Entities int
	Slots    int
	Findings []string
}

const page = 500

// Tenant checks one tenant.
func Tenant(ctx context.Context, s store.Store, tenant string) (Report, error) {
	var r Report
	view, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		return r, err
	}
	who := &entityChecker{report: &r, view: view, seen: map[tenure.ID]bool{}}
	what := &evidenceChecker{report: &r, store: s, tenant: tenant, erased: map[tenure.ID]bool{}}
	if err := r.log(ctx, s, tenant, view, func(entries []tenure.Entry) error {
		return errors.Join(who.check(ctx, entries), what.check(ctx, entries))
	}); err != nil {
		return r, err
	}
	if err := what.finish(ctx); err != nil {
		return r, err
	}
	err = r.standings(ctx, view)
	return r, err
}

func (r *Report) found(format string, args ...any) {
	r.Findings = append(r.Findings, fmt.Sprintf(format, args...))
}

// log walks the entries up to the view and checks each page of them.
func (r *Report) log(
	ctx context.Context, s store.Store, tenant string, view store.Reader, check func([]tenure.Entry) error,
) error {
	last, _ := view.State()
	previous := tenure.Entry{}
	for previous.Seq < last {
		entries, err := s.Log(ctx, tenant, previous.Seq, page)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			r.found("the log ends at %d; the tenant stands at %d", previous.Seq, last)
			return nil
		}
		for _, e := range entries {
			if e.Seq != previous.Seq+1 {
				r.found("entry %d follows entry %d", e.Seq, previous.Seq)
			}
			if e.Tx <= previous.Tx && previous.Seq > 0 {
				r.found("entry %d is not later than the one before it", e.Seq)
			}
			if e.Hash != e.Seal(previous.Hash) {
				r.found("entry %d does not carry the hash of what it says", e.Seq)
			}
			previous = e
			r.Entries++
		}
		if err := check(entries); err != nil {
			return err
		}
	}
	return nil
}

// standings recomputes the standings of every slot and compares them with the stored ones.
func (r *Report) standings(ctx context.Context, view store.Reader) error {
	after := ""
	for {
		slots, err := view.SlotsAfter(ctx, after, page)
		if err != nil {
			return err
		}
		if len(slots) == 0 {
			return nil
		}
		txn := ledger.NewTxn(view)
		if err := txn.Load(ctx, ledger.Prefetch{Slots: slots}); err != nil {
			return err
		}
		_, tx := view.State()
		if _, err := projection.Project(ctx, txn, projection.Cause{Slots: slots}, tx); err != nil {
			return err
		}
		for _, c := range txn.Changes() {
			switch c := c.(type) {
			case tenure.StandingPut:
				same, err := stored(ctx, view, c.Standing)
				if err != nil {
					return err
				}
				if !same {
					r.found("belief %s does not stand as its evidence says", c.Standing.Belief)
				}
			case tenure.CasePut:
				r.found("case %s is not what its slot holds", c.Case.ID)
			}
		}
		r.Slots += len(slots)
		after = slots[len(slots)-1].Key()
	}
}

// stored reports whether a standing is the one that the store has. That may name labels of evidence besides that was
// moved away since.
func stored(ctx context.Context, view store.Reader, s tenure.Standing) (bool, error) {
	list, err := view.Beliefs(ctx, []tenure.ID{s.Belief})
	if err != nil || len(list) != 1 {
		return false, err
	}
	have := list[0].Standing
	for _, l := range labelsOf(s) {
		if !slices.Contains(labelsOf(have), l) {
			return false, nil
		}
	}
	s.Labels, have.Labels = nil, nil
	return reflect.DeepEqual(s, have), nil
}

// labelsOf lists the labels of the evidence of a standing.
func labelsOf(s tenure.Standing) []tenure.Label {
	if len(s.Labels) == 0 {
		return []tenure.Label{{}}
	}
	return s.Labels
}
