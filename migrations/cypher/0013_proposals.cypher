// Observations that propose a change are listed. Before this migration none says what it would do.

CREATE INDEX observation_proposes IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.proposes, n.observed_at, n.id);
