package index

import (
	"math"
	"slices"
	"sync"

	"tenure"
	"tenure/registry"
)

// maxTail bounds the documents that are remembered for one tenant; beyond it
// the oldest are forgotten, and found when the follower comes to them.
const maxTail = 20_000

// tail remembers what was applied in this process and is not in the index yet.
type tail struct {
	mu      sync.RWMutex
	tenants map[string]*noted
}

// noted is what is remembered of one tenant.
type noted struct {
	docs   []*notedDocument // in order of their numbers
	byTerm map[term][]*notedDocument
	before tenure.Seq // what the batch before the last one had passed
	last   tenure.Seq
}

// notedDocument is what one entry says of one entity.
type notedDocument struct {
	Document
	seq   tenure.Seq
	terms []term
}

func newTail() *tail { return &tail{tenants: map[string]*noted{}} }

// note remembers the entities of an entry.
func (t *tail) note(tenant string, seq tenure.Seq, changes []tenure.Change) {
	docs := documentsOf(changes)
	if len(docs) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.tenants[tenant]
	if n == nil {
		n = &noted{byTerm: map[term][]*notedDocument{}}
		t.tenants[tenant] = n
	}
	for _, d := range docs {
		nd := &notedDocument{Document: d, seq: seq, terms: contentTerms(0, d)}
		n.docs = append(n.docs, nd)
		for _, k := range nd.terms {
			n.byTerm[k] = append(n.byTerm[k], nd)
		}
	}
	if over := len(n.docs) - maxTail; over > 0 {
		n.drop(over)
	}
}

// documentsOf is what changes say of each entity, in order of appearance.
func documentsOf(changes []tenure.Change) []Document {
	var docs []Document
	of := func(id tenure.ID) *Document {
		i := slices.IndexFunc(docs, func(d Document) bool { return d.Entity == id })
		if i < 0 {
			docs, i = append(docs, Document{Entity: id}), len(docs)
		}
		return &docs[i]
	}
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.OwnerAdded:
			d := of(c.Owner.Entity)
			if d.Type == "" {
				d.Type, d.Project = c.Owner.Type, c.Owner.Project
			}
			d.add(c.Owner)
		case tenure.EntityPut:
			d := of(c.Entity.ID)
			d.Type, d.Project = c.Entity.Type, c.Entity.Project
			d.Identifiers = append(d.Identifiers, registry.BlockingForms(c.Entity.Attributes)...)
		}
	}
	return slices.DeleteFunc(docs, func(d Document) bool { return len(d.Names)+len(d.Identifiers) == 0 })
}

// add takes a form into a document.
func (d *Document) add(o tenure.Owner) {
	switch {
	case o.Form.Kind != tenure.NameKind:
		if !slices.Contains(d.Identifiers, o.Form) {
			d.Identifiers = append(d.Identifiers, o.Form)
		}
	case !slices.Contains(d.Names, o.Spelling):
		d.Names = append(d.Names, o.Spelling)
	}
}

// addLocal takes the name that another project has for an entity.
func (d *Document) addLocal(o tenure.Owner) {
	if d.Local == nil {
		d.Local = map[string][]string{}
	}
	d.Local[o.Project] = append(d.Local[o.Project], o.Spelling)
}

// passed says that the index has what is up to a number. It is forgotten with
// the next batch only: somebody may have begun to search before.
func (t *tail) passed(tenant string, upTo tenure.Seq) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.tenants[tenant]
	if n == nil {
		return
	}
	n.before, n.last = n.last, upTo
	over := 0
	for over < len(n.docs) && n.docs[over].seq <= n.before {
		over++
	}
	n.drop(over)
	if len(n.docs) == 0 {
		delete(t.tenants, tenant)
	}
}

func (t *tail) forget(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tenants, tenant)
}

// drop forgets the oldest documents. Since lists are in the order of the
// documents, those to forget are at their heads.
func (n *noted) drop(count int) {
	for _, d := range n.docs[:count] {
		for _, k := range d.terms {
			if n.byTerm[k] = n.byTerm[k][1:]; len(n.byTerm[k]) == 0 {
				delete(n.byTerm, k)
			}
		}
	}
	n.docs = slices.Delete(n.docs, 0, count)
}

// search ranks what is remembered as the index would.
func (t *tail) search(tenant string, q Query) []hit {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := t.tenants[tenant]
	if n == nil {
		return nil
	}
	p := newPlan(0, q)
	var hits []hit
	for _, parts := range append(p.names, p.identifiers) {
		scores := map[*notedDocument]float64{}
		for i := range parts {
			n.score(&parts[i], scores)
		}
		for d, score := range scores {
			if d.visible(q) {
				hits = append(hits, hit{d.Entity, score})
			}
		}
	}
	return hits
}

// score adds what documents gain by a part. There is too little here to tell
// rare words from common ones: a word counts by how few are noted with it. What
// is as common as an initial only adds to documents that fit otherwise, and what
// is more common still is left out: the index knows better a moment later.
func (n *noted) score(p *part, scores map[*notedDocument]float64) {
	for t := len(p.tiers) - 1; t >= 0; t-- { // the strict ones are last
		tier := p.tiers[t]
		count := 0
		for _, k := range tier.terms {
			count += len(n.byTerm[k])
		}
		if count == 0 || count > commonInTail {
			continue
		}
		finds := p.alone || p.word && t >= len(p.tiers)-2
		gain := tier.gain * math.Log1p(float64(len(n.docs)+tailWeight)/float64(count+1))
		var fits map[*notedDocument]bool
		if len(tier.terms) > 1 {
			fits = make(map[*notedDocument]bool, count)
		}
		for _, k := range tier.terms {
			for _, d := range n.byTerm[k] {
				if _, scored := scores[d]; !scored && !finds || fits[d] {
					continue
				}
				if fits != nil {
					fits[d] = true
				}
				scores[d] += gain
			}
		}
	}
}

// commonInTail is how many documents may be noted with the keys of a tier for it
// to count.
const commonInTail = 500

// tailWeight makes the scores of a short tail comparable with those of a large
// index.
const tailWeight = 10_000

func (d *notedDocument) visible(q Query) bool {
	return (d.Project == "" || d.Project == q.Project) &&
		(len(q.Types) == 0 || slices.Contains(q.Types, d.Type))
}
