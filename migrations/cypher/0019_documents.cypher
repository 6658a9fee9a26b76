// Documents, and the passages that each of their versions was cut into.

CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX document_uri IF NOT EXISTS FOR (n:Document) ON (n.tenant, n.uri_key, n.id);
CREATE CONSTRAINT passage_id IF NOT EXISTS FOR (n:Passage) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX passage_document IF NOT EXISTS FOR (n:Passage) ON (n.tenant, n.document, n.version, n.number);
CREATE INDEX passage_place IF NOT EXISTS FOR (n:Passage) ON (n.tenant, n.place, n.id);
