package tenure

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Cell names a thing that a decision may read and a change may touch. Two
// change sets conflict when one touches a cell that the other has read.
type Cell string

// The cells.
func FormCell(f Form) Cell         { return Cell("form\x1f" + f.Kind + "\x1f" + f.Key) }
func EntityCell(id ID) Cell        { return Cell("entity\x1f" + string(id)) }
func SlotCell(s Slot) Cell         { return Cell("slot\x1f" + s.Key()) }
func BeliefCell(id ID) Cell        { return Cell("belief\x1f" + string(id)) }
func PredicateCell(p string) Cell  { return Cell("predicate\x1f" + p) }
func KeyCell(key string) Cell      { return Cell("key\x1f" + key) }
func CaseCell(id ID) Cell          { return Cell("case\x1f" + string(id)) }
func VocabularyCell(n string) Cell { return Cell("vocabulary\x1f" + n) }
func TermCell(id string) Cell      { return Cell("term\x1f" + id) }
func ReviewCell(id ID) Cell        { return Cell("review\x1f" + string(id)) }

// AboutCell is touched by what is claimed about an entity, ReferringCell by
// what is claimed with it for a value, in whatever slot.
func AboutCell(id ID) Cell     { return Cell("about\x1f" + string(id)) }
func ReferringCell(id ID) Cell { return Cell("referring\x1f" + string(id)) }

func IdempotencyCell(k string) Cell { return Cell("idempotency\x1f" + k) }

// Change is one typed change of a change set. Evidence is added and stays;
// what is put replaces its version before, which is closed, not deleted.
type Change interface {
	// Kind is the stable name of the change in the log.
	Kind() string
	// Subject is the id of what is changed.
	Subject() ID
	// Touches lists the cells whose readers must decide again.
	Touches() []Cell
}

// The changes.
type (
	// ObservationAdded records an observation.
	ObservationAdded struct{ Observation Observation }
	// MentionAdded records a mention.
	MentionAdded struct{ Mention Mention }
	// MentionAssigned says which entity a mention means.
	MentionAssigned struct{ Assignment Assignment }
	// EntityPut makes an entity, or its next version.
	EntityPut struct{ Entity Entity }
	// OwnerAdded gives a form to an entity.
	OwnerAdded struct{ Owner Owner }
	// OwnerClosed takes a form from an entity that its mention gave it.
	OwnerClosed struct{ Owner Owner }
	// VerdictPut records a verdict, or that it is undone.
	VerdictPut struct{ Verdict Verdict }
	// ReviewPut opens a review, or gives it its next version.
	ReviewPut struct{ Review Review }
	// ClaimAdded records a claim.
	ClaimAdded struct{ Claim Claim }
	// ClaimMoved says that a claim is in another slot than before, or says
	// another entity: a StandingPut of the same set has the new ones.
	ClaimMoved struct {
		Claim    ID
		From, To Slot
		// Object is the entity that the claim says now, "" if it says none.
		Object ID
	}
	// StandingPut gives a belief its standing, or its next one. Slot is the
	// slot of the claim.
	StandingPut struct {
		Slot     Slot
		Standing Standing
	}
	// Amended records an amendment. Slot is the slot of the belief.
	Amended struct {
		Slot      Slot
		Amendment Amendment
	}
	// CasePut opens a case, or gives it its next version.
	CasePut struct{ Case Case }
	// VocabularyPut gives a vocabulary its next version.
	VocabularyPut struct{ Vocabulary Vocabulary }
	// TermPut defines a word, or gives it its next version.
	TermPut struct{ Term Term }
)

func (ObservationAdded) Kind() string { return "observation_added" }
func (MentionAdded) Kind() string     { return "mention_added" }
func (MentionAssigned) Kind() string  { return "mention_assigned" }
func (EntityPut) Kind() string        { return "entity_put" }
func (OwnerAdded) Kind() string       { return "owner_added" }
func (OwnerClosed) Kind() string      { return "owner_closed" }
func (VerdictPut) Kind() string       { return "verdict_put" }
func (ReviewPut) Kind() string        { return "review_put" }
func (ClaimAdded) Kind() string       { return "claim_added" }
func (ClaimMoved) Kind() string       { return "claim_moved" }
func (StandingPut) Kind() string      { return "standing_put" }
func (Amended) Kind() string          { return "amended" }
func (CasePut) Kind() string          { return "case_put" }
func (VocabularyPut) Kind() string    { return "vocabulary_put" }
func (TermPut) Kind() string          { return "term_put" }

