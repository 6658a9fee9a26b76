package similarity

import (
	"tenure"
	"tenure/text"
)

// NameAliasKey is the form of a name.
func NameAliasKey(name string) tenure.AliasKey {
	return tenure.AliasKey{Kind: tenure.NameAlias, Key: text.Key(name)}
}
