package compile

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// The bounds of what is found by the texts of values.
const (
	askedTexts = 64 // texts
	saidEach   = 10 // beliefs for each text
)

// textsOf lists the runs of words of a query that may be the text of a value: those with a word that may be part of a
// name, the longest first.
func textsOf(query string, list []word) []string {
	var texts []string
	for n := min(longestName, len(list)); n > 0; n-- {
		named := func(w word) bool { return w.name }
		for i := 0; i+n <= len(list) && len(texts) < askedTexts; i++ {
			run := list[i : i+n]
			apart := slices.ContainsFunc(run[1:], func(w word) bool { return !w.joined })
			if apart || !slices.ContainsFunc(run, named) {
				continue
			}
			if text := query[run[0].From:run[n-1].Until]; !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// said lists what stands of others and has a text as its value that the query names, or that is the name of what was
// asked about: that text is no entity, so that no relation leads to it.
func (c *Compiler) said(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, at tenure.Instant,
) ([]tenure.Belief, error) {
	texts := who.texts
	for _, m := range who.topics {
		if m.hops == 0 && m.via != byIdentity && !slices.Contains(texts, m.entity.Name) {
			texts = append(texts, m.entity.Name)
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	slices.Sort(texts)
	list, err := r.Saying(ctx, texts, saidEach)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(at)
		return !ok || seg.Cause != tenure.Stands || see.denies(&b.Claim) != ""
	})
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.Subject
	}
	if err := who.known.load(ctx, r, ids); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(b tenure.Belief) bool {
		subject, ok := who.known.root(b.Claim.Subject)
		return !ok || exclusionReason(subject, see.scope.ProjectID) != "" || who.wasAsked(subject.ID)
	})
	slices.SortFunc(list, func(a, b tenure.Belief) int {
		return cmp.Or(newestFirst(&a.Claim, &b.Claim), cmp.Compare(a.Claim.ID, b.Claim.ID))
	})
	for _, b := range list {
		who.said[b.Claim.ID] = true
	}
	return list, nil
}
