// Verdicts on who is who, reviews, and claims that a split moved.

CREATE CONSTRAINT verdict_id IF NOT EXISTS FOR (n:Verdict) REQUIRE (n.tenant, n.id) IS UNIQUE;

CREATE CONSTRAINT review_id IF NOT EXISTS FOR (n:Review) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX review_state IF NOT EXISTS FOR (n:Review) ON (n.tenant, n.state, n.id);
CREATE INDEX review_past IF NOT EXISTS FOR (n:ReviewVersion) ON (n.tenant, n.tx_end);
CREATE INDEX asks_entity IF NOT EXISTS FOR ()-[r:ASKS_ABOUT]-() ON (r.tenant, r.entity, r.review);

// Where claims are found, from some time on, instead of the place that they
// were made in. A home never moves: its window is closed, and the next one is
// made.
CREATE INDEX home_slot IF NOT EXISTS FOR (n:Home) ON (n.tenant, n.slot);
CREATE INDEX home_subject IF NOT EXISTS FOR (n:Home) ON (n.tenant, n.subject, n.belief);
CREATE INDEX home_newest IF NOT EXISTS FOR (n:Home) ON (n.tenant, n.subject, n.recorded, n.belief);
CREATE INDEX home_object IF NOT EXISTS FOR (n:Home) ON (n.tenant, n.object, n.recorded, n.belief);
