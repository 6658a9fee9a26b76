-- The newest claims of a scope that direct are found: rules, constraints, preferences. See tenure.Claim.Directs.
ALTER TABLE claim ADD COLUMN directive INTEGER NOT NULL DEFAULT 0;
UPDATE claim SET directive = 1
  WHERE body ->> '$.object_type' IN ('policy_rule', 'actionable_constraint', 'preference') OR body ->> '$.is_constraint' = 1
    OR coalesce(body ->> '$.behavioral_implication', '') <> '';
CREATE INDEX claim_directive ON claim (tenant, place, tx, id) WHERE directive = 1;
