package compile

import (
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/linking"
	"tenure/roles"
)

// viewer is what the gates need to know of the reader of the envelope.
type viewer struct {
	scope     tenure.Scope
	clearance int
	roles     []string
	taskType  string
}

// viewerOf joins the roles of the credential and of the stated identity. An unknown clearance counts as
// public.
func viewerOf(caller tenure.Caller, req Request) viewer {
	a := viewer{scope: req.Scope, clearance: caller.Clearance.Rank(), taskType: req.Task.Type}
	if a.clearance > tenure.HighlyRestricted.Rank() {
		a.clearance = tenure.Public.Rank()
	}
	for _, r := range caller.Roles {
		a.roles = append(a.roles, string(r))
	}
	if req.Identity != nil {
		a.roles = append(a.roles, req.Identity.Roles...)
	}
	return a
}

// denies returns the gate that hides a claim, "" if none does (Context Architecture, pipeline stage 3). Only
// the number of such claims reaches the answer.
func (a viewer) denies(c *tenure.Claim) string {
	switch {
	case !c.Scope.VisibleIn(a.scope):
		return gateScope
	case c.Classification.Rank() > a.clearance:
		return gateClearance
	case a.hasAny(c.Permission.DenyRoles):
		return gateRole
	case len(c.Permission.AllowRoles) > 0 && !a.hasAny(c.Permission.AllowRoles):
		return gateRole
	}
	return ""
}

// hasAny compares roles in their normal form, so that a deny rule cannot be evaded by spelling. "VP+" stands for the
// role and those that outrank it in the base order.
func (a viewer) hasAny(groups []string) bool {
	return slices.ContainsFunc(groups, func(group string) bool {
		return slices.ContainsFunc(a.roles, func(have string) bool { return roles.Base().Covers(group, have) })
	})
}

// gate keeps visible objects; the others are closed, and denied counts them by gate. withheld counts those that stand,
// are about what was asked, and are closed to the caller by clearance or role. An object whose value is an entity of
// another project is out of scope, as that entity is.
func gate(objects []*object, see viewer, who *topicSet, at tenure.Instant) (
	kept []*object, denied map[string]int, closed map[tenure.ID]bool, withheld int,
) {
	denied, closed = map[string]int{}, map[tenure.ID]bool{}
	for _, o := range objects {
		reason := see.denies(o.claim())
		if v := o.claim().Value.Entity; reason == "" && v != "" {
			if root, ok := who.Known.Root(v); ok && !linking.InProject(root.Project, see.scope.ProjectID) {
				reason = gateScope
			}
		}
		if reason == "" {
			kept = append(kept, o)
			continue
		}
		denied[reason]++
		closed[o.claim().ID] = true
		seg, ok := o.belief.Standing.At(at)
		if ok && seg.Cause == tenure.Stands && reason != gateScope && who.wasAsked(o.root) {
			withheld++
		}
	}
	return kept, denied, closed, withheld
}

// relevant omits objects bound to other task types (Context Architecture, activation by task type).
func relevant(objects []*object, taskType string) (kept []*object, dropped []omission) {
	for _, o := range objects {
		types := o.claim().ApplicableTaskTypes
		if len(types) > 0 && !slices.Contains(types, taskType) {
			dropped = append(dropped, omission{object: o, reason: reasonIrrelevant})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// worded omits what has an empty text for a value, which would be a line without words.
func worded(objects []*object) (kept []*object, dropped []omission) {
	for _, o := range objects {
		if v := o.claim().Value; v.Entity == "" && blank(v.JSON) {
			dropped = append(dropped, omission{object: o, reason: string(tenure.NoValue)})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// blank reports whether a JSON value is a text without words.
func blank(value []byte) bool {
	if len(value) < 2 || value[0] != '"' || value[1] > ' ' && value[1] < 0x7f && value[1] != '"' && value[1] != '\\' {
		return false // decided by the first character: most texts need not be parsed
	}
	var words string
	return json.Unmarshal(value, &words) == nil && strings.TrimSpace(words) == ""
}
