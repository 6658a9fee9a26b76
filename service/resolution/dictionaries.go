package resolution

import (
	"context"
	"sync"

	"tenure"
	"tenure/index"
	"tenure/ner"
)

// dictionaries holds the names of each tenant's entities, for the extraction of
// mentions. It is an [index.Sink] in memory.
type dictionaries struct {
	mu      sync.RWMutex
	tenants map[string]*dictionary
}

type dictionary struct {
	*ner.Dictionary
	upTo tenure.Seq
}

func (d *dictionaries) of(tenant string) *dictionary {
	d.mu.Lock()
	defer d.mu.Unlock()
	have := d.tenants[tenant]
	if have == nil {
		have = &dictionary{Dictionary: ner.NewDictionary()}
		d.tenants[tenant] = have
	}
	return have
}

func (d *dictionaries) Cursor(tenant string) (tenure.Seq, error) {
	t := d.of(tenant)
	d.mu.RLock()
	defer d.mu.RUnlock()
	return t.upTo, nil
}

func (d *dictionaries) Put(
	_ context.Context, tenant string, docs []index.Document, removed []tenure.ID, upTo tenure.Seq,
) error {
	t := d.of(tenant)
	for _, doc := range docs {
		t.SetNames(doc.Entity, doc.Type, namesOf(doc)...)
	}
	for _, id := range removed {
		t.Remove(id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t.upTo = max(t.upTo, upTo)
	return nil
}

func (d *dictionaries) Reset(_ context.Context, tenant string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.tenants, tenant)
	return nil
}

// namesOf lists the names of an entity, with those that hold in one project only.
func namesOf(doc index.Document) []ner.Name {
	names := make([]ner.Name, 0, len(doc.Names)+len(doc.Local))
	for _, n := range doc.Names {
		names = append(names, ner.Name{Project: doc.Project, Spelling: n})
	}
	for project, local := range doc.Local {
		for _, n := range local {
			names = append(names, ner.Name{Project: project, Spelling: n})
		}
	}
	return names
}
