package index

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"tenure"
	"tenure/cache"
)

// Bounds of a search, in documents of all segments together.
const (
	// enough is the number of documents from which a search is not widened.
	enough = 2000
	// most bounds the documents that are scored.
	most = 20000
	// rare bounds the documents of a word that qualifies a document on its own.
	rare = 300
	// usual is the number of documents from which a word is taken for spelled as it is meant.
	usual = 30
	// leastShare is the least score of an alike name, as a share of the gains of all tiers of all words of the query. The
	// same name reaches about .8: its words are not initials. So one of two words of equal weight does not suffice: many
	// people share a given name.
	leastShare = .5
)

// hit is an entity with its score. The score orders hits; with Query.Alike, a low one rules an entity out.
type hit struct {
	entity tenure.ID
	score  float64
}

// search ranks the documents of one state of a tenant.
type search struct {
	segments []*segmentView
	limit    int
	parts    bool   // n-grams count whatever fits
	alike    bool   // names with little in common are left out
	partial  bool   // some segments hold only parts of their entities
	total    uint64 // documents visible to the request
	// known caches the matches of parts, since the names of one entity share words.
	known map[partKey]*found
	// shared caches matches for all searches of the same state; nil for none.
	shared *sharedMatches
	// again is the limit of a later search for the same, 0 for none. Noted is what that needs to know, for each part of
	// the plan; nil if it cannot add to what this one finds.
	again int
	noted []noted
	// before is how many documents an earlier search chose, if this one looks at later documents only.
	before uint64
}

// source is a set of documents with an inverted index of its own: a segment on disk, or a memtable.
type source interface {
	// union returns the documents that have at least one of the terms.
	union(list []term) (*roaring.Bitmap, error)
	// shared returns the documents that have a term. The bitmap is shared and must not be changed.
	shared(t term) (*roaring.Bitmap, error)
	entity(doc uint32) (tenure.ID, error)
	// age returns the bytes of the id of an entity, which are greater for one that was made later.
	age(doc uint32) ([]byte, error)
}

// segmentView is a source restricted to the documents visible to the request.
type segmentView struct {
	source
	visible *roaring.Bitmap
	partial bool // its documents may be parts of their entities
}

// found holds the matches of a part in each segment.
type found struct {
	part  *part
	tiers [][]*roaring.Bitmap // by tier, then by segment
	wide  []*roaring.Bitmap   // union of all tiers, by segment
	count uint64
	// weight is the inverse document frequency; byTier is that of each tier, of a word by its sound: a far reading fits
	// many more documents than a likely one.
	weight float64
	byTier []float64
}

func newSearch(p plan) *search {
	return &search{limit: p.limit, parts: p.parts, alike: p.alike, known: map[partKey]*found{}}
}

// add adds a source to the search, unless none of its documents is visible to the request.
func (s *search) add(from source, visible *roaring.Bitmap, partial bool) {
	if !visible.IsEmpty() {
		s.segments = append(s.segments, &segmentView{from, visible, partial})
		s.partial = s.partial || partial
		s.total += visible.GetCardinality()
	}
}

// addMemory adds memtables to the search. Tenant, project and types are filtered before anything else, as
// they are on disk.
func (s *search) addMemory(p plan, views []memView) {
	for i, v := range views {
		s.add(v, s.shared.inMemory(i, v, p), v.partial)
	}
}

