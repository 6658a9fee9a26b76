package wire

import (
	"fmt"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// Faults returns the violations of the rules between fields, which the use cases hold. The front door asks for
// them early, so that one answer names every fault of a body.
func Faults(target any) tenure.Faults {
	var f tenure.Faults
	switch b := target.(type) {
	case *api.ObservationInput:
		return Input(*b).Faults()
	case *api.DocumentInput:
		return DocumentInput(*b).Faults()
	case *api.BatchLine:
		return Input(ObservationOf(*b)).Faults()
	case *api.RememberInput:
		return RememberOf(*b).Faults()
	case *api.ResolveInput:
		return service.ResolveRequest{Mentions: Each(b.Mentions, MentionOf), Text: b.Text}.Faults()
	case *api.CompareInput:
		return append(MentionOf(Value(b.Left)).Faults("/left"), MentionOf(Value(b.Right)).Faults("/right")...)
	case *api.DecisionInput:
		return DecisionOf("", *b).Faults("")
	case *api.DecisionsInput:
		for i, d := range b.Decisions {
			f = append(f, DecisionIn(d).Faults(fmt.Sprintf("/decisions/%d", i))...)
		}
	case *api.OutcomeInput:
		return OutcomeInput(*b).Faults()
	case *api.VocabularyInput:
		return service.TermFaults(Each(b.Terms, DefinitionOf))
	case *api.SettlementInput:
		return SettlementOf("", *b).Faults("")
	case *api.SettlementsInput:
		for i, in := range b.Settlements {
			f = append(f, SettlementIn(in).Faults(fmt.Sprintf("/settlements/%d", i))...)
		}
	}
	return f
}
