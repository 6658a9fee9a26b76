package compile

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/linking"
	"tenure/store"
)

// The bounds of what is found by the texts of values.
const (
	askedTexts   = 64 // texts
	longestText  = 6  // words
	saidEach     = 10 // beliefs for each text
	saidSpecific = 3  // beliefs that may have a text in common, beside what a request names
)

// textsOf lists the runs of words of a query that may be the text of a value: those with a word that may be part of a
// name, the longest first.
func textsOf(query string, list []linking.Word) []string {
	var texts []string
	for n := min(longestText, len(list)); n > 0; n-- {
		named := func(w linking.Word) bool { return w.Name }
		for i := 0; i+n <= len(list) && len(texts) < askedTexts; i++ {
			run := list[i : i+n]
			apart := slices.ContainsFunc(run[1:], func(w linking.Word) bool { return !w.Joined })
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

// texts lists the texts to look up among values: the runs of words of the query, and the names of what it asks about,
// because no relation leads to a name that was stored as a text.
func (c *topicSet) texts() []string {
	texts := slices.Concat(c.runs, c.askedNames())
	slices.Sort(texts)
	return slices.Compact(texts)
}

// askedNames lists the names of what the request is about, but for the requester's.
func (c *topicSet) askedNames() (names []string) {
	for _, m := range c.Topics {
		if m.Hops == 0 && m.Via != linking.ByIdentity {
			names = append(names, m.Entity.Name)
		}
	}
	return names
}

// said keeps the beliefs that are visible, stand, and are not about what was asked.
func (c *Compiler) said(
	ctx context.Context, r store.Reader, found []tenure.Belief, who *topicSet, see viewer, at tenure.Instant,
) ([]tenure.Belief, error) {
	list := slices.DeleteFunc(slices.Clone(found), func(b tenure.Belief) bool {
		seg, ok := b.Standing.At(at)
		return !ok || seg.Cause != tenure.Stands || see.denies(&b.Claim) != ""
	})
	list = who.specific(list)
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.Subject
	}
	if err := who.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(b tenure.Belief) bool {
		subject, ok := who.Known.Root(b.Claim.Subject)
		return !ok || linking.Excluded(subject, see.scope.ProjectID) != "" || who.wasAsked(subject.ID)
	})
	slices.SortFunc(list, func(a, b tenure.Belief) int {
		return cmp.Or(newestFirst(&a.Claim, &b.Claim), cmp.Compare(a.Claim.ID, b.Claim.ID))
	})
	for _, b := range list {
		who.said[b.Claim.ID] = true
	}
	return list, nil
}

// specific leaves out the texts that many beliefs have as their value, if the request names an entity: "What does Ann
// do in Oslo?" does not ask who else lives in Oslo. The names of what is asked about stay.
func (c *topicSet) specific(list []tenure.Belief) []tenure.Belief {
	names := map[string]bool{}
	for _, name := range c.askedNames() {
		names[strings.ToLower(name)] = true
	}
	if len(names) == 0 {
		return list
	}
	textOf := func(b tenure.Belief) string { return strings.ToLower(valueText(b.Claim.Value, nil, c.Known)) }
	count := map[string]int{}
	for _, b := range list {
		count[textOf(b)]++
	}
	common := map[string]bool{}
	list = slices.DeleteFunc(list, func(b tenure.Belief) bool {
		text := textOf(b)
		if count[text] <= saidSpecific || names[text] {
			return false
		}
		common[text] = true
		return true
	})
	c.common = len(common)
	return list
}
