package erasure

import (
	"context"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// document collects a document, one that was withdrawn, too.
func (c *collector) document(ctx context.Context, id tenure.ID) error {
	found, err := c.r.Documents(ctx, []tenure.ID{id})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return tenure.Errorf(tenure.NotFound, "there is no such document")
	}
	c.put(found[0])
	return nil
}

// put adds a document. What has a passage of it names it, too.
func (c *collector) put(d tenure.Document) {
	c.plan.IDs[d.ID] = true
	if !d.Erased {
		c.said(d.URI)
		c.plan.Documents = append(c.plan.Documents, d.ID)
	}
}

// documentsOf collects the documents that are private to a user.
func (c *collector) documentsOf(ctx context.Context, user string) error {
	for q := (store.DocumentQuery{Withdrawn: true, Limit: pageSize}); ; {
		list, err := c.r.ListDocuments(ctx, q)
		if err != nil {
			return err
		}
		for _, d := range list {
			if d.Scope.UserID == user {
				c.put(d)
			}
			q.After = d.ID
		}
		if len(list) < q.Limit {
			return nil
		}
	}
}

// documents withdraws and erases documents.
func (d *decision) documents(ctx context.Context, ids []tenure.ID) error {
	if err := d.txn.Load(ctx, ledger.Prefetch{Documents: ids}); err != nil {
		return err
	}
	for _, id := range ids {
		have, err := d.txn.Document(ctx, id)
		if err != nil {
			return err
		}
		if have != nil && !have.Withdrawn {
			// without content from the start: the digest of this change set covers the version as it stays
			d.txn.Put(tenure.DocumentPut{Document: have.Withdraw(d.actor, d.mint.Now).Erase()})
		}
		d.txn.Put(tenure.ContentErased{Kind: tenure.ErasedDocument, ID: id})
	}
	return nil
}
