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
// pointer names, or, with neither, of a name that is unresolved. Content from outside has an origin, may have a title,
// and may be of several lines.
type entry struct {
	text          string
	object        *object
	pointer       string
	origin, title string
	flags         []string
	unknown       *unknownSlot
	passage       *passage
	rescued       *subunit
}

// sections holds lines by zone.
type sections map[string][]entry

// haveEvidence reports whether a line is that of a passage, or of an object that does not come unasked.
func (s sections) haveEvidence() bool {
	for _, list := range s {
		if slices.ContainsFunc(list, func(e entry) bool {
			return e.passage != nil || e.object != nil && !e.object.unasked()
		}) {
			return true
		}
	}
	return false
}

// unasked reports whether an object is there for its scope alone: it has no word of the query and is not bound to the
// type of the task.
func (o *object) unasked() bool {
	return o.inForce && o.priority.Relevance == 0 && o.priority.TaskFit < 1
}

// candidates lists the lines of each zone in the order of their priority. The request's environment comes
// first and displaces beliefs of the environment with the same key about the requester, or about all that there is to
// say anything about.
func candidates(objects []*object, who *topicSet, req Request) (want sections, dropped []omission) {
	want = sections{
		zoneIdentity: identityLines(req.Identity), zoneUnconfirmed: unresolvedLines(who), zoneTools: toolLines(req.Tools),
		zoneConstraints: unknownLines(who),
	}
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
	said, outside := turnLines(req.Turns)
	want[zoneTurns] = said
	lines, shown := make(map[string]*object, len(objects)), make([]*object, 0, len(objects))
	sizes := map[string]int{}
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
		sizes[o.zone]++
	}
	for zone, n := range sizes {
		want[zone] = slices.Grow(want[zone], n)
	}
	for _, o := range shown {
		e := entry{text: o.text(), object: o}
		if o.zone == zonePolicy && o.proposed != nil {
			// A proposal must not change the stable prefix.
			e.text = o.line
			want[zoneUnconfirmed] = append(want[zoneUnconfirmed], entry{text: o.changeOfRule()})
		}
		if o.zone == zoneUntrusted {
			e.origin, e.flags = o.claim().Source.Origin, flagsOf(e.text)
		}
		want[o.zone] = append(want[o.zone], e)
	}
	want[zoneUntrusted] = slices.Concat(
		want[zoneUntrusted], passageEntries(who.found), rescuedEntries(who.rescued), payloadEntries(req.Payloads), outside,
	)
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

// packer spends the budget (StateBench specification, Context Building Algorithm): what binds, the tools and the
// identity first, which the budget has to hold, then the environment. Guidance, facts, remarks and what was retrieved
// share FactsShare of the rest, in which what binds counts, too. The working set, the conversation and the payloads get
// what remains, and unconfirmed lines come last. A line that does not fit is omitted, and smaller lines after it are
// still tried.
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
	for i, e := range list {
		if limit-used < leastLine {
			p.leftover = slices.Concat(p.leftover, list[i:])
			break
		}
		cost := p.cost(zone, e)
		if len(p.kept[zone]) == 0 {
			cost += p.frame(zone)
		}
		if used+cost > limit {
			p.leftover = append(slices.Grow(p.leftover, len(list)-i), e)
			continue
		}
		used += cost
		p.kept[zone] = append(p.kept[zone], e)
	}
	p.left -= used
	return used
}

// mandatory are the zones that do not yield to the budget.
var mandatory = []string{zonePolicy, zoneConstraints, zoneTools, zoneIdentity}

