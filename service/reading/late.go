package reading

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ingest"
	"tenure/labels"
	"tenure/linking"
	"tenure/statements/align"
	"tenure/store"
	"tenure/text"
)

// The bounds of rereading texts for a late observation.
const (
	mostLater         = 12 // texts: the newest
	mostSpeakers      = 4  // whose texts are looked for
	mostConversations = 8  // threads and speakers searched
)

// Late is an observation that may have arrived after texts observed later than what it says, with its beliefs.
type Late struct {
	ID      tenure.ID
	Beliefs []tenure.Belief
	// Made lists the entities that the later texts made.
	Made []tenure.ID
	// Read has the statements of the texts that were read again for it so far, by their observations, also where
	// nothing of them was written: the texts after them are read with these before them.
	Read map[tenure.ID][]tenure.Said
	// Text reports whether the beliefs were read in a text: then they date from when it was observed.
	Text bool
}

// Text is an observation whose text was read, with its further readings.
type Text struct {
	tenure.Observation

	Readings []tenure.Observation
}

// For returns the further reading that was made of the text for a late observation.
func (x Text) For(late tenure.ID) (reading tenure.Observation, ok bool) {
	i := slices.IndexFunc(x.Readings, func(o tenure.Observation) bool { return o.For == late })
	if i < 0 {
		return reading, false
	}
	return x.Readings[i], true
}

// Late returns the earliest time from which an input says something, and whether that is before now: texts observed
// after it may have been read already.
func (s Stage) Late(in ingest.Input, now tenure.Instant) (since tenure.Instant, ok bool) {
	at := now
	if in.ObservedAt != nil {
		at = *in.ObservedAt
	}
	since = now
	for _, c := range in.Claims {
		switch {
		case c.Predicate == tenure.Remark:
		case in.Reading != nil || c.ValidFrom == nil:
			since = min(since, at)
		default:
			since = min(since, *c.ValidFrom)
		}
	}
	return since, since < now
}

// Quiet maps queries by thread or speaker to an instant from which on they find no text.
type Quiet map[store.ObservationQuery]tenure.Instant

// Later lists the texts observed after an instant in the conversation of an input: those of its thread, those by its
// speaker or its subjects, and those of the threads of these. It returns the newest mostLater that the caller may see,
// oldest first. Whoever sees such a text sees evidence of the label, which is that of the input.
func (s Stage) Later(
	ctx context.Context, r store.Reader, c tenure.Caller, in ingest.Input, since tenure.Instant, label tenure.Label,
	quiet Quiet,
) ([]Text, error) {
	var texts []Text
	list := conversations(in)
	for i := 0; i < len(list) && i < mostConversations; i++ {
		found, err := textsSince(ctx, r, list[i], since+1, quiet)
		if err != nil {
			return nil, err
		}
		for _, x := range found {
			if slices.ContainsFunc(texts, func(o Text) bool { return o.ID == x.ID }) {
				continue
			}
			texts = append(texts, x)
			thread := store.ObservationQuery{By: store.ByTextThread, Name: x.thread()}
			if !slices.Contains(list, thread) {
				list = append(list, thread)
			}
		}
	}
	texts, err := seenBy(ctx, r, c, slices.DeleteFunc(texts, func(x Text) bool {
		return !labels.LabelOf(x.Observation).Covers(label)
	}))
	slices.SortFunc(texts, func(a, b Text) int {
		return cmp.Or(cmp.Compare(a.ObservedAt, b.ObservedAt), cmp.Compare(a.ID, b.ID))
	})
	return texts[max(0, len(texts)-mostLater):], err
}

// conversations returns the queries for texts that an input may be late for: those of its thread, if it states one or
// has a text, and, if it states claims, those by the speaker and by the subjects that it names.
func conversations(in ingest.Input) (list []store.ObservationQuery) {
	if in.Text != "" || cmp.Or(in.Source.Thread, in.Source.Session, in.Scope.SessionID) != "" {
		list = append(list, store.ObservationQuery{By: store.ByTextThread, Name: ThreadOf(in)})
	}
	if in.Reading != nil {
		return list
	}
	speakers := []string{in.Source.Speaker}
	for _, c := range in.Claims {
		if m := c.Subject.Mention; m != nil && *m >= 0 && *m < len(in.Mentions) {
			speakers = append(speakers, in.Mentions[*m].Name)
		}
	}
	for _, name := range unique(speakers)[:min(len(unique(speakers)), mostSpeakers)] {
		list = append(list, store.ObservationQuery{By: store.ByTextSpeaker, Name: name})
	}
	return list
}

