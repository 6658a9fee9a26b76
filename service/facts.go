package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"

	"tenure"
	"tenure/ner/words"
	"tenure/text"
)

// Bounds of the names in facts. They are those of the mentions of an observation.
const (
	maxNames      = 100
	maxName       = 1000
	maxTypeName   = 200
	maxAliasNames = 100
)

// side is one of the two ends of a fact.
type side string

const (
	subject side = "subject"
	object  side = "object"
)

// at returns the pointer of a side of the fact.
func (f Fact) at(fact string, s side) string {
	switch {
	case !f.Listed:
		return fact + "/" + string(s)
	case s == subject:
		return fact + "/0"
	}
	return fact + "/2"
}

func (f Fact) raw(s side) json.RawMessage {
	if s == subject {
		return f.Subject
	}
	return f.Object
}

// typeOf returns the entity type that the fact states beside a side.
func (f Fact) typeOf(s side) string {
	if s == subject {
		return f.SubjectType
	}
	return f.ObjectType
}

// thing is an entity as a fact names it: by a name, alone (plain) or with more, or by an id.
type thing struct {
	name, typ  string
	aliases    []string
	attributes map[string][]string
	entity     tenure.ID
	plain      bool
}

// named returns the entity that a side of a fact names, if it can be read as one.
func (f Fact) named(s side) (thing, bool) {
	t, fault := thingOf(f.raw(s))
	return t, fault == nil && t.entity == ""
}

// written is an entity as an object.
type written struct {
	Name       *string             `json:"name"`
	Type       string              `json:"type"`
	Aliases    []string            `json:"aliases"`
	Attributes map[string][]string `json:"attributes"`
	EntityID   *tenure.ID          `json:"entity_id"`
}

// thingOf reads an entity, or returns the fault of what is none.
func thingOf(raw json.RawMessage) (thing, *tenure.Field) {
	t := thing{plain: true}
	switch {
	case len(raw) > 0 && raw[0] == '{':
		return describedThing(raw)
	case len(raw) > 0 && raw[0] == '"' && jsonv2.Unmarshal(raw, &t.name) == nil:
		return t, nil
	}
	return thing{}, noThing("", "")
}

// noThing returns the fault of what names no entity.
func noThing(pointer, reason string) *tenure.Field {
	return &tenure.Field{
		Pointer: pointer, Reason: cmp.Or(reason, "must be a name, or an object with either name or entity_id"),
	}
}

// describedThing reads an entity that is an object.
func describedThing(raw json.RawMessage) (thing, *tenure.Field) {
	var w written
	var s *jsonv2.SemanticError
	switch err := jsonv2.Unmarshal(raw, &w, jsonv2.RejectUnknownMembers(true)); {
	case errors.As(err, &s) && errors.Is(s.Err, jsonv2.ErrUnknownName):
		return thing{}, noThing(string(s.JSONPointer), "there is no such field")
	case s != nil:
		return thing{}, noThing(string(s.JSONPointer), "has the wrong type")
	case err != nil:
		return thing{}, noThing("", "")
	case w.Name != nil && w.EntityID == nil:
		return thing{name: *w.Name, typ: w.Type, aliases: w.Aliases, attributes: w.Attributes}, nil
	case w.Name == nil && w.EntityID != nil && w.Type == "" && w.Aliases == nil && w.Attributes == nil:
		return thing{entity: *w.EntityID}, nil
	}
	return thing{}, noThing("", "")
}

// describes reports whether an object of JSON has the fields of an entity and no others. {"name": "Visa", "last4": 1}
// does not: it is a value.
func describes(raw json.RawMessage) bool {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &fields) != nil {
		return false
	}
	_, name := fields["name"]
	_, id := fields["entity_id"]
	for f := range fields {
		if !slices.Contains([]string{"name", "type", "aliases", "attributes", "entity_id"}, f) {
			return false
		}
	}
	return name || id
}

