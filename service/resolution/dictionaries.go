package resolution

import (
	"context"
	"slices"
	"sync"

	"tenure"
	"tenure/changefeed"
	"tenure/index"
	"tenure/ner/alias"
)

// dictionaries caches the entity names of each tenant in memory, for mention extraction. It implements
// [changefeed.Consumer], and has what was erased forgotten by session memory.
type dictionaries struct {
	mu      sync.Mutex
	tenants map[string]*dictionary
	// forget drops the names that sessions used.
	forget func()
}

type dictionary struct {
	*alias.Dictionary
	upTo tenure.Seq
}

func (d *dictionaries) of(tenant string) *dictionary {
	d.mu.Lock()
	defer d.mu.Unlock()
	have := d.tenants[tenant]
	if have == nil {
		have = &dictionary{Dictionary: alias.NewDictionary()}
		d.tenants[tenant] = have
	}
	return have
}

// Checkpoint returns the sequence number up to which the dictionary covers a tenant's log.
func (d *dictionaries) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	t := d.of(tenant)
	d.mu.Lock()
	defer d.mu.Unlock()
	return t.upTo, nil
}

// Apply updates the names of the entities in a page.
func (d *dictionaries) Apply(ctx context.Context, p changefeed.Page) error {
	t := d.of(p.Tenant)
	if slices.ContainsFunc(p.Entries, tenure.Entry.Erases) {
		d.forget()
	}
	if ids := index.Touched(p.Entries); len(ids) > 0 {
		entities, err := p.State.Entities(ctx, ids)
		if err != nil {
			return err
		}
		aliases, err := p.State.AliasesOf(ctx, ids)
		if err != nil {
			return err
		}
		names := namesOf(entities, aliases)
		for _, id := range ids {
			t.Remove(id) // including entities that no longer exist
		}
		for _, e := range entities {
			t.SetNames(e.ID, e.Type, names[e.ID]...)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t.upTo = max(t.upTo, p.UpTo())
	return nil
}

// Reset drops the dictionary of a tenant.
func (d *dictionaries) Reset(_ context.Context, tenant string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.tenants, tenant)
	return nil
}

// maxNames bounds the names of an entity in a project, of each label, so that an entity with thousands of names does
// not slow the others down.
const maxNames = 256

// namesOf lists the names of entities, including project-specific names.
func namesOf(entities []tenure.Entity, aliases []tenure.Alias) map[tenure.ID][]alias.Name {
	project := make(map[tenure.ID]string, len(entities))
	for _, e := range entities {
		project[e.ID] = e.Project
	}
	type naming struct {
		entity  tenure.ID
		project string
		label   tenure.Label
	}
	names, counts := map[tenure.ID][]alias.Name{}, map[naming]int{}
	for _, o := range aliases {
		of := naming{o.Entity, o.Project, o.Label}
		if of.project == "" {
			of.project = project[o.Entity]
		}
		if o.Key.Kind == tenure.NameAlias && counts[of] < maxNames {
			counts[of]++
			names[o.Entity] = append(names[o.Entity], alias.Name{Project: of.project, Spelling: o.Spelling, Label: o.Label})
		}
	}
	return names
}
