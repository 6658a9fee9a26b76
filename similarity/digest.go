package similarity

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/attribute"
	"tenure/text"
)

// Digest is a prepared profile as bytes: some 150, where the profile itself takes kilobytes and an entity has to be
// read and prepared for it. It suffices to rule a candidate out: see [Model.Far].
type Digest []byte

// keyHead is how many bytes of the key of a profile its digest holds: enough to tell most profiles apart.
const keyHead = 32

// Digest returns the digest of a profile, nil if it has none: only profiles of a known type, with names in Latin
// letters and without descriptions and neighbours do.
func (m *Model) Digest(p *Prepared) Digest {
	if p.typ == "" || len(p.contexts)+len(p.neighbours) > 0 || slices.ContainsFunc(p.names, name.beyondDigests) {
		return nil
	}
	w := digestWriter{make([]byte, 0, 2*keyHead+len(p.Key))}
	w.flags(len(p.Key) <= keyHead)
	w.text(p.Key[:min(len(p.Key), keyHead)])
	w.text(p.typ)
	w.number(int(p.kind))
	w.texts(p.countries)
	w.number(len(p.names))
	for i := range p.names {
		w.name(&p.names[i])
	}
	w.number(len(p.attributes))
	for i := range p.attributes {
		w.attribute(&p.attributes[i])
	}
	w.text(p.project)
	w.number(len(p.records))
	for _, r := range p.records {
		w.text(r.Source)
		w.text(r.ID)
	}
	return slices.Clip(w.out)
}

// beyondDigests reports whether a name has what a digest does not hold.
func (n name) beyondDigests() bool {
	return n.script != text.Latin || len(n.identifiers) > 0 ||
		slices.ContainsFunc(n.tokens, func(t token) bool { return t.native != "" || t.script != text.Latin })
}

// Far reports whether a profile and the one of a digest are so little alike that no assessment of the two goes on: they
// would not be a possible match even without the evidence of attributes against it. It is false where the digest does
// not suffice to tell.
//
// The score is the one of [Model.CachedPair] but for the bound that no two are more alike than one is to itself, which
// would only lower it.
func (m *Model) Far(p *Prepared, d Digest) bool {
	latin := !slices.ContainsFunc(p.names, func(n name) bool { return n.script != text.Latin })
	if len(d) == 0 || len(p.contexts) > 0 || !latin {
		return false
	}
	s := digested.Get().(*digestReader)
	defer digested.Put(s)
	r, whole := s.read(d)
	if !whole && strings.HasPrefix(p.Key, r.Key) {
		return false // which of the two goes first is not known
	}
	var e evidence
	m.gather(p, r, &e)
	odds := m.calibrated(m.dot(&e)+m.prior.Registry, e.bare())
	for f, x := range e.attr {
		odds += max(0, -x*m.attr[f])
	}
	return Probability(odds+rounding) <= NewAt
}

// rounding is more than what sums of log-odds differ by that are added up in another order.
const rounding = 1e-9

type digestWriter struct{ out []byte }

func (w *digestWriter) number(n int) { w.out = binary.AppendVarint(w.out, int64(n)) }

// fraction is the unit of what a digest holds of most information contents, in nats.
const fraction = 1.0 / 64

// real writes a number: small multiples of the fraction in two bytes.
func (w *digestWriter) real(x float64) {
	if n := x / fraction; n == math.Trunc(n) && n >= 0 && n < 1<<20 {
		w.number(int(n))
		return
	}
	w.number(-1)
	w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(x))
}

func (w *digestWriter) text(s string) {
	w.out = binary.AppendUvarint(w.out, uint64(len(s)))
	w.out = append(w.out, s...)
}

