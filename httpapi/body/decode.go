package body

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tenure"
)

// Decode decodes one JSON value strictly: encoding an accepted value yields equal JSON. It returns Malformed
// otherwise, Invalid for a time without a zone, and TooLarge for excessive nesting or lists; each error has a
// pointer.
func Decode(raw []byte, target any) error {
	if err := inspect(raw); err != nil {
		return err
	}
	err := jsonv2.Unmarshal(raw, target,
		jsonv2.RejectUnknownMembers(true),
		jsonv2.MatchCaseInsensitiveNames(false),
		jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(refuseNull, inYears)),
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

// inYears refuses times outside the years 1 to 9999 in UTC, which have no RFC 3339 form there, and the zero time, which
// stands for none.
var inYears = jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, t *time.Time) error {
	if dec.PeekKind() != '"' {
		return errors.ErrUnsupported
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if err := t.UnmarshalJSON(raw); err != nil {
		if strings.Contains(err.Error(), "day out of range") {
			return noTime("is a day that does not exist")
		}
		return noTime("must be an RFC 3339 time with a zone, such as 2026-06-06T12:00:00Z")
	}
	if year := t.UTC().Year(); year < 1 || year > 9999 || t.IsZero() {
		return noTime("must be after 0001-01-01T00:00:00Z and before the year 10000")
	}
	return nil
})

func noTime(reason string) error { return tenure.FieldError(tenure.Invalid, "", reason) }

var timeType = reflect.TypeFor[time.Time]()

func typeError(err error) error {
	e := &tenure.Error{Code: tenure.Malformed, Message: "the body is not the JSON that was asked for", Err: err}
	var s *jsonv2.SemanticError
	if !errors.As(err, &s) {
		e.Fields = []tenure.Field{{Pointer: "", Reason: "cannot be read"}}
		return e
	}
	var own *tenure.Error
	f := tenure.Field{Pointer: string(s.JSONPointer), Reason: "has the wrong type"}
	switch {
	case errors.Is(s.Err, jsonv2.ErrUnknownName):
		f.Reason = "there is no such field"
	case errors.Is(s.Err, errNull):
		f.Reason = errNull.Error()
	case errors.As(s.Err, &own):
		e.Code, e.Message, f.Reason = own.Code, own.Message, own.Fields[0].Reason
	case s.GoType != nil:
		f.Reason = "must be " + typeName(s.GoType)
		if s.JSONKind == '0' && f.Reason == "must be a string" {
			f.Reason = "must be a string: put the number in quotes"
		}
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
