package service

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"tenure"
	"tenure/compile"
	"tenure/erasure"
	"tenure/ledger"
)

// ErasureRequest says whose content is erased.
type ErasureRequest = erasure.Request

// Erasure is what a request erases, or has erased.
type Erasure struct {
	// Plan names what is erased. It is "" in the answer to a request that erased.
	Plan string
	erasure.Counts
	// Compilations counts the kept answers that tell of it.
	Compilations int
	// Ended are beliefs that are not erased and end where they had yielded to what is. Restored are not erased and stand
	// at some time at which they did not before.
	Ended, Restored []tenure.ID
	// Elsewhere are observations of which a part stays that has a name or an identifier: at most mostElsewhere.
	Elsewhere     []tenure.ID
	MoreElsewhere bool
	// Rewritten reports whether the files of the store were written anew without what was erased.
	Rewritten bool
}

const (
	// mostElsewhere bounds the observations that an erasure lists and does not erase.
	mostElsewhere = 1000
	// erasedAtOnce bounds the observations of a change set.
	erasedAtOnce = 50
	// documentsAtOnce bounds the documents of a change set.
	documentsAtOnce = 10
	// PurgeTime bounds how long a request waits for the files to be written anew.
	PurgeTime = 10 * time.Minute
	// purgeEvery is how often files are looked at that were not written anew, and seldomPurged how often at least.
	purgeEvery, seldomPurged = 10 * time.Minute, 6 * time.Hour
)

// Erase erases content, where the plan is that of what a request without one would erase. Without a plan it erases
// nothing. It returns Forbidden to administrators who are bound, or not cleared for everything; NotFound for an entity,
// an observation or a document that there is not; and Conflicting if what would be erased has changed since the plan
// was made. After an error a part may be erased; the same request, with a new plan, erases the rest.
func (s *Service) Erase(ctx context.Context, c tenure.Caller, q ErasureRequest, plan string) (Erasure, error) {
	if !c.Unbound() || c.Clearance.Rank() < tenure.HighlyRestricted.Rank() {
		return Erasure{}, tenure.Errorf(tenure.Forbidden,
			"content is erased by administrators who are bound to nothing and cleared for everything")
	}
	view, err := s.store.View(ctx, c.Tenant, tenure.Present)
	if err != nil {
		return Erasure{}, err
	}
	p, err := erasure.Collect(ctx, view, q)
	if err != nil {
		return Erasure{}, err
	}
	out := Erasure{Plan: p.Digest(), Counts: p.Counts(), Ended: []tenure.ID{}, Restored: []tenure.ID{}}
	out.Elsewhere = p.Elsewhere[:min(len(p.Elsewhere), mostElsewhere)]
	out.MoreElsewhere = len(p.Elsewhere) > len(out.Elsewhere)
	if plan == "" {
		tells := telling(p)
		_, err = s.store.EraseCompilations(ctx, c.Tenant, func(kept tenure.Compilation) bool {
			if tells(kept) {
				out.Compilations++
			}
			return false
		})
		return out, err
	}
	if plan != out.Plan {
		return Erasure{}, tenure.FieldError(tenure.Conflicting, "plan",
			"is not that of what would be erased now: ask again without one")
	}
	out.Plan = ""
	// It is carried out to its end even if the caller has gone.
	err = s.carryOut(context.WithoutCancel(ctx), c, p, &out)
	return out, err
}

