package view

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/labels"
)

// ReviewSide is the evidence on one side of a review.
type ReviewSide struct {
	// EntityID is the side of the review. Entity is its root, the first of its members: see Entity.Root.
	EntityID   tenure.ID
	Entity     tenure.Entity
	Aliases    []string
	Attributes map[string][]string
	Records    []tenure.Record
	Mentions   []MentionInContext
}

// MentionInContext is a mention with the surrounding text. Where the observation is hidden from the caller,
// Source is nil, and only the ids, the name and the type are set.
type MentionInContext struct {
	Mention    tenure.Mention
	Entity     tenure.ID
	Source     *tenure.Source
	ObservedAt tenure.Instant
	Excerpt    string
}

// excerpts collects mentions and renders them in context. Observations of all mentions are read together,
// which saves a query for each.
type excerpts struct {
	*View
	wanted       []tenure.ID
	observations map[tenure.ID]tenure.Observation // visible to the caller
}

func newExcerpts(v *View) *excerpts {
	return &excerpts{View: v, observations: map[tenure.ID]tenure.Observation{}}
}

// mentionPage is a page of the mentions of members; of maps each mention to its member.
type mentionPage struct {
	Listing[tenure.Mention]
	of map[tenure.ID]tenure.ID
}

// mentions returns the first mentions of members after an id, and notes the observations that they need.
func (x *excerpts) mentions(
	ctx context.Context, members []tenure.Entity, after tenure.ID, limit int,
) (mentionPage, error) {
	p := mentionPage{of: map[tenure.ID]tenure.ID{}}
	var ids []tenure.ID
	for _, m := range members {
		ids = append(ids, m.ID)
	}
	id := func(m tenure.Mention) tenure.ID { return m.ID }
	found, err := mergePages(ids, limit+1, id, func(entity tenure.ID) ([]tenure.Mention, error) {
		list, err := x.reader.MentionsOf(ctx, entity, after, limit+1)
		for _, m := range list {
			p.of[m.ID] = entity
		}
		return list, err
	})
	p.Listing = Listed(found, limit, func(m tenure.Mention) string { return string(m.ID) })
	for _, m := range p.Items {
		x.wanted = append(x.wanted, m.Observation)
	}
	return p, err
}

// load reads the noted observations. An observation is visible if its scope and all of its claims are.
func (x *excerpts) load(ctx context.Context) error {
	list, err := x.reader.Observations(ctx, sortedUnique(x.wanted))
	if err != nil {
		return err
	}
	var claims []tenure.ID
	for _, o := range list {
		claims = append(claims, o.Claims...)
	}
	beliefs, err := x.reader.Beliefs(ctx, claims)
	if err != nil {
		return err
	}
	hidden := map[tenure.ID]bool{}
	for _, b := range beliefs {
		hidden[b.Claim.ID] = !x.sees.Sees(b.Claim.Label())
	}
	for _, o := range list {
		if x.sees.Sees(labels.LabelOf(o)) && !slices.ContainsFunc(o.Claims, func(id tenure.ID) bool { return hidden[id] }) {
			x.observations[o.ID] = o
		}
	}
	return nil
}

// side returns one side of a review, given its members and a page of its mentions.
func (x *excerpts) side(members []tenure.Entity, p mentionPage) ReviewSide {
	e := members[0]
	side := ReviewSide{
		EntityID: e.ID, Entity: e.Shown(members), Aliases: OtherNames(members), Attributes: attributesOf(members),
	}
	for _, m := range members {
		side.Records = append(side.Records, m.Records...)
	}
	for _, m := range p.Items {
		shown := x.mention(m)
		shown.Entity = p.of[m.ID]
		side.Mentions = append(side.Mentions, shown)
	}
	return side
}

func (x *excerpts) mention(m tenure.Mention) MentionInContext {
	o, ok := x.observations[m.Observation]
	if !ok {
		return MentionInContext{Mention: tenure.Mention{ID: m.ID, Observation: m.Observation, Name: m.Name, Type: m.Type}}
	}
	return MentionInContext{Mention: m, Source: &o.Source, ObservedAt: o.ObservedAt, Excerpt: excerpt(o.Text, m.Name)}
}

// excerptLength bounds an excerpt, in characters.
const excerptLength = 300

// excerpt returns the text around the first occurrence of a name, an exact-case occurrence preferred, or the
// beginning of the text if there is none. An ellipsis marks truncation.
func excerpt(text, name string) string {
	at, end := strings.Index(text, name), 0
	if at < 0 {
		if place := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(name)).FindStringIndex(text); place != nil {
			at = place[0]
		}
	}
	at = max(at, 0)
	end = at
	for room := excerptLength / 2; room > 0 && at > 0; room-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	for room := utf8.RuneCountInString(text[at:end]); room < excerptLength && end < len(text); room++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	cut := text[at:end]
	if at > 0 {
		if _, rest, ok := strings.Cut(cut, " "); ok && strings.Contains(rest, name) {
			cut = rest
		}
		cut = "…" + cut
	}
	if end < len(text) {
		cut += "…"
	}
	return cut
}
