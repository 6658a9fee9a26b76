package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"tenure"
)

// binder decodes request bodies in place of Echo's own binder, which accepts unknown, duplicate and
// differently cased fields.
type binder struct {
	limit int
	rules *rules
}

// Bind implements echo.Binder. The error of an empty body wraps io.EOF, which the generated code accepts
// where the body is optional.
func (b *binder) Bind(target any, c echo.Context) error {
	raw, err := readBody(c.Request().Body, c.Request().ContentLength, b.limit)
	if err != nil {
		return err
	}
	if st := stateOf(c.Request().Context()); st != nil {
		st.bodyHash = hashOf(raw)
	}
	return b.decode(raw, target)
}

// decode decodes one JSON value strictly and validates it against the rules of openapi.yaml.
func (b *binder) decode(raw []byte, target any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return &tenure.Error{
			Code: tenure.Malformed, Message: "the request has no body",
			Fields: []tenure.Field{{Pointer: "", Reason: "a JSON object is expected"}}, Err: io.EOF,
		}
	}
	if err := decode(raw, target); err != nil {
		return err
	}
	return b.rules.check(target)
}

// decode decodes one JSON value strictly: encoding an accepted value yields equal JSON. It returns Malformed
// otherwise, Invalid for a time without a zone, and TooLarge for excessive nesting or lists; each error has a
// pointer.
func decode(raw []byte, target any) error {
	if err := inspect(raw); err != nil {
		return err
	}
	err := jsonv2.Unmarshal(raw, target,
		jsonv2.RejectUnknownMembers(true),
		jsonv2.MatchCaseInsensitiveNames(false),
		jsonv2.WithUnmarshalers(refuseNull),
	)
	if err != nil {
		return typeError(err)
	}
	return nil
}

var errNull = errors.New("must not be null")

// refuseNull refuses null where Go would decode it as a zero value. Null is accepted inside raw values, and
// as the end of an open window.
var refuseNull = jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, v any) error {
	if dec.PeekKind() != 'n' {
		return errors.ErrUnsupported
	}
	if _, raw := v.(*json.RawMessage); raw || strings.HasSuffix(string(dec.StackPointer()), "/valid_until") {
		return errors.ErrUnsupported
	}
	return errNull
})

var timeType = reflect.TypeFor[time.Time]()

func typeError(err error) error {
	e := &tenure.Error{Code: tenure.Malformed, Message: "the body is not the JSON that was asked for", Err: err}
	var s *jsonv2.SemanticError
	if !errors.As(err, &s) {
		e.Fields = []tenure.Field{{Pointer: "", Reason: "cannot be read"}}
		return e
	}
	f := tenure.Field{Pointer: string(s.JSONPointer), Reason: "has the wrong type"}
	switch {
	case errors.Is(s.Err, jsonv2.ErrUnknownName):
		f.Reason = "there is no such field"
	case errors.Is(s.Err, errNull):
		f.Reason = errNull.Error()
	case s.GoType == timeType && s.JSONKind == '"':
		e.Code, e.Message = tenure.Invalid, "the request cannot be taken as it is"
		f.Reason = "must be an RFC 3339 time with a zone, such as 2026-06-06T12:00:00Z"
	case s.GoType != nil:
		f.Reason = "must be " + typeName(s.GoType)
	}
	e.Fields = []tenure.Field{f}
	return e
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == timeType, t.Kind() == reflect.String:
		return "a string"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "an array"
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		return "an object"
	case t.Kind() == reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// readBody reads at most limit bytes. For a longer body it returns TooLarge with a pointer to the value in
// which the limit was reached.
func readBody(r io.Reader, length int64, limit int) ([]byte, error) {
	var buf bytes.Buffer
	if length > 0 {
		buf.Grow(int(min(length, int64(limit)+1)) + bytes.MinRead)
	}
	if _, err := buf.ReadFrom(io.LimitReader(r, int64(limit)+1)); err != nil {
		return nil, &tenure.Error{Code: tenure.Malformed, Message: "the body could not be read", Err: err}
	}
	if buf.Len() > limit {
		return nil, tooLarge(buf.Bytes()[:limit], limit)
	}
	return buf.Bytes(), nil
}

// tooLarge returns the error for a text that continues after head: the place where it passes the limit, or
// another excess within head.
func tooLarge(head []byte, limit int) error {
	if err := inspect(head); tenure.CodeOf(err) == tenure.TooLarge {
		return err
	}
	return tenure.FieldError(tenure.TooLarge, reached(head), fmt.Sprintf("here the body passes the limit of %d bytes", limit))
}

func newReader(raw []byte) io.Reader { return bytes.NewBuffer(raw) }

func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
