package compile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
)

// The bounds and defaults of a request.
const (
	defaultBudgetTokens = 2000
	maxBudgetTokens     = 200_000
	defaultFactsShare   = 0.7
	defaultHops         = 2
	maxHops             = 2
	maxQueryBytes       = 32_768
	maxEntities         = 100
	maxEnvironment      = 200 // entries
	maxWorkingSet       = 500 // items
	maxTools            = 128
	maxTurns            = 200
	maxPayloads         = 50
	maxRequired         = 50
	maxItemBytes        = 8192
	maxToolBytes        = 32_768
	maxTurnBytes        = 32_768
	maxPayloadBytes     = 262_144
	maxNameBytes        = 512
)

// The providers whose section marks an envelope can follow.
const (
	Anthropic = "anthropic" // XML tags
	OpenAI    = "openai"    // Markdown headings
	Plain     = "plain"     // titles between equals signs
)

// Task is what the model is asked to do. Type selects among objects bound to task types; Name is free text
// and counts as words of the query.
type Task struct {
	Type string `json:"type,omitempty"`
	Name string `json:"name,omitempty"`
}

// Identity is the requester (StateBench specification, Layer 1: Identity Role). Roles open and close objects;
// the other fields are shown to the model.
type Identity struct {
	EntityID           tenure.ID `json:"entity_id,omitempty"`
	Name               string    `json:"name,omitempty"`
	UserID             string    `json:"user_id,omitempty"`
	Roles              []string  `json:"roles,omitempty"`
	Authority          string    `json:"authority,omitempty"`
	Department         string    `json:"department,omitempty"`
	Organization       string    `json:"organization,omitempty"`
	CommunicationStyle string    `json:"communication_style,omitempty"`
	Permissions        []string  `json:"permissions,omitempty"`
}