func (c ObservationAdded) Subject() ID { return c.Observation.ID }
func (c MentionAdded) Subject() ID     { return c.Mention.ID }
func (c MentionAssigned) Subject() ID  { return c.Assignment.Mention }
func (c EntityPut) Subject() ID        { return c.Entity.ID }
func (c OwnerAdded) Subject() ID       { return c.Owner.Entity }
func (c OwnerClosed) Subject() ID      { return c.Owner.Entity }
func (c VerdictPut) Subject() ID       { return c.Verdict.ID }
func (c ReviewPut) Subject() ID        { return c.Review.ID }
func (c ClaimAdded) Subject() ID       { return c.Claim.ID }
func (c ClaimMoved) Subject() ID       { return c.Claim }
func (c StandingPut) Subject() ID      { return c.Standing.Belief }
func (c Amended) Subject() ID          { return c.Amendment.ID }
func (c CasePut) Subject() ID          { return c.Case.ID }
func (VocabularyPut) Subject() ID      { return "" }
func (TermPut) Subject() ID            { return "" }

func (ObservationAdded) Touches() []Cell  { return nil }
func (MentionAdded) Touches() []Cell      { return nil }
func (c MentionAssigned) Touches() []Cell { return []Cell{EntityCell(c.Assignment.Entity)} }
func (c EntityPut) Touches() []Cell       { return []Cell{EntityCell(c.Entity.ID)} }
func (c OwnerAdded) Touches() []Cell {
	return []Cell{FormCell(c.Owner.Form), EntityCell(c.Owner.Entity)}
}
func (c OwnerClosed) Touches() []Cell { return OwnerAdded(c).Touches() }

func (c VerdictPut) Touches() []Cell {
	return []Cell{EntityCell(c.Verdict.From), EntityCell(c.Verdict.Into)}
}

func (c ReviewPut) Touches() []Cell {
	return []Cell{ReviewCell(c.Review.ID), EntityCell(c.Review.Entity)}
}

func (c ClaimMoved) Touches() []Cell {
	cells := []Cell{
		SlotCell(c.From), SlotCell(c.To), BeliefCell(c.Claim), PredicateCell(c.To.Predicate),
		AboutCell(c.From.Subject), AboutCell(c.To.Subject),
	}
	if c.Object != "" {
		cells = append(cells, ReferringCell(c.Object))
	}
	return cells
}

func (c ClaimAdded) Touches() []Cell {
	cells := []Cell{SlotCell(c.Claim.Slot()), PredicateCell(c.Claim.Predicate), AboutCell(c.Claim.Subject)}
	if c.Claim.Value.Entity != "" {
		cells = append(cells, ReferringCell(c.Claim.Value.Entity))
	}
	if c.Claim.Key != "" {
		cells = append(cells, KeyCell(c.Claim.Key))
	}
	for _, id := range c.Claim.Supersedes {
		cells = append(cells, BeliefCell(id))
	}
	for _, id := range c.Claim.DependsOn {
		cells = append(cells, BeliefCell(id))
	}
	return cells
}

func (c StandingPut) Touches() []Cell {
	return []Cell{SlotCell(c.Slot), BeliefCell(c.Standing.Belief)}
}

func (c Amended) Touches() []Cell {
	return []Cell{SlotCell(c.Slot), BeliefCell(c.Amendment.Belief)}
}

func (c CasePut) Touches() []Cell       { return []Cell{CaseCell(c.Case.ID), SlotCell(c.Case.Slot())} }
func (c VocabularyPut) Touches() []Cell { return []Cell{VocabularyCell(c.Vocabulary.Name)} }
func (c TermPut) Touches() []Cell       { return []Cell{TermCell(c.Term.ID())} }

// IdempotencyKey makes a write happen once. Scope is the credential, the
// operation and the caller's key; Hash is of the body.
type IdempotencyKey struct {
	Scope string
	Hash  string
}