func (s *Service) carryOut(ctx context.Context, c tenure.Caller, p erasure.Plan, out *Erasure) error {
	for _, cmd := range partsOf(c, p) {
		res := read[erasure.Answer](s.writer.Do(ctx, c.Tenant, ledger.Request{
			Command: cmd, Operation: "erase", Actor: c.Actor,
		})[0])
		if res.Err != nil {
			return res.Err
		}
		erased := func(id tenure.ID) bool { return p.IDs[id] } // by another part
		out.Ended = append(out.Ended, slices.DeleteFunc(res.Answer.Ended, erased)...)
		out.Restored = append(out.Restored, slices.DeleteFunc(res.Answer.Restored, erased)...)
	}
	slices.Sort(out.Restored) // a part may restore what another did
	out.Restored = slices.Compact(out.Restored)
	s.awaitCompilations()
	var err error
	if out.Compilations, err = s.store.EraseCompilations(ctx, c.Tenant, telling(p)); err != nil {
		return err
	}
	if out.Rewritten, err = s.rewrite(ctx); err != nil {
		s.logger.WarnContext(ctx, "the files hold what was erased, and are written anew later", "error", err)
	}
	return nil
}

// rewrite has the files of the store written anew.
func (s *Service) rewrite(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, PurgeTime)
	defer cancel()
	return s.store.Purge(ctx)
}

// purge has the files written anew, until the context ends, where an erasure ended before they were. What does not
// succeed is tried less and less often: each time takes room, and makes writers wait.
func (s *Service) purge(ctx context.Context) {
	pause := purgeEvery
	for ctx.Err() == nil {
		left, err := s.store.Unpurged(ctx)
		if err == nil && left {
			var done bool
			done, err = s.rewrite(ctx)
			if pause = min(2*pause, seldomPurged); done {
				pause = purgeEvery
			}
		}
		if err != nil && ctx.Err() == nil {
			s.logger.WarnContext(ctx, "the files hold what was erased, and are written anew later", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// partsOf divides a plan into what is erased by one change set each.
func partsOf(c tenure.Caller, p erasure.Plan) (parts []erasure.Erase) {
	for units := range slices.Chunk(p.Units, erasedAtOnce) {
		parts = append(parts, erasure.Erase{Actor: c.Actor, Units: units})
	}
	if len(parts) == 0 && len(p.Entities) > 0 {
		parts = []erasure.Erase{{Actor: c.Actor}} // an entity may have a name that no mention says any more
	}
	if len(parts) > 0 {
		parts[len(parts)-1].Entities = p.Entities
	}
	for list := range slices.Chunk(p.Documents, documentsAtOnce) {
		parts = append(parts, erasure.Erase{Actor: c.Actor, Documents: list})
	}
	return parts
}

// awaitCompilations waits for the compilations under way, which may have read what there was before: they are kept by
// then.
func (s *Service) awaitCompilations() {
	s.compiling.Lock()
	s.compiling.Unlock() //nolint:gocritic,staticcheck // the lock is waited for, and nothing is done under it
}

// uuid is the form of an id.
var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// telling returns a condition that is true of the compilations which tell of something that a plan erases: by its id,
// or by a word, also in what was reported of them; and of those that were made for the user. One that cannot be read
// may.
func telling(p erasure.Plan) func(tenure.Compilation) bool {
	var words [][]byte
	for _, w := range p.Words {
		if text, err := inJSON(w); err == nil {
			words = append(words, bytes.Trim(text, "\"\n"))
		}
	}
	people := erasure.NewFinder(p.Words) // in what people wrote; the rest is as it was said
	return func(kept tenure.Compilation) bool {
		k, err := compile.Unpack(kept.Body)
		if err != nil {
			return true
		}
		var asked struct{ Scope tenure.Scope }
		if len(k.Request) > 0 && json.Unmarshal(k.Request, &asked) != nil || p.User != "" && asked.Scope.UserID == p.User {
			return true
		}
		if people.In(erasure.TextsOf(k.Request, false)...) || kept.Outcome != nil && people.In(kept.Outcome.Report.Note) {
			return true
		}
		body := slices.Concat(k.Request, k.Body)
		if kept.Outcome != nil {
			body = append(body, kept.Outcome.Report.Note...)
		}
		if slices.ContainsFunc(uuid.FindAll(body, -1), func(id []byte) bool { return p.IDs[tenure.ID(id)] }) {
			return true
		}
		body = bytes.ToLower(body)
		return slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(body, w) })
	}
}
