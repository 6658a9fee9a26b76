package tenure

import (
	"cmp"
	"encoding/json"
	"slices"
)

// ObjectType is the kind of a context object (Context Architecture, the
// ContextObject schema).
type ObjectType string

// The object types.
const (
	Preference           ObjectType = "preference"
	IdentityFact         ObjectType = "identity_fact"
	ProjectDecision      ObjectType = "project_decision"
	RetrievedPassage     ObjectType = "retrieved_passage"
	PolicyRule           ObjectType = "policy_rule"
	ToolSchema           ObjectType = "tool_schema"
	InferredBelief       ObjectType = "inferred_belief"
	ActionableConstraint ObjectType = "actionable_constraint"
)

// Classification orders who may see an object.
type Classification string

// The security classifications, from open to closed.
const (
	Public           Classification = "public"
	Restricted       Classification = "restricted"
	Confidential     Classification = "confidential"
	HighlyRestricted Classification = "highly_restricted"
)

// classifications are in their order.
var classifications = []Classification{Public, Restricted, Confidential, HighlyRestricted}

// Rank returns 0 for public to 3 for highly restricted, and 4 for an unknown classification, which no caller
// sees.
func (c Classification) Rank() int {
	if i := slices.Index(classifications, c); i >= 0 {
		return i
	}
	return len(classifications)
}

// AndBelow lists the classifications from public to this one, none for an unknown one.
func (c Classification) AndBelow() []Classification {
	return slices.Clone(classifications[:slices.Index(classifications, c)+1])
}

// Layer is the state layer of a claim (StateBench, State Layers).
type Layer string

// The layers of claims. The identity layer belongs to the caller.
const (
	LayerFact        Layer = "fact"
	LayerWorkingSet  Layer = "working_set"
	LayerEnvironment Layer = "environment"
)

// Basis is how the start of a valid window is known: stated, or merely observed.
type Basis string

// The bases of a valid_from.
const (
	Stated   Basis = "stated"
	Observed Basis = "observed"
)

// PermissionScope names the roles that may see an object. Deny wins; an empty
// allow list allows everyone.
type PermissionScope struct {
	AllowRoles []string `json:"allow_roles,omitempty"`
	DenyRoles  []string `json:"deny_roles,omitempty"`
}

// DecayRule is how fast confidence decays.
type DecayRule struct {
	HalfLifeDays     float64 `json:"half_life_days"`
	MinimumThreshold float64 `json:"minimum_threshold"`
}

// Evidence supports a named supersession: the rule that detected it, the trigger words, and their position. Of a claim
// that was read in a text, Question is what the turn before asked, if it may be the answer.
type Evidence struct {
	Rule     string `json:"rule,omitempty"`
	Span     string `json:"span,omitempty"`
	Trigger  string `json:"trigger,omitempty"`
	Source   string `json:"source,omitempty"`
	Question string `json:"question,omitempty"`
}

// Value is what a claim states about its subject: a JSON value or an entity. Canonical is equal for two
// values if and only if they are the same value.
type Value struct {
	JSON   json.RawMessage `json:"json,omitempty"`
	Entity ID              `json:"entity,omitempty"`
	// Mention is the mention that Entity was stated by, if any.
	Mention ID `json:"mention,omitempty"`
	// Name is the name by which Entity was stated. A text that says the name is the same value.
	Name      string `json:"name,omitempty"`
	Canonical string `json:"canonical"`
}

// Text returns a value that is a text as it is, and any other as JSON; "" for an entity.
func (v Value) Text() string {
	var s string
	if json.Unmarshal(v.JSON, &s) == nil {
		return s
	}
	return string(v.JSON)
}

