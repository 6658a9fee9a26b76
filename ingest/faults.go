package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/attribute"
	"tenure/blocking"
)

// Faults returns the violations of the rules between the fields of an observation, with JSON pointers.
func (in Input) Faults() tenure.Faults {
	var f tenure.Faults
	if in.Text == "" && len(in.Mentions) == 0 && len(in.Claims) == 0 {
		f.Add("", "must have text, mentions or claims")
	}
	if in.Extract != "" && in.Extract != ExtractAuto && in.Extract != ExtractNone {
		f.Add("/extract", "must be %s or %s", ExtractAuto, ExtractNone)
	}
	for i, m := range in.Mentions {
		f = append(f, m.Faults(fmt.Sprintf("/mentions/%d", i))...)
	}
	for i, c := range in.Claims {
		f = append(f, c.faults(fmt.Sprintf("/claims/%d", i), in)...)
	}
	return f
}

// Bounds of the attributes of a mention: attributes, values of each, and characters of a name and of a value.
const (
	maxAttributes     = 50
	maxValues         = 50
	maxAttributeName  = 200
	maxAttributeValue = 1000
)

// Faults returns the faults of a mention's name and attributes. pointer is the JSON pointer of the mention.
func (m Mention) Faults(pointer string) tenure.Faults {
	var f tenure.Faults
	switch {
	case m.name() != "":
		if !strings.ContainsFunc(m.name(), shown) {
			f.Add(pointer+"/name", "has nothing in it that could name something")
		}
	case len(m.Attributes) == 0:
		f.Add(pointer+"/name", unidentified)
	}
	pointer += "/attributes"
	if len(m.Attributes) > maxAttributes {
		f.Add(pointer, "must have at most %d kinds", maxAttributes)
		return f
	}
	for _, name := range attribute.Names(m.Attributes) {
		at, list := pointer+"/"+escape(name), m.Attributes[name]
		if n := utf8.RuneCountInString(name); n > maxAttributeName || strings.TrimSpace(name) == "" {
			f.Add(at, "the kind must have 1 to %d characters", maxAttributeName)
		}
		if len(list) > maxValues {
			f.Add(at, "must have at most %d items", maxValues)
			continue
		}
		for i, v := range list {
			if n := utf8.RuneCountInString(v); n == 0 || n > maxAttributeValue {
				f.Add(fmt.Sprintf("%s/%d", at, i), "must have 1 to %d characters", maxAttributeValue)
			}
		}
	}
	return f
}

// unidentified is the fault of a mention that neither a name nor an attribute finds again.
const unidentified = "is missing, and so is any attribute that could identify: an identifier, a date of birth, " +
	"a telephone number, a house and its street"

// Identifiable returns Unprocessable for a mention that has no name, and no attribute that candidates are found by.
// pointer is the JSON pointer of the mention, whose identifier kinds are those of the tenant.
func Identifiable(m tenure.Mention, pointer string) error {
	if m.Name != "" || len(blocking.AttributeKeys(m.Attributes, m.IdentifierKinds)) > 0 {
		return nil
	}
	return tenure.FieldError(tenure.Unprocessable, pointer+"/name", unidentified)
}

// name returns the name or, if that is blank, the first alias, "" without any.
func (m Mention) name() string {
	switch {
	case strings.TrimSpace(m.Name) != "":
		return m.Name
	case len(m.Aliases) > 0:
		return m.Aliases[0]
	}
	return ""
}

// visible reports whether a character can be seen: no space, no control and no format character.
func shown(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

// escapes is how the signs of a JSON pointer are written within its tokens.
var escapes = strings.NewReplacer("~", "~0", "/", "~1")

func escape(token string) string {
	return escapes.Replace(token)
}

func (c Claim) faults(pointer string, in Input) tenure.Faults {
	var f tenure.Faults
	if s := c.Subject; (s.Mention != nil) == (s.EntityID != "") {
		f.Add(pointer+"/subject", "must have either mention or entity_id")
	} else {
		s.check(&f, pointer+"/subject", len(in.Mentions))
	}
	if string(c.Value.JSON) == "null" {
		f.Add(pointer+"/value", "must not be null")
	}
	if ref := c.Value.Entity; ref != nil {
		ref.check(&f, pointer+"/value", len(in.Mentions))
	} else if _, fault := refOf(c.Value.JSON); fault != nil {
		f.Add(pointer+"/value"+fault.Pointer, "%s", fault.Reason)
	}
	from := c.ValidFrom
	if from == nil {
		from = in.ObservedAt
	}
	if c.ValidUntil != nil && from != nil && *c.ValidUntil <= *from {
		f.Add(pointer+"/valid_until", "must be after the window starts, at %s", *from)
	}
	return f
}

// check adds the faults of a reference that has either an index or an id.
func (r Ref) check(f *tenure.Faults, pointer string, mentions int) {
	switch {
	case r.Mention == nil:
		f.AddID(pointer+"/entity_id", r.EntityID)
	case *r.Mention < 0 || *r.Mention >= mentions:
		f.Add(pointer+"/mention", "must be the index of one of the %d mentions", mentions)
	}
}

// ParseValue returns the value of a claim. {"mention": 1} and {"entity_id": "..."}, without other fields, refer to
// an entity. A wrong reference stays JSON, and [Input.Faults] reports it.
func ParseValue(raw json.RawMessage) Value {
	if ref, _ := refOf(raw); ref != nil {
		return Value{Entity: ref}
	}
	return Value{JSON: unescaped(raw)}
}

// unescaped returns JSON whose texts are written as they are and not as \uXXXX: they are shown, searched and erased as
// bytes.
func unescaped(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return raw
	}
	var out bytes.Buffer
	plain := json.NewEncoder(&out)
	plain.SetEscapeHTML(false)
	for rest := raw; ; {
		at := bytes.IndexByte(rest, '"')
		if at < 0 {
			out.Write(rest)
			return out.Bytes()
		}
		out.Write(rest[:at])
		until := at + 1
		for until < len(rest) && rest[until] != '"' {
			if rest[until] == '\\' {
				until++
			}
			until++
		}
		if until >= len(rest) {
			return raw // which is no JSON, and is refused
		}
		var text string
		if json.Unmarshal(rest[at:until+1], &text) != nil || plain.Encode(text) != nil {
			return raw
		}
		out.Truncate(out.Len() - 1) // the line's end
		rest = rest[until+1:]
	}
}

// refOf returns the reference in a value, nil for any other value, or the fault of a wrong reference.
func refOf(raw json.RawMessage) (*Ref, *tenure.Field) {
	var object map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &object) != nil || len(object) != 1 {
		return nil, nil
	}
	if text, ok := object["mention"]; ok {
		var index int
		if json.Unmarshal(text, &index) != nil || string(text) == "null" {
			return nil, &tenure.Field{Pointer: "/mention", Reason: "must be the index of a mention"}
		}
		return &Ref{Mention: &index}, nil
	}
	if text, ok := object["entity_id"]; ok {
		var id tenure.ID
		if json.Unmarshal(text, &id) != nil || id == "" {
			return nil, &tenure.Field{Pointer: "/entity_id", Reason: "must be the id of an entity"}
		}
		return &Ref{EntityID: id}, nil
	}
	return nil, nil
}
