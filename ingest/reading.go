package ingest

import (
	"context"
	"fmt"
	"strings"

	"tenure"
	"tenure/amend"
	"tenure/ledger"
	"tenure/statements/align"
)

// found reports whether a mention was found in the text, and not stated.
func (in *intake) found(mention int) bool {
	r := in.cmd.Input.Reading
	return r != nil && mention >= r.Stated
}

// refused reports whether an error is a refusal of what was asked for, and no failure.
func refused(err error) bool {
	switch tenure.CodeOf(err) {
	case tenure.Invalid, tenure.Unprocessable, tenure.Forbidden, tenure.AuthorityTooHigh, tenure.NotFound,
		tenure.Conflicting:
		return true
	}
	return false
}

// noAuthority is why a statement does nothing whose speaker may not amend what stands.
const noAuthority = "no authority"

// keep leaves a statement without an effect, and says why.
func (in *intake) keep(statement int, err error) {
	s := &in.observation.Statements[statement]
	if s.Belief != "" {
		return // it did something else already
	}
	s.Effect, s.Why = align.Keeps, whyNot(err)
}

// whyNot says of a refusal why a statement has no effect.
func whyNot(err error) string {
	switch tenure.CodeOf(err) {
	case tenure.Forbidden, tenure.AuthorityTooHigh:
		return noAuthority
	default:
		return "refused: " + strings.Join(reasons(err), "; ")
	}
}

func reasons(err error) []string {
	e, ok := err.(*tenure.Error) //nolint:errorlint // decisions return it as it is
	switch {
	case !ok:
		return []string{err.Error()}
	case len(e.Fields) == 0:
		return []string{e.Message}
	}
	list := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		list[i] = f.Reason
	}
	return list
}

// did keeps which belief a statement made or amended.
func (in *intake) did(statement int, belief tenure.ID) {
	if in.cmd.Input.Reading == nil {
		return
	}
	if s := &in.observation.Statements[statement]; s.Belief == "" {
		s.Belief = belief
	}
}

// amendments lists the amendments of the input, in the voice of its source.
func (in *intake) amendments() []amend.Belief {
	return in.cmd.amendments(&in.observation)
}

// amendments lists the amendments of the input. said is the observation as far as it is known.
func (c *Command) amendments(said *tenure.Observation) []amend.Belief {
	if c.Input.Reading == nil {
		return nil
	}
	var list []amend.Belief
	label := said.Label()
	for _, a := range c.Input.Reading.Amendments {
		at, caller, level := a.At, c.Caller, said.Source.AuthorityLevel
		if a.Kind == tenure.End && at == nil {
			at = &said.ObservedAt
		}
		caller.Role = said.Source.Role
		list = append(list, amend.Belief{
			Caller: caller, Belief: a.Belief, Kind: a.Kind, At: at, AuthorityLevel: &level,
			Reason: c.Input.Reading.Statements[a.Statement].Text, Label: &label,
		})
	}
	return list
}

// amend writes the amendments of the input. A statement of which all are refused is left without an effect; one of
// which some are says how many.
func (in *intake) amend(ctx context.Context) error {
	type refusals struct {
		why   string
		count int
	}
	stayed := map[int]refusals{}
	for i, a := range in.amendments() {
		statement := in.cmd.Input.Reading.Amendments[i].Statement
		err := a.Put(ctx, in.txn, in.mint)
		if err != nil && refused(err) {
			in.keep(statement, err)
			stayed[statement] = refusals{whyNot(err), stayed[statement].count + 1}
			continue
		}
		if err != nil {
			return err
		}
		in.did(statement, a.Belief)
		in.observation.Statements[statement].Amended++
		in.amended = true
	}
	for i, r := range stayed {
		if s := &in.observation.Statements[i]; s.Amended > 0 {
			read := in.cmd.Input.Reading.Statements[i]
			s.Effect, s.Why = read.Effect, fmt.Sprintf("%s; %d more stay: %s", read.Why, r.count, r.why)
		}
	}
	return nil
}

// answered returns an error if a change that was accepted is refused: an answer that does nothing is none.
func (in *intake) answered() error {
	if a := in.cmd.Input.Answer; a == nil || !a.Accepted {
		return nil
	}
	for _, s := range in.observation.Statements {
		switch {
		case s.Effect != align.Keeps:
		case s.Why == noAuthority:
			return tenure.Errorf(tenure.Forbidden, "the words count for less than what stands")
		default:
			return tenure.Errorf(tenure.Conflicting, "the change cannot be made: %s", s.Why)
		}
	}
	return nil
}

// planned lists what the amendments of the input read.
func (c *Command) planned() ledger.Plan {
	var plans []ledger.Plan
	for _, a := range c.amendments(&tenure.Observation{}) {
		plans = append(plans, a.Plan())
	}
	return ledger.Beside(plans...)
}

// warnOfText warns of a text of which nothing became a belief, and of what its reading left out.
func (in *intake) warnOfText(claims []tenure.Claim) {
	if in.observation.Text == "" {
		return
	}
	if len(claims) == 0 && !in.amended {
		in.warn(tenure.TextOnly, "")
	}
	r := in.cmd.Input.Reading
	if r == nil {
		return
	}
	for _, code := range r.Warnings {
		in.warn(code, "/text")
	}
	for _, s := range in.observation.Statements {
		if s.Effect == align.Unsure {
			in.warn(tenure.ProposedChange, "/text")
			break
		}
	}
}

// ofText makes the pointers of what was made of the text into that of the text.
func (in *intake) ofText(list []tenure.Warning) []tenure.Warning {
	if in.cmd.Input.Reading == nil {
		return list
	}
	for i, w := range list {
		part := place(w.Pointer)
		if part[0] == ofClaims || part[0] == ofMentions && in.found(part[1]) {
			list[i].Pointer = "/text"
		}
	}
	return list
}
