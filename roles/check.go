package roles

import (
	"fmt"
	"slices"
	"strings"

	"tenure"
)

// Fault is what is wrong with a term. Field is the field of the term, as "outranks/2"; Needs is the name that the term
// needs and that no term has, if that is the fault.
type Fault struct {
	Term, Field, Reason, Needs string
}

// Check returns what is wrong with a tenant's terms, in their order: see [New].
func Check(own []tenure.Term, closed bool) []Fault {
	o := newOrder(together(own, closed))
	var faults []Fault
	seen := map[string]bool{}
	for _, t := range own {
		fault := func(field, needs, format string, args ...any) {
			faults = append(faults, Fault{t.Name, field, fmt.Sprintf(format, args...), needs})
		}
		name := Normal(t.Name)
		switch {
		case name == "":
			fault("name", "", "has nothing in it that could name a role")
		case seen[name]:
			fault("name", "", "is the same role as another of the terms")
		case t.Parent != "":
			o.checkParent(t, fault)
		default:
			o.checkOutranks(t, fault)
		}
		seen[name] = true
	}
	return faults
}

type faultFunc func(field, needs, format string, args ...any)

// checkParent checks a term that is another name of a role.
func (o Order) checkParent(t tenure.Term, fault faultFunc) {
	parent := Normal(t.Parent)
	switch _, known := o.parents[parent]; {
	case len(t.Outranks) > 0:
		fault("outranks", "", "is of the role %q, of which this is another name", t.Parent)
	case !known:
		fault("parent", parent, "names no role")
	default:
		role, ok := o.follow(Normal(t.Name))
		if !ok {
			fault("parent", "", "leads back to the term itself")
		} else if o.reach(role)[role] {
			fault("parent", "", "makes %q outrank itself", role)
		}
	}
}

// checkOutranks checks what a role outranks.
func (o Order) checkOutranks(t tenure.Term, fault faultFunc) {
	name := Normal(t.Name)
	for i, other := range t.Outranks {
		field := fmt.Sprintf("outranks/%d", i)
		key := Normal(other)
		role, ok := o.follow(key)
		_, known := o.parents[key]
		switch {
		case !known:
			fault(field, key, "names no role: define it in the same request")
		case !ok:
			// The loop of parents is a fault of its own.
		case role == name:
			fault(field, "", "is the role itself")
		case o.reach(role)[name]:
			fault(field, "", "outranks this role already: %s", strings.Join(o.path(role, name), " > "))
		}
	}
}

// path returns the roles on a shortest way down from one role to another.
func (o Order) path(from, to string) []string {
	before := map[string]string{from: ""}
	queue := []string{from}
	for len(queue) > 0 && queue[0] != to {
		for _, name := range o.outranks[queue[0]] {
			role, ok := o.follow(name)
			if _, been := before[role]; ok && !been {
				before[role] = queue[0]
				queue = append(queue, role)
			}
		}
		queue = queue[1:]
	}
	var list []string
	for at := to; at != ""; at = before[at] {
		list = append(list, at)
	}
	slices.Reverse(list)
	return list
}
