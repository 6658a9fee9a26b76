package index

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"tenure"
	"tenure/audience"
)

// The kinds of what a document may be bound to; a document that is bound has the term of the kind alone, too.
const (
	boundLabel   = "l"
	boundUser    = "u"
	boundSession = "s"
	boundTask    = "t"
)

// boundTerms returns the terms by which documents of a label are left out, none of the zero label.
func boundTerms(l tenure.Label) (list []term) {
	add := func(kind, value string) {
		if value != "" {
			list = append(list, termOf(boundClass, kind), termOf(boundClass, kind+"\x1f"+value))
		}
	}
	add(boundUser, l.Scope.UserID)
	add(boundSession, l.Scope.SessionID)
	add(boundTask, l.Scope.TaskID)
	if l.Scope = (tenure.Scope{}); l != (tenure.Label{}) {
		add(boundLabel, l.Name())
	}
	return list
}

// bound is a condition on documents: those with the term of the kind also have one of the own terms.
type bound struct{ kind, own []term }

// boundsOf returns the conditions that a search is bounded by, and whether documents of the zero label are left out.
func boundsOf(s *audience.Bounds) (list []bound, open bool) {
	if s == nil {
		return nil, true
	}
	var own []string
	for _, l := range s.Labels {
		if l == (tenure.Label{}) {
			open = true
			continue
		}
		own = append(own, boundLabel+"\x1f"+l.Name())
	}
	list = append(list, bound{termsOf(boundClass, boundLabel), termsOf(boundClass, own...)})
	for kind, id := range map[string]*string{boundUser: s.User, boundSession: s.Session, boundTask: s.Task} {
		if id == nil {
			continue
		}
		b := bound{kind: termsOf(boundClass, kind)}
		if *id != "" {
			b.own = termsOf(boundClass, kind+"\x1f"+*id)
		}
		list = append(list, b)
	}
	return list, open
}

// seenKey is equal for equal bounds.
func seenKey(s *audience.Bounds) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	for _, l := range s.Labels {
		b.WriteString(l.Name() + "\x1d")
	}
	for _, id := range []*string{s.User, s.Session, s.Task} {
		if id != nil {
			b.WriteString("\x1c" + *id)
		}
		b.WriteString("\x1d")
	}
	return b.String()
}

// within leaves the documents that a search may see.
func (p plan) within(from source, docs *roaring.Bitmap) error {
	if p.seen == nil && p.in == nil {
		return nil
	}
	list, open := boundsOf(p.seen)
	if !open {
		labelled, err := from.union(list[0].own)
		if err != nil {
			return err
		}
		docs.And(labelled)
	}
	for _, b := range append(list, p.in...) {
		hidden, err := from.union(b.kind)
		if err != nil {
			return err
		}
		if hidden.IsEmpty() {
			continue
		}
		own, err := from.union(b.own)
		if err != nil {
			return err
		}
		hidden.AndNot(own)
		docs.AndNot(hidden)
	}
	return nil
}
