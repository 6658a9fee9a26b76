package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/audience"
	"tenure/labels"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
	"tenure/similarity"
	"tenure/text"
	"tenure/visible"
)

// Command writes one observation of one caller. Matcher and Proposer resolve its mentions.
type Command struct {
	Caller   tenure.Caller
	Input    Input
	Matcher  registry.Matcher
	Proposer Proposer

	candidates Candidates
	stated     []tenure.Label // of the claims, once they were needed
}

// Operation names the command in the log.
const Operation = "ingest"

// roleTag returns the role that the text names as that of its speaker, "" if it is not to be read.
func (c *Command) roleTag() string {
	if c.Input.Extract == ExtractNone {
		return ""
	}
	tag, _ := labels.Role(c.Input.Text)
	return tag
}

func (c *Command) scope() tenure.Scope { return c.Input.Scope.Canonical() }

// mention returns a mention of the input, before it has an id.
func (c *Command) mention(i int) tenure.Mention {
	m := MentionOf(c.Input.Mentions[i], c.scope().ProjectID)
	m.Index, m.Label = i, c.label(i)
	return m
}

// MentionOf returns the evidence that a mention of an input becomes, without its ids.
func MentionOf(m Mention, project string) tenure.Mention {
	return tenure.Mention{
		Name: m.name(), Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
		Project: project,
	}
}

// Decide writes the evidence of the observation and the changes that follow from it. It returns an [Answer].
func (c *Command) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	in := &intake{cmd: c, sees: audience.Of(c.Caller), txn: txn, mint: m, unknown: map[string]bool{}}
	if err := in.begin(ctx); err != nil {
		return nil, err
	}
	if err := in.resolve(ctx); err != nil {
		return nil, err
	}
	claims, err := in.writeClaims(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.useLabels(ctx, claims); err != nil {
		return nil, err
	}
	if err := in.amend(ctx); err != nil {
		return nil, err
	}
	if err := in.answered(); err != nil {
		return nil, err
	}
	in.warnOfText(claims)
	in.txn.Put(tenure.ObservationAdded{Observation: in.observation})
	p, err := visible.Project(ctx, txn, c.Caller, projection.Cause{}, m.Now)
	if err != nil {
		return nil, err
	}
	if err := in.findCases(ctx, claims, p); err != nil {
		return nil, err
	}
	return in.answer(claims, p), nil
}

// findCases finds the open cases of the claims that the caller sees.
func (in *intake) findCases(ctx context.Context, claims []tenure.Claim, p projection.Projection) error {
	in.openCases = map[tenure.ID]bool{}
	for _, c := range claims {
		id := p.After[c.ID].Case
		if id == "" || in.openCases[id] {
			continue
		}
		var err error
		if in.openCases[id], err = visible.ShowsCase(ctx, in.txn, in.cmd.Caller, id); err != nil {
			return err
		}
	}
	return nil
}

// intake carries out one command within a transaction.
type intake struct {
	cmd         *Command
	sees        audience.Sight // of the caller
	txn         *ledger.Txn
	mint        tenure.Mint
	observation tenure.Observation
	mentions    []tenure.Mention
	decisions   []registry.Decision
	spoken      [][]string // of the names of the mentions, folded
	registered  []string
	warnings    []tenure.Warning
	unknown     map[string]bool    // predicates that are not defined
	amended     bool               // something said before was ended or retracted
	openCases   map[tenure.ID]bool // those of the claims that the caller sees
}

func (in *intake) begin(ctx context.Context) error {
	i := in.cmd.Input
	level, err := in.cmd.Caller.Level(i.Source.AuthorityLevel, tenure.UserLevel, "/source/authority_level")
	if err != nil {
		return err
	}
	role, err := in.role(ctx)
	if err != nil {
		return err
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
		ID: in.mint.NewID(), Of: i.Of, For: i.For, Answer: i.Answer, LeftUnread: i.Extract == ExtractNone,
		Source: tenure.Source{
			Origin: i.Source.Origin, AuthorityLevel: level, SourceAuthority: trust,
			Speaker: i.Source.Speaker, Role: role, Session: i.Source.Session, Thread: i.Source.Thread,
		},
		Scope: in.cmd.scope(), ObservedAt: observed, ReceivedAt: in.mint.Now, Text: i.Text,
		Addressee: i.Addressee, Actor: in.cmd.Caller.Actor,
		Classification: in.cmd.Classification(), Permission: in.cmd.permission(),
	}
	if i.Of != "" {
		if err := in.of(ctx); err != nil {
			return err
		}
	}
	if i.Reading != nil {
		in.observation.Named = i.Reading.Named
		in.observation.Statements = slices.Clone(i.Reading.Statements)
	}
	in.txn.Put(tenure.ObservationAdded{Observation: in.observation}) // first in the log; state completes it
	return nil
}

// of completes an observation that is about the words of another.
func (in *intake) of(ctx context.Context) error {
	i := in.cmd.Input
	in.observation.ID = i.ID
	if i.Answer == nil {
		in.observation.Text = ""
	}
	there, err := in.txn.Observed(ctx, i.ID)
	if there {
		return tenure.Errorf(tenure.Conflicting, "somebody else did it meanwhile: look at it again")
	}
	return err
}

