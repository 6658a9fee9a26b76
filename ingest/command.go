package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
)

// Proposer generates candidates: entities that a mention within a scope may mean
// besides those that go by its forms. It may miss some, and what it proposes may be wrong or
// gone: it is a hint and no evidence.
type Proposer interface {
	Propose(tenant string, m tenure.Mention, scope tenure.Scope, limit int) []tenure.ID
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

// Operation names the command in the log.
const Operation = "observe"

func (c *Command) scope() tenure.Scope { return c.Input.Scope.Normal() }

// mention is one of the input's, before it has an id.
func (c *Command) mention(i int) tenure.Mention {
	m := MentionOf(c.Input.Mentions[i], c.scope().ProjectID)
	m.Index = i
	return m
}

// MentionOf is the evidence that a mention of an input becomes, but for its
// ids.
func MentionOf(m Mention, project string) tenure.Mention {
	return tenure.Mention{
		Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
		Project: project,
	}
}

// Decide turns the observation into one change set.
func (c *Command) Decide(ctx context.Context, d *ledger.Txn, m tenure.Mint) (tenure.ChangeSet, error) {
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
	draft       *ledger.Txn
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
		if err := in.defineKinds(ctx, &mention); err != nil {
			return err
		}
		similar := slices.Concat(in.draft.Similar(registry.CloseKeys(tenure.Owner{Form: registry.NameForm(m.Name), Spelling: m.Name})), in.cmd.proposed[i])
		decision, err := in.cmd.Judge.Resolve(ctx, in.laid, mention, in.company(), similar, in.mint)
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

// company are the entities that the mentions before were taken to mean, and
// those that the claims name.
func (in *intake) company() []tenure.ID {
	var list []tenure.ID
	for _, d := range in.decisions {
		list = append(list, d.Root)
	}
	for _, c := range in.cmd.Input.Claims {
		for _, ref := range []*Ref{&c.Subject, c.Value.Entity} {
			if ref == nil || ref.EntityID == "" {
				continue
			}
			if e := in.draft.CachedEntity(ref.EntityID); e != nil {
				list = append(list, e.Root())
			}
		}
	}
	return list
}

// defineKinds has a mention keep which of its attributes identify by the tenant's
// own definitions.
func (in *intake) defineKinds(ctx context.Context, m *tenure.Mention) (err error) {
	m.IdentifierKinds, err = registry.OwnKinds(ctx, in.laid, m.Attributes)
	return err
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
