package compile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strings"

	"tenure"
	"tenure/linking"
	"tenure/store"
)

// The reasons for omitting an object, beside the causes of package tenure (see [reasonOf]).
const (
	reasonIrrelevant  = "irrelevant_to_active_task"
	reasonNotAskedFor = "not_asked_for"
	reasonOpenReview  = "open_review"
	reasonNotYetValid = "not_yet_valid"
	reasonExpired     = "expired_valid_time"
	reasonNarrower    = "narrower_scope"
	reasonConflict    = "conflicting_claim_unresolved"
	reasonDecayed     = "decayed"
	reasonDuplicate   = "duplicate"
	reasonCoarser     = "coarser"
	reasonOvertaken   = "overtaken"
	reasonStated      = "stated_by_request"
	reasonBudget      = "budget"
)

// The values of a validation status, the first that holds.
const (
	statusNothing    = "NOTHING_KNOWN" // the state is one from before the first change set
	statusUnresolved = "UNRESOLVED"    // a name in the request, or under review, has no single settled entity
	statusContested  = "CONTESTED"     // something about what was asked is held
	statusWithheld   = "WITHHELD"      // something asked about has decayed or lost its ground
	statusProposed   = "PROPOSED"      // a change of something asked about was proposed, and waits for an answer
	statusTruncated  = "TRUNCATED"     // something did not fit the budget, or a bound of what is read
	statusEmpty      = "EMPTY"         // nothing was found
	statusClean      = "CLEAN"
)

// degradedWords is said where the index of beliefs could not be asked and the newest of the scope are not all.
const degradedWords = "the index of beliefs has not read this state yet: only the newest of the scope were searched"

// The gates; the answer carries only a count for each.
const (
	gateScope  = "scope"
	gateClosed = "closed" // what the caller does not see in any scope
)

// Trace explains every line of an envelope and every omitted object (Context Architecture, the compile-time
// trace). It holds ids and no content, except words of the request, and nothing about when or where it was
// made.
type Trace struct {
	AsOf                 TraceAsOf     `json:"as_of"`
	ActiveTask           string        `json:"active_task"`
	TaskType             string        `json:"task_type,omitempty"`
	UserID               string        `json:"user_id,omitempty"`
	ProjectID            string        `json:"project_id,omitempty"`
	SessionID            string        `json:"session_id,omitempty"`
	TaskID               string        `json:"task_id,omitempty"`
	BudgetTokens         int           `json:"budget_tokens"`
	CompiledPromptTokens int           `json:"compiled_prompt_tokens"`
	State                StateMetadata `json:"state_compilation_metadata"`
	ValidationStatus     string        `json:"validation_status"`
	Metrics              Metrics       `json:"observability_metrics"`
}

// TraceAsOf is the state that was read: the instant that the answer is about, and the newest change set in
// it. Times are RFC 3339; KnownAt is empty for a tenant that never wrote.
type TraceAsOf struct {
	ValidAt string     `json:"valid_at"`
	KnownAt string     `json:"known_at,omitempty"`
	Seq     tenure.Seq `json:"seq"`
}

// StateMetadata lists what was compiled and what was not. Compiled objects are in the order of their lines,
// the others sorted by reason and content.
type StateMetadata struct {
	ResolvedEntities   []ResolvedEntity    `json:"resolved_entities"`
	UnresolvedEntities []Unresolved        `json:"unresolved_entities"`
	CompiledObjects    []CompiledObject    `json:"compiled_objects"`
	OmittedObjects     []OmittedObject     `json:"omitted_objects"`
	QuarantinedObjects []QuarantinedObject `json:"quarantined_objects"`
	// ProposedChanges wait for an answer; those said last are first.
	ProposedChanges []ProposedChange `json:"proposed_changes"`
	// CompiledInputs are the fields of the request that are in the envelope, in the order of their lines.
	CompiledInputs []CompiledInput `json:"compiled_inputs"`
	// CompiledPassages are the passages of documents in the envelope, in the order of their lines.
	CompiledPassages []CompiledPassage `json:"compiled_passages"`
	// RescuedSubunits are sentences of passages that were not selected, in the order of their lines.
	RescuedSubunits []RescuedSubunit `json:"rescued_subunits"`
	// UnknownSlots are the properties, required or asked for, of which nothing valid is known.
	UnknownSlots []UnknownSlot `json:"unknown_slots"`
	// OmittedInputs are fields of the request that did not fit the budget.
	OmittedInputs []OmittedInput `json:"omitted_inputs"`
	// DeniedCounts is the number of objects that each gate denied to the caller.
	DeniedCounts map[string]int    `json:"denied_counts"`
	Retrieval    RetrievalMetadata `json:"retrieval_metadata"`
	Cache        CacheMetadata     `json:"cache_metadata"`
}

