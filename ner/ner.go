package ner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"tenure"
	"tenure/ner/coref"
	"tenure/ner/identifier"
	"tenure/ner/words"
)

// Mention is a span of a text that names something. Offsets are bytes of the
// UTF-8 text, end exclusive; RuneStart and RuneEnd count code points.
type Mention struct {
	Start, End         int
	RuneStart, RuneEnd int
	Text               string
	// Type is one of Types, or the type of a known alias.
	Type string
	// Chain is the number of the coreference chain within this text. Chains count
	// from 1 in order of appearance.
	Chain int
	// Rule is the name of the rule that found the span.
	Rule string
	// Entities are the candidates of a known alias, empty for other mentions.
	Entities []tenure.ID
}

// Extractor finds the mentions of a text.
type Extractor interface {
	// Extract returns mentions sorted by Start, none overlapping another. It returns
	// ErrNotUTF8 for a text that is not valid UTF-8, and the error of a context that
	// is done. known may be nil.
	Extract(ctx context.Context, text string, known Aliases) ([]Mention, error)
}

// Aliases is the dictionary of a tenant's registry, restricted to what the
// caller may see.
type Aliases interface {
	// Longest returns the number of tokens of the longest alias that tokens begin
	// with, 0 for none, and its senses. Tokens are those of the function Tokens.
	Longest(tokens []string) (n int, senses []Sense)
}

// Sense is one meaning of an alias.
type Sense struct {
	Entity tenure.ID
	Type   string
	// Lower reports whether the alias is spelled in lower case, so that a common
	// word in lower case may be a mention of it.
	Lower bool
}

// ErrNotUTF8 is returned for a text without well-defined offsets.
var ErrNotUTF8 = errors.New("text is not valid UTF-8")

// The entity types of mentions.
const (
	Person       = words.Person
	Organization = words.Organization
	Project      = words.Project
	Document     = words.Document
	Repository   = words.Repository
	System       = words.System
	Tool         = words.Tool
	Place        = words.Place
	Product      = words.Product
	Role         = words.Role
	Identifier   = words.Identifier
)

// Types lists the entity types of mentions.
var Types = []string{
	Person, Organization, Project, Document, Repository, System, Tool, Place, Product, Role, Identifier,
}

// Rules is an Extractor by rules and word lists. It is safe for concurrent use.
type Rules struct {
	lexicon   *words.Lexicon
	documents sync.Pool // used ones, for their memory
}

// New returns an extractor by rules.
func New() *Rules { return &Rules{lexicon: words.Load()} }

var _ Extractor = (*Rules)(nil)

// Extract implements Extractor.
func (r *Rules) Extract(ctx context.Context, text string, known Aliases) ([]Mention, error) {
	if !utf8.ValidString(text) {
		return nil, ErrNotUTF8
	}
	d, ok := r.documents.Get().(*document)
	if !ok {
		d = &document{Lexicon: r.lexicon, capitals: map[string]int{}, nameWords: map[string]string{}}
	}
	d.reset(text, known)
	defer r.documents.Put(d)
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step(d)
	}
	found := d.mentions(d.selectLongest())
	CountRunes(text, found)
	return found, nil
}

// steps find the spans of a document, each with the help of those before it.
var steps = []func(*document){
	(*document).findIdentifiers,
	(*document).tokenise,
	(*document).findAliases,
	(*document).findTableCells,
	(*document).findQuotedTitles,
	(*document).findInvertedNames,
	(*document).findNames,
	(*document).findUncasedNames,
	(*document).findLowercaseNames,
	(*document).findTeams,
	(*document).findRoles,
}

func (d *document) findIdentifiers() {
	for _, f := range identifier.Find(d.text, d.Lexicon) {
		s := span{start: f.Start, end: f.End, typ: f.Type, rule: f.Rule, certain: true}
		d.identifiers = append(d.identifiers, s)
		d.add(s)
	}
}

