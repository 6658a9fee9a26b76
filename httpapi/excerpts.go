package httpapi

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// excerpts shows mentions with the words around them. An observation is read
// once.
type excerpts struct {
	reader       store.Reader
	observations map[tenure.ID]*store.ObservationRecord // nil: the caller may not see it
}

// side is what is known of one side of a review by its members, with the first
// of its mentions after one; more tells whether there are others.
func (x excerpts) side(
	ctx context.Context, members []tenure.Entity, after tenure.ID, limit int,
) (side *api.ReviewSide, more bool, err error) {
	e := members[0]
	side = &api.ReviewSide{
		EntityId: e.ID, CanonicalId: e.Root(), Name: e.Name, Type: e.Type, Status: e.Status, ProjectId: e.Project,
		Aliases: otherNames(members), Attributes: attributesOf(members), Mentions: []api.MentionInContext{},
	}
	var ids []tenure.ID
	of := map[tenure.ID]tenure.ID{} // which member a mention is of
	for _, m := range members {
		ids = append(ids, m.ID)
		side.Records = append(side.Records, m.Records...)
	}
	id := func(m tenure.Mention) tenure.ID { return m.ID }
	mentions, err := together(ids, limit+1, id, func(entity tenure.ID) ([]tenure.Mention, error) {
		list, err := x.reader.MentionsOf(ctx, entity, after, limit+1)
		for _, m := range list {
			of[m.ID] = entity
		}
		return list, err
	})
	if err != nil {
		return nil, false, err
	}
	for _, m := range mentions[:min(len(mentions), limit)] {
		view, err := x.mention(ctx, m)
		if err != nil {
			return nil, false, err
		}
		view.EntityId = of[m.ID]
		side.Mentions = append(side.Mentions, view)
	}
	return side, len(mentions) > limit, nil
}

func (x excerpts) mention(ctx context.Context, m tenure.Mention) (api.MentionInContext, error) {
	v := api.MentionInContext{MentionId: m.ID, ObservationId: m.Observation, Name: m.Name, Type: m.Type}
	o, err := x.observation(ctx, m.Observation)
	if o == nil || err != nil {
		return v, err
	}
	v.Aliases, v.Attributes, v.Context, v.Record = m.Aliases, m.Attributes, m.Context, m.Record
	v.ObservedAt, v.Source = o.Observation.ObservedAt.Time(), &o.Observation.Source
	v.Excerpt = excerpt(o.Observation.Text, m.Name)
	return v, nil
}

// observation is nil where the caller may not see it.
func (x excerpts) observation(ctx context.Context, id tenure.ID) (*store.ObservationRecord, error) {
	if o, ok := x.observations[id]; ok {
		return o, nil
	}
	o, err := observationByID(ctx, x.reader, id)
	if tenure.CodeOf(err) == tenure.NotFound {
		o, err = nil, nil
	}
	x.observations[id] = o
	return o, err
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
