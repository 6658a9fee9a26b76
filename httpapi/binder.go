package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"tenure/api"
	"tenure/httpapi/body"
	"tenure/httpapi/wire"

	"github.com/labstack/echo/v4"

	"tenure"
)

// binder decodes request bodies in place of Echo's own binder, which accepts unknown, duplicate and
// differently cased fields.
type binder struct {
	limit int
	rules *body.Rules
	owe   func(st *state, bytes int64, target any)
}

// Bind implements echo.Binder. The error of an empty body wraps io.EOF, which the generated code accepts
// where the body is optional.
func (b *binder) Bind(target any, c echo.Context) error {
	raw, err := body.Read(c.Request().Body, c.Request().ContentLength, b.limitOf(target))
	if err != nil {
		return err
	}
	if st := stateOf(c.Request().Context()); st != nil {
		st.bodyHash = hashOf(raw)
	}
	if err := b.decode(raw, target); err != nil {
		return err
	}
	if st := stateOf(c.Request().Context()); st != nil {
		b.owe(st, int64(len(raw)), target)
	}
	return nil
}

// limitOf returns the limit of a body. That of a document is twice as large, since its text is as long as other bodies.
func (b *binder) limitOf(target any) int {
	if _, is := target.(*api.DocumentInput); is {
		return 2 * b.limit
	}
	return b.limit
}

// decode decodes one JSON value strictly and validates it against the rules of openapi.yaml.
func (b *binder) decode(raw []byte, target any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		missing := &tenure.Error{
			Code: tenure.Malformed, Message: "the request has no body",
			Fields: []tenure.Field{{Pointer: "", Reason: "a JSON object is expected"}},
		}
		if len(raw) == 0 { // white space is a body, and no JSON
			missing.Err = io.EOF
		}
		return missing
	}
	if err := body.Decode(raw, target); err != nil {
		return err
	}
	return b.check(target)
}

// check validates a decoded body: ranges, lengths and enums by the validate tags of openapi.yaml, then the rules
// between fields.
func (b *binder) check(target any) error {
	faults, err := b.rules.Faults(target)
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, f := range faults {
		said[f.Pointer] = true
	}
	for _, f := range wire.Faults(target) {
		if !said[f.Pointer] { // what is wrong with the field itself says enough
			faults = append(faults, f)
		}
	}
	if r, ok := target.(*api.RememberInput); ok {
		faults = wire.InFacts(*r, faults)
	}
	return faults.Err()
}

func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