// Claim is one statement about a member entity, made in an observation. Evidence: it never changes. Its id is
// also the id of its belief.
type Claim struct {
	ID          ID  `json:"id"`
	Observation ID  `json:"observation"`
	Index       int `json:"index"`
	Subject     ID  `json:"subject"`
	// SubjectMention is the mention that Subject was stated by, if any.
	SubjectMention ID `json:"subject_mention,omitempty"`
	// Predicate is the name of the term that was meant. PredicateAsWritten is what was said instead, if it differs.
	Predicate          string `json:"predicate"`
	PredicateAsWritten string `json:"predicate_as_written,omitempty"`
	// Inverted reports whether the claim was said from the other side: its value, as written, its subject.
	Inverted bool  `json:"inverted,omitempty"`
	Value    Value `json:"value"`
	// Key is an optional name by which other claims supersede or depend on the claim.
	Key        string  `json:"key,omitempty"`
	Scope      Scope   `json:"scope"`
	Layer      Layer   `json:"layer"`
	Source     Source  `json:"source"`
	Confidence float64 `json:"confidence_score"`
	// Window is the valid time that the claim states.
	Window     Window  `json:"window"`
	Basis      Basis   `json:"valid_from_basis"`
	ObservedAt Instant `json:"observed_at"`
	// Supersedes lists the beliefs that the claim displaces by name.
	Supersedes []ID      `json:"supersedes,omitempty"`
	Evidence   *Evidence `json:"supersession_evidence,omitempty"`
	DependsOn  []ID      `json:"depends_on,omitempty"`
	// Many reports whether the claim stands beside others of its slot: it displaces none and none displaces it.
	Many bool `json:"many,omitempty"`
	// Recalls reports whether the claim repeats what was said before ("as I said"), and states nothing new.
	Recalls bool `json:"recalls,omitempty"`
	// Erased reports whether the claim is a tombstone.
	Erased bool `json:"erased,omitempty"`

	Description
}

// Description is what a claim states of itself besides its value: how it is to be read, who may see it, and how long it
// is of use.
type Description struct {
	ObjectType            ObjectType      `json:"object_type"`
	Content               string          `json:"content,omitempty"`
	NormalizedClaim       string          `json:"normalized_claim,omitempty"`
	MemoryType            string          `json:"memory_type,omitempty"`
	IsConstraint          bool            `json:"is_constraint,omitempty"`
	ConstraintType        string          `json:"constraint_type,omitempty"`
	Classification        Classification  `json:"security_classification"`
	Permission            PermissionScope `json:"permission_scope"`
	WhyItMatters          string          `json:"why_it_matters,omitempty"`
	ApplicableTaskTypes   []string        `json:"applicable_task_types,omitempty"`
	BehavioralImplication string          `json:"behavioral_implication,omitempty"`
	DecayRule             *DecayRule      `json:"decay_rule,omitempty"`
	UpdatePath            string          `json:"update_path,omitempty"`
	RetirementRule        string          `json:"retirement_rule,omitempty"`
}

// AsSaid returns the claim with the subject, predicate and value that were said.
func (c Claim) AsSaid() Claim {
	if c.PredicateAsWritten != "" {
		c.Predicate, c.PredicateAsWritten = c.PredicateAsWritten, ""
	}
	if c.Inverted {
		return c.Turned()
	}
	return c
}

// Turned returns the claim about two entities with its value as subject and its subject as value. The predicate is
// left to who turns it. By which name the subject was stated is not known.
func (c Claim) Turned() Claim {
	c.Subject, c.Value.Entity = c.Value.Entity, c.Subject
	c.SubjectMention, c.Value.Mention = c.Value.Mention, c.SubjectMention
	c.Value.Name, c.Inverted = "", !c.Inverted
	return c
}

// SaysMany reports whether the claim says that its value stands beside others. One that is held from the other side
// spoke of the other direction.
func (c Claim) SaysMany() bool { return c.Many && !c.Inverted }

// Under returns the claim under another predicate, which keeps what was written.
func (c Claim) Under(predicate string) Claim {
	said := cmp.Or(c.PredicateAsWritten, c.Predicate)
	c.Predicate, c.PredicateAsWritten = predicate, ""
	if said != predicate {
		c.PredicateAsWritten = said
	}
	return c
}

