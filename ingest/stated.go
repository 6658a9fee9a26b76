package ingest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/vocabulary"
)

// stated returns a mention with what the claims about it say that tells its entity from others, as attributes: a date
// of birth, numbers that were issued to it. A claim counts if it says what holds, for whoever sees the mention.
func (in *intake) stated(ctx context.Context, m tenure.Mention) (tenure.Mention, error) {
	attributes := maps.Clone(m.Attributes)
	for i, c := range in.cmd.Input.Claims {
		if c.Subject.Mention == nil || *c.Subject.Mention != m.Index || !in.holds(i, m.Label) {
			continue
		}
		name, value, err := in.singular(ctx, c)
		if err != nil {
			return m, err
		}
		birth, corrects := attribute.IsBirthDate(name), len(c.Supersedes) > 0
		if value == "" || corrects && !birth { // which of several numbers was wrong is not said
			continue
		}
		if corrects {
			m.Corrects = append(m.Corrects, name)
		}
		if attributes == nil {
			attributes = map[string][]string{}
		}
		attributes[name] = append(slices.Clip(attributes[name]), value)
	}
	m.Attributes = attributes
	return m, nil
}

// holds reports whether the claim of an index says what holds, and whoever sees evidence of the label sees the claim.
func (in *intake) holds(index int, l tenure.Label) bool {
	c, label := in.cmd.Input.Claims[index], in.cmd.claimLabels()[index]
	return c.Outranked == nil && c.Labels.Void == "" && !in.cmd.scopeOf(c).Provisional() &&
		l.Covers(tenure.NewLabel(label.Classification, l.Scope, label.Permission()))
}

// singular returns the attribute and the value of a claim that tells its subject from others; the value is "" if the
// claim does not.
func (in *intake) singular(ctx context.Context, c Claim) (name, value string, err error) {
	value = c.Value.scalar()
	if value == "" {
		return "", "", nil
	}
	t, err := vocabulary.Resolve(ctx, in.txn, c.Predicate)
	if err != nil {
		return "", "", err
	}
	own, err := attribute.OwnKinds(ctx, in.txn, map[string][]string{t.Name: nil})
	if err != nil || !attribute.Singular(t.Name, own) {
		return "", "", err
	}
	if _, ok := attribute.ParseDate(value); attribute.IsBirthDate(t.Name) && !ok {
		return "", "", nil
	}
	return t.Name, value, nil
}

// scalar returns a value that is a text or a number, as written; "" for any other.
func (v Value) scalar() string {
	var s string
	var n json.Number
	switch {
	case v.Entity != nil:
	case json.Unmarshal(v.JSON, &s) == nil:
	case json.Unmarshal(v.JSON, &n) == nil:
		s = n.String()
	}
	if len(s) > attribute.MaxValueRunes {
		return ""
	}
	return s
}
