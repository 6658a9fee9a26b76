// Labels and properties get the names of docs/terms.md. The program renames what is there, in batches, before
// this.

DROP CONSTRAINT verdict_id IF EXISTS;
CREATE CONSTRAINT identity_decision_id IF NOT EXISTS FOR (n:IdentityDecision) REQUIRE (n.tenant, n.id) IS UNIQUE;

DROP INDEX home_slot IF EXISTS;
DROP INDEX home_subject IF EXISTS;
DROP INDEX home_newest IF EXISTS;
DROP INDEX home_object IF EXISTS;
CREATE INDEX relocation_slot IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.slot);
CREATE INDEX relocation_subject IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.subject, n.belief);
CREATE INDEX relocation_newest IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.subject, n.recorded, n.belief);
CREATE INDEX relocation_object IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.object, n.recorded, n.belief);