// Directs reports whether the claim says how to act, and not only how things are: a policy rule, a constraint, a
// preference, or anything with a behavioral implication (Context Architecture, Fact-to-Instruction Conversion Ladder).
func (c Claim) Directs() bool {
	return c.Constrains() || c.ObjectType == Preference || c.BehavioralImplication != ""
}

// Constrains reports whether the claim binds: a policy rule, or what is stated to be a constraint.
func (c Claim) Constrains() bool {
	return c.IsConstraint || c.ObjectType == PolicyRule || c.ObjectType == ActionableConstraint
}

// Slot returns the slot of the claim.
func (c Claim) Slot() Slot { return Slot{Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope} }

// Slot is where claims can contradict: one subject, one predicate, one scope.
type Slot struct {
	Subject   ID
	Predicate string
	Scope     Scope
}

// Key is equal for equal slots and for no others.
func (s Slot) Key() string { return string(s.Subject) + "\x1e" + s.Predicate + "\x1e" + s.Scope.Key() }

// Status is the contradiction_status of a context object.
type Status string

// The statuses; [Cause.Status] says which causes have which. Only a clean belief reaches a model. Overridden:
// displaced by authority, by a newer claim or by name, or ended, retracted or rejected. Disputed: lost by trust,
// or party to an open tie. Quarantined: a barred value restated, or a claim whose grounds no longer stand.
const (
	Clean       Status = "clean"
	Disputed    Status = "disputed"
	Overridden  Status = "overridden"
	Quarantined Status = "quarantined"
)

// Cause is the rule that gave a segment its status.
type Cause string

// The causes of a segment.
const (
	Stands       Cause = "stands"
	ByAuthority  Cause = "authority"
	ByRank       Cause = "rank"
	BySuccession Cause = "succession"
	ByTrust      Cause = "trust"
	ByTie        Cause = "tie"
	ByName       Cause = "named_supersession"
	ByRetraction Cause = "retraction"
	ByRejection  Cause = "rejection"
	ByEnd        Cause = "end"
	ByStart      Cause = "start"
	ByBar        Cause = "barred_value"
	ByDependency Cause = "dependency"
	NoValue      Cause = "no_value"
)

// Causes lists every cause.
var Causes = []Cause{
	Stands, ByAuthority, ByRank, BySuccession, ByTrust, ByTie, ByName, ByRetraction, ByRejection, ByEnd, ByStart, ByBar,
	ByDependency, NoValue,
}

// Status returns the contradiction_status that a cause implies.
func (c Cause) Status() Status {
	switch c {
	case Stands:
		return Clean
	case ByTrust, ByTie:
		return Disputed
	case ByBar, ByDependency:
		return Quarantined
	default:
		return Overridden
	}
}

// Segment is a span of a claim's valid window with one cause. By is the belief or amendment that displaced
// it; Relation is Allen's relation of the claim's window to that of By, if windows were compared.
type Segment struct {
	Window
	Cause    Cause  `json:"cause"`
	By       ID     `json:"by,omitempty"`
	Relation string `json:"relation,omitempty"`
}

// Contested reports whether the segment was lost to a contradiction.
func (g Segment) Contested() bool {
	switch g.Cause {
	case ByAuthority, ByRank, ByTrust, ByTie, ByBar:
		return true
	default:
		return false
	}
}

// Standing is the status timeline of a claim: its window cut into adjoining segments, in order. It is a pure
// function of the evidence.
type Standing struct {
	Belief        ID        `json:"belief"`
	Segments      []Segment `json:"segments"`
	NeedsReview   bool      `json:"needs_review,omitempty"`
	LastConfirmed Instant   `json:"last_confirmed"`
	Case          ID        `json:"case,omitempty"`
	// Subject and Object are set if a split or a vocabulary moved the claim: its present subject and value.
	Subject ID `json:"subject,omitempty"`
	Object  ID `json:"object,omitempty"`
	// Predicate is set if a vocabulary moved the claim: its present predicate. Turned reports whether subject and
	// value have changed places since.
	Predicate string `json:"predicate,omitempty"`
	Turned    bool   `json:"turned,omitempty"`
	// Labels are those of the evidence that the standing was computed from, each once; none if all of it has the zero
	// label. Who does not see all of them is answered with a standing of what they see.
	Labels []Label `json:"labels,omitempty"`
}

