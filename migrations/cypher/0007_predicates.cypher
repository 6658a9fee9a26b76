// A vocabulary may move a claim to another predicate. The program sets the predicates of earlier relocations, before this.
CREATE INDEX relocation_predicate IF NOT EXISTS FOR (n:Relocation) ON (n.tenant, n.predicate, n.belief);
