package compile

import (
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/audience"
	"tenure/linking"
)

// viewer is what the gates need to know of the reader of the envelope.
type viewer struct {
	tenant   string
	scope    tenure.Scope
	sees     audience.Sight
	taskType string
	hosts    map[string]bool // the sites of the payloads
}

// viewerOf joins the roles of the credential and of the stated identity.
func viewerOf(caller tenure.Caller, req Request) viewer {
	var more []string
	if req.Identity != nil {
		more = req.Identity.Roles
	}
	return viewer{
		tenant: caller.Tenant, scope: req.Scope, sees: audience.Of(caller, more...), taskType: req.Task.Type,
		hosts: hostsOf(req.Payloads),
	}
}

// denies returns the gate that hides a claim, "" if none does (Context Architecture, pipeline stage 3). What the caller
// may not see is closed, and nothing in the answer tells that it is there.
func (a viewer) denies(c *tenure.Claim) string {
	switch {
	case !a.sees.Sees(c.Label()):
		return gateClosed
	case !c.Scope.VisibleIn(a.scope):
		return gateScope
	}
	return ""
}

// gate keeps visible objects; the others are closed, and denied counts those that the caller would see in another
// scope. An object whose value is an entity of another project is out of scope, as that entity is.
func gate(objects []*object, see viewer, who *topicSet) (
	kept []*object, denied map[string]int, closed map[tenure.ID]bool,
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
		closed[o.claim().ID] = true
		if reason != gateClosed {
			denied[reason]++
		}
	}
	return kept, denied, closed
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