// Request asks for the context of one task.
type Request struct {
	Task     Task         `json:"task"`
	Query    string       `json:"query"`
	Scope    tenure.Scope `json:"scope"`
	Entities []tenure.ID  `json:"entities,omitempty"`
	// BudgetTokens bounds the tokens of Envelope.Text, 1 to 200,000; 0 means 2,000.
	BudgetTokens int `json:"budget_tokens,omitempty"`
	// FactsShare is the share, 0 to 1, of the budget left by identity and environment that facts may take; nil means
	// 0.7.
	FactsShare *float64 `json:"facts_share,omitempty"`
	// ValidAt is the instant that the answer is about; 0 is the present.
	ValidAt tenure.Instant `json:"-"`
	// AsOf names the state that the reader was opened on. The trace reports the state that was read.
	AsOf tenure.AsOf `json:"-"`
	// Hops is how far relations are followed, 0 to 2; nil means 2.
	Hops        *int              `json:"hops,omitempty"`
	Provider    string            `json:"provider,omitempty"`
	Identity    *Identity         `json:"identity,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
	WorkingSet  []string          `json:"working_set,omitempty"`
	Tools       []Tool            `json:"tools,omitempty"`
	Turns       []Turn            `json:"turns,omitempty"` // the oldest first
	Payloads    []Payload         `json:"payloads,omitempty"`
	Required    []Required        `json:"required,omitempty"`
}

// Tool is what the model may call. Parameters is a JSON schema, or empty.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// The roles of a turn.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Turn is a turn of the conversation so far. What a tool said is untrusted.
type Turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Payload is content from outside: a web page, a mail, the output of a tool. Its authority is that of retrieved data
// (level 4), whatever it says.
type Payload struct {
	Origin  string `json:"origin"`
	Title   string `json:"title,omitempty"`
	Content string `json:"content"`
}

// Required is a property that the answer needs: of the entity, or, without one, of what is asked about. Where no valid
// belief says it, the envelope says that it is unknown (Context Architecture, failure mode Forced Fabrication).
type Required struct {
	EntityID  tenure.ID `json:"entity_id,omitempty"`
	Predicate string    `json:"predicate"`
}

// withDefaults fills in the defaults.
func (r Request) withDefaults(now tenure.Instant) Request {
	r.Scope = r.Scope.Canonical()
	if r.BudgetTokens == 0 {
		r.BudgetTokens = defaultBudgetTokens
	}
	if r.FactsShare == nil {
		share := defaultFactsShare
		r.FactsShare = &share
	}
	if r.Hops == nil {
		hops := defaultHops
		r.Hops = &hops
	}
	if r.Provider == "" {
		r.Provider = Plain
	}
	if r.ValidAt == 0 {
		r.ValidAt = now
	}
	return r
}

// faults collects what is wrong with a request, by field.
type faults []tenure.Field

func (f *faults) add(pointer, format string, args ...any) {
	*f = append(*f, tenure.Field{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
}

func (f *faults) text(pointer, s string, limit int) {
	switch {
	case len(s) > limit:
		f.add(pointer, "must be at most %d bytes", limit)
	case !utf8.ValidString(s):
		f.add(pointer, "must be UTF-8")
	}
}

// Validate reports every invalid field as one *tenure.Error with the code Invalid and JSON pointers. A
// well-formed request that the caller may not make is Forbidden: a scope other than the one that the
// credential is bound to, or another person's identity or role without the right to act for others.
func (r Request) Validate(caller tenure.Caller) error {
	var f faults
	r.checkText(&f)
	r.checkNumbers(&f)
	r.checkIdentity(&f)
	r.checkItems(&f)
	r.checkTools(&f)
	r.checkContents(&f)
	if len(f) > 0 {
		return &tenure.Error{Code: tenure.Invalid, Message: "the request cannot be taken as it is", Fields: f}
	}
	r.checkBound(&f, caller)
	r.checkActFor(&f, caller)
	if len(f) > 0 {
		return &tenure.Error{Code: tenure.Forbidden, Message: "the credential does not allow this request", Fields: f}
	}
	return nil
}

func (r Request) checkText(f *faults) {
	f.text("/task/type", r.Task.Type, maxNameBytes)
	f.text("/task/name", r.Task.Name, maxNameBytes)
	f.text("/query", r.Query, maxQueryBytes)
	if strings.TrimSpace(r.Query) == "" && len(r.Entities) == 0 {
		f.add("/query", "must not be empty unless entities are given")
	}
	switch r.Scope.Kind {
	case "", tenure.ScopeGlobal, tenure.ScopeTask, tenure.ScopeHypothetical, tenure.ScopeDraft, tenure.ScopeSession:
	default:
		f.add("/scope/kind", "must be global, task, hypothetical, draft or session")
	}
	f.text("/scope/user_id", r.Scope.UserID, maxNameBytes)
	f.text("/scope/project_id", r.Scope.ProjectID, maxNameBytes)
	f.text("/scope/session_id", r.Scope.SessionID, maxNameBytes)
	f.text("/scope/task_id", r.Scope.TaskID, maxNameBytes)
	if r.Provider != "" && !slices.Contains([]string{Anthropic, OpenAI, Plain}, r.Provider) {
		f.add("/provider", "must be %s, %s or %s", Anthropic, OpenAI, Plain)
	}
}

func (r Request) checkNumbers(f *faults) {
	if r.BudgetTokens < 0 || r.BudgetTokens > maxBudgetTokens {
		f.add("/budget_tokens", "must be 1 to %d", maxBudgetTokens)
	}
	if s := r.FactsShare; s != nil && !(*s >= 0 && *s <= 1) { // also refuses NaN
		f.add("/facts_share", "must be 0 to 1")
	}
	if h := r.Hops; h != nil && (*h < 0 || *h > maxHops) {
		f.add("/hops", "must be 0 to %d", maxHops)
	}
	f.atMost("/entities", len(r.Entities), maxEntities)
	for i, id := range r.Entities {
		if _, ok := tenure.ParseID(string(id)); !ok {
			f.add(fmt.Sprintf("/entities/%d", i), "must be the id of an entity")
		}
	}
}

func (r Request) checkIdentity(f *faults) {
	who := r.Identity
	if who == nil {
		return
	}
	if who.EntityID != "" {
		if _, ok := tenure.ParseID(string(who.EntityID)); !ok {
			f.add("/identity/entity_id", "must be the id of an entity")
		}
	}
	f.text("/identity/name", who.Name, maxNameBytes)
	f.text("/identity/user_id", who.UserID, maxNameBytes)
	f.text("/identity/authority", who.Authority, maxNameBytes)
	f.text("/identity/department", who.Department, maxNameBytes)
	f.text("/identity/organization", who.Organization, maxNameBytes)
	f.text("/identity/communication_style", who.CommunicationStyle, maxNameBytes)
	for _, of := range []struct {
		name string
		list []string
	}{{"roles", who.Roles}, {"permissions", who.Permissions}} {
		f.atMost("/identity/"+of.name, len(of.list), maxEntities)
		for i, s := range of.list {
			f.text(fmt.Sprintf("/identity/%s/%d", of.name, i), s, maxNameBytes)
		}
	}
}

func (r Request) checkItems(f *faults) {
	if len(r.Environment) > maxEnvironment {
		f.add("/environment", "must be at most %d entries", maxEnvironment)
	}
	for _, k := range slices.Sorted(maps.Keys(r.Environment)) {
		pointer := "/environment/" + pointerToken(k)
		if strings.TrimSpace(k) == "" {
			f.add(pointer, "must have a name")
		}
		f.text(pointer, k, maxNameBytes)
		f.text(pointer, r.Environment[k], maxItemBytes)
	}
	if len(r.WorkingSet) > maxWorkingSet {
		f.add("/working_set", "must be at most %d items", maxWorkingSet)
	}
	for i, s := range r.WorkingSet {
		f.text(fmt.Sprintf("/working_set/%d", i), s, maxItemBytes)
	}
}

// named checks a text that may not be blank.
func (f *faults) named(pointer, s string, limit int) {
	if f.text(pointer, s, limit); strings.TrimSpace(s) == "" {
		f.add(pointer, "must not be empty")
	}
}

func (f *faults) atMost(pointer string, n, limit int) {
	if n > limit {
		f.add(pointer, "must be at most %d", limit)
	}
}

func (r Request) checkTools(f *faults) {
	f.atMost("/tools", len(r.Tools), maxTools)
	names := map[string]bool{}
	for i, t := range r.Tools {
		at := fmt.Sprintf("/tools/%d", i)
		f.named(at+"/name", t.Name, maxNameBytes)
		f.text(at+"/description", t.Description, maxItemBytes)
		if names[t.Name] {
			f.add(at+"/name", "must be the name of one tool only")
		}
		names[t.Name] = true
		if len(t.Parameters) > maxToolBytes {
			f.add(at+"/parameters", "must be at most %d bytes", maxToolBytes)
		} else if len(t.Parameters) > 0 && !json.Valid(t.Parameters) {
			f.add(at+"/parameters", "must be JSON")
		}
	}
}

func (r Request) checkContents(f *faults) {
	f.atMost("/turns", len(r.Turns), maxTurns)
	for i, t := range r.Turns {
		at := fmt.Sprintf("/turns/%d", i)
		if !slices.Contains([]string{RoleUser, RoleAssistant, RoleTool}, t.Role) {
			f.add(at+"/role", "must be %s, %s or %s", RoleUser, RoleAssistant, RoleTool)
		}
		f.named(at+"/content", t.Content, maxTurnBytes)
	}
	f.atMost("/payloads", len(r.Payloads), maxPayloads)
	for i, p := range r.Payloads {
		at := fmt.Sprintf("/payloads/%d", i)
		f.named(at+"/origin", p.Origin, maxNameBytes)
		f.text(at+"/title", p.Title, maxNameBytes)
		f.named(at+"/content", p.Content, maxPayloadBytes)
	}
	f.atMost("/required", len(r.Required), maxRequired)
	for i, q := range r.Required {
		at := fmt.Sprintf("/required/%d", i)
		f.named(at+"/predicate", q.Predicate, maxNameBytes)
		if q.EntityID != "" {
			if !slices.Contains(r.Entities, q.EntityID) {
				f.add(at+"/entity_id", "must be one of the entities of the request")
			}
		}
	}
}

func (r Request) checkBound(f *faults, caller tenure.Caller) {
	for _, id := range []struct{ name, bound, asked string }{
		{"user_id", caller.Bound.UserID, r.Scope.UserID},
		{"project_id", caller.Bound.ProjectID, r.Scope.ProjectID},
		{"session_id", caller.Bound.SessionID, r.Scope.SessionID},
		{"task_id", caller.Bound.TaskID, r.Scope.TaskID},
	} {
		if id.bound != "" && id.bound != id.asked {
			f.add("/scope/"+id.name, "must be the one that the credential is bound to")
		}
	}
}

func (r Request) checkActFor(f *faults, caller tenure.Caller) {
	if r.Identity == nil || caller.ActFor {
		return
	}
	if r.Identity.UserID == "" || r.Identity.UserID != caller.Bound.UserID {
		f.add("/identity", "only a credential that may act for others can state another person's identity")
		return
	}
	for i, role := range r.Identity.Roles {
		if !caller.Has(tenure.Role(role)) {
			f.add(fmt.Sprintf("/identity/roles/%d", i), "is not a role of the credential")
		}
	}
}
