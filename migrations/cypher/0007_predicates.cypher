// A vocabulary may move a claim to another predicate.
CREATE INDEX relocation_predicate IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.predicate, n.belief);
MATCH (b:Belief)-[:MOVED_TO]->(h:Relocation) WHERE h.predicate IS NULL SET h.predicate = b.predicate;