// ChangeSet is everything that one decision changes: all of it happens, or
// none of it.
type ChangeSet struct {
	// ID is unique; by it a store finds out whether a commit with a lost reply
	// has happened.
	ID        ID
	Operation string
	Actor     string
	// Reads are the cells that the decision has read: its preconditions.
	Reads   []Cell
	Changes []Change
	// Key, where given, makes the change set happen once.
	Key *IdempotencyKey
	// Answer is kept with the receipt and returned again for the same Key. It
	// holds ids and no content.
	Answer []byte
}

// Touches lists each cell that the change set touches, once.
func (cs ChangeSet) Touches() []Cell {
	seen := map[Cell]bool{}
	var cells []Cell
	add := func(c Cell) {
		if !seen[c] {
			seen[c] = true
			cells = append(cells, c)
		}
	}
	for _, c := range cs.Changes {
		for _, cell := range c.Touches() {
			add(cell)
		}
	}
	if cs.Key != nil {
		add(IdempotencyCell(cs.Key.Scope))
	}
	return cells
}

// Receipt says that a change set was applied: its number, and its transaction
// time.
type Receipt struct {
	Seq      Seq
	Tx       Instant
	Answer   []byte
	Hash     string // of the body, where the change set had a Key
	Replayed bool   // found, not made: the Key was used before
}

// Entry is one change set in the log: structure without content.
type Entry struct {
	Seq       Seq           `json:"seq"`
	Tx        Instant       `json:"tx"`
	ID        ID            `json:"id"`
	Operation string        `json:"operation"`
	Actor     string        `json:"actor"`
	Changes   []EntryChange `json:"changes"`
	// Hash chains the entry to the one before: see [Entry.Seal].
	Hash string `json:"hash"`
}

// EntryChange is one change of an entry: what was done, to what, and the
// entity or belief that it is about. Other is the second entity of a verdict.
type EntryChange struct {
	Kind   string `json:"kind"`
	ID     ID     `json:"id,omitempty"`
	Entity ID     `json:"entity,omitempty"`
	Other  ID     `json:"other,omitempty"`
	Belief ID     `json:"belief,omitempty"`
	Name   string `json:"name,omitempty"`
}

// Entities lists the entities that the entry changed something of, once each.
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

// EntryOf is the log's entry for a change set, before its hash.
func EntryOf(cs ChangeSet, seq Seq, tx Instant) Entry {
	e := Entry{Seq: seq, Tx: tx, ID: cs.ID, Operation: cs.Operation, Actor: cs.Actor}
	for _, c := range cs.Changes {
		e.Changes = append(e.Changes, entryChange(c))
	}
	return e
}

func entryChange(c Change) EntryChange {
	ec := EntryChange{Kind: c.Kind(), ID: c.Subject()}
	switch c := c.(type) {
	case MentionAssigned:
		ec.Entity = c.Assignment.Entity
	case OwnerAdded:
		ec.Entity = c.Owner.Entity
	case OwnerClosed:
		ec.Entity = c.Owner.Entity
	case VerdictPut:
		ec.Entity, ec.Other = c.Verdict.From, c.Verdict.Into
	case ReviewPut:
		ec.Entity = c.Review.Entity
	case ClaimMoved:
		ec.Entity, ec.Belief = c.To.Subject, c.Claim
	case EntityPut:
		ec.Entity = c.Entity.ID
	case ClaimAdded:
		ec.Entity, ec.Belief = c.Claim.Subject, c.Claim.ID
	case StandingPut:
		ec.Entity, ec.Belief = c.Slot.Subject, c.Standing.Belief
	case Amended:
		ec.Entity, ec.Belief = c.Slot.Subject, c.Amendment.Belief
	case CasePut:
		ec.Entity = c.Case.Subject
	case VocabularyPut:
		ec.Name = c.Vocabulary.Name
	case TermPut:
		ec.Name = c.Term.ID()
	}
	return ec
}

// Seal is the hash of the entry, chained to that of the entry before ("" for
// the first): what was altered later no longer fits.
func (e Entry) Seal(previous string) string {
	e.Hash = ""
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // a struct of strings and numbers always has a JSON form
	}
	h := sha256.New()
	h.Write([]byte(previous))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}
