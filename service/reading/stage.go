package reading

import (
	"context"
	"slices"
	"unicode/utf8"

	"tenure"
	"tenure/compile"
	"tenure/ingest"
	"tenure/ner"
	"tenure/statements"
	"tenure/store"
)

// The bounds of what is read.
const (
	maxText       = 64 << 10 // bytes of a text
	maxStatements = 200      // of a text
	maxTurns      = 12       // of a thread, before a text
	maxEntities   = 24       // of which beliefs are read
	maxBeliefs    = 64       // of each that stand
	maxDisplaced  = 64       // of all that do not
	maxTopics     = 16       // of a thread, of which nothing is known
)

// Extractor finds the mentions of a text, with what a tenant knows.
type Extractor interface {
	Extract(ctx context.Context, tenant, text, project string) ([]ner.Mention, error)
}

// Namer finds the entities that a text names.
type Namer interface {
	NamedIn(ctx context.Context, r store.IdentityReader, q compile.NamedIn) (compile.Named, error)
}

// Stage reads texts. It is safe for concurrent use.
type Stage struct {
	Extractor Extractor
	Namer     Namer
}

// Read returns an input with what its text says as claims and amendments: one for which [ingest.Input.Unread] holds,
// and whose scope is bound to the caller. Where the mentions cannot be found, the text stays unread, with a warning.
func (s Stage) Read(
	ctx context.Context, r store.Reader, c tenure.Caller, in ingest.Input, now tenure.Instant,
) (ingest.Input, error) {
	in.Reading = &ingest.Reading{Stated: len(in.Mentions)}
	t := &turn{Stage: s, r: r, caller: c, in: in, out: in.Reading, text: head(in.Text, maxText), at: now}
	if in.ObservedAt != nil {
		t.at = *in.ObservedAt
	}
	if len(t.text) < len(in.Text) {
		t.warn(tenure.TextCut)
	}
	var err error
	if t.mentions, err = s.Extractor.Extract(ctx, c.Tenant, t.text, in.Scope.ProjectID); err != nil {
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
	in     ingest.Input
	text   string
	at     tenure.Instant
	out    *ingest.Reading

	before   []past // the newest first
	mentions []ner.Mention
	named    compile.Named
	said     []tenure.Statement
	slots    []slot
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
	t.named, err = t.Namer.NamedIn(ctx, t.r, compile.NamedIn{
		Tenant: t.caller.Tenant, Text: t.text, Project: t.in.Scope.ProjectID, Speaker: t.in.Source.Speaker, Near: t.near(),
	})
	if err != nil {
		return err
	}
	t.mentions = joined(t.text, t.mentions, t.named.Places)
	for _, p := range t.named.Places {
		t.out.Named = append(t.out.Named, p.Root.ID)
	}
	t.out.Named = unique(t.out.Named)
	if t.said = t.statements(); len(t.said) == 0 {
		return nil
	}
	if t.slots, err = t.slotsOf(ctx); err != nil {
		return err
	}
	list := make([]statements.Slot, len(t.slots))
	for i, s := range t.slots {
		list[i] = s.Slot
	}
	for i, named := range statements.Named(t.text, list) {
		list[i].Named = list[i].Named || named
	}
	t.write(statements.Align(t.said, list))
	return nil
}

// statements reads the statements of the text.
func (t *turn) statements() []tenure.Statement {
	var before []statements.Turn
	for i := len(t.before) - 1; i >= 0; i-- {
		o := t.before[i].Observation
		before = append(before, statements.Turn{
			Speaker: o.Source.Speaker, Addressee: o.Addressee, At: o.ObservedAt, Text: head(o.Text, maxText),
		})
	}
	turn := statements.Turn{
		Speaker: t.in.Source.Speaker, Addressee: t.in.Addressee, At: t.at, Text: t.text, Mentions: t.mentions,
	}
	list := statements.Read(turn, before)
	switch {
	case len(list) > maxStatements:
		t.warn(tenure.TextCut)
		list = list[:maxStatements]
	case len(list) == 0 && !statements.Reads(turn, before):
		t.warn(tenure.NotRead)
	}
	return list
}

// joined adds to the mentions of a text the places where it names known entities. Of those that overlap the longer
// stays, and a mention in the place of an entity has it.
func joined(text string, found []ner.Mention, places []compile.Place) []ner.Mention {
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