// ResolvedEntity is a topic of the compilation. FoundBy is identity, request, query or relation; Text is the
// words of the query. One that is FoundBy words or similarity is no topic:
// something about it has the words of the query, or is similar to it.
type ResolvedEntity struct {
	EntityID tenure.ID `json:"entity_id"`
	Type     string    `json:"type"`
	FoundBy  string    `json:"found_by"`
	Text     string    `json:"text,omitempty"`
	Hops     int       `json:"hops"`
	// Relation is the kind of the relation that leads to one that is FoundBy relation: parent, child, sibling or
	// cross_reference; Nearness is how near that leaves it to what was asked about, up to 1.
	Relation string  `json:"relation,omitempty"`
	Nearness float64 `json:"nearness,omitempty"`
}

// Unresolved is a name in the query, or a field of the request at a pointer, that does not name one usable
// entity; or, with a Review, a name that was said of somebody and may mean one of the candidates, which are topics.
type Unresolved struct {
	Text       string      `json:"text,omitempty"`
	Pointer    string      `json:"pointer,omitempty"`
	Reason     string      `json:"reason"`
	Candidates []tenure.ID `json:"candidates,omitempty"`
	Name       string      `json:"name,omitempty"`
	Review     tenure.ID   `json:"review_id,omitempty"`
}

// CompiledObject is an object in the envelope, at a line of a zone, counted from 1.
type CompiledObject struct {
	ObjectID               tenure.ID             `json:"object_id"`
	ObjectType             tenure.ObjectType     `json:"object_type"`
	EntityID               tenure.ID             `json:"entity_id"`
	Predicate              string                `json:"predicate"`
	AuthorityLevel         int                   `json:"authority_level"`
	SourceOrigin           string                `json:"source_origin"`
	SourceAuthority        float64               `json:"source_authority"`
	ConfidenceScore        float64               `json:"confidence_score"`
	SecurityClassification tenure.Classification `json:"security_classification"`
	ContradictionStatus    tenure.Status         `json:"contradiction_status"`
	PriorityTier           string                `json:"priority_tier"`
	CompiledAs             string                `json:"compiled_as"`
	ValidFrom              string                `json:"valid_from"`
	ValidUntil             string                `json:"valid_until,omitempty"`
	Zone                   string                `json:"zone"`
	Line                   int                   `json:"line"`
	Relevance              float64               `json:"relevance"`
	Priority               Priority              `json:"priority"`
	// SaidAs is the inverse predicate, where the line says the relation from the value's side.
	SaidAs string `json:"said_as,omitempty"`
	// Stale reports whether it was not confirmed for the half-life of its predicate.
	Stale bool `json:"stale,omitempty"`
	// ByValue reports whether the belief was found by its value, a text that the query names, and not by its subject.
	ByValue bool `json:"by_value,omitempty"`
	// ByWords reports whether it was found by the words of the query, and not by what it is about.
	ByWords bool `json:"by_words,omitempty"`
	// Similarity is how similar it is to the query, of what was found by that alone.
	Similarity float64 `json:"similarity,omitempty"`
	// InForce reports whether it directs by its scope, whatever the query names.
	InForce bool `json:"in_force,omitempty"`
	// Flags are what was noticed of content from outside: instruction_like.
	Flags []string `json:"flags,omitempty"`
}

