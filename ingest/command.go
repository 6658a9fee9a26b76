package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tenure"
	"tenure/projection"
	"tenure/registry"
	"tenure/store"
)

// Proposer generates candidates: entities that a mention may mean besides those
// that go by its forms. It may miss some, and what it proposes may be wrong or
// gone: it is a hint and no evidence.
type Proposer interface {
	Propose(tenant string, m tenure.Mention, limit int) []tenure.ID
}

// Command is the write of one observation by one caller. Judge and Proposer
// decide what its mentions mean.
type Command struct {
	Caller   tenure.Caller
	Input    Input
	Judge    registry.Judge
	Proposer Proposer

	proposed map[int][]tenure.ID // by mention
}

// proposals bounds the candidates that are looked at for one mention.
const proposals = 12

// Operation names the command in the log.
const Operation = "observe"

// Wants lists what Decide reads: first the forms, words and names that the
// input itself tells, then the entities that own the forms, then the slots of
// the claims about those entities, then what depends on what stands there.
func (c *Command) Wants(d *store.Draft, round int) store.Wants {
	switch round {
	case 0:
		return c.named()
	case 1:
		var w store.Wants
		c.propose(d)
		for i := range c.Input.Mentions {
			w.Entities = append(w.Entities, c.proposed[i]...)
			for _, f := range registry.Forms(c.mention(i)) {
				for _, o := range d.KnownOwners(f) {
					w.Entities = append(w.Entities, o.Entity)
				}
			}
		}
		for _, claim := range c.Input.Claims {
			for _, key := range claim.Supersedes {
				for _, b := range d.KnownByKey(key) {
					w.Slots = append(w.Slots, b.Claim.Slot())
				}
				if b := d.KnownBelief(tenure.ID(key)); b != nil {
					w.Slots = append(w.Slots, b.Claim.Slot())
				}
			}
		}
		w.Slots = append(w.Slots, c.likelySlots(d)...)
		return w
	case 2:
		var w store.Wants
		for _, s := range c.likelySlots(d) {
			w.Dependents = append(w.Dependents, d.KnownStanding(s)...)
			w.Entities = append(w.Entities, d.KnownValues(s)...)
		}
		for _, id := range c.likelyEntities(d) {
			if e := d.KnownEntity(id); e != nil {
				w.Entities = append(append(w.Entities, e.Root()), e.Members...)
			}
		}
		return w
	case 3:
		return store.Wants{Slots: projection.Expand(d, c.likelySlots(d))}
	default:
		return store.Wants{}
	}
}

// propose generates candidates for the mentions that no form settles.
func (c *Command) propose(d *store.Draft) {
	c.proposed = map[int][]tenure.ID{}
	if c.Proposer == nil {
		return
	}
	for i := range c.Input.Mentions {
		m := c.mention(i)
		if len(d.KnownOwners(registry.NameForm(m.Name))) != 1 || m.Record != nil {
			c.proposed[i] = c.Proposer.Propose(c.Caller.Tenant, m, proposals)
		}
	}
}

// likelyEntities are those that the mentions may mean.
func (c *Command) likelyEntities(d *store.Draft) []tenure.ID {
	var list []tenure.ID
	for i := range c.Input.Mentions {
		list = append(list, c.proposed[i]...)
		list = append(list, c.likelySubjects(d, Ref{Mention: &i})...)
	}
	for _, claim := range c.Input.Claims {
		list = append(list, claim.Subject.EntityID)
	}
	return list
}

