package auth

import "tenure"

// Require returns Forbidden unless the caller has one of the roles.
func Require(c tenure.Caller, roles ...tenure.Role) error {
	for _, r := range roles {
		if c.Has(r) {
			return nil
		}
	}
	return tenure.Errorf(tenure.Forbidden, "this needs one of the roles %v", roles)
}

// Bind adds the ids that the caller is bound to. It returns Forbidden if the scope states another one;
// pointer is the pointer of the scope.
func Bind(c tenure.Caller, s tenure.Scope, pointer string) (tenure.Scope, error) {
	var faults []tenure.Field
	for _, id := range []struct {
		name  string
		bound string
		asked *string
	}{
		{"user_id", c.Bound.UserID, &s.UserID},
		{"project_id", c.Bound.ProjectID, &s.ProjectID},
		{"session_id", c.Bound.SessionID, &s.SessionID},
		{"task_id", c.Bound.TaskID, &s.TaskID},
	} {
		switch {
		case id.bound == "" || *id.asked == id.bound:
		case *id.asked == "":
			*id.asked = id.bound
		default:
			faults = append(faults, tenure.Field{
				Pointer: pointer + "/" + id.name, Reason: "must be the one that the credential is bound to",
			})
		}
	}
	if len(faults) > 0 {
		return s, &tenure.Error{Code: tenure.Forbidden, Message: "the credential is bound to another scope", Fields: faults}
	}
	return s, nil
}
