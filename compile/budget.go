package compile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenure"
	"tenure/linking"
)

// entry is one line that competes for the budget: the line of an object, or of the field of the request that
// pointer names, or, with neither, of a name that is unresolved.
type entry struct {
	text    string
	object  *object
	pointer string
}

// sections holds lines by zone.
type sections map[string][]entry

// haveObject reports whether a line is that of an object.
func (s sections) haveObject() bool {
	for _, list := range s {
		if slices.ContainsFunc(list, func(e entry) bool { return e.object != nil }) {
			return true
		}
	}
	return false
}

// candidates lists the lines of each zone in the order of their priority. The request's environment comes
// first and displaces beliefs of the environment with the same key about the requester, or about all that there is to
// say anything about.
func candidates(objects []*object, who *topicSet, req Request) (want sections, dropped []omission) {
	want = sections{zoneIdentity: identityLines(req.Identity), zoneUnconfirmed: unresolvedLines(who)}
	single := about(objects, who)
	stated := map[string]bool{}
	for _, k := range slices.Sorted(maps.Keys(req.Environment)) {
		key := oneLine(k)
		stated[key] = true
		text := key + ": " + cmp.Or(oneLine(req.Environment[k]), `""`)
		want[zoneEnvironment] = append(want[zoneEnvironment], entry{text: text, pointer: "/environment/" + pointerToken(k)})
	}
	for i, s := range req.WorkingSet {
		if text := oneLine(s); text != "" {
			want[zoneWorkingSet] = append(want[zoneWorkingSet], entry{text: text, pointer: fmt.Sprintf("/working_set/%d", i)})
		}
	}
	lines, shown := map[string]*object{}, make([]*object, 0, len(objects))
	for _, o := range objects {
		if o.zone == zoneEnvironment && stated[o.key] && (o.root == who.Requester || o.root == single) {
			dropped = append(dropped, omission{object: o, reason: reasonStated})
			continue
		}
		if twin := lines[o.line]; twin != nil {
			twin.propose(o.proposed)
			dropped = append(dropped, omission{object: o, reason: reasonDuplicate, by: twin.claim().ID})
			continue
		}
		lines[o.line] = o
		shown = append(shown, o)
	}
	for _, o := range shown {
		want[o.zone] = append(want[o.zone], entry{text: o.text(), object: o})
	}
	return want, dropped
}

// about returns the one entity that objects are about, the requester included, "" if there are several.
func about(objects []*object, who *topicSet) tenure.ID {
	one := who.Requester
	for _, o := range objects {
		if one = cmp.Or(one, o.root); o.root != one {
			return ""
		}
	}
	return one
}

// shownCandidates bounds the candidates that a line names.
const shownCandidates = 5

// unresolvedLines says which names of the query could not be resolved, and whom they may mean.
func unresolvedLines(who *topicSet) (list []entry) {
	for _, u := range who.unresolved() {
		if len(u.Candidates) == 0 || u.Reason == linking.PendingEntity {
			continue
		}
		var names []string
		for _, id := range u.Candidates[:min(len(u.Candidates), shownCandidates)] {
			names = append(names, who.labels[id])
		}
		if more := len(u.Candidates) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("%d more", more))
		}
		text := oneLine(u.Text) + ": unresolved, may be " + strings.Join(names, " or ")
		if u.Review != "" {
			text = oneLine(u.Name) + ": under review, may be " + strings.Join(names, " or ") + " (more is known, not settled)"
		}
		list = append(list, entry{text: text})
	}
	return list
}

// packer spends the budget (StateBench specification, Context Building Algorithm): identity first, then the
// environment. Constraints, facts and remarks share FactsShare of the rest, which constraints may exceed; the working
// set gets what remains, and unconfirmed lines come last. A line that does not fit is omitted, and smaller
// lines after it are still tried.
type packer struct {
	count    func(string) int
	frame    func(zone string) int // tokens of a zone without lines
	left     int
	kept     sections
	leftover []entry
}

// leastLine is the smallest cost of a line in tokens: a word and a line break.
const leastLine = 2

// admit admits lines of a zone up to a limit of tokens and returns the tokens spent.
func (p *packer) admit(zone string, list []entry, limit int) int {
	used := 0
	for _, e := range list {
		if limit-used < leastLine {
			p.leftover = append(p.leftover, e)
			continue
		}
		cost := p.count(e.text) + 1 // the line break
		if len(p.kept[zone]) == 0 {
			cost += p.frame(zone)
		}
		if used+cost > limit {
			p.leftover = append(p.leftover, e)
			continue
		}
		used += cost
		p.kept[zone] = append(p.kept[zone], e)
	}
	p.left -= used
	return used
}

// pack chooses the lines that fit the budget. The final text is counted whole, because a tokenizer may need
// more tokens for the whole than for its parts: the last lines go until the text fits.
func (c *Compiler) pack(want sections, req Request) (Envelope, sections, []entry) {
	w := writerFor(req.Provider)
	p := packer{count: c.tokens.Count, frame: func(zone string) int { return c.tokens.Count(w.frame(zone)) },
		left: req.BudgetTokens, kept: sections{}}
	p.admit(zoneIdentity, want[zoneIdentity], p.left)
	p.admit(zoneEnvironment, want[zoneEnvironment], p.left)
	share := int(*req.FactsShare * float64(p.left))
	constraints := p.admit(zonePolicy, want[zonePolicy], p.left)
	facts := p.admit(zoneFacts, want[zoneFacts], min(share-constraints, p.left))
	p.admit(zoneRemarks, want[zoneRemarks], min(share-constraints-facts, p.left))
	p.admit(zoneWorkingSet, want[zoneWorkingSet], p.left)
	p.admit(zoneUnconfirmed, want[zoneUnconfirmed], p.left)
	for {
		env := w.write(p.kept, c.tokens, req.Query)
		if env.tokens <= req.BudgetTokens || !p.dropLast() {
			return env, p.kept, p.leftover
		}
	}
}

// dropLast removes the last line of the least important zone and reports whether there was one.
func (p *packer) dropLast() bool {
	for _, zone := range []string{
		zoneUnconfirmed, zoneWorkingSet, zoneRemarks, zoneFacts, zoneEnvironment, zonePolicy, zoneIdentity,
	} {
		if list := p.kept[zone]; len(list) > 0 {
			p.leftover = append(p.leftover, list[len(list)-1])
			p.kept[zone] = slices.Clone(list[:len(list)-1])
			return true
		}
	}
	return false
}
