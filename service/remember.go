package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tenure"
	"tenure/auth"
	"tenure/ner/words"
	"tenure/service/view"
	"tenure/text"
	"tenure/vocabulary"
)

// Remember is an observation by names: triples instead of mentions and claims. Unset fields of Source and Scope are
// derived from the API key and the session.
type Remember struct {
	Source     Source
	Scope      tenure.Scope
	ObservedAt *tenure.Instant
	Text       string
	Addressee  string
	// Classification is that of the observation.
	Classification tenure.Classification
	// Extract is as in [Observation].
	Extract string
	Facts   []Fact
}

// Fact is a triple. Subject and Object are JSON as written: see [Remember.Observation]. Listed reports whether the
// fact was written as a list, so that pointers into it are indices.
type Fact struct {
	Subject, Object         json.RawMessage
	SubjectType, ObjectType string
	Listed                  bool
	Predicate, Key          string
	Since, Until            *tenure.Instant
	Confidence              *float64
	Many                    bool
	Supersedes, DependsOn   []string
	Kind                    tenure.ObjectType
	Content                 string
	Classification          tenure.Classification
}

// Remembered is the result of [Service.Remember]. Names are the names of the mentions, in their order. The pointers of
// warnings refer to the request.
type Remembered struct {
	Observed

	Names []string
}

// Remember writes facts as one observation: see [Service.Observe].
func (s *Service) Remember(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, r Remember,
) (Written[Remembered], error) {
	var out Written[Remembered]
	if err := r.Faults().Err(); err != nil {
		return out, err
	}
	scope, err := auth.Bind(c, r.Scope, "")
	if err != nil {
		return out, r.inBody(err, nil)
	}
	label := s.leastLabel(c, r, scope)
	known, err := s.knowledge(ctx, c, r.unsure(), scope, label)
	if err != nil {
		return out, err
	}
	if known.Full, err = s.fullNames(ctx, c, r, scope, label); err != nil {
		return out, err
	}
	in, faults := r.Observation(known)
	if err := faults.Err(); err != nil {
		return out, err
	}
	in.Source = sourceOf(c, in.Source)
	w, in, err := s.observe(ctx, c, key, in)
	names := make([]string, len(in.Mentions))
	for i, m := range in.Mentions {
		names[i] = m.Name
	}
	if err != nil {
		return out, r.inBody(err, names)
	}
	if w.Receipt.Replayed { // what is known now may differ from what was known then
		if names, err = s.namesIn(ctx, c, w.Answer.ObservationID); err != nil {
			return out, err
		}
	}
	out.Receipt, out.Answer = w.Receipt, Remembered{Observed: w.Answer, Names: names}
	out.Answer.Warnings = slices.Clone(w.Answer.Warnings)
	for i := range out.Answer.Warnings {
		out.Answer.Warnings[i].Pointer = r.pointer(out.Answer.Warnings[i].Pointer, names)
	}
	out.Answer.Warnings = append(out.Answer.Warnings, r.namesAsTexts(known, in)...)
	return out, nil
}

// sourceOf fills in what a source lacks from the API key and the session.
func sourceOf(c tenure.Caller, s Source) Source {
	s.Speaker, s.Session = cmp.Or(s.Speaker, c.Name()), cmp.Or(s.Session, c.Bound.SessionID)
	switch {
	case s.Origin != "":
	case s.Session != "":
		s.Origin = "session://" + url.PathEscape(s.Session)
	default:
		s.Origin = "key://" + url.PathEscape(c.Name())
	}
	return s
}

// namesIn lists the names of the mentions of an observation.
func (s *Service) namesIn(ctx context.Context, c tenure.Caller, id tenure.ID) ([]string, error) {
	reader, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return nil, err
	}
	rec, err := reader.Observation(ctx, id)
	names := make([]string, len(rec.Mentions))
	for i, m := range rec.Mentions {
		names[i] = m.Name
	}
	return names, err
}

// Knowledge is what a tenant knows that decides whether a text is an entity or a value.
type Knowledge struct {
	// Types are the types of values of predicates.
	Types map[string]tenure.ValueType
	// Defined are the predicates whose type the tenant defined.
	Defined map[string]bool
	// Unknown are the predicates that nobody defined.
	Unknown map[string]bool
	// Relations are the predicates that have an inverse, except those whose values are places: a town is rarely a
	// subject, and a place that is a text is compared with finer and coarser ones.
	Relations map[string]bool
	// Names are the names that exactly one entity is known by.
	Names map[string]bool
	// Full maps first names and surnames, as written, to the full names of the people meant.
	Full map[string]string
}

// question is a fact whose object is a text that may be a name.
type question struct{ predicate, name string }

// leastLabel returns the label of those facts of a request that most may see: whoever sees one of the facts sees what
// all of them were read by.
func (s *Service) leastLabel(c tenure.Caller, r Remember, scope tenure.Scope) tenure.Label {
	l := s.observation(c, Observation{Scope: scope, Classification: r.Classification, Text: r.Text}.Labelled()).Label()
	if r.Classification != "" || len(r.Facts) == 0 {
		return l
	}
	lowest := tenure.HighlyRestricted
	for _, f := range r.Facts {
		if level := cmp.Or(f.Classification, l.Level()); level.Rank() < lowest.Rank() {
			lowest = level
		}
	}
	return tenure.NewLabel(lowest, l.Scope, l.Permission())
}

