package observe

import "github.com/prometheus/client_golang/prometheus"

// method numbers the methods of store.Reader.
type method int

const (
	readReceipts method = iota
	readHistory
	readObservation
	readObservations
	readMentions
	readMentionsOf
	readProposalsOn
	readListObservations
	readEntities
	readAliasesByKey
	readAliasesOf
	readIdentityDecisions
	readIdentityDecisionsOn
	readReviews
	readListReviews
	readOpenReviews
	readSlots
	readSlotsAfter
	readDependents
	readSuperseders
	readAmendments
	readAmendmentsByID
	readBeliefs
	readBeliefsByKey
	readReferring
	readSaying
	readRecent
	readList
	readLive
	readFacts
	readDisplaced
	readDisplacedFacts
	readRelations
	readCases
	readListCases
	readVocabularies
	readTerms
	readListTerms
	readDocuments
	readListDocuments
	readPassages
	readPassagesOf
	readPassagesIn

	readCount
)

// methodNames lists the values of the label method.
var methodNames = [readCount]string{
	readReceipts:            "receipts",
	readHistory:             "history",
	readObservation:         "observation",
	readObservations:        "observations",
	readMentions:            "mentions",
	readMentionsOf:          "mentions_of",
	readProposalsOn:         "proposals_on",
	readListObservations:    "list_observations",
	readEntities:            "entities",
	readAliasesByKey:        "aliases_by_key",
	readAliasesOf:           "aliases_of",
	readIdentityDecisions:   "identity_decisions",
	readIdentityDecisionsOn: "identity_decisions_on",
	readReviews:             "reviews",
	readListReviews:         "list_reviews",
	readOpenReviews:         "open_reviews",
	readSlots:               "slots",
	readSlotsAfter:          "slots_after",
	readDependents:          "dependents",
	readSuperseders:         "superseders",
	readAmendments:          "amendments",
	readAmendmentsByID:      "amendments_by_id",
	readBeliefs:             "beliefs",
	readBeliefsByKey:        "beliefs_by_key",
	readReferring:           "referring",
	readSaying:              "saying",
	readRecent:              "recent",
	readList:                "list",
	readLive:                "live",
	readFacts:               "facts",
	readDisplaced:           "displaced",
	readDisplacedFacts:      "displaced_facts",
	readRelations:           "relations",
	readCases:               "cases",
	readListCases:           "list_cases",
	readVocabularies:        "vocabularies",
	readTerms:               "terms",
	readListTerms:           "list_terms",
	readDocuments:           "documents",
	readListDocuments:       "list_documents",
	readPassages:            "passages",
	readPassagesOf:          "passages_of",
	readPassagesIn:          "passages_in",
}

// spanNames lists the span names of the methods, built once.
var spanNames = func() (names [readCount]string) {
	for m, name := range methodNames {
		names[m] = "store." + name
	}
	return names
}()

// reads holds the histogram of each method, resolved once: resolving a label costs a map look-up.
type reads [readCount]prometheus.Observer

func newReads(seconds *prometheus.HistogramVec) *reads {
	var r reads
	for m, name := range methodNames {
		r[m] = seconds.WithLabelValues(name)
	}
	return &r
}
