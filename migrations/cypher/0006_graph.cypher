// The graph that analysts ask: displacements are edges with their rule and both windows of time, and what a claim
// names is an edge of its own type, NAMES. The program writes them, the texts of observations, native times, the
// labels of types and the names of values, in pages, before this.

CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.name);
CREATE INDEX entity_type IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.type);
CREATE INDEX rel_predicate IF NOT EXISTS FOR ()-[r:REL]-() ON (r.tenant, r.predicate);
CREATE INDEX supersedes_tx IF NOT EXISTS FOR ()-[r:SUPERSEDES]-() ON (r.tenant, r.tx_start);
CREATE INDEX contradicts_tx IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.tenant, r.tx_start);
