package beliefs

import "tenure"

// Effective returns the amendments that count: those that no undo names, without the undos.
func Effective(list []tenure.Amendment) []tenure.Amendment {
	undone := map[tenure.ID]bool{}
	for _, a := range list {
		if a.Kind == tenure.Undo {
			undone[a.Undoes] = true
		}
	}
	if len(undone) == 0 {
		return list
	}
	var effective []tenure.Amendment
	for _, a := range list {
		if a.Kind != tenure.Undo && !undone[a.ID] {
			effective = append(effective, a)
		}
	}
	return effective
}