// OmittedObject is an object that the caller may see and the model does not. DisplacedBy is set only if the
// caller may see that object too.
type OmittedObject struct {
	ObjectID            tenure.ID     `json:"object_id"`
	EntityID            tenure.ID     `json:"entity_id"`
	Predicate           string        `json:"predicate"`
	Reason              string        `json:"reason"`
	PriorityTier        string        `json:"priority_tier,omitempty"`
	ContradictionStatus tenure.Status `json:"contradiction_status,omitempty"`
	ValidFrom           string        `json:"valid_from,omitempty"`
	ValidUntil          string        `json:"valid_until,omitempty"`
	DisplacedBy         tenure.ID     `json:"displaced_by,omitempty"`
}

// QuarantinedObject is a side of a contradiction that no rule decides.
type QuarantinedObject struct {
	ObjectID            tenure.ID     `json:"object_id"`
	EntityID            tenure.ID     `json:"entity_id"`
	Predicate           string        `json:"predicate"`
	Reason              string        `json:"reason"`
	ContradictionStatus tenure.Status `json:"contradiction_status"`
	CaseID              tenure.ID     `json:"case_id,omitempty"`
}

// ProposedChange is a change that a statement of an observation proposes, of a topic or of what a line says. Objects
// are those that it would displace, end or retract.
type ProposedChange struct {
	Proposal    tenure.ID   `json:"proposal_id"`
	Observation tenure.ID   `json:"observation_id"`
	Number      int         `json:"number"`
	EntityID    tenure.ID   `json:"entity_id"`
	Predicate   string      `json:"predicate"`
	Objects     []tenure.ID `json:"object_ids"`
	SaidAt      string      `json:"said_at"`
}

// CompiledInput is a field of the request in the envelope, with what is assumed of it as a context object.
type CompiledInput struct {
	Pointer        string   `json:"pointer"`
	ObjectType     string   `json:"object_type"`
	AuthorityLevel int      `json:"authority_level"`
	SourceOrigin   string   `json:"source_origin,omitempty"`
	Zone           string   `json:"zone"`
	Line           int      `json:"line"`
	Flags          []string `json:"flags,omitempty"`
}

// CompiledPassage is a passage of a document in the envelope. Line is its place among the entries of the zone.
type CompiledPassage struct {
	PassageID      tenure.ID `json:"passage_id"`
	DocumentID     tenure.ID `json:"document_id"`
	Version        int       `json:"version"`
	Number         int       `json:"number"`
	AuthorityLevel int       `json:"authority_level"`
	SourceOrigin   string    `json:"source_origin"`
	Zone           string    `json:"zone"`
	Line           int       `json:"line"`
	Relevance      float64   `json:"relevance"`
	// Similarity is how similar it is to the query, where that is known.
	Similarity float64  `json:"similarity,omitempty"`
	Flags      []string `json:"flags,omitempty"`
}

// RescuedSubunit is a sentence of a passage that was not selected, attached to a selected object or passage by its
// affinity. Line is its place among the entries of the zone.
type RescuedSubunit struct {
	PassageID  tenure.ID `json:"passage_id"`
	DocumentID tenure.ID `json:"document_id"`
	Version    int       `json:"version"`
	Number     int       `json:"number"`
	// ObjectID or BesidePassageID is what it is attached to.
	ObjectID        tenure.ID `json:"object_id,omitempty"`
	BesidePassageID tenure.ID `json:"beside_passage_id,omitempty"`
	Affinity        float64   `json:"affinity"`
	Terms           Affinity  `json:"terms"`
	Zone            string    `json:"zone"`
	Line            int       `json:"line"`
	Flags           []string  `json:"flags,omitempty"`
}

// UnknownSlot is a required property of which nothing valid is known, of an entity or of whatever was asked about.
type UnknownSlot struct {
	Pointer   string    `json:"pointer"`
	Predicate string    `json:"predicate"`
	EntityID  tenure.ID `json:"entity_id,omitempty"`
}

// OmittedInput is a field of the request that is not in the envelope.
type OmittedInput struct {
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"`
}

