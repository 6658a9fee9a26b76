package compile

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"tenure"
	"tenure/vocabulary"
)

// The kinds of a relation, seen from the entity that it is followed from (Context Architecture, pipeline stage 2). A
// sibling is another child of a parent.
const (
	parentKind         = "parent"
	childKind          = "child"
	siblingKind        = "sibling"
	crossReferenceKind = "cross_reference"
)

//go:embed ranking.json
var rankingFile []byte

// rankingTable says by how much each signal counts, from which sums on an object is in a tier, how near the entities
// are that a kind of relation leads to, the predicates whose value is the parent of their subject, and those that
// concern a person in whatever is asked.
type rankingTable struct {
	Weights struct {
		Relevance  float64 `json:"relevance"`
		Nearness   float64 `json:"nearness"`
		Authority  float64 `json:"authority"`
		TaskFit    float64 `json:"task_fit"`
		Freshness  float64 `json:"freshness"`
		Confidence float64 `json:"confidence"`
	} `json:"weights"`
	Tiers struct {
		Important float64 `json:"important"`
		Useful    float64 `json:"useful"`
	} `json:"tiers"`
	Relations map[string]float64 `json:"relations"`
	// Requester is how near what is known of the person who asks is to a request that does not name that person.
	Requester float64  `json:"requester"`
	Parents   []string `json:"parents"`
	// Personal are the predicates that decide how something is done for a person, whatever it is.
	Personal []string `json:"personal"`
}

var ranking = sync.OnceValue(func() *rankingTable {
	var t rankingTable
	if err := json.Unmarshal(rankingFile, &t); err != nil {
		panic(err) // the file is part of the program
	}
	return &t
})

// Priority is why an object ranks where it does: six signals from 0 to 1, and Score, their weighted sum.
type Priority struct {
	Score float64 `json:"score"`
	// Relevance is the lexical score as a share of the best one.
	Relevance float64 `json:"relevance"`
	// Nearness is 1 for what was asked about, and falls with each relation that leads away from that.
	Nearness float64 `json:"nearness"`
	// Authority is 1 for the system's level and 0 for content from outside.
	Authority float64 `json:"authority"`
	// TaskFit is 1 for what is bound to the type of the task, and a half for what is bound to none.
	TaskFit float64 `json:"task_fit"`
	// Freshness halves with each whole half-life since the last confirmation.
	Freshness  float64 `json:"freshness"`
	Confidence float64 `json:"confidence"`
}

// rounded returns the signals as the trace shows them.
func (p Priority) rounded() Priority {
	return Priority{
		round(p.Score), round(p.Relevance), round(p.Nearness), round(p.Authority), round(p.TaskFit), round(p.Freshness),
		round(p.Confidence),
	}
}

// priorityOf computes the signals of an object. best is the best lexical score among the objects.
func priorityOf(o *object, who *topicSet, best float64, req Request) Priority {
	c, w := o.claim(), &ranking().Weights
	p := Priority{
		Nearness: who.nearness(o), Authority: 1 - float64(c.Source.AuthorityLevel)/tenure.RetrievedLevel,
		TaskFit: .5, Freshness: freshness(o.belief, o.term.Decay, req.ValidAt), Confidence: c.Confidence,
	}
	if best > 0 {
		p.Relevance = o.score / best
	}
	if len(c.ApplicableTaskTypes) > 0 {
		p.TaskFit = 0
		if slices.Contains(c.ApplicableTaskTypes, req.Task.Type) {
			p.TaskFit = 1
		}
	}
	// Rounded, since not all machines add in the same precision.
	p.Score = round(w.Relevance*p.Relevance + w.Nearness*p.Nearness + w.Authority*p.Authority + w.TaskFit*p.TaskFit +
		w.Freshness*p.Freshness + w.Confidence*p.Confidence)
	return p
}

