package ner

import (
	"context"
	"errors"
	"unicode/utf8"

	"tenure"
)

// Mention is a span of a text that names something. Offsets are bytes into
// the UTF-8 text, end exclusive; RuneStart and RuneEnd count code points.
type Mention struct {
	Start, End         int
	RuneStart, RuneEnd int
	Text               string
	// Type is one of the types of the guidelines, or that of the alias.
	Type string
	// Chain is shared by mentions of one entity within this text and means
	// nothing outside it; chains count from 1 in order of appearance.
	Chain int
	// Rule names the rule that found the span.
	Rule string
	// Entities are those that go by this spelling, if it is a known alias.
	Entities []tenure.ID
}

// Extractor finds the mentions of a text. The answer is sorted and its spans
// never overlap. Text that is not valid UTF-8 is ErrNotUTF8; a context that is
// done is its error. known may be nil.
type Extractor interface {
	Extract(ctx context.Context, text string, known Aliases) ([]Mention, error)
}

// Aliases is what a tenant's registry goes by, as far as it is visible to the
// caller. Tokens come from Tokens.
type Aliases interface {
	// Longest looks for the longest alias that tokens begin with. It returns
	// how many tokens it has, 0 for none, and who goes by it.
	Longest(tokens []string) (n int, senses []Sense)
}

// Sense is one meaning of an alias.
type Sense struct {
	Entity tenure.ID
	Type   string
	// Lower says that the alias is spelled in lower case, so that text in lower
	// case may mean it although it is an ordinary word.
	Lower bool
}

// ErrNotUTF8 says that offsets into a text would mean nothing.
var ErrNotUTF8 = errors.New("text is not valid UTF-8")

// The types of mentions.
const (
	Person       = "person"
	Organization = "organization"
	Project      = "project"
	Document     = "document"
	Repository   = "repository"
	System       = "system"
	Tool         = "tool"
	Place        = "place"
	Product      = "product"
	Role         = "role"
	Identifier   = "identifier"
)

// Types lists the types of mentions.
var Types = []string{Person, Organization, Project, Document, Repository, System, Tool, Place, Product, Role, Identifier}

// Rules extracts by rules and word lists. It has no state but the lists, and
// may be used from many goroutines.
type Rules struct{ words *lexicon }

// New makes an extractor.
func New() *Rules { return &Rules{words: loadLexicon()} }

var _ Extractor = (*Rules)(nil)

// span is a mention in the making.
type span struct {
	start, end int
	typ        string
	rule       string
	// sure spans give their type to others of the same name.
	sure bool
	// titled follows an honorific.
	titled bool
	senses []Sense
}

// Extract finds the mentions of text.
func (r *Rules) Extract(ctx context.Context, text string, known Aliases) ([]Mention, error) {
	if !utf8.ValidString(text) {
		return nil, ErrNotUTF8
	}
	d := newDocument(r.words, text)
	steps := []func(){
		d.findIdentifiers,
		d.tokenise,
		func() { d.findAliases(known) },
		d.findTables,
		d.findTitles,
		d.findInverted,
		d.findNames,
		d.findScripts,
		d.findLower,
		d.findTeams,
		d.findRoles,
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step()
	}
	spans := longestFirst(d.spans, len(text))
	d.settleTypes(spans)
	found := d.mentions(spans)
	CountRunes(text, found)
	return found, nil
}

// CountRunes fills RuneStart and RuneEnd of mentions that are sorted and apart.
func CountRunes(text string, mentions []Mention) {
	at, runes := 0, 0
	for i := range mentions {
		m := &mentions[i]
		m.RuneStart = runes + utf8.RuneCountInString(text[at:m.Start])
		m.RuneEnd = m.RuneStart + utf8.RuneCountInString(text[m.Start:m.End])
		at, runes = m.End, m.RuneEnd
	}
}

// document is one text on its way through the rules.
type document struct {
	*lexicon
	text           string
	ids            []span // from findIdentifiers, sorted
	tokens         []token
	spans          []span
	tokenLanguages []string // by token
	// seen counts capitalised words inside sentences, by their lower case.
	seen map[string]int
	// small are words that the text also writes in lower case, english those
	// with a capital in an English sentence.
	small, english wordSet
}

func newDocument(words *lexicon, text string) *document {
	return &document{lexicon: words, text: text, seen: map[string]int{}, small: wordSet{}, english: wordSet{}}
}

func (d *document) add(s span) {
	if s.start < s.end {
		d.spans = append(d.spans, s)
	}
}

// longestFirst keeps, of overlapping spans, the longest; of equals, the one
// found first.
func longestFirst(spans []span, size int) []span {
	order := sortedByLength(spans)
	taken := make([]uint64, size/64+1)
	var kept []span
	for _, s := range order {
		if anyBit(taken, s.start, s.end) {
			continue
		}
		setBits(taken, s.start, s.end)
		kept = append(kept, s)
	}
	sortByStart(kept)
	return kept
}
