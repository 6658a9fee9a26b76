package httpapi

import (
	"fmt"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// check validates a decoded body: ranges, lengths and enums by the validate tags of openapi.yaml, then the rules
// between fields.
func (b *binder) check(target any) error {
	faults, err := b.rules.Faults(target)
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, f := range faults {
		said[f.Pointer] = true
	}
	for _, f := range crossFaults(target) {
		if !said[f.Pointer] { // what is wrong with the field itself says enough
			faults = append(faults, f)
		}
	}
	if r, ok := target.(*api.RememberInput); ok {
		faults = inFacts(*r, faults)
	}
	return faults.Err()
}

// crossFaults returns the violations of the rules between fields, which the use cases hold. The front door asks for
// them early, so that one answer names every fault of a body.
func crossFaults(target any) tenure.Faults {
	var f tenure.Faults
	switch b := target.(type) {
	case *api.ObservationInput:
		return inputOf(*b).Faults()
	case *api.BatchLine:
		return inputOf(observationOf(*b)).Faults()
	case *api.RememberInput:
		return rememberOf(*b).Faults()
	case *api.ResolveInput:
		return service.ResolveRequest{Mentions: each(b.Mentions, mentionOf), Text: b.Text}.Faults()
	case *api.CompareInput:
		return append(mentionOf(value(b.Left)).Faults("/left"), mentionOf(value(b.Right)).Faults("/right")...)
	case *api.DecisionInput:
		return decisionOf("", *b).Faults("")
	case *api.DecisionsInput:
		for i, d := range b.Decisions {
			f = append(f, decisionIn(d).Faults(fmt.Sprintf("/decisions/%d", i))...)
		}
	case *api.VocabularyInput:
		return service.TermFaults(each(b.Terms, definitionOf))
	case *api.SettlementInput:
		return settlementOf("", *b).Faults("")
	case *api.SettlementsInput:
		for i, in := range b.Settlements {
			f = append(f, settlementIn(in).Faults(fmt.Sprintf("/settlements/%d", i))...)
		}
	}
	return f
}
