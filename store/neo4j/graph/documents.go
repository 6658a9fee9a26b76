package graph

import (
	"tenure"
	"tenure/store/engine"
)

// DocumentPut collects a version of the document, and its passages.
func (b *Batch) DocumentPut(c tenure.DocumentPut) error {
	set, err := documentProps(c.Document, b.tx)
	if err != nil {
		return err
	}
	b.Documents.put(string(c.Document.ID), b.tx, set)
	for _, p := range c.Passages {
		set, err := passageProps(p)
		if err != nil {
			return err
		}
		set["tenant"], set["id"], set["document"], set["version"] = b.tenant, string(p.ID), string(p.Document), p.Version
		set["number"], set["place"], set["tx_start"] = p.Number, engine.Place(c.Document.Scope), b.tx
		b.Passages = append(b.Passages, props{"document": string(p.Document), "set": set})
	}
	return nil
}

func documentProps(d tenure.Document, tx int64) (props, error) {
	body, err := engine.Encode(d)
	s := d.Scope.Canonical()
	set := props{
		"body": stamp(tx, body), "uri": OrNull(d.URI), "uri_key": nil, "title": OrNull(d.Title),
		"authority_level": d.Source.AuthorityLevel, "source_authority": d.Source.SourceAuthority,
		"scope_kind": string(s.Kind), "user_id": OrNull(s.UserID), "project_id": OrNull(s.ProjectID),
		"session_id": OrNull(s.SessionID), "task_id": OrNull(s.TaskID), "security_classification": string(d.Classification),
		"media_type": string(d.MediaType), "observed_at": int64(d.ObservedAt), "version": d.Version,
		"passages": d.Passages, "tokens": d.Tokens, "withdrawn": d.Withdrawn,
	}
	if d.URI != "" {
		set["uri_key"] = Indexable(d.URI)
	}
	withTimes(set, "observed_at")
	return set, err
}

// passageProps returns what a passage says. Its text and its preamble are properties alone.
func passageProps(p tenure.Passage) (props, error) {
	set := props{"headings": Texts(p.Headings), "preamble": p.Preamble, "text": p.Text, "tokens": p.Tokens}
	p.Text, p.Preamble = "", ""
	body, err := engine.Encode(p)
	set["body"] = body
	return set, err
}

// DecodePassage decodes a passage from its body, its text and its preamble.
func DecodePassage(body, text, preamble string) (p tenure.Passage, err error) {
	err = engine.Decode(body, &p)
	p.Text, p.Preamble = text, preamble
	return p, err
}

// Document returns the properties of an erased version of a document.
func (n Node) Document() (map[string]any, error) {
	return erased(n.Body, tenure.Document.Erase, documentProps)
}

// Passage returns the properties of an erased passage.
func (n Node) Passage() (map[string]any, error) {
	var p tenure.Passage
	if err := engine.Decode(n.Body, &p); err != nil {
		return nil, err
	}
	return passageProps(p.Erase())
}
