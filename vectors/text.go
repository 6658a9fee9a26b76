package vectors

import (
	"cmp"
	"context"
	"strings"

	"tenure"
	"tenure/recall"
	"tenure/store"
)

// textVersion is that of the texts that are embedded. Increment it when they change: vectors are then made again.
const textVersion = "1"

// maxText bounds the bytes of a text: more than a model reads.
const maxText = 4096

// source is a belief in the state in which it was recorded, with the names of what it is about as they were there.
type source struct {
	belief         tenure.Belief
	subject, value string
}

// text returns what is embedded of a belief: what was said, as a line.
func (s source) text() string {
	c := s.belief.Claim
	value := s.value
	if c.Value.Entity == "" {
		value = c.Value.Text()
	}
	parts := []string{value}
	if recall.KindOf(&c) == recall.Belief {
		parts = []string{s.subject + " / " + strings.ReplaceAll(c.Predicate, "_", " ") + ": " + value}
	}
	for _, more := range []string{c.WhyItMatters, c.BehavioralImplication} {
		if more != "" {
			parts = append(parts, more)
		}
	}
	text := strings.Join(parts, ". ")
	return text[:min(len(text), maxText)]
}

// sourcesIn reads beliefs in the state in which they were recorded. Tombstones are left out.
func sourcesIn(ctx context.Context, r store.Reader, ids []tenure.ID) ([]source, error) {
	list, err := r.Beliefs(ctx, ids)
	if err != nil {
		return nil, err
	}
	var found []source
	var mentions, entities []tenure.ID
	for _, b := range list {
		if b.Claim.Erased {
			continue
		}
		b.Claim = b.Claim.AsSaid()
		found = append(found, source{belief: b})
		mentions = append(mentions, ids2(b.Claim.SubjectMention, b.Claim.Value.Mention)...)
		entities = append(entities, ids2(b.Claim.Subject, b.Claim.Value.Entity)...)
	}
	names := map[tenure.ID]string{}
	records, err := r.Mentions(ctx, mentions)
	if err != nil {
		return nil, err
	}
	for _, m := range records {
		names[m.Mention.ID] = m.Mention.Name
	}
	known, err := r.Entities(ctx, entities)
	if err != nil {
		return nil, err
	}
	for _, e := range known {
		names[e.ID] = e.Name
	}
	for i := range found {
		c := &found[i].belief.Claim
		found[i].subject = cmp.Or(names[c.SubjectMention], names[c.Subject])
		found[i].value = cmp.Or(names[c.Value.Mention], names[c.Value.Entity])
	}
	return found, nil
}

// ids2 lists those of two ids that there are.
func ids2(a, b tenure.ID) (list []tenure.ID) {
	for _, id := range []tenure.ID{a, b} {
		if id != "" {
			list = append(list, id)
		}
	}
	return list
}
