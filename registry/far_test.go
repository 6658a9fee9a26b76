package registry_test

import (
	"context"
	"testing"

	"tenure"
	"tenure/ledger"
)

// calls gives an entity another name.
type calls struct {
	id   tenure.ID
	name string
}

func (c calls) Plan() ledger.Plan { return nil }

func (c calls) Decide(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	e, err := txn.Entity(ctx, c.id)
	if err != nil {
		return nil, err
	}
	next := *e
	next.Name, next.Names = c.name, []string{c.name}
	txn.Put(tenure.EntityPut{Entity: next})
	return nil, nil
}

// TestACandidateIsAssessedAsItIs re-resolves an entity whose only candidate was unlike it, and is called much like it
// since then, by an earlier decision of its group, or not at all.
func TestACandidateIsAssessedAsItIs(t *testing.T) {
	const like = "Ottoline Fetherstonehaugh"
	for name, change := range map[string]func(t *town, c ledger.Command, id tenure.ID){
		"since": func(t *town, c ledger.Command, id tenure.ID) {
			t.w.Do(t.T, calls{id, like})
			t.w.Do(t.T, c)
		},
		"in-the-group": func(t *town, c ledger.Command, id tenure.ID) { t.w.Do(t.T, calls{id, like}, c) },
		"never":        func(t *town, c ledger.Command, _ tenure.ID) { t.w.Do(t.T, c) },
	} {
		t.Run(name, func(t *testing.T) {
			town := newTown(t)
			one, other := town.meet("Ottoline Featherstonehaugh", bornThen, ""), town.meet("Bruno Kessel", bornThen, "")
			if town.look(one); one == other || town.entity(other).Status == tenure.EntityMerged {
				t.Fatal("the two are one from the start")
			}
			c := town.resolution(one)
			change(town, c, other)
			f := c.Findings()
			if asked := f.Opened != nil && f.Opened.Entity == one; asked != (name != "never") || f.Merged != "" {
				t.Errorf("%+v", f)
			}
		})
	}
}
