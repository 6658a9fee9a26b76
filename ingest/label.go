package ingest

import (
	"cmp"
	"context"

	"tenure"
	"tenure/labels"
	"tenure/text"
)

// unstated returns the classification of what states none: that of the input, else the caller's.
func (c *Command) unstated() tenure.Classification {
	return cmp.Or(c.Input.Classification, c.Caller.Unstated())
}

// Classification returns that of the observation: the one stated, else the highest of its text and its claims.
func (c *Command) Classification() tenure.Classification {
	if c.Input.Classification != "" {
		return c.Input.Classification
	}
	highest := c.unstated()
	if l := c.Input.Labels.Classification; l != "" && l.Rank() > highest.Rank() {
		highest = l
	}
	for _, l := range c.claimLabels() {
		if l.Level().Rank() > highest.Rank() {
			highest = l.Level()
		}
	}
	return highest
}

// Label returns the label of the observation.
func (c *Command) Label() tenure.Label {
	return tenure.NewLabel(c.Classification(), c.scope(), c.permission())
}

// permission returns that of the observation: the one stated, else the audience that its text states.
func (c *Command) permission() tenure.PermissionScope {
	p := c.Input.Permission
	if len(p.AllowRoles) == 0 {
		p.AllowRoles = c.Input.Labels.Audience
	}
	return p
}

// label returns the label of a mention and of what it states: that of the observation, if the observation states a
// classification or a permission, or if no claim is about the mention; else, of the claims that are, that which most
// may see. The name of a discussion bounds nothing that it names.
func (c *Command) label(mention int) tenure.Label {
	scope := c.scope()
	if l := c.Input.Labels; l.Kind != "" && scope.TaskID == text.Head(l.Scope, maxTask) {
		scope.TaskID = ""
	}
	own := tenure.NewLabel(c.Classification(), scope, c.permission())
	stated := c.Input.Classification != "" ||
		len(c.Input.Permission.AllowRoles)+len(c.Input.Permission.DenyRoles) > 0
	if stated {
		return own
	}
	var least *tenure.Label
	for i, l := range c.claimLabels() {
		if !c.Input.Claims[i].isAbout(mention) {
			continue
		}
		if l = tenure.NewLabel(l.Classification, scope, l.Permission()); least == nil || least.Covers(l) {
			least = &l
		}
	}
	if least != nil {
		return *least
	}
	return own
}

// described returns the description of a claim, which may be seen by whom the observation is stated to be for unless it
// says otherwise.
func (c *Command) described(d tenure.Description) tenure.Description {
	d.Classification = cmp.Or(d.Classification, c.unstated())
	if len(d.Permission.AllowRoles)+len(d.Permission.DenyRoles) == 0 {
		d.Permission = c.Input.Permission
	}
	return d
}

// claimLabels lists the labels of the claims, as they will be written.
func (c *Command) claimLabels() []tenure.Label {
	if len(c.stated) == len(c.Input.Claims) {
		return c.stated
	}
	var list []tenure.Label
	for _, claim := range c.Input.Claims {
		written := tenure.Claim{Description: c.described(claim.Description)}
		list = append(list, labelled(labelled(written, c.Input.Labels), claim.Labels).Label())
	}
	c.stated = list
	return list
}

// isAbout reports whether the claim has a mention for its subject or its value.
func (c Claim) isAbout(mention int) bool {
	is := func(r *Ref) bool { return r != nil && r.Mention != nil && *r.Mention == mention }
	return is(&c.Subject) || is(c.Value.Entity)
}

// useLabels registers the labels of what the observation states, each without its scope: beliefs of different scopes
// are in different slots. Of a claim that names a belief of another scope the whole label is registered: in that scope
// it may displace what others see.
func (in *intake) useLabels(ctx context.Context, claims []tenure.Claim) error {
	list := []tenure.Label{in.observation.Label()}
	for _, m := range in.mentions {
		list = append(list, m.Label)
	}
	for i := range list {
		list[i].Scope = tenure.Scope{}
	}
	for _, c := range claims {
		l := c.Label()
		across, err := in.namesAcross(ctx, c)
		if err != nil {
			return err
		}
		if across {
			list = tenure.AppendLabel(list, l)
		}
		l.Scope = tenure.Scope{}
		list = tenure.AppendLabel(list, l)
	}
	return labels.Use(ctx, in.txn, list...)
}

// namesAcross reports whether a claim names a belief of another scope.
func (in *intake) namesAcross(ctx context.Context, c tenure.Claim) (bool, error) {
	for _, id := range append(c.Supersedes[:len(c.Supersedes):len(c.Supersedes)], c.DependsOn...) {
		b, err := in.txn.Belief(ctx, id)
		if err != nil {
			return false, err
		}
		if b != nil && b.Claim.Scope != c.Scope {
			return true, nil
		}
	}
	return false, nil
}

// raise gives a claim the classification of its subject and of the entity that is its value, where that is higher: who
// may not see of whom it is said may not see that it is said.
func (in *intake) raise(ctx context.Context, c *tenure.Claim) error {
	for _, id := range []tenure.ID{c.Subject, c.Value.Entity} {
		if id == "" {
			continue
		}
		e, err := in.txn.Entity(ctx, id)
		if err != nil {
			return err
		}
		if e != nil && e.Label.Level().Rank() > c.Classification.Rank() {
			c.Classification = e.Label.Level()
		}
	}
	return nil
}
