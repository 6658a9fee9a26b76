// The queue of reviews is read by rank: by what an answer is worth, and what is
// closed by when it was decided. Numbers have 19 digits, so that the texts sort.

MATCH (n:Review) WHERE n.rank IS NULL
WITH n, CASE n.state WHEN 'open' THEN 0
  ELSE coalesce(toInteger(split(split(n.body, '"decided_at":')[1], ',')[0]), 0) END AS decided
SET n.rank = right('000000000000000000' + toString(9223372036854775807 - decided), 19) + '/' + n.id;
MATCH (n:ReviewVersion) WHERE n.rank IS NULL
WITH n, CASE n.state WHEN 'open' THEN 0
  ELSE coalesce(toInteger(split(split(n.body, '"decided_at":')[1], ',')[0]), 0) END AS decided
SET n.rank = right('000000000000000000' + toString(9223372036854775807 - decided), 19) + '/' + n.id;
CREATE INDEX review_rank IF NOT EXISTS FOR (n:Review) ON (n.tenant, n.state, n.rank);
