package tenure

// ConflictKey names a thing that a decision may read and a change may write. Two change sets conflict if one
// has a key in its write set that the other has in its read set.
type ConflictKey string

// AliasConflict and the functions below return the conflict key of a thing.
func AliasConflict(f AliasKey) ConflictKey    { return ConflictKey("alias\x1f" + f.Kind + "\x1f" + f.Key) }
func EntityConflict(id ID) ConflictKey        { return ConflictKey("entity\x1f" + string(id)) }
func SlotConflict(s Slot) ConflictKey         { return ConflictKey("slot\x1f" + s.Key()) }
func BeliefConflict(id ID) ConflictKey        { return ConflictKey("belief\x1f" + string(id)) }
func PredicateConflict(p string) ConflictKey  { return ConflictKey("predicate\x1f" + p) }
func ClaimKeyConflict(key string) ConflictKey { return ConflictKey("key\x1f" + key) }
func CaseConflict(id ID) ConflictKey          { return ConflictKey("case\x1f" + string(id)) }
func VocabularyConflict(n string) ConflictKey { return ConflictKey("vocabulary\x1f" + n) }
func TermConflict(id string) ConflictKey      { return ConflictKey("term\x1f" + id) }
func ObservationConflict(id ID) ConflictKey   { return ConflictKey("observation\x1f" + string(id)) }
func ReviewConflict(id ID) ConflictKey        { return ConflictKey("review\x1f" + string(id)) }

// SubjectConflict is in the write set of every claim about the entity, ObjectConflict in that of every claim
// whose value is the entity, in whatever slot.
func SubjectConflict(id ID) ConflictKey { return ConflictKey("about\x1f" + string(id)) }
func ObjectConflict(id ID) ConflictKey  { return ConflictKey("referring\x1f" + string(id)) }

// RolesConflict is in the write set of every claim and amendment that somebody made in a role.
func RolesConflict() ConflictKey { return "roles" }

func IdempotencyConflict(k string) ConflictKey { return ConflictKey("idempotency\x1f" + k) }

// Change is one typed change of a change set. An added change is evidence and stays; a put change is a new
// version, and closes the version before without deleting it. Only [ContentErased] takes something away.
//
// Each kind of change describes itself here and nowhere else: its entry in the log, its write set, its evidence, and
// its method of [ChangeVisitor]. The compiler refuses a kind that lacks one of the four, and an engine that does not
// write every kind.
type Change interface {
	// Entry returns the change as the log keeps it: structure without content.
	Entry() EntryChange
	// WriteSet returns the conflict keys of what the change writes: a decision that read one of them is taken
	// again.
	WriteSet() []ConflictKey
	// Accept calls the visitor's method for the kind of the change.
	Accept(v ChangeVisitor) error
	// Evidence returns what the digest of a change set covers of the change: see [ChangeSet.Digest]. It is nil for what
	// follows from evidence, and for what only erases. Reasons that people gave are not covered: they are erased alone.
	Evidence() any
}

// ChangeVisitor handles every kind of change. Code that handles only a few kinds uses a type switch instead.
type ChangeVisitor interface {
	ObservationAdded(c ObservationAdded) error
	MentionAdded(c MentionAdded) error
	MentionAssigned(c MentionAssigned) error
	EntityPut(c EntityPut) error
	AliasAdded(c AliasAdded) error
	AliasClosed(c AliasClosed) error
	IdentityDecisionPut(c IdentityDecisionPut) error
	ReviewPut(c ReviewPut) error
	ClaimAdded(c ClaimAdded) error
	ClaimMoved(c ClaimMoved) error
	StandingPut(c StandingPut) error
	Amended(c Amended) error
	CasePut(c CasePut) error
	VocabularyPut(c VocabularyPut) error
	TermPut(c TermPut) error
	DocumentPut(c DocumentPut) error
	ContentErased(c ContentErased) error
}

// ChangeKind is the stable name of a kind of change in the log.
type ChangeKind string

