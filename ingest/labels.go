package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenure"
	"tenure/amend"
	"tenure/beliefs"
	"tenure/labels"
	"tenure/text"
	"tenure/vocabulary"
)

// Labelled returns the input with what its labels mean, unless they are not to be read: the labels of the text, which
// are those of all its claims, and those of values that are texts. A value goes without the labels that have become
// fields. Labelled again, an input is the same.
func (in Input) Labelled() Input {
	if in.Extract == ExtractNone {
		return in
	}
	if l := labels.Of(in.Text); l.Any() {
		in.Labels = l
		in.Scope = narrowed(in.Scope, l)
	}
	in.Claims = slices.Clone(in.Claims)
	for i := range in.Claims {
		in.Claims[i] = in.Claims[i].labelled()
	}
	return in
}

// Unlabelled returns the text with spaces for its labels, so that what is found in it is where it is in the text.
func (in Input) Unlabelled() string {
	_, tag := labels.Role(in.Text)
	from, until := tag, len(in.Text)
	if in.Labels.Any() {
		_, from, until = labels.Read(in.Text[tag:])
		from, until = from+tag, until+tag
	}
	return strings.Repeat(" ", from) + in.Text[from:until] + strings.Repeat(" ", len(in.Text)-until)
}

// labelled reads the labels of a value. A claim that does not hold keeps the value as it was written.
func (c Claim) labelled() Claim {
	var s string
	if c.Value.Entity != nil || json.Unmarshal(c.Value.JSON, &s) != nil || keepsLabels(c.Predicate) {
		return c
	}
	l, from, until := labels.Read(s)
	if !l.Any() {
		return c
	}
	c.Labels = l
	if c.Evidence == nil {
		c.Evidence = &tenure.Evidence{
			Rule: labelRule, Span: text.Head(s, maxEvidence), Trigger: text.Head(l.Written, maxTrigger), Source: "value",
		}
	}
	if l.Void == "" {
		c.Value.JSON = jsonText(s[from:until])
	}
	return c
}

// labelRule is the rule in the evidence of claims whose value has labels.
const labelRule = "labels"

// The bounds of the evidence, in characters.
const (
	maxEvidence = 500
	maxTrigger  = 200
)

func jsonText(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`) // no text has no JSON
	}
	return raw
}

// keepsLabels reports whether the values of a predicate are such words as labels have, or names, of which they are a
// part: "Draft: waiting for legal" is a status, "VOID: the novel" a title.
func keepsLabels(predicate string) bool {
	words := strings.Split(vocabulary.Normal(predicate), "_")
	last := words[len(words)-1]
	return slices.Contains(states, last) || slices.Contains(names, strings.TrimSuffix(last, "s")) ||
		strings.HasSuffix(last, "name")
}

var (
	states = strings.Fields("status state stage phase condition label labels tag tags category kind type classification")
	names  = strings.Fields("name title subject channel file url")
)

// narrowed returns a scope with what labels say of it. What is bound to a task stays so.
func narrowed(s tenure.Scope, l labels.Labels) tenure.Scope {
	if l.Kind == "" || s.Provisional() {
		return s
	}
	s.Kind, s.TaskID = l.Kind, cmp.Or(s.TaskID, text.Head(l.Scope, maxTask))
	return s
}

// maxTask bounds the id of a task, in characters.
const maxTask = 100

// labelled returns a claim as labels narrow it: in a narrower scope, for fewer readers. An audience that it states
// itself stays.
func labelled(c tenure.Claim, l labels.Labels) tenure.Claim {
	c.Scope = narrowed(c.Scope, l)
	if l.Classification != "" && l.Classification.Rank() > c.Classification.Rank() {
		c.Classification = l.Classification
	}
	if len(c.Permission.AllowRoles) == 0 {
		c.Permission.AllowRoles = l.Audience
	}
	return c
}

// scopeOf returns the scope of a claim of the input.
func (c *Command) scopeOf(claim Claim) tenure.Scope { return narrowed(c.scope(), claim.Labels) }

// voided returns a claim that says of itself that it does not hold, without supersessions, and what it amends by that:
// what it names, else what says the same, does not hold either, or no longer.
func (in *intake) voided(ctx context.Context, c Claim, claim tenure.Claim) (tenure.Claim, []amend.Belief, error) {
	targets := claim.Supersedes
	claim.Supersedes = nil
	if len(targets) == 0 && len(c.Supersedes) == 0 {
		var err error
		if targets, err = in.sayingTheSame(ctx, c, claim); err != nil {
			return claim, nil, err
		}
	}
	label := claim.Label()
	say := func(id tenure.ID, kind tenure.AmendmentKind) amend.Belief {
		caller, level := in.cmd.Caller, claim.Source.AuthorityLevel
		caller.Role = claim.Source.Role
		return amend.Belief{
			Caller: caller, Belief: id, Kind: kind, At: &claim.Window.From, AuthorityLevel: &level,
			Reason: c.Labels.Written, Label: &label,
		}
	}
	var list []amend.Belief
	for _, id := range targets {
		list = append(list, say(id, c.Labels.Void))
	}
	return claim, list, nil
}

// sayingTheSame lists the beliefs of a claim's slot that have its value, but for the labels.
func (in *intake) sayingTheSame(ctx context.Context, c Claim, claim tenure.Claim) ([]tenure.ID, error) {
	var s string
	_ = json.Unmarshal(c.Value.JSON, &s) // only a text has labels
	_, from, until := labels.Read(s)
	term, err := vocabulary.Of(ctx, in.txn, claim.Predicate)
	if err != nil {
		return nil, err
	}
	canonical, unfit := beliefs.Canonical(term, jsonText(s[from:until]))
	st, err := in.txn.Slot(ctx, claim.Slot())
	var ids []tenure.ID
	for _, b := range st.Beliefs {
		if unfit == nil && b.Claim.Value.Canonical == canonical && in.finds(b.Claim, claim.Scope) {
			ids = append(ids, b.Claim.ID)
		}
	}
	return ids, err
}

// void writes that a claim does not hold, and what it amends by that. What may not be amended stays as it is.
func (in *intake) void(ctx context.Context, c tenure.Claim, written string, list []amend.Belief) error {
	in.txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: tenure.Amendment{
		ID: in.mint.NewID(), Kind: tenure.Retract, Belief: c.ID, At: c.Window.From,
		AuthorityLevel: c.Source.AuthorityLevel, Role: c.Source.Role, Actor: in.cmd.Caller.Actor, Reason: written,
	}})
	for _, a := range list {
		err := a.Put(ctx, in.txn, in.mint)
		if err != nil && a.Kind == tenure.End && tenure.CodeOf(err) == tenure.Unprocessable {
			a.Kind = tenure.Retract // it is over when it begins
			err = a.Put(ctx, in.txn, in.mint)
		}
		if err != nil && !refused(err) {
			return err
		}
	}
	return nil
}

// warnOfLabels tells what labels were taken to mean.
func (in *intake) warnOfLabels() {
	in.warnOfLabel(in.cmd.Input.Labels, "/text")
	for i, c := range in.cmd.Input.Claims {
		in.warnOfLabel(c.Labels, fmt.Sprintf("/claims/%d/value", i))
	}
}

func (in *intake) warnOfLabel(l labels.Labels, pointer string) {
	for _, w := range []struct {
		code tenure.WarningCode
		is   bool
	}{
		{tenure.LabelScope, l.Kind != ""}, {tenure.LabelRestricted, l.Classification != ""}, {tenure.LabelVoid, l.Void != ""},
	} {
		if w.is {
			in.warn(w.code, pointer)
		}
	}
}
