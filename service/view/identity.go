package view

import (
	"context"

	"tenure"
)

// IdentityDecision returns an identity decision of a kind whose sides the caller sees.
func (v *View) IdentityDecision(
	ctx context.Context, kind tenure.IdentityDecisionKind, id tenure.ID,
) (tenure.IdentityDecision, error) {
	list, err := v.reader.IdentityDecisions(ctx, []tenure.ID{id})
	if err != nil {
		return tenure.IdentityDecision{}, err
	}
	if len(list) != 1 || list[0].Kind != kind {
		return tenure.IdentityDecision{}, Absent()
	}
	if err := v.requireVisible(ctx, list[0].Into); err != nil {
		return tenure.IdentityDecision{}, err
	}
	return list[0], v.requireVisible(ctx, list[0].From)
}
