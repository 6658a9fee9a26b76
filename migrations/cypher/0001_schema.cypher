// The schema of the Neo4j engine. The tenant is first in every key, but for
// the credential, which tells the tenant. A composite index is used only where
// each of its properties has a predicate.

CREATE CONSTRAINT tenant_name IF NOT EXISTS FOR (n:Tenant) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT entry_seq IF NOT EXISTS FOR (n:Entry) REQUIRE (n.tenant, n.seq) IS UNIQUE;
CREATE CONSTRAINT entry_id IF NOT EXISTS FOR (n:Entry) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT entry_key IF NOT EXISTS FOR (n:Entry) REQUIRE (n.tenant, n.key) IS UNIQUE;
CREATE CONSTRAINT observation_id IF NOT EXISTS FOR (n:Observation) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT mention_id IF NOT EXISTS FOR (n:Mention) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT alias_form IF NOT EXISTS FOR (n:Alias) REQUIRE (n.tenant, n.form) IS UNIQUE;
CREATE CONSTRAINT belief_id IF NOT EXISTS FOR (n:Belief) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT amendment_id IF NOT EXISTS FOR (n:Amendment) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT case_id IF NOT EXISTS FOR (n:QuarantineCase) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT vocabulary_id IF NOT EXISTS FOR (n:Vocabulary) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT term_id IF NOT EXISTS FOR (n:Term) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT credential_id IF NOT EXISTS FOR (n:Credential) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT compilation_id IF NOT EXISTS FOR (n:Compilation) REQUIRE (n.tenant, n.id) IS UNIQUE;

CREATE INDEX entry_tx IF NOT EXISTS FOR (n:Entry) ON (n.tenant, n.tx);
CREATE INDEX touch_entity IF NOT EXISTS FOR (n:Touch) ON (n.tenant, n.entity, n.seq);
CREATE INDEX assigned_entity IF NOT EXISTS FOR ()-[r:ASSIGNED]-() ON (r.tenant, r.entity, r.mention);
CREATE INDEX rel_belief IF NOT EXISTS FOR ()-[r:REL]-() ON (r.tenant, r.belief);

// Keys that never change, so that a read of an old state finds by them what a
// write is about to replace.
CREATE INDEX belief_slot IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.slot);
CREATE INDEX belief_key IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.key);
CREATE INDEX belief_subject IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.subject, n.id);
CREATE INDEX belief_predicate IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.predicate, n.id);
CREATE INDEX belief_newest IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.subject, n.tx_start, n.id);
CREATE INDEX relation_from IF NOT EXISTS FOR (n:Relation) ON (n.tenant, n.subject, n.tx_start, n.id);
CREATE INDEX relation_to IF NOT EXISTS FOR (n:Relation) ON (n.tenant, n.object, n.tx_start, n.id);
CREATE INDEX contested_id IF NOT EXISTS FOR (n:WasContested) ON (n.tenant, n.id);

CREATE INDEX amendment_belief IF NOT EXISTS FOR (n:Amendment) ON (n.tenant, n.belief);
CREATE INDEX case_slot IF NOT EXISTS FOR (n:QuarantineCase) ON (n.tenant, n.slot);
CREATE INDEX case_subject IF NOT EXISTS FOR (n:QuarantineCase) ON (n.tenant, n.subject, n.id);
CREATE INDEX case_state IF NOT EXISTS FOR (n:QuarantineCase) ON (n.tenant, n.state, n.id);
CREATE INDEX case_past IF NOT EXISTS FOR (n:QuarantineCaseVersion) ON (n.tenant, n.tx_end);
CREATE INDEX term_name IF NOT EXISTS FOR (n:Term) ON (n.tenant, n.vocabulary, n.name);
CREATE INDEX credential_created IF NOT EXISTS FOR (n:Credential) ON (n.created_at, n.id);
CREATE INDEX credential_tenant IF NOT EXISTS FOR (n:Credential) ON (n.tenant, n.created_at, n.id);
