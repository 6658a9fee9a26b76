package observe

import (
	"context"
	"time"

	"tenure"
	"tenure/store"
	"tenure/tracing"
)

// reader times and traces the reads of a store.Reader. The Reader is a field and not embedded, so that the
// compiler refuses a method that goes untimed.
type reader struct {
	next  store.Reader
	now   func() time.Time
	reads *reads
}

var _ store.Reader = (*reader)(nil)

// read is one read in progress.
type read struct {
	r      *reader
	method method
	began  time.Time
	span   tracing.Span
}

func (r *reader) begin(ctx context.Context, m method) (context.Context, read) {
	ctx, span := tracing.Start(ctx, spanNames[m])
	return ctx, read{r, m, r.now(), span}
}

// end records the duration, the number of results and the error of the read.
func (c read) end(found int, err error) {
	c.r.reads[c.method].Observe(c.r.now().Sub(c.began).Seconds())
	if c.span.On() {
		c.span.Set(foundKey.Int(found))
		c.span.End(string(tenure.CodeOf(err)))
	}
}

// State is not timed: it returns what is known since the view was made.
func (r *reader) State() (tenure.Seq, tenure.Instant) { return r.next.State() }

func (r *reader) Receipts(ctx context.Context, scopes []string) (map[string]tenure.Receipt, error) {
	ctx, call := r.begin(ctx, readReceipts)
	found, err := r.next.Receipts(ctx, scopes)
	call.end(len(found), err)
	return found, err
}

func (r *reader) History(ctx context.Context, entity tenure.ID, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	ctx, call := r.begin(ctx, readHistory)
	list, err := r.next.History(ctx, entity, after, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Observation(ctx context.Context, id tenure.ID) (store.ObservationRecord, error) {
	ctx, call := r.begin(ctx, readObservation)
	record, err := r.next.Observation(ctx, id)
	call.end(1, err)
	return record, err
}

func (r *reader) Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	ctx, call := r.begin(ctx, readObservations)
	list, err := r.next.Observations(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ListObservations(
	ctx context.Context, q store.ObservationQuery,
) ([]store.ObservationRecord, error) {
	ctx, call := r.begin(ctx, readListObservations)
	list, err := r.next.ListObservations(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ProposalsOn(
	ctx context.Context, entities []tenure.ID, in tenure.Scope, perEntity int,
) ([]store.ObservationRecord, error) {
	ctx, call := r.begin(ctx, readProposalsOn)
	list, err := r.next.ProposalsOn(ctx, entities, in, perEntity)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	ctx, call := r.begin(ctx, readMentions)
	list, err := r.next.Mentions(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) MentionsOf(
	ctx context.Context, entity tenure.ID, after tenure.ID, limit int,
) ([]tenure.Mention, error) {
	ctx, call := r.begin(ctx, readMentionsOf)
	list, err := r.next.MentionsOf(ctx, entity, after, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	ctx, call := r.begin(ctx, readEntities)
	list, err := r.next.Entities(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error) {
	ctx, call := r.begin(ctx, readAliasesByKey)
	list, err := r.next.AliasesByKey(ctx, keys)
	call.end(len(list), err)
	return list, err
}

func (r *reader) AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error) {
	ctx, call := r.begin(ctx, readAliasesOf)
	list, err := r.next.AliasesOf(ctx, entities)
	call.end(len(list), err)
	return list, err
}

func (r *reader) IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	ctx, call := r.begin(ctx, readIdentityDecisions)
	list, err := r.next.IdentityDecisions(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error) {
	ctx, call := r.begin(ctx, readIdentityDecisionsOn)
	list, err := r.next.IdentityDecisionsOn(ctx, entities)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	ctx, call := r.begin(ctx, readReviews)
	list, err := r.next.Reviews(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ListReviews(ctx context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	ctx, call := r.begin(ctx, readListReviews)
	list, err := r.next.ListReviews(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) OpenReviews(ctx context.Context, entities []tenure.ID, limit int) ([]tenure.Review, error) {
	ctx, call := r.begin(ctx, readOpenReviews)
	list, err := r.next.OpenReviews(ctx, entities, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	ctx, call := r.begin(ctx, readSlots)
	list, err := r.next.Slots(ctx, slots)
	call.end(len(list), err)
	return list, err
}

func (r *reader) SlotsAfter(ctx context.Context, after string, limit int) ([]tenure.Slot, error) {
	ctx, call := r.begin(ctx, readSlotsAfter)
	list, err := r.next.SlotsAfter(ctx, after, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readDependents)
	list, err := r.next.Dependents(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readSuperseders)
	list, err := r.next.Superseders(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Amendments(ctx context.Context, beliefs []tenure.ID) ([]tenure.Amendment, error) {
	ctx, call := r.begin(ctx, readAmendments)
	list, err := r.next.Amendments(ctx, beliefs)
	call.end(len(list), err)
	return list, err
}

func (r *reader) AmendmentsByID(ctx context.Context, ids []tenure.ID) ([]tenure.Amendment, error) {
	ctx, call := r.begin(ctx, readAmendmentsByID)
	list, err := r.next.AmendmentsByID(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readBeliefs)
	list, err := r.next.Beliefs(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) BeliefsByKey(ctx context.Context, keys []string) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readBeliefsByKey)
	list, err := r.next.BeliefsByKey(ctx, keys)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readReferring)
	list, err := r.next.Referring(ctx, entities)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Saying(ctx context.Context, texts []string, perText int) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readSaying)
	list, err := r.next.Saying(ctx, texts, perText)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Recent(ctx context.Context, q store.RecentQuery) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readRecent)
	list, err := r.next.Recent(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) List(ctx context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readList)
	list, err := r.next.List(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Live(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readLive)
	list, err := r.next.Live(ctx, entities, w, perEntity)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Facts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readFacts)
	list, err := r.next.Facts(ctx, entities, w, perEntity)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Displaced(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readDisplaced)
	list, err := r.next.Displaced(ctx, entities, w, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) DisplacedFacts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readDisplacedFacts)
	list, err := r.next.DisplacedFacts(ctx, entities, w, limit)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Relations(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	ctx, call := r.begin(ctx, readRelations)
	list, err := r.next.Relations(ctx, entities, w, perEntity)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	ctx, call := r.begin(ctx, readCases)
	list, err := r.next.Cases(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	ctx, call := r.begin(ctx, readListCases)
	list, err := r.next.ListCases(ctx, q)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Vocabularies(ctx context.Context, names []string) ([]tenure.Vocabulary, error) {
	ctx, call := r.begin(ctx, readVocabularies)
	list, err := r.next.Vocabularies(ctx, names)
	call.end(len(list), err)
	return list, err
}

func (r *reader) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	ctx, call := r.begin(ctx, readTerms)
	list, err := r.next.Terms(ctx, ids)
	call.end(len(list), err)
	return list, err
}

func (r *reader) ListTerms(ctx context.Context, vocabulary, after string, limit int) ([]tenure.Term, error) {
	ctx, call := r.begin(ctx, readListTerms)
	list, err := r.next.ListTerms(ctx, vocabulary, after, limit)
	call.end(len(list), err)
	return list, err
}
