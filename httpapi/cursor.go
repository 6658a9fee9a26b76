package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"tenure"
)

// cursor is the position in a listing at which the next page starts, and the state that all pages are read
// from.
type cursor struct {
	Seq     tenure.Seq     `json:"s"`
	ValidAt tenure.Instant `json:"v,omitempty"`
	Last    string         `json:"k"`
}

// cursors signs the cursors of one listing, identified by tenant, operation and filters.
type cursors struct {
	key     []byte
	listing string
}

// seal encodes a cursor as text that only the same listing accepts.
func (s cursors) seal(c cursor) string {
	payload, err := json.Marshal(c)
	if err != nil {
		panic(err) // a struct of strings and numbers always has a JSON form
	}
	return base64.RawURLEncoding.EncodeToString(append(s.mac(payload), payload...))
}

// open decodes a cursor. It returns StaleCursor for an altered cursor or a cursor of another listing.
func (s cursors) open(text string) (cursor, error) {
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < sha256.Size || base64.RawURLEncoding.EncodeToString(raw) != text {
		return c, staleCursor()
	}
	mac, payload := raw[:sha256.Size], raw[sha256.Size:]
	if !hmac.Equal(mac, s.mac(payload)) || json.Unmarshal(payload, &c) != nil {
		return c, staleCursor()
	}
	return c, nil
}

func (s cursors) mac(payload []byte) []byte {
	listing := sha256.Sum256([]byte(s.listing))
	h := hmac.New(sha256.New, s.key)
	h.Write(listing[:])
	h.Write(payload)
	return h.Sum(nil)
}

func staleCursor() error {
	return tenure.FieldError(tenure.StaleCursor, "cursor", "is not one that this listing gave; start again without it")
}
