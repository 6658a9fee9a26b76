// Package ner finds what a text names.
//
// In come a text and what the tenant's registry goes by ([Aliases]); out go
// [Mention]s: spans in bytes, sorted, never overlapping, each with a type, the
// chain of mentions of one entity within the text, and the rule that found it.
// Nothing is read or written besides.
//
// The rules live here: what an identifier looks like (identifiers.go,
// numbers.go), how programs, hosts and repositories are written (coded.go),
// where a name of capitalised words begins and ends (names.go, judge.go) and
// what it names (classify.go), names in lower case (lower.go) and in scripts
// without capitals (scripts.go), the cells of tables and quoted titles
// (tables.go), phrases for roles (roles.go), when an alias
// is an ordinary word (aliases.go), and which mentions are of one entity
// (chains.go). The longest span wins. The word lists are in words/. Who an
// entity is across texts is decided by package registry. Package remote asks a
// service instead.
//
// Source: Context Architecture, Named Entity Resolution model.
package ner
