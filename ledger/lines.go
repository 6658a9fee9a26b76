package ledger

import "slices"

// lines holds the requests of a tenant's callers in a line for each actor, and takes from the lines in turn: whoever
// has one request does not wait for the thousands of another.
type lines struct {
	turns []*line // none is empty; the first is the next to be taken from
	of    map[string]*line
	size  int
}

type line struct {
	actor string
	items []*pending
}

// add appends a request to the line of its actor.
func (q *lines) add(it *pending) {
	l := q.of[it.req.Actor]
	if l == nil {
		l = q.open(it.req.Actor)
		q.turns = append(q.turns, l)
	}
	l.items = append(l.items, it)
	q.size++
}

func (q *lines) open(actor string) *line {
	if q.of == nil {
		q.of = map[string]*line{}
	}
	l := &line{actor: actor}
	q.of[actor] = l
	return l
}

// take removes at most n requests: one of each line in turn. Those of one actor stay in their order.
func (q *lines) take(n int) []*pending {
	taken := make([]*pending, 0, min(n, q.size))
	for len(taken) < n && q.size > 0 {
		l := q.turns[0]
		q.turns = q.turns[1:]
		taken = append(taken, l.items[0])
		l.items[0], l.items = nil, l.items[1:]
		q.size--
		if len(l.items) == 0 {
			delete(q.of, l.actor)
		} else {
			q.turns = append(q.turns, l)
		}
	}
	return taken
}

// putBack returns requests that were taken to the heads of their lines, and these lines to the head of the turns.
func (q *lines) putBack(requests []*pending) {
	back, first := map[string][]*pending{}, []*line(nil)
	for _, it := range requests {
		actor := it.req.Actor
		if back[actor] == nil {
			l := q.of[actor]
			if l == nil {
				l = q.open(actor)
			}
			first = append(first, l)
		}
		back[actor] = append(back[actor], it)
	}
	for _, l := range first {
		l.items = slices.Concat(back[l.actor], l.items)
	}
	rest := slices.DeleteFunc(slices.Clone(q.turns), func(l *line) bool { return back[l.actor] != nil })
	q.turns, q.size = slices.Concat(first, rest), q.size+len(requests)
}

// full reports whether no further request of an actor is accepted. While limit requests wait, an actor still has its
// share, which is an equal part of the limit for each actor with a line: so no one actor can take all the room.
func (q *lines) full(limit int, actor string) bool {
	if q.size < limit {
		return false
	}
	l := q.of[actor]
	if l == nil {
		return limit/(len(q.of)+1) == 0
	}
	return len(l.items) >= limit/len(q.of)
}