// mentions turns spans into mentions, with one type for equal names, and with
// coreference chains.
func (d *document) mentions(spans []span) []Mention {
	if len(spans) == 0 {
		return []Mention{}
	}
	names := d.names[:0]
	for _, s := range spans {
		text := d.text[s.start:s.end]
		capitalised := s.rule == "name"
		names = append(names, coref.Name{
			Text: text, Key: d.folded(s.start, s.end), Type: s.typ, Entity: s.onlyEntity(),
			Certain: s.certain, Capitalised: capitalised, Retypable: capitalised || strings.HasPrefix(s.rule, "lower"),
		})
	}
	d.names = names
	coref.HarmoniseTypes(names)
	found := make([]Mention, len(spans))
	for i, chain := range coref.Chains(names) {
		s, n := spans[i], names[i]
		found[i] = Mention{
			Start: s.start, End: s.end, Text: n.Text, Type: n.Type, Chain: chain, Rule: s.rule,
			Entities: EntitiesOf(s.senses, n.Type),
		}
	}
	return found
}

// onlyEntity returns the entity of an alias with no other, or "".
func (s span) onlyEntity() string {
	if len(s.senses) == 0 {
		return ""
	}
	if ids := EntitiesOf(s.senses, s.typ); len(ids) == 1 {
		return string(ids[0])
	}
	return ""
}

// CountRunes sets RuneStart and RuneEnd of mentions that are sorted and do not
// overlap.
func CountRunes(text string, mentions []Mention) {
	at, runes := 0, 0
	for i := range mentions {
		m := &mentions[i]
		m.RuneStart = runes + utf8.RuneCountInString(text[at:m.Start])
		m.RuneEnd = m.RuneStart + utf8.RuneCountInString(text[m.Start:m.End])
		at, runes = m.End, m.RuneEnd
	}
}

// span is a possible mention, which may overlap others.
type span struct {
	start, end int
	typ        string
	rule       string
	// certain spans have their type from the span itself, and lend it to uncertain
	// spans with the same spelling.
	certain bool
	senses  []Sense
}

// document is one text on its way through the rules.
type document struct {
	*words.Lexicon
	text           string
	known          Aliases // may be nil
	lower          string  // the text in lower case, "" for one that is not all ASCII
	identifiers    []span  // from findIdentifiers, sorted
	tokens         []token
	spans          []span
	tokenLanguages []string // by token
	taken          []uint64 // bits of the bytes that selectLongest has given away
	names          []coref.Name
	nameWords      map[string]string // from collectNameWords, with their types
	// capitals counts, by lower case, the capitalised words inside sentences.
	capitals map[string]int
	// lowercase and englishCapitals are nil until they are asked for.
	lowercase, englishCapitals map[string]bool
}

// reset empties d for another text, and keeps its memory.
func (d *document) reset(text string, known Aliases) {
	clear(d.capitals)
	clear(d.nameWords)
	*d = document{
		Lexicon: d.Lexicon, text: text, known: known,
		identifiers: d.identifiers[:0], tokens: d.tokens[:0], spans: d.spans[:0], tokenLanguages: d.tokenLanguages[:0],
		taken: d.taken, names: d.names, nameWords: d.nameWords, capitals: d.capitals,
	}
	if isASCII(text) {
		d.lower = strings.ToLower(text)
	}
}

// lowered returns the bytes [start, end) of the text in lower case.
func (d *document) lowered(start, end int) string {
	if d.lower != "" {
		return d.lower[start:end]
	}
	return strings.ToLower(d.text[start:end])
}

// folded returns the bytes [start, end) of the text after case folding.
func (d *document) folded(start, end int) string {
	if d.lower != "" {
		return d.lower[start:end]
	}
	return fold(d.text[start:end])
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (d *document) add(s span) {
	if s.start < s.end {
		d.spans = append(d.spans, s)
	}
}

// selectLongest resolves overlaps greedily: the longest span wins, of equal
// spans the one with more senses, then the one found first. It reorders d.spans.
func (d *document) selectLongest() []span {
	d.taken = slices.Grow(d.taken, len(d.text)/64+1)[:len(d.text)/64+1]
	clear(d.taken)
	sortByLength(d.spans)
	kept := d.spans[:0]
	for _, s := range d.spans {
		if anyBit(d.taken, s.start, s.end) {
			continue
		}
		setBits(d.taken, s.start, s.end)
		kept = append(kept, s)
	}
	sortByStart(kept)
	return kept
}
