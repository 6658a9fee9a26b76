// The conflict keys in the log are hashed with a salt: see engine.Salting. The program empties the write sets of earlier
// versions, which have none; what was decided before a migration is never applied after. Nothing of the schema changes.
