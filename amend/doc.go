// Package amend carries out decisions about existing beliefs: amendments (retract, end, confirm), the
// settlement of quarantine cases, and the definition of vocabularies, by which beliefs are compared.
//
// Input is the command and a transaction; output is the amendment and the standings that follow from it,
// written to the transaction. Its rule is authority: no amendment overrules a stronger one.
package amend