// The kinds of change, one for each type below.
const (
	KindObservationAdded    ChangeKind = "observation_added"
	KindMentionAdded        ChangeKind = "mention_added"
	KindMentionAssigned     ChangeKind = "mention_assigned"
	KindEntityPut           ChangeKind = "entity_put"
	KindAliasAdded          ChangeKind = "alias_added"
	KindAliasClosed         ChangeKind = "alias_closed"
	KindIdentityDecisionPut ChangeKind = "identity_decision_put"
	KindReviewPut           ChangeKind = "review_put"
	KindClaimAdded          ChangeKind = "claim_added"
	KindClaimMoved          ChangeKind = "claim_moved"
	KindStandingPut         ChangeKind = "standing_put"
	KindAmended             ChangeKind = "amended"
	KindCasePut             ChangeKind = "case_put"
	KindVocabularyPut       ChangeKind = "vocabulary_put"
	KindTermPut             ChangeKind = "term_put"
	KindDocumentPut         ChangeKind = "document_put"
	KindContentErased       ChangeKind = "content_erased"
)

// formerKinds maps the names in entries of earlier versions, which are sealed and keep them.
var formerKinds = map[ChangeKind]ChangeKind{
	"owner_added": KindAliasAdded, "owner_closed": KindAliasClosed, "verdict_put": KindIdentityDecisionPut,
}

// Current returns the present name of a kind that was read from the log.
func (k ChangeKind) Current() ChangeKind {
	if now, ok := formerKinds[k]; ok {
		return now
	}
	return k
}

// ProposesChange is the name in the log of an observation that proposes a change: see [Proposal].
const ProposesChange = "proposes"

// ObservationAdded records an observation.
type ObservationAdded struct{ Observation Observation }

func (c ObservationAdded) Entry() EntryChange {
	e := EntryChange{Kind: KindObservationAdded, ID: c.Observation.ID}
	if c.Observation.Proposes() {
		e.Name = ProposesChange
	}
	return e
}

func (c ObservationAdded) WriteSet() []ConflictKey {
	if c.Observation.Of == "" {
		return nil // nobody else knows its id
	}
	return []ConflictKey{ObservationConflict(c.Observation.ID)}
}
func (c ObservationAdded) Accept(v ChangeVisitor) error { return v.ObservationAdded(c) }
func (c ObservationAdded) Evidence() any                { return c.Observation }

// MentionAdded records a mention.
type MentionAdded struct{ Mention Mention }

func (c MentionAdded) Entry() EntryChange {
	return EntryChange{Kind: KindMentionAdded, ID: c.Mention.ID}
}
func (c MentionAdded) WriteSet() []ConflictKey      { return nil }
func (c MentionAdded) Accept(v ChangeVisitor) error { return v.MentionAdded(c) }
func (c MentionAdded) Evidence() any                { return c.Mention }

// MentionAssigned assigns a mention to an entity.
type MentionAssigned struct{ Assignment Assignment }

func (c MentionAssigned) Entry() EntryChange {
	return EntryChange{Kind: KindMentionAssigned, ID: c.Assignment.Mention, Entity: c.Assignment.Entity}
}
func (c MentionAssigned) WriteSet() []ConflictKey {
	return []ConflictKey{EntityConflict(c.Assignment.Entity)}
}
func (c MentionAssigned) Accept(v ChangeVisitor) error { return v.MentionAssigned(c) }
func (c MentionAssigned) Evidence() any                { return c.Assignment }

// EntityPut creates an entity or puts its next version.
type EntityPut struct{ Entity Entity }

func (c EntityPut) Entry() EntryChange {
	return EntryChange{Kind: KindEntityPut, ID: c.Entity.ID, Entity: c.Entity.ID}
}
func (c EntityPut) WriteSet() []ConflictKey      { return []ConflictKey{EntityConflict(c.Entity.ID)} }
func (c EntityPut) Accept(v ChangeVisitor) error { return v.EntityPut(c) }
func (c EntityPut) Evidence() any                { return nil }

// AliasAdded adds an alias to an entity.
type AliasAdded struct{ Alias Alias }

