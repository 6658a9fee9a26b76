package bulk

import (
	"context"

	"tenure"
	"tenure/service"
	"tenure/service/resolution"
	"tenure/store"
)

// ReextractConfig configures a further reading of the texts of a tenant. An error from Told or Checkpoint ends it.
type ReextractConfig struct {
	Caller tenure.Caller
	// After is the sequence number that an earlier run reached; 0 is the whole log.
	After tenure.Seq
	// Apply writes the readings that differ.
	Apply bool
	// Told receives the texts of which something is to be told. Checkpoint receives the sequence number that was reached,
	// and the counts up to it.
	Told       func(ReadText) error
	Checkpoint func(upTo tenure.Seq, sum Reextracted) error
}

// ReadOutcome is what became of a text that was read again.
type ReadOutcome string

// What becomes of texts that are read again. Those that are read as before are counted, and not told.
const (
	ReadDiffers ReadOutcome = "differs"
	ReadWritten ReadOutcome = "written"
	ReadRefused ReadOutcome = "refused"
	ReadNotRead ReadOutcome = "not_read"
)

// ReadText is what became of a text that was read again.
type ReadText struct {
	Observation tenure.ID   `json:"observation_id"`
	Speaker     string      `json:"speaker,omitempty"`
	Outcome     ReadOutcome `json:"outcome"`
	Reason      string      `json:"reason,omitempty"`
	// Statements are those of the further reading.
	Statements []tenure.Said `json:"statements,omitempty"`
	// Reading is the observation that was written, Beliefs what it made.
	Reading tenure.ID        `json:"reading_id,omitempty"`
	Beliefs []service.Became `json:"beliefs,omitempty"`
	// Gone are the beliefs that a former reading made of statements that are not read any more. They are left as they are.
	Gone []tenure.ID `json:"gone,omitempty"`
}

// Reextracted counts the texts that were read again, and what became of them.
type Reextracted struct {
	Texts, Same, Differ, Written, Refused, NotRead int
	// Made counts the beliefs that were made, Gone those that no statement supports any more.
	Made, Gone int
	Later      resolution.Outcomes
}

// readTogether is how many texts are read together, and entryPage how many entries of the log.
const readTogether, entryPage = 64, 500

// Reextract reads the texts of a tenant again by the extractor of the service, in the order in which they came, and
// waits until entities are re-resolved. It may be interrupted, and run again: what was read by the same extractor
// before is not written twice.
func Reextract(ctx context.Context, s store.Store, svc *service.Service, cfg ReextractConfig) (Reextracted, error) {
	x := &reextraction{Importer: NewImporter(s, svc), cfg: cfg}
	before := svc.Worker().Outcomes()
	view, err := s.View(ctx, cfg.Caller.Tenant, tenure.Present)
	if err != nil {
		return x.sum, err
	}
	end, _ := view.State()
	for after := cfg.After; after < end; {
		entries, err := s.Log(ctx, cfg.Caller.Tenant, after, entryPage)
		if err != nil {
			return x.sum, err
		}
		if len(entries) == 0 {
			break
		}
		if err := x.entries(ctx, view, entries); err != nil {
			return x.sum, err
		}
		after = entries[len(entries)-1].Seq
		if err := cfg.Checkpoint(after, x.sum); err != nil {
			return x.sum, err
		}
	}
	if !cfg.Apply {
		return x.sum, nil
	}
	err = x.settle(ctx, cfg.Caller.Tenant)
	now := svc.Worker().Outcomes()
	x.sum.Later = resolution.Outcomes{Merged: now.Merged - before.Merged, Opened: now.Opened - before.Opened}
	return x.sum, err
}

// reextraction is a further reading under way.
type reextraction struct {
	*Importer

	cfg ReextractConfig
	sum Reextracted
}

// entries reads the texts again that a page of the log has brought, as far as they are in the state that the run began
// with.
func (x *reextraction) entries(ctx context.Context, view store.EvidenceReader, page []tenure.Entry) error {
	var ids []tenure.ID
	for _, e := range page {
		for _, c := range e.Changes {
			if c.Kind.Current() == tenure.KindObservationAdded {
				ids = append(ids, c.ID)
			}
		}
	}
	for len(ids) > 0 {
		n := min(len(ids), readTogether)
		found, err := view.Observations(ctx, ids[:n])
		if err != nil {
			return err
		}
		if err := x.texts(ctx, found); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// texts reads some texts again.
func (x *reextraction) texts(ctx context.Context, found []tenure.Observation) error {
	var list []tenure.Observation
	for _, o := range found {
		if o.Readable() {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return nil
	}
	results, err := x.service.ReadAgain(ctx, x.cfg.Caller, list, x.cfg.Apply)
	if err != nil {
		return err
	}
	for _, r := range results {
		if err := x.tell(r); err != nil {
			return err
		}
	}
	if !x.cfg.Apply {
		return nil
	}
	return x.keepUp(ctx, x.cfg.Caller.Tenant)
}

// tell counts what became of a text, and tells it.
func (x *reextraction) tell(r service.Reread) error {
	t := ReadText{Observation: r.Observation.ID, Speaker: r.Observation.Source.Speaker}
	x.sum.Texts++
	switch {
	case r.Unread:
		t.Outcome = ReadNotRead
		x.sum.NotRead++
	case r.Err != nil:
		t.Outcome, t.Reason = ReadRefused, reasonOf(r.Err)
		x.sum.Refused++
	case r.Written != nil:
		t.Outcome, t.Reading, t.Beliefs = ReadWritten, r.Written.Answer.ObservationID, r.Written.Answer.Beliefs
		t.Statements = r.Written.Answer.Statements
		x.sum.Written++
		x.sum.Made += len(t.Beliefs)
	case r.Differs:
		t.Outcome, t.Statements = ReadDiffers, r.Input.Reading.Statements
		x.sum.Differ++
	default:
		x.sum.Same++
		return nil
	}
	for _, s := range r.Gone {
		t.Gone = append(t.Gone, s.Belief)
	}
	x.sum.Gone += len(t.Gone)
	return x.cfg.Told(t)
}
