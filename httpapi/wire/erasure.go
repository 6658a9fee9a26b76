package wire

import (
	"tenure/api"
	"tenure/service"
)

// Erasure encodes what is erased, or was.
func Erasure(e service.Erasure) api.Erasure {
	var cut service.Cut
	out := api.Erasure{
		Plan: e.Plan, Observations: e.Observations, Texts: e.Texts, Mentions: e.Mentions, Claims: e.Claims,
		Wordings: e.Wordings, Entities: e.Entities, Documents: e.Documents, Compilations: e.Compilations,
		Ended: shown(&cut, "ended", e.Ended), Restored: shown(&cut, "restored", e.Restored),
		Elsewhere: NonNil(e.Elsewhere), MoreElsewhere: e.MoreElsewhere, Rewritten: e.Rewritten,
	}
	out.Cut = api.Cut(cut)
	return out
}