// MovedLike returns the standing of a claim that is where another standing of it has it.
func (s Standing) MovedLike(o Standing) Standing {
	s.Subject, s.Object, s.Predicate, s.Turned = o.Subject, o.Object, o.Predicate, o.Turned
	return s
}

// At returns the segment that covers the instant, and reports whether there is one.
func (s Standing) At(v Instant) (Segment, bool) {
	for _, g := range s.Segments {
		if g.Contains(v) {
			return g, true
		}
	}
	return Segment{}, false
}

// Contested reports whether something contradicts the claim: it lost a segment by authority, trust, tie or a barred
// value.
func (s Standing) Contested() bool { return slices.ContainsFunc(s.Segments, Segment.Contested) }

// Span returns the smallest window that holds every segment in which the claim stands. The window of a claim that
// stands nowhere is empty.
func (s Standing) Span() Window {
	w := Window{}
	for _, g := range s.Segments {
		if g.Cause != Stands {
			continue
		}
		if w.Empty() {
			w = g.Window
			continue
		}
		w.From, w.Until = min(w.From, g.From), max(w.Until, g.Until)
	}
	return w
}

// Belief is a claim with its standing and the transaction times of both: RecordedAt of the claim, StandingTx
// of the standing. Subject, predicate and value of a moved claim are those of the standing.
type Belief struct {
	Claim      Claim
	Standing   Standing
	RecordedAt Instant
	StandingTx Window
}

// Relocate replaces subject, predicate and object of the claim by those of the standing. Stores call it on every
// belief that they read.
func (b *Belief) Relocate() {
	s, c := &b.Standing, &b.Claim
	if s.Turned {
		*c = c.Turned()
	}
	if s.Predicate != "" {
		*c = c.Under(s.Predicate)
	}
	if s.Subject != "" {
		c.Subject = s.Subject
	}
	if s.Object != "" {
		c.Value.Entity = s.Object
	}
}

// AmendmentKind is the effect of an amendment on its belief.
type AmendmentKind string

// The kinds of amendment. Retract: never held. End: no longer true from At. Start: not true before At.
// Confirm: still so at At. Accept, Reject and Beside: the settlement of a case; beliefs that one case put beside
// each other do not contradict each other. Undo: the amendment that it names counts no more.
const (
	Retract AmendmentKind = "retract"
	End     AmendmentKind = "end"
	Start   AmendmentKind = "start"
	Confirm AmendmentKind = "confirm"
	Accept  AmendmentKind = "accept"
	Reject  AmendmentKind = "reject"
	Undo    AmendmentKind = "undo"
	Beside  AmendmentKind = "beside"
)

// Amendment is a later decision about a belief. Evidence: it never changes.
type Amendment struct {
	ID             ID            `json:"id"`
	Kind           AmendmentKind `json:"kind"`
	Belief         ID            `json:"belief"`
	Case           ID            `json:"case,omitempty"`
	At             Instant       `json:"at"`
	AuthorityLevel int           `json:"authority_level"`
	// Role is the role in which the amendment was made, "" if none is known.
	Role   string `json:"role,omitempty"`
	Actor  string `json:"actor"`
	Reason string `json:"reason,omitempty"`
	// Undoes is the amendment that an Undo undoes; it is of the same belief.
	Undoes ID `json:"undoes,omitempty"`
	// Label says who may see the amendment of those who may see the belief; nil is all of them.
	Label *Label `json:"label,omitzero"`
}

