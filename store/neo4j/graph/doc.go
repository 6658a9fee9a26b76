// Package graph decides what the graph of a store says of a change set: the labels, properties and edges of each
// change, with their times twice, and the edges that displacements add and close.
//
// In come change sets; out go rows, which are the parameters of the statements that package neo4j runs. Nothing here
// knows the driver or waits for a database.
package graph
