package ingest

import (
	"context"

	"tenure"
	"tenure/attribute"
	"tenure/ledger"
)

// DefineKinds adds the tenant's identifier kinds to the attributes of mentions, as a write does.
func DefineKinds(ctx context.Context, txn *ledger.Txn, mentions []tenure.Mention) error {
	var wanted ledger.Prefetch
	for _, m := range mentions {
		wanted.Terms = append(wanted.Terms, attribute.KindTerms(m.Attributes)...)
	}
	if len(wanted.Terms) == 0 {
		return nil
	}
	wanted.Vocabularies = []string{tenure.IdentifierKinds}
	if err := txn.Load(ctx, wanted); err != nil {
		return err
	}
	for i := range mentions {
		var err error
		if mentions[i].IdentifierKinds, err = attribute.OwnKinds(ctx, txn, mentions[i].Attributes); err != nil {
			return err
		}
	}
	return nil
}