// RetrievalMetadata summarises the retrieval. The precision estimate is the share of compiled objects above the minimal
// tier among those that do not come for their scope alone, 0 if there are none.
type RetrievalMetadata struct {
	QueryHash                string  `json:"query_hash"`
	RetrievedCandidateCount  int     `json:"retrieved_candidate_count"`
	CompiledCandidateCount   int     `json:"compiled_candidate_count"`
	ContextPrecisionEstimate float64 `json:"context_precision_estimate"`
	// RelationsCut counts the entities whose relations were followed of which as many were read as are read at most.
	RelationsCut int `json:"relations_cut"`
	// NeighboursCut counts the related entities that were left out since there are more than are compiled at most, as far
	// as they were read; the nearest by their kind of relation are not.
	NeighboursCut int `json:"neighbours_cut"`
	// BeliefsCut counts the entities asked about of which as many beliefs were read as are read at most.
	BeliefsCut int `json:"beliefs_cut"`
	// CommonTexts counts the texts of the query by which nothing was retrieved since many beliefs have them as value.
	CommonTexts int `json:"common_texts"`
	// WordsCut reports whether the words of the query were not looked for in all beliefs of the scope that have them.
	WordsCut bool `json:"words_cut"`
	// Degraded says why nothing was looked for by similarity, where there are vectors, or by words in all that the scope
	// has, where there is an index; "" if it was. What was found then depends on what the index has read.
	Degraded string `json:"degraded,omitempty"`
	// RemarksCut reports whether only the newest remarks of the scope were searched.
	RemarksCut bool `json:"remarks_cut"`
	// DirectivesCut reports whether only the newest directives of the scope were read.
	DirectivesCut bool `json:"directives_cut"`
	// PassagesCut reports whether only a part of the passages of the scope was searched.
	PassagesCut bool `json:"passages_cut"`
	// ProposalsCut counts the entities asked about of which as many observations that propose a change were read as are
	// read at most, whether these wait for an answer or not.
	ProposalsCut int `json:"proposals_cut"`
}

// CacheMetadata describes what a provider may cache: equal static prefixes have equal keys.
type CacheMetadata struct {
	PromptCacheKey      string `json:"prompt_cache_key"`
	StaticPrefixTokens  int    `json:"static_prefix_tokens"`
	DynamicSuffixTokens int    `json:"dynamic_suffix_tokens"`
}

// Metrics are counts that a dashboard sums over compilations.
type Metrics struct {
	ContextPrecision          float64 `json:"context_precision"`
	StateDecayEvictions       int     `json:"state_decay_evictions"`
	EntityResolutionConflicts int     `json:"entity_resolution_conflicts"`
}

// traceBuilder collects what the stages report for the trace.
type traceBuilder struct {
	fetched int
	visible map[tenure.ID]bool // objects that the caller may know of
	denied  map[string]int     // by gate
	closed  map[tenure.ID]bool // the objects that a gate denied
	omitted []omission
}

func (l *traceBuilder) add(dropped []omission) { l.omitted = append(l.omitted, dropped...) }

// contested returns an object for each held slot about what was asked, so that the model learns that an answer is
// pending.
func (l *traceBuilder) contested(kept []*object, who *topicSet) (list []*object) {
	var sides []*object
	for _, d := range l.omitted {
		if d.reason == reasonConflict && (who.wasAsked(d.object.root) || d.object.inForce) {
			sides = append(sides, d.object)
		}
	}
	if len(sides) == 0 {
		return nil
	}
	slot := func(o *object) rootSlot { return rootSlot{o.root, o.claim().Predicate} }
	said := make(map[rootSlot]bool, len(kept))
	for _, o := range kept {
		said[slot(o)] = true
	}
	slices.SortFunc(sides, func(a, b *object) int { return newestFirst(a.claim(), b.claim()) })
	for _, o := range sides {
		if said[slot(o)] {
			continue
		}
		said[slot(o)] = true
		list = append(list, &object{belief: o.belief, root: o.root, hops: o.hops, term: o.term, contested: true})
	}
	return list
}

