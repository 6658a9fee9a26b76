package wire

import (
	"strconv"
	"strings"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// RememberOf converts the facts of a body. A session bounds only what is not global.
func RememberOf(b api.RememberInput) service.Remember {
	r := service.Remember{
		Source: service.Source{
			Origin: b.Origin, AuthorityLevel: b.AuthorityLevel, SourceAuthority: b.SourceAuthority,
			Speaker: b.Speaker, Role: b.Role, Session: b.SessionId,
			Thread: b.Thread,
		},
		Scope:      tenure.Scope{Kind: tenure.ScopeKind(b.Scope), UserID: b.UserId, ProjectID: b.ProjectId},
		ObservedAt: InstantOf(b.ObservedAt), Text: b.Text,
		Addressee: b.Addressee, Extract: b.Extract, Classification: b.SecurityClassification,
	}
	if r.Scope.Canonical().Kind != tenure.ScopeGlobal {
		r.Scope.SessionID = b.SessionId
	}
	for _, f := range b.Facts {
		r.Facts = append(r.Facts, service.Fact{
			Subject: f.Subject, Predicate: f.Predicate, Object: f.Object, Listed: f.Listed,
			SubjectType: f.SubjectType, ObjectType: f.ObjectType, Since: InstantOf(f.Since), Until: InstantOf(f.Until),
			Confidence: f.Confidence, Many: f.Many, Key: f.Key, Supersedes: f.Supersedes, DependsOn: f.DependsOn,
			Kind: f.Kind, Content: f.Content, Classification: f.SecurityClassification,
		})
	}
	return r
}

// InFacts maps pointers into the decoded body to pointers into the text, in which a fact may be a list, and keeps the
// first fault of each pointer.
func InFacts(b api.RememberInput, faults tenure.Faults) tenure.Faults {
	var kept tenure.Faults
	seen := map[string]bool{}
	for _, f := range faults {
		f.Pointer = inFact(b, strings.Replace(f.Pointer, "/FactInput", "", 1))
		if !seen[f.Pointer] {
			seen[f.Pointer] = true
			kept = append(kept, f)
		}
	}
	return kept
}

func inFact(b api.RememberInput, pointer string) string {
	parts := strings.SplitN(pointer, "/", 5)
	if len(parts) < 4 || parts[1] != "facts" {
		return pointer
	}
	i, err := strconv.Atoi(parts[2])
	if place, ok := places[parts[3]]; ok && err == nil && i < len(b.Facts) && b.Facts[i].Listed {
		parts[3] = place
	}
	return strings.Join(parts, "/")
}

// places are the fields of a fact that is a list.
var places = map[string]string{"subject": "0", "predicate": "1", "object": "2"}
