package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tenure"
)

// KeyAge is how long an idempotency key is remembered.
const KeyAge = 7 * 24 * time.Hour

// Store keeps versions, and overwrites nothing but content that is erased. storetest.Run is its contract.
//
// Tenants are apart: no call with one tenant's name sees or changes what
// another's did. Keys compare as bytes: "Zoe", "zoe" and "Zoë" are three, and
// so are the composed and the decomposed form of "Zoë".
//
// Errors are *tenure.Error. One that no retry of the same call can mend is
// never Unavailable.
type Store interface {
	// View reads one state of a tenant. The state does not move while the view
	// is used, whatever is written meanwhile. A sequence or a time that has
	// not come yet is Unprocessable. A tenant that never wrote is empty. Of
	// Seq and Known, Seq goes first.
	View(ctx context.Context, tenant string, at tenure.AsOf) (Reader, error)

	// Apply does all that the sets ask for, in order, or nothing.
	//
	// It takes the tenant's lock first and holds it to the commit. Under it
	// each set gets the next number and the transaction time
	// max(now, last + 1 microsecond); what it puts closes the version before at
	// that time.
	//
	// base is the number of the state that the sets were decided on. When an
	// entry after base touches a conflict key that one of the sets reads, or an
	// idempotency key of one of the sets is already used, Apply is Conflicting and nothing is
	// written: decide again. So it is where base has not come yet, and where
	// content was erased since. A receipt is returned for each set, in order.
	// After an error of the connection the sets may have been applied; Apply
	// finds out by their ids where it can, else it is Unavailable. A Key is
	// remembered for seven days. What a set names (a superseded belief, a
	// ground, the belief of a standing or an amendment) exists by the end of
	// the sets.
	Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error)

	// Log lists at most limit entries after a number, in order, without gaps.
	Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error)

	// Grown lists the tenants whose logs have grown since a mark, in any order, and
	// returns the mark for the next call. The zero mark lists every tenant that
	// wrote. A log that has not grown may be listed again; one whose entry a View
	// shows when the call begins is listed by the call or was listed before. The call
	// costs what has grown, not what there is.
	Grown(ctx context.Context, since Mark) ([]LogEnd, Mark, error)

	// PutCredential adds a credential, or replaces the one of its id, and appends the
	// events to the audit trail of its tenant: all or nothing. Of the two credentials
	// the earlier end and the later use are kept, so that one who has not read of a
	// revocation does not undo it.
	PutCredential(ctx context.Context, c tenure.Credential, events ...tenure.AuditEvent) error
	// Credential finds a credential by its id; NotFound if there is none.
	Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error)
	// Credentials lists the credentials of a tenant in order of creation, of every
	// tenant if it is "".
	Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error)

	// PutAudit appends events to the audit trail of a tenant; of one id the first is
	// kept. Nothing changes or removes an event.
	PutAudit(ctx context.Context, tenant string, events ...tenure.AuditEvent) error
	// Audit pages through the audit trail of a tenant in descending order of the ids,
	// which is that of their time.
	Audit(ctx context.Context, tenant string, q AuditQuery) ([]tenure.AuditEvent, error)

	// PutCompilation keeps an answer, without its outcome; Compilation gives the same
	// bytes again, with the outcome, or NotFound.
	PutCompilation(ctx context.Context, tenant string, c tenure.Compilation) error
	Compilation(ctx context.Context, tenant string, id tenure.ID) (tenure.Compilation, error)
	// EraseCompilations empties the bodies of the compilations that are chosen, removes
	// their outcomes, and returns how many. One that is empty is not asked about.
	EraseCompilations(ctx context.Context, tenant string, chosen func(tenure.Compilation) bool) (int, error)
	// DropCompilations removes the compilations whose ids are less than one, which is
	// those that were made before it, with their outcomes, and returns how many: at
	// most limit.
	DropCompilations(ctx context.Context, tenant string, before tenure.ID, limit int) (int, error)

	// PutOutcome keeps the outcome of a compilation in place of the one of the version
	// base, 0 for none. It is Conflicting if there is another version, and NotFound if
	// the compilation is not there, or is empty.
	PutOutcome(ctx context.Context, tenant string, o tenure.CompilationOutcome, base int) error
	// Outcomes lists outcomes in descending order of the ids of their compilations.
	Outcomes(ctx context.Context, tenant string, q OutcomeQuery) ([]tenure.CompilationOutcome, error)
	// LastUsed returns when the newest of the compilations was made whose outcomes say
	// that an object was used, for each of the objects of which there is one.
	LastUsed(ctx context.Context, tenant string, objects []tenure.ID, of Requesters) (map[tenure.ID]tenure.Instant, error)

	// Purge rewrites the engine's files without what was erased, and reports whether
	// it could: an engine whose files are another's cannot. Others may go on reading
	// and writing, but wait for it.
	Purge(ctx context.Context) (bool, error)
	// Unpurged reports whether content was erased since Purge last succeeded. Where
	// Purge cannot, it is false.
	Unpurged(ctx context.Context) (bool, error)

	// Ask answers a question about the tenant, as the newest state is, with at most
	// q.Limit rows in the order of the question. It writes nothing. A question
	// that the engine has no text of is Unsupported, one that takes longer than
	// its time Unavailable.
	Ask(ctx context.Context, tenant string, q Question) ([][]any, error)

	// Ping answers when the engine does, with the schema that this program
	// needs; else Unavailable.
	Ping(ctx context.Context) error
	// Probe commits a write that leaves nothing, and is Unavailable where the
	// engine takes none. It waits for other writers as Apply does.
	Probe(ctx context.Context) error
	// Close ends the engine's work after what it is doing now.
	Close() error
}

