-- Tables, columns and stored words get the names of docs/terms.md.

ALTER TABLE log RENAME COLUMN cells TO write_set;
ALTER TABLE standing RENAME COLUMN hull_from TO span_from;
ALTER TABLE standing RENAME COLUMN hull_until TO span_until;

ALTER TABLE owner RENAME TO alias;
ALTER TABLE alias RENAME COLUMN form TO key;
DROP INDEX owner_entity;
CREATE INDEX alias_entity ON alias (tenant, entity);

ALTER TABLE verdict RENAME TO identity_decision;
DROP INDEX verdict_source;
DROP INDEX verdict_target;
CREATE INDEX identity_decision_source ON identity_decision (tenant, source);
CREATE INDEX identity_decision_target ON identity_decision (tenant, target);

ALTER TABLE home RENAME TO relocation;
DROP INDEX home_slot;
DROP INDEX home_subject;
DROP INDEX home_object;
CREATE INDEX relocation_slot ON relocation (tenant, slot);
CREATE INDEX relocation_subject ON relocation (tenant, subject, belief);
CREATE INDEX relocation_object ON relocation (tenant, object) WHERE object <> '';

-- JSON escapes each quotation mark inside a string: what stands between two plain ones is a whole key or value.
UPDATE alias SET body = replace(body, '"form":', '"key":');
UPDATE identity_decision SET body = replace(replace(replace(replace(replace(body,
  '"kind":"distinct"', '"kind":"cannot_link"'),
  '"reason":"exact_form"', '"reason":"exact_name"'),
  '"reason":"ambiguous_form"', '"reason":"ambiguous_name"'),
  '"actor":"second_look"', '"actor":"re_resolution"'),
  '"undone_by":"second_look"', '"undone_by":"re_resolution"');
UPDATE review SET body = replace(replace(replace(replace(replace(replace(replace(body,
  '"waiting":', '"pending_mentions":'),
  '"held":', '"pending_beliefs":'),
  '"value":', '"priority":'),
  '"verdict":', '"merge":'),
  '"reason":"ambiguous_form"', '"reason":"ambiguous_name"'),
  '"actor":"second_look"', '"actor":"re_resolution"'),
  '"decided_by":"second_look"', '"decided_by":"re_resolution"');
UPDATE assignment SET body = replace(replace(body,
  '"reason":"exact_form"', '"reason":"exact_name"'), '"reason":"ambiguous_form"', '"reason":"ambiguous_name"')
  WHERE body ->> 'reason' IN ('exact_form', 'ambiguous_form');
UPDATE entity SET body = replace(body, '"reason":"ambiguous_form"', '"reason":"ambiguous_name"')
  WHERE body ->> 'reason' = 'ambiguous_form';
UPDATE receipt SET answer = CAST(replace(replace(replace(replace(replace(CAST(answer AS TEXT),
  '"undone_verdicts":', '"undone_decisions":'),
  '"verdict_id":', '"decision_id":'),
  '"not_the_same":', '"cannot_links":'),
  '"reason":"exact_form"', '"reason":"exact_name"'),
  '"reason":"ambiguous_form"', '"reason":"ambiguous_name"') AS BLOB)
  WHERE answer IS NOT NULL;