// textsSince lists the newest texts from an instant on that match a query.
func textsSince(
	ctx context.Context, r store.EvidenceReader, q store.ObservationQuery, since tenure.Instant, quiet Quiet,
) ([]Text, error) {
	key := q
	if at, known := quiet[key]; known && at <= since {
		return nil, nil
	}
	q.From, q.Before, q.Limit = since, tenure.MaxTime, 4*mostLater // further readings lie between
	list, err := r.ListObservations(ctx, q)
	if len(list) == 0 && err == nil {
		quiet[key] = since
	}
	return gathered(list), err
}

// gathered returns the texts among observations, with those of their further readings that are among them.
func gathered(list []store.ObservationRecord) (texts []Text) {
	place := map[tenure.ID]int{}
	for _, rec := range list {
		if o := rec.Observation; o.Readable() {
			place[o.ID] = len(texts)
			texts = append(texts, Text{Observation: o})
		}
	}
	for _, rec := range list {
		if i, ok := place[rec.Observation.Of]; ok && rec.Observation.Rereads() {
			texts[i].Readings = append(texts[i].Readings, rec.Observation)
		}
	}
	return texts
}

// seenBy leaves out the texts that the caller may not see, and those with a claim that the caller may not see.
func seenBy(ctx context.Context, r store.BeliefReader, c tenure.Caller, texts []Text) ([]Text, error) {
	var claims []tenure.ID
	of := map[tenure.ID]tenure.ID{} // the text of a reading
	for _, x := range texts {
		claims = append(claims, x.Claims...)
		for _, o := range x.Readings {
			claims = append(claims, o.Claims...)
			of[o.ID] = x.ID
		}
	}
	sees := audience.Of(c)
	made, err := r.Beliefs(ctx, claims)
	hidden := map[tenure.ID]bool{}
	for _, b := range made {
		if !sees.Sees(b.Claim.Label()) {
			hidden[b.Claim.Observation], hidden[of[b.Claim.Observation]] = true, true
		}
	}
	return slices.DeleteFunc(texts, func(x Text) bool {
		return hidden[x.ID] || !sees.Sees(labels.LabelOf(x.Observation))
	}), err
}

// About leaves out the texts of threads, other than that of the input, in which no text is by a subject of the late
// beliefs or names one: they cannot be about these beliefs.
func (s Stage) About(
	ctx context.Context, r store.IdentityReader, in ingest.Input, texts []Text, late Late,
) ([]Text, error) {
	near := map[string]bool{ThreadOf(in): true}
	if !slices.ContainsFunc(texts, func(x Text) bool { return !near[x.thread()] }) {
		return texts, nil
	}
	var ids []tenure.ID
	for _, b := range late.Beliefs {
		ids = append(ids, b.Claim.Subject)
	}
	subjects, err := r.Entities(ctx, unique(ids))
	for _, x := range texts {
		near[x.thread()] = near[x.thread()] || slices.ContainsFunc(subjects, func(e tenure.Entity) bool {
			speaks := slices.ContainsFunc(append([]string{e.Name}, e.Names...), func(name string) bool {
				return text.Key(name) == text.Key(x.Source.Speaker)
			})
			return speaks || slices.Contains(x.Named, e.ID)
		})
	}
	return slices.DeleteFunc(texts, func(x Text) bool { return !near[x.thread()] }), err
}

func (x Text) thread() string { return store.ByThread.Field(x.Observation) }

// ReadLate rereads a text for a late observation. The input has only what the text says about its beliefs.
func (s Stage) ReadLate(
	ctx context.Context, r store.Reader, c tenure.Caller, x Text, late Late, number int, now tenure.Instant,
) (ingest.Input, error) {
	t := s.begin(r, c, inputOf(x.Observation), now)
	t.in.Reading, t.in.For, t.in.ID = t.out, late.ID, tenure.LaterID(late.ID, x.ID, number)
	l := &lateness{own: map[tenure.ID]bool{x.ID: true}, made: late.Made, read: late.Read}
	for _, b := range late.Beliefs {
		said := b.Claim.Window.From
		if late.Text {
			said = b.Claim.ObservedAt
		}
		if said < x.ObservedAt && b.Claim.Predicate != tenure.Remark && t.sees(b) {
			l.beliefs = append(l.beliefs, b)
		}
	}
	if len(l.beliefs) == 0 {
		return t.in, nil
	}
	for _, o := range append([]tenure.Observation{x.Observation}, x.Readings...) {
		l.own[o.ID] = true
		l.said = append(l.said, o.Statements...)
	}
	t.late = l
	var err error
	if t.mentions, err = t.extract(ctx, x.Scope.ProjectID); err != nil {
		return t.in, err
	}
	err = t.read(ctx)
	late.Read[x.ID] = l.all
	return t.in, err
}

