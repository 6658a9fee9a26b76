package documents

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/labels"
	"tenure/ledger"
)

// The names of the commands in the log.
const (
	PutOperation      = "ingest_document"
	WithdrawOperation = "withdraw_document"
)

// Effect is what a put did to a document.
type Effect string

// The effects of a put.
const (
	Added     Effect = "added"
	Replaced  Effect = "replaced"
	Unchanged Effect = "unchanged"
)

// Answer is what became of a document.
type Answer struct {
	ID       tenure.ID `json:"document_id"`
	Effect   Effect    `json:"effect,omitempty"`
	Version  int       `json:"version"`
	Passages int       `json:"passages"`
	Tokens   int       `json:"tokens"`
	// Since is when an unchanged document was received. The time of the state would tell of other writes.
	Since tenure.Instant `json:"since,omitempty"`
}

func answerOf(d tenure.Document, e Effect) Answer {
	return Answer{ID: d.ID, Effect: e, Version: d.Version, Passages: d.Passages, Tokens: d.Tokens}
}

// Put puts the next version of a document: see [Input.Document].
type Put struct {
	Caller   tenure.Caller
	Document tenure.Document
	Passages []tenure.Passage
}

// Plan lists what Decide reads.
func (p Put) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Documents: []tenure.ID{p.Document.ID}})
}

// Decide replaces what is under the URI, unless it says the same. It returns Forbidden for a document that the caller
// does not see, which the answer would tell of, and AuthorityTooHigh if the one that is there has a stronger level than
// the caller may state.
func (p Put) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	d := p.Document
	if !audience.Of(p.Caller).Sees(d.Label()) {
		return nil, tenure.FieldError(tenure.Forbidden, "/security_classification",
			"and permission_scope must let this key see the document: it is told what was there before")
	}
	have, err := txn.Document(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	effect := Added
	d.Version = 1
	if have != nil {
		d.Version = have.Version + 1
	}
	if have != nil && !have.Withdrawn {
		if err := p.Caller.MayState(have.Source.AuthorityLevel, ""); err != nil {
			return nil, err
		}
		if have.Digest == d.Digest {
			a := answerOf(*have, Unchanged)
			a.Since = have.ReceivedAt
			return a, nil
		}
		effect = Replaced
	}
	if d.ReceivedAt = m.Now; d.ObservedAt == 0 {
		d.ObservedAt = m.Now
	}
	list := slices.Clone(p.Passages)
	for i := range list {
		list[i].ID = tenure.PassageID(d.ID, d.Version, list[i].Number)
		list[i].Document, list[i].Version = d.ID, d.Version
	}
	l := d.Label()
	l.Scope = tenure.Scope{}
	if err := labels.Use(ctx, txn, l); err != nil {
		return nil, err
	}
	txn.Put(tenure.DocumentPut{Document: d, Passages: list})
	return answerOf(d, effect), nil
}

// Withdraw withdraws a document.
type Withdraw struct {
	Caller tenure.Caller
	ID     tenure.ID
}

// Plan lists what Decide reads.
func (w Withdraw) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Documents: []tenure.ID{w.ID}})
}

// Decide withdraws the document. It returns NotFound for one that is withdrawn or that the caller does not see, and
// AuthorityTooHigh if it has a stronger level than the caller may state.
func (w Withdraw) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	d, err := txn.Document(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	if d == nil || d.Withdrawn || !audience.Of(w.Caller).Sees(d.Label()) {
		return nil, tenure.Errorf(tenure.NotFound, "there is no such document")
	}
	if err := w.Caller.MayState(d.Source.AuthorityLevel, ""); err != nil {
		return nil, err
	}
	next := d.Withdraw(w.Caller.Actor, m.Now)
	txn.Put(tenure.DocumentPut{Document: next})
	return answerOf(next, ""), nil
}