// faults returns the faults of an entity that a fact names.
func (t thing) faults(pointer string) tenure.Faults {
	var f tenure.Faults
	if t.entity != "" {
		f.AddID(pointer+"/entity_id", t.entity)
		return f
	}
	at := pointer + "/name"
	if t.plain {
		at = pointer
	}
	if n := utf8.RuneCountInString(t.name); n > maxName {
		f.Add(at, "must be at most %d characters", maxName)
	}
	if utf8.RuneCountInString(t.typ) > maxTypeName {
		f.Add(pointer+"/type", "must be at most %d characters", maxTypeName)
	}
	if len(t.aliases) > maxAliasNames {
		f.Add(pointer+"/aliases", "must have at most %d items", maxAliasNames)
		return f
	}
	for i, a := range t.aliases {
		if n := utf8.RuneCountInString(a); n > maxName || strings.TrimSpace(a) == "" {
			f.Add(fmt.Sprintf("%s/aliases/%d", pointer, i), "must have 1 to %d characters, not all blank", maxName)
		}
	}
	for _, fault := range (Mention{Name: t.name, Attributes: t.attributes}).Faults(pointer) {
		if fault.Pointer == pointer+"/name" {
			fault.Pointer = at
		}
		f = append(f, fault)
	}
	return f
}

// translation makes an observation of facts.
type translation struct {
	known    Knowledge
	subjects map[string]bool // names as written
	room     bool            // for names that only objects have
	out      Observation
	places   map[string]int // of mentions, by the keys of their names
	faults   tenure.Faults
}

// Faults returns the violations of the rules of a request, with JSON pointers.
func (r Remember) Faults() tenure.Faults {
	_, f := r.Observation(Knowledge{})
	return f
}

// Observation returns the request as an observation, or its faults. Equal names, by their keys, are one mention. An
// object is an entity if it is stated as one; if the same text is a subject of the request; or if the predicate takes
// entities and the text is a known name, that of somebody by a part, or a new one of a relation; or if nobody said what
// the predicate takes and the text is the full name of one known person: see [Knowledge] and worthAnEntity. It stays a
// value if the tenant defined another type of value, or if it is the subject's own name.
func (r Remember) Observation(k Knowledge) (Observation, tenure.Faults) {
	t := &translation{known: k, subjects: map[string]bool{}, places: map[string]int{}}
	t.room = 2*len(r.Facts) <= maxNames
	t.out = Observation{Source: r.Source, Scope: r.Scope, ObservedAt: r.ObservedAt, Text: r.Text, Addressee: r.Addressee,
		Classification: r.Classification, Extract: r.Extract}
	if len(r.Facts) == 0 && r.Text == "" {
		t.faults.Add("", "must have facts or text")
		return t.out, t.faults
	}
	if r.Scope.Kind == tenure.ScopeSession && r.Scope.SessionID == "" {
		t.faults.Add("/session_id", "is required by the scope session")
	}
	for _, f := range r.Facts {
		if s, ok := f.named(subject); ok {
			t.subjects[s.name] = true
		}
	}
	for i, f := range r.Facts {
		t.add(f, fmt.Sprintf("/facts/%d", i))
	}
	if len(t.out.Mentions) > maxNames {
		t.faults.Add("/facts", "must name at most %d things", maxNames)
	}
	if len(t.faults) > 0 {
		return t.out, t.faults
	}
	names := make([]string, len(t.out.Mentions))
	for i, m := range t.out.Mentions {
		names[i] = m.Name
	}
	for _, f := range t.out.Faults() {
		t.faults = append(t.faults, tenure.Field{Pointer: r.pointer(f.Pointer, names), Reason: f.Reason})
	}
	return t.out, t.faults
}

// add translates one fact.
func (t *translation) add(f Fact, pointer string) {
	c := Claim{
		Predicate: f.Predicate, Key: f.Key, Confidence: f.Confidence, Many: f.Many, ValidFrom: f.Since, ValidUntil: f.Until,
		Supersedes: f.Supersedes, DependsOn: f.DependsOn,
		Description: tenure.Description{ObjectType: f.Kind, Content: f.Content, Classification: f.Classification},
	}
	at := f.at(pointer, subject)
	s, fault := thingOf(f.Subject)
	if fault != nil {
		t.faults.Add(at+fault.Pointer, "%s", fault.Reason)
	} else if ref := t.refer(s, at, f.SubjectType, pointer+"/subject_type"); ref != nil {
		c.Subject = *ref
	}
	c.Value = t.value(f, s, pointer)
	t.out.Claims = append(t.out.Claims, c)
}

// value translates the object of a fact about a subject.
func (t *translation) value(f Fact, s thing, pointer string) Value {
	at := f.at(pointer, object)
	stated := f.ObjectType != "" || describes(f.Object)
	o, fault := thingOf(f.Object)
	switch {
	case stated && fault != nil:
		t.faults.Add(at+fault.Pointer, "%s", fault.Reason)
		return Value{}
	case stated, fault == nil && o.plain && t.isName(f.Predicate, s.name, o.name):
		return Value{Entity: t.refer(o, at, f.ObjectType, pointer+"/object_type")}
	case indexes(f.Object):
		t.faults.Add(at, "must be a name: there are no mentions here to count")
	}
	return Value{JSON: f.Object}
}

