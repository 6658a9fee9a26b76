package compile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tenure"

	"tenure/text"
)

// The zones of an envelope. Policy and identity do not depend on the query; the others do.
const (
	zonePolicy      = "policy"
	zoneIdentity    = "identity"
	zoneFacts       = "facts"
	zoneEnvironment = "environment"
	zoneWorkingSet  = "working_set"
	// zoneUnconfirmed holds what is said of, or with, an entity whose identity is under review: never
	// guidance, never a constraint (Context Architecture, Named Entity Resolution model, Context Compiler
	// Output).
	zoneUnconfirmed = "unconfirmed"
)

// userAuthority is the weakest authority level whose constraints bind a model: inferred and retrieved content
// is never promoted to a constraint (Context Architecture, failure mode Low-Authority Source Promotion).
const userAuthority = 2

// zoneOf returns the zone of a claim by its kind, authority and layer.
func zoneOf(c *tenure.Claim) string {
	constraint := c.IsConstraint || c.ObjectType == tenure.PolicyRule || c.ObjectType == tenure.ActionableConstraint
	switch {
	case constraint && c.Source.AuthorityLevel <= userAuthority:
		return zonePolicy
	case c.Layer == tenure.LayerEnvironment:
		return zoneEnvironment
	case c.Layer == tenure.LayerWorkingSet:
		return zoneWorkingSet
	}
	return zoneFacts
}

// convert writes each object as one line "key: value". The key is the claim's own, else its predicate as said. If
// objects of several entities are compiled, or of one that only a relation led to, the line starts with the entity's label ("Alice Johnson / office:
// Chicago"), except for the requester's own. An entity value is written by name.
func convert(objects []*object, who *topicSet, task Task) {
	labels := labelsOf(objects, who)
	for _, o := range objects {
		c := o.claim()
		o.zone = zoneOf(c)
		if who.unconfirmed(o) {
			o.zone = zoneUnconfirmed
		}
		o.value = valueText(c.Value, who.known)
		o.key = oneLine(cmp.Or(c.Key, o.said()))
		o.line = o.key + ": " + o.value
		if o.zone != zoneUnconfirmed && isGuidance(c, task) {
			o.line += " (therefore: " + oneLine(c.BehavioralImplication) + ")"
		}
		if (len(labels) > 1 || o.hops > 0) && o.root != who.requester {
			o.line = labels[o.root] + " / " + o.line
		}
	}
}

// said returns the predicate in the words of who said it, unless they say it from the other side.
func (o *object) said() string {
	if c := o.claim(); !c.Inverted {
		return cmp.Or(c.PredicateAsWritten, c.Predicate)
	}
	return o.claim().Predicate
}

// unconfirmed reports whether the subject or the value of an object is a pending entity.
func (c *topicSet) unconfirmed(o *object) bool {
	about, _ := c.known.root(o.root)
	says, _ := c.known.root(o.claim().Value.Entity)
	return about.Status == tenure.EntityPending || says.Status == tenure.EntityPending
}

// isGuidance reports whether an object may tell the model how to act: it has a behavioral implication, is bound
// to this task type, and has at least a user's authority (Context Architecture, Fact-to-Instruction
// Conversion Ladder, step 4).
func isGuidance(c *tenure.Claim, task Task) bool {
	return c.BehavioralImplication != "" && c.Source.AuthorityLevel <= userAuthority &&
		slices.Contains(c.ApplicableTaskTypes, task.Type)
}

// labelsOf names the compiled entities and the requester. Entities of one name are distinguished by type,
// then by number.
func labelsOf(objects []*object, who *topicSet) map[tenure.ID]string {
	ids := map[tenure.ID]bool{}
	for _, o := range objects {
		ids[o.root] = true
	}
	if who.requester != "" {
		ids[who.requester] = true
	}
	roots := make([]tenure.Entity, 0, len(ids))
	for id := range ids {
		e, _ := who.known.root(id)
		roots = append(roots, e)
	}
	slices.SortFunc(roots, func(a, b tenure.Entity) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	named, typed := map[string]int{}, map[string]int{}
	for _, e := range roots {
		named[text.Key(e.Name)]++
		typed[text.Key(e.Name)+"\x1f"+e.Type]++
	}
	labels, count := map[tenure.ID]string{}, map[string]int{}
	for _, e := range roots {
		label, key := oneLine(e.Name), text.Key(e.Name)
		if named[key] > 1 {
			kind := key + "\x1f" + e.Type
			count[kind]++
			label += " (" + oneLine(e.Type)
			if typed[kind] > 1 {
				label += fmt.Sprintf(" %d", count[kind])
			}
			label += ")"
		}
		labels[e.ID] = label
	}
	return labels
}

// valueText returns a value as one line: a string as it is, other JSON compact, an entity by its name, an
// empty value as "".
func valueText(v tenure.Value, known directory) string {
	if v.Entity != "" {
		if root, ok := known.root(v.Entity); ok {
			return cmp.Or(oneLine(root.Name), `""`)
		}
		return "unknown" // ids are not for models
	}
	var s string
	if len(v.JSON) > 0 && v.JSON[0] == '"' && json.Unmarshal(v.JSON, &s) == nil {
		return cmp.Or(oneLine(s), `""`)
	}
	var b bytes.Buffer
	if json.Compact(&b, v.JSON) != nil {
		return cmp.Or(oneLine(string(v.JSON)), `""`)
	}
	return oneLine(b.String())
}

// oneLine makes a text safe to print as one line: runs of white space and control characters become one
// space, and characters that reorder or conceal text (bidirectional controls, tags) are removed.
func oneLine(s string) string {
	if plainLine(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			gap = true
			continue
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f:
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// plainLine reports whether oneLine would return s unchanged. It is the fast path.
func plainLine(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}
