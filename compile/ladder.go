package compile

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"tenure"
)

// The steps of the Fact-to-Instruction Conversion Ladder (Context Architecture), from what was said to what binds.
const (
	rawObservation     = "raw_observation"
	normalizedFact     = "normalized_fact"
	scopedMemory       = "scoped_memory"
	taskContext        = "task_context"
	behavioralGuidance = "behavioral_guidance"
	hardConstraint     = "hard_constraint"
)

// The weakest authority levels of what is promoted: a user's word to guidance, and to a constraint where it is stated
// to be one; a developer's rule to a constraint in any case. What is inferred or retrieved is never promoted (Context
// Architecture, failure mode Low-Authority Source Promotion). A level-3 belief that a person accepts becomes that
// person's claim, and is promoted as such.
const (
	developerAuthority = 1
	userAuthority      = 2
	inferredAuthority  = 3
)

//go:embed ladder.json
var ladderFile []byte

// ladder holds the templates of lines by the step that they raise a fact to, each cut at its braces: text and names of
// what is filled in take turns. What is filled in is not read again.
var ladder = sync.OnceValue(func() map[string][]string {
	var steps map[string]string
	if err := json.Unmarshal(ladderFile, &steps); err != nil {
		panic(err) // the file is part of the program
	}
	cut := map[string][]string{}
	for step, template := range steps {
		for rest := template; ; {
			before, from, more := strings.Cut(rest, "{")
			if cut[step] = append(cut[step], before); !more {
				break
			}
			name, after, _ := strings.Cut(from, "}")
			cut[step], rest = append(cut[step], name), after
		}
	}
	return cut
})

// field is what is filled in for a name in braces.
type field struct{ name, value string }

// filled writes a line.
func filled(step string, fields ...field) string {
	var line strings.Builder
	room := 0
	for _, f := range fields {
		room += len(f.value)
	}
	parts := ladder()[step]
	line.Grow(room + len(parts)*len(" / "))
	for i, part := range parts {
		if i%2 == 1 {
			part = fields[slices.IndexFunc(fields, func(f field) bool { return f.name == part })].value
		}
		line.WriteString(part)
	}
	return line.String()
}

// directingLevel returns the authority level with which a claim directs. A claim with a user's level whose origin is a
// web address and that names no speaker is content of that page, and directs as an inferred claim does.
func directingLevel(c *tenure.Claim) int {
	if level := c.Source.AuthorityLevel; level != userAuthority || c.Source.Speaker != "" {
		return level
	}
	if _, web := siteOf(c.Source.Origin); web {
		return inferredAuthority
	}
	return userAuthority
}

// binds reports whether a claim is a hard constraint.
func binds(c *tenure.Claim) bool {
	return c.Constrains() && directingLevel(c) <= userAuthority ||
		c.BehavioralImplication != "" && c.Source.AuthorityLevel <= developerAuthority && c.ObjectType != tenure.Preference
}

// guides reports whether an object tells the model how to act in this task: it has a behavioral implication and at
// least a user's authority, and is bound to this type of task, or in force with no type named.
func (o *object) guides(task Task) bool {
	c := o.claim()
	fits := slices.Contains(c.ApplicableTaskTypes, task.Type) || o.inForce && len(c.ApplicableTaskTypes) == 0
	return c.BehavioralImplication != "" && directingLevel(c) <= userAuthority && fits
}

// step returns the step of the ladder that a converted object has reached.
func (o *object) step(task Task) string {
	c := o.claim()
	confirmed := o.zone != zoneUnconfirmed && o.zone != zoneUntrusted
	s := c.Scope
	switch {
	case confirmed && binds(c):
		return hardConstraint
	case confirmed && o.guides(task):
		return behavioralGuidance
	case isRemark(c):
		return rawObservation
	case o.score > 0 || len(c.ApplicableTaskTypes) > 0:
		return taskContext
	case s.UserID+s.ProjectID+s.SessionID+s.TaskID != "":
		return scopedMemory
	}
	return normalizedFact
}

// raised writes a fact as the step of the ladder that it has reached says it.
func (o *object) raised(fact string, task Task) string {
	step, implication := o.step(task), oneLine(o.claim().BehavioralImplication)
	if o.contested || implication == "" || step != hardConstraint && step != behavioralGuidance {
		return fact
	}
	return filled(step, field{"fact", fact}, field{"implication", implication})
}

// factLine writes a fact.
func factLine(subject, key, value string) string {
	return filled(normalizedFact, field{"subject", subject}, field{"key", key}, field{"value", value})
}

// remarkLine writes who said what, and when. Where it is not known who said it, the line says what that is about.
func remarkLine(c *tenure.Claim, subject, said string) string {
	speaker := cmp.Or(oneLine(c.Source.Speaker), "About "+subject)
	day := c.Window.From.Time().UTC().Format(time.DateOnly)
	return filled(rawObservation, field{"speaker", speaker}, field{"day", day}, field{"value", said})
}
