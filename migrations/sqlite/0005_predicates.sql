-- A vocabulary may move a claim to another predicate. '' stands in rows from before: the claim's own.
ALTER TABLE relocation ADD COLUMN predicate TEXT NOT NULL DEFAULT '';
CREATE INDEX relocation_predicate ON relocation (tenant, predicate, belief);
