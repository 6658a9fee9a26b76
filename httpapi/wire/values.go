package wire

import (
	"tenure"
	"tenure/service"
)

// Value returns the value of an optional parameter, zero if absent.
func Value[T any](given *T) T {
	var zero T
	if given == nil {
		return zero
	}
	return *given
}

// Each maps view over items and never returns nil: JSON distinguishes null from [].
func Each[T, V any](items []T, view func(T) V) []V {
	views := make([]V, 0, len(items))
	for _, it := range items {
		views = append(views, view(it))
	}
	return views
}

// NonNil returns the list, never nil: JSON distinguishes null from [].
func NonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// shown encodes the ids that the answer to a write shows of a list, and notes under its name if there are more.
func shown(c *service.Cut, name string, list []tenure.ID) []tenure.ID {
	return NonNil(service.Shown(c, name, list))
}
