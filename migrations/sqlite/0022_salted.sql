-- What the conflict keys in the log are hashed with, and the newest entry that was hashed with an earlier salt: see
-- engine.Salting. The hashes of earlier versions have no salt; what was decided before a migration is never applied after.
ALTER TABLE tenant ADD COLUMN salt BLOB;
ALTER TABLE tenant ADD COLUMN salted INTEGER NOT NULL DEFAULT 0;
UPDATE tenant SET salt = randomblob(16), salted = coalesce((SELECT max(seq) FROM log WHERE log.tenant = pk), 0);
UPDATE log SET write_set = x'';