func (w *digestWriter) texts(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

// flags writes up to eight flags as a byte.
func (w *digestWriter) flags(list ...bool) {
	b := byte(0)
	for i, f := range list {
		if f {
			b |= 1 << i
		}
	}
	w.out = append(w.out, b)
}

func (w *digestWriter) name(n *name) {
	plain := len(n.codes)+len(n.mandarin)+len(n.korean)+len(n.form)+int(n.generation) == 0 &&
		n.editions == [editionGroups]uint32{}
	w.flags(n.loneI, n.mixed, n.all == n.joined, n.longer == n.initials, plain)
	w.text(n.joined)
	w.tokens(n.tokens)
	w.texts(n.numbers)
	w.text(n.initials)
	w.real(n.info)
	if n.all != n.joined {
		w.text(n.all)
	}
	if n.longer != n.initials {
		w.text(n.longer)
	}
	if plain {
		return
	}
	w.texts(n.codes)
	for _, e := range n.editions {
		w.number(int(e))
	}
	for _, s := range []string{n.mandarin, n.korean, n.form} {
		w.text(s)
	}
	w.number(int(n.generation))
}

// tokens writes words but for their texts, which of a name are in it written together.
func (w *digestWriter) tokens(list []token) {
	w.number(len(list))
	for i := range list {
		t := &list[i]
		plain := t.native == "" && t.script == text.Latin && t.stem == 0 && t.korean == "" && t.gender == 0 && t.spelt == ""
		w.flags(t.first, t.father, t.code, t.country, t.region, t.given != nil, plain)
		w.number(len(t.text))
		w.text(t.sound)
		w.real(t.info)
		if plain {
			continue
		}
		for _, s := range []string{t.native, t.korean, t.spelt} {
			w.text(s)
		}
		for _, n := range []int{int(t.script), t.stem, int(t.gender)} {
			w.number(n)
		}
	}
}

func (w *digestWriter) attribute(a *preparedAttribute) {
	w.text(a.key)
	w.number(int(a.kind))
	w.number(len(a.values))
	for i := range a.values {
		v := &a.values[i]
		w.flags(v.shared)
		w.text(v.norm)
		switch a.kind {
		case attribute.DateKind:
			for _, n := range []int{v.date.Year, v.date.Month, v.date.Day} {
				w.number(n)
			}
		case attribute.NumberKind:
			w.number(v.number)
		case attribute.AmountKind:
			w.real(v.amount)
		default:
			w.words(v.words)
		}
	}
}

// words writes the words of a text.
func (w *digestWriter) words(list []token) {
	joined := ""
	for i := range list {
		joined += list[i].text
	}
	w.text(joined)
	w.tokens(list)
}

// digestReader holds a profile that is read from a digest, and its memory for the next one.
type digestReader struct {
	rest       string
	profile    Prepared
	names      []name
	attributes []preparedAttribute
	records    []tenure.Record
	words      []token
	values     []value
	lists      []string
}

var digested = sync.Pool{New: func() any { return &digestReader{} }}

// read returns the profile of a digest, valid until the next one is read, with the head of its key. It reports whether
// that is the whole key.
func (s *digestReader) read(d Digest) (*Prepared, bool) {
	s.rest = string(d)
	s.words, s.values, s.lists = s.words[:0], s.values[:0], s.lists[:0]
	p := &s.profile
	whole := s.flags()&1 > 0
	p.Key, p.typ, p.kind, p.sure, p.countries = s.text(), s.text(), class(s.number()), true, s.texts()
	s.names = slices.Grow(s.names[:0], maxNames)[:s.number()]
	for i := range s.names {
		s.name(&s.names[i])
	}
	s.attributes = slices.Grow(s.attributes[:0], maxAttributes)[:s.number()]
	for i := range s.attributes {
		s.attribute(&s.attributes[i])
	}
	p.project = s.text()
	s.records = s.records[:0]
	for range s.number() {
		s.records = append(s.records, tenure.Record{Source: s.text(), ID: s.text()})
	}
	p.names, p.attributes, p.records = s.names, s.attributes, s.records
	return p, whole
}

func (s *digestReader) number() int {
	var n uint64
	for shift := 0; ; shift += 7 {
		b := s.rest[0]
		s.rest = s.rest[1:]
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return int(n>>1) ^ -int(n&1)
		}
	}
}

func (s *digestReader) text() string {
	n := 0
	for shift := 0; ; shift += 7 {
		b := s.rest[0]
		s.rest = s.rest[1:]
		if n |= int(b&0x7f) << shift; b < 0x80 {
			break
		}
	}
	t := s.rest[:n]
	s.rest = s.rest[n:]
	return t
}

func (s *digestReader) real() float64 {
	if n := s.number(); n >= 0 {
		return float64(n) * fraction
	}
	var bits uint64
	for i := range 8 {
		bits |= uint64(s.rest[i]) << (8 * i)
	}
	s.rest = s.rest[8:]
	return math.Float64frombits(bits)
}

func (s *digestReader) flags() byte {
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b
}

// texts reads a list. What was read before keeps its memory where the list of all texts grows.
func (s *digestReader) texts() []string {
	from := len(s.lists)
	for range s.number() {
		s.lists = append(s.lists, s.text())
	}
	return s.lists[from:len(s.lists):len(s.lists)]
}

func (s *digestReader) name(n *name) {
	f := s.flags()
	*n = name{loneI: f&1 > 0, mixed: f&2 > 0, joined: s.text()}
	n.tokens, n.numbers, n.initials, n.info = s.tokens(n.joined), s.texts(), s.text(), s.real()
	if n.all = n.joined; f&4 == 0 {
		n.all = s.text()
	}
	if n.longer = n.initials; f&8 == 0 {
		n.longer = s.text()
	}
	if f&16 > 0 {
		return
	}
	n.codes = s.texts()
	for i := range n.editions {
		n.editions[i] = uint32(s.number())
	}
	n.mandarin, n.korean, n.form, n.generation = s.text(), s.text(), s.text(), uint8(s.number())
}

// tokens reads words of which the texts are known, written together.
func (s *digestReader) tokens(joined string) []token {
	from, start := len(s.words), 0
	for range s.number() {
		f := s.flags()
		t := token{
			first: f&1 > 0, father: f&2 > 0, code: f&4 > 0, country: f&8 > 0, region: f&16 > 0,
			start: start, script: text.Latin,
		}
		start += s.number()
		t.text, t.sound, t.info = joined[t.start:start], s.text(), s.real()
		t.letters = lettersOf(t.text)
		if f&32 > 0 {
			t.given = givenNames[t.text]
		}
		if f&64 == 0 {
			t.native, t.korean, t.spelt = s.text(), s.text(), s.text()
			t.script, t.stem, t.gender = text.Script(s.number()), s.number(), int8(s.number())
		}
		s.words = append(s.words, t)
	}
	return s.words[from:len(s.words):len(s.words)]
}

func (s *digestReader) attribute(a *preparedAttribute) {
	*a = preparedAttribute{key: s.text(), kind: attribute.Kind(s.number())}
	from := len(s.values)
	for range s.number() {
		v := value{shared: s.flags()&1 > 0, norm: s.text()}
		switch a.kind {
		case attribute.DateKind:
			v.date = attribute.Date{Year: s.number(), Month: s.number(), Day: s.number()}
		case attribute.NumberKind:
			v.number = s.number()
		case attribute.AmountKind:
			v.amount = s.real()
		default:
			v.words = s.tokens(s.text())
		}
		s.values = append(s.values, v)
	}
	a.values = s.values[from:len(s.values):len(s.values)]
}
