package main

import "slices"

// kind is how a set is queried and scored.
type kind string

const (
	pairs   kind = "pairs"
	records kind = "records"
	queries kind = "queries"
	orders  kind = "orders"   // records, loaded in many orders
	stories kind = "ordinary" // pairs and stories, each told to a tenant of its own
	scale   kind = "scale"    // no data set: generated names
)

// set is one benchmark: its rows, the registry that is loaded beforehand, and the figures to print.
type set struct {
	name     string
	kind     kind
	gold     string   // file below the data's er/, without its ending
	groups   []string // only rows of these
	registry string   // what queries are run against
	ranked   int      // how many candidates are asked for
	cross    bool     // count pairs of two sources only
	sources  []string // the deduplicated sources among those of its records
	bare     bool     // leave out the descriptions
	loads    int      // how many orders, unless --limit is lower
	first    int      // only the first rows, 0 for all
	figures  []figure
}

// figure is a measure of the referee (key), with the best result of a peer on this half of the data, and the
// floor.
type figure struct {
	key, title string
	peer       string
	floor      *floor
}

type floor struct {
	value   float64
	atLeast bool
}

func least(v float64) *floor { return &floor{v, true} }
func most(v float64) *floor  { return &floor{v, false} }

func (f *floor) met(v float64) bool {
	if f.atLeast {
		return v >= f.value
	}
	return v <= f.value
}

func bands(precision, recall, review, falseBelow, ece string) []figure {
	return []figure{
		{"hi_precision", "precision at >= .95", precision, nil},
		{"hi_recall", "recall at >= .95", recall, nil},
		{"between_share", "review share", review, nil},
		{"lo_share_false", "share false at <= .70", falseBelow, nil},
		{"lo_lost_true", "true pairs at <= .70", "", nil},
		{"ece", "calibration error", ece, nil},
	}
}

func clustered(p, r, f1 string, precision, f *floor) []figure {
	return []figure{
		{"precision", "precision", p, precision}, {"recall", "recall", r, nil}, {"f1", "F1", f1, f},
		{"largest_pred", "largest cluster", "", nil},
	}
}

func decided(merges *floor) []figure {
	return []figure{
		{"auto_merge", "automatic merges", "", merges}, {"auto_merge_wrong", "wrong ones", "", nil},
		{"review_share", "review share", "", nil},
	}
}

func found(r1, r5, r50 string, f1, f50 *floor) []figure {
	return []figure{
		{"recall@1", "recall@1", r1, f1}, {"recall@5", "recall@5", r5, nil}, {"recall@50", "recall@50", r50, f50},
	}
}

// shuffled returns a set of records, or the first of them, that is loaded in many orders.
func shuffled(name, gold string, loads, first int, partitions *floor) set {
	return set{name: name, kind: orders, gold: gold, loads: loads, first: first, figures: []figure{
		{"orders", "load orders", "", nil}, {"imported", "of these by import", "", nil},
		{"partitions", "different partitions", "", partitions},
		{"commonest", "orders with the commonest", "", nil}, {"unstable", "clusters not in all", "", nil},
		{"reviews_least", "reviews, fewest", "", nil}, {"reviews_most", "reviews, most", "", nil},
	}}
}

// negatives returns a set without any correct match: every merge is an error.
func negatives(name string) set {
	return set{
		name: "yente_negatives_" + name, kind: queries, gold: "yente_negatives/" + name + "_dev", registry: "ofac/registry",
		ranked: 1,
		figures: []figure{
			{"auto_merge", "automatic merges", "0 logic-v2", most(0)},
			{"review_share", "review share", ".001-.003 logic-v2", nil},
		},
	}
}

// sets lists all sets, grouped by registry. The figures of peers are from README.md of the data, measured
// there on the same half (2026-11-21, two cores, one process).
func sets() []set { return slices.Concat(pairSets(), recordSets(), querySets()) }

func pairSets() []set {
	return []set{
		{name: "namebench", kind: pairs, gold: "namebench/dev", figures: append(
			[]figure{{"auc", "AUC", ".843 logic-v2", least(.93)}},
			bands(".908 logic-v2", ".581 name-based", ".423 logic-v2", ".791 logic-v2", ".196 logic-v1")...)},
		{name: "namebench_curated", kind: pairs, gold: "namebench/dev", groups: []string{"nk_checks", "nk_unit_tests"}, figures: append(
			[]figure{{"auc", "AUC", ".950 logic-v2", least(.97)}}, bands("", "", "", "", "")...)},
		{name: "entity_checks", kind: pairs, gold: "entity_checks/dev", figures: append(
			[]figure{{"auc", "AUC", ".926 logic-v2", least(.97)}}, bands("", "", "", "", "")...)},
		{name: "translit_pairs", kind: pairs, gold: "translit_pairs/dev", figures: append(
			[]figure{{"auc", "AUC", ".784 logic-v2", least(.92)}}, bands("1.000 logic-v2", ".099 logic-v2", "", "", "")...)},
		{name: "org_aliases", kind: pairs, gold: "org_aliases/dev", figures: append(
			[]figure{{"auc", "AUC", ".753 logic-v2", least(.82)}}, bands("", "", "", "", "")...)},
		{name: "abt_buy", kind: pairs, gold: "abt_buy/dev", figures: append(
			[]figure{{"auc", "AUC", ".821 name-based", least(.90)}}, bands("", "", "", "", "")...)},
		{name: "amazon_google", kind: pairs, gold: "amazon_google/dev", figures: append(
			[]figure{{"auc", "AUC", ".873 name-based", least(.89)}}, bands("", "", "", "", "")...)},
	}
}