// Says reports whether a reading for a late observation has a statement about it.
func Says(in ingest.Input) bool { return in.Reading != nil && len(in.Reading.Statements) > 0 }

// lateness is the late observation that a text is reread for, and what was read before.
type lateness struct {
	beliefs []tenure.Belief           // the late ones that are older than the text
	own     map[tenure.ID]bool        // the text and its further readings
	made    []tenure.ID               // the entities that the later texts made
	said    []tenure.Said             // the statements read in it before
	whole   map[tenure.ID][]tenure.ID // the members of the roots of the slots
	read    map[tenure.ID][]tenure.Said
	all     []tenure.Said // the statements read in it now
}

// Made lists the entities that some texts made.
func (s Stage) Made(ctx context.Context, r store.EvidenceReader, texts []Text) (list []tenure.ID, err error) {
	var ids []tenure.ID
	for _, x := range texts {
		ids = append(ids, x.Mentions...)
	}
	found, err := r.Mentions(ctx, ids)
	for _, m := range found {
		if m.Assignment.Outcome == tenure.NewEntity {
			list = append(list, m.Assignment.Entity)
		}
	}
	return unique(list), err
}

// forgetMade removes the named entities that this or another later text made and that only hidden beliefs are about:
// what was taken for their names means something else.
func (t *turn) forgetMade(ctx context.Context) error {
	if t.late == nil || len(t.late.made) == 0 {
		return nil
	}
	made := slices.Sorted(slices.Values(t.late.made))
	list, err := t.r.Live(ctx, made, tenure.Window{From: t.at, Until: t.at + 1}, maxBeliefs)
	known := map[tenure.ID]bool{}
	for _, b := range list {
		known[b.Claim.Subject] = known[b.Claim.Subject] || !t.hides(b)
	}
	t.named.Places = slices.DeleteFunc(t.named.Places, func(p linking.Place) bool {
		return slices.Contains(made, p.Root.ID) &&
			!slices.ContainsFunc(p.Root.Whole(), func(id tenure.ID) bool { return known[id] })
	})
	return err
}

// concerns reports whether a late belief is about a property of an entity.
func (l *lateness) concerns(entity tenure.ID, predicate string) bool {
	return entity != "" && slices.ContainsFunc(l.beliefs, func(b tenure.Belief) bool {
		of := b.Claim.Subject
		return b.Claim.Predicate == predicate && (of == entity || slices.Contains(l.whole[entity], of))
	})
}

// about reports whether a statement is about the slot of a late belief.
func (l *lateness) about(s tenure.Said) bool { return l.concerns(s.Entity, s.Predicate) }

// hides reports whether a belief is left out because it was not known when the text was said: the text made it, it was
// said later, or it is withdrawn. Unless the text is reread for a late observation, only misread beliefs are left out.
func (t *turn) hides(b tenure.Belief) bool {
	if t.late == nil {
		return t.misread[b.Claim.ID]
	}
	g, ok := b.Standing.At(t.at)
	read := b.Claim.Evidence != nil && b.Claim.Evidence.Source == ofText
	return t.late.own[b.Claim.Observation] || b.Claim.Window.From > t.at || read && b.Claim.ObservedAt > t.at ||
		ok && (g.Cause == tenure.ByRetraction || g.Cause == tenure.ByRejection)
}

