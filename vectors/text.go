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
const textVersion = "2"

// maxText bounds the bytes of a text: more than a model reads.
const maxText = 4096

// item is a text that is embedded, under the key of its row.
type item struct {
	key      key
	reach    reach
	document tenure.ID // of a passage
	text     string
}

// source is a belief in the state in which it was recorded, with the names of what it is about as they were there.
type source struct {
	belief         tenure.Belief
	subject, value string
}

// item returns what is embedded of a belief: what was said, as a line.
func (s source) item() item {
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
	return item{key: keyOf(s.belief.RecordedAt, c.ID), reach: reachOf(&c), text: within(strings.Join(parts, ". "))}
}

// pieceTokens is about how much of a passage one vector is made of: an encoder reads no more, or not well.
const pieceTokens = 200

// passageItems returns what is embedded of a passage: its pieces, each under its title and headings.
func passageItems(p *tenure.Passage, of tenure.Document) (items []item) {
	head := strings.Join(append([]string{of.Title}, p.Headings...), " / ")
	n := max(1, (p.Tokens+pieceTokens-1)/pieceTokens)
	for i, piece := range pieces(p.Text, n) {
		items = append(items, item{pieceKey(p.ID, i), reachOfPassages(of), of.ID, within(head + ": " + piece)})
	}
	return items
}

// pieces cuts a text into some pieces of about one length, between words.
func pieces(text string, n int) (list []string) {
	for ; n > 1; n-- {
		at := len(text) / n
		if space := strings.IndexAny(text[at:], " \n"); space >= 0 {
			list, text = append(list, text[:at+space]), text[at+space+1:]
		}
	}
	return append(list, text)
}

func within(text string) string { return text[:min(len(text), maxText)] }

// beliefItems reads what is embedded of beliefs in the state in which they were recorded. Tombstones are left out.
func beliefItems(ctx context.Context, r store.Reader, ids []tenure.ID) ([]item, error) {
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
	items := make([]item, len(found))
	for i, f := range found {
		c := &f.belief.Claim
		f.subject = cmp.Or(names[c.SubjectMention], names[c.Subject])
		f.value = cmp.Or(names[c.Value.Mention], names[c.Value.Entity])
		items[i] = f.item()
	}
	return items, nil
}

// documentItems reads what is embedded of the passages of a document in a state. Tombstones are left out.
func documentItems(ctx context.Context, r store.DocumentReader, id tenure.ID) (items []item, err error) {
	of, err := r.Documents(ctx, []tenure.ID{id})
	if err != nil || len(of) == 0 {
		return nil, err
	}
	list, err := r.PassagesOf(ctx, []tenure.ID{id})
	for i := range list {
		if !list[i].Erased {
			items = append(items, passageItems(&list[i], of[0])...)
		}
	}
	return items, err
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
