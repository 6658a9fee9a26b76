package statements

import "tenure"

// Slot is what is known of one property of one entity, as far as a statement may mean it.
type Slot struct {
	// Names are the names and aliases of the subject, the one that it goes by first.
	Names []string
	// Predicate is the name of the property; Synonyms are further words for it; Type is the type of its values.
	Predicate string
	Synonyms  []string
	Type      tenure.ValueType
	Many      bool
	// Values are the texts of the values that stand, the newest first; Kinds are what they look like. A slot without
	// values is one that another entity of the kind has, or that ended.
	Values []string
	Kinds  []string
	// Since is when the newest value was said.
	Since tenure.Instant
	// Named reports whether the text names the subject. Turn is how many turns ago the thread last spoke of the
	// subject (1 is the turn before), 0 if it did not; Said the same of the slot itself. Own reports whether the
	// subject is the speaker.
	Named bool
	Turn  int
	Said  int
	Own   bool
}

// Effect is what a statement does to a slot.
type Effect = tenure.Effect

// The effects.
const (
	Set      Effect = "set"     // its new value holds
	Ends     Effect = "end"     // its old value holds no longer
	Retracts Effect = "retract" // its old value never held
	Keeps    Effect = "keep"    // nothing: a question, a proposal, a denial of a change, ...
	Adds     Effect = "add"     // a property that no slot has: a new slot of the subject
	Remarks  Effect = "remark"  // aligned to nothing: it is kept as something that was said
	Unsure   Effect = "propose" // it may change the slot; somebody is to be asked
)

// Change is what one statement means for what is believed.
type Change struct {
	Statement int // index
	Effect    Effect
	// Slot is the index of the slot, -1 if there is none: then Subject and Predicate name what is meant.
	Slot      int
	Subject   string
	Predicate string
	// Value is the new value as written, or for ends and retractions the old one, "" for all of the slot.
	Value string
	From  *tenure.Instant
	Until *tenure.Instant
	// Confidence is how sure the alignment is, 0 to 1. Why says by what it was aligned.
	Confidence float64
	Why        string
}

// Align says what the statements of a text change, in their order.
func Align(list []tenure.Statement, slots []Slot) []Change {
	return nil
}