// status computes the validation status of a state in which something is known.
func (l *traceBuilder) status(who *topicSet, kept sections, leftover []entry) string {
	withheld := 0
	for _, d := range l.omitted {
		if (d.reason == reasonDecayed || d.reason == string(tenure.ByDependency)) && who.wasAsked(d.object.root) {
			withheld++
		}
	}
	contested := slices.ContainsFunc(l.omitted, func(d omission) bool {
		return d.reason == reasonConflict && (who.wasAsked(d.object.root) || d.object.inForce)
	})
	switch {
	case len(who.unresolved()) > 0:
		return statusUnresolved
	case contested:
		return statusContested
	case withheld > 0:
		return statusWithheld
	case who.changesAsked:
		return statusProposed
	case len(leftover) > 0 || who.cut+who.neighboursCut+who.beliefsCut > 0 || who.directivesCut:
		return statusTruncated
	case !kept.haveEvidence():
		return statusEmpty
	}
	return statusClean
}

// traceOf builds the trace.
func traceOf(
	req Request, r store.LogReader, who *topicSet, l *traceBuilder, env Envelope, kept sections, leftover []entry,
) Trace {
	seq, tx := r.State()
	t := Trace{
		AsOf:       TraceAsOf{ValidAt: formatTime(req.ValidAt), Seq: seq},
		ActiveTask: req.Task.Name, TaskType: req.Task.Type,
		UserID: req.Scope.UserID, ProjectID: req.Scope.ProjectID,
		SessionID: req.Scope.SessionID, TaskID: req.Scope.TaskID,
		BudgetTokens: req.BudgetTokens, CompiledPromptTokens: env.tokens,
		ValidationStatus: l.status(who, kept, leftover),
		State: StateMetadata{
			ResolvedEntities: resolved(who, kept), UnresolvedEntities: who.unresolved(),
			CompiledObjects: compiled(kept, req.Task), DeniedCounts: l.denied,
			CompiledInputs: inputs(kept), CompiledPassages: passagesIn(kept),
			RescuedSubunits: rescuedIn(kept), UnknownSlots: who.unknownSlots(),
			ProposedChanges: who.proposedChanges(), OmittedInputs: []OmittedInput{}, Cache: cacheOf(env),
		},
	}
	if seq > 0 {
		t.AsOf.KnownAt = formatTime(tx)
	} else {
		t.ValidationStatus = statusNothing
	}
	l.omitted = slices.Grow(l.omitted, len(leftover))
	for _, e := range leftover {
		switch {
		case e.object != nil && !e.object.contested:
			l.omitted = append(l.omitted, omission{object: e.object, reason: reasonBudget})
		case e.pointer != "":
			t.State.OmittedInputs = append(t.State.OmittedInputs, OmittedInput{e.pointer, reasonBudget})
		}
	}
	slices.SortFunc(t.State.OmittedInputs, func(a, b OmittedInput) int { return cmp.Compare(a.Pointer, b.Pointer) })
	t.State.OmittedObjects, t.State.QuarantinedObjects = l.omissions(req.ValidAt)
	t.State.Retrieval = retrievalOf(req, l, kept)
	t.State.Retrieval.RelationsCut, t.State.Retrieval.BeliefsCut = who.cut+who.cutBeyond, who.beliefsCut
	t.State.Retrieval.NeighboursCut = who.neighboursCut
	t.State.Retrieval.CommonTexts, t.State.Retrieval.ProposalsCut = who.common, who.proposalsCut
	t.State.Retrieval.WordsCut, t.State.Retrieval.RemarksCut = who.wordsCut, who.remarksCut
	t.State.Retrieval.DirectivesCut, t.State.Retrieval.PassagesCut = who.directivesCut, who.passagesCut
	t.State.Retrieval.Degraded = who.degraded
	if who.indexBehind {
		t.State.Retrieval.Degraded = cmp.Or(who.degraded, degradedWords)
	}
	t.Metrics.ContextPrecision = t.State.Retrieval.ContextPrecisionEstimate
	for _, d := range l.omitted {
		if d.reason == reasonDecayed {
			t.Metrics.StateDecayEvictions++
		}
	}
	for _, u := range who.unresolved() {
		if u.Reason == linking.AmbiguousName {
			t.Metrics.EntityResolutionConflicts++
		}
	}
	return t
}

