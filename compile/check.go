package compile

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tenure"
	"tenure/text"
)

// Constraint is a hard constraint of an envelope in the form that a program can check (Context Architecture,
// Fact-to-Instruction Conversion Ladder, step 5). One with neither Must, MustNot nor Unknown is text alone, which only
// a reader can check.
type Constraint struct {
	ObjectID tenure.ID `json:"object_id,omitempty"`
	Pointer  string    `json:"pointer,omitempty"` // of a required property
	Text     string    `json:"text"`
	Must     []string  `json:"must,omitempty"`     // phrases that an answer has
	MustNot  []string  `json:"must_not,omitempty"` // phrases that it has not
	// Unknown is the property of which an answer says nothing but that it is unknown. One of a single entity among others
	// is left to a reader: a member of an answer does not say of which it is.
	Unknown string `json:"unknown,omitempty"`
}

// rule is the value of a constraint that a program can check.
type rule struct {
	Must    []string `json:"must"`
	MustNot []string `json:"must_not"`
}

// ruleOf reads the value of a claim as a rule: an object with the lists must and must_not, of phrases.
func ruleOf(v tenure.Value) (r rule, ok bool) {
	var fields map[string]json.RawMessage
	if len(v.JSON) == 0 || v.JSON[0] != '{' || json.Unmarshal(v.JSON, &fields) != nil || len(fields) == 0 {
		return r, false
	}
	for name := range fields {
		if name != "must" && name != "must_not" {
			return r, false
		}
	}
	return r, json.Unmarshal(v.JSON, &r) == nil && len(r.Must)+len(r.MustNot) > 0
}

// String writes a rule as a line says it.
func (r rule) String() string {
	var parts []string
	if len(r.Must) > 0 {
		parts = append(parts, "must: "+strings.Join(r.Must, ", "))
	}
	if len(r.MustNot) > 0 {
		parts = append(parts, "must not: "+strings.Join(r.MustNot, ", "))
	}
	return strings.Join(parts, "; ")
}

// constraintsOf lists what an answer can be checked against.
func constraintsOf(kept sections) []Constraint {
	list := []Constraint{}
	for _, zone := range []string{zonePolicy, zoneConstraints} {
		for _, e := range kept[zone] {
			c := Constraint{Text: e.text, Pointer: e.pointer}
			if e.object != nil {
				r, _ := ruleOf(e.object.claim().Value)
				c.ObjectID, c.Must, c.MustNot = e.object.claim().ID, r.Must, r.MustNot
			}
			if e.unknown != nil && e.unknown.root == "" {
				c.Unknown = e.unknown.predicate
			}
			list = append(list, c)
		}
	}
	return list
}

// The outcomes of checking one constraint.
const (
	CheckMet       = "met"
	CheckViolated  = "violated"
	CheckUnchecked = "unchecked" // only a reader can tell
)

// Checked is the outcome of checking one constraint.
type Checked struct {
	Constraint
	Outcome string `json:"outcome"`
	// Reasons say what is missing, or there and must not be.
	Reasons []string `json:"reasons,omitempty"`
}

// Check compares the answer of a model, a text or JSON, fenced or not, with constraints. Phrases are compared word by
// word, whatever their case. An unknown property is violated where a JSON answer has a member of its name with a
// value other than null, "" and "unknown"; of a text only a reader can tell.
func Check(list []Constraint, answer string) []Checked {
	words := text.Spaced(answer)
	var fields any
	isJSON := json.Unmarshal([]byte(unfenced(answer)), &fields) == nil
	all := make([]Checked, len(list))
	for i, c := range list {
		out := Checked{Constraint: c, Outcome: CheckUnchecked}
		if len(c.Must)+len(c.MustNot) > 0 {
			out.Outcome, out.Reasons = CheckMet, c.broken(answer, words)
		}
		if c.Unknown != "" && isJSON {
			out.Outcome = CheckMet
			if value, invented := inventedIn(fields, c.Unknown); invented {
				out.Reasons = []string{c.Unknown + " is unknown, and the answer has " + value}
			}
		}
		if len(out.Reasons) > 0 {
			out.Outcome = CheckViolated
		}
		all[i] = out
	}
	return all
}

// unfenced returns what an answer has in its only fenced block of code, in which models write JSON; else all of it.
func unfenced(answer string) string {
	_, rest, opened := strings.Cut(answer, "```")
	_, rest, named := strings.Cut(rest, "\n")
	block, after, closed := strings.Cut(rest, "```")
	if !opened || !named || !closed || strings.Contains(after, "```") {
		return answer
	}
	return block
}

// broken lists what an answer lacks, and what it has that it must not.
func (c Constraint) broken(answer, words string) (reasons []string) {
	has := func(phrase string) bool {
		if spaced := text.Spaced(phrase); strings.TrimSpace(spaced) != "" {
			return strings.Contains(words, spaced)
		}
		return strings.Contains(answer, phrase) // of signs alone
	}
	for _, phrase := range c.Must {
		if !has(phrase) {
			reasons = append(reasons, "must have: "+phrase)
		}
	}
	for _, phrase := range c.MustNot {
		if has(phrase) {
			reasons = append(reasons, "must not have: "+phrase)
		}
	}
	return reasons
}

// inventedIn returns the value of a member, at any depth of a JSON answer, that says more than that it is unknown.
func inventedIn(answer any, name string) (value string, found bool) {
	switch v := answer.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			member := v[key]
			if !strings.EqualFold(key, name) {
				if value, found = inventedIn(member, name); found {
					return value, true
				}
				continue
			}
			said, isText := member.(string)
			said = strings.ToLower(strings.TrimSpace(said))
			if member != nil && (!isText || said != "" && said != "unknown") {
				raw, err := json.Marshal(member)
				return string(raw), err == nil
			}
		}
	case []any:
		for _, member := range v {
			if value, found = inventedIn(member, name); found {
				return value, true
			}
		}
	}
	return "", false
}

// OutcomeOf returns the outcome of an answer: violated if a constraint is, else unchecked if one is, else met.
func OutcomeOf(list []Checked) string {
	outcome := CheckMet
	for _, c := range list {
		switch c.Outcome {
		case CheckViolated:
			return CheckViolated
		case CheckUnchecked:
			outcome = CheckUnchecked
		}
	}
	return outcome
}
