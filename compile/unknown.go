package compile

import (
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/store"
)

// unknownSlot is a property that is required, or asked for, of which nothing valid is known.
type unknownSlot struct {
	pointer   string
	predicate string    // as written in the request
	root      tenure.ID // "" for whatever is asked about
}

// unknowns lists the required properties that no kept object says: of the entity, or of anything that is asked about.
// What is contested or unconfirmed is not known.
func unknowns(
	ctx context.Context, r store.Reader, who *topicSet, kept []*object, req Request,
) (list []unknownSlot, err error) {
	if len(req.Required) == 0 {
		return nil, nil
	}
	terms, found := store.NewTerms(r), map[string]*tenure.Term{}
	for _, q := range req.Required {
		found[q.Predicate] = nil
	}
	if err := terms.Load(ctx, termIDs(found)); err != nil {
		return nil, err
	}
	if err := lookUp(ctx, terms, found); err != nil {
		return nil, err
	}
	for i, q := range req.Required {
		slot := unknownSlot{pointer: fmt.Sprintf("/required/%d", i), predicate: q.Predicate}
		if root, ok := who.Known.Root(q.EntityID); ok && q.EntityID != "" {
			slot.root = root.ID
		}
		who.required[found[q.Predicate].Name] = true
		if !said(kept, who, slot.root, found[q.Predicate].Name) {
			list = append(list, slot)
		}
	}
	return list, nil
}

// said reports whether an object says a property of an entity, or, without one, of what is asked about, from either
// side.
func said(kept []*object, who *topicSet, root tenure.ID, predicate string) bool {
	return slices.ContainsFunc(kept, func(o *object) bool {
		if o.contested || who.unconfirmed(o) {
			return false
		}
		return o.claim().Predicate == predicate && o.isAbout(who, root) ||
			o.inverse != nil && o.inverse.Name == predicate && o.asked != "" && (o.asked == root || root == "")
	})
}

// isAbout reports whether an object is about an entity, or, without one, about what is asked.
func (o *object) isAbout(who *topicSet, root tenure.ID) bool {
	return o.root == root || root == "" && (who.wasAsked(o.root) || o.inForce || o.byWords || o.byValue)
}

// unknownLines says what is required and not known, so that a model does not invent it (Context Architecture, failure
// mode Forced Fabrication).
func unknownLines(who *topicSet) (list []entry) {
	for _, u := range who.unknown {
		text := oneLine(u.predicate) + `: unknown (nothing valid is known; answer "unknown")`
		if name := who.labels[u.root]; name != "" {
			text = name + " / " + text
		}
		list = append(list, entry{text: text, pointer: u.pointer, unknown: &u})
	}
	return list
}
