package vectors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync"

	"github.com/google/uuid"

	"tenure"
	"tenure/audience"
	"tenure/encode"
	"tenure/recall"
)

// key identifies a belief, by when it was recorded and its id, or a piece of a passage.
type key [24]byte

const instantBytes = 8

func keyOf(recorded tenure.Instant, id tenure.ID) (k key) {
	binary.BigEndian.PutUint64(k[:], uint64(recorded))
	if u, err := uuid.Parse(string(id)); err == nil {
		copy(k[instantBytes:], u[:])
	}
	return k
}

// pieceKey returns the key of a piece of a passage, from 0. It has the form of that of a belief; the number of the
// piece stands for when that was recorded, since a passage never changes and is in a state if its version is.
func pieceKey(id tenure.ID, n int) key { return keyOf(tenure.Instant(1+n), id) }

func (k key) recorded() tenure.Instant { return tenure.Instant(binary.BigEndian.Uint64(k[:])) }

func (k key) id() tenure.ID { return tenure.ID(uuid.UUID(k[instantBytes:]).String()) }

// reach is what decides whether a search looks at a row: its label, scope and kind. A tenant has few different ones.
type reach struct {
	Label tenure.Label `json:"label,omitzero"`
	Scope tenure.Scope `json:"scope,omitzero"`
	Kind  recall.Kind  `json:"kind"`
}

func reachOf(c *tenure.Claim) reach {
	return reach{Label: c.Label(), Scope: c.Scope.Canonical(), Kind: recall.KindOf(c)}
}

func reachOfPassages(d tenure.Document) reach {
	return reach{Label: d.Label(), Scope: d.Scope.Canonical(), Kind: recall.Passage}
}

// admits reports whether a search looks at beliefs of a reach. The reader of the search decides exactly; this must not
// leave out what it would show.
func admits(w recall.Wanted, r reach) bool {
	return slices.Contains(w.Kinds, r.Kind) && r.Scope.VisibleIn(w.In) && seen(w.Seen, r.Label)
}

func seen(by *audience.Bounds, l tenure.Label) bool {
	if by == nil {
		return true
	}
	apart := func(bound *string, id string) bool { return bound != nil && id != "" && id != *bound }
	s := l.Scope
	if apart(by.User, s.UserID) || apart(by.Session, s.SessionID) || apart(by.Task, s.TaskID) {
		return false
	}
	l.Scope = tenure.Scope{}
	return slices.Contains(by.Labels, l)
}

// row is a belief, or a piece of a passage of a document, with the code of its vector.
type row struct {
	key      key
	reach    reach
	document tenure.ID
	code     encode.Code
}

// rowHead is what a row is stored with, before its code.
type rowHead struct {
	reach
	Document tenure.ID `json:"document,omitempty"`
}

// value returns the bytes that a row is stored as, under its key.
func (r row) value() ([]byte, error) {
	head, err := json.Marshal(rowHead{r.reach, r.document})
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, uint64(len(head)))
	return append(append(b, head...), r.code.Bytes()...), nil
}

// rowOf reads a row. It reports false for bytes that are none.
func rowOf(k, value []byte, dimension int) (r row, ok bool) {
	n, size := binary.Uvarint(value)
	if len(k) != len(r.key) || size <= 0 || n > uint64(len(value)-size) || len(value)-size-int(n) != dimension {
		return r, false
	}
	head, code := value[size:size+int(n)], value[size+int(n):]
	copy(r.key[:], k)
	r.code = encode.CodeOf(code)
	var said rowHead
	err := json.Unmarshal(head, &said)
	r.reach, r.document = said.reach, said.Document
	return r, err == nil
}

// table is what is in memory of a tenant's rows: 84 bytes each of 384 dimensions.
type table struct {
	mu      sync.RWMutex
	applied tenure.Seq
	words   int // of the signs of a row
	keys    []key
	times   []tenure.Instant // of the keys
	signs   []uint64
	of      []int32 // the reach of each row; negative for one that was removed
	reaches []reach
	number  map[reach]int32
	// documents are the keys of the passages of each document, of all versions.
	documents map[tenure.ID][]key
}

func newTable(dimension int) *table {
	return &table{words: encode.Words(dimension), number: map[reach]int32{}, documents: map[tenure.ID][]key{}}
}

const removed = -1

// put adds rows. Replaced are keys that may be there already: those of rows that are put again.
func (t *table) put(rows []row, replaced map[key]bool, upTo tenure.Seq) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(replaced)
	for _, r := range rows {
		n, ok := t.number[r.reach]
		if !ok {
			n = int32(len(t.reaches))
			t.number[r.reach], t.reaches = n, append(t.reaches, r.reach)
		}
		t.keys, t.times, t.of = append(t.keys, r.key), append(t.times, r.key.recorded()), append(t.of, n)
		t.signs = append(t.signs, r.code.Signs()...)
		if r.document != "" && !replaced[r.key] {
			t.documents[r.document] = append(t.documents[r.document], r.key)
		}
	}
	t.applied = max(t.applied, upTo)
}

func (t *table) drop(keys map[key]bool) {
	if len(keys) == 0 {
		return
	}
	for i, k := range t.keys {
		if keys[k] {
			t.of[i] = removed
			clear(t.signs[i*t.words : (i+1)*t.words])
		}
	}
}

// ofDocument lists the keys of the pieces of a document's passages, of all versions.
func (t *table) ofDocument(id tenure.ID) []key {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clone(t.documents[id])
}

// forget forgets the keys of a document, of which the rows were removed.
func (t *table) forget(id tenure.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.documents, id)
}

// found is a row with the number of signs that differ from those of a query.
type found struct {
	key      key
	distance int
}

func (f found) compare(o found) int {
	return cmp.Or( // the keys are in the order in which they were recorded
		cmp.Compare(f.distance, o.distance), bytes.Compare(o.key[:], f.key[:]),
	)
}

// distances holds scratch memory for a search: how many signs of each row differ.
var distances = sync.Pool{New: func() any { return new([]uint16) }}

// outside is the distance of a row that a search does not look at.
const outside = 1<<16 - 1

// nearest lists the rows with the fewest different signs, of equal ones the newest first, and reports whether these are
// all that a search may look at.
func (t *table) nearest(to encode.Signs, w recall.Wanted) (list []found, all bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	allowed := make([]bool, len(t.reaches))
	for i, r := range t.reaches {
		allowed[i] = admits(w, r)
	}
	room := distances.Get().(*[]uint16) //nolint:forcetypeassert // the pool holds nothing else
	defer distances.Put(room)
	if cap(*room) < len(t.keys) {
		*room = make([]uint16, len(t.keys))
	}
	far := (*room)[:len(t.keys)]
	counts := make([]int, 64*t.words+1)
	total := 0
	for i, at := range t.times {
		far[i] = outside
		if n := t.of[i]; n == removed || !allowed[n] || at > w.Until {
			continue
		}
		d := encode.Signs(t.signs[i*t.words : (i+1)*t.words]).Distance(to)
		far[i] = uint16(d)
		counts[d]++
		total++
	}
	most, sum := 0, 0
	for ; most < len(counts)-1; most++ {
		if sum += counts[most]; sum >= w.Limit {
			break
		}
	}
	for i, d := range far {
		if int(d) <= most {
			list = append(list, found{t.keys[i], int(d)})
		}
	}
	slices.SortFunc(list, found.compare)
	return list[:min(len(list), w.Limit)], total <= w.Limit
}
