-- Beliefs are found by the text that is their value.

CREATE INDEX IF NOT EXISTS claim_said ON claim (tenant, lower(value ->> '$'), tx) WHERE substr(value, 1, 1) = '"' AND length(value) <= 122;
