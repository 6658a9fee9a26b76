package erasure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

// Request says whose content is erased: that of an entity, of an observation, of a document, or of all observations and
// documents that are private to a user. One of the four is given.
type Request struct {
	Entity, Observation, Document tenure.ID
	User                          string
}

// Plan is what a request erases.
type Plan struct {
	// Units are its parts by observation, in the order of their ids.
	Units []Unit
	// Entities are those that are erased whole, with all that is one with them.
	Entities []tenure.ID
	// Documents are erased in all their versions, in the order of their ids.
	Documents []tenure.ID
	// Words are what entities are called no more, and by what they were identified, in lower case.
	Words []string
	// Elsewhere are observations of which a part stays that has one of the words.
	Elsewhere []tenure.ID
	// IDs are those of all that is erased, or was before: what names one of them may tell of it.
	IDs map[tenure.ID]bool
	// User is the one whose private content is erased, if any.
	User string

	// named are those of Entities that have a name yet.
	named []tenure.ID
}

// Unit is what is erased of an observation and of what was read in it.
type Unit struct {
	Observation tenure.ID
	// Kind is ErasedObservation, ErasedText, or "" where its words stay.
	Kind     tenure.ErasedKind
	Mentions []Mention
	// Claims are erased; of Wordings only the words in which they were made are.
	Claims, Wordings []tenure.ID
}

// Mention is a mention that is erased, and the entity that it is assigned to.
type Mention struct{ ID, Entity tenure.ID }

// Digest is equal for plans that erase the same.
func (p Plan) Digest() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", p.Units, p.Entities, p.Documents))
	return hex.EncodeToString(sum[:])[:32]
}

// pageSize is how many things are read at once.
const pageSize = 500

// collector makes a plan.
type collector struct {
	r     store.Reader
	units map[tenure.ID]*Unit
	words map[string]bool
	plan  Plan
}

// Collect lists what a request erases in a state. It returns NotFound where there is no such entity or observation.
func Collect(ctx context.Context, r store.Reader, q Request) (Plan, error) {
	c := &collector{
		r: r, units: map[tenure.ID]*Unit{}, words: map[string]bool{},
		plan: Plan{IDs: map[tenure.ID]bool{}},
	}
	var err error
	switch {
	case q.Entity != "":
		err = c.entity(ctx, q.Entity)
	case q.Observation != "":
		err = c.observation(ctx, q.Observation)
	case q.Document != "":
		err = c.document(ctx, q.Document)
	default:
		c.plan.User = q.User
		err = c.user(ctx, q.User)
	}
	if err != nil {
		return Plan{}, err
	}
	for _, id := range slices.Sorted(maps.Keys(c.units)) {
		if u := c.units[id]; u.Kind != "" || len(u.Mentions)+len(u.Claims)+len(u.Wordings) > 0 {
			c.plan.Units = append(c.plan.Units, *u)
		}
	}
	c.plan.Words = slices.Sorted(maps.Keys(c.words))
	return c.plan, nil
}

func (c *collector) unit(observation tenure.ID) *Unit {
	u := c.units[observation]
	if u == nil {
		u = &Unit{Observation: observation}
		c.units[observation] = u
	}
	return u
}

func (c *collector) claim(b tenure.Claim) {
	c.plan.IDs[b.ID] = true
	if u := c.unit(b.Observation); !b.Erased && !slices.Contains(u.Claims, b.ID) {
		u.Claims = append(u.Claims, b.ID)
	}
}

func (c *collector) mention(m tenure.Mention, entity tenure.ID) {
	c.plan.IDs[m.ID] = true
	if !m.Erased {
		u := c.unit(m.Observation)
		u.Mentions = append(u.Mentions, Mention{m.ID, entity})
	}
}

func (c *collector) said(words ...string) {
	for _, w := range words {
		if len(w) >= shortestWord {
			c.words[strings.ToLower(w)] = true
		}
	}
}

// entity collects what is known of an entity, of all that is one with it, and the texts that name it.
func (c *collector) entity(ctx context.Context, id tenure.ID) error {
	found, err := c.r.Entities(ctx, []tenure.ID{id})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return tenure.Errorf(tenure.NotFound, "there is no such entity")
	}
	roots, err := c.r.Entities(ctx, []tenure.ID{found[0].Root()})
	if err != nil || len(roots) == 0 {
		return err
	}
	c.plan.Entities = slices.Sorted(slices.Values(roots[0].Whole()))
	members, err := c.r.Entities(ctx, c.plan.Entities)
	if err != nil {
		return err
	}
	for _, e := range members {
		c.plan.IDs[e.ID] = true
		c.said(e.Name)
		if e.Name != "" {
			c.plan.named = append(c.plan.named, e.ID)
		}
	}
	for _, member := range c.plan.Entities {
		if err := c.mentionsOf(ctx, member, func(m tenure.Mention) {
			c.mention(m, member)
			c.said(wordsOf(m)...)
		}); err != nil {
			return err
		}
		if err := c.eachClaim(ctx, member, c.claim); err != nil {
			return err
		}
	}
	if err := c.wordings(ctx); err != nil {
		return err
	}
	return c.texts(ctx)
}

