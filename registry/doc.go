// Package registry decides which entity a mention means.
//
// In come a mention and what the store knows of its forms; out goes a
// decision with its score, its reason and the changes it asks for. The rules
// here are those of names and identifiers: the frozen key of a form, which
// identifiers belong to one entity alone, and what an equal key, an equal
// identifier or an ambiguity is worth.
//
// Source: Context Architecture, section on the Named Entity Resolution model.
package registry
