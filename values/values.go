package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"tenure/grain"
)

// Version is the version of the canonical forms. Increment it when a form changes: what was judged by the former
// forms is then judged again.
const Version = 4

// Kind is what a value is.
type Kind string

// The kinds of values.
const (
	Number   Kind = "number" // a percentage is the number that it stands for
	Money    Kind = "money"
	Quantity Kind = "quantity" // with a unit; durations included
	Range    Kind = "range"
	Date     Kind = "date" // a day, or a part of a date: a month, a quarter, a day of a month
	Time     Kind = "time" // of the day
	Instant  Kind = "instant"
	Moment   Kind = "datetime" // a date with a time of an unknown zone
	Boolean  Kind = "boolean"
	Phone    Kind = "phone"
	Email    Kind = "email"
	URL      Kind = "url"
	Text     Kind = "text"
	JSON     Kind = "json"
	// None is no value: "unknown", "TBD", "n/a", null.
	None Kind = "none"
)

// Value is a value that was read.
type Value struct {
	Kind Kind
	form string
	// Ambiguous says in which ways the value could be read, if in several: then it is compared as text.
	Ambiguous string
	// Impossible says what is wrong with a date that does not exist: it is compared as text.
	Impossible string

	grain *grain.Grain
}

// Canonical returns the form in which the value is compared.
func (v Value) Canonical() string { return string(v.Kind) + ":" + v.form }

// Refusals of a value.
var (
	errNotJSON = errors.New("is not JSON")
	errLarge   = errors.New("is a number beyond any real quantity: at most 1e308")
)

// Parse reads a JSON value by what it is.
func Parse(value json.RawMessage) (Value, error) {
	v, err := decode(value)
	if err != nil {
		return Value{}, err
	}
	switch v := v.(type) {
	case string:
		return Of(v), nil
	case json.Number:
		if n, ok := plainNumber(v.String()); ok {
			return number(n), nil
		}
		return Value{}, errLarge
	case bool:
		return boolean(v), nil
	case nil:
		return Value{Kind: None}, nil
	}
	return ofJSON(v)
}

// ParseJSON compares a value as JSON: objects whatever the order of their keys.
func ParseJSON(value json.RawMessage) (Value, error) {
	v, err := decode(value)
	if err != nil {
		return Value{}, err
	}
	return ofJSON(v)
}

func ofJSON(v any) (Value, error) {
	if !within(v) {
		return Value{}, errLarge
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return Value{}, errNotJSON
	}
	return Value{Kind: JSON, form: string(sorted)}, nil
}

// within reports whether every number in a value is within range.
func within(v any) bool {
	switch v := v.(type) {
	case json.Number:
		_, ok := plainNumber(v.String())
		return ok
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !within(item) })
	case map[string]any:
		for _, item := range v {
			if !within(item) {
				return false
			}
		}
	}
	return true
}

func decode(value json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, errNotJSON
	}
	return v, nil
}

// longest bounds the text that is read as anything but text, in bytes; longestLink that of a web address. mostWords
// bounds its words.
const longest, longestLink, mostWords = 120, 2000, 14

// readers read the kinds of text that has a digit, the most specific first.
var readers = []func(spelling) (Value, bool){
	readBoolean, readEmail, readDuration, readInstant, readDate, readHours, readTime, readPhone, readAmount, readRange,
	readURL,
}

// Of reads a text by what it is.
func Of(s string) Value {
	if len(s) > longest {
		if len(s) <= longestLink && strings.Contains(s, "://") && !strings.Contains(strings.TrimSpace(s), " ") {
			if v, ok := readURL(spellingOf(s)); ok {
				return v
			}
		}
		return OfText(s)
	}
	p := spellingOf(s)
	if isNone(p) {
		return Value{Kind: None}
	}
	v, ok := kindOf(p)
	if ok {
		return v
	}
	ambiguous, impossible := v.Ambiguous, v.Impossible
	v = OfText(s)
	v.Ambiguous, v.Impossible = ambiguous, impossible
	return v
}

// kindOf reads what is not compared by its words. Where a text can be read in several ways, it says in which.
func kindOf(p spelling) (Value, bool) {
	if strings.Count(p.as, " ") >= mostWords {
		return Value{}, false
	}
	if !strings.ContainsAny(p.as, "0123456789") {
		return inLetters(p)
	}
	if strings.Contains(p.low, " and a ") { // 2 hours and a half
		if v, said, ok := amountInWords(p.low); said {
			return v, ok
		}
	}
	if strings.ContainsAny(p.as, "$€£¥₹") || strings.HasSuffix(p.as, "%") {
		if v, ok := readAmount(p); ok || v.Ambiguous != "" {
			return v, ok
		}
	}
	for _, read := range readers {
		if v, ok := read(p); ok || v.Ambiguous+v.Impossible != "" {
			return v, ok
		}
	}
	if first := p.low[0]; first >= 'a' && first <= 'z' {
		if v, said, ok := amountInWords(p.low); said {
			return v, ok
		}
	}
	return Value{}, false
}

// inLetters reads what has no digits: a truth, an address, a date or a number in words.
func inLetters(p spelling) (Value, bool) {
	if v, ok := readBoolean(p); ok {
		return v, true
	}
	if v, ok := readEmail(p); ok {
		return v, true
	}
	if v, ok := readTime(p); ok {
		return v, true
	}
	if strings.Contains(p.as, ".") || strings.Contains(p.as, "://") {
		if v, ok := readURL(p); ok {
			return v, true
		}
	}
	words := strings.Count(p.low, " ") + 1
	if words <= mostWords && startsNumber(p.low) {
		if v, said, ok := amountInWords(p.low); said {
			return v, ok
		}
	}
	if words >= 2 || strings.Contains(p.low, "-") {
		if d := inWords(p.low); d.valid() { // the first of May
			return Value{Kind: Date, form: d.String(), grain: ofDay(d)}, true
		}
		return partOfDate(p.low) // mid-March
	}
	return Value{}, false
}

// amountInWords reads an amount whose number is in words. It says whether there is such a number, and whether it is an
// amount.
func amountInWords(low string) (v Value, said, ok bool) {
	if low = inDigits(low); low == "" {
		return Value{}, false, false
	}
	v, ok = readAmount(spelling{low, low})
	return v, true, ok
}

// startsNumber reports whether a text starts with a word of a number.
func startsNumber(low string) bool {
	i := strings.IndexAny(low, " -")
	if i < 0 {
		i = len(low)
	}
	w := low[:i]
	return isNumberWord(w) || fractionWords[w] != nil || isArticle(w) || isMinus(w)
}

func readBoolean(s spelling) (Value, bool) {
	b, ok := truths[s.low]
	return boolean(b), ok
}

func boolean(b bool) Value { return Value{Kind: Boolean, form: strconv.FormatBool(b)} }

func number(n *big.Rat) Value { return Value{Kind: Number, form: n.RatString(), grain: ofNumber(n)} }

// OfWords compares a text by its words, unless it is no value.
func OfWords(s string) Value {
	if len(s) <= longest {
		if isNone(spellingOf(s)) {
			return Value{Kind: None}
		}
	}
	return OfText(s)
}
