-- The newest entry of a tenant that erased content: what was read of former states before it is not to be used again.

CREATE TABLE IF NOT EXISTS erasure (
  tenant INTEGER PRIMARY KEY,
  seq    INTEGER NOT NULL
) STRICT;
