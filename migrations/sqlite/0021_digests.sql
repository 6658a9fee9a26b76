-- What the digest of an entry's evidence is salted with. It is erased with any of that: see tenure.ChangeSet.Digest.
ALTER TABLE log ADD COLUMN salt BLOB;
