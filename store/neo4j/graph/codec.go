package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"tenure"
	"tenure/store/engine"
)

// props are the properties of a node or an edge, or the parameters of a statement.
type props = map[string]any

// Forever is the end of an open window.
const Forever = int64(tenure.MaxTime)

const (
	stampHead = `{"tx":`
	stampBody = `,"v":`
)

// stamp joins a version's JSON with its transaction time, so that both are read and replaced as one property.
func stamp(tx int64, body string) string {
	return stampHead + strconv.FormatInt(tx, 10) + stampBody + body + "}"
}

// Unstamp is the inverse of stamp; it returns false for any other text.
func Unstamp(text string) (tx int64, body string, ok bool) {
	if len(text) < len(stampHead) || text[:len(stampHead)] != stampHead {
		return 0, "", false
	}
	rest := text[len(stampHead):]
	for i := range len(rest) {
		if rest[i] != ',' {
			continue
		}
		tx, err := strconv.ParseInt(rest[:i], 10, 64)
		if err != nil || len(rest) < i+len(stampBody)+1 || rest[i:i+len(stampBody)] != stampBody {
			return 0, "", false
		}
		return tx, rest[i+len(stampBody) : len(rest)-1], true
	}
	return 0, "", false
}

// encodeClaim encodes a claim. Raw is the JSON of the value if the body does not preserve it byte for byte.
func encodeClaim(c tenure.Claim) (body string, raw any, err error) {
	body, err = engine.Encode(c)
	if err != nil || len(c.Value.JSON) == 0 {
		return body, nil, err
	}
	if !strings.Contains(body, `"value":{"json":`+string(c.Value.JSON)) {
		raw = string(c.Value.JSON)
	}
	return body, raw, nil
}

// DecodeClaim decodes what encodeClaim returned.
func DecodeClaim(body, raw string) (c tenure.Claim, err error) {
	err = engine.Decode(body, &c)
	if raw != "" {
		c.Value.JSON = []byte(raw)
	}
	return c, err
}

// valueText returns a value for analysts: a text without its quotes, an entity as its id, anything else as
// JSON.
func valueText(v tenure.Value) string {
	if v.Entity != "" {
		return string(v.Entity)
	}
	var text string
	if err := engine.Decode(string(v.JSON), &text); err == nil {
		return text
	}
	return string(v.JSON)
}

// longestKey is the length of the longest text that is indexed unchanged.
const longestKey = 1024

// Indexable returns a text that fits an index: a text longer than longestKey is replaced by its SHA-256 hash.
func Indexable(text string) string {
	if len(text) <= longestKey {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "sha256\x1f" + hex.EncodeToString(sum[:])
}

// FormKey returns the text by which an alias key is indexed.
func FormKey(f tenure.AliasKey) string { return Indexable(f.Kind + "\x1f" + f.Key) }

// stands returns the time of the standing, followed by the segments in which the claim stands: from, until,
// from, until. Adjoining segments are joined.
func stands(tx int64, s tenure.Standing) []any {
	list := []any{tx}
	for _, g := range s.Segments {
		if g.Cause != tenure.Stands || g.Empty() {
			continue
		}
		if n := len(list); n > 2 && list[n-1] == any(int64(g.From)) {
			list[n-1] = int64(g.Until)
			continue
		}
		list = append(list, int64(g.From), int64(g.Until))
	}
	return list
}

// Texts returns a list as a parameter, without what occurs again.
func Texts[T ~string](list []T) []any {
	seen := make(map[T]bool, len(list))
	out := make([]any, 0, len(list))
	for _, t := range list {
		if !seen[t] {
			seen[t] = true
			out = append(out, string(t))
		}
	}
	return out
}

// OrNull returns the text, or nil for "": Neo4j keeps no empty properties.
func OrNull[T ~string](t T) any {
	if t == "" {
		return nil
	}
	return string(t)
}
