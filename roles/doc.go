// Package roles orders the roles in which people speak: whose word counts more where two of the same authority level
// differ.
//
// Input is what a tenant says of its roles; output is the order, as a partial one: of two roles, one outranks the
// other or neither does. The base order holds before anybody has said anything; docs/roles.md shows it. The package
// decides nothing: who judges claims asks it.
package roles
