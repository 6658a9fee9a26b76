package index

import (
	"context"
	"encoding/binary"
	"slices"

	"tenure"
	"tenure/recall"
)

// ofClass is the class of the terms of passages that name their document.
const ofClass = 'o'

// documentPut is a version of a document that an entry has put.
type documentPut struct {
	seq tenure.Seq
	tx  tenure.Instant
	id  tenure.ID
}

// passageID returns the key of a passage. It has the form of that of a belief.
func passageID(recorded tenure.Instant, id tenure.ID) tenure.ID {
	b := binary.BigEndian.AppendUint64([]byte{passageKey}, uint64(recorded))
	return tenure.ID(append(b, rawID(id)...))
}

// passages adds the passages of the versions that the page puts. They stay, for the states in which they are.
func (d *derivation) passages(ctx context.Context, list []documentPut) error {
	last := map[tenure.ID]tenure.Seq{}
	for _, put := range list {
		last[put.id] = put.seq
	}
	for _, put := range list {
		r := d.state
		if put.seq != last[put.id] { // it is at the end of the page as it was put last
			var err error
			if r, err = d.x.feeding().View(ctx, d.page.Tenant, put.seq); err != nil {
				return err
			}
		}
		of, err := r.Documents(ctx, []tenure.ID{put.id})
		if err != nil || len(of) == 0 {
			return err
		}
		passages, err := r.PassagesOf(ctx, []tenure.ID{put.id})
		if err != nil {
			return err
		}
		for i := range passages {
			if !passages[i].Erased {
				d.entries = append(d.entries, entry{
					id: passageID(put.tx, passages[i].ID), seq: d.page.UpTo(), terms: passageTerms(&passages[i], of[0]),
				})
			}
		}
	}
	return nil
}

// passageTerms returns the terms of a passage's document.
func passageTerms(p *tenure.Passage, of tenure.Document) []term {
	list := []term{
		termOf(anyClass, ""), termOf(projectClass, of.Scope.ProjectID), termOf(typeClass, string(recall.Passage)),
		termOf(ofClass, string(of.ID)),
	}
	list = append(list, scopeTerms(of.Label(), of.Scope)...)
	return append(list, wordTerms(recall.PassageParts(p, of.Title))...)
}

// unread removes the passages of documents that were erased.
func (d *derivation) unread(documents []tenure.ID) error {
	if len(documents) == 0 {
		return nil
	}
	g := d.x.acquire()
	if g == nil {
		return errClosed
	}
	defer g.release()
	var marks []term
	for _, id := range documents {
		marks = append(marks, termOf(ofClass, string(id)))
	}
	keys, err := g.keys(d.page.Tenant, marks)
	if err != nil {
		return err
	}
	d.entries = slices.DeleteFunc(d.entries, func(e entry) bool {
		return e.id[0] == passageKey && slices.ContainsFunc(marks, func(m term) bool { return slices.Contains(e.terms, m) })
	})
	for _, key := range keys {
		d.entries = append(d.entries, entry{id: tenure.ID(key), seq: d.page.UpTo()})
	}
	return nil
}
