package httpapi

import (
	"crypto/aes"
	"crypto/cipher"
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

// cursors encrypts the cursors of one listing, identified by credential, path and filters.
type cursors struct {
	key     []byte
	listing string
}

// seal encodes a cursor as text that only the same listing accepts and nobody else can read: its position may be the
// id of what another caller may not see. The same cursor has the same text.
func (s cursors) seal(c cursor) string {
	payload, err := json.Marshal(c)
	if err != nil {
		panic(err) // a struct of strings and numbers always has a JSON form
	}
	box := s.box()
	nonce := s.derive("nonce", payload)[:box.NonceSize()] // of the content: no two contents share one
	return base64.RawURLEncoding.EncodeToString(box.Seal(nonce, nonce, payload, nil))
}

// open decodes a cursor. It returns StaleCursor for an altered cursor or a cursor of another listing.
func (s cursors) open(text string) (cursor, error) {
	var c cursor
	box := s.box()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < box.NonceSize() || base64.RawURLEncoding.EncodeToString(raw) != text {
		return c, staleCursor()
	}
	payload, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], nil)
	if err != nil || json.Unmarshal(payload, &c) != nil {
		return c, staleCursor()
	}
	return c, nil
}

// box returns the cipher of the listing, whose key no other listing has.
func (s cursors) box() cipher.AEAD {
	block, err := aes.NewCipher(s.derive("key", nil))
	if err != nil {
		panic(err) // a key of 32 bytes is one of AES
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // a block of AES has 16 bytes
	}
	return box
}

// derive returns 32 bytes for a purpose and a content, by the key of all cursors and the listing.
func (s cursors) derive(purpose string, content []byte) []byte {
	listing := sha256.Sum256([]byte(s.listing))
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(purpose + "\x1f"))
	h.Write(listing[:])
	h.Write(content)
	return h.Sum(nil)
}

func staleCursor() error {
	return tenure.FieldError(tenure.StaleCursor, "cursor", "is not one that this listing gave; start again without it")
}
