package sqlite

import (
	"encoding/binary"

	"tenure"
	"tenure/store/engine"
)

// forever and nowhere bound the windows of a row: see the schema.
const (
	forever = int64(tenure.MaxTime)
	dawn    = int64(tenure.MinTime)
)

// encodeClaim encodes a claim and returns the JSON of its value separately, since the value must be returned
// byte for byte.
func encodeClaim(c tenure.Claim) (body string, value any, err error) {
	if c.Value.JSON != nil {
		value = string(c.Value.JSON)
	}
	c.Value.JSON = nil
	body, err = engine.Encode(c)
	return body, value, err
}

// packHashes concatenates the hashes of conflict keys.
func packHashes(s engine.Salting, keys []tenure.ConflictKey) []byte {
	b := make([]byte, 0, 8*len(keys))
	for _, c := range keys {
		b = binary.LittleEndian.AppendUint64(b, uint64(s.Hash(c)))
	}
	return b
}

// unpackHashes adds the hashes in b to a set.
func unpackHashes(b []byte, into map[int64]bool) {
	for len(b) >= 8 {
		into[int64(binary.LittleEndian.Uint64(b))] = true
		b = b[8:]
	}
}

// spanOf returns the span of a standing's segments as columns, and whether the span has gaps.
func spanOf(s tenure.Standing) (from, until int64, gaps bool) {
	span := s.Span()
	if span.Empty() {
		return forever, dawn, false
	}
	at := span.From
	for _, g := range s.Segments {
		if g.Cause != tenure.Stands {
			continue
		}
		if g.From > at {
			gaps = true
		}
		at = max(at, g.Until)
	}
	return int64(span.From), int64(span.Until), gaps
}
