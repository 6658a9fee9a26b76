package linking

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

// namedRoot is a root that words of a text name, from the word first on.
type namedRoot struct {
	first int
	text  string
	root  tenure.ID
}

// Utterance is a text with its speaker and the entities that were spoken of before it: see [Linker.Places].
type Utterance struct {
	Tenant, Text, Project string
	// Speaker is the name of who says it, "" if that is not known.
	Speaker string
	// Near are entities that were spoken of before: of several of a name, the one among them is meant.
	Near []tenure.ID
}

// Named are the roots that a text names, in the order of their places.
type Named struct {
	Places []Place
	// Speaker is the root of the speaker, Near the roots of the entities mentioned before; both as far as the project
	// sees them.
	Speaker *tenure.Entity
	Near    []tenure.Entity
}

// Place is where a text names a root: bytes of the text.
type Place struct {
	Start, End int
	Root       tenure.Entity
}

// Places finds where an utterance names entities, as [Linker.Link] does.
func (x *Linker) Places(ctx context.Context, r store.IdentityReader, u Utterance) (Named, error) {
	q := Query{Tenant: u.Tenant, Text: u.Text, Project: u.Project, Requester: Requester{Name: u.Speaker}}
	l := newLinks()
	if err := l.Known.Load(ctx, r, u.Near); err != nil {
		return Named{}, err
	}
	for _, id := range u.Near {
		if root, reason := l.listed(id, u.Project); reason == "" {
			q.Entities = append(q.Entities, root.ID)
		}
	}
	if err := x.link(ctx, r, l, q); err != nil {
		return Named{}, err
	}
	return l.places(q), nil
}

// owners lists the roots that the query names in the genitive.
func (l *Links) owners(query string) (list []tenure.ID) {
	for _, n := range l.named {
		rest := query[l.Words[n.first].From+len(n.text):]
		if strings.HasPrefix(rest, "'s ") || strings.HasPrefix(rest, "’s ") {
			list = append(list, n.root)
		}
	}
	return list
}

// places lists what was found.
func (l *Links) places(q Query) Named {
	var list Named
	for _, n := range l.named {
		start := l.Words[n.first].From
		list.Places = append(list.Places, Place{Start: start, End: start + len(n.text), Root: l.Known[n.root]})
	}
	slices.SortFunc(list.Places, func(a, b Place) int { return cmp.Compare(a.Start, b.Start) })
	if root, ok := l.Known[l.Requester]; ok {
		list.Speaker = &root
	}
	for _, id := range q.Entities {
		list.Near = append(list.Near, l.Known[id])
	}
	return list
}
