package tenure

import "encoding/json"

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

// Classification orders who may see an object at all.
type Classification string

// The security classifications, from open to closed.
const (
	Public           Classification = "public"
	Restricted       Classification = "restricted"
	Confidential     Classification = "confidential"
	HighlyRestricted Classification = "highly_restricted"
)

// Rank is 0 for public to 3 for highly restricted, and 4 for anything else, so
// that an unknown classification is seen by nobody.
func (c Classification) Rank() int {
	for i, k := range []Classification{Public, Restricted, Confidential, HighlyRestricted} {
		if c == k {
			return i
		}
	}
	return 4
}

// Layer is the state layer of a claim (StateBench, State Layers).
type Layer string

// The layers that claims live in; identity is of the caller.
const (
	LayerFact        Layer = "fact"
	LayerWorkingSet  Layer = "working_set"
	LayerEnvironment Layer = "environment"
)

// Basis tells whether the start of a valid window was stated or merely
// observed.
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

// DecayRule says how fast confidence fades.
type DecayRule struct {
	HalfLifeDays     float64 `json:"half_life_days"`
	MinimumThreshold float64 `json:"minimum_threshold"`
}

// Evidence of a named supersession: the rule that found it, the words that
// triggered it, and where they stand.
type Evidence struct {
	Rule    string `json:"rule,omitempty"`
	Span    string `json:"span,omitempty"`
	Trigger string `json:"trigger,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Value is what a claim says of its subject: a JSON value, or an entity.
// Canonical is equal for two values when, and only when, they say the same.
type Value struct {
	JSON   json.RawMessage `json:"json,omitempty"`
	Entity ID              `json:"entity,omitempty"`
	// Mention is the mention that Entity was stated by, where one did.
	Mention   ID     `json:"mention,omitempty"`
	Canonical string `json:"canonical"`
}

// Claim is one statement, made in an observation, about a member entity.
// Evidence: it never changes. Its id is the id of the belief that it founds.
type Claim struct {
	ID          ID  `json:"id"`
	Observation ID  `json:"observation"`
	Index       int `json:"index"`
	Subject     ID  `json:"subject"`
	// SubjectMention is the mention that Subject was stated by, where one did.
	SubjectMention ID     `json:"subject_mention,omitempty"`
	Predicate      string `json:"predicate"`
	Value          Value  `json:"value"`
	// Key is a name that was given to the claim, for others to supersede it or
	// to rest on it; it may be empty.
	Key        string  `json:"key,omitempty"`
	Scope      Scope   `json:"scope"`
	Layer      Layer   `json:"layer"`
	Source     Source  `json:"source"`
	Confidence float64 `json:"confidence_score"`
	// Window is the valid time that the claim states for itself.
	Window     Window  `json:"window"`
	Basis      Basis   `json:"valid_from_basis"`
	ObservedAt Instant `json:"observed_at"`
	// Supersedes lists the beliefs that the claim names as displaced.
	Supersedes []ID      `json:"supersedes,omitempty"`
	Evidence   *Evidence `json:"supersession_evidence,omitempty"`
	DependsOn  []ID      `json:"depends_on,omitempty"`

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

// Slot is the slot that the claim speaks in.
func (c Claim) Slot() Slot { return Slot{Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope} }

// Slot is the place where claims can contradict: one subject, one predicate,
// one scope.
type Slot struct {
	Subject   ID
	Predicate string
	Scope     Scope
}

// Key is equal for equal slots and for no others.
func (s Slot) Key() string { return string(s.Subject) + "\x1e" + s.Predicate + "\x1e" + s.Scope.Key() }

// Status is the contradiction_status of a context object.
type Status string

// The statuses. Only what is clean reaches a model. Overridden: displaced by
// authority, by a newer claim, by name, or retracted. Disputed: the loser by
// trust, or a party to an open tie. Quarantined: a barred value restated, or a
// claim whose grounds no longer stand.
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
	BySuccession Cause = "succession"
	ByTrust      Cause = "trust"
	ByTie        Cause = "tie"
	ByName       Cause = "named_supersession"
	ByRetraction Cause = "retraction"
	ByRejection  Cause = "rejection"
	ByEnd        Cause = "end"
	ByBar        Cause = "barred_value"
	ByDependency Cause = "dependency"
)

// Status is the contradiction_status that goes with the cause.
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

// Segment is a span of a claim's own valid window with one outcome. By is the
// belief or amendment that displaced it; Relation is Allen's relation of the
// claim's window to that of By, where windows were compared.
type Segment struct {
	Window
	Cause    Cause  `json:"cause"`
	By       ID     `json:"by,omitempty"`
	Relation string `json:"relation,omitempty"`
}

// Standing is what became of a claim: its window cut into segments, in order,
// that cover it exactly. It is a pure function of the evidence.
type Standing struct {
	Belief        ID        `json:"belief"`
	Segments      []Segment `json:"segments"`
	NeedsReview   bool      `json:"needs_review,omitempty"`
	LastConfirmed Instant   `json:"last_confirmed"`
	Case          ID        `json:"case,omitempty"`
	// Subject and Object are set where a split moved the claim: the entities
	// that it is about, and that it says, now.
	Subject ID `json:"subject,omitempty"`
	Object  ID `json:"object,omitempty"`
}

// At is the segment that covers the instant; false where the claim's own
// window does not.
func (s Standing) At(v Instant) (Segment, bool) {
	for _, g := range s.Segments {
		if g.Contains(v) {
			return g, true
		}
	}
	return Segment{}, false
}

// Belief is a claim with its standing, and when the service recorded both. Of a
// claim that was moved, Subject and Value.Entity are those of the standing.
// RecordedAt is the transaction time of the claim; the standing holds over the
// transaction window StandingTx.
type Belief struct {
	Claim      Claim
	Standing   Standing
	RecordedAt Instant
	StandingTx Window
}

// Home gives the claim the subject and the object of the standing. Stores call
// it on what they read.
func (b *Belief) Home() {
	if b.Standing.Subject != "" {
		b.Claim.Subject = b.Standing.Subject
	}
	if b.Standing.Object != "" {
		b.Claim.Value.Entity = b.Standing.Object
	}
}

// AmendmentKind is what an amendment does to the belief that it names.
type AmendmentKind string

// The kinds of amendment. Retract: never held. End: no longer true from At.
// Confirm: still so at At. Accept and Reject: the settlement of a case.
const (
	Retract AmendmentKind = "retract"
	End     AmendmentKind = "end"
	Confirm AmendmentKind = "confirm"
	Accept  AmendmentKind = "accept"
	Reject  AmendmentKind = "reject"
)

// Amendment is a later word on a belief. Evidence: it never changes.
type Amendment struct {
	ID             ID            `json:"id"`
	Kind           AmendmentKind `json:"kind"`
	Belief         ID            `json:"belief"`
	Case           ID            `json:"case,omitempty"`
	At             Instant       `json:"at"`
	AuthorityLevel int           `json:"authority_level"`
	Actor          string        `json:"actor"`
	Reason         string        `json:"reason,omitempty"`
}

// CaseState tells where a quarantine case stands.
type CaseState string

// The states of a case. Dissolved: the tie went away by itself, or its subject
// was merged into another; the case is opened again if it comes back.
const (
	CaseOpen      CaseState = "open"
	CaseSettled   CaseState = "settled"
	CaseDissolved CaseState = "dissolved"
)

// Resolver says what would settle a case: a tool to look the answer up with
// (Target is its URI) or a person's answer.
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

// Case is one version of a quarantine case: claims that contradict each other
// with nothing to choose between them. CrossScope cases tie claims of several
// scopes and bind only those who see all sides.
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
	Accepted   ID        `json:"accepted,omitempty"`
	Note       string    `json:"note,omitempty"`
	Version    int       `json:"version"`
}

// Slot is the slot of a case that is not across scopes.
func (c Case) Slot() Slot { return Slot{Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope} }
