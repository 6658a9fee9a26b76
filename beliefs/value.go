package beliefs

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"time"

	"tenure"

	"tenure/text"
)

// Canonical returns the form in which a value is compared: equal for two values that are the same under the
// term's value type, and for no others. The error says what the type requires.
func Canonical(term tenure.Term, value json.RawMessage) (string, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", errors.New("is not JSON")
	}
	switch term.ValueType {
	case tenure.NumberValue:
		return canonicalNumber(v)
	case tenure.BooleanValue:
		return canonicalBoolean(v)
	case tenure.TimeValue:
		return canonicalTime(v)
	case tenure.EntityValue:
		return "", errors.New("has to be an entity: this predicate relates two entities")
	default:
		return canonicalText(v)
	}
}

// CanonicalEntity returns the canonical form of a value that is an entity.
func CanonicalEntity(root tenure.ID) string { return "entity:" + string(root) }

func canonicalNumber(v any) (string, error) {
	content := ""
	switch v := v.(type) {
	case json.Number:
		content = v.String()
	case string:
		content = strings.TrimSpace(v)
	}
	if n, ok := number(content); ok {
		return "number:" + n, nil
	}
	return "", errors.New("has to be a number")
}

// number reduces a decimal to lowest terms: 1.50, 15e-1 and 1.5 are equal. It refuses exponents beyond any
// real quantity, because they cost memory.
func number(content string) (string, bool) {
	if len(content) > 400 || strings.ContainsAny(content, "/xXoObBpP_") {
		return "", false
	}
	if i := strings.IndexAny(content, "eE"); i >= 0 && len(strings.TrimLeft(content[i+1:], "+-0")) > 3 {
		return "", false
	}
	r, ok := new(big.Rat).SetString(content)
	if !ok {
		return "", false
	}
	return r.RatString(), true
}

func canonicalBoolean(v any) (string, error) {
	switch v := v.(type) {
	case bool:
		if v {
			return "boolean:true", nil
		}
		return "boolean:false", nil
	case string:
		switch text.Key(v) {
		case "true", "yes":
			return "boolean:true", nil
		case "false", "no":
			return "boolean:false", nil
		}
	}
	return "", errors.New("has to be true or false")
}

func canonicalTime(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", errors.New("has to be a date or an RFC 3339 time")
	}
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return "time:" + t.UTC().Format(time.RFC3339Nano), nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return "date:" + t.Format(time.DateOnly), nil
	}
	return "", errors.New("has to be a date or an RFC 3339 time")
}

// canonicalText compares text without regard to case, width or spacing, and other JSON with sorted keys.
func canonicalText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return "text:" + text.Key(v), nil
	case json.Number:
		if n, ok := number(v.String()); ok {
			return "number:" + n, nil
		}
		return "number:" + v.String(), nil
	case bool:
		return canonicalBoolean(v)
	case nil:
		return "null", nil
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return "", errors.New("is not JSON")
	}
	return "json:" + string(sorted), nil
}
