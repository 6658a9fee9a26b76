// Package e2e holds the acceptance tests: they build the real server program,
// start it on each engine, speak HTTP with it as a user would, kill it, and
// look at what it answers, at its log and at what its verify command finds.
//
// The scenarios come from "StateBench specification, Test Vectors" and
// "Context Architecture, Bitemporal Validity Model", and from the promises of
// api/openapi.yaml and docs/standing.md. Every scenario runs on SQLite and on
// the Neo4j server that NEO4J_URI names, as a tenant of its own.
package e2e
