package reading

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/audience"
	"tenure/ingest"
	"tenure/linking"
	"tenure/ner"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/statements/matter"
	"tenure/store"
	"tenure/visible"
)

// The bounds of what is read.
const (
	maxText       = 64 << 10 // bytes of a text
	maxStatements = 200      // of a text: those of so many clauses
	maxTurns      = 12       // of a thread, before a text
	maxEntities   = 24       // of which beliefs are read
	maxBeliefs    = 64       // of each that stand
	maxDisplaced  = 64       // of all that do not
	maxTopics     = 16       // of a thread, of which nothing is known
)

// Extractor finds the mentions of a text, with what a tenant knows.
type Extractor interface {
	Extract(ctx context.Context, tenant, text, project string, sees audience.Sight) ([]ner.Mention, error)
}

// Stage reads texts. It is safe for concurrent use.
type Stage struct {
	Extractor Extractor
	Linker    *linking.Linker
	// Statements reads the statements. Nil selects the rules of package statements.
	Statements statements.Reader
}

// Read returns an input with what its text says as claims and amendments: one for which [ingest.Input.Unread] holds,
// and whose scope is bound to the caller. Where the mentions or the statements cannot be found, the text stays unread,
// with a warning.
func (s Stage) Read(
	ctx context.Context, r store.Reader, c tenure.Caller, in ingest.Input, now tenure.Instant,
) (ingest.Input, error) {
	t := s.begin(r, c, in, now)
	in.Reading = t.out
	var err error
	if t.mentions, err = t.extract(ctx, in.Scope.ProjectID); err != nil {
		if ctx.Err() != nil {
			return in, err
		}
		t.warn(tenure.NotRead)
		return in, nil
	}
	if err := t.read(ctx); err != nil {
		return in, err
	}
	return t.in, nil
}

// extract finds the mentions of the text, by the names that are seen in the state that is read.
func (t *turn) extract(ctx context.Context, project string) ([]ner.Mention, error) {
	return t.Extractor.Extract(ctx, t.caller.Tenant, t.text, project, visible.SightOf(t.r))
}

// begin returns the turn of an input that is about to be read.
func (s Stage) begin(r store.Reader, c tenure.Caller, in ingest.Input, now tenure.Instant) *turn {
	in.Reading = &ingest.Reading{Stated: len(in.Mentions)}
	t := &turn{
		Stage: s, r: r, caller: c, sight: audience.Of(c), in: in, out: in.Reading, text: withoutVoice(head(in.Unlabelled(), maxText)), at: now,
	}
	if in.ObservedAt != nil {
		t.at = *in.ObservedAt
	}
	if len(t.text) < len(in.Text) {
		t.warn(tenure.TextCut)
	}
	return t
}

// withoutVoice returns a text with spaces for the voice that it names at its beginning: "[Ann (Lead)]: ..." says
// nothing of Ann.
func withoutVoice(s string) string {
	if _, from, ok := matter.Spoken(s); ok {
		return strings.Repeat(" ", from) + s[from:]
	}
	return s
}

// head returns the first part of a text, of at most n bytes and whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// turn is a text on its way through the stage.
type turn struct {
	Stage
	r      store.Reader
	caller tenure.Caller
	sight  audience.Sight // of the caller
	in     ingest.Input
	text   string
	at     tenure.Instant
	out    *ingest.Reading

	before   []past // the newest first
	mentions []ner.Mention
	named    linking.Named
	said     []tenure.Statement
	slots    []slot
	misread  map[tenure.ID]bool // beliefs of earlier turns whose words were reread differently
	former   map[string]bool    // the statements read before, by saying
	late     *lateness          // nil unless the text is reread for a late observation
}

func (t *turn) warn(code tenure.WarningCode) {
	if !slices.Contains(t.out.Warnings, code) {
		t.out.Warnings = append(t.out.Warnings, code)
	}
}

func (t *turn) read(ctx context.Context) error {
	var err error
	if t.before, err = t.turnsBefore(ctx); err != nil {
		return err
	}
	t.named, err = t.Linker.Places(ctx, t.r, linking.Utterance{
		Tenant: t.caller.Tenant, Text: t.text, Project: t.in.Scope.ProjectID, Speaker: t.in.Source.Speaker, Near: t.near(),
	})
	if err != nil {
		return err
	}
	if err := t.forgetMade(ctx); err != nil {
		return err
	}
	t.mentions = joined(t.text, t.mentions, t.named.Places)
	for _, p := range t.named.Places {
		t.out.Named = append(t.out.Named, p.Root.ID)
	}
	t.out.Named = unique(t.out.Named)
	if t.said, err = t.statements(ctx); err != nil {
		return err
	}
	forgetter, err := t.wishes(ctx)
	if err != nil {
		return err
	}
	refuted := t.refuted()
	if err := t.align(ctx); err != nil {
		return err
	}
	if err := t.refute(ctx, refuted); err != nil {
		return err
	}
	return forgetter.grant(ctx)
}

