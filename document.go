package tenure

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// MediaType says how the text of a document is written.
type MediaType string

// The media types of documents.
const (
	PlainText MediaType = "text/plain"
	Markdown  MediaType = "text/markdown"
)

// The authority levels that a document may have: inferred or retrieved. It is data, and never a rule.
const (
	InferredLevel  = 3
	RetrievedLevel = 4
)

// Document is one version of a text that was ingested. Its text is that of its passages.
type Document struct {
	ID ID `json:"id"`
	// URI is the identity of the document among those of its label and scope: see [DocumentID].
	URI            string          `json:"uri,omitempty"`
	Title          string          `json:"title,omitempty"`
	Source         Source          `json:"source"`
	Scope          Scope           `json:"scope"`
	Classification Classification  `json:"classification"`
	Permission     PermissionScope `json:"permission_scope,omitzero"`
	MediaType      MediaType       `json:"media_type"`
	ObservedAt     Instant         `json:"observed_at"`
	ReceivedAt     Instant         `json:"received_at"`
	Actor          string          `json:"actor"`
	// Digest is equal for versions that say the same: see [Document.DigestOf].
	Digest string `json:"digest,omitempty"`
	// Version counts from 1. The version in which the document was withdrawn has no passages.
	Version  int `json:"version"`
	Passages int `json:"passages,omitempty"`
	Tokens   int `json:"tokens,omitempty"`
	// Withdrawn reports whether there is no such document any more, Erased whether the version is a tombstone.
	Withdrawn bool `json:"withdrawn,omitempty"`
	Erased    bool `json:"erased,omitempty"`
}

// Label says who may see the document and its passages.
func (d Document) Label() Label { return NewLabel(d.Classification, d.Scope, d.Permission) }

// DocumentID returns the id of the document with a URI, a scope and a label. Two labels are two documents, so that none
// tells of what is hidden from who sees the other.
func DocumentID(uri string, s Scope, l Label) ID {
	return DerivedID("document", l.Name(), string(s.Canonical().Kind), uri)
}

// DigestOf returns the digest of the document with a text: of all that it says and how far it is trusted, but not of
// when it was observed.
func (d Document) DigestOf(text string) string {
	body, err := json.Marshal([]any{
		d.Title, d.MediaType, d.Source.AuthorityLevel, d.Source.SourceAuthority, text,
	})
	if err != nil {
		panic(err) // texts and numbers always have a JSON encoding
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Passage is a part of a version of a document. It never changes, and is read as long as the version is.
type Passage struct {
	ID       ID  `json:"id"`
	Document ID  `json:"document"`
	Version  int `json:"version"`
	// Number is the place in the document, from 1.
	Number int `json:"number"`
	// Headings are those under which the passage begins, the outermost first.
	Headings []string `json:"headings,omitempty"`
	// Preamble says where the passage comes from, for who finds it alone.
	Preamble string `json:"preamble,omitempty"`
	Text     string `json:"text,omitempty"`
	// Tokens counts those of Text.
	Tokens int `json:"tokens,omitempty"`
	// Erased reports whether the passage is a tombstone.
	Erased bool `json:"erased,omitempty"`
}

// PassageID returns the id of a passage of a version of a document.
func PassageID(document ID, version, number int) ID {
	return DerivedID("passage", string(document), strconv.Itoa(version), strconv.Itoa(number))
}

// ComparePassages orders passages by document, version and number.
func ComparePassages(a, b Passage) int {
	return cmp.Or(cmp.Compare(a.Document, b.Document), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Number, b.Number))
}

// DocumentConflict returns the conflict key of a document.
func DocumentConflict(id ID) ConflictKey { return ConflictKey("document\x1f" + string(id)) }

// DocumentPut puts the first or the next version of a document, with its passages.
type DocumentPut struct {
	Document Document
	Passages []Passage
}

// Entry implements [Change].
func (c DocumentPut) Entry() EntryChange {
	return EntryChange{Kind: KindDocumentPut, ID: c.Document.ID}
}

// WriteSet implements [Change].
func (c DocumentPut) WriteSet() []ConflictKey { return []ConflictKey{DocumentConflict(c.Document.ID)} }

// Accept implements [Change].
func (c DocumentPut) Accept(v ChangeVisitor) error { return v.DocumentPut(c) }

// Evidence implements [Change].
func (c DocumentPut) Evidence() any { return []any{c.Document, c.Passages} }

// Withdraw returns the version in which a credential withdraws the document: it has no passages.
func (d Document) Withdraw(actor string, at Instant) Document {
	d.Version, d.Withdrawn, d.Actor, d.ReceivedAt = d.Version+1, true, actor, at
	d.Passages, d.Tokens, d.Digest = 0, 0, ""
	return d
}

// Erase returns the tombstone of the version: its label, weight, times and size.
func (d Document) Erase() Document {
	d.URI, d.Title, d.Digest, d.Source, d.Erased = "", "", "", d.Source.erase(), true
	return d
}

// Erase returns the tombstone of the passage.
func (p Passage) Erase() Passage {
	return Passage{ID: p.ID, Document: p.Document, Version: p.Version, Number: p.Number, Tokens: p.Tokens, Erased: true}
}