// CaseState is the state of a quarantine case.
type CaseState string

// The states of a case. Dissolved: the tie is gone, or the subject was merged into another; the case is
// opened again if the tie returns.
const (
	CaseOpen      CaseState = "open"
	CaseSettled   CaseState = "settled"
	CaseDissolved CaseState = "dissolved"
)

// Resolver is what would settle a case: a tool that can look the answer up (Target is its URI), or a person.
type Resolver struct {
	Kind   string `json:"kind"`
	Target string `json:"target,omitempty"`
	Task   string `json:"task"`
}

// The kinds of resolver.
const (
	ResolverTool   = "tool_lookup"
	ResolverPerson = "user_confirmation"
)

// Case is one version of a quarantine case: claims that contradict each other and that no rule decides. A
// CrossScope case ties claims of several scopes and binds only requests that see all sides.
type Case struct {
	ID         ID        `json:"id"`
	Subject    ID        `json:"subject"`
	Predicate  string    `json:"predicate"`
	Scope      Scope     `json:"scope"`
	CrossScope bool      `json:"cross_scope,omitempty"`
	State      CaseState `json:"state"`
	Holds      []ID      `json:"holds"`
	Windows    []Window  `json:"windows,omitempty"`
	Resolver   Resolver  `json:"resolver"`
	OpenedAt   Instant   `json:"opened_at"`
	ClosedAt   Instant   `json:"closed_at,omitempty"`
	// DeferredBy is the actor who deferred the case last, DeferredUntil the time until which; 0 if none was given.
	DeferredBy    string  `json:"deferred_by,omitempty"`
	DeferredAt    Instant `json:"deferred_at,omitempty"`
	DeferredUntil Instant `json:"deferred_until,omitempty"`
	DeferNote     string  `json:"defer_note,omitempty"`
	Lease
	// PendingBeliefs counts the beliefs that wait for the answer. Score orders open cases, the greatest first: see
	// package quarantine.
	PendingBeliefs int     `json:"pending_beliefs,omitempty"`
	Score          float64 `json:"score,omitempty"`
	// Accepted is the belief that the settlement accepted; AcceptedFrom, if any, is the time from which on.
	Accepted     ID       `json:"accepted,omitempty"`
	AcceptedFrom *Instant `json:"accepted_from,omitempty"`
	Note         string   `json:"note,omitempty"`
	SettledBy    *Settler `json:"settled_by,omitempty"`
	// Events lists what was done with the case, oldest first.
	Events  []CaseEvent `json:"events,omitempty"`
	Version int         `json:"version"`
}

// Settler is who settled a case, when, and with which answer: accept, both or reject_all.
type Settler struct {
	Actor    string  `json:"actor"`
	Reviewer string  `json:"reviewer,omitempty"` // named by the credential, if any
	At       Instant `json:"at"`
	How      string  `json:"how"`
}

// CaseEvent is one event in the history of a case. Action is an answer (accept, both, reject_all, defer), or undone
// where one was taken back.
type CaseEvent struct {
	At       Instant  `json:"at"`
	Actor    string   `json:"actor"`
	Reviewer string   `json:"reviewer,omitempty"` // named by the credential, if any
	Action   string   `json:"action"`
	Accepted ID       `json:"accepted,omitempty"`
	From     *Instant `json:"from,omitempty"`
	Until    Instant  `json:"until,omitempty"`
	Note     string   `json:"note,omitempty"`
}

// Rank returns the sort key of a case among the cases of its state: open cases by descending score, others by
// descending time of closing.
func (c Case) Rank() string {
	const steps, most = 1e6, 1e6
	if c.State == CaseOpen {
		return rank(int64((min(max(c.Score, -most), most)+most)*steps), c.ID)
	}
	return rank(int64(c.ClosedAt), c.ID)
}

// Slot returns the slot of a case within one scope.
func (c Case) Slot() Slot { return Slot{Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope} }
