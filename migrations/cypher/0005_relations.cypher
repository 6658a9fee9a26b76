// A relation has an edge REL for each span of valid time in which it stands. The program replaces the edges that
// are there, in batches.