// Mark is a place in the order in which the logs of all tenants grow. Its fields are for the engine that returned it.
type Mark struct{ At, Listed int64 }

// LogEnd is the number of the newest entry of a tenant's log.
type LogEnd struct {
	Tenant string
	Seq    tenure.Seq
}

// Reader reads one state of one tenant. Lists are in ascending order of the
// transaction time and then the id of what they list, unless said otherwise;
// what is not there is left out of a list, and is no error. Empty input gives
// an empty list. A reader is used by several goroutines at once.
//
// It is the sum of its roles: a function takes the role that it needs.
type Reader interface {
	LogReader
	EvidenceReader
	IdentityReader
	SlotReader
	BeliefReader
	CaseReader
	VocabularyReader
	DocumentReader
}

// Requesters chooses compilations by who asked for them: an actor, or whoever had one of the clearances then.
type Requesters struct {
	Actor      string
	Clearances []tenure.Classification
}

// Include reports whether a requester with a clearance is one of them.
func (r Requesters) Include(actor string, clearance tenure.Classification) bool {
	return actor == r.Actor || slices.Contains(r.Clearances, clearance)
}

// OutcomeQuery chooses the outcomes of compilations of requesters whose ids are at least From and, unless that is "",
// less than Before: at most Limit.
type OutcomeQuery struct {
	Of           Requesters
	From, Before tenure.ID
	Limit        int
}

// AuditQuery chooses the events of a credential, of a kind, or of both; "" chooses all. Those of an id at or after
// Before are passed over, unless it is "".
type AuditQuery struct {
	Key    tenure.ID
	Kind   tenure.AuditKind
	Before tenure.ID
	Limit  int
}

// LogReader reads the state itself, and how it came about.
type LogReader interface {
	// State is the number and the transaction time of the state that is read.
	State() (tenure.Seq, tenure.Instant)
	// Receipts finds the receipts for the scopes of idempotency keys, whatever
	// state is read.
	Receipts(ctx context.Context, scopes []string) (map[string]tenure.Receipt, error)
	// History lists the entries that changed something of the entity, after a
	// number and up to the state that is read, in order. A decision is in the
	// history of both its sides.
	History(ctx context.Context, entity tenure.ID, after tenure.Seq, limit int) ([]tenure.Entry, error)
}

// EvidenceReader reads what was observed.
type EvidenceReader interface {
	// Observation finds an observation with its mentions, in order of their
	// index, and what they are assigned to now; NotFound if there is none.
	Observation(ctx context.Context, id tenure.ID) (ObservationRecord, error)
	// Observations finds observations by id, without what was made of them.
	Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error)
	// ListObservations pages through observations, those observed last first and
	// of one instant those of the greatest id, without what was made of them.
	ListObservations(ctx context.Context, q ObservationQuery) ([]ObservationRecord, error)
	// ProposalsOn lists the observations made in a scope that is visible in another
	// that propose a change of one of the entities, each once and without what was
	// made of them: of each entity the newest perEntity, of one change set those of
	// the greatest ids.
	ProposalsOn(ctx context.Context, entities []tenure.ID, in tenure.Scope, perEntity int) ([]ObservationRecord, error)
	// Mentions finds mentions by id, with what they are assigned to now.
	Mentions(ctx context.Context, ids []tenure.ID) ([]MentionRecord, error)
	// MentionsOf pages through the mentions that are assigned to an entity, in
	// ascending order of their ids.
	MentionsOf(ctx context.Context, entity tenure.ID, after tenure.ID, limit int) ([]tenure.Mention, error)
}

