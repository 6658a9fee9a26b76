-- The entries that erased content since the file was last written anew: it may still hold that in pages that are free.

CREATE TABLE IF NOT EXISTS unpurged (
  tenant INTEGER PRIMARY KEY,
  seq    INTEGER NOT NULL
) STRICT;
