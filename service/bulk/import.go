package bulk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenure"
	"tenure/changefeed"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/service"
	"tenure/service/resolution"

	"tenure/attribute"
	"tenure/store"
)

// Row is one imported row of a system of record.
type Row struct {
	Record     tenure.Record
	Name       string
	Type       string
	Aliases    []string
	Attributes map[string][]string
	Context    string
	Project    string
}

// ImportConfig sets the actor and the scope of an import. Progress receives the counts after each group of
// rows, LeftOut each row that has neither a name nor an attribute that identifies; both may be nil.
type ImportConfig struct {
	Caller          tenure.Caller
	Origin          string
	AuthorityLevel  int
	SourceAuthority float64
	Progress        func(Imported)
	LeftOut         func(Row)
}

// Imported counts the outcomes of rows. Unchanged rows were imported before with the same content; rows are left out
// that nothing identifies. Later counts the outcomes of re-resolution so far.
type Imported struct {
	Rows, New, Merged, InReview, Unchanged, LeftOut int
	Later                                           resolution.Outcomes
}

// importGroup is how many rows are decided together.
const importGroup = 256

// Importer imports rows into a tenant through the write path of a service.
type Importer struct {
	store   store.Store
	service *service.Service
}

// NewImporter returns an importer over a service and its store.
func NewImporter(s store.Store, svc *service.Service) *Importer {
	return &Importer{store: s, service: svc}
}

// Import writes rows in order, each as an observation with one mention, and waits until they are re-resolved.
// It is idempotent: a row that was imported before with the same content is skipped, so that an import can be
// repeated, and an interrupted import resumes. next returns the next row, false after the last; at most one
// group of rows is held in memory.
func (m *Importer) Import(ctx context.Context, cfg ImportConfig, next func() (Row, bool)) (Imported, error) {
	var sum Imported
	before := m.service.Worker().Outcomes()
	later := func() {
		now := m.service.Worker().Outcomes()
		sum.Later = resolution.Outcomes{Merged: now.Merged - before.Merged, Opened: now.Opened - before.Opened}
	}
	for {
		group := take(next, importGroup)
		if len(group) == 0 {
			err := m.settle(ctx, cfg.Caller.Tenant)
			later()
			return sum, err
		}
		if err := m.group(ctx, cfg, group, &sum); err != nil {
			return sum, err
		}
		if err := m.keepUp(ctx, cfg.Caller.Tenant); err != nil {
			return sum, err
		}
		if later(); cfg.Progress != nil {
			cfg.Progress(sum)
		}
	}
}

// take returns the next n rows, fewer at the end of the input.
func take(next func() (Row, bool), n int) []Row {
	var group []Row
	for len(group) < n {
		r, ok := next()
		if !ok {
			break
		}
		group = append(group, r)
	}
	return group
}

// importLag is how many entries re-resolution may lag behind during an import. What is re-resolved soon is still in the
// caches that deciding it has filled, and every row is decided on what the rows before it have come to.
const importLag = 2000

// keepUp waits for re-resolution while it lags more than importLag entries behind.
func (m *Importer) keepUp(ctx context.Context, tenant string) error {
	lag, err := m.service.Worker().Unresolved(ctx, tenant)
	if err == nil && lag > importLag {
		err = m.service.Worker().CatchUp(ctx, tenant)
	}
	return unlessParked(err)
}

// unlessParked returns the error of waiting for re-resolution, nil if it is parked: the rows are written without it, as
// the writes of callers are.
func unlessParked(err error) error {
	if errors.Is(err, changefeed.ErrParked) {
		return nil
	}
	return err
}