func (c *collector) mentionsOf(ctx context.Context, entity tenure.ID, f func(tenure.Mention)) error {
	for after := tenure.ID(""); ; {
		list, err := c.r.MentionsOf(ctx, entity, after, pageSize)
		if err != nil {
			return err
		}
		for _, m := range list {
			f(m)
			after = m.ID
		}
		if len(list) < pageSize {
			return nil
		}
	}
}

// eachClaim calls f for every claim about an entity, about any where that is "".
func (c *collector) eachClaim(ctx context.Context, about tenure.ID, f func(tenure.Claim)) error {
	for q := (store.BeliefQuery{Subject: about, Limit: pageSize}); ; {
		list, err := c.r.List(ctx, q)
		if err != nil {
			return err
		}
		for _, b := range list {
			f(b.Claim)
			q.After = b.Claim.ID
		}
		if len(list) < q.Limit {
			return nil
		}
	}
}

// wordings collects the claims about others whose value is one of the entities: they stay, as relations to a tombstone.
func (c *collector) wordings(ctx context.Context) error {
	list, err := c.r.Referring(ctx, c.plan.Entities)
	for _, b := range list {
		u := c.unit(b.Claim.Observation)
		if slices.Contains(u.Claims, b.Claim.ID) || !worded(b.Claim) {
			continue
		}
		c.plan.IDs[b.Claim.ID] = true
		u.Wordings = append(u.Wordings, b.Claim.ID)
	}
	return err
}

// worded reports whether a claim has words that EraseWording takes from it.
func worded(c tenure.Claim) bool {
	return c.Value.Name != "" || c.Evidence != nil ||
		c.Content+c.NormalizedClaim+c.WhyItMatters+c.BehavioralImplication+c.UpdatePath+c.RetirementRule != ""
}

// texts collects the texts in which the entities are named, with what was read in them that has one of the words, and
// finds the texts of others that have one.
func (c *collector) texts(ctx context.Context) error {
	words := NewFinder(slices.Collect(maps.Keys(c.words)))
	elsewhere := map[tenure.ID]bool{}
	parts := map[tenure.ID]bool{} // observations that keep a mention which has one of the words
	readings, err := c.scan(ctx, func(page []tenure.Observation) error {
		for _, o := range page {
			if slices.ContainsFunc(o.Named, func(id tenure.ID) bool { return slices.Contains(c.plan.Entities, id) }) {
				c.unit(o.ID)
			} else if words.In(saidBy(o)...) {
				elsewhere[o.ID] = true
			}
		}
		if len(words) == 0 {
			return nil
		}
		return c.eachMention(ctx, page, func(m tenure.Mention) {
			if !c.plan.IDs[m.ID] && words.In(saidOf(m)...) {
				parts[m.Observation] = true
			}
		})
	})
	if err != nil {
		return err
	}
	if len(words) > 0 {
		if err := c.eachClaim(ctx, "", func(b tenure.Claim) {
			if words.In(claimed(b)...) || words.In(source(b.Source)...) {
				elsewhere[b.Observation] = true
			}
		}); err != nil {
			return err
		}
	}
	c.follow(readings)
	maps.DeleteFunc(elsewhere, func(id tenure.ID, _ bool) bool { return c.units[id] != nil })
	maps.Copy(elsewhere, parts)
	c.plan.Elsewhere = slices.Sorted(maps.Keys(elsewhere))
	return c.eachTouched(ctx, func(o tenure.Observation) error { return c.text(ctx, o, words) })
}

// eachMention calls f for the mentions of observations.
func (c *collector) eachMention(ctx context.Context, list []tenure.Observation, f func(tenure.Mention)) error {
	var ids []tenure.ID
	for _, o := range list {
		ids = append(ids, o.Mentions...)
	}
	for some := range slices.Chunk(ids, pageSize) {
		found, err := c.r.Mentions(ctx, some)
		if err != nil {
			return err
		}
		for _, m := range found {
			f(m.Mention)
		}
	}
	return nil
}

// text collects the words of an observation, and what was read in them that has one of the words.
func (c *collector) text(ctx context.Context, o tenure.Observation, words Finder) error {
	u := c.unit(o.ID)
	switch {
	case !o.Erased && words.In(source(o.Source)...):
		u.Kind = tenure.ErasedObservation
	case !o.TextErased && (o.Text != "" || len(o.Statements) > 0 || o.Addressee != ""):
		u.Kind = tenure.ErasedText
	}
	if u.Kind != "" || o.TextErased {
		c.plan.IDs[o.ID] = true
	}
	list, err := c.r.Beliefs(ctx, o.Claims)
	for _, b := range list {
		if words.In(claimed(b.Claim)...) && !slices.Contains(u.Wordings, b.Claim.ID) {
			c.claim(b.Claim)
		}
	}
	return err
}

