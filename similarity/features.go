package similarity

// Evidence is a vector of features: how much of each kind of agreement or
// difference a comparison found. The model gives each a weight in log-odds,
// which for names depends on the class of what is compared.

// nameFeature is a kind of evidence in two names.
type nameFeature uint8

const (
	nameBase            nameFeature = iota // both have a name
	nameInfo                               // how telling the words in common are, first 6 nats, in units of 6
	nameInfoMore                           // the next 6 nats
	nameInfoMost                           // the next 12 nats, in units of 12
	nameEqual                              // the same words in the same order
	nameReordered                          // the same words in another order
	nameShare                              // share of the words' information that is in common
	nameWhole                              // closeness of the letters written together, 0 at half, 1 if equal
	nameSimilarLong                        // words of 7 letters or more that differ in one
	nameSimilar                            // words of 4 to 6 letters that differ in one
	nameSimilarShort                       // shorter words that differ in one
	nameSimilarTwo                         // words of 7 letters or more, or of one sound, that differ in two
	nameSimilarTwoShort                    // shorter words that differ in two
	nameSimilarFar                         // words that differ in more, and in less than half
	nameSound                              // of those, words that sound alike
	nameFirstLetter                        // of those, words whose first letters differ
	nameSwapped                            // of those, words with two neighbours swapped or one doubled
	nameGiven                              // of those, two given names of the table that are not one
	nameGender                             // of those, the name of a man and that of a woman
	nameNickname                           // short forms of one given name
	namePet                                // a short form of a given name that its ending tells
	nameInitial                            // an initial or abbreviation for a word
	nameJoined                             // one word written as two
	nameScript                             // words alike across scripts, by transliteration
	nameConflict                           // words on both sides that nothing answers to, up to 3 pairs
	nameConflictFirst                      // the first words are among them
	nameConflictLast                       // the last words are among them
	nameConflictInfo                       // how telling the lesser of the two leftovers is, in units of 6 nats
	nameConflictClose                      // the closest pair among the leftovers, 0 to 1
	nameSyllable                           // pairs of leftovers that are syllables of Han or Hangul
	nameExtraFirst                         // words that one side has more, at the front
	nameExtraMiddle                        // in the middle
	nameExtraLast                          // at the end
	nameExtraInfo                          // how telling they are, in units of 6 nats, up to 4
	nameOneWord                            // one word in common, and one side has more
	nameSingle                             // both are one word
	nameNothing                            // no word in common
	nameNumberEqual                        // the same numerals
	nameNumberDiffers                      // other numerals
	nameNumberMissing                      // numerals on one side
	nameGeneration                         // father and son by their suffix
	nameGenerationLack                     // a suffix on one side
	nameFormEqual                          // the same company form
	nameFormDiffers                        // another
	nameFormKind                           // a business and an association
	nameCountryMissing                     // a country named on one side
	nameCountryDiffers                     // another country or region
	nameAcronym                            // one is made of the other's initials
	nameFatherSwapped                      // who is child and who is father is swapped
	nameFeatures
)

// attrFeature is a kind of evidence outside names.
type attrFeature uint8

const (
	dateEqual    attrFeature = iota
	dateYear                 // one side tells the year only, and it agrees
	dateSwapped              // day and month swapped
	dateTypo                 // one digit differs
	dateYearTypo             // one digit of the year differs, and the day is not told
	dateSameYear             // only the year agrees, or all but the year
	dateNear                 // years at most two apart
	dateOther                // the same, and another day and month
	dateDiffers
	idEqual   // an identifier that one entity alone has
	idClose   // such identifiers that differ in one or two signs
	idPart    // one is the end of the other
	idDiffers // none in common
	idOther   // none in common of a kind of which one may have several
	emailEqual
	emailShared // a mailbox that many read
	emailLocal  // the same name at another domain
	emailDiffers
	phoneEqual
	phoneLocal // equal without codes of country and area
	phoneDiffers
	addressEqual
	addressClose
	addressPart
	addressDiffers
	houseDiffers // the same street, another number
	postcodeEqual
	postcodeClose // one sign differs
	postcodeArea  // the same outward part
	postcodeDiffers
	genderEqual
	genderDiffers
	countryEqual
	countryDiffers
	numberEqual // years, counts and other numbers
	numberNear  // differ by one
	numberDiffers
	textEqual // any other attribute
	textInfo  // how telling the words in common are, in units of 6 nats
	textClose
	textPart
	textDiffers // one word against one word
	textDiffersLong
	contextEqual
	contextInfo // how telling the words in common are, in units of 6 nats, up to 4
	contextClose
	contextPart
	contextDiffers
	contextNumber // descriptions with different numbers
	contextNames  // the description of one names the other
	bornTogether  // of the same date of birth at the same address, with other first names
	bornOnce      // the same without that
	household     // dwelling, telephone and mailbox in common, one each, with other first names or birth dates
	typeDiffers
	projectSame
	projectDiffers
	neighbourShared // ln(1 + neighbours in common)
	recordSame      // the same row of the same system of record
	recordDiffers   // other rows of one system of record
	attrFeatures
)

// word is how a feature is called and told.
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
	nameGiven:           {"name_given", "two given names, and no short forms of one", -1},
	nameGender:          {"name_gender", "a man's name and a woman's", -1},
	nameNickname:        {"name_nickname", "short forms of one given name", 0},
	namePet:             {"name_pet_form", "a short form of a given name by its ending", -1},
	nameInitial:         {"name_initial", "an initial for a word", -1},
	nameJoined:          {"name_joined", "one word written as two", 0},
	nameScript:          {"name_script", "alike in two scripts", -1},
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
	idPart:          {"identifier_part", "one identifier is the end of the other", 1},
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

// evidence is what one comparison found. With notes it also remembers which
// values it found it in; the features are the same.
type evidence struct {
	class class
	name  [nameFeatures]float64
	attr  [attrFeatures]float64
	notes *notes
}

// notes are the values that the features of a comparison speak of.
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

// bare tells whether nothing but names speaks.
func (e *evidence) bare() bool { return e.attr == [attrFeatures]float64{} }
