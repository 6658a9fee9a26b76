// Observations that propose a change are found by the entities that it is of. The program draws the edges of those that
// are there, before this.

CREATE INDEX proposes_entity IF NOT EXISTS FOR ()-[r:PROPOSES]-() ON (r.tenant, r.entity, r.tx_start, r.observation);