// IdentityReader reads which entities there are, what they are called, and what was
// decided on which of them are the same.
type IdentityReader interface {
	// Entities finds entities by id.
	Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error)
	// AliasesByKey lists the aliases with the keys, of every project and type, without
	// those that were closed.
	AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error)
	// AliasesOf lists the aliases of the entities.
	AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error)
	// IdentityDecisions finds identity decisions by id, undone ones too.
	IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error)
	// IdentityDecisionsOn lists the identity decisions whose From or Into is one of the entities,
	// undone ones too.
	IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error)
	// Reviews finds reviews by id.
	Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error)
	// ListReviews pages through reviews in ascending order of their ids, or, if
	// the query is Ranked, of their ranks. Of ranked reviews the most valuable
	// are first, of closed ones the last decided.
	ListReviews(ctx context.Context, q ReviewQuery) ([]tenure.Review, error)
	// OpenReviews lists the open reviews that ask about one of the entities or have it as a
	// candidate, each once and at most limit, in ascending order of their ids.
	OpenReviews(ctx context.Context, entities []tenure.ID, limit int) ([]tenure.Review, error)
}

// SlotReader reads what the standing of beliefs is made of.
type SlotReader interface {
	// Slots gives each slot all that its standing depends on. A slot in which
	// nothing was claimed has no beliefs, and is in the list all the same. A
	// claim is in the slot that it was moved to, and not in the one before.
	Slots(ctx context.Context, slots []tenure.Slot) ([]SlotState, error)
	// SlotsAfter pages through all slots in the order of their keys, after a key.
	// One that all claims were moved away from may be among them.
	SlotsAfter(ctx context.Context, after string, limit int) ([]tenure.Slot, error)
	// Dependents finds the beliefs whose claims depend directly on one of the
	// beliefs.
	Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error)
	// Superseders finds the beliefs whose claims name one of the beliefs as
	// superseded.
	Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error)
	// Amendments lists the amendments of the beliefs.
	Amendments(ctx context.Context, beliefs []tenure.ID) ([]tenure.Amendment, error)
	// AmendmentsByID finds amendments by id.
	AmendmentsByID(ctx context.Context, ids []tenure.ID) ([]tenure.Amendment, error)
}

// BeliefReader reads what is believed.
type BeliefReader interface {
	// Beliefs finds beliefs by id.
	Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error)
	// BeliefsByKey finds the beliefs whose claims carry one of the keys.
	BeliefsByKey(ctx context.Context, keys []string) ([]tenure.Belief, error)
	// Referring finds the beliefs whose value is one of the entities, whether
	// they stand or not.
	Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error)
	// Saying finds the beliefs whose value is one of the texts, of at most
	// LongestSaid bytes and whatever the case of ASCII letters: the newest
	// perText of each, of one change set those of the greatest ids, whether
	// they stand or not.
	Saying(ctx context.Context, texts []string, perText int) ([]tenure.Belief, error)
	// Recent lists, newest first, the beliefs made in a scope that is visible in
	// q.In that stand somewhere in the window: at most q.Limit. Of the claims of
	// each set of ids it looks at the newest RecentReach times as many.
	Recent(ctx context.Context, q RecentQuery) ([]tenure.Belief, error)
	// List pages through beliefs in ascending order of their ids.
	List(ctx context.Context, q BeliefQuery) ([]tenure.Belief, error)
	// Live lists the beliefs about the entities that stand somewhere in the
	// window, newest first within an entity and at most perEntity of each.
	Live(ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int) ([]tenure.Belief, error)
	// Facts is Live without what is held under tenure.Remark.
	Facts(ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int) ([]tenure.Belief, error)
	// Displaced lists the newest beliefs about the entities that do not stand
	// anywhere in the window, newest first, at most limit in all.
	Displaced(ctx context.Context, entities []tenure.ID, w tenure.Window, limit int) ([]tenure.Belief, error)
	// DisplacedFacts is Displaced without what is held under tenure.Remark.
	DisplacedFacts(ctx context.Context, entities []tenure.ID, w tenure.Window, limit int) ([]tenure.Belief, error)
	// Relations lists the beliefs whose value is an entity and whose subject
	// or value is one of the entities, and which stand somewhere in the
	// window: for each entity the newest perEntity of each direction.
	Relations(ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int) ([]tenure.Belief, error)
}

