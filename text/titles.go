package text

import "strings"

// titles are what stands before the name of a person and is no part of it, each with the sex that it tells: 1 for men,
// -1 for women, 0 for either. They do not identify.
var titles = func() map[string]int {
	table := map[string]int{}
	for sex, words := range map[int]string{
		1: `mr mister sir lord father brother king prince herr monsieur senor señor sr don sheikh shaikh sheik shaykh haji hajji
			hadji mullah mulla maulana maulavi mawlawi mufti imam ayatollah sayyid pope`,
		-1: `mrs ms miss dame lady madam madame mme mlle frau senora señora sra srta dona doña sister queen princess`,
		0: `mx dr doctor prof professor president prasident presidente prime minister general gen colonel col major maj captain capt lieutenant lt
			sergeant sgt commander cmdr admiral cllr councillor nurse rev reverend hon saint maître`,
	} {
		for w := range strings.FieldsSeq(words) {
			table[w] = sex
		}
	}
	return table
}()

// IsTitle reports whether a folded word, without the dot of an abbreviation, is a title before the name of a person.
func IsTitle(word string) bool {
	_, ok := titles[word]
	return ok
}

// ranks are titles that are also names, or stand before the names of things: "Prince", "General Ledger".
var ranks = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`lord father brother king prince don haji pope dame lady sister queen princess
		president prime general gen major admiral saint
		minister imam`) {
		set[w] = true
	}
	return set
}()

// IsHonorific reports whether a folded word is a title that is nothing else: no name, and no rank.
func IsHonorific(word string) bool { return IsTitle(word) && !ranks[word] }

// SexOfTitle returns the sex that a title tells: 1 for men, -1 for women, 0 for either.
func SexOfTitle(word string) int { return titles[word] }
