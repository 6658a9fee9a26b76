// The newest claims of a scope are found, and of these what was remarked. The program sets the places of those that are there, before this.

CREATE INDEX belief_recent IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.place, n.tx_start, n.id);
CREATE INDEX remark_recent IF NOT EXISTS FOR (n:Remark) ON (n.tenant, n.place, n.tx_start, n.id);
