// Package ner implements named-entity recognition by rules and word lists.
//
// In come a text and the aliases of a tenant's registry ([Aliases]); out go
// [Mention]s: spans in bytes, sorted, none overlapping another, each with an
// entity type, a coreference chain within the text, and the rule that found it.
// The package does no I/O. Which entity a mention means, across texts, is decided
// by package registry. Package alias keeps the aliases of a registry in memory.
// Package remote asks a service instead.
//
// A text passes these steps, in the order of [Rules.Extract]:
//
//   - identifiers and coded names (package identifier)
//   - tokens (token.go) and the aliases among them (aliases.go, pieces.go)
//   - cells of tables and quoted titles (structure.go), inverted names
//     (inverted.go)
//   - names of capitalised words: truecasing (truecase.go), the sentence's language
//     (language.go), the extent of a name (names.go, extend.go), whether it is a
//     name (isname.go), and its entity type (classify.go)
//   - names in scripts without capitals (uncased.go, package cjk) and in lower case
//     (lower.go)
//   - teams (teams.go) and role phrases (roles.go, rolesforeign.go)
//   - of overlapping spans the longest (ner.go)
//   - one type for equal names, and coreference chains (package coref)
//
// Types are decided by ordered rules. The first rule that holds wins: evidence
// inside the name comes before its context. Trigger words and other closed word
// classes are in triggers.go; gazetteers and open classes are in package words.
//
// Source: Context Architecture, Named Entity Resolution model.
package ner
