package compile

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/text"
)

// namedRoot is a root that words of a query name, from the word first on.
type namedRoot struct {
	first int
	text  string
	root  tenure.ID
}

// NamedIn asks for the entities that a text names, as a query names them: see [Compiler.NamedIn].
type NamedIn struct {
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

// NamedIn finds the entities that a text names: by a name or an identifier, by a part of a name, in small letters or
// with a slip, as a query of [Compiler.Compile] does. A name that could mean several names none.
func (c *Compiler) NamedIn(ctx context.Context, r store.IdentityReader, q NamedIn) (Named, error) {
	req := Request{Query: q.Text, Scope: tenure.Scope{ProjectID: q.Project}}
	if q.Speaker != "" {
		req.Identity = &Identity{Name: q.Speaker}
	}
	who := newTopicSet()
	if err := who.known.load(ctx, r, q.Near); err != nil {
		return Named{}, err
	}
	for _, id := range q.Near {
		if root, ok := who.known.root(id); ok && exclusionReason(root, q.Project) == "" {
			req.Entities = append(req.Entities, root.ID)
		}
	}
	if err := c.look(ctx, r, who, q.Tenant, req); err != nil {
		return Named{}, err
	}
	return who.found(q.Text, req.Entities), nil
}

// found lists what was found.
func (c *topicSet) found(query string, near []tenure.ID) Named {
	spans := text.Words(query)
	var list Named
	for _, n := range c.named {
		start := spans[n.first].From
		list.Places = append(list.Places, Place{Start: start, End: start + len(n.text), Root: c.known[n.root]})
	}
	slices.SortFunc(list.Places, func(a, b Place) int { return cmp.Compare(a.Start, b.Start) })
	if root, ok := c.known[c.requester]; ok {
		list.Speaker = &root
	}
	for _, id := range near {
		list.Near = append(list.Near, c.known[id])
	}
	return list
}
