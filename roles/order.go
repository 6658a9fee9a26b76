package roles

import (
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/vocabulary"
)

// MaxTerms bounds the terms of a tenant's own.
const MaxTerms = 500

// Order says which role outranks which. It is irreflexive and transitive, and has no loops. It does not change, and
// may be used concurrently.
type Order struct {
	parents  map[string]string   // a name in normal form -> the role of which it is another name, "" for a role
	outranks map[string][]string // a role -> roles that it outranks directly

	mu    *sync.Mutex
	below map[string]map[string]bool // a role -> all roles that it outranks; filled when asked for
}

// Base returns the order that holds where a tenant has said nothing.
var Base = sync.OnceValue(func() Order { return newOrder(baseTerms()) })

// New returns the order of a tenant's own terms on top of the base order, or of the terms alone if the vocabulary is
// closed. A term stands in the place of the base term or synonym of its name. Check says what is wrong with the terms.
func New(own []tenure.Term, closed bool) Order {
	if len(own) == 0 && !closed {
		return Base()
	}
	return newOrder(together(own, closed))
}

// together returns the tenant's terms and, unless the vocabulary is closed, those of the base order that they leave.
func together(own []tenure.Term, closed bool) []tenure.Term {
	var all []tenure.Term
	if !closed {
		named := map[string]bool{}
		for _, t := range own {
			named[Normal(t.Name)] = true
		}
		for _, t := range baseTerms() {
			if !named[t.Name] {
				all = append(all, t)
			}
		}
	}
	return append(all, own...)
}

func newOrder(terms []tenure.Term) Order {
	o := Order{
		parents: map[string]string{}, outranks: map[string][]string{}, mu: new(sync.Mutex),
		below: map[string]map[string]bool{},
	}
	for _, t := range terms {
		name := Normal(t.Name)
		o.parents[name] = Normal(t.Parent)
		for _, r := range t.Outranks {
			o.outranks[name] = append(o.outranks[name], Normal(r))
		}
	}
	return o
}

// Normal returns the normal form of a role: "Team Lead", "team-lead" and "teamLead" are "team_lead".
func Normal(role string) string { return vocabulary.Normal(role) }

// Role returns the role that a name means, and reports whether the order knows it.
func (o Order) Role(name string) (string, bool) {
	name = strings.TrimSpace(name)
	if _, known := o.parents[name]; !known {
		name = Normal(name)
	}
	return o.follow(name)
}

// follow returns the role at the end of a chain of other names.
func (o Order) follow(name string) (string, bool) {
	for range len(o.parents) + 1 {
		parent, known := o.parents[name]
		if !known || parent == "" {
			return name, known
		}
		name = parent
	}
	return "", false // a loop, which Check refuses
}

// Outranks reports whether one role outranks another, directly or through others. What the order does not know, and
// no role at all, neither outranks nor is outranked.
func (o Order) Outranks(a, b string) bool {
	if a == "" || b == "" || a == b {
		return false
	}
	x, ok := o.Role(a)
	if !ok {
		return false
	}
	y, ok := o.Role(b)
	return ok && x != y && o.reach(x)[y]
}

// Covers reports whether somebody in a role is of a group: the role of that name, or "VP+", a role and all that outrank
// it. A title has the rank that its last word names, or its first before a comma, "of" or a department: "VP Sales" is a
// vice president, and the assistant of one is not.
func (o Order) Covers(group, role string) bool {
	if strings.EqualFold(group, role) || Normal(group) != "" && Normal(group) == Normal(role) {
		return true
	}
	least, andAbove := strings.CutSuffix(strings.TrimSpace(group), "+")
	if !andAbove {
		return false
	}
	want, ok := o.Role(least)
	have, known := o.Rank(role)
	return ok && known && (have == want || o.reach(have)[want])
}

// Rank returns the role that a title names.
func (o Order) Rank(title string) (string, bool) {
	if r, ok := o.Role(title); ok {
		return r, true
	}
	words := strings.Split(Normal(title), "_")
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(helpers, w) }) {
		return "", false
	}
	of := slices.ContainsFunc(words, func(w string) bool { return w == "of" || w == "for" })
	if r, ok := o.Role(words[len(words)-1]); ok && !of {
		return r, true
	}
	head, _, comma := strings.Cut(title, ",")
	if first := words[0]; len(words) > 1 && (comma && Normal(head) == first || words[1] == "of" || department(words[1:])) {
		return o.Role(first)
	}
	return "", false
}

// helpers are the words of titles of people who assist the rank that the title names.
var helpers = strings.Fields("to assistant secretary pa intern")

// department reports whether words name a department, or several.
func department(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(departments, w) })
}

var departments = strings.Fields("sales marketing finance engineering product design legal hr it operations support " +
	"people security research development r d procurement communications and")

// reach returns the roles that a role outranks.
func (o Order) reach(role string) map[string]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if found, ok := o.below[role]; ok {
		return found
	}
	found := map[string]bool{}
	queue := []string{role}
	for len(queue) > 0 {
		next := o.outranks[queue[0]]
		queue = queue[1:]
		for _, name := range next {
			if r, ok := o.follow(name); ok && !found[r] {
				found[r] = true
				queue = append(queue, r)
			}
		}
	}
	o.below[role] = found
	return found
}

// Differ returns a function that reports whether a role, as somebody wrote it, stands otherwise towards any other
// role in one order than in another.
func Differ(before, after Order) func(role string) bool {
	names := map[string]bool{}
	for _, o := range []Order{before, after} {
		for name := range o.parents {
			names[name] = true
		}
	}
	known := map[string]bool{}
	return func(role string) bool {
		if differs, ok := known[role]; ok {
			return differs
		}
		differs := false
		for name := range names {
			if before.Outranks(role, name) != after.Outranks(role, name) ||
				before.Outranks(name, role) != after.Outranks(name, role) {
				differs = true
				break
			}
		}
		known[role] = differs
		return differs
	}
}
