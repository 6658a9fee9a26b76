package similarity

// Evidence is a vector of features: how much of each kind of agreement or difference a comparison found. The
// model weighs each feature in log-odds; the weights of name features depend on the class of the profiles.

// nameFeature is a kind of evidence from two names.
type nameFeature uint8

const (
	nameBase            nameFeature = iota // both have a name
	nameInfo                               // information content of the common words, the first 6 nats, in units of 6
	nameInfoMore                           // the next 6 nats
	nameInfoMost                           // the next 12 nats, in units of 12
	nameEqual                              // the same words in the same order
	nameReordered                          // the same words in another order
	nameShare                              // share of the information content that is common
	nameWhole                              // closeness of all letters, 0 if half of them differ, 1 if equal
	nameSimilarLong                        // words of 7 letters or more, one letter apart
	nameSimilar                            // words of 4 to 6 letters, one letter apart
	nameSimilarShort                       // shorter words, one letter apart
	nameSimilarTwo                         // words of 7 letters or more, or of one sound, two letters apart
	nameSimilarTwoShort                    // shorter words, two letters apart
	nameSimilarFar                         // words further apart, up to farthest
	nameSound                              // similar words with the same phonetic code
	nameFirstLetter                        // similar words with different first letters
	nameSwapped                            // similar words with two neighbours swapped or one doubled
	nameGiven                              // similar words that are two given names, and no spellings of one
	nameGender                             // similar words of different gender
	nameNickname                           // short forms of one given name
	namePet                                // a diminutive recognised by its ending
	nameTranslated                         // words that mean the same in two languages
	nameInitial                            // an initial or a truncation for a word
	nameJoined                             // one word written as two
	nameScript                             // how far words of two scripts sound apart: the square, 1 at the farthest
	nameConflict                           // words without a partner on both sides, up to 3 pairs
	nameConflictFirst                      // the first words have no partner
	nameConflictLast                       // the last words have no partner
	// the lesser information content of the two sides' leftovers, in units of 6 nats
	nameConflictInfo
	nameConflictClose  // closeness of the closest pair of leftovers, 0 to 1
	nameSyllable       // pairs of different syllables of Han or Hangul
	nameExtraFirst     // surplus words of one side, at the front
	nameExtraMiddle    // surplus words in the middle
	nameExtraLast      // surplus words at the end
	nameExtraInfo      // information content of the surplus words, in units of 6 nats, up to 4
	nameOneWord        // one word in common, of several
	nameSingle         // both are a single word
	nameNothing        // no word in common
	nameNumberEqual    // the same numerals
	nameNumberDiffers  // different numerals
	nameNumberMissing  // numerals on one side only
	nameNumberSome     // share of the numerals of long names that differ
	nameCodeEqual      // a model number in common
	nameCodePart       // model numbers of which one has a few characters more
	nameCodeDiffers    // different model numbers
	nameEditionDiffers // different editions, licences, platforms or colours
	nameEditionMissing // an edition, a licence, a platform or a colour on one side
	nameGeneration     // different generations by suffix
	nameGenerationLack // a generational suffix on one side only
	nameFormEqual      // the same legal form
	nameFormDiffers    // different legal forms
	nameFormKind       // a business and an association
	nameCountryMissing // a country on one side only
	nameCountryDiffers // different countries or regions
	nameAcronym        // one is an acronym of the other
	nameFatherSwapped  // child and father are swapped
	nameFeatures
)

// attrFeature is a kind of evidence from anything but names.
type attrFeature uint8