func recordSets() []set {
	return []set{
		{name: "senzing_truthset", kind: records, gold: "senzing_truthset/dev",
			figures: clustered("", "", ".604 logic-v2", least(.95), least(.96))},
		shuffled("senzing_orders", "senzing_truthset/dev", 100, 0, most(1)),
		shuffled("er_kg_bench_orders", "er_kg_bench/dev", 48, 0, most(1)),
		shuffled("er_kg_ghsuite_orders", "er_kg_ghsuite/dev", 48, 0, most(1)),
		shuffled("restaurants_orders", "restaurants/dev", 12, 0, most(1)),
		shuffled("febrl3_orders", "febrl3/dev", 4, 2000, most(1)),
		shuffled("historical_orders", "historical_50k/dev", 4, 2000, nil),
		{name: "ordinary", kind: stories, gold: "ordinary/dev", figures: []figure{
			{"compare_merges", "automatic merges by compare", "", nil}, {"compare_wrong", "wrong ones", "", most(0)},
			{"compare_recall", "recall by compare", "", nil},
			{"registry_merges", "automatic merges in a registry of one", "", nil}, {"registry_wrong", "wrong ones", "", most(0)},
			{"registry_recall", "recall in a registry of one", "", nil},
			{"must_merge", "steps that are to merge", "", nil}, {"must_merge_met", "merged or asked", "", nil},
			{"must_merge_auto", "merged", "", nil}, {"stories_wrong", "wrong merges in stories", "", most(0)},
		}},
		{name: "er_kg_bench", kind: records, gold: "er_kg_bench/dev",
			figures: clustered(".850 GoldenMatch", ".481 GoldenMatch", ".615 GoldenMatch", least(.95), least(.85))},
		{name: "er_kg_ghsuite", kind: records, gold: "er_kg_ghsuite/dev",
			figures: clustered("", "", ".697 GoldenMatch", nil, least(.80))},
		{name: "er_kg_bench_names", kind: records, gold: "er_kg_bench/dev", bare: true,
			figures: clustered("", "", ".55 GoldenMatch", nil, nil)},
		{name: "er_kg_ghsuite_names", kind: records, gold: "er_kg_ghsuite/dev", bare: true,
			figures: clustered("", "", ".75 GoldenMatch", nil, nil)},
		// The slips of this set give one person several given names at one address, and other dates of birth at one
		// number: twins, households and contrary dates are what the service keeps apart (ADR 51 and 57).
		{name: "febrl3", kind: records, gold: "febrl3/dev",
			figures: clustered("", "", ".9998 recordlinkage", nil, least(.985))},
		{name: "dblp_acm", kind: records, gold: "dblp_acm/dev", cross: true, sources: []string{"dblp", "acm"},
			figures: clustered("", "", ".976 GoldenMatch", nil, least(.98))},
		{name: "restaurants", kind: records, gold: "restaurants/dev", cross: true, sources: []string{"fodors", "zagats"},
			figures: clustered("", "", ".983 same phone digits", nil, least(.98))},
		{name: "historical_50k", kind: records, gold: "historical_50k/dev",
			figures: clustered(".949 Splink", ".778 Splink", ".855 Splink", least(.97), least(.88))},
	}
}

func querySets() []set {
	return []set{
		{name: "ofac", kind: queries, gold: "ofac/dev", registry: "ofac/registry", ranked: 50, figures: append(
			found(".574 character n-grams", ".711 character n-grams", ".812 character n-grams", least(.62), least(.80)),
			decided(nil)...)},
		negatives("global"), negatives("us"), negatives("congress"),
		{name: "ofac_ambiguous", kind: queries, gold: "ofac/ambiguous_dev", registry: "ofac/registry_aliases", ranked: 50, figures: []figure{
			{"auto_merge", "automatic merges", "0 exact, token_sort", most(0)}, {"review_share", "review share", "", nil},
			{"all_gold@50", "all aliases in 50", "", nil},
		}},
		{name: "yente_un", kind: queries, gold: "yente_un/dev", registry: "yente_un/registry", ranked: 50, figures: append(
			found(".997 logic-v2", "", "", least(.997), nil), decided(nil)...)},
		{name: "translit_queries", kind: queries, gold: "translit_queries/dev", registry: "translit_queries/registry", ranked: 50,
			figures: append(found(".285 character n-grams", ".417 character n-grams", ".661 character n-grams", least(.60), least(.85)),
				decided(nil)...)},
		{name: "aliases_100k", kind: scale, figures: []figure{
			{"p50_ms", "resolve p50, ms", "", most(3)}, {"p99_ms", "resolve p99, ms", "", most(15)},
			{"rss_mb", "resident memory, MB", "", most(400)}, {"found", "found in 5, one typo", "", nil},
		}},
	}
}
