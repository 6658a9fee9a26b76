package documents

import (
	"cmp"
	"strings"
	"unicode"

	"tenure"
	"tenure/passages"
)

// Input is a document as a caller states it. What is nil or "" has a default: media type text/plain, the authority
// level of what is retrieved, a source authority of 0.5, the classification restricted, observed now.
type Input struct {
	URI, Title, Text string
	MediaType        tenure.MediaType
	AuthorityLevel   *int
	SourceAuthority  *float64
	Scope            tenure.Scope
	Classification   tenure.Classification
	Permission       tenure.PermissionScope
	ObservedAt       *tenure.Instant
}

// MostBytes bounds a text.
const MostBytes = 1_000_000

// Faults returns the violations of the rules of the fields that a schema does not say, with JSON pointers.
func (in Input) Faults() tenure.Faults {
	var f tenure.Faults
	for _, field := range []struct{ pointer, text, allowed string }{
		{"/uri", in.URI, ""}, {"/title", in.Title, ""}, {"/text", in.Text, "\t\n\r\f"},
	} {
		control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(field.allowed, r) }
		switch i := strings.IndexFunc(field.text, control); {
		case i >= 0:
			f.Add(field.pointer, "has a control character, after %d bytes", i)
		case strings.TrimSpace(field.text) == "" && field.pointer != "/title":
			f.Add(field.pointer, "must not be blank")
		}
	}
	if len(in.Text) > MostBytes {
		f.Add("/text", "must have at most %d bytes", MostBytes)
	}
	if l := in.AuthorityLevel; l != nil && (*l < tenure.InferredLevel || *l > tenure.RetrievedLevel) {
		f.Add("/authority_level", "must be %d or %d: documents are data, never rules", tenure.InferredLevel,
			tenure.RetrievedLevel)
	}
	if in.MediaType != "" && in.MediaType != tenure.PlainText && in.MediaType != tenure.Markdown {
		f.Add("/media_type", "must be %s or %s", tenure.PlainText, tenure.Markdown)
	}
	return f
}

// Document returns the document that a caller states, with its passages, without what only the state tells: the version
// and the ids of the passages. It returns AuthorityTooHigh for a level that the caller may not state.
func (in Input) Document(c tenure.Caller, count passages.Counter) (tenure.Document, []tenure.Passage, error) {
	level, err := c.Level(in.AuthorityLevel, tenure.RetrievedLevel, "/authority_level")
	if err != nil {
		return tenure.Document{}, nil, err
	}
	d := tenure.Document{
		URI: in.URI, Title: strings.TrimSpace(in.Title), Scope: in.Scope.Canonical(), Permission: in.Permission,
		Source:         tenure.Source{Origin: in.URI, AuthorityLevel: level, SourceAuthority: 0.5},
		Classification: in.Classification, MediaType: cmp.Or(in.MediaType, tenure.PlainText), Actor: c.Actor,
	}
	if in.SourceAuthority != nil {
		d.Source.SourceAuthority = *in.SourceAuthority
	}
	if in.ObservedAt != nil {
		d.ObservedAt = *in.ObservedAt
	}
	if d.Classification == "" {
		d.Classification = c.Unstated()
	}
	d.ID = tenure.DocumentID(d.URI, d.Scope, d.Label())
	d.Digest = d.DigestOf(in.Text)
	list := passages.Cut(d.Title, in.Text, d.MediaType, count)
	d.Passages = len(list)
	for _, p := range list {
		d.Tokens += p.Tokens
	}
	return d, list, nil
}