const (
	dateEqual    attrFeature = iota
	dateYear                 // the same year, one date has the year only
	dateSwapped              // day and month swapped
	dateTypo                 // one digit differs
	dateYearTypo             // one digit of the year differs, one date has no day
	dateSameYear             // only the year agrees, or all but the year
	dateNear                 // years at most two apart
	dateOther                // the same year, different day and month
	dateDiffers
	idEqual   // an exclusive identifier in common
	idClose   // exclusive identifiers that differ in one or two characters
	idPart    // one ends with the other
	idDiffers // no exclusive identifier in common
	idOther   // none in common, of a kind that may have several values
	emailEqual
	emailShared // a shared mailbox
	emailLocal  // the same local part, different domains
	emailDiffers
	phoneEqual
	phoneLocal // equal without country and area codes
	phoneDiffers
	addressEqual
	addressClose
	addressPart
	addressDiffers
	houseDiffers // the same street, different house numbers
	postcodeEqual
	postcodeClose // one character differs
	postcodeArea  // the same outward code
	postcodeDiffers
	genderEqual
	genderDiffers
	countryEqual
	countryDiffers
	numberEqual // years, counts and other numbers
	numberNear  // differ by one
	numberDiffers
	amountNear // how near two prices or other amounts are, 1 if equal, 0 if one is the double of the other
	amountFar  // how far they are apart beyond that, in doublings, up to 3
	textEqual  // any other attribute
	textInfo   // information content of the common words, in units of 6 nats
	textClose
	textPart
	textDiffers // a single word on each side
	textDiffersLong
	contextEqual
	contextInfo // information content of the common words, in units of 6 nats, up to 4
	contextClose
	contextPart
	contextDiffers
	contextNumber // descriptions with different numbers
	contextSlot   // similar descriptions with different proper names
	contextNames  // the description of one contains a name of the other
	bornTogether  // the same birth date and address, different first names
	bornOnce      // the same birth date and address, first names that do not differ
	household     // how many of address, telephone and mailbox agree while first names or birth dates differ
	typeDiffers
	projectSame
	projectDiffers
	neighbourShared // ln(1 + common neighbours)
	recordSame      // the same row of the same system of record
	recordDiffers   // different rows of one system of record
	attrFeatures
)

// word is the name and the description of a feature.
type word struct {
	name   string // in the model file and in explanations
	reason string
	sign   int8 // 1: never counts against; -1: never counts for; 0: as learned
}

