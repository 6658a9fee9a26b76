package main

import (
	"fmt"
	"slices"

	talk "tenure/eval/talk/conversation"
)

type (
	conversation = talk.Conversation
	known        = talk.Known
	turn         = talk.Turn
	ask          = talk.Ask
)

// half returns every other conversation, or every other slot where conversations have one, so that what was seen while
// a rule was written can be kept apart from what was not. An empty name is all of them.
func half(list []conversation, name string) ([]conversation, error) {
	if name == "" {
		return list, nil
	}
	rest, ok := map[string]int{"odd": 0, "even": 1}[name]
	if !ok {
		return nil, fmt.Errorf("there is no half %q: odd or even", name)
	}
	var slots []string
	var kept []conversation
	for i, c := range list {
		if c.Slot != "" {
			if i = slices.Index(slots, c.Slot); i < 0 {
				i = len(slots)
				slots = append(slots, c.Slot)
			}
		}
		if i%2 == rest {
			kept = append(kept, c)
		}
	}
	return kept, nil
}
