// Beliefs are found by the text that is their value. The program sets the texts of those that are there, before this.

CREATE INDEX belief_said IF NOT EXISTS FOR (n:Belief) ON (n.tenant, n.said, n.tx_start);
