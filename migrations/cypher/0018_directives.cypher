// The newest claims of a scope that direct are found: rules, constraints, preferences. The program marks those that are there, before this.

CREATE INDEX directive_recent IF NOT EXISTS FOR (n:Directive) ON (n.tenant, n.place, n.tx_start, n.id);
