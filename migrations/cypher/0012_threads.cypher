// Observations are listed by their thread: that of the source, or else its session, or the scope's, or else the origin.
// The program sets the threads of those that are there, before this.

CREATE INDEX observation_thread IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.thread, n.observed_at, n.id);
