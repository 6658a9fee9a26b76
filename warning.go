package tenure

// Warning says that something of an observation was not taken as its author may expect. Pointer is the JSON pointer of
// the field, "" for the observation as a whole.
type Warning struct {
	Code    WarningCode `json:"code"`
	Pointer string      `json:"pointer,omitempty"`
	// Beliefs are those that the warning is about, if any.
	Beliefs []ID `json:"beliefs,omitempty"`
	// Case is the case that holds the claim.
	Case ID `json:"case_id,omitempty"`
	// Cause is why the claim does not stand.
	Cause Cause `json:"cause,omitempty"`
	// Review is the review that the mention waits for, Entities its candidates.
	Review   ID   `json:"review_id,omitempty"`
	Entities []ID `json:"candidates,omitempty"`
}

// WarningCode is what a [Warning] is about.
type WarningCode string

// The codes of warnings.
const (
	TextOnly       WarningCode = "text_only"
	AmbiguousValue WarningCode = "ambiguous_value"
	// DisplacedUnderOne is about a claim under a predicate that is not defined.
	DisplacedUnderOne WarningCode = "displaced_under_one"
	// DisplacedOtherWord is about a claim that displaced what was said in another word for its predicate.
	DisplacedOtherWord WarningCode = "displaced_other_word"
	Held               WarningCode = "held"
	NotStanding        WarningCode = "not_standing"
	UnresolvedName     WarningCode = "unresolved_name"
	// SimilarEntity is about a name that made an entity, and is a part of the name of another, or has it as a part.
	SimilarEntity WarningCode = "similar_entity"
	FutureTime    WarningCode = "future_time"
	// UnknownRole is about a role that the order of roles does not have.
	UnknownRole  WarningCode = "unknown_role"
	AlreadyEnded WarningCode = "already_ended"
	// ValueReturns is about a claim of what was displaced before, by another speaker than that of what it displaces.
	ValueReturns WarningCode = "value_returns"
	// NameAsText is about a text that may be the name of a person.
	NameAsText WarningCode = "name_as_text"
	// TextCut is about a text of which only the first part was read.
	TextCut WarningCode = "text_cut"
	NotRead WarningCode = "not_read"
	// The labels of a text or value: see package labels.
	LabelScope      WarningCode = "label_scope"
	LabelRestricted WarningCode = "label_restricted"
	LabelVoid       WarningCode = "label_void"
	// Outranked is about a sentence that disagrees with one of a stronger voice about the same matter.
	Outranked WarningCode = "outranked"
	// ProposedChange is about what a text may say of a belief, and was not certain enough to be applied.
	ProposedChange WarningCode = "proposed_change"
	// LaterText is about what a text says that was observed later and had been read before.
	LaterText WarningCode = "later_text"
	// LaterNotRead says that texts that were observed later could not be read again.
	LaterNotRead WarningCode = "later_not_read"
)

// Message returns what the warning means, and what to do about it.
func (c WarningCode) Message() string { return messages[c] }

var messages = map[WarningCode]string{
	TextOnly: "the text is kept and can be read back, but nothing of it will be compiled: state what it says as claims",
	TextCut: "only the first part of the text was read for statements: what comes after it is kept, and nothing of it " +
		"will be compiled; send it in parts",
	NotRead: "the text is kept, and was not read for statements: its language is not one that is read, or what reads it " +
		"does not answer; state what it says as claims",
	ProposedChange: "the text may change what is believed, and it is not certain that it does: nothing was changed; " +
		"answer the proposed change, which GET /v1/tasks lists (the proposal of the statement is its number), or state " +
		"what is so as a claim",
	LabelScope: "a label was taken to say that this is a draft, is only supposed, or holds in a scope of that name: it " +
		"has that scope, displaces nothing outside of it, and is compiled for requests of that scope alone; if it holds, " +
		"state it without the label, or with extract: none",
	LabelRestricted: "a label was taken to say who may read this: it has at least that classification, and where the " +
		"label names groups, it is compiled for identities with one of them among their roles alone",
	LabelVoid: "a label was taken to say that this does not hold: it is kept and does not stand, and what it names in " +
		"supersedes, else what says the same, was retracted or ended; if it holds, state it without the label, or with " +
		"extract: none",
	Outranked: "the sentence says otherwise of a matter than the beliefs named here, which a stronger voice said, or the " +
		"same voice later: it is kept, and does not stand; if both hold, state it with extract: none",
	LaterText: "a text that was observed after this had been read before it came, and was read again: later lists " +
		"what it says of this; if that is wrong, retract the belief",
	LaterNotRead: "this is kept; whether texts that were observed after it, and had been read before it came, say " +
		"anything of it could not be read in time: send the request again with its Idempotency-Key, and they are read",
	AmbiguousValue: "the value can be read in several ways, so it is compared as text: write a date as 2025-03-04, " +
		"a number without separators of thousands, a unit in full or apart from its number (1.2 m, 90 min)",
	DisplacedUnderOne: "nobody said how many values this predicate has, so the value took the place of all those named " +
		"here, also of several that were said together: if they hold side by side, state one of them with many: true and " +
		"all stand again, or define the predicate with cardinality many in the vocabulary predicates",
	DisplacedOtherWord: "the value took the place of those named here, which were stated under another predicate: the " +
		"vocabulary takes both for words of one thing, of which there is one value; if they are two things, define this " +
		"predicate as a term of its own in the vocabulary predicates, and both stand again",
	Held: "the claim contradicts another and nothing decides between them: neither is compiled until the case is " +
		"answered, by a key with the role reviewer or admin, or resolver where a tool can look it up (POST " +
		"/v1/quarantine/{case_id}/resolution); without such a key, state what decides: a claim that is later, that has " +
		"more authority, or that names the other one in supersedes",
	NotStanding: "the claim is kept, and does not stand: what the cause names prevails over it, and it is not compiled",
	UnresolvedName: "it is not certain whom the name means: a review asks, and until it is answered what is said of " +
		"the mention is not said of any candidate",
	SimilarEntity: "a new entity was made by this name, and others are known by a longer or a shorter form of it, the " +
		"candidates: what is said of one is not said of the other. If one of them is meant, have a reviewer merge the two " +
		"(POST /v1/entities/{id}/merge), or retract this and say it with the full name or the entity_id; a short name that " +
		"is stated among the aliases before it is used alone is known",
	UnknownRole: "nobody ordered this role, so it is above and below nobody: whose word counts is decided by authority, " +
		"time and trust alone; say what it outranks in the vocabulary roles, or use a role that it has (docs/roles.md)",
	FutureTime: "the time lies in the future: what holds from then on is kept, and not compiled until then; if it was " +
		"meant to hold now, look at the clock and the zone",
	AlreadyEnded: "the time has passed: the claim is kept and answers for its time (valid_at), and it is not compiled " +
		"for the present; other beliefs named here say the same without that end and still stand: end them, too (POST " +
		"/v1/beliefs/{belief_id}/end)",
	ValueReturns: "the value had been displaced, and stands again in the place of the beliefs named here, since it was " +
		"said later: if the speaker had not heard of the change, retract the claim; a statement that only recalls is " +
		"sent with recalls: true, and brings nothing back",
	NameAsText: "the object is written like a person's name and is kept as text: it is found by that text, and nothing " +
		"else is known of whom it names; if it is somebody, state object_type, or the name as an object",
}
