package fair

import "slices"

// Queue holds items in lines, and takes from the lines in turn: whoever has one item there does not wait for the
// thousands of another.
//
// A line is named by a path, such as a tenant and a key. Turns go round among the first names, and for each of them
// among the names below. All paths of a queue have the same length. The zero value is an empty queue.
type Queue[T any] struct {
	name  string
	items []T                  // of a line: where the path ends
	turns []*Queue[T]          // none is empty; the first is the next to be taken from
	below map[string]*Queue[T] // the same by their names
	size  int
}

// Len returns the number of items.
func (q *Queue[T]) Len() int { return q.size }

// Add appends an item to a line.
func (q *Queue[T]) Add(item T, path ...string) {
	q.size++
	if len(path) == 0 {
		q.items = append(q.items, item)
		return
	}
	b := q.below[path[0]]
	if b == nil {
		b = q.open(path[0])
		q.turns = append(q.turns, b)
	}
	b.Add(item, path[1:]...)
}

func (q *Queue[T]) open(name string) *Queue[T] {
	if q.below == nil {
		q.below = map[string]*Queue[T]{}
	}
	b := &Queue[T]{name: name}
	q.below[name] = b
	return b
}

// Take removes at most n items: one of each line in turn. Those of one line stay in their order.
func (q *Queue[T]) Take(n int) []T {
	taken := make([]T, 0, min(n, q.size))
	for len(taken) < n {
		item, ok := q.Next(nil)
		if !ok {
			break
		}
		taken = append(taken, item)
	}
	return taken
}

// Next removes the item whose turn it is, among the lines whose first name may go; nil lets all of them. It reports
// whether there is one.
func (q *Queue[T]) Next(may func(name string) bool) (item T, ok bool) {
	if len(q.items) > 0 {
		item = q.items[0]
		var none T
		q.items[0], q.items = none, q.items[1:]
		q.size--
		return item, true
	}
	i := slices.IndexFunc(q.turns, func(b *Queue[T]) bool { return may == nil || may(b.name) })
	if i < 0 {
		return item, false
	}
	b := q.turns[i]
	q.turns = slices.Delete(q.turns, i, i+1)
	item, _ = b.Next(nil)
	q.size--
	if b.size == 0 {
		delete(q.below, b.name)
	} else {
		q.turns = append(q.turns, b)
	}
	return item, true
}

// PutBack puts an item that was taken to the head of its line, and the line to the head of the turns.
func (q *Queue[T]) PutBack(item T, path ...string) {
	q.size++
	if len(path) == 0 {
		q.items = slices.Insert(q.items, 0, item)
		return
	}
	b := q.below[path[0]]
	if b == nil {
		b = q.open(path[0])
	} else {
		q.turns = slices.DeleteFunc(q.turns, func(t *Queue[T]) bool { return t == b })
	}
	q.turns = slices.Insert(q.turns, 0, b)
	b.PutBack(item, path[1:]...)
}

// Remove removes the items of a line for which is holds, and returns how many.
func (q *Queue[T]) Remove(is func(T) bool, path ...string) (removed int) {
	if len(path) == 0 {
		q.items = slices.DeleteFunc(q.items, is)
		removed = q.size - len(q.items)
	} else if b := q.below[path[0]]; b != nil {
		if removed = b.Remove(is, path[1:]...); b.size == 0 {
			delete(q.below, b.name)
			q.turns = slices.DeleteFunc(q.turns, func(t *Queue[T]) bool { return t == b })
		}
	}
	q.size -= removed
	return removed
}

// Full reports whether the queue takes no further item for a path. Once it holds limit items, each name may still have
// an equal share of the limit, and each name below it an equal share of that, so that no name fills the queue alone.
func (q *Queue[T]) Full(limit int, path ...string) bool {
	switch {
	case q.size < limit:
		return false
	case len(path) == 0:
		return true
	}
	b := q.below[path[0]]
	if b == nil {
		return limit/(len(q.below)+1) == 0
	}
	return b.Full(limit/len(q.below), path[1:]...)
}
