// Package linking finds the entities that a text names (entity linking): which entities the query of a compilation is
// about, and which an observation in plain words speaks of.
//
// Input is a text, the request that it belongs to, and a reader of one state; output is the roots that are meant, the
// words that name them, and the names that fit no one entity or several. An exact name or identifier decides first, the
// longest span of words before shorter ones; then what a proposer of similar names finds is compared with what is left
// of the text. A name that could mean several entities names none of them.
//
// Mentions of a write are resolved by package registry, which may make an entity or ask a reviewer; linking only reads.
package linking