var nameWords = [nameFeatures]word{
	nameBase:            {"name", "both have a name", 0},
	nameInfo:            {"name_words", "words in common, by how rare they are", 1},
	nameInfoMore:        {"name_rare_words", "rare words in common", 1},
	nameInfoMost:        {"name_very_rare_words", "several rare words in common", 1},
	nameEqual:           {"name_equal", "the same words in the same order", 1},
	nameReordered:       {"name_reordered", "the same words in another order", 0},
	nameShare:           {"name_share", "share of the words in common", 1},
	nameWhole:           {"name_letters", "closeness of all letters", 1},
	nameSimilarLong:     {"name_letter_long", "long words that differ in a letter", -1},
	nameSimilar:         {"name_letter", "words that differ in a letter", -1},
	nameSimilarShort:    {"name_letter_short", "short words that differ in a letter", -1},
	nameSimilarTwo:      {"name_two_letters", "long words that differ in two letters", -1},
	nameSimilarTwoShort: {"name_two_letters_short", "short words that differ in two letters", -1},
	nameSimilarFar:      {"name_letters_far", "words that differ in more letters", -1},
	nameSound:           {"name_sound", "the words that differ sound alike", 1},
	nameFirstLetter:     {"name_first_letter", "the words that differ start otherwise", -1},
	nameSwapped:         {"name_slip", "letters swapped or doubled", 1},
	nameGiven:           {"name_given", "two given names, and no spellings of one", -1},
	nameGender:          {"name_gender", "a man's name and a woman's", -1},
	nameNickname:        {"name_nickname", "short forms of one given name", 0},
	nameTranslated:      {"name_translated", "words that mean the same in two languages", -1},
	namePet:             {"name_pet_form", "a short form of a given name by its ending", -1},
	nameInitial:         {"name_initial", "an initial for a word", -1},
	nameJoined:          {"name_joined", "one word written as two", 0},
	nameScript:          {"name_script", "how far words in two scripts sound apart", -1},
	nameConflict:        {"name_conflict", "words on both sides that do not answer each other", -1},
	nameConflictFirst:   {"name_conflict_first", "the first words differ", -1},
	nameConflictLast:    {"name_conflict_last", "the last words differ", -1},
	nameConflictInfo:    {"name_conflict_words", "how rare the differing words are", -1},
	nameConflictClose:   {"name_conflict_close", "the differing words are somewhat alike", 1},
	nameSyllable:        {"name_syllable", "another syllable", -1},
	nameExtraFirst:      {"name_extra_first", "one side has more words in front", -1},
	nameExtraMiddle:     {"name_extra_middle", "one side has more words in the middle", -1},
	nameExtraLast:       {"name_extra_last", "one side has more words at the end", -1},
	nameExtraInfo:       {"name_extra_words", "how rare the words are that one side has more", -1},
	nameOneWord:         {"name_one_word", "one word in common", -1},
	nameSingle:          {"name_single", "both are a single word", -1},
	nameNothing:         {"name_nothing", "no word in common", -1},
	nameNumberEqual:     {"name_number_equal", "the same numerals", 1},
	nameNumberDiffers:   {"name_number_differs", "other numerals", -1},
	nameNumberMissing:   {"name_number_missing", "numerals on one side", -1},
	nameNumberSome:      {"name_number_some", "some other numerals in long names", -1},
	nameCodeEqual:       {"name_code_equal", "a model number in common", 1},
	nameCodePart:        {"name_code_part", "model numbers of which one goes on", 1},
	nameCodeDiffers:     {"name_code_differs", "other model numbers", -1},
	nameEditionDiffers:  {"name_edition_differs", "another edition, licence, platform or colour", -1},
	nameEditionMissing:  {"name_edition_missing", "an edition, a licence, a platform or a colour on one side", -1},
	nameGeneration:      {"name_generation", "father and son", -1},
	nameGenerationLack:  {"name_generation_missing", "a suffix of generation on one side", -1},
	nameFormEqual:       {"name_form_equal", "the same company form", 1},
	nameFormDiffers:     {"name_form_differs", "another company form", -1},
	nameFormKind:        {"name_form_kind", "a business and an association", -1},
	nameCountryMissing:  {"name_country_missing", "a country on one side", -1},
	nameCountryDiffers:  {"name_country_differs", "another country or region", -1},
	nameAcronym:         {"name_acronym", "one is made of the other's initials", 1},
	nameFatherSwapped:   {"name_father_swapped", "child and father are swapped", -1},
}

