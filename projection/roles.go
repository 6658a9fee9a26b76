package projection

import (
	"context"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/roles"
)

// Roles returns the tenant's order of roles.
func Roles(ctx context.Context, txn *ledger.Txn) (roles.Order, error) {
	v, err := txn.Vocabulary(ctx, tenure.SpeakerRoles)
	if err != nil {
		return roles.Base(), err
	}
	if v.Version == 0 {
		return roles.Base(), nil
	}
	terms, err := txn.Terms(ctx, tenure.SpeakerRoles, roles.MaxTerms)
	return roles.New(terms, v.Closed), err
}

// outranks returns the order of roles. It reads none if nobody spoke in a role.
func (p *projector) outranks(ctx context.Context, spoken bool) (func(a, b string) bool, error) {
	if p.roles == nil {
		if !spoken {
			return roles.Base().Outranks, nil
		}
		order, err := Roles(ctx, p.txn)
		if err != nil {
			return nil, err
		}
		p.roles = order.Outranks
	}
	return p.roles, nil
}

func spoken(e beliefs.Evidence) bool {
	for _, list := range [][]tenure.Claim{e.Claims, e.Superseders} {
		for i := range list {
			if list[i].Source.Role != "" {
				return true
			}
		}
	}
	for _, a := range e.Amendments {
		if a.Role != "" {
			return true
		}
	}
	return false
}