// align finds what the statements change, and writes it into the input.
func (t *turn) align(ctx context.Context) error {
	if len(t.said) == 0 {
		return nil
	}
	var err error
	if t.slots, err = t.slotsOf(ctx); err != nil {
		return err
	}
	t.write(align.Statements(t.said, t.aligned()))
	return nil
}

// aligned returns the slots that the statements are aligned to, marked with whether the text names their subjects.
func (t *turn) aligned() []align.Slot {
	list, subject := make([]align.Slot, len(t.slots)), make([]int, len(t.slots))
	var subjects []align.Slot // one of each
	type known struct {
		root tenure.ID
		name string // of what is no entity yet
	}
	place := map[known]int{}
	for i, s := range t.slots {
		list[i] = s.Slot
		k := known{root: s.root.ID}
		if k.root == "" {
			k.name = s.Names[0]
		}
		at, again := place[k]
		if !again {
			at = len(subjects)
			place[k], subjects = at, append(subjects, align.Slot{Names: s.Names})
		}
		subject[i] = at
	}
	named := align.Named(t.text, subjects)
	for i := range list {
		list[i].Named = list[i].Named || named[subject[i]]
	}
	return list
}

// statements reads the statements of the text, none where that fails.
func (t *turn) statements(ctx context.Context) ([]tenure.Statement, error) {
	p := t.passage()
	list, err := t.reader().Statements(ctx, p.Turn, p.Before)
	if err != nil {
		t.warn(tenure.NotRead)
		return nil, ctx.Err() // a text that cannot be read is written without
	}
	if n := ofClauses(list, maxStatements); n < len(list) {
		t.warn(tenure.TextCut)
		list = list[:n]
	}
	return list, nil
}

// ofClauses returns how many statements the first n clauses have.
func ofClauses(list []tenure.Statement, n int) int {
	for i := range list {
		if i > 0 && list[i].Span == list[i-1].Span {
			continue
		}
		if n--; n < 0 {
			return i
		}
	}
	return len(list)
}

// reader returns what reads statements.
func (s Stage) reader() statements.Reader {
	if s.Statements == nil {
		return statements.Rules{}
	}
	return s.Statements
}

// passage returns the text as it is read, with the turns before it.
func (t *turn) passage() statements.Passage {
	p := statements.Passage{Turn: statements.Turn{
		Speaker: t.in.Source.Speaker, Addressee: t.in.Addressee, At: t.at, Text: t.text, Mentions: t.mentions,
	}}
	for i := len(t.before) - 1; i >= 0; i-- {
		o := t.before[i].Observation
		p.Before = append(p.Before, statements.Turn{
			Speaker: o.Source.Speaker, Addressee: o.Addressee, At: o.ObservedAt, Text: head(o.Text, maxText),
		})
	}
	return p
}

// joined adds to the mentions of a text the places where it names known entities. Of those that overlap the longer
// stays; a mention at exactly the place of an entity means that entity.
func joined(text string, found []ner.Mention, places []linking.Place) []ner.Mention {
	chain := 0
	for _, m := range found {
		chain = max(chain, m.Chain)
	}
	chains := map[tenure.ID]int{}
	for _, p := range places {
		list := found[:0:0]
		covered := false
		for _, m := range found {
			switch {
			case m.End <= p.Start || p.End <= m.Start:
			case m.Start == p.Start && m.End == p.End:
				covered, m.Entities = true, []tenure.ID{p.Root.ID}
			case p.End-p.Start >= m.End-m.Start:
				continue
			default:
				covered = true
			}
			list = append(list, m)
		}
		if !covered {
			if chains[p.Root.ID] == 0 {
				chain++
				chains[p.Root.ID] = chain
			}
			list = append(list, ner.Mention{
				Start: p.Start, End: p.End, Text: text[p.Start:p.End], Type: p.Root.Type, Chain: chains[p.Root.ID],
				Rule: "registry", Entities: []tenure.ID{p.Root.ID},
			})
		}
		found = list
	}
	sortByPlace(found)
	ner.CountRunes(text, found)
	return found
}

// thread returns the thread of the input.
func (t *turn) thread() string {
	s := t.in.Source
	return store.ByThread.Field(tenure.Observation{
		Source: tenure.Source{Thread: s.Thread, Session: s.Session, Origin: s.Origin}, Scope: t.in.Scope,
	})
}

// ThreadOf returns the thread of an input.
func ThreadOf(in ingest.Input) string { return (&turn{in: in}).thread() }