// scan calls f for all observations in pages, and returns which are of the words of another, by their ids.
func (c *collector) scan(
	ctx context.Context, f func([]tenure.Observation) error,
) (map[tenure.ID]tenure.ID, error) {
	readings := map[tenure.ID]tenure.ID{}
	q := store.ObservationQuery{From: tenure.MinTime, Before: tenure.MaxTime, Limit: pageSize}
	for {
		list, err := c.r.ListObservations(ctx, q)
		if err != nil {
			return nil, err
		}
		page := make([]tenure.Observation, len(list))
		for i, rec := range list {
			o := rec.Observation
			if o.Of != "" {
				readings[o.ID] = o.Of
			}
			page[i], q.Before, q.BeforeID = o, o.ObservedAt, o.ID
		}
		if err := f(page); err != nil {
			return nil, err
		}
		if len(list) < q.Limit {
			return readings, nil
		}
	}
}

// follow adds the observations that are of the words of those of the plan: further readings of them, and answers.
func (c *collector) follow(readings map[tenure.ID]tenure.ID) {
	for found := true; found; {
		found = false
		for id, of := range readings {
			if c.units[of] != nil && c.units[id] == nil {
				c.unit(id)
				found = true
			}
		}
	}
}

// eachTouched calls f for the observations of the plan.
func (c *collector) eachTouched(ctx context.Context, f func(tenure.Observation) error) error {
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(c.units)), pageSize) {
		list, err := c.r.Observations(ctx, ids)
		if err != nil {
			return err
		}
		for _, o := range list {
			if err := f(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// observation collects an observation, with the further readings of its text and the answers to what it proposes.
func (c *collector) observation(ctx context.Context, id tenure.ID) error {
	found, err := c.r.Observations(ctx, []tenure.ID{id})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return tenure.Errorf(tenure.NotFound, "there is no such observation")
	}
	c.unit(id)
	readings, err := c.scan(ctx, func([]tenure.Observation) error { return nil })
	if err != nil {
		return err
	}
	c.follow(readings)
	return c.whole(ctx)
}

// user collects the observations and the documents that are private to a user.
func (c *collector) user(ctx context.Context, id string) error {
	if err := c.documentsOf(ctx, id); err != nil {
		return err
	}
	readings, err := c.scan(ctx, func(page []tenure.Observation) error {
		for _, o := range page {
			if o.Scope.UserID == id {
				c.unit(o.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.follow(readings)
	return c.whole(ctx)
}

// whole collects all of the observations of the plan, and the words that nothing else says of their entities.
func (c *collector) whole(ctx context.Context) error {
	entities := map[tenure.ID]bool{} // that the mentions are assigned to
	if err := c.eachTouched(ctx, func(o tenure.Observation) error {
		c.plan.IDs[o.ID] = true
		if u := c.unit(o.ID); !o.Erased {
			u.Kind = tenure.ErasedObservation
		}
		rec, err := c.r.Observation(ctx, o.ID)
		if err != nil {
			return err
		}
		for i, m := range rec.Mentions {
			c.mention(m, rec.Assignments[i].Entity)
			if !m.Erased {
				entities[rec.Assignments[i].Entity] = true
			}
		}
		list, err := c.r.Beliefs(ctx, o.Claims)
		for _, b := range list {
			c.claim(b.Claim)
		}
		return err
	}); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(entities)) {
		stay, went := map[string]bool{}, []string{}
		if err := c.mentionsOf(ctx, id, func(m tenure.Mention) {
			if u := c.units[m.Observation]; u != nil {
				went = append(went, wordsOf(m)...)
				return
			}
			for _, w := range wordsOf(m) {
				stay[w] = true
			}
		}); err != nil {
			return err
		}
		c.said(slices.DeleteFunc(went, func(w string) bool { return stay[w] })...)
	}
	return nil
}

// Counts says how much a plan erases.
type Counts struct {
	Observations, Texts, Mentions, Claims, Wordings, Entities, Documents int
}

// Counts counts what the plan erases. Of the entities those are counted of which something is.
func (p Plan) Counts() Counts {
	var n Counts
	for _, u := range p.Units {
		switch u.Kind {
		case tenure.ErasedObservation:
			n.Observations++
		case tenure.ErasedText:
			n.Texts++
		}
		n.Mentions += len(u.Mentions)
		n.Claims += len(u.Claims)
		n.Wordings += len(u.Wordings)
	}
	n.Entities, n.Documents = len(entitiesOf(p.named, p.Units)), len(p.Documents)
	return n
}

// entitiesOf lists some entities, with those that the mentions of units are assigned to, in the order of their ids.
func entitiesOf(ids []tenure.ID, units []Unit) []tenure.ID {
	ids = slices.Clone(ids)
	for _, u := range units {
		for _, m := range u.Mentions {
			ids = append(ids, m.Entity)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