func (m *Importer) group(ctx context.Context, cfg ImportConfig, group []Row, sum *Imported) error {
	known, err := m.compare(ctx, cfg.Caller.Tenant, group)
	if err != nil {
		return err
	}
	var items []service.BatchItem
	var rows []Row
	for i, r := range group {
		switch known[i] {
		case rowUnchanged:
			sum.Unchanged++
			continue
		case rowUnidentified:
			sum.LeftOut++
			if cfg.LeftOut != nil {
				cfg.LeftOut(r)
			}
			continue
		}
		rows = append(rows, r)
		items = append(items, service.BatchItem{Observation: service.Observation{
			Source: service.Source{
				Origin: cfg.Origin, AuthorityLevel: &cfg.AuthorityLevel, SourceAuthority: &cfg.SourceAuthority,
			},
			Scope:    tenure.Scope{ProjectID: r.Project},
			Mentions: []service.Mention{r.mention()},
		}})
	}
	for i, res := range m.service.ObserveBatch(ctx, cfg.Caller, items) {
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
	sum.Rows = sum.New + sum.Merged + sum.InReview + sum.Unchanged
	return nil
}

func (r Row) mention() service.Mention {
	return service.Mention{
		Name: r.Name, Type: r.Type, Aliases: r.Aliases, Attributes: r.Attributes, Context: r.Context, Record: &r.Record,
	}
}

// rowState is what an import knows of a row before it writes it.
type rowState int

const (
	rowNew          rowState = iota // or changed
	rowUnchanged                    // it was imported before with the same content
	rowUnidentified                 // it has neither a name nor an attribute that identifies
)

// compare compares rows with what was imported before.
func (m *Importer) compare(ctx context.Context, tenant string, group []Row) ([]rowState, error) {
	view, aliases, err := m.rowAliases(ctx, tenant, group)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, o := range slices.Concat(aliases...) {
		ids = append(ids, o.Mention)
	}
	found, err := view.Mentions(ctx, ids)
	if err != nil {
		return nil, err
	}
	said := map[tenure.Record][]tenure.Mention{}
	for _, rec := range found {
		if rec.Mention.Record != nil {
			said[*rec.Mention.Record] = append(said[*rec.Mention.Record], rec.Mention)
		}
	}
	states := make([]rowState, len(group))
	txn := ledger.NewTxn(view)
	for i, r := range group {
		says := ingest.MentionOf(r.mention(), r.Project)
		says.Label.Scope.ProjectID = r.Project
		if says.IdentifierKinds, err = attribute.OwnKinds(ctx, txn, says.Attributes); err != nil {
			return nil, err
		}
		switch {
		case restatesLatest(says, said[r.Record]):
			states[i] = rowUnchanged
		case ingest.Identifiable(says, "") != nil:
			states[i] = rowUnidentified
		}
	}
	return states, nil
}

// restatesLatest reports whether a row says what the latest of some mentions of it says, of those in its project and
// with its label.
func restatesLatest(says tenure.Mention, before []tenure.Mention) bool {
	var latest tenure.Mention
	for _, m := range before {
		if m.Project == says.Project && m.Label == says.Label && m.ID > latest.ID {
			latest = m
		}
	}
	return latest.ID != "" && registry.Restates(says, latest)
}

// rowAliases lists for each row the aliases under its record key, the latest first, with the state that they are from.
func (m *Importer) rowAliases(ctx context.Context, tenant string, rows []Row) (store.Reader, [][]tenure.Alias, error) {
	view, err := m.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, nil, err
	}
	keys := make([]tenure.AliasKey, len(rows))
	for i, r := range rows {
		keys[i] = attribute.RecordAliasKey(r.Record)
	}
	found, err := view.AliasesByKey(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	of := map[tenure.AliasKey][]tenure.Alias{}
	for _, o := range found {
		of[o.Key] = append(of[o.Key], o)
	}
	list := make([][]tenure.Alias, len(rows))
	for i, f := range keys {
		list[i] = registry.LatestFirst(of[f])
	}
	return view, list, nil
}

// settlings bounds how often settle catches up with the writes of re-resolution: a merge may lead to another,
// and other processes may write continuously.
const settlings = 16

// settle waits until re-resolution writes nothing more.
func (m *Importer) settle(ctx context.Context, tenant string) error {
	before := tenure.Seq(-1)
	for range settlings {
		if err := unlessParked(m.service.Worker().CatchUp(ctx, tenant)); err != nil {
			return err
		}
		view, err := m.store.View(ctx, tenant, tenure.Present)
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

// EntitiesOf returns the canonical entity of each row as its project sees it; "" for an unknown row.
func (m *Importer) EntitiesOf(ctx context.Context, tenant string, rows []Row) ([]tenure.ID, error) {
	view, aliases, err := m.rowAliases(ctx, tenant, rows)
	if err != nil {
		return nil, err
	}
	var ids []tenure.ID
	for _, o := range slices.Concat(aliases...) {
		ids = append(ids, o.Entity)
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
		for _, o := range aliases[i] {
			if e := known[o.Entity]; list[i] == "" && (e.Project == "" || e.Project == r.Project) {
				list[i] = e.Root()
			}
		}
	}
	return list, nil
}