// difference keeps the statements that differ from the earlier reading of the text, and retracts what is not read any
// more. It keeps nothing if no difference is about a late belief and no slot that a statement had set is gone: the
// earlier reading stands.
func (t *turn) difference() {
	t.late.whole = map[tenure.ID][]tenure.ID{}
	for _, s := range t.slots {
		t.late.whole[s.root.ID] = s.root.Whole()
	}
	t.late.all = slices.Clone(t.out.Statements)
	found := make([]bool, len(t.late.said))
	differs, first := t.uprooted(), -1
	for i := range t.out.Statements {
		s := &t.out.Statements[i]
		late := t.late.about(*s)
		if s.Effect == align.Keeps {
			differs = differs || late && t.late.otherwise(*s)
			continue
		}
		if before := t.late.before(*s); before >= 0 {
			found[before] = true
			t.undo(i)
			continue
		}
		differs = differs || late
		if first < 0 || late && !t.late.about(t.out.Statements[first]) {
			first = i
		}
	}
	for i := range t.out.Statements {
		if !differs {
			t.undo(i)
		}
	}
	if differs {
		t.takeBack(found, first)
	}
	t.dropMentions()
}

// undo removes the effect of a statement.
func (t *turn) undo(statement int) {
	t.out.Statements[statement].Effect, t.out.Statements[statement].Proposal = align.Keeps, nil
	t.in.Claims = slices.DeleteFunc(t.in.Claims, func(c ingest.Claim) bool { return c.Statement == statement })
	t.out.Amendments = slices.DeleteFunc(t.out.Amendments, func(a ingest.Amendment) bool {
		return a.Statement == statement
	})
}

// before returns the index of the earlier statement of the same words that had the same effect, -1 if there is none.
func (l *lateness) before(s tenure.Said) int {
	set := func(e tenure.Effect) tenure.Effect {
		if e == align.Adds {
			return align.Set
		}
		return e
	}
	return slices.IndexFunc(l.said, func(o tenure.Said) bool {
		switch {
		case o.Span != s.Span || set(o.Effect) != set(s.Effect):
			return false
		case s.Effect == align.Remarks:
			return true
		}
		same := o.Entity == s.Entity || slices.Contains(l.whole[s.Entity], o.Entity)
		unnamed := (o.Entity == "" || s.Entity == "") && !l.about(s)
		return o.Predicate == s.Predicate && text.Key(o.New.Text) == text.Key(s.New.Text) && (same || unnamed)
	})
}

// otherwise reports whether the words of a statement made a belief of another slot in the earlier reading.
func (l *lateness) otherwise(s tenure.Said) bool {
	return s.Act.Changes() && slices.ContainsFunc(l.said, func(o tenure.Said) bool {
		return o.Span == s.Span && makes(o) && !l.about(o)
	})
}

// uprooted reports whether an earlier statement set a slot that is not known any more: the words that had made that
// slot mean something else.
func (t *turn) uprooted() bool {
	return slices.ContainsFunc(t.late.said, func(o tenure.Said) bool {
		return o.Effect == align.Set && o.Belief != "" && !slices.ContainsFunc(t.slots, func(s slot) bool {
			return s.Predicate == o.Predicate && slices.Contains(s.root.Whole(), o.Entity)
		})
	})
}

// takeBack retracts the beliefs made of words that are read differently now, through the new statement of these words,
// else through the given one.
func (t *turn) takeBack(found []bool, by int) {
	for i, o := range t.late.said {
		if found[i] || !makes(o) {
			continue
		}
		statement := by
		for j, s := range t.out.Statements {
			if s.Span == o.Span && (s.Effect != align.Keeps || t.late.about(s)) {
				statement = j
				break
			}
		}
		if statement < 0 {
			continue
		}
		if s := &t.out.Statements[statement]; s.Effect == align.Keeps {
			s.Effect, s.Why = align.Retracts, whyStands
		}
		t.out.Amendments = append(t.out.Amendments, ingest.Amendment{
			Statement: statement, Kind: tenure.Retract, Belief: o.Belief,
		})
	}
}

// makes reports whether a statement made a belief.
func makes(s tenure.Said) bool {
	return s.Belief != "" && (s.Effect == align.Remarks || s.Effect == align.Adds || s.Effect == align.Set)
}

// dropMentions leaves out the mentions that no claim needs any more.
func (t *turn) dropMentions() {
	all, place := t.in.Mentions, map[int]int{}
	t.in.Mentions = nil
	for i := range t.in.Claims {
		for _, ref := range []*ingest.Ref{&t.in.Claims[i].Subject, t.in.Claims[i].Value.Entity} {
			if ref == nil || ref.Mention == nil {
				continue
			}
			at, known := place[*ref.Mention]
			if !known {
				at = len(t.in.Mentions)
				place[*ref.Mention] = at
				t.in.Mentions = append(t.in.Mentions, all[*ref.Mention])
			}
			ref.Mention = &at
		}
	}
}