func (c AliasAdded) Entry() EntryChange {
	return EntryChange{Kind: KindAliasAdded, ID: c.Alias.Entity, Entity: c.Alias.Entity}
}
func (c AliasAdded) WriteSet() []ConflictKey      { return aliasConflicts(c.Alias) }
func (c AliasAdded) Accept(v ChangeVisitor) error { return v.AliasAdded(c) }
func (c AliasAdded) Evidence() any                { return nil }

// AliasClosed closes an alias that a mention gave to an entity.
type AliasClosed struct{ Alias Alias }

func (c AliasClosed) Entry() EntryChange {
	return EntryChange{Kind: KindAliasClosed, ID: c.Alias.Entity, Entity: c.Alias.Entity}
}
func (c AliasClosed) WriteSet() []ConflictKey      { return aliasConflicts(c.Alias) }
func (c AliasClosed) Accept(v ChangeVisitor) error { return v.AliasClosed(c) }
func (c AliasClosed) Evidence() any                { return nil }

func aliasConflicts(o Alias) []ConflictKey {
	return []ConflictKey{AliasConflict(o.Key), EntityConflict(o.Entity)}
}

// IdentityDecisionPut records an identity decision or its undo.
type IdentityDecisionPut struct{ Decision IdentityDecision }

func (c IdentityDecisionPut) Entry() EntryChange {
	return EntryChange{Kind: KindIdentityDecisionPut, ID: c.Decision.ID, Entity: c.Decision.From, Other: c.Decision.Into}
}
func (c IdentityDecisionPut) WriteSet() []ConflictKey {
	return []ConflictKey{EntityConflict(c.Decision.From), EntityConflict(c.Decision.Into)}
}
func (c IdentityDecisionPut) Accept(v ChangeVisitor) error { return v.IdentityDecisionPut(c) }
func (c IdentityDecisionPut) Evidence() any                { return c.Decision.Erase() }

// ReviewPut opens a review or puts its next version.
type ReviewPut struct{ Review Review }

func (c ReviewPut) Entry() EntryChange {
	return EntryChange{Kind: KindReviewPut, ID: c.Review.ID, Entity: c.Review.Entity}
}
func (c ReviewPut) WriteSet() []ConflictKey {
	return []ConflictKey{ReviewConflict(c.Review.ID), EntityConflict(c.Review.Entity)}
}
func (c ReviewPut) Accept(v ChangeVisitor) error { return v.ReviewPut(c) }
func (c ReviewPut) Evidence() any                { return nil }

// ClaimAdded records a claim.
type ClaimAdded struct{ Claim Claim }

func (c ClaimAdded) Entry() EntryChange {
	return EntryChange{Kind: KindClaimAdded, ID: c.Claim.ID, Entity: c.Claim.Subject, Belief: c.Claim.ID}
}

func (c ClaimAdded) WriteSet() []ConflictKey {
	keys := []ConflictKey{SlotConflict(c.Claim.Slot()), PredicateConflict(c.Claim.Predicate),
		SubjectConflict(c.Claim.Subject)}
	if c.Claim.Value.Entity != "" {
		keys = append(keys, ObjectConflict(c.Claim.Value.Entity))
	}
	if c.Claim.Key != "" {
		keys = append(keys, ClaimKeyConflict(c.Claim.Key))
	}
	if c.Claim.Source.Role != "" {
		keys = append(keys, RolesConflict())
	}
	for _, id := range c.Claim.Supersedes {
		keys = append(keys, BeliefConflict(id))
	}
	for _, id := range c.Claim.DependsOn {
		keys = append(keys, BeliefConflict(id))
	}
	return keys
}
func (c ClaimAdded) Accept(v ChangeVisitor) error { return v.ClaimAdded(c) }
func (c ClaimAdded) Evidence() any                { return c.Claim }

// ClaimMoved records that a claim has another slot than before, or another entity for its value. A
// StandingPut of the same change set carries the new standing.
type ClaimMoved struct {
	Claim    ID
	From, To Slot
	// Object is the entity that is now the claim's value, "" if the value is not an entity.
	Object ID
	// Turned reports whether subject and value changed places.
	Turned bool
}

