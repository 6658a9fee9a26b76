// The queue of quarantine cases is read by rank, as that of reviews. The program works out the ranks of the cases
// that are there, before this.

CREATE INDEX case_rank IF NOT EXISTS FOR (n:QuarantineCase) ON (n.tenant, n.state, n.rank);