// addDisk adds the segments of a generation to the search, without the documents for which the memtables hold
// newer ones.
func (s *search) addDisk(g *generation, r *scorch.IndexSnapshot, tenant uint32, p plan, views []memView) error {
	segments := r.Segments()
	visible, err := s.shared.onDisk(func() ([]*roaring.Bitmap, error) {
		list := make([]*roaring.Bitmap, len(segments))
		for i, seg := range segments {
			on, err := g.segment(seg, tenant)
			if err != nil {
				return nil, err
			}
			if list[i], err = on.visible(p, views); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
	if err != nil {
		return err
	}
	for i, seg := range segments {
		on, err := g.segment(seg, tenant)
		if err != nil {
			return err
		}
		s.add(on, visible[i], false)
	}
	return nil
}

// segment returns a tenant's part of a segment.
func (g *generation) segment(seg *scorch.SegmentSnapshot, tenant uint32) (diskSegment, error) {
	dict, err := seg.Segment().Dictionary(field)
	return diskSegment{seg, dict, tenant, g.bitmaps}, err
}

// visible returns the documents that are visible to the request, without those deleted since or hidden by the views.
// The bitmap is shared and must not be changed.
func (d diskSegment) visible(p plan, views []memView) (*roaring.Bitmap, error) {
	visible, err := d.visibleDocs(p)
	if err != nil {
		return nil, err
	}
	if deleted := d.snapshot.Deleted(); deleted != nil && !deleted.IsEmpty() {
		visible = roaring.AndNot(visible, deleted)
	}
	for _, v := range views {
		if v.partial || visible.IsEmpty() {
			continue
		}
		shadowed, err := v.shadowed(d.snapshot, d.tenant)
		if err != nil {
			return nil, err
		}
		if !shadowed.IsEmpty() {
			visible = roaring.AndNot(visible, shadowed)
		}
	}
	return visible, nil
}

// diskSegment is a tenant's part of a segment on disk.
type diskSegment struct {
	snapshot *scorch.SegmentSnapshot
	terms    segment.TermDictionary
	tenant   uint32
	kept     *cache.Cache[bitmapKey, *roaring.Bitmap]
}

func (d diskSegment) union(list []term) (*roaring.Bitmap, error) {
	all := roaring.New()
	var reused segment.PostingsList
	for _, t := range list {
		t = t.in(d.tenant)
		postings, err := d.terms.PostingsList(t[:], nil, reused)
		if err != nil {
			return nil, err
		}
		if p, ok := postings.(interface{ OrInto(*roaring.Bitmap) }); ok {
			p.OrInto(all)
		}
		reused = postings
	}
	return all, nil
}

func (d diskSegment) entity(doc uint32) (tenure.ID, error) {
	id, err := d.snapshot.DocID(uint64(doc))
	if err != nil {
		return "", err
	}
	return entityID(id), nil
}

func (d diskSegment) age(doc uint32) ([]byte, error) {
	id, err := d.snapshot.DocID(uint64(doc))
	if err != nil {
		return nil, err
	}
	return id[tenantBytes:], nil
}

// bitmapKey identifies a cached bitmap: the documents of a segment that match terms of a tenant.
type bitmapKey struct {
	segment uint64
	tenant  uint32
	terms   string
}

// bitmapBytes bounds the cached bitmaps of segments, in each half of the cache. A full bitmap takes an eighth
// of a byte for each document of its segment.
const bitmapBytes = 32 << 20

func (d diskSegment) keep(terms string, find func() (*roaring.Bitmap, error)) (*roaring.Bitmap, error) {
	key := bitmapKey{d.snapshot.Id(), d.tenant, terms}
	if docs, ok := d.kept.Get(key); ok {
		return docs, nil
	}
	docs, err := find()
	if err == nil {
		d.kept.Put(key, docs, bytesOf(docs))
	}
	return docs, err
}

func (d diskSegment) shared(t term) (*roaring.Bitmap, error) {
	list := []term{t}
	return d.keep(joined(list), func() (*roaring.Bitmap, error) { return d.union(list) })
}

// visibleDocs returns the documents of the projects and types, including documents deleted since. The bitmap
// is shared and must not be changed.
func (d diskSegment) visibleDocs(p plan) (*roaring.Bitmap, error) {
	return d.keep(p.scope(), func() (*roaring.Bitmap, error) { return scopeOf(d, p) })
}

// scopeOf returns the documents of a source that match the projects and types, and that the audience sees.
func scopeOf(from source, p plan) (*roaring.Bitmap, error) {
	docs, err := from.union(p.projects)
	if err != nil {
		return nil, err
	}
	if len(p.types) > 0 {
		types, err := from.union(p.types)
		if err != nil {
			return nil, err
		}
		docs.And(types)
	}
	return docs, p.within(from, docs)
}

// scope returns a text that is equal for plans with the same projects and types, seen by the same audience.
func (p plan) scope() string {
	key := joined(p.projects) + "|" + joined(p.types) + "|" + seenKey(p.seen)
	for _, b := range p.in {
		key += "|" + joined(b.kind) + "|" + joined(b.own)
	}
	return key
}

func joined(terms []term) string {
	all := make([]byte, 0, len(terms)*termBytes)
	for _, t := range terms {
		all = append(all, t[:]...)
	}
	return string(all)
}

// run ranks the documents that match the query part, best first. If no document fits all words of a name, and
// some of them are rare, the n-grams of the name count, too.
func (s *search) run(ctx context.Context, a queryTerms) ([]hit, error) {
	m, err := s.matches(ctx, a)
	if err != nil {
		return nil, err
	}
	if len(m.sounds) > 0 {
		s.again, s.noted = 0, nil // what a sound counts depends on all documents
	}
	chosen, count := s.choose(m.some)
	ranked, err := s.rank(chosen, max(s.limit, s.again), m.scores)
	if err != nil {
		return nil, err
	}
	best, err := s.cut(ranked, s.wanted(chosen, s.limit))
	if err != nil {
		return nil, err
	}
	if s.again > 0 {
		if err := s.note(a, m, chosen, count, ranked); err != nil {
			return nil, err
		}
	}
	itself := m.itself()
	if len(a.grams) > 0 && (s.parts || !m.usual() && !fits(best, m.words)) {
		if best, itself, err = s.withGrams(a, m, best); err != nil {
			return nil, err
		}
	}
	if s.alike {
		if best, err = s.alikeTo(a, m, itself, best); err != nil {
			return nil, err
		}
	}
	return s.hits(best, s.limit)
}

// usual reports whether each word of a name of several is a word of many names, letter by letter: it is hardly a slip
// for another, and what is one letter off, sounds the same or is a short form is found without n-grams.
func (m matches) usual() bool {
	return len(m.words) > 1 && !slices.ContainsFunc(m.words, func(f *found) bool { return countOf(f.at(exactly)) < usual })
}

// withGrams ranks the documents that are best by their words, and those that share n-grams with the name. It also
// returns the score of the name itself.
func (s *search) withGrams(a queryTerms, m matches, best []place) ([]place, float64, error) {
	whole := 0.0
	for _, f := range m.words {
		whole += f.weight
	}
	l, err := s.ngrams(a.grams)
	if err != nil {
		return nil, 0, err
	}
	near := l.near(max(s.limit, leastNear))
	for _, p := range best {
		near[p.segment].Add(p.doc)
	}
	best, err = s.rank(near, s.limit, func(i int, p *picked) []float64 {
		return m.adjusted(i, p, func(byWords []float64) {
			for j, alike := range l.alike(i, p) {
				byWords[j] = (1-ngramShare)*byWords[j] + ngramShare*whole*alike
			}
		})
	})
	return best, (1-ngramShare)*m.itself() + ngramShare*whole, err
}

// itself returns what the words of a name count in every tier.
func (m matches) itself() (score float64) {
	for _, f := range m.words {
		for _, t := range f.part.tiers {
			score += f.weight * t.gain
		}
	}
	return score
}

// alikeTo returns those of sorted places that have at least leastShare of what the words of the name count, or may be
// the name in short or at length. All are returned of a name of one word.
func (s *search) alikeTo(a queryTerms, m matches, itself float64, places []place) ([]place, error) {
	least := leastShare * itself
	from := slices.IndexFunc(places, func(p place) bool { return p.score < least })
	if from < 0 || len(a.shorter) == 0 {
		return places, nil
	}
	alike, short := slices.Clone(places[:from]), make([]*inShort, len(s.segments))
	for _, p := range places[from:] {
		if short[p.segment] == nil {
			docs, err := s.inShort(a, m, p.segment)
			if err != nil {
				return nil, err
			}
			short[p.segment] = docs
		}
		if p.score >= least*short[p.segment].share(p.doc) {
			alike = append(alike, p)
		}
	}
	return alike, nil
}

// inShort holds the documents of a segment that may have a name in short or at length: those that have an acronym or
// another form of the whole name, a word for each of its words that tell something (a nickname, an initial, one that
// sounds the same),
// words with the same initials, a word that sounds like several of its words together, or a name in another script that
// sounds like it; and those that have fewer words, by their number.
type inShort struct {
	whole   *roaring.Bitmap
	shorter []*roaring.Bitmap
}

func (s *search) inShort(a queryTerms, m matches, i int) (*inShort, error) {
	initials, err := s.each(a.initials, i)
	if err != nil {
		return nil, err
	}
	shorter, err := s.each(a.shorter, i)
	if err != nil {
		return nil, err
	}
	docs := &inShort{whole: roaring.FastAnd(initials...), shorter: shorter}
	var words []*roaring.Bitmap
	for _, f := range m.words {
		if !f.part.silent {
			words = append(words, f.wide[i])
		}
	}
	docs.whole.Or(roaring.FastAnd(words...))
	for _, f := range m.letters {
		if f.part.alone {
			docs.whole.Or(f.wide[i])
		}
	}
	for _, f := range m.sounds {
		if f.part.joined { // a word for several is no chance
			docs.whole.Or(f.wide[i])
		} else {
			docs.whole.Or(roaring.AndNot(f.wide[i], m.own[i]))
		}
	}
	return docs, nil
}

// each returns the documents of a segment that have each of some terms, by term. The bitmaps are shared and must not be
// changed.
func (s *search) each(terms []term, i int) ([]*roaring.Bitmap, error) {
	list := make([]*roaring.Bitmap, len(terms))
	for n, t := range terms {
		docs, err := s.segments[i].shared(t)
		if err != nil {
			return nil, err
		}
		list[n] = docs
	}
	return list, nil
}

// share returns how much of what is required of another document is required of one: much less of one with fewer words,
// and nothing of one with a single word.
func (d *inShort) share(doc uint32) float64 {
	words := slices.IndexFunc(d.shorter, func(having *roaring.Bitmap) bool { return having.Contains(doc) }) + 1
	switch {
	case d.whole.Contains(doc):
		return 0
	case words == 0:
		return 1
	}
	least := float64(words-1) / float64(len(d.shorter))
	return least * least
}

// matches holds the matches of the parts of a query part: of all in their order, of the words of the name, and those
// that match anything, rare ones first, by letters and by sounds. Where any sound matches, own are the documents that
// have a name in the script of the query part, by segment.
type matches struct {
	all, words            []*found
	some, letters, sounds []*found
	own                   []*roaring.Bitmap
}

func (s *search) matches(ctx context.Context, a queryTerms) (matches, error) {
	var m matches
	parts, err := s.partsFor(a)
	if err != nil {
		return m, err
	}
	for i := range parts {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		f, err := s.find(&parts[i])
		if err != nil {
			return m, err
		}
		m.all = append(m.all, f)
	}
	if m.sort(); len(m.sounds) > 0 {
		m.own, err = s.ownScript(a)
	}
	return m, err
}

// sort sets what follows from all. Rare parts come first: a match of two rare parts is worth more than a match of two
// common ones, which may have too many documents.
func (m *matches) sort() {
	for _, f := range m.all {
		if f.part.word && !f.part.more {
			m.words = append(m.words, f)
		}
		if f.count > 0 {
			m.some = append(m.some, f)
		}
	}
	slices.SortStableFunc(m.some, func(a, b *found) int { return cmp.Compare(a.count, b.count) })
	for _, f := range m.some {
		if f.part.sound {
			m.sounds = append(m.sounds, f)
		} else {
			m.letters = append(m.letters, f)
		}
	}
}

// scores returns the scores of documents by the letters of the name and by its sounds.
func (m matches) scores(i int, p *picked) []float64 { return m.adjusted(i, p, func([]float64) {}) }

// adjusted returns the scores of documents by the letters of the name, which adjust changes, and by its sounds. What
// has a name in the same script has the sounds of the letters in common: there only the higher score counts.
func (m matches) adjusted(i int, p *picked, adjust func([]float64)) []float64 {
	scores := summed(i, p, m.letters, &p.scores)
	adjust(scores)
	if len(m.sounds) == 0 {
		return scores
	}
	bySound := summed(i, p, m.sounds, &p.sounds)
	cover(i, p, m.sounds, bySound)
	p.each(m.own[i], func(at int) { bySound[at] = max(0, bySound[at]-scores[at]) })
	for j := range scores {
		scores[j] += bySound[j]
	}
	return scores
}

// cover reduces the scores of documents by half the share of the words that none of their words sounds like.
func cover(i int, p *picked, sounds []*found, scores []float64) {
	covered := zeros(&p.alike, len(p.docs))
	whole := 0.0
	for _, f := range sounds {
		if f.part.joined {
			continue
		}
		whole += f.weight
		p.each(f.wide[i], func(at int) { covered[at] += f.weight })
	}
	if whole == 0 {
		return
	}
	for j := range scores {
		scores[j] *= (1 + covered[j]/whole) / 2
	}
}

// fits reports whether a document fits all words by their letters.
func fits(places []place, words []*found) bool {
	return slices.ContainsFunc(places, func(p place) bool {
		return !slices.ContainsFunc(words, func(f *found) bool { return !f.at(byLetters)[p.segment].Contains(p.doc) })
	})
}

func (s *search) find(p *part) (*found, error) {
	key := p.key()
	if f := s.known[key]; f != nil {
		return f, nil
	}
	f, err := s.shared.get(key, p.shareable(), func() (*found, error) { return s.match(p) })
	if err == nil {
		s.known[key] = f
	}
	return f, err
}

// match reads the matches of a part.
func (s *search) match(p *part) (*found, error) {
	f := &found{part: p, tiers: make([][]*roaring.Bitmap, len(p.tiers)), wide: make([]*roaring.Bitmap, len(s.segments))}
	for i, v := range s.segments {
		wide := roaring.New()
		for t, tier := range p.tiers {
			docs, err := v.union(tier.terms)
			if err != nil {
				return nil, err
			}
			docs.And(v.visible)
			f.tiers[t] = append(f.tiers[t], kept(docs))
			if tier.gain > 0 {
				wide.Or(docs)
			}
		}
		if p.sound {
			for t := len(p.tiers) - 2; t >= 0; t-- {
				f.tiers[t][i] = kept(roaring.Or(f.tiers[t][i], f.tiers[t+1][i]))
			}
		}
		f.wide[i] = kept(wide)
		f.count += wide.GetCardinality()
	}
	f.weight = s.weight(f)
	if p.sound {
		f.byTier = make([]float64, len(p.tiers))
		for t := range p.tiers {
			f.byTier[t] = s.rarity(countOf(f.tiers[t]))
		}
	}
	return f, nil
}

// noDocs is the empty bitmap; it must not be changed.
var noDocs = roaring.New()

// kept returns a bitmap for keeping: of the many that are empty, one.
func kept(docs *roaring.Bitmap) *roaring.Bitmap {
	if docs.IsEmpty() {
		return noDocs
	}
	return docs
}

// bytesOf returns the memory that a kept bitmap takes, about: its containers, as it would be written to disk, and
// the structures that hold them, which of a bitmap with few documents are most.
func bytesOf(docs *roaring.Bitmap) int {
	const structures = 200
	if docs == noDocs {
		return 0
	}
	return structures + int(docs.GetSizeInBytes())
}

// choose returns the documents to score: those that fit two words or one rare word, then, while there are
// few, those that fit the rarest words.
func (s *search) choose(all []*found) (chosen []*roaring.Bitmap, count uint64) {
	for level := range levels {
		chosen, count = s.pairs(all, level)
		if count <= most || level == levels-1 {
			break
		}
	}
	return chosen, s.widen(chosen, count, all, s.limit)
}

// widen adds to the chosen documents those that fit the rarest words, while there are few.
func (s *search) widen(chosen []*roaring.Bitmap, count uint64, all []*found, limit int) uint64 {
	for _, f := range all {
		if count+s.before >= uint64(limit) || f.count > most {
			break
		}
		if f.part.word {
			count = join(chosen, f.at(byLetters))
		}
	}
	return count
}

// levels counts how strictly a word may be matched: in any tier, by its letters, exactly.
const (
	byLetters = 1
	exactly   = 2
	levels    = 3
)

func (f *found) at(level int) []*roaring.Bitmap {
	if t := len(f.tiers) - levels + level; level > 0 && f.part.word && t >= 0 {
		return f.tiers[t]
	}
	return f.wide
}

// pairs returns the documents that fit two parts, or one part that qualifies a document on its own.
func (s *search) pairs(all []*found, level int) (chosen []*roaring.Bitmap, count uint64) {
	chosen, seen := make([]*roaring.Bitmap, len(s.segments)), make([]*roaring.Bitmap, len(s.segments))
	for i := range s.segments {
		chosen[i], seen[i] = roaring.New(), roaring.New()
	}
	last := 0 // the last word, after which seen is not used
	for i, f := range all {
		if f.part.word {
			last = i
		}
	}
	for n, f := range all {
		docs := f.at(level)
		switch {
		case f.part.alone:
			count = join(chosen, docs)
		case f.part.word && f.count <= rare:
			count = join(chosen, f.at(max(level, byLetters)))
		}
		if !f.part.word || count >= enough {
			continue
		}
		count = 0
		for i := range chosen {
			chosen[i].Or(roaring.And(seen[i], docs[i]))
			if n < last {
				seen[i].Or(docs[i])
			}
			count += chosen[i].GetCardinality()
		}
	}
	return chosen, count
}

func join(to, from []*roaring.Bitmap) (count uint64) {
	for i := range to {
		to[i].Or(from[i])
		count += to[i].GetCardinality()
	}
	return count
}

// place is a document with its score.
type place struct {
	segment int
	doc     uint32
	score   float64
}

// scoring returns the scores of the picked documents of a segment.
type scoring func(segment int, p *picked) []float64

// wanted is how many documents hold the best entities: as many as the limit, and more where several may belong to one
// entity, which has one document besides its parts.
func (s *search) wanted(chosen []*roaring.Bitmap, limit int) int {
	for i, v := range s.segments {
		if v.partial {
			limit += int(chosen[i].GetCardinality())
		}
	}
	return limit
}

// rank scores the chosen documents, up to a bound, and returns the best: those that hold the best entities. Of equal
// ones the oldest entities are the best, so that the order follows from the documents alone, wherever they are held.
func (s *search) rank(chosen []*roaring.Bitmap, limit int, score scoring) ([]place, error) {
	var places []place
	left, wanted := most, s.wanted(chosen, limit)
	p := picks.Get().(*picked)
	defer picks.Put(p)
	for i := range s.segments {
		if chosen[i].IsEmpty() {
			continue
		}
		p.pick(chosen[i], left)
		left -= len(p.docs)
		scores := score(i, p)
		floor := math.Inf(-1)
		if len(p.docs) > wanted {
			floor = p.nthLargest(scores, wanted)
		}
		for j, d := range p.docs {
			if scores[j] >= floor {
				places = append(places, place{i, d, scores[j]})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	return s.cut(places, wanted)
}

// cut returns the best of sorted places. Those that are as good as the last of them count by their age.
func (s *search) cut(places []place, wanted int) ([]place, error) {
	if len(places) <= wanted {
		return places, nil
	}
	last := places[wanted-1].score
	from, until := wanted-1, wanted
	for from > 0 && places[from-1].score == last {
		from--
	}
	for until < len(places) && places[until].score == last {
		until++
	}
	if until > wanted {
		if err := s.byAge(places[from:until]); err != nil {
			return nil, err
		}
	}
	return places[:wanted], nil
}

// byAge sorts places by the ids of their entities, which follow their creation.
func (s *search) byAge(places []place) error {
	type aged struct {
		place
		age []byte
	}
	list := make([]aged, len(places))
	for i, p := range places {
		age, err := s.segments[p.segment].age(p.doc)
		if err != nil {
			return err
		}
		list[i] = aged{p, age}
	}
	slices.SortFunc(list, func(a, b aged) int { return bytes.Compare(a.age, b.age) })
	for i, a := range list {
		places[i] = a.place
	}
	return nil
}

// hits returns the entities of sorted places, at most the limit: of equally good ones the oldest.
func (s *search) hits(places []place, limit int) ([]hit, error) {
	hits, seen := make([]hit, 0, min(len(places), limit)), map[tenure.ID]bool{}
	for _, p := range places {
		if len(hits) >= limit && p.score < hits[len(hits)-1].score {
			break
		}
		id, err := s.segments[p.segment].entity(p.doc)
		if err != nil {
			return nil, err
		}
		if s.partial { // without partial documents each entity has one
			if seen[id] {
				continue
			}
			seen[id] = true
		}
		hits = append(hits, hit{id, p.score})
	}
	slices.SortFunc(hits, inOrder)
	return hits[:min(len(hits), limit)], nil
}

// summed returns the gains of the tiers that the documents of a segment fit.
func summed(i int, p *picked, some []*found, room *[]float64) []float64 {
	scores := zeros(room, len(p.docs))
	for _, f := range some {
		for t, tier := range f.part.tiers {
			gain := f.weight * tier.gain
			if f.byTier != nil {
				gain = f.byTier[t] * tier.gain
			}
			p.each(f.tiers[t][i], func(at int) { scores[at] += gain })
		}
	}
	return scores
}

// weight returns the inverse document frequency of a part; for a word it counts the documents of all words
// within edit distance 1.
func (s *search) weight(f *found) float64 {
	count := countOf(f.at(byLetters))
	if count == 0 {
		count = f.count
	}
	return s.rarity(count)
}

// rarity returns the inverse document frequency for a number of documents.
func (s *search) rarity(count uint64) float64 { return math.Log1p(float64(s.total) / float64(count+1)) }

func countOf(bySegment []*roaring.Bitmap) (count uint64) {
	for _, docs := range bySegment {
		count += docs.GetCardinality()
	}
	return count
}

// quickselect returns the n-th largest of a list by Hoare's algorithm. It reorders the list.
func quickselect(list []float64, n int) float64 {
	at, low, high := len(list)-n, 0, len(list)-1
	for low < high {
		pivot, i, j := list[low+(high-low)/2], low, high
		for i <= j {
			for list[i] < pivot {
				i++
			}
			for list[j] > pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case at <= j:
			high = j
		case at >= i:
			low = i
		default:
			return list[at]
		}
	}
	return list[at]
}