// role returns the role in which the source speaks: its own, else that of the tag of the text where the caller has one
// that the tag does not outrank, else the caller's. It refuses one of its own that outranks the caller's, and one that
// a closed vocabulary does not have.
func (in *intake) role(ctx context.Context) (string, error) {
	stated, own := in.cmd.Input.Source.Role, in.cmd.Caller.Role
	tag := in.cmd.roleTag()
	if stated == "" && tag == "" {
		return own, nil
	}
	order, err := projection.Roles(ctx, in.txn)
	if err != nil {
		return "", err
	}
	if stated == "" {
		if own == "" || order.Outranks(tag, own) { // what a text says of itself gives no rank
			return own, nil
		}
		return tag, nil
	}
	if own != "" && order.Outranks(stated, own) {
		return "", tenure.FieldError(tenure.AuthorityTooHigh, "/source/role",
			fmt.Sprintf("outranks the role of this key, %q", own))
	}
	if _, known := order.Role(stated); !known {
		if in.txn.CachedVocabulary(tenure.SpeakerRoles).Closed {
			return "", tenure.FieldError(tenure.Unprocessable, "/source/role",
				fmt.Sprintf("is not in the vocabulary %q, which is closed", tenure.SpeakerRoles))
		}
		in.warn(tenure.UnknownRole, "/source/role")
	}
	return stated, nil
}

// resolve resolves each mention, in order: a later mention sees the entities of the earlier ones.
func (in *intake) resolve(ctx context.Context) error {
	for i, m := range in.cmd.Input.Mentions {
		mention := in.cmd.mention(i)
		if err := ctx.Err(); err != nil {
			return err
		}
		mention.ID, mention.Observation = in.mint.NewID(), in.observation.ID
		err := in.registerType(ctx, m.Type, i)
		if in.found(i) && err != nil && refused(err) {
			mention.Type, err = "", nil
		}
		if err != nil {
			return err
		}
		if mention, err = in.stated(ctx, mention); err != nil {
			return err
		}
		if mention.IdentifierKinds, err = attribute.OwnKinds(ctx, in.txn, mention.Attributes); err != nil {
			return err
		}
		if err := Identifiable(mention, fmt.Sprintf("/mentions/%d", i)); err != nil {
			return err
		}
		hints := in.cmd.candidates.Hints(i)
		hints.CoMentions = in.coMentions()
		hints.Proposed = slices.Concat(in.similar(mention), in.beside(mention.Name), hints.Proposed)
		hints.Sees = in.sees
		decision, err := in.cmd.Matcher.Resolve(ctx, in.txn, mention, hints, in.mint)
		if err != nil {
			return err
		}
		if decision, err = in.replace(ctx, mention, decision); err != nil {
			return err
		}
		in.txn.Put(tenure.MentionAdded{Mention: mention})
		in.txn.Put(decision.Changes...)
		in.mentions = append(in.mentions, mention)
		in.decisions = append(in.decisions, decision)
		in.observation.Mentions = append(in.observation.Mentions, mention.ID)
	}
	return nil
}

// similar lists the entities whose names share a blocking key with the mention's, of those that the index may not know
// yet.
func (in *intake) similar(m tenure.Mention) []tenure.ID {
	if m.Name == "" {
		return nil
	}
	name := tenure.Alias{Key: similarity.NameAliasKey(m.Name), Spelling: m.Name}
	return in.txn.Similar(registry.BlockingKeysOf(name))
}

// beside lists the entities of the preceding mentions whose names begin or end with the words of a name, or the other
// way round: the index does not know them yet.
func (in *intake) beside(name string) []tenure.ID {
	var list []tenure.ID
	words := strings.Fields(text.Plain(name))
	for i, earlier := range in.spoken {
		if atAnEnd(words, earlier) || atAnEnd(earlier, words) {
			list = append(list, in.decisions[i].Root)
		}
	}
	in.spoken = append(in.spoken, words)
	return list
}

// atAnEnd reports whether a list of words begins or ends with others.
func atAnEnd(part, words []string) bool {
	more := len(words) - len(part)
	return len(part) > 0 && more >= 0 && (slices.Equal(part, words[:len(part)]) || slices.Equal(part, words[more:]))
}

// coMentions lists the entities that the preceding mentions were resolved to, and the entities that the
// claims name.
func (in *intake) coMentions() []tenure.ID {
	var list []tenure.ID
	for _, d := range in.decisions {
		list = append(list, d.Root)
	}
	for _, c := range in.cmd.Input.Claims {
		for _, ref := range []*Ref{&c.Subject, c.Value.Entity} {
			if ref == nil || ref.EntityID == "" {
				continue
			}
			if e := in.txn.CachedEntity(ref.EntityID); e != nil {
				list = append(list, e.Root())
			}
		}
	}
	return list
}

// registerType registers an unknown entity type in an open vocabulary.
func (in *intake) registerType(ctx context.Context, name string, mention int) error {
	if name == "" {
		return nil
	}
	term := tenure.Term{Vocabulary: tenure.EntityTypes, Name: name}
	return in.register(ctx, term, in.cmd.label(mention), fmt.Sprintf("/mentions/%d/type", mention))
}

// register registers a term for what has the label if the vocabulary is open, unless it is known to whoever sees that.
func (in *intake) register(ctx context.Context, t tenure.Term, l tenure.Label, pointer string) error {
	known, err := in.txn.Term(ctx, t.ID())
	if err != nil || known != nil && known.UsedFor(l.Covers) {
		return err
	}
	if t.Registered, t.Labels = false, nil; known != nil {
		t = *known
	}
	v, err := in.txn.Vocabulary(ctx, t.Vocabulary)
	if err != nil {
		return err
	}
	if v.Closed {
		return in.closed(t.Vocabulary, t.Name, pointer)
	}
	in.txn.Put(tenure.TermPut{Term: t.UsedWith(l)})
	in.registered = append(in.registered, t.ID())
	return nil
}

func (in *intake) closed(vocabulary, word, pointer string) error {
	return tenure.FieldError(tenure.Unprocessable, pointer,
		fmt.Sprintf("%q is not in the vocabulary %q, which is closed", word, vocabulary))
}