func (c *Command) named() store.Wants {
	var w store.Wants
	for i, m := range c.Input.Mentions {
		w.Forms = append(w.Forms, registry.Forms(c.mention(i))...)
		if m.Record != nil {
			w.Terms = append(w.Terms, tenure.TermID(tenure.Sources, m.Record.Source))
		}
		if m.Type != "" {
			w.Terms = append(w.Terms, tenure.TermID(tenure.EntityTypes, m.Type))
			w.Vocabularies = append(w.Vocabularies, tenure.EntityTypes)
		}
	}
	for _, claim := range c.Input.Claims {
		w.Terms = append(w.Terms, tenure.TermID(tenure.Predicates, claim.Predicate))
		w.Vocabularies = append(w.Vocabularies, tenure.Predicates)
		for _, ref := range []*Ref{&claim.Subject, claim.Value.Entity} {
			if ref != nil && ref.EntityID != "" {
				w.Entities = append(w.Entities, ref.EntityID)
			}
		}
		for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
			if id, ok := tenure.ParseID(name); ok {
				w.Beliefs = append(w.Beliefs, id)
			}
			w.Keys = append(w.Keys, name)
		}
	}
	return w
}

// likelySlots are those of the claims if each mention means the one entity
// that goes by its name.
func (c *Command) likelySlots(d *store.Draft) []tenure.Slot {
	var slots []tenure.Slot
	for _, claim := range c.Input.Claims {
		for _, subject := range c.likelySubjects(d, claim.Subject) {
			slots = append(slots, tenure.Slot{Subject: subject, Predicate: claim.Predicate, Scope: c.scope()})
			for _, name := range slices.Concat(claim.Supersedes, claim.DependsOn) {
				if _, ok := tenure.ParseID(name); !ok && len(d.KnownByKey(name)) == 0 {
					slots = append(slots, slotsNamed(name, subject, c.scope())...)
				}
			}
		}
	}
	return slots
}

func (c *Command) likelySubjects(d *store.Draft, r Ref) []tenure.ID {
	if r.Mention == nil || *r.Mention < 0 || *r.Mention >= len(c.Input.Mentions) {
		return []tenure.ID{r.EntityID}
	}
	var list []tenure.ID
	for _, f := range registry.Forms(c.mention(*r.Mention)) {
		for _, o := range d.KnownOwners(f) {
			list = append(list, o.Entity)
		}
	}
	return list
}

func (c *Command) scope() tenure.Scope { return c.Input.Scope.Normal() }

// mention is one of the input's, before it has an id.
func (c *Command) mention(i int) tenure.Mention {
	m := c.Input.Mentions[i]
	return tenure.Mention{
		Index: i, Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context,
		Record: m.Record, Project: c.scope().ProjectID,
	}
}

// Decide turns the observation into one change set.
func (c *Command) Decide(ctx context.Context, d *store.Draft, m tenure.Mint) (tenure.ChangeSet, error) {
	in := &intake{cmd: c, draft: d, mint: m, laid: newLaid(d), terms: map[string]tenure.Term{}}
	if err := in.begin(); err != nil {
		return tenure.ChangeSet{}, err
	}
	if err := in.resolve(ctx); err != nil {
		return tenure.ChangeSet{}, err
	}
	claims, err := in.state(ctx)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	p, err := projection.Project(ctx, d, projection.Evidence{Claims: claims, Terms: in.terms, Entities: in.laid.fresh()}, m.Now)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	answer := in.answer(claims, p)
	body, err := json.Marshal(answer)
	if err != nil {
		return tenure.ChangeSet{}, &tenure.Error{Code: tenure.Internal, Message: "the answer has no JSON form", Err: err}
	}
	changes := []tenure.Change{tenure.ObservationAdded{Observation: in.observation}}
	changes = append(changes, in.changes...)
	return tenure.ChangeSet{Changes: append(changes, p.Changes...), Answer: body}, nil
}

// intake is the work on one observation.
type intake struct {
	cmd         *Command
	draft       *store.Draft
	laid        *laid
	mint        tenure.Mint
	observation tenure.Observation
	mentions    []tenure.Mention
	decisions   []registry.Decision
	terms       map[string]tenure.Term // registered by this observation
	registered  []string
	changes     []tenure.Change
}