// tierOf returns the tier of an object (Context Architecture, pipeline stage 5). What binds is critical. What is said
// with an entity under review is minimal, and so is what has no word of the query and was found by what it is about.
func tierOf(o *object) string {
	switch t := ranking().Tiers; {
	case o.zone == zonePolicy || o.zone == zoneConstraints:
		return tierCritical
	case o.zone == zoneUnconfirmed, o.priority.Relevance == 0 && !o.inForce && !o.byValue && !o.byWords:
		return tierMinimal
	case o.priority.Score >= t.Important:
		return tierImportant
	case o.priority.Score >= t.Useful:
		return tierUseful
	}
	return tierMinimal
}

// nearness returns how near an object is to what was asked about. What was found for itself is as near as can be.
func (c *topicSet) nearness(o *object) float64 {
	m, way := c.Topics[o.root], c.near[o.root]
	switch {
	case o.byValue, o.byWords, o.inForce, o.likeness > 0, c.askedByName(o.root):
		return 1
	case m != nil && m.Hops == 0:
		return ranking().Requester
	case way.nearness > 0:
		return way.nearness
	case o.asked != "":
		return ranking().Relations[kindOf(o.claim().Predicate, true)]
	}
	return 1
}

// freshness halves with each whole half-life since a belief was confirmed last: that of its own rule, else that of its
// predicate. What has none stays fresh. It falls in steps, so that the order of lines does not change from day to day.
func freshness(b *tenure.Belief, decay tenure.Decay, at tenure.Instant) float64 {
	half := halfLife(b, decay)
	if half <= 0 || b.Standing.LastConfirmed <= 0 || at <= b.Standing.LastConfirmed {
		return 1
	}
	return math.Pow(.5, math.Floor(unconfirmedDays(b, at)/half))
}

// related is how an entity was reached from what was asked about.
type related struct {
	kind     string
	nearness float64
	origin   tenure.ID // root of what was asked about
}

// kindOf returns the kind of a relation as its subject sees it, or as its value does.
func kindOf(predicate string, fromValue bool) string {
	t, known := vocabulary.Lookup(predicate)
	up, down := false, false
	if known {
		up = slices.Contains(ranking().Parents, t.Name)
		down = !up && t.Inverse != "" && slices.Contains(ranking().Parents, t.Inverse)
	}
	switch {
	case !up && !down:
		return crossReferenceKind
	case up != fromValue:
		return parentKind
	}
	return childKind
}

// beyond returns how an entity is reached from a root over one more relation: a child of a parent is a sibling.
func (c *topicSet) beyond(root tenure.ID, kind string) related {
	before, reached := c.near[root]
	weights := ranking().Relations
	switch {
	case !reached:
		return related{kind, weights[kind], root}
	case before.kind == parentKind && kind == childKind:
		return related{siblingKind, weights[siblingKind], before.origin}
	}
	return related{kind, before.nearness * weights[kind], before.origin}
}

// step leads from an entity that was reached to another one.
type step struct {
	to  tenure.ID // root
	way related
}

// steps lists the ways that relations lead on from entities, first those from what the query or the request names, then
// those from the person who asks; of each the nearest first and else in the order of the relations.
func (c *topicSet) steps(edges []*tenure.Belief, frontier []tenure.ID) (list []step) {
	from := make(map[tenure.ID]bool, len(frontier))
	for _, id := range frontier {
		from[id] = true
	}
	follow := func(claim *tenure.Claim, start, end tenure.ID) {
		if !from[start] {
			return
		}
		a, known := c.Known.Root(start)
		b, leads := c.Known.Root(end)
		if known && leads {
			list = append(list, step{b.ID, c.beyond(a.ID, kindOf(claim.Predicate, start == claim.Value.Entity))})
		}
	}
	for _, b := range edges {
		claim := &b.Claim
		follow(claim, claim.Subject, claim.Value.Entity)
		follow(claim, claim.Value.Entity, claim.Subject)
	}
	slices.SortStableFunc(list, func(a, b step) int {
		first, second := c.askedByName(a.way.origin), c.askedByName(b.way.origin)
		if first != second {
			if first {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.way.nearness, a.way.nearness)
	})
	return list
}
