package similarity

import (
	"tenure"
	"tenure/text"
)

// NameAliasKey returns the alias key of a name.
func NameAliasKey(name string) tenure.AliasKey {
	return tenure.AliasKey{Kind: tenure.NameAlias, Key: text.Key(name)}
}
