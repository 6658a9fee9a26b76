// Package proposals tells which of the changes that statements propose wait for an answer, and who may know of them.
//
// A proposed change is no record of its own. Whether it waits follows from what is stored: it has no answer, what it
// would displace, end or retract stands, and its property was given no value since. Whoever may not see its words, what
// stands, or what the words would say may not know of it.
//
// In come the observations that propose and the gate of a reader; read.go reads what else decides, and the rest are
// pure functions of that.
package proposals
