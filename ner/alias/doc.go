// Package alias keeps the aliases of a tenant's registry in memory, for package ner: a [Dictionary] is told the names of
// entities as they come and go, and answers which entities a run of tokens may mean, in one project or in all.
package alias
