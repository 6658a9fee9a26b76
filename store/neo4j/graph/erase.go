package graph

import (
	"tenure"
	"tenure/store/engine"
)

// Erasure is content to be erased, and the transaction time of the change set that erases it: later versions were made
// of what is left.
type Erasure struct {
	tenure.ContentErased

	Tx int64
}

// ContentErased notes what is erased once the versions of the batch are written.
func (b *Batch) ContentErased(c tenure.ContentErased) error {
	b.Erasures = append(b.Erasures, Erasure{c, b.tx})
	return nil
}

// Node is a node as it was read: its body, which in versions is stamped, and the time that it was recorded at.
type Node struct {
	Body string
	Tx   int64
}

// Observation returns the properties of an observation without its content.
func (n Node) Observation(tenant string, erase func(tenure.Observation) tenure.Observation) (map[string]any, error) {
	var o tenure.Observation
	if err := engine.Decode(n.Body, &o); err != nil {
		return nil, err
	}
	return observationProps(tenant, erase(o), n.Tx)
}

// Mention returns the properties of an erased mention.
func (n Node) Mention(tenant string) (map[string]any, error) {
	var m tenure.Mention
	if err := engine.Decode(n.Body, &m); err != nil {
		return nil, err
	}
	return mentionProps(tenant, m.Erase(), n.Tx)
}

// Claim returns the properties of a claim that say what it states, without what erase takes from it. Raw is the value
// where the body does not preserve it.
func (n Node) Claim(raw string, erase func(tenure.Claim) tenure.Claim) (map[string]any, error) {
	c, err := DecodeClaim(n.Body, raw)
	if err != nil {
		return nil, err
	}
	c = erase(c)
	body, value, err := encodeClaim(c)
	set := props{
		"body": body, "value_json": value, "object": OrNull(c.Value.Entity), "said": OrNull(engine.SaidBy(c.Value)), "key": nil,
	}
	if c.Key != "" {
		set["key"] = Indexable(c.Key)
	}
	if c.Value.Entity == "" {
		set["value"] = OrNull(valueText(c.Value))
	}
	return set, err
}

// Standing returns the properties of a standing of an erased claim.
func (n Node) Standing(present tenure.Standing) (map[string]any, error) {
	s, tx, err := decodeVersion[tenure.Standing](n.Body)
	if err != nil {
		return nil, err
	}
	return standingProps(s.Erase(present), tx)
}

// Amendment returns the properties of an amendment without its reason, nil if it is not chosen.
func (n Node) Amendment(chosen func(tenure.Amendment) bool) (map[string]any, error) {
	var a tenure.Amendment
	if err := engine.Decode(n.Body, &a); err != nil || !chosen(a) {
		return nil, err
	}
	body, err := engine.Encode(a.Erase())
	return props{"body": body, "reason": nil}, err
}

// PresentEntity decodes a version of an entity.
func (n Node) PresentEntity() (tenure.Entity, error) {
	e, _, err := decodeVersion[tenure.Entity](n.Body)
	return e, err
}

// PresentStanding decodes a version of a standing.
func (n Node) PresentStanding() (tenure.Standing, error) {
	s, _, err := decodeVersion[tenure.Standing](n.Body)
	return s, err
}

// Entity returns the properties of a version of an entity without what the present one does not say.
func (n Node) Entity(present tenure.Entity) (map[string]any, error) {
	return erased(n.Body, func(e tenure.Entity) tenure.Entity { return e.Erase(present) }, entityProps)
}

// Review returns the properties of a version of a review of the entity without the notes of people.
func (n Node) Review(present tenure.Entity) (map[string]any, error) {
	return erased(n.Body, func(r tenure.Review) tenure.Review { return r.Erase(present) }, reviewProps)
}

// Decision returns the properties of a version of an identity decision without the reasons that people gave.
func (n Node) Decision() (map[string]any, error) {
	return erased(n.Body, tenure.IdentityDecision.Erase, decisionProps)
}

// Case returns the properties of a version of a case without the notes of people, and shows it as it was.
func (n Node) Case(show func(tenure.Case)) (map[string]any, error) {
	return erased(n.Body, func(c tenure.Case) tenure.Case {
		show(c)
		return c.Erase()
	}, caseProps)
}

func erased[T any](
	body string, erase func(T) T, properties func(T, int64) (props, error),
) (map[string]any, error) {
	v, tx, err := decodeVersion[T](body)
	if err != nil {
		return nil, err
	}
	return properties(erase(v), tx)
}

func decodeVersion[T any](text string) (v T, tx int64, err error) {
	tx, body, ok := Unstamp(text)
	if !ok {
		return v, 0, tenure.Errorf(tenure.Internal, "a version has no time")
	}
	err = engine.Decode(body, &v)
	return v, tx, err
}