func resolved(who *topicSet, kept sections) []ResolvedEntity {
	topics := maps.Clone(who.Topics)
	for _, list := range kept {
		for _, e := range list {
			if o := e.object; o != nil && (o.byWords || o.likeness > 0) && topics[o.root] == nil {
				via := byWords
				if !o.byWords {
					via = bySimilar
				}
				topics[o.root] = &linking.Topic{Entity: who.Known[o.root], Via: via}
			}
		}
	}
	members := slices.SortedFunc(maps.Values(topics), func(a, b *linking.Topic) int {
		return cmp.Or(cmp.Compare(a.Hops, b.Hops), cmp.Compare(a.Via, b.Via), cmp.Compare(a.Entity.Name, b.Entity.Name),
			cmp.Compare(a.Entity.CreatedAt, b.Entity.CreatedAt), cmp.Compare(a.Entity.ID, b.Entity.ID))
	})
	list := make([]ResolvedEntity, len(members))
	for i, m := range members {
		list[i] = ResolvedEntity{
			EntityID: m.Entity.ID, Type: m.Entity.Type, FoundBy: string(m.Via), Text: m.Text, Hops: m.Hops,
			Relation: who.near[m.Entity.ID].kind, Nearness: round(who.near[m.Entity.ID].nearness),
		}
	}
	return list
}

func compiled(kept sections, task Task) []CompiledObject {
	n := 0
	for _, entries := range kept {
		n += len(entries)
	}
	list := make([]CompiledObject, 0, n)
	for _, z := range order {
		for i, e := range kept[z.name] {
			if e.object == nil || e.object.contested {
				continue
			}
			o, c := e.object, e.object.claim()
			list = append(list, CompiledObject{
				ObjectID: c.ID, ObjectType: c.ObjectType, EntityID: o.root, Predicate: c.Predicate,
				AuthorityLevel: c.Source.AuthorityLevel, SourceOrigin: c.Source.Origin,
				SourceAuthority: c.Source.SourceAuthority, ConfidenceScore: c.Confidence,
				SecurityClassification: c.Classification, ContradictionStatus: tenure.Clean,
				PriorityTier: o.tier, CompiledAs: o.step(task),
				ValidFrom: formatTime(o.stood.From), ValidUntil: formatTime(o.stood.Until),
				Zone: z.name, Line: i + 1, Relevance: round(o.score), Priority: o.priority.rounded(),
				SaidAs: o.said, ByValue: o.byValue, ByWords: o.byWords, Similarity: rounded(o.likeness),
				Stale: o.stale, InForce: o.inForce, Flags: e.flags,
			})
		}
	}
	return list
}

// assumed is what is taken of a field of the request as a context object, by its zone: a caller states it, so that it
// has the tenant, the scope and the classification of the request.
var assumed = map[string]struct {
	objectType string
	authority  int
}{
	zoneTools: {string(tenure.ToolSchema), 1}, zoneIdentity: {string(tenure.IdentityFact), 1},
	zoneConstraints: {"required_property", 1}, zoneEnvironment: {"environment", 2}, zoneTurns: {"turn", 2},
	zoneWorkingSet: {"working_set", 3}, zoneUntrusted: {string(tenure.RetrievedPassage), 4},
}

// inputs lists the fields of the request in an envelope.
func inputs(kept sections) []CompiledInput {
	list := []CompiledInput{}
	for _, z := range order {
		for i, e := range kept[z.name] {
			if e.pointer == "" {
				continue
			}
			a := assumed[z.name]
			list = append(list, CompiledInput{
				Pointer: e.pointer, ObjectType: a.objectType, AuthorityLevel: a.authority, SourceOrigin: oneLine(e.origin),
				Zone: z.name, Line: i + 1, Flags: e.flags,
			})
		}
	}
	return list
}

