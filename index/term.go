package index

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/blevesearch/bleve/v2/analysis"
	bleve "github.com/blevesearch/bleve/v2/document"
	indexapi "github.com/blevesearch/bleve_index_api"
	"github.com/google/uuid"

	"tenure"

	"tenure/blocking"
)

// A term is the number of a tenant and the hash of a key. The number separates tenants exactly. Two keys of
// one tenant collide once in 10^12 pairs, which proposes one candidate too many.
const (
	tenantBytes = 3
	termBytes   = 8
	maxTenants  = 1 << (8 * tenantBytes)
)

type term [termBytes]byte

// termOf returns the term of a key for tenant 0, which stands for no tenant: see in.
func termOf(class byte, key string) term {
	h := fnv.New64a()
	_, _ = h.Write([]byte{class})
	_, _ = h.Write([]byte(key))
	sum := h.Sum64()
	var t term
	binary.BigEndian.PutUint64(t[:], (sum^sum>>40)&(1<<40-1))
	return t
}

func termsOf(class byte, keys ...string) []term {
	list := make([]term, len(keys))
	for i, k := range keys {
		list[i] = termOf(class, k)
	}
	return list
}

// in returns the same term for a tenant.
func (t term) in(tenant uint32) term {
	t[0], t[1], t[2] = byte(tenant>>16), byte(tenant>>8), byte(tenant)
	return t
}

// Classes of keys.
const (
	nameClass       = 'n'
	identifierClass = 'i'
	typeClass       = 'y'
	projectClass    = 'p'
	describedClass  = 'c'
	gramClass       = 'g'
	sizeClass       = 's'
	soundClass      = 'l' // of names in Latin letters
	foreignClass    = 'o' // of other names
	boundClass      = 'b' // of those who alone may see the document
)

func identifierKey(key tenure.AliasKey) string { return key.Kind + "\x1f" + key.Key }

// terms returns the terms of a document.
func terms(d document) []term {
	list := append([]term{termOf(typeClass, d.Type), termOf(projectClass, d.Project)}, boundTerms(d.Label)...)
	for _, n := range d.Names {
		list = append(list, block(n).keys...)
	}
	for _, f := range d.Identifiers {
		list = append(list, termOf(identifierClass, identifierKey(f)))
	}
	for _, text := range d.Descriptions {
		for _, w := range blocking.DescriptionWords(text) {
			list = append(list, termOf(describedClass, w))
		}
	}
	return append(list, ngramTerms(d.Names)...)
}

// ngramTerms returns the terms of the n-grams of names, and of the size class of the longest name.
func ngramTerms(names []string) []term {
	var list []term
	most := 0
	for _, n := range names {
		grams := block(n).grams
		most = max(most, len(grams))
		list = append(list, grams...)
	}
	if most > 0 {
		list = append(list, termOf(sizeClass, sizes[sizeOf(most)]))
	}
	return list
}

const field = "k"

// fieldOptions requests an inverted index only: no frequencies, norms, positions or stored values.
const fieldOptions = indexapi.IndexField | indexapi.SkipFreqNorm

// cutTerms is the analyzer of the field: it cuts the value into terms of fixed length.
type cutTerms struct{}

func (cutTerms) Analyze(value []byte) analysis.TokenStream {
	n := len(value) / termBytes
	tokens, stream := make([]analysis.Token, n), make(analysis.TokenStream, n)
	for i := range n {
		tokens[i].Term = value[i*termBytes : (i+1)*termBytes]
		stream[i] = &tokens[i]
	}
	return stream
}

func bleveDocument(tenant uint32, e entry) *bleve.Document {
	value := make([]byte, 0, len(e.terms)*termBytes)
	for _, t := range e.terms {
		t = t.in(tenant)
		value = append(value, t[:]...)
	}
	doc := bleve.NewDocument(documentID(tenant, e.id))
	doc.AddField(bleve.NewTextFieldCustom(field, nil, value, fieldOptions, cutTerms{}))
	return doc
}

// documentID returns the tenant's number and the 16 bytes of the entity's id.
func documentID(tenant uint32, id tenure.ID) string {
	b := binary.BigEndian.AppendUint32(nil, tenant)[4-tenantBytes:]
	if u, err := uuid.Parse(string(id)); err == nil && u.String() == string(id) {
		return string(append(b, u[:]...))
	}
	return string(append(b, id...))
}

func entityID(documentID []byte) tenure.ID {
	b := documentID[tenantBytes:]
	if u, err := uuid.FromBytes(b); err == nil {
		return tenure.ID(u.String())
	}
	return tenure.ID(b)
}
