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
	next   int        // place of the next document, counted from the first ever
	before tenure.Seq // what the batch before the last one had passed
	last   tenure.Seq
}

// notedDocument is what one entry says of one entity.
type notedDocument struct {
	Document
	seq   tenure.Seq
	place int
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
		nd := &notedDocument{Document: d, seq: seq, place: n.next, terms: contentTerms(0, d)}
		n.next++
		n.docs = append(n.docs, nd)
		for _, k := range nd.terms {
			n.byTerm[k] = append(n.byTerm[k], nd)
		}
	}
	if over := len(n.docs) - maxTail; over > 0 {
		n.drop(over)
	}
}

// documentsOf is what changes say of each entity. Where they say nothing of the
// entity but a form, it is seen from where the form is.
func documentsOf(changes []tenure.Change) []Document {
	var docs []Document
	of := func(e tenure.Entity) *Document {
		i := slices.IndexFunc(docs, func(d Document) bool { return d.Entity == e.ID })
		if i < 0 {
			docs, i = append(docs, documentOf(e)), len(docs)
		}
		return &docs[i]
	}
	for _, c := range changes {
		if c, ok := c.(tenure.EntityPut); ok {
			*of(c.Entity) = documentOf(c.Entity)
		}
	}
	for _, c := range changes {
		if c, ok := c.(tenure.OwnerAdded); ok {
			of(tenure.Entity{ID: c.Owner.Entity, Type: c.Owner.Type, Project: c.Owner.Project}).add(c.Owner)
		}
	}
	return slices.DeleteFunc(docs, Document.empty)
}

// documentOf is what an entity is found by besides its forms.
func documentOf(e tenure.Entity) Document {
	return Document{
		Entity: e.ID, Type: e.Type, Project: e.Project, Identifiers: registry.BlockingForms(e.Attributes, e.IdentifierKinds),
		Descriptions: e.Context[:min(len(e.Context), maxDescriptions)],
	}
}

func (d Document) empty() bool { return len(d.Names)+len(d.Identifiers)+len(d.Descriptions) == 0 }

// maxForms bounds the names and the identifiers of a document, so that one entity
// that is given thousands of them costs the others nothing. By those beyond it an
// entity is found letter by letter alone, which needs no index.
const maxForms = 256

// add takes a form into a document. A project's own name for what is everybody's
// is no one else's to find.
func (d *Document) add(o tenure.Owner) {
	switch {
	case o.Project != "" && o.Project != d.Project:
		if o.Form.Kind == tenure.NameKind {
			d.addLocal(o)
		}
	case o.Form.Kind != tenure.NameKind:
		d.Identifiers = withForm(d.Identifiers, o.Form)
	default:
		d.Names = withForm(d.Names, o.Spelling)
	}
}

func withForm[T comparable](list []T, form T) []T {
	if len(list) >= maxForms || slices.Contains(list, form) {
		return list
	}
	return append(list, form)
}

// addLocal takes the name that another project has for an entity.
func (d *Document) addLocal(o tenure.Owner) {
	if d.Local == nil {
		d.Local = map[string][]string{}
	}
	d.Local[o.Project] = withForm(d.Local[o.Project], o.Spelling)
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

// search ranks what is remembered as the index would, and gives the best, each
// entity once.
func (t *tail) search(tenant string, q Query) []hit {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := t.tenants[tenant]
	if n == nil {
		return nil
	}
	p := newPlan(0, q)
	best := map[tenure.ID]float64{}
	sheet := scoreSheets.Get().(*scoreSheet)
	defer scoreSheets.Put(sheet)
	for _, a := range p.asked {
		sheet.clear(len(n.docs))
		for i := range a.parts {
			n.score(&a.parts[i], sheet)
		}
		for _, at := range sheet.scored {
			if d := n.docs[at]; d.visible(q) {
				best[d.Entity] = max(best[d.Entity], sheet.scores[at])
			}
		}
	}
	hits := make([]hit, 0, len(best))
	for e, score := range best {
		hits = append(hits, hit{e, score})
	}
	return bestHits(hits, p.limit)
}

// scoreSheet holds the scores of documents by their places, and which of them
// have one.
type scoreSheet struct {
	scores []float64
	marks  []uint64 // by document: the last tier that it was found by
	mark   uint64
	scored []int
}

var scoreSheets = sync.Pool{New: func() any { return &scoreSheet{} }}

func (s *scoreSheet) clear(docs int) {
	for _, at := range s.scored {
		s.scores[at] = 0
	}
	s.scored = s.scored[:0]
	if more := docs - len(s.scores); more > 0 {
		s.scores = append(s.scores, make([]float64, more)...)
		s.marks = append(s.marks, make([]uint64, more)...)
	}
}

// score adds what documents gain by a part. There is too little here to tell
// rare words from common ones: a word counts by how few are noted with it. What
// is as common as an initial only adds to documents that fit otherwise, and what
// is more common still is left out: the index knows better a moment later.
func (n *noted) score(p *part, sheet *scoreSheet) {
	first := n.next - len(n.docs)
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
		sheet.mark++
		for _, k := range tier.terms {
			for _, d := range n.byTerm[k] {
				at := d.place - first
				scored := sheet.scores[at] > 0
				if !scored && !finds || sheet.marks[at] == sheet.mark {
					continue
				}
				if !scored {
					sheet.scored = append(sheet.scored, at)
				}
				sheet.marks[at] = sheet.mark
				sheet.scores[at] += gain
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