// passagesIn lists the passages in an envelope.
func passagesIn(kept sections) []CompiledPassage {
	list := []CompiledPassage{}
	for i, e := range kept[zoneUntrusted] {
		if p := e.passage; p != nil {
			list = append(list, CompiledPassage{
				PassageID: p.ID, DocumentID: p.document.ID, Version: p.Version, Number: p.Number,
				AuthorityLevel: p.document.Source.AuthorityLevel, SourceOrigin: p.document.URI,
				Zone: zoneUntrusted, Line: i + 1, Relevance: round(p.score),
				Similarity: round(p.similarity), Flags: e.flags,
			})
		}
	}
	return list
}

func (c *topicSet) unknownSlots() []UnknownSlot {
	list := make([]UnknownSlot, len(c.unknown))
	for i, u := range c.unknown {
		list[i] = UnknownSlot{Pointer: u.pointer, Predicate: u.predicate, EntityID: u.root}
	}
	return list
}

// omissions lists omitted and quarantined objects, ordered by content, ids last.
func (l *traceBuilder) omissions(at tenure.Instant) ([]OmittedObject, []QuarantinedObject) {
	slices.SortFunc(l.omitted, func(a, b omission) int {
		if c := strings.Compare(a.reason, b.reason); c != 0 {
			return c
		}
		return newestFirst(a.object.claim(), b.object.claim())
	})
	omitted, quarantined := make([]OmittedObject, 0, len(l.omitted)), []QuarantinedObject{}
	for _, d := range l.omitted {
		c := d.object.claim()
		if d.reason == reasonConflict {
			quarantined = append(quarantined, QuarantinedObject{
				ObjectID: c.ID, EntityID: d.object.root, Predicate: c.Predicate,
				Reason: d.reason, ContradictionStatus: tenure.Disputed, CaseID: d.caseID,
			})
			continue
		}
		o := OmittedObject{
			ObjectID: c.ID, EntityID: d.object.root, Predicate: c.Predicate, Reason: d.reason,
			PriorityTier: d.object.tier, ContradictionStatus: statusOf(d, at),
		}
		switch d.reason {
		case reasonIrrelevant, reasonNotAskedFor:
			o.PriorityTier = tierIrrelevant
		case reasonExpired:
			o.ValidUntil = formatTime(c.Window.Until)
		case reasonNotYetValid:
			o.ValidFrom = formatTime(c.Window.From)
		}
		if l.visible[d.by] {
			o.DisplacedBy = d.by
		}
		omitted = append(omitted, o)
	}
	return omitted, quarantined
}

// statusOf returns the contradiction status at the instant. An object that lost to another scope is clean
// within its own.
func statusOf(d omission, at tenure.Instant) tenure.Status {
	if seg, ok := d.object.belief.Standing.At(at); ok {
		return seg.Cause.Status()
	}
	return ""
}

func retrievalOf(req Request, l *traceBuilder, kept sections) RetrievalMetadata {
	m := RetrievalMetadata{QueryHash: digest(req.Query), RetrievedCandidateCount: l.fetched}
	found, asked := 0, 0
	for _, list := range kept {
		for _, e := range list {
			if e.object == nil || e.object.contested {
				continue
			}
			m.CompiledCandidateCount++
			if e.object.unasked() {
				continue
			}
			found++
			if e.object.tier != tierMinimal {
				asked++
			}
		}
	}
	if found > 0 {
		m.ContextPrecisionEstimate = round(float64(asked) / float64(found))
	}
	return m
}

func cacheOf(env Envelope) CacheMetadata {
	var m CacheMetadata
	var prefix []string
	for _, z := range env.Zones {
		if z.Stable {
			m.StaticPrefixTokens += z.Tokens
			prefix = append(prefix, z.Text)
		} else {
			m.DynamicSuffixTokens += z.Tokens
		}
	}
	m.PromptCacheKey = digest(strings.Join(prefix, zoneBreak))
	return m
}

// digest returns the first half of a SHA-256, in hex.
func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:16])
}

func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// formatTime returns RFC 3339, "" for an open end.
func formatTime(i tenure.Instant) string {
	if i == tenure.MaxTime || i == tenure.MinTime {
		return ""
	}
	return i.String()
}
