// Observations are listed by when they were observed, of a session, a project or a speaker alone, too. The program
// sets the sessions and projects of those that are there, before this: they are in the JSON of their bodies.

CREATE INDEX observation_observed IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.observed_at, n.id);
CREATE INDEX observation_session IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.session_id, n.observed_at, n.id);
CREATE INDEX observation_project IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.project_id, n.observed_at, n.id);
CREATE INDEX observation_speaker IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.speaker, n.observed_at, n.id);