// knowledge looks up what is needed to answer the open questions, for evidence of a label.
func (s *Service) knowledge(
	ctx context.Context, c tenure.Caller, open []question, scope tenure.Scope, label tenure.Label,
) (Knowledge, error) {
	k := Knowledge{
		Types: map[string]tenure.ValueType{}, Defined: map[string]bool{}, Unknown: map[string]bool{},
		Relations: map[string]bool{}, Names: map[string]bool{},
	}
	if len(open) == 0 {
		return k, nil
	}
	v, err := view.OpenFor(ctx, s.store, c, label, s.mint().Now, s.matcher.Model)
	if err != nil {
		return k, err
	}
	predicates := make([]string, len(open))
	for i, q := range open {
		predicates[i] = q.predicate
	}
	terms, err := v.Predicates(ctx, predicates)
	if err != nil {
		return k, err
	}
	var names []string
	for _, q := range open {
		t := terms[q.predicate]
		k.Unknown[q.predicate], k.Relations[q.predicate] = t.Registered, relates(t)
		if !t.Registered {
			k.Types[q.predicate], k.Defined[q.predicate] = t.ValueType, !t.Base
		}
	}
	for _, q := range open {
		if k.Types[q.predicate] == tenure.EntityValue || k.mayRelate(q.predicate, q.name) {
			names = append(names, q.name)
		}
	}
	k.Names, err = v.Singular(ctx, names, scope.ProjectID)
	return k, err
}

// mayRelate reports whether a name may mean an entity as the value of a predicate: it is the full name of a person, the
// type of the values is not defined, and the predicate does not ask for a name.
func (k Knowledge) mayRelate(predicate, name string) bool {
	parts := strings.Split(vocabulary.Normal(predicate), "_")
	l := words.Load()
	return k.Unknown[predicate] && !spellings[parts[len(parts)-1]] && l.LooksLikePerson(name) && len(l.Untitled(name)) > 1
}

// spellings are the last words of predicates whose value is a text even if it is somebody's name.
var spellings = map[string]bool{
	"name": true, "names": true, "named": true, "called": true, "title": true, "titled": true, "label": true, "text": true,
	"alias": true, "pseudonym": true, "spelling": true, "heading": true, "inscription": true, "word": true, "words": true,
}

// relates reports whether a predicate is one of [Knowledge.Relations].
func relates(t tenure.Term) bool {
	converse, _ := vocabulary.Lookup(t.Inverse)
	return t.ValueType == tenure.EntityValue && t.Inverse != "" && !slices.Contains(converse.Subjects, placeKind)
}

// placeKind is the kind of subject that places are, in the base vocabulary.
const placeKind = "place"

// inBody translates the pointers of an error into those of the request.
func (r Remember) inBody(err error, names []string) error {
	e, ok := err.(*tenure.Error) //nolint:errorlint // use cases return it as it is
	if !ok {
		return err
	}
	translated := *e
	translated.Fields = nil
	for _, f := range e.Fields {
		translated.Fields = append(translated.Fields, tenure.Field{Pointer: r.pointer(f.Pointer, names), Reason: f.Reason})
	}
	return &translated
}

// renamed are the fields of a claim that a fact has under other names.
var renamed = map[string]string{
	"predicate": "predicate", "value": "object", "valid_from": "since", "valid_until": "until", "confidence_score": "confidence",
	"object_type": "kind",
}

// pointer translates a pointer into an observation into one into the request. names are those of the mentions.
func (r Remember) pointer(pointer string, names []string) string {
	var i int
	part, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch part {
	case "source", "scope":
		if rest == "kind" {
			return "/scope"
		}
		return "/" + rest
	case "claims", "mentions":
		index, field, _ := strings.Cut(rest, "/")
		if _, err := fmt.Sscan(index, &i); err != nil || field == "" && part == "mentions" {
			return "/facts"
		}
		if part == "mentions" {
			return r.mention(names[i], field)
		}
		return r.fact(i, field)
	}
	return pointer
}

// fact returns the pointer of a claim's field.
func (r Remember) fact(i int, field string) string {
	at := fmt.Sprintf("/facts/%d", i)
	if field == "" {
		return at
	}
	name, rest, _ := strings.Cut(field, "/")
	switch {
	case name == "subject", name == "value":
		side := subject
		if name == "value" {
			side = object
		}
		at = r.Facts[i].at(at, side)
		if rest == "mention" {
			return at
		}
	case r.Facts[i].Listed && name == "predicate":
		at += "/1"
	default:
		at += "/" + cmp.Or(renamed[name], name)
	}
	if rest != "" {
		at += "/" + rest
	}
	return at
}

// mention returns the pointer to the field of a mention: where its name, or else a short form of it, is first stated
// with such a field.
func (r Remember) mention(name, field string) string {
	same := func(written string) bool { return text.Key(written) == text.Key(name) }
	short := func(written string) bool { return shortFor(written, name) }
	return cmp.Or(r.where(same, field), r.where(short, field))
}

// where returns the pointer to the field of the first name for which meant holds.
func (r Remember) where(meant func(written string) bool, field string) string {
	first := ""
	for i, f := range r.Facts {
		for _, s := range []side{subject, object} {
			t, ok := f.named(s)
			if !ok || !meant(t.name) {
				continue
			}
			at := f.at(fmt.Sprintf("/facts/%d", i), s)
			if first == "" {
				first = at
			}
			switch {
			case field == "name" && !t.plain:
				return at + "/name"
			case field == "name":
				return at
			case field == "type" && f.typeOf(s) != "":
				return fmt.Sprintf("/facts/%d/%s_type", i, s)
			case !t.plain:
				return at + "/" + field
			}
		}
	}
	return first
}
