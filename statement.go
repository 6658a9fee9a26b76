package tenure

// Act is what the words of a statement do. Only some change what stands: see [Act.Changes].
type Act string

// The acts.
const (
	Asserts  Act = "assert"          // says that something is so
	Corrects Act = "correct"         // says that what was said or held was wrong
	Retracts Act = "retract"         // takes back
	Ends     Act = "end"             // says that it is so no longer
	Plans    Act = "plan"            // says that it will be so
	Asks     Act = "ask"             // asks
	Requests Act = "request"         // asks somebody to do something
	Proposes Act = "propose"         // suggests it, or calls it a draft
	Supposes Act = "suppose"         // what if
	Denies   Act = "deny"            // says that it did not change, or is not so
	Reports  Act = "report_of_other" // passes on what another says, without standing by it
	Recounts Act = "history"         // says what was so once
	Jokes    Act = "joke_or_irony"   // is not meant
)

// Changes reports whether an act can change what stands. A plan does so from the time that it names.
func (a Act) Changes() bool {
	return a == Asserts || a == Corrects || a == Retracts || a == Ends || a == Plans
}

// Span is a part of a text: bytes of UTF-8, end exclusive.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Statement is what one clause of a text says, as an extractor read it: an input of the write, kept as evidence.
// A statement may do nothing at all.
type Statement struct {
	Span
	Act Act `json:"act"`
	// Subject is what the clause is about, as written. It is empty where the clause names nothing, or says "it".
	Subject Span `json:"subject,omitzero"`
	// Property are the words that say which property of the subject is meant, as far as there are any.
	Property string `json:"property,omitempty"`
	// New is the value said to hold, or of an act that changes nothing the value that is mentioned; Old is the value
	// that is said not to hold, or no longer. Either may be empty.
	New Span `json:"new,omitzero"`
	Old Span `json:"old,omitzero"`
	// Kind is what New (else Old) looks like: a kind of package values, or "name" or "text".
	Kind string `json:"kind,omitempty"`
	// From and Until bound the valid time that the clause states.
	From  *Instant `json:"valid_from,omitempty"`
	Until *Instant `json:"valid_until,omitempty"`
	// Voice is who is reported to say it, if that is somebody else than the speaker.
	Voice string `json:"voice,omitempty"`
	// Trigger are the words that decided the act, if there were any.
	Trigger string `json:"trigger,omitempty"`
	// Alternative reports whether it is another reading of the clause than the statement before it with the same span:
	// of the two at most one is meant.
	Alternative bool `json:"alternative,omitempty"`
	// Confidence is how sure the extractor is of the act and the value, 0 to 1.
	Confidence float64 `json:"confidence"`
	// Extractor is the name and version of what read it.
	Extractor string `json:"extractor"`
}

// Said is a statement of an observation, with the slot that it was aligned to and what it did there.
type Said struct {
	Statement
	Effect Effect `json:"effect"`
	// Entity and Predicate are the slot that it was aligned to, "" where it was aligned to none.
	Entity    ID     `json:"entity_id,omitempty"`
	Predicate string `json:"predicate,omitempty"`
	// About is the name of what it is about, where that was no entity yet: later turns may speak of it.
	About string `json:"about,omitempty"`
	// Asks reports whether it asks for the value of the slot: what is said next may be the answer.
	Asks bool `json:"asks,omitempty"`
	// Belief is the one that it made or amended, the first of several.
	Belief ID `json:"belief_id,omitempty"`
	// Amended counts the beliefs that it ended or retracted.
	Amended int `json:"amended,omitempty"`
	// Why says by what it was aligned, or why it did nothing.
	Why string `json:"why,omitempty"`
	// Proposal is what an [Unsure] statement would do.
	Proposal *Proposal `json:"proposal,omitempty"`
}

// Proposal is a change that somebody is to be asked about. Who it is of and which property are those of its statement.
type Proposal struct {
	// Effect is Set, Adds, EndsSlot or RetractsValue.
	Effect Effect `json:"effect"`
	// Name is what it is about where that was no entity.
	Name string `json:"name,omitempty"`
	// Value is the new value as written, or of an end or a retraction the old one, "" for all that stands.
	Value string `json:"value,omitempty"`
	// Many reports whether the value would stand beside others, Beside whether the words say so.
	Many   bool `json:"many,omitempty"`
	Beside bool `json:"beside,omitempty"`
	// From and Until bound the valid time of the value.
	From  *Instant `json:"valid_from,omitempty"`
	Until *Instant `json:"valid_until,omitempty"`
	// Stands lists the beliefs that it would displace, end or retract. When one of them stands no longer, there is
	// nothing to ask.
	Stands []ID `json:"stands,omitempty"`
}

// Effect is what a statement does to a slot: see package statements.
type Effect string

// The effects.
const (
	Set           Effect = "set"     // its new value holds
	EndsSlot      Effect = "end"     // its old value holds no longer
	RetractsValue Effect = "retract" // its old value never held
	Keeps         Effect = "keep"    // nothing: a question, a proposal, a denial of a change, ...
	Adds          Effect = "add"     // a property that no slot has: a new slot of the subject
	Remarks       Effect = "remark"  // aligned to nothing: it is kept as something that was said
	Unsure        Effect = "propose" // it may change the slot; somebody is to be asked
)

// Idle reports whether it is another reading of a clause that did nothing.
func (s Said) Idle() bool { return s.Alternative && s.Effect == Keeps }
