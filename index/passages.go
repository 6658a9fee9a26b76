package index

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"tenure"
	"tenure/recall"
)

// ofClass is the class of the terms of passages that name their document.
const ofClass = 'o'

// documentChange is an entry that put a version of a document, or erased all of them.
type documentChange struct {
	seq    tenure.Seq
	id     tenure.ID
	erased bool
}

// documentsOf lists what entries change of documents.
func documentsOf(entries []tenure.Entry) (list []documentChange) {
	for _, e := range entries {
		for _, c := range e.Changes {
			erased := c.Kind.Current() == tenure.KindContentErased && tenure.ErasedKind(c.Name) == tenure.ErasedDocument
			if erased || c.Kind.Current() == tenure.KindDocumentPut {
				list = append(list, documentChange{seq: e.Seq, id: c.ID, erased: erased})
			}
		}
	}
	return list
}

// ageless stands in the keys of passages for when they were recorded: of equal ones the order is that of their ids,
// which a search without the index can tell, too.
const ageless tenure.Instant = 1

// passageID returns the key of a passage. It has the form of that of a belief; former is the number of the entry since
// which its version is not the newest.
func passageID(id tenure.ID, former tenure.Seq) tenure.ID {
	b := binary.BigEndian.AppendUint64([]byte{passageKey}, uint64(ageless))
	b = append(b, rawID(id)...)
	if former > 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(former))
	}
	return tenure.ID(b)
}

// passages adds what the page changes of the passages of documents, change by change: those of a version that is put;
// those of the version before, which are kept apart for the states that they are in; and, where a document is erased,
// the removal of all.
func (d *derivation) passages(ctx context.Context, list []documentChange) error {
	if len(list) == 0 {
		return nil
	}
	held, err := d.passageKeys(list)
	if err != nil {
		return err
	}
	changed := map[tenure.ID]int{} // places in the entries, by key
	set := func(key tenure.ID, terms []term) {
		e := entry{id: key, seq: d.page.UpTo(), terms: terms}
		if at, ok := changed[key]; ok {
			d.entries[at] = e
			return
		}
		changed[key] = len(d.entries)
		d.entries = append(d.entries, e)
	}
	for _, c := range list {
		if !c.erased {
			if held[c.id], err = d.replaced(ctx, c, held[c.id], set); err != nil {
				return err
			}
			continue
		}
		for _, key := range held[c.id] {
			set(key, nil)
		}
		held[c.id] = nil
	}
	return nil
}

// replaced sets the documents of the passages of a version that was put and of the one before, and returns the keys of
// all versions.
func (d *derivation) replaced(
	ctx context.Context, c documentChange, keys []tenure.ID, set func(tenure.ID, []term),
) (kept []tenure.ID, err error) {
	before, err := d.versionAt(ctx, c.id, c.seq-1)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		_, id, former := beliefOf([]byte(key))
		if p, ok := before.passages[id]; ok && former == 0 {
			set(key, nil)
			key = passageID(id, c.seq)
			set(key, passageTerms(p, before.Document, recall.FormerPassage))
		}
		kept = append(kept, key)
	}
	now, err := d.versionAt(ctx, c.id, c.seq)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(now.passages)) {
		key := passageID(id, 0)
		set(key, passageTerms(now.passages[id], now.Document, recall.Passage))
		kept = append(kept, key)
	}
	return kept, nil
}

// replacedBy reports whether a key is that of a passage of a version that had been replaced by an entry.
func replacedBy(key []byte, upTo tenure.Seq) bool {
	if key[0] != passageKey {
		return false
	}
	_, _, former := beliefOf(key)
	return former > 0 && former <= upTo
}

// version is a version of a document with its passages that are not erased.
type version struct {
	tenure.Document
	passages map[tenure.ID]*tenure.Passage
}

func (d *derivation) versionAt(ctx context.Context, id tenure.ID, seq tenure.Seq) (version, error) {
	v := version{passages: map[tenure.ID]*tenure.Passage{}}
	if seq == 0 {
		return v, nil
	}
	r := d.state
	if seq != d.page.UpTo() {
		var err error
		if r, err = d.x.feeding().View(ctx, d.page.Tenant, seq); err != nil {
			return v, err
		}
	}
	of, err := r.Documents(ctx, []tenure.ID{id})
	if err != nil || len(of) == 0 {
		return v, err
	}
	list, err := r.PassagesOf(ctx, []tenure.ID{id})
	for i := range list {
		if !list[i].Erased {
			v.passages[list[i].ID] = &list[i]
		}
	}
	v.Document = of[0]
	return v, err
}

// passageKeys lists the keys that the index holds of documents.
func (d *derivation) passageKeys(list []documentChange) (map[tenure.ID][]tenure.ID, error) {
	g := d.x.acquire()
	if g == nil {
		return nil, errClosed
	}
	defer g.release()
	held := map[tenure.ID][]tenure.ID{}
	for _, c := range list {
		if _, known := held[c.id]; known {
			continue
		}
		keys, err := g.keys(d.page.Tenant, termsOf(ofClass, string(c.id)))
		if err != nil {
			return nil, err
		}
		held[c.id] = nil
		for _, key := range keys {
			held[c.id] = append(held[c.id], tenure.ID(key))
		}
	}
	return held, nil
}

// passageTerms returns the terms of a passage's document.
func passageTerms(p *tenure.Passage, of tenure.Document, kind recall.Kind) []term {
	list := []term{
		termOf(anyClass, ""), termOf(projectClass, of.Scope.ProjectID), termOf(typeClass, string(kind)),
		termOf(ofClass, string(of.ID)),
	}
	list = append(list, scopeTerms(of.Label(), of.Scope)...)
	return append(list, wordTerms(recall.PassageParts(p, of.Title))...)
}