var attrWords = [attrFeatures]word{
	dateEqual:       {"date_equal", "the same date", 1},
	dateYear:        {"date_year", "the same year, the day not told", 1},
	dateSwapped:     {"date_swapped", "the same date with day and month swapped", 1},
	dateTypo:        {"date_digit", "dates that differ in a digit", 0},
	dateYearTypo:    {"date_year_digit", "years that differ in a digit", 0},
	dateSameYear:    {"date_part", "the year agrees or all but the year", 0},
	dateNear:        {"date_near", "years at most two apart", -1},
	dateOther:       {"date_other_day", "dates of years that are near, and of other days", -1},
	dateDiffers:     {"date_differs", "other dates", -1},
	idEqual:         {"identifier_equal", "an identifier in common", 1},
	idClose:         {"identifier_close", "identifiers that differ in a sign", 1},
	idPart:          {"identifier_part", "one identifier is the other without what stands in front", 1},
	idDiffers:       {"identifier_differs", "other identifiers of one kind", -1},
	idOther:         {"identifier_other", "other identifiers, of which one may have several", -1},
	emailEqual:      {"email_equal", "an e-mail address in common", 1},
	emailShared:     {"email_shared", "a mailbox that many read in common", 1},
	emailLocal:      {"email_local", "the same name at another domain", 1},
	emailDiffers:    {"email_differs", "other e-mail addresses", -1},
	phoneEqual:      {"phone_equal", "a phone number in common", 1},
	phoneLocal:      {"phone_local", "a phone number in common but for its codes", 1},
	phoneDiffers:    {"phone_differs", "other phone numbers", -1},
	addressEqual:    {"address_equal", "the same address", 1},
	addressClose:    {"address_close", "nearly the same address", 1},
	addressPart:     {"address_part", "part of the address in common", 0},
	addressDiffers:  {"address_differs", "other addresses", -1},
	houseDiffers:    {"house_differs", "another house number", -1},
	postcodeEqual:   {"postcode_equal", "the same postcode", 1},
	postcodeClose:   {"postcode_close", "postcodes that differ in a sign", 1},
	postcodeArea:    {"postcode_area", "postcodes of one area", 1},
	postcodeDiffers: {"postcode_differs", "other postcodes", -1},
	genderEqual:     {"gender_equal", "the same gender", 1},
	genderDiffers:   {"gender_differs", "another gender", -1},
	countryEqual:    {"country_equal", "a country in common", 1},
	countryDiffers:  {"country_differs", "other countries", -1},
	numberEqual:     {"number_equal", "the same number", 1},
	numberNear:      {"number_near", "numbers that differ by one", 0},
	numberDiffers:   {"number_differs", "other numbers", -1},
	amountNear:      {"amount_near", "amounts that are near", 1},
	amountFar:       {"amount_far", "amounts that are far apart", -1},
	textEqual:       {"attribute_equal", "an attribute in common", 1},
	textInfo:        {"attribute_words", "how rare the attribute's words are", 1},
	textClose:       {"attribute_close", "an attribute nearly in common", 1},
	textPart:        {"attribute_part", "words of an attribute in common", 0},
	textDiffers:     {"attribute_differs", "another attribute of one word", -1},
	textDiffersLong: {"attribute_differs_long", "another attribute", -1},
	contextEqual:    {"context_equal", "the same description", 1},
	contextInfo:     {"context_words", "how rare the words of the descriptions in common are", 1},
	contextClose:    {"context_close", "similar descriptions", 1},
	contextPart:     {"context_part", "words of the descriptions in common", 0},
	contextDiffers:  {"context_differs", "descriptions of something else", -1},
	contextNumber:   {"context_number", "descriptions with other numbers", -1},
	contextSlot:     {"context_slot", "descriptions that are alike but for a name", -1},
	contextNames:    {"context_names", "the description of one names the other", 1},
	bornTogether:    {"twins", "the same birth date and dwelling, and other first names", -1},
	bornOnce:        {"born_and_dwelling", "the same birth date and dwelling", 1},
	household:       {"household", "a household in common, and other first names or birth dates", -1},
	typeDiffers:     {"type_differs", "another type", -1},
	projectSame:     {"project_same", "the same project", 1},
	projectDiffers:  {"project_differs", "another project", -1},
	neighbourShared: {"neighbours", "met with the same others", 1},
	recordSame:      {"record_same", "the same row of a system of record", 1},
	recordDiffers:   {"record_differs", "other rows of one system of record", -1},
}

// evidence is the result of one comparison. With notes it also records the values compared; the features are
// the same.
type evidence struct {
	class class
	name  [nameFeatures]float64
	attr  [attrFeatures]float64
	notes *notes

	born      found    // of contrary dates of birth
	exclusive bool     // an exclusive identifier in common
	compared  [2]*name // the names that are most alike, nil without any
	doubt     doubt
}

// grounds is what evidence is of, besides its sum.
type grounds struct {
	bare  bool  // all of it is from names
	doubt doubt // what keeps it from deciding for a match
}

func (e *evidence) grounds() grounds { return grounds{e.bare(), e.doubt} }

// notes holds the values that the features of a comparison refer to.
type notes struct {
	names [2]string
	attr  [attrFeatures][2]string
}

func (e *evidence) add(f attrFeature, by float64, left, right string) {
	e.attr[f] += by
	if e.notes != nil && e.notes.attr[f] == ([2]string{}) {
		e.notes.attr[f] = [2]string{left, right}
	}
}

// bare reports whether all evidence is from names.
func (e *evidence) bare() bool { return e.attr == [attrFeatures]float64{} }
