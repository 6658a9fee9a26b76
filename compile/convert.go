package compile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"tenure"
	"tenure/linking"

	"tenure/text"
)

// The zones of an envelope. Policy and identity do not depend on the query; the others do.
const (
	zonePolicy      = "policy"
	zoneIdentity    = "identity"
	zoneFacts       = "facts"
	zoneRemarks     = "remarks" // what was said, in the words of who said it
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
	switch {
	case c.Constrains() && c.Source.AuthorityLevel <= userAuthority:
		return zonePolicy
	case c.Layer == tenure.LayerEnvironment:
		return zoneEnvironment
	case c.Layer == tenure.LayerWorkingSet:
		return zoneWorkingSet
	}
	return zoneFacts
}

// held is what the line of a contested slot says in the place of a value.
const held = "contested (sources disagree, not settled)"

// convert renders each object as one line "subject / key: value". The key is the claim's own, else its predicate.
// Entities appear by name. If the value was asked about and not the subject, the inverse predicate turns the line
// around: "Ben Ortiz / member_of: Apollo" for the claim that Apollo has the member Ben. Without an inverse the line
// follows the claim. It sets who.labels.
func convert(objects []*object, who *topicSet, task Task) {
	labels := labelsOf(objects, who)
	who.labels = labels
	for _, o := range objects {
		c := o.claim()
		o.zone = zoneOf(c)
		switch {
		case o.contested:
			o.zone = zoneFacts
		case isRemark(c):
			o.zone = zoneRemarks
		}
		if who.unconfirmed(o) {
			o.zone = zoneUnconfirmed
		}
		subject := labels[o.root]
		o.value = valueText(c.Value, labels, who.Known)
		o.key = oneLine(cmp.Or(c.Key, o.written()))
		value := o.value
		switch {
		case o.contested:
			o.key, o.value, value = oneLine(o.written()), "", held
		case o.asked != "":
			if o.inverse != nil {
				o.said = o.inverse.Name
				subject, value = labels[o.asked], subject
				o.key = o.said
			}
		}
		o.line = subject + " / " + o.key + ": " + value
		if isRemark(c) {
			o.line = remarkLine(c, subject, value)
		}
		if o.zone != zoneUnconfirmed && !o.contested && isGuidance(c, task) {
			o.line += " (therefore: " + oneLine(c.BehavioralImplication) + ")"
		}
	}
}

// remarkLine writes who said what, and when. Where nobody is known to have said it, it says what that is about.
func remarkLine(c *tenure.Claim, subject, said string) string {
	who := cmp.Or(oneLine(c.Source.Speaker), "About "+subject)
	return who + " (" + c.Window.From.Time().UTC().Format(time.DateOnly) + `): "` + said + `"`
}

// written returns the predicate in the words of who said it, unless they say it from the other side.
func (o *object) written() string {
	c := o.claim()
	if c.Inverted {
		return c.Predicate
	}
	return cmp.Or(c.PredicateAsWritten, c.Predicate)
}

// unconfirmed reports whether the subject or the value of an object is a pending entity.
func (c *topicSet) unconfirmed(o *object) bool {
	about, _ := c.Known.Root(o.root)
	says, _ := c.Known.Root(o.claim().Value.Entity)
	return about.Status == tenure.EntityPending || !o.contested && says.Status == tenure.EntityPending
}

// isGuidance reports whether an object may tell the model how to act: it has a behavioral implication, is bound
// to this task type, and has at least a user's authority (Context Architecture, Fact-to-Instruction
// Conversion Ladder, step 4).
func isGuidance(c *tenure.Claim, task Task) bool {
	return c.BehavioralImplication != "" && c.Source.AuthorityLevel <= userAuthority &&
		slices.Contains(c.ApplicableTaskTypes, task.Type)
}

// labelsOf names the entities of objects, the requester, and those that a name of the query may mean.
func labelsOf(objects []*object, who *topicSet) map[tenure.ID]string {
	ids := map[tenure.ID]bool{}
	add := func(id tenure.ID) {
		if root, ok := who.Known.Root(id); ok {
			ids[root.ID] = true
		}
	}
	for _, o := range objects {
		ids[o.root] = true
		if v := o.claim().Value.Entity; v != "" && !o.contested {
			add(v)
		}
	}
	add(who.Requester)
	for _, u := range who.unresolved() {
		for _, id := range u.Candidates {
			add(id)
		}
	}
	return labels(who.Known, ids)
}

// unnamed is the label of what no mention names.
const unnamed = "unnamed"

// labels names roots. Those of one name are distinguished by type, then by number, and what has none is said to be of
// its type.
func labels(d linking.Directory, ids map[tenure.ID]bool) map[tenure.ID]string {
	roots := make([]tenure.Entity, 0, len(ids))
	for id := range ids {
		var members []tenure.Entity
		for _, m := range d[id].Members {
			members = append(members, d[m])
		}
		roots = append(roots, d[id].Shown(members))
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
		label, key := cmp.Or(oneLine(e.Name), unnamed), text.Key(e.Name)
		if named[key] > 1 || label == unnamed && e.Type != "" {
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

// valueText returns a value as one line: a string as it is, other JSON compact, an entity by its label, an
// empty value as "".
func valueText(v tenure.Value, labels map[tenure.ID]string, known linking.Directory) string {
	if v.Entity != "" {
		if root, ok := known.Root(v.Entity); ok {
			return labels[root.ID]
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