func (in *intake) begin() error {
	i := in.cmd.Input
	level := in.cmd.Caller.MaxAuthority
	if i.Source.AuthorityLevel != nil {
		level = *i.Source.AuthorityLevel
	}
	if level < in.cmd.Caller.MaxAuthority {
		return tenure.FieldError(tenure.AuthorityTooHigh, "/source/authority_level",
			fmt.Sprintf("level %d is more than this key may claim: %d at the most", level, in.cmd.Caller.MaxAuthority))
	}
	trust := 0.5
	if i.Source.SourceAuthority != nil {
		trust = *i.Source.SourceAuthority
	}
	observed := in.mint.Now
	if i.ObservedAt != nil {
		observed = *i.ObservedAt
	}
	in.observation = tenure.Observation{
		ID: in.mint.NewID(),
		Source: tenure.Source{
			Origin: i.Source.Origin, AuthorityLevel: level, SourceAuthority: trust,
			Speaker: i.Source.Speaker, Role: i.Source.Role,
		},
		Scope: in.cmd.scope(), ObservedAt: observed, ReceivedAt: in.mint.Now, Text: i.Text, Actor: in.cmd.Caller.Actor,
	}
	return nil
}

// resolve decides what each mention means, in order: a later one knows what
// became of an earlier one.
func (in *intake) resolve(ctx context.Context) error {
	for i, m := range in.cmd.Input.Mentions {
		mention := in.cmd.mention(i)
		mention.ID, mention.Observation = in.mint.NewID(), in.observation.ID
		if registry.Key(m.Name) == "" {
			return tenure.FieldError(tenure.Invalid, fmt.Sprintf("/mentions/%d/name", i), "has nothing in it that could name something")
		}
		if err := in.registerType(ctx, m.Type, i); err != nil {
			return err
		}
		similar := slices.Concat(in.draft.Similar(registry.CloseKeys(tenure.Owner{Form: registry.NameForm(m.Name), Spelling: m.Name})), in.cmd.proposed[i])
		decision, err := in.cmd.Judge.Resolve(ctx, in.laid, mention, similar, in.mint)
		if err != nil {
			return err
		}
		if decision, err = in.replace(ctx, mention, decision); err != nil {
			return err
		}
		in.laid.add(decision.Changes)
		in.mentions = append(in.mentions, mention)
		in.decisions = append(in.decisions, decision)
		in.observation.Mentions = append(in.observation.Mentions, mention.ID)
		in.changes = append(in.changes, tenure.MentionAdded{Mention: mention})
		in.changes = append(in.changes, decision.Changes...)
	}
	return nil
}

// registerType brings an unknown entity type into an open vocabulary.
func (in *intake) registerType(ctx context.Context, name string, mention int) error {
	if name == "" {
		return nil
	}
	_, err := in.word(ctx, tenure.Term{Vocabulary: tenure.EntityTypes, Name: name, Registered: true}, fmt.Sprintf("/mentions/%d/type", mention))
	return err
}

// word finds a term, or registers the one given if the vocabulary is open.
func (in *intake) word(ctx context.Context, t tenure.Term, pointer string) (tenure.Term, error) {
	if known, err := in.laid.Term(ctx, t.ID()); err != nil || known != nil {
		if known != nil {
			t = *known
		}
		return t, err
	}
	v, err := in.draft.Vocabulary(ctx, t.Vocabulary)
	if err != nil {
		return t, err
	}
	if v.Closed {
		return t, tenure.FieldError(tenure.Unprocessable, pointer,
			fmt.Sprintf("%q is not in the vocabulary %q, which is closed", t.Name, t.Vocabulary))
	}
	put := tenure.TermPut{Term: t}
	in.laid.add([]tenure.Change{put})
	in.changes = append(in.changes, put)
	in.registered = append(in.registered, t.ID())
	if t.Vocabulary == tenure.Predicates {
		in.terms[t.Name] = t
	}
	return t, nil
}
