// Package attribute knows what the attributes of a mention mean.
//
// Input is the name of an attribute and a value as written; output is how such values compare, the normal form in
// which they do, and, for an attribute that identifies, its kind of identifier, the alias keys and whether they are
// exclusive. The table of identifier kinds is here alone; the definitions of a tenant extend it. The package decides
// nothing: packages similarity, blocking and registry read it.
package attribute