// LongestSaid is the length in bytes of the longest text by which beliefs are found: see Saying.
const LongestSaid = 120

// RecentReach bounds how many claims Recent looks at, in lists of the length that is asked for.
const RecentReach = 4

// RecentQuery chooses the newest beliefs of a scope. With Fallen those that do not stand in the window are listed, too.
type RecentQuery struct {
	In     tenure.Scope
	Of     Selection
	Fallen bool
	Window tenure.Window
	Limit  int
}

// Selection says which claims are looked at.
type Selection int

// The selections.
const (
	AllClaims Selection = iota
	// Remarks are the claims that were made under tenure.Remark alone.
	Remarks
	// Directives are the claims that direct (see tenure.Claim.Directs).
	Directives
)

// CaseReader reads the cases of the quarantine.
type CaseReader interface {
	// Cases finds cases by id.
	Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error)
	// ListCases pages through cases in ascending order of their ids, or, if the
	// query is Ranked, of their ranks. Of ranked cases the most valuable are
	// first, of closed ones the last closed.
	ListCases(ctx context.Context, q CaseQuery) ([]tenure.Case, error)
}

// VocabularyReader reads vocabularies and their terms.
type VocabularyReader interface {
	// Vocabularies finds vocabularies by name.
	Vocabularies(ctx context.Context, names []string) ([]tenure.Vocabulary, error)
	// Terms finds terms by their ids (see tenure.TermID), removed ones too.
	Terms(ctx context.Context, ids []string) ([]tenure.Term, error)
	// ListTerms pages through the terms of a vocabulary by name, removed ones
	// left out.
	ListTerms(ctx context.Context, vocabulary, after string, limit int) ([]tenure.Term, error)
}

// DocumentReader reads the documents that were ingested, and their passages. The passages in a state are those of the
// versions of documents that are in the state.
type DocumentReader interface {
	// Documents finds documents by id, withdrawn ones too.
	Documents(ctx context.Context, ids []tenure.ID) ([]tenure.Document, error)
	// ListDocuments pages through documents in ascending order of their ids,
	// withdrawn ones left out unless the query chooses them.
	ListDocuments(ctx context.Context, q DocumentQuery) ([]tenure.Document, error)
	// Passages finds passages in the state by id, in the order of
	// tenure.ComparePassages.
	Passages(ctx context.Context, ids []tenure.ID) ([]tenure.Passage, error)
	// PassagesOf lists the passages of documents in the state, in the order of
	// tenure.ComparePassages.
	PassagesOf(ctx context.Context, documents []tenure.ID) ([]tenure.Passage, error)
	// PassagesIn pages through the passages in the state of the documents whose
	// scope is visible in another, in ascending order of their ids.
	PassagesIn(ctx context.Context, in tenure.Scope, after tenure.ID, limit int) ([]tenure.Passage, error)
}

// DocumentQuery chooses documents. What is zero does not choose. A Limit of zero does not limit.
type DocumentQuery struct {
	URI string
	// Withdrawn chooses withdrawn documents, too.
	Withdrawn bool
	After     tenure.ID
	Limit     int
}

// SlotState is all that the standing of a slot's claims depends on, but for
// the claims that they depend on.
type SlotState struct {
	Slot tenure.Slot
	// Beliefs are all claims ever made in the slot.
	Beliefs []tenure.Belief
	// Superseders are claims, of any slot, that name one of Beliefs.
	Superseders []tenure.Claim
	// Amendments are the amendments of Beliefs and of Superseders.
	Amendments []tenure.Amendment
	// Cases are the cases of the slot, newest version of each, without cases
	// across scopes.
	Cases []tenure.Case
}

