package httpapi

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// excerpts shows mentions with the words around them. The observations of all of
// them are read at once.
type excerpts struct {
	reader       store.Reader
	wanted       []tenure.ID
	observations map[tenure.ID]tenure.Observation // those that the caller may see
}

func newExcerpts(r store.Reader) *excerpts {
	return &excerpts{reader: r, observations: map[tenure.ID]tenure.Observation{}}
}

// mentionPage is a page of the mentions of members, and which member each is
// of.
type mentionPage struct {
	list []tenure.Mention
	of   map[tenure.ID]tenure.ID
	more bool
}

// mentions finds the first mentions of members after one, and notes what their
// words are read from.
func (x *excerpts) mentions(ctx context.Context, members []tenure.Entity, after tenure.ID, limit int) (mentionPage, error) {
	p := mentionPage{of: map[tenure.ID]tenure.ID{}}
	var ids []tenure.ID
	for _, m := range members {
		ids = append(ids, m.ID)
	}
	id := func(m tenure.Mention) tenure.ID { return m.ID }
	found, err := together(ids, limit+1, id, func(entity tenure.ID) ([]tenure.Mention, error) {
		list, err := x.reader.MentionsOf(ctx, entity, after, limit+1)
		for _, m := range list {
			p.of[m.ID] = entity
		}
		return list, err
	})
	p.more, p.list = len(found) > limit, found[:min(len(found), limit)]
	for _, m := range p.list {
		x.wanted = append(x.wanted, m.Observation)
	}
	return p, err
}

// load reads the observations that were wanted, and the claims by which they may
// be seen.
func (x *excerpts) load(ctx context.Context) error {
	list, err := x.reader.Observations(ctx, slices.Compact(slices.Sorted(slices.Values(x.wanted))))
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
	caller, hidden := callerOf(ctx), map[tenure.ID]bool{}
	for _, b := range beliefs {
		hidden[b.Claim.ID] = !caller.Sees(b.Claim)
	}
	for _, o := range list {
		if caller.Within(o.Scope) && !slices.ContainsFunc(o.Claims, func(id tenure.ID) bool { return hidden[id] }) {
			x.observations[o.ID] = o
		}
	}
	return nil
}

// side is what is known of one side of a review by its members, with a page of
// its mentions.
func (x *excerpts) side(members []tenure.Entity, p mentionPage) *api.ReviewSide {
	e := members[0]
	side := &api.ReviewSide{
		EntityId: e.ID, CanonicalId: e.Root(), Name: e.Name, Type: e.Type, Status: e.Status, ProjectId: e.Project,
		Aliases: otherNames(members), Attributes: attributesOf(members), Mentions: []api.MentionInContext{},
	}
	for _, m := range members {
		side.Records = append(side.Records, m.Records...)
	}
	for _, m := range p.list {
		view := x.mention(m)
		view.EntityId = p.of[m.ID]
		side.Mentions = append(side.Mentions, view)
	}
	return side
}

func (x *excerpts) mention(m tenure.Mention) api.MentionInContext {
	v := api.MentionInContext{MentionId: m.ID, ObservationId: m.Observation, Name: m.Name, Type: m.Type}
	o, ok := x.observations[m.Observation]
	if !ok {
		return v
	}
	v.Aliases, v.Attributes, v.Context, v.Record = m.Aliases, m.Attributes, m.Context, m.Record
	v.ObservedAt, v.Source = o.ObservedAt.Time(), &o.Source
	v.Excerpt = excerpt(o.Text, m.Name)
	return v
}

// excerptLength bounds an excerpt, in characters.
const excerptLength = 300

// excerpt is the text around the first place where the name is, its beginning
// if the name is not in it. What is cut off is marked.
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
