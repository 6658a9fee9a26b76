package registry

import (
	"context"

	"tenure"
	"tenure/attribute"
	"tenure/similarity"
)

// believedOtherwise returns the veto of what beliefs say of a candidate, "" if they contradict nothing that the mention
// says: a date of birth, or a number that was issued to it. What is stated of an entity by its id is in no mention, and
// so in no profile. What the entity's mentions say is compared as that, and not looked for here.
func (s *candidateSet) believedOtherwise(
	ctx context.Context, c *Scored, members []tenure.Entity,
) (veto string, err error) {
	missing := s.unmentioned(members)
	if len(missing) == 0 || c.Comparison.Score <= similarity.NewAt {
		return "", nil
	}
	facts, err := s.known.Facts(ctx, c.Root.Whole())
	if err != nil {
		return "", err
	}
	believed := map[string][]string{}
	for _, b := range facts {
		if key := s.singular(b.Claim.Predicate); missing[key] && !b.Claim.Scope.Provisional() {
			believed[key] = append(believed[key], b.Claim.Value.Text())
		}
	}
	if len(believed) == 0 {
		return "", nil
	}
	model := s.matcher.Model
	return model.Contradiction(s.prepared, model.Prepare(similarity.Profile{
		Type: c.Root.Type, Attributes: believed, IdentifierKinds: s.mention.IdentifierKinds,
	})), nil
}

// unmentioned returns the keys of the attributes that tell the mention's entity from others and that members have not.
func (s *candidateSet) unmentioned(members []tenure.Entity) map[string]bool {
	missing := map[string]bool{}
	for name := range uncorrecting(s.mention).Attributes {
		if key := s.singular(name); key != "" {
			missing[key] = true
		}
	}
	for _, e := range members {
		for name := range e.Attributes {
			delete(missing, s.singular(name))
		}
	}
	return missing
}

// singular returns the key of an attribute or a predicate that tells its subject from others, "" for any other.
func (s *candidateSet) singular(name string) string {
	if !attribute.Singular(name, s.mention.IdentifierKinds) {
		return ""
	}
	spec, _ := attribute.Lookup(attribute.Key(name), s.mention.IdentifierKinds)
	return spec.Key
}
