package wire

import (
	"tenure"
	"tenure/api"
	"tenure/queries"
	"tenure/service"
)

// DefinitionOf converts the definition of a term.
func DefinitionOf(t api.Term) service.TermDefinition {
	return service.TermDefinition{
		Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality, ValueType: t.ValueType, Constant: t.Constant,
		SuccessionGap: t.SuccessionGap, Deduplicated: t.Deduplicated, Removed: t.Removed,
		Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region, Outranks: t.Outranks,
		Synonyms: t.Synonyms, Inverse: t.Inverse, Decay: t.Decay, Description: t.Description,
	}
}

// Vocabulary encodes a vocabulary.
func Vocabulary(v service.Vocabulary) api.Vocabulary {
	return api.Vocabulary{
		Name: v.Policy.Name, Closed: v.Policy.Closed, Version: v.Policy.Version, Terms: Each(v.Terms.Items, termView),
	}
}

func termView(t tenure.Term) api.Term {
	v := api.Term{
		Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality, ValueType: t.ValueType,
		Constant: t.Constant, Deduplicated: t.Deduplicated, Registered: t.Registered,
		Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region, Outranks: t.Outranks,
		Synonyms: t.Synonyms, Inverse: t.Inverse, Decay: t.Decay, Description: t.Description, Base: t.Base,
	}
	if t.Vocabulary == tenure.Predicates {
		v.SuccessionGap = &t.SuccessionGap
	}
	return v
}

// Query encodes a query of the library.
func Query(q queries.Query) api.Query {
	v := api.Query{
		Name: q.Name, Description: q.Description, Parameters: Each(q.Parameters, parameterView),
		Columns: Each(q.Columns, Column), Engines: []string{"neo4j"}, Cypher: q.Cypher,
	}
	if q.SQL != "" {
		v.Engines = append(v.Engines, "sqlite")
	}
	return v
}

func parameterView(p queries.Parameter) api.QueryParameter {
	v := api.QueryParameter{Name: p.Name, Kind: string(p.Kind), Description: p.Description, Required: p.Required}
	if p.Kind == queries.Integer {
		v.Minimum, v.Maximum = &p.Least, &p.Most
	}
	return v
}

// Column encodes a column of a query.
func Column(c queries.Column) api.QueryColumn {
	return api.QueryColumn{Name: c.Name, Kind: string(c.Kind)}
}

// Key encodes a credential.
func Key(c tenure.Credential) api.Key {
	return api.Key{
		Id: c.ID, Label: c.Label, Roles: NonNil(c.Roles), Clearance: c.Clearance, MaxAuthority: c.MaxAuthority, Role: c.Role,
		ActFor: c.ActFor, Bound: c.Bound, CreatedAt: c.CreatedAt.Time(),
		CreatedBy: c.CreatedBy, ExpiresAt: given(c.ExpiresAt), LastUsedAt: given(c.LastUsedAt), RevokedAt: given(c.RevokedAt),
	}
}

// AuditEvent encodes an event of the audit trail.
func AuditEvent(e tenure.AuditEvent) api.AuditEvent {
	return api.AuditEvent{
		Id: e.ID, At: e.At.Time(), Kind: e.Kind, Key: e.Key, Actor: e.Actor, Client: e.Client, Successor: e.Successor,
		Count: e.Count,
	}
}