func (c ClaimMoved) Entry() EntryChange {
	return EntryChange{Kind: KindClaimMoved, ID: c.Claim, Entity: c.To.Subject, Belief: c.Claim}
}

func (c ClaimMoved) WriteSet() []ConflictKey {
	keys := []ConflictKey{
		SlotConflict(c.From), SlotConflict(c.To), BeliefConflict(c.Claim), PredicateConflict(c.To.Predicate),
		SubjectConflict(c.From.Subject), SubjectConflict(c.To.Subject),
	}
	if c.From.Predicate != c.To.Predicate {
		keys = append(keys, PredicateConflict(c.From.Predicate))
	}
	if c.Object != "" {
		keys = append(keys, ObjectConflict(c.Object))
	}
	return keys
}
func (c ClaimMoved) Accept(v ChangeVisitor) error { return v.ClaimMoved(c) }
func (c ClaimMoved) Evidence() any                { return nil }

// StandingPut puts the first or the next standing of a belief. Slot is the slot of its claim.
type StandingPut struct {
	Slot     Slot
	Standing Standing
}

func (c StandingPut) Entry() EntryChange {
	return EntryChange{
		Kind: KindStandingPut, ID: c.Standing.Belief, Entity: c.Slot.Subject, Belief: c.Standing.Belief,
	}
}
func (c StandingPut) WriteSet() []ConflictKey {
	return []ConflictKey{SlotConflict(c.Slot), BeliefConflict(c.Standing.Belief)}
}
func (c StandingPut) Accept(v ChangeVisitor) error { return v.StandingPut(c) }
func (c StandingPut) Evidence() any                { return nil }

// Amended records an amendment. Slot is the slot of the amended belief.
type Amended struct {
	Slot      Slot
	Amendment Amendment
}

func (c Amended) Entry() EntryChange {
	return EntryChange{Kind: KindAmended, ID: c.Amendment.ID, Entity: c.Slot.Subject, Belief: c.Amendment.Belief}
}
func (c Amended) WriteSet() []ConflictKey {
	keys := []ConflictKey{SlotConflict(c.Slot), BeliefConflict(c.Amendment.Belief)}
	if c.Amendment.Role != "" {
		keys = append(keys, RolesConflict())
	}
	return keys
}
func (c Amended) Accept(v ChangeVisitor) error { return v.Amended(c) }
func (c Amended) Evidence() any                { return c.Amendment.Erase() }

// CasePut opens a case or puts its next version.
type CasePut struct{ Case Case }

func (c CasePut) Entry() EntryChange {
	return EntryChange{Kind: KindCasePut, ID: c.Case.ID, Entity: c.Case.Subject}
}
func (c CasePut) WriteSet() []ConflictKey {
	return []ConflictKey{CaseConflict(c.Case.ID), SlotConflict(c.Case.Slot())}
}
func (c CasePut) Accept(v ChangeVisitor) error { return v.CasePut(c) }
func (c CasePut) Evidence() any                { return nil }

// VocabularyPut puts the next version of a vocabulary.
type VocabularyPut struct{ Vocabulary Vocabulary }

func (c VocabularyPut) Entry() EntryChange {
	return EntryChange{Kind: KindVocabularyPut, Name: c.Vocabulary.Name}
}
func (c VocabularyPut) WriteSet() []ConflictKey {
	return []ConflictKey{VocabularyConflict(c.Vocabulary.Name)}
}
func (c VocabularyPut) Accept(v ChangeVisitor) error { return v.VocabularyPut(c) }
func (c VocabularyPut) Evidence() any                { return c.Vocabulary }

// TermPut defines a term or puts its next version.
type TermPut struct{ Term Term }

func (c TermPut) Entry() EntryChange           { return EntryChange{Kind: KindTermPut, Name: c.Term.ID()} }
func (c TermPut) WriteSet() []ConflictKey      { return []ConflictKey{TermConflict(c.Term.ID())} }
func (c TermPut) Accept(v ChangeVisitor) error { return v.TermPut(c) }
func (c TermPut) Evidence() any                { return c.Term }

