package alias

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tenure"
	"tenure/ner"
)

// Dictionary holds aliases in memory, in a trie over normalised tokens. It is
// safe for concurrent use: a look-up sees all names of an entity or none. Nodes
// of removed aliases stay in the trie, for later aliases with the same prefix.
type Dictionary struct {
	mu       sync.RWMutex
	tokens   map[string]uint32 // interned, to their ids
	edges    map[edge]uint32   // to the child node
	heads    []uint32          // by node: the first sense, 0 for none
	senses   []sense           // senses[0] is unused
	free     uint32            // first unused sense, linked by next
	entities map[tenure.ID]uint32
	types    []string
	typeOf   map[string]uint16
	projects []string
	projectN map[string]uint32
	labels   []tenure.Label
	labelN   map[tenure.Label]uint32
}

type edge struct{ node, token uint32 }

// sense is an element of two linked lists: the senses of a node, and those of an
// entity.
type sense struct {
	entity  tenure.ID
	node    uint32
	next    uint32 // of the same node
	sibling uint32 // of the same entity
	project uint32 // 0 for all projects
	label   uint32
	typ     uint16
	lower   bool
}

// NewDictionary returns an empty dictionary.
func NewDictionary() *Dictionary {
	return &Dictionary{
		tokens: map[string]uint32{}, edges: map[edge]uint32{}, heads: make([]uint32, 1), senses: make([]sense, 1),
		entities: map[tenure.ID]uint32{}, typeOf: map[string]uint16{},
		projects: []string{""}, projectN: map[string]uint32{"": 0},
		labels: []tenure.Label{{}}, labelN: map[tenure.Label]uint32{{}: 0},
	}
}

// Name is an alias of an entity, visible in one project, or in all projects if
// Project is empty, to those who see evidence of its label.
type Name struct {
	Project, Spelling string
	Label             tenure.Label
}

// Set replaces the aliases of an entity by spellings that are visible in one
// project, or in all projects if project is empty.
func (d *Dictionary) Set(entity tenure.ID, typ, project string, spellings ...string) {
	names := make([]Name, len(spellings))
	for i, s := range spellings {
		names[i] = Name{Project: project, Spelling: s}
	}
	d.SetNames(entity, typ, names...)
}

// SetNames replaces the aliases of an entity. Names without any token are left
// out.
func (d *Dictionary) SetNames(entity tenure.ID, typ string, names ...Name) {
	paths := make([][]string, len(names))
	for i, n := range names {
		paths[i] = ner.Tokens(n.Spelling)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(entity)
	for i, path := range paths {
		if len(path) > 0 {
			d.insert(sense{
				entity: entity, typ: d.typeID(typ), project: d.projectID(names[i].Project), label: d.labelID(names[i].Label),
				lower: isLower(names[i].Spelling),
			}, path)
		}
	}
}

// Remove removes an entity with all its aliases.
func (d *Dictionary) Remove(entity tenure.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(entity)
}

// In returns the aliases that are visible in a project: its own, and those of all
// projects.
func (d *Dictionary) In(project string) ner.Aliases { return d.For(project, nil) }

// For returns the aliases that are visible in a project to those who see evidence of some labels; nil sees all.
func (d *Dictionary) For(project string, sees func(tenure.Label) bool) ner.Aliases {
	return view{d, project, sees}
}

func (d *Dictionary) insert(new sense, path []string) {
	node := uint32(0)
	for _, t := range path {
		node = d.step(node, t)
	}
	for s := d.heads[node]; s != 0; s = d.senses[s].next {
		if have := &d.senses[s]; have.entity == new.entity && have.project == new.project && have.label == new.label {
			have.lower = have.lower || new.lower
			return
		}
	}
	at := d.free
	if at == 0 {
		at = uint32(len(d.senses))
		d.senses = append(d.senses, sense{})
	} else {
		d.free = d.senses[at].next
	}
	new.node, new.next, new.sibling = node, d.heads[node], d.entities[new.entity]
	d.senses[at] = new
	d.heads[node], d.entities[new.entity] = at, at
}

// step returns the child of a node along a token, and adds both if needed.
func (d *Dictionary) step(node uint32, text string) uint32 {
	token, ok := d.tokens[text]
	if !ok {
		token = uint32(len(d.tokens))
		d.tokens[strings.Clone(text)] = token
	}
	next, ok := d.edges[edge{node, token}]
	if !ok {
		next = uint32(len(d.heads))
		d.heads = append(d.heads, 0)
		d.edges[edge{node, token}] = next
	}
	return next
}

func (d *Dictionary) remove(entity tenure.ID) {
	for s := d.entities[entity]; s != 0; {
		link := &d.heads[d.senses[s].node]
		for *link != s {
			link = &d.senses[*link].next
		}
		*link = d.senses[s].next
		sibling := d.senses[s].sibling
		d.senses[s] = sense{next: d.free}
		d.free, s = s, sibling
	}
	delete(d.entities, entity)
}

func (d *Dictionary) typeID(typ string) uint16 {
	id, ok := d.typeOf[typ]
	if !ok {
		id = uint16(len(d.types)) // entity types are few
		d.types, d.typeOf[typ] = append(d.types, typ), id
	}
	return id
}

func (d *Dictionary) projectID(project string) uint32 {
	id, ok := d.projectN[project]
	if !ok {
		id = uint32(len(d.projects))
		d.projects, d.projectN[project] = append(d.projects, project), id
	}
	return id
}

func (d *Dictionary) labelID(l tenure.Label) uint32 {
	id, ok := d.labelN[l]
	if !ok {
		id = uint32(len(d.labels))
		d.labels, d.labelN[l] = append(d.labels, l), id
	}
	return id
}

// view is a Dictionary as seen from one project by somebody.
type view struct {
	d       *Dictionary
	project string
	sees    func(tenure.Label) bool
}

// shows reports whether a sense is visible.
func (v view) shows(e sense, project uint32) bool {
	return (e.project == 0 || e.project == project) && (v.sees == nil || v.sees(v.d.labels[e.label]))
}

// Longest implements [ner.Aliases] by one walk down the trie.
func (v view) Longest(tokens []string) (n int, senses []ner.Sense) {
	d := v.d
	d.mu.RLock()
	defer d.mu.RUnlock()
	project, node := d.projectN[v.project], uint32(0)
	best := uint32(0)
	for i, t := range tokens {
		id, ok := d.tokens[t]
		if !ok {
			break
		}
		if node, ok = d.edges[edge{node, id}]; !ok {
			break
		}
		if v.visible(node, project) {
			n, best = i+1, node
		}
	}
	if n == 0 {
		return 0, nil
	}
	for s := d.heads[best]; s != 0; s = d.senses[s].next {
		if e := d.senses[s]; v.shows(e, project) && !slices.ContainsFunc(senses, func(o ner.Sense) bool { return o.Entity == e.entity }) {
			senses = append(senses, ner.Sense{Entity: e.entity, Type: d.types[e.typ], Lower: e.lower})
		}
	}
	// Not in the order in which they were last changed: others may have changed them.
	slices.SortFunc(senses, func(a, b ner.Sense) int { return cmp.Compare(a.Entity, b.Entity) })
	return n, senses
}

// visible reports whether a node has a visible sense.
func (v view) visible(node, project uint32) bool {
	for s := v.d.heads[node]; s != 0; s = v.d.senses[s].next {
		if v.shows(v.d.senses[s], project) {
			return true
		}
	}
	return false
}

// isLower reports whether the first letter of s is in lower case.
func isLower(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return unicode.IsLower(r)
		}
	}
	return false
}
