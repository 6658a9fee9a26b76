package similarity

import "slices"

// variantPrior is the log-odds of [VariantPrior]: far less than an exact name has for it, so that what is not asked
// about at even odds is at most asked about with it.
const variantPrior = 1.3

// VariantPrior returns the prior of a candidate of which the name of a mention may be a variant. How frequent the words
// are says little then: within one tenant a common name mostly means whoever is known by it.
func VariantPrior() Prior { return Prior{Name: "prior_variant", LogOdds: variantPrior} }

// Variants reports whether two people may have one name, written more or less completely or spelled differently: each
// word of one answers to a word of the other, as the same word, as a short form, an initial, by its sound, or with one
// letter of a long word changed; two words at least do, one of them not by an initial; and nothing is contrary.
// Maria Garcia may be Maria Garcia Lopez, M. Silva may be Maria Silva, and Steven Li Stephen Lee. Two organisations may
// have one long name of which a word is another: see mostlyOne.
func (m *Model) Variants(l, r *Prepared) bool {
	var v vector
	return m.somePair(l, r, func(k class, x, y *name) bool {
		switch {
		case x.possessive() != y.possessive():
			return false
		case k == organizations:
			return mostlyOne(compareNames(x, y, &v), &v)
		}
		return k == people && mayBeOne(compareNames(x, y, &v), &v)
	})
}

// The least that two names of organisations of which a word differs have in common: words, and the share of what the
// words tell by how rare they are.
const (
	mostlyWords = 3
	mostlyShare = 0.6
)

// mostlyOne reports whether so many words of two names of organisations answer each other, and most of what the names
// tell, that one word of each may be another for the same: Sanabil Group for Relief and Development, Sanabil
// Association for Relief and Development. Nothing else is contrary.
func mostlyOne(paired int, v *vector) bool {
	return paired >= mostlyWords && v[nameConflict] == 1 && v[nameShare] > mostlyShare &&
		!slices.ContainsFunc(contrary, func(f nameFeature) bool { return f != nameConflict && v[f] > 0 })
}

// farthestVariant bounds how far the words of two scripts may sound apart in variants of one name, as nameScript.
const farthestVariant = 0.2

// mayBeOne is [Model.Variants] of two names that were compared; so many of their words answer each other.
func mayBeOne(paired int, v *vector) bool {
	if paired < 2 || float64(paired) <= v[nameInitial] || v[nameScript] > farthestVariant {
		return false
	}
	slips := v[nameSimilar] + v[nameSimilarShort] + v[nameSimilarTwo] + v[nameSimilarTwoShort] + v[nameSimilarFar]
	return slips <= v[nameSound] && !slices.ContainsFunc(contrary, func(f nameFeature) bool { return v[f] > 0 })
}