// ObservationRecord is an observation with what was made of it.
type ObservationRecord struct {
	Observation tenure.Observation
	RecordedAt  tenure.Instant
	Mentions    []tenure.Mention
	Assignments []tenure.Assignment // parallel to Mentions
}

// ObservationField is what observations are chosen by.
type ObservationField string

// The fields. A session is the source's, or else the scope's; a thread is the source's, or else the session, or else
// the origin.
const (
	BySession ObservationField = "session"
	ByProject ObservationField = "project"
	BySpeaker ObservationField = "speaker"
	ByThread  ObservationField = "thread"
	// ByTextSpeaker and ByTextThread are BySpeaker and ByThread of the observations with a text that is read, and of the
	// further readings of these texts.
	ByTextSpeaker ObservationField = "text_speaker"
	ByTextThread  ObservationField = "text_thread"
	// ByProposal chooses the observations that propose a change, by the name Proposing.
	ByProposal ObservationField = "proposes"
)

// Proposing is the field [ByProposal] of observations that propose a change.
const Proposing = "change"

// ObservationQuery chooses observations. A field that is "" does not choose, and no
// observation has one of its fields by the name of "". A Limit of zero does not limit.
type ObservationQuery struct {
	By   ObservationField
	Name string
	// From is the first instant. Before is the instant and the id of the last
	// observation of the page before: those that were observed earlier are listed,
	// and those of that instant with a smaller id.
	From, Before tenure.Instant
	BeforeID     tenure.ID
	Limit        int
}

// Field returns what a field of an observation is, "" if it has none.
func (f ObservationField) Field(o tenure.Observation) string {
	switch f {
	case BySession:
		return cmp.Or(o.Source.Session, o.Scope.SessionID)
	case ByProject:
		return o.Scope.ProjectID
	case BySpeaker:
		return o.Source.Speaker
	case ByThread:
		return cmp.Or(o.Source.Thread, o.Source.Session, o.Scope.SessionID, o.Source.Origin)
	case ByTextSpeaker:
		if o.Readable() || o.Rereads() {
			return BySpeaker.Field(o)
		}
	case ByTextThread:
		if o.Readable() || o.Rereads() {
			return ByThread.Field(o)
		}
	case ByProposal:
		if o.Proposes() {
			return Proposing
		}
	}
	return ""
}

// MentionRecord is a mention with what it is assigned to.
type MentionRecord struct {
	Mention    tenure.Mention
	Assignment tenure.Assignment
}

// ReviewQuery chooses reviews. What is zero does not choose. A Limit of zero
// does not limit.
type ReviewQuery struct {
	State tenure.ReviewState
	// Entity is the entity under review, or a candidate.
	Entity  tenure.ID
	Type    string
	Project string
	Reason  string
	Ranked  bool
	// After is the key of the last review of the page before: see Key.
	After string
	Limit int
}

// Key is what the query orders the review by.
func (q ReviewQuery) Key(r tenure.Review) string {
	if q.Ranked {
		return r.Rank()
	}
	return string(r.ID)
}

// Matches reports whether the query chooses the review, its page aside.
func (q ReviewQuery) Matches(r tenure.Review) bool {
	about := func(c tenure.Candidate) bool { return c.Entity == q.Entity }
	return (q.State == "" || r.State == q.State) && (q.Type == "" || r.Type == q.Type) &&
		(q.Project == "" || r.Project == q.Project) && (q.Reason == "" || r.Reason == q.Reason) &&
		(q.Entity == "" || r.Entity == q.Entity || slices.ContainsFunc(r.Candidates, about))
}

// BeliefQuery chooses beliefs. What is zero does not choose. A Limit of
// zero does not limit.
type BeliefQuery struct {
	Subject   tenure.ID
	Predicate string
	// Contested beliefs have a segment that was lost by authority, trust, tie
	// or a barred value: something contradicts them.
	Contested bool
	After     tenure.ID
	Limit     int
}

// CaseQuery chooses cases. What is zero does not choose. A Limit of zero
// does not limit.
type CaseQuery struct {
	State   tenure.CaseState
	Subject tenure.ID
	Ranked  bool
	// After is the key of the last case of the page before: see Key.
	After string
	Limit int
}

// Key is what the query orders the case by.
func (q CaseQuery) Key(c tenure.Case) string {
	if q.Ranked {
		return c.Rank()
	}
	return string(c.ID)
}