// indexes reports whether a value is what refers to a mention in the full form.
func indexes(raw json.RawMessage) bool {
	v := ParseValue(raw)
	return v.Entity != nil && v.Entity.Mention != nil
}

// isName reports whether a text that is the object of a predicate means an entity.
func (t *translation) isName(predicate, subject, name string) bool {
	switch typ := t.known.Types[predicate]; {
	case typ == tenure.EntityValue:
		one, known := t.known.Names[name]
		return t.subjects[name] || one || t.known.Full[name] != "" || !known && t.room && t.known.Relations[predicate] && worthAnEntity(name)
	case name == subject:
		return false
	case typ == "" || typ == tenure.AnyValue || typ == tenure.TextValue && !t.known.Defined[predicate]:
		return t.subjects[name] || t.known.Names[name] && t.known.mayRelate(predicate, name)
	}
	return false
}

// worthAnEntity reports whether a text that nobody called a name makes an entity. A first name alone does not: whose it
// is, nobody could say.
func worthAnEntity(name string) bool {
	l := words.Load()
	return l.LooksLikeName(name) && (len(strings.Fields(name)) > 1 || !l.MaybeGivenName(strings.ToLower(name)))
}

// namesAsTexts warns of the objects that are written like the name of a person and stay texts, under a predicate that
// takes persons for all that is known.
func (r Remember) namesAsTexts(k Knowledge, in Observation) (list []tenure.Warning) {
	for i, f := range r.Facts {
		o, ok := f.named(object)
		if ok && o.plain && in.Claims[i].Value.Entity == nil && (k.Unknown[f.Predicate] || k.Relations[f.Predicate]) &&
			words.Load().LooksLikePerson(o.name) {
			list = append(list, tenure.Warning{Code: tenure.NameAsText, Pointer: f.at(fmt.Sprintf("/facts/%d", i), object)})
		}
	}
	return list
}

// unsure lists the facts whose object is a text that is not stated to be an entity.
func (r Remember) unsure() []question {
	var list []question
	for _, f := range r.Facts {
		if o, ok := f.named(object); ok && o.plain && f.ObjectType == "" {
			list = append(list, question{f.Predicate, o.name})
		}
	}
	return list
}

// refer returns the reference to an entity that a fact names, and adds its mention if it is new; nil if it is at fault.
// typ is the type that the fact states beside it, at typeAt.
func (t *translation) refer(o thing, at, typ, typeAt string) *Ref {
	if f := o.faults(at); len(f) > 0 {
		t.faults = append(t.faults, f...)
		return nil
	}
	if o.entity != "" {
		if typ != "" {
			t.faults.Add(typeAt, "must not be stated of an entity_id")
		}
		return &Ref{EntityID: o.entity}
	}
	if o.typ == "" {
		o.typ = typ
	} else if typeAt = at + "/type"; typ != "" && typ != o.typ {
		t.faults.Add(typeAt, "differs from the type %q that the fact states beside it", typ)
		return nil
	}
	o.name = cmp.Or(t.known.Full[o.name], o.name)
	key := text.Key(o.name)
	i, known := t.places[key]
	if !known {
		i = len(t.out.Mentions)
		t.places[key] = i
		t.out.Mentions = append(t.out.Mentions, Mention{Name: o.name})
	}
	m := &t.out.Mentions[i]
	switch {
	case m.Type == "":
		m.Type = o.typ
	case o.typ != "" && o.typ != m.Type:
		t.faults.Add(typeAt, "differs from the type %q of the same name in this request: name two things apart", m.Type)
	}
	include(m, o)
	return &Ref{Mention: &i}
}

// include adds what a fact states of an entity to its mention.
func include(m *Mention, o thing) {
	for _, a := range o.aliases {
		if !slices.Contains(m.Aliases, a) {
			m.Aliases = append(m.Aliases, a)
		}
	}
	for kind, values := range o.attributes {
		if m.Attributes == nil {
			m.Attributes = map[string][]string{}
		}
		for _, v := range values {
			if !slices.Contains(m.Attributes[kind], v) {
				m.Attributes[kind] = append(m.Attributes[kind], v)
			}
		}
	}
}
