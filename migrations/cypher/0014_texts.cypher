// Observations with a text that is read are listed by speaker and by thread. Of those that are there all with a text are
// listed, also those whose text was not read. The program sets their speakers and threads, before this.

CREATE INDEX observation_text_speaker IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.text_speaker, n.observed_at, n.id);
CREATE INDEX observation_text_thread IF NOT EXISTS FOR (n:Observation) ON (n.tenant, n.text_thread, n.observed_at, n.id);