// pack chooses the lines that fit the budget. The final text is counted whole, because a tokenizer may need
// more tokens for the whole than for its parts: the last lines go until the text fits. It is Unprocessable if what the
// budget has to hold does not fit.
func (c *Compiler) pack(want sections, req Request) (Envelope, sections, []entry, error) {
	w := writerFor(req.Provider)
	p := packer{count: c.tokens.Count, frame: func(zone string) int {
		frame := w.frame(zone)
		if zone == zoneUntrusted {
			frame += contain(nil)
		}
		return c.tokens.Count(frame)
	}, left: req.BudgetTokens, kept: sections{}}
	if err := p.hold(w, want, c.tokens, req.BudgetTokens); err != nil {
		return Envelope{}, nil, nil, err
	}
	binding := p.costOf(zonePolicy) + p.costOf(zoneConstraints)
	payloads, retrieved := parted(want[zoneUntrusted], entry.given)
	yielding, _ := parted(want[zoneConstraints], entry.yields)
	p.admit(zoneConstraints, yielding, p.left)
	p.admit(zoneEnvironment, want[zoneEnvironment], p.left)
	share := int(*req.FactsShare*float64(p.left+binding)) - binding
	for _, zone := range []string{zoneGuidance, zoneFacts, zoneRemarks} {
		share -= p.admit(zone, want[zone], min(share, p.left))
	}
	rescued, whole := parted(retrieved, func(e entry) bool { return e.rescued != nil })
	share -= p.admit(zoneUntrusted, whole, min(share, p.left))
	leftover := p.leftover
	p.admit(zoneUntrusted, p.kept.rescuable(rescued), min(share, p.left))
	p.leftover = leftover // what is rescued is an addition: nothing is cut where it does not fit
	p.admit(zoneWorkingSet, want[zoneWorkingSet], p.left)
	p.admitNewest(zoneTurns, want[zoneTurns])
	p.admit(zoneUntrusted, payloads, p.left)
	p.admit(zoneUnconfirmed, want[zoneUnconfirmed], p.left)
	for {
		env := w.write(p.kept, c.tokens, req.Query)
		if env.tokens <= req.BudgetTokens || !p.dropLast() {
			return env, p.kept, p.leftover, nil
		}
	}
}

// hold admits what does not yield to the budget. It is Unprocessable if that does not fit.
func (p *packer) hold(w writer, want sections, tokens Counter, budget int) error {
	for _, zone := range mandatory {
		if _, firm := parted(want[zone], entry.yields); len(firm) > 0 {
			p.kept[zone] = firm
		}
	}
	least := w.write(p.kept, tokens, "").tokens
	if least > budget {
		return tenure.FieldError(tenure.Unprocessable, "/budget_tokens", fmt.Sprintf(
			"must be at least %d: rules, required properties, tools and identity are never left out", least,
		))
	}
	for _, zone := range mandatory {
		p.left -= p.costOf(zone)
	}
	p.left = max(p.left, 0)
	return nil
}

// yields reports whether a line yields to the budget although its zone does not: a constraint of what is only related
// to what was asked about.
func (e entry) yields() bool {
	return e.object != nil && e.object.zone == zoneConstraints && e.object.hops > 0 && !e.object.leads() &&
		!e.object.inForce
}

// given reports whether the content of a line came with the request.
func (e entry) given() bool { return e.object == nil && e.passage == nil && e.rescued == nil }

// parted splits lines into those that fit and the others, in their order.
func parted(list []entry, fits func(entry) bool) (fitting, others []entry) {
	for _, e := range list {
		if fits(e) {
			fitting = append(fitting, e)
		} else {
			others = append(others, e)
		}
	}
	return fitting, others
}

// costOf returns the tokens of a zone as it is, by its parts.
func (p *packer) costOf(zone string) int {
	if len(p.kept[zone]) == 0 {
		return 0
	}
	cost := p.frame(zone)
	for _, e := range p.kept[zone] {
		cost += p.cost(zone, e)
	}
	return cost
}

// cost returns the tokens of an entry with its line break, and with what contains it.
func (p *packer) cost(zone string, e entry) int {
	if zone == zoneUntrusted {
		return p.count(sourceText(0, source{e.origin, e.title, strings.Split(e.text, "\n")})) + 1
	}
	return p.count(e.text) + 1
}

// admitNewest admits the turns of a conversation from the newest back, without a gap, in the order in which they were.
func (p *packer) admitNewest(zone string, list []entry) {
	frame, from := p.frame(zone), len(list)
	for room := p.left - frame; from > 0; from-- {
		if room -= p.count(list[from-1].text) + 1; room < 0 {
			break
		}
	}
	p.leftover = append(p.leftover, list[:from]...)
	p.admit(zone, list[from:], p.left)
}

// dropLast removes the last line of the least important zone that may yield, and reports whether there was one.
func (p *packer) dropLast() bool {
	for _, zone := range []string{
		zoneUnconfirmed, zoneUntrusted, zoneTurns, zoneWorkingSet, zoneRemarks, zoneFacts, zoneGuidance, zoneEnvironment,
		zoneConstraints,
	} {
		list := p.kept[zone]
		for i := len(list) - 1; i >= 0; i-- {
			if zone != zoneConstraints || list[i].yields() { // those that yield stand among those that do not
				p.leftover = append(p.leftover, list[i])
				p.kept[zone] = slices.Delete(slices.Clone(list), i, i+1)
				return true
			}
		}
	}
	return false
}