// IdempotencyKey makes a write happen once. Scope combines the credential, the operation and the caller's
// key; Hash is the hash of the request body.
type IdempotencyKey struct {
	Scope string
	Hash  string
}

// ChangeSet holds everything that one decision changes. It is applied as a whole or not at all.
type ChangeSet struct {
	// ID is unique. A store looks it up to find out whether a commit whose reply was lost has happened.
	ID        ID
	Operation string
	Actor     string
	// ReadSet lists the conflict keys of what the decision read: the preconditions of the change set.
	ReadSet []ConflictKey
	Changes []Change
	// Key, unless nil, makes the change set happen once.
	Key *IdempotencyKey
	// Answer is kept with the receipt and returned again for the same Key. It holds ids and no content.
	Answer []byte
}

// WriteSet returns the union of the write sets of the changes, each conflict key once.
func (cs ChangeSet) WriteSet() []ConflictKey {
	seen := map[ConflictKey]bool{}
	var keys []ConflictKey
	add := func(c ConflictKey) {
		if !seen[c] {
			seen[c] = true
			keys = append(keys, c)
		}
	}
	for _, c := range cs.Changes {
		for _, cell := range c.WriteSet() {
			add(cell)
		}
	}
	if cs.Key != nil {
		add(IdempotencyConflict(cs.Key.Scope))
	}
	return keys
}

// Receipt confirms that a change set was applied: its sequence number and its transaction time.
type Receipt struct {
	Seq      Seq
	Tx       Instant
	Answer   []byte // JSON, if the change set has a Key
	Hash     string // hash of the request body, if the change set has a Key
	Replayed bool   // the Key was used before: nothing was applied
}

// Entry is one change set in the log: structure without content.
type Entry struct {
	Seq       Seq           `json:"seq"`
	Tx        Instant       `json:"tx"`
	ID        ID            `json:"id"`
	Operation string        `json:"operation"`
	Actor     string        `json:"actor"`
	Changes   []EntryChange `json:"changes"`
	// Digest covers the evidence that the change set added: see [ChangeSet.Digest]. It is "" in entries of earlier
	// versions.
	Digest string `json:"digest,omitempty"`
	// Salt is the salt of the digest. It is stored beside the entry and not sealed, so that it can be erased: it is nil
	// once any of the evidence is erased.
	Salt []byte `json:"-"`
	// Hash chains the entry to its predecessor: see [Entry.Seal].
	Hash string `json:"hash"`
}

// EntryChange is one change of an entry: its kind, the id of what it changed, and the entity or belief
// concerned. Other is the second entity of an identity decision.
type EntryChange struct {
	Kind   ChangeKind `json:"kind"`
	ID     ID         `json:"id,omitempty"`
	Entity ID         `json:"entity,omitempty"`
	Other  ID         `json:"other,omitempty"`
	Belief ID         `json:"belief,omitempty"`
	Name   string     `json:"name,omitempty"`
}

// Entities lists the entities that the entry concerns, each once.
func (e Entry) Entities() []ID {
	var list []ID
	seen := map[ID]bool{"": true}
	for _, c := range e.Changes {
		for _, id := range []ID{c.Entity, c.Other} {
			if !seen[id] {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list
}

// EntryOf returns the log entry of a change set, without its digest and hash.
func EntryOf(cs ChangeSet, seq Seq, tx Instant) Entry {
	e := Entry{Seq: seq, Tx: tx, ID: cs.ID, Operation: cs.Operation, Actor: cs.Actor}
	for _, c := range cs.Changes {
		e.Changes = append(e.Changes, c.Entry())
	}
	return e
}

// Seal returns the SHA-256 hash of the entry, chained to the hash of the previous entry ("" for the first). A
// later alteration of an entry breaks the chain.
func (e Entry) Seal(previous string) string {
	e.Hash = ""
	hash, err := hashOf([]byte(previous), e)
	if err != nil {
		panic(err) // a struct of strings and numbers always has a JSON encoding
	}
	return hash
}
