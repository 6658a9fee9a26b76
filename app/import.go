package app

import (
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/httpapi"
	"tenure/ingest"
	"tenure/registry"
	"tenure/store"
)

// Row is one row of a system of record, as it is imported.
type Row struct {
	Record     tenure.Record
	Name       string
	Type       string
	Aliases    []string
	Attributes map[string][]string
	Context    string
	Project    string
}

// ImportConfig says in whose name rows are imported. Progress is told what has
// become of the rows so far; it may be nil.
type ImportConfig struct {
	Caller          tenure.Caller
	Origin          string
	AuthorityLevel  int
	SourceAuthority float64
	Progress        func(Imported)
}

// Imported counts what became of rows. Unchanged rows were there, and said the
// same. LaterMerged and LaterAsked are the entities that a second look merged into
// others, and those about which it asks.
type Imported struct {
	Rows, New, Merged, InReview, Unchanged int
	LaterMerged, LaterAsked                int
}

// importGroup is how many rows are decided at once.
const importGroup = 256

// Import takes rows through the write path in their order, each as an
// observation with one mention, and waits for the second look at them. A row
// that is there and says the same is left alone, so that an import can be
// repeated, and one that was interrupted goes on where it stopped. next gives the
// rows, false after the last; no more than a group of them is kept.
func (a *App) Import(ctx context.Context, cfg ImportConfig, next func() (Row, bool)) (Imported, error) {
	var sum Imported
	before := a.whois.looked()
	later := func() {
		now := a.whois.looked()
		sum.LaterMerged, sum.LaterAsked = now.merged-before.merged, now.asked-before.asked
	}
	for {
		var group []Row
		for len(group) < importGroup {
			r, ok := next()
			if !ok {
				break
			}
			group = append(group, r)
		}
		if len(group) == 0 {
			err := a.settle(ctx, cfg.Caller.Tenant)
			later()
			return sum, err
		}
		if err := a.importGroup(ctx, cfg, group, &sum); err != nil {
			return sum, err
		}
		if err := a.keepUp(ctx, cfg.Caller.Tenant); err != nil {
			return sum, err
		}
		if later(); cfg.Progress != nil {
			cfg.Progress(sum)
		}
	}
}

// importLag is how many entries the index may be behind in an import: what it has
// not passed is searched in memory, which has its bounds.
const importLag = 10_000

// keepUp waits for the index where it is far behind.
func (a *App) keepUp(ctx context.Context, tenant string) error {
	lag, err := a.whois.indexing.Lag(ctx, tenant)
	if err != nil || lag <= importLag {
		return err
	}
	return a.whois.resolving.CatchUp(ctx, tenant)
}

func (a *App) importGroup(ctx context.Context, cfg ImportConfig, group []Row, sum *Imported) error {
	known, err := a.unchanged(ctx, cfg.Caller.Tenant, group)
	if err != nil {
		return err
	}
	var items []httpapi.ObserveItem
	var rows []Row
	for i, r := range group {
		if known[i] {
			sum.Unchanged++
			continue
		}
		rows = append(rows, r)
		items = append(items, httpapi.ObserveItem{Input: ingest.Input{
			Source: ingest.Source{
				Origin: cfg.Origin, AuthorityLevel: &cfg.AuthorityLevel, SourceAuthority: &cfg.SourceAuthority,
			},
			Scope:    tenure.Scope{ProjectID: r.Project},
			Mentions: []ingest.Mention{r.mention()},
		}})
	}
	for i, res := range a.service.ObserveAll(ctx, cfg.Caller, items) {
		if res.Err != nil {
			return fmt.Errorf("row %s of %s: %w", rows[i].Record.ID, rows[i].Record.Source, res.Err)
		}
		switch res.Answer.Mentions[0].Outcome {
		case tenure.NewEntity:
			sum.New++
		case tenure.AutoMerge:
			sum.Merged++
		default:
			sum.InReview++
		}
	}
	sum.Rows += len(group)
	return nil
}

func (r Row) mention() ingest.Mention {
	return ingest.Mention{
		Name: r.Name, Type: r.Type, Aliases: r.Aliases, Attributes: r.Attributes, Context: r.Context, Record: &r.Record,
	}
}

// unchanged tells of each row whether it is there and says the same.
func (a *App) unchanged(ctx context.Context, tenant string, group []Row) ([]bool, error) {
	view, err := a.service.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, err
	}
	owners, err := rowOwners(ctx, view, group)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, list := range owners {
		for _, o := range list {
			ids = append(ids, o.Mention)
		}
	}
	found, err := view.Mentions(ctx, ids)
	if err != nil {
		return nil, err
	}
	said := map[tenure.Record][]tenure.Mention{}
	for _, m := range found {
		if m.Mention.Record != nil {
			said[*m.Mention.Record] = append(said[*m.Mention.Record], m.Mention)
		}
	}
	same := make([]bool, len(group))
	for i, r := range group {
		says := ingest.MentionOf(r.mention(), r.Project)
		same[i] = slices.ContainsFunc(said[r.Record], func(m tenure.Mention) bool { return registry.Restates(says, m) })
	}
	return same, nil
}

// rowOwners lists for each row who goes by its record.
func rowOwners(ctx context.Context, view store.Reader, rows []Row) ([][]tenure.Owner, error) {
	forms := make([]tenure.Form, len(rows))
	for i, r := range rows {
		forms[i] = registry.RecordForm(r.Record)
	}
	found, err := view.Owners(ctx, forms)
	if err != nil {
		return nil, err
	}
	of := map[tenure.Form][]tenure.Owner{}
	for _, o := range found {
		of[o.Form] = append(of[o.Form], o)
	}
	list := make([][]tenure.Owner, len(rows))
	for i, f := range forms {
		list[i] = of[f]
	}
	return list, nil
}

// settlings bounds how often settle looks for what the second look has written:
// a merge may lead to another, and others may write all the time.
const settlings = 16

// settle waits until the second look has nothing more to say of what was
// imported.
func (a *App) settle(ctx context.Context, tenant string) error {
	before := tenure.Seq(-1)
	for range settlings {
		if err := a.whois.resolving.CatchUp(ctx, tenant); err != nil {
			return err
		}
		view, err := a.service.store.View(ctx, tenant, tenure.Present)
		if err != nil {
			return err
		}
		seq, _ := view.State()
		if seq == before {
			return nil
		}
		before = seq
	}
	return nil
}

// EntitiesOf gives the canonical entity of each row, as seen from its project; ""
// for one that is not there.
func (a *App) EntitiesOf(ctx context.Context, tenant string, rows []Row) ([]tenure.ID, error) {
	view, err := a.service.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, err
	}
	owners, err := rowOwners(ctx, view, rows)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, of := range owners {
		for _, o := range of {
			ids = append(ids, o.Entity)
		}
	}
	entities, err := view.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := map[tenure.ID]tenure.Entity{}
	for _, e := range entities {
		known[e.ID] = e
	}
	list := make([]tenure.ID, len(rows))
	for i, r := range rows {
		for _, o := range owners[i] {
			if e := known[o.Entity]; e.Project == "" || e.Project == r.Project {
				list[i] = e.Root()
			}
		}
	}
	return list, nil
}
