// What became of compilations, as was reported, and which objects their answers used.

CREATE CONSTRAINT outcome_id IF NOT EXISTS FOR (n:Outcome) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX outcome_actor IF NOT EXISTS FOR (n:Outcome) ON (n.tenant, n.actor, n.id);
CREATE INDEX usage_actor IF NOT EXISTS FOR (n:Usage) ON (n.tenant, n.object, n.actor, n.compiled_at);
CREATE INDEX usage_clearance IF NOT EXISTS FOR (n:Usage) ON (n.tenant, n.object, n.clearance, n.compiled_at);
CREATE INDEX usage_compilation IF NOT EXISTS FOR (n:Usage) ON (n.tenant, n.compilation);
