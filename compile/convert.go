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
	"tenure/linking"

	"tenure/text"
)

// The zones of an envelope.
const (
	// zonePolicy holds constraints in force by their scope, whatever the task: nothing in it changes within a session.
	zonePolicy      = "policy"
	zoneTools       = "tools"    // what the model may call
	zoneIdentity    = "identity" // the person who asks
	zoneFacts       = "facts"
	zoneRemarks     = "remarks" // what was said, in the words of who said it
	zoneEnvironment = "environment"
	zoneWorkingSet  = "working_set"
	zoneTurns       = "turns" // of the conversation
	// zoneUnconfirmed holds what is said of, or with, an entity whose identity is under review: never
	// guidance, never a constraint (Context Architecture, Named Entity Resolution model, Context Compiler
	// Output).
	zoneUnconfirmed = "unconfirmed"
	// zoneUntrusted holds what came from outside, between delimiters that it can neither close nor imitate (Context
	// Architecture, failure mode Indirect Prompt Injection).
	zoneUntrusted   = "untrusted"
	zoneGuidance    = "guidance"    // preferences and guidance in force by their scope
	zoneConstraints = "constraints" // constraints of what was asked about, and of the type of the task
)

// zoneOf returns the zone of an object.
func (c *topicSet) zoneOf(o *object) string {
	claim := o.claim()
	switch {
	case o.contested:
		return zoneFacts
	case claim.Source.AuthorityLevel > inferredAuthority:
		return zoneUntrusted
	case c.unconfirmed(o):
		return zoneUnconfirmed
	case binds(claim) && o.inForce && len(claim.ApplicableTaskTypes) == 0 && claim.Scope.TaskID == "":
		return zonePolicy
	case binds(claim):
		return zoneConstraints
	case claim.Layer == tenure.LayerEnvironment:
		return zoneEnvironment
	case claim.Layer == tenure.LayerWorkingSet:
		return zoneWorkingSet
	case isRemark(claim):
		return zoneRemarks
	case o.inForce && !c.askedByName(o.root) && directingLevel(claim) <= userAuthority:
		return zoneGuidance
	}
	return zoneFacts
}

// isFact reports whether a claim is neither a constraint nor of the environment or the working set.
func isFact(c *tenure.Claim) bool {
	return !binds(c) && c.Layer != tenure.LayerEnvironment && c.Layer != tenure.LayerWorkingSet
}

// held is what the line of a contested slot says in the place of a value.
const held = "contested (sources disagree, not settled)"

// convert renders each object as one line "subject / key: value". The key is the claim's own, else its predicate.
// Entities appear by name. If the value was asked about and not the subject, the inverse predicate turns the line
// around: "Ben Ortiz / member_of: Apollo" for the claim that Apollo has the member Ben. Without an inverse the line
// follows the claim. A line that guides or binds says what follows. It sets who.labels.
func convert(objects []*object, who *topicSet, task Task) {
	who.labels = labelsOf(objects, who, who.mentioned()...)
	for _, o := range objects {
		o.zone = who.zoneOf(o)
	}
	lasting := labelsOf(ofPolicy(objects), who)
	for _, o := range objects {
		c, labels := o.claim(), who.labels
		if o.zone == zonePolicy {
			labels = lasting
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
		o.line = factLine(subject, o.key, value)
		if isRemark(c) && !o.contested {
			o.line = remarkLine(c, subject, value)
		}
		o.line = o.raised(o.line, task)
	}
}

// ofPolicy returns the objects of the stable prefix. The names in it depend on no others.
func ofPolicy(objects []*object) (list []*object) {
	for _, o := range objects {
		if o.zone == zonePolicy {
			list = append(list, o)
		}
	}
	return list
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

// mentioned lists the requester, and the entities that a name of the query may mean.
func (c *topicSet) mentioned() []tenure.ID {
	list := []tenure.ID{c.Requester}
	for _, u := range c.unresolved() {
		list = append(list, u.Candidates...)
	}
	for _, u := range c.unknown {
		list = append(list, u.root)
	}
	return list
}

// labelsOf names the entities of objects, and others.
func labelsOf(objects []*object, who *topicSet, others ...tenure.ID) map[tenure.ID]string {
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
	for _, id := range others {
		add(id)
	}
	return labels(who.Known, ids)
}

// unnamed is the label of what no mention names.
const unnamed = "unnamed"

// labels names roots. Those of one name are distinguished by type, then by number, and what has none is said to be of
// its type.
func labels(d linking.Directory, ids map[tenure.ID]bool) map[tenure.ID]string {
	type namesake struct {
		id              tenure.ID
		created         tenure.Instant
		name, kind, key string
	}
	roots, named := make([]namesake, 0, len(ids)), make(map[string]int, len(ids))
	for id := range ids {
		e := d[id]
		if len(e.Members) > 0 {
			var members []tenure.Entity
			for _, m := range e.Members {
				members = append(members, d[m])
			}
			e = e.Shown(members)
		}
		key := text.Key(e.Name)
		roots = append(roots, namesake{e.ID, e.CreatedAt, e.Name, e.Type, key})
		named[key]++
	}
	slices.SortFunc(roots, func(a, b namesake) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
	typed := map[string]int{}
	for _, e := range roots {
		if named[e.key] > 1 || e.key == "" {
			typed[e.key+"\x1f"+e.kind]++
		}
	}
	labels, count := make(map[tenure.ID]string, len(roots)), map[string]int{}
	for _, e := range roots {
		label := cmp.Or(oneLine(e.name), unnamed)
		if named[e.key] > 1 || label == unnamed && e.kind != "" {
			kind := e.key + "\x1f" + e.kind
			count[kind]++
			label += " (" + oneLine(e.kind)
			if typed[kind] > 1 {
				label += fmt.Sprintf(" %d", count[kind])
			}
			label += ")"
		}
		labels[e.id] = label
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
	if s, ok := jsonText(v.JSON); ok {
		return cmp.Or(oneLine(s), `""`)
	}
	if r, ok := ruleOf(v); ok {
		return oneLine(r.String())
	}
	var b bytes.Buffer
	if json.Compact(&b, v.JSON) != nil {
		return cmp.Or(oneLine(string(v.JSON)), `""`)
	}
	return oneLine(b.String())
}

// jsonText returns the text that a JSON value is, and reports whether it is one. Most are plain ASCII, and need no
// parser.
func jsonText(value json.RawMessage) (s string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	plain := func(b byte) bool { return b >= ' ' && b < 0x7f && b != '"' && b != '\\' }
	if inner := value[1 : len(value)-1]; value[len(value)-1] == '"' &&
		!slices.ContainsFunc(inner, func(b byte) bool { return !plain(b) }) {
		return string(inner), true
	}
	return s, json.Unmarshal(value, &s) == nil
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
		case conceals(r):
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
