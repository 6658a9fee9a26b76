package sqlite

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/go-json-experiment/json"

	"tenure"
	"tenure/store"
)

// forever and nowhere bound the windows of a row, see the schema.
const (
	forever = int64(tenure.Forever)
	dawn    = int64(tenure.Dawn)
)

var format = json.JoinOptions(json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true))

func encode(v any) (string, error) {
	b, err := json.Marshal(v, format)
	return string(b), err
}

func decode(text string, v any) error { return json.Unmarshal([]byte(text), v, format) }

// encodeClaim takes the value's JSON out of the body, as it must come back
// byte for byte.
func encodeClaim(c tenure.Claim) (body string, value any, err error) {
	if c.Value.JSON != nil {
		value = string(c.Value.JSON)
	}
	c.Value.JSON = nil
	body, err = encode(c)
	return body, value, err
}

// hash64 is a short stand-in for a text: equal texts have equal hashes.
func hash64(text string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return int64(h.Sum64())
}

// packCells writes the hashes of cells behind each other.
func packCells(cells []tenure.Cell) []byte {
	b := make([]byte, 0, 8*len(cells))
	for _, c := range cells {
		b = binary.LittleEndian.AppendUint64(b, uint64(hash64(string(c))))
	}
	return b
}

// unpackCells adds the hashes in b to a set.
func unpackCells(b []byte, into map[int64]bool) {
	for len(b) >= 8 {
		into[int64(binary.LittleEndian.Uint64(b))] = true
		b = b[8:]
	}
}

// hullOf gives the bounds of a standing as columns, and whether there are gaps
// between them.
func hullOf(s tenure.Standing) (from, until int64, gaps bool) {
	hull := store.Hull(s)
	if hull.Empty() {
		return forever, dawn, false
	}
	at := hull.From
	for _, g := range s.Segments {
		if g.Cause != tenure.Stands {
			continue
		}
		if g.From > at {
			gaps = true
		}
		at = max(at, g.Until)
	}
	return int64(hull.From), int64(hull.Until), gaps
}
