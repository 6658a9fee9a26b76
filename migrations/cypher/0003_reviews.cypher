// The queue of reviews is read by rank: by what an answer is worth, and what is
// closed by when it was decided. The program works out the ranks of the reviews that
// are there, before this: it can read the JSON of their bodies, and Cypher cannot.

CREATE INDEX review_rank IF NOT EXISTS FOR (n:Review) ON (n.tenant, n.state, n.rank);
