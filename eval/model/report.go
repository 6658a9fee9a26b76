package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tenure/similarity"
)

// The decision thresholds.
const (
	mergeAt = 0.95
	newAt   = 0.70
)

// reportCrossValidated prints the measures of each set and of all sets, each pair scored by a model that did
// not see its fold.
func reportCrossValidated(sets []string, all []scored, errors int) {
	fmt.Println("cross-validated, by pairs:")
	one := func(title string, keep func(*scored) bool) []scored {
		var s []scored
		for i := range all {
			if keep(&all[i]) {
				s = append(s, all[i])
			}
		}
		if len(s) > 0 {
			fmt.Printf("  %-18s %s\n", title, measure(s))
		}
		return s
	}
	for _, set := range sets {
		s := one(set, func(x *scored) bool { return x.set == set })
		if slices.Contains(pairSets, set) {
			reportBins(s)
			if set == "namebench" {
				one(" curated", func(x *scored) bool { return x.set == set && curated(x.pair) })
			}
			showWorst(s, errors)
		}
	}
	one("chosen pairs", func(x *scored) bool { return x.pair != nil })
	one("all", func(*scored) bool { return true })
}

// curated reports whether a pair of namebench was curated by people.
func curated(p *labelled) bool { return p.Group == "nk_checks" || p.Group == "nk_unit_tests" }

func showWorst(s []scored, n int) {
	wrong := func(x scored) float64 {
		if x.match {
			return -x.calibrated
		}
		return x.calibrated
	}
	s = slices.Clone(s)
	slices.SortStableFunc(s, func(a, b scored) int { return cmp.Compare(wrong(b), wrong(a)) })
	for _, x := range s[:min(n, len(s))] {
		p := x.pair
		fmt.Printf("    %.3f %-5v %-8s %-6.6s %-6s %q / %q\n          %s\n", sigmoid(x.calibrated), x.match, p.Left.Type,
			p.Group, p.Quality, p.Left.Name, p.Right.Name, x.why)
	}
}

func measure(s []scored) string {
	pos, hi, hiTrue, lo, loTrue := 0, 0, 0, 0, 0
	for _, x := range s {
		p := sigmoid(x.calibrated)
		if x.match {
			pos++
		}
		if p >= mergeAt {
			hi++
			if x.match {
				hiTrue++
			}
		}
		if p <= newAt {
			lo++
			if x.match {
				loTrue++
			}
		}
	}
	n := float64(len(s))
	return fmt.Sprintf("n %6d true %6d auc %.4f ece %.4f (by chance %.4f) | at .95 precision %.4f recall %.4f | lost at .70 %.4f | review %.4f",
		len(s), pos, auc(s), ece(s), chance(s), ratio(hiTrue, hi), ratio(hiTrue, pos), ratio(loTrue, pos),
		(n-float64(hi)-float64(lo))/n)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

// auc returns the probability that a true pair outranks a false one; ties count half.
func auc(s []scored) float64 {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b scored) int { return cmp.Compare(a.calibrated, b.calibrated) })
	wins, pos, neg := 0.0, 0.0, 0.0
	for i := 0; i < len(s); {
		p, n := 0.0, 0.0
		j := i
		for ; j < len(s) && s[j].calibrated == s[i].calibrated; j++ {
			if s[j].match {
				p++
			} else {
				n++
			}
		}
		wins += p*neg + p*n/2
		pos, neg, i = pos+p, neg+n, j
	}
	return wins / (pos * neg)
}

// bins returns, by tenths of the score, the number of pairs, the sum of their scores and the number of matches.
func bins(s []scored) (n, sum, hit [10]float64) {
	for _, x := range s {
		p := sigmoid(x.calibrated)
		b := min(9, int(p*10))
		n[b]++
		sum[b] += p
		if x.match {
			hit[b]++
		}
	}
	return n, sum, hit
}

// ece returns the expected calibration error over ten bins.
func ece(s []scored) float64 {
	_, sum, hit := bins(s)
	out := 0.0
	for b := range sum {
		out += math.Abs(hit[b] - sum[b])
	}
	return out / float64(len(s))
}

// chance returns the 95th percentile of the calibration error of perfectly calibrated scores, by simulation:
// matches are drawn with the scores as probabilities.
func chance(s []scored) float64 {
	draws := 400
	if len(s) > 5000 {
		draws = 40
	}
	r := rand.New(rand.NewPCG(2, uint64(len(s)))) //nolint:gosec // G404: the same numbers every time are the point
	drawn := slices.Clone(s)
	errors := make([]float64, draws)
	for k := range errors {
		for i := range drawn {
			drawn[i].match = r.Float64() < sigmoid(drawn[i].calibrated)
		}
		errors[k] = ece(drawn)
	}
	slices.Sort(errors)
	return errors[draws*95/100]
}

// reportBins prints, by tenths of the score, the number of pairs, the mean score and the share of matches.
func reportBins(s []scored) {
	n, sum, hit := bins(s)
	fmt.Print("   ")
	for b := range n {
		fmt.Printf(" %.0f:%.2f/%.2f", n[b], sum[b]/n[b], hit[b]/n[b])
	}
	fmt.Println()
}

// report prints the measures of a model on each set.
func report(d *data, m *similarity.Model, only string, errors int) {
	fmt.Println("\npairs, even prior, in sample:")
	for _, set := range pairSets {
		if only != "" && only != set {
			continue
		}
		reportChosen(set, d.pairs[set], m, errors)
	}
	fmt.Println("\nrecords, clusters of links at .95:")
	for _, set := range recordSets {
		if only != "" && only != set {
			continue
		}
		reportRecords(set, d.records[set], m, errors)
	}
	fmt.Println("\nqueries:")
	ofac, un, aliases := newBlocks(d.ofac), newBlocks(d.un), newBlocks(d.aliases)
	for _, set := range slices.Sorted(mapKeys(querySets)) {
		if only != "" && only != set {
			continue
		}
		b := ofac
		switch set {
		case "yente_un":
			b = un
		case "ofac_ambiguous":
			b = aliases
		}
		reportQueries(set, d.queries[set], b, m, errors)
	}
}

func reportChosen(set string, pairs []labelled, m *similarity.Model, errors int) {
	var all, part []scored
	for _, p := range pairs {
		l, r := m.Prepare(p.Left.Profile()), m.Prepare(p.Right.Profile())
		c := m.Compare(l, r, similarity.EvenPrior())
		s := scored{set: set, pair: &p, calibrated: c.LogOdds, match: p.Match, why: told(c)}
		all = append(all, s)
		if curated(&p) {
			part = append(part, s)
		}
	}
	fmt.Printf("  %-18s %s\n", set, measure(all))
	if len(part) > 0 {
		fmt.Printf("  %-18s %s\n", " curated", measure(part))
	}
	showWorst(all, errors)
}

func told(c similarity.Comparison) string {
	var b strings.Builder
	for _, x := range c.Contributions {
		fmt.Fprintf(&b, " %s %+.1f", strings.TrimPrefix(x.Feature, "name_"), x.LogOdds)
	}
	return b.String()
}

func reportQueries(set string, queries []record, b *blocks, m *similarity.Model, errors int) {
	rows := make([]*similarity.Prepared, len(b.rows))
	for i, r := range b.rows {
		rows[i] = m.Prepare(r.Profile())
	}
	r := queryReport{at: map[int]int{}}
	shown := 0
	for _, q := range queries {
		x := m.Prepare(q.Profile())
		var hits []hit
		for _, i := range b.candidates(q, 50) {
			hits = append(hits, hit{b.rows[i], m.Score(x, rows[i], m.RegistryPrior())})
		}
		slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
		if r.add(q, hits) && shown < errors {
			shown++
			fmt.Printf("    %.3f %q -> %q gold %v\n", hits[0].score, q.Query, hits[0].row.Name, q.Gold)
		}
	}
	n := len(queries)
	fmt.Printf("  %-18s n %6d recall @1 %.4f @5 %.4f @50 %.4f | merges %5d wrong %4d | review %.4f\n", set, n,
		ratio(r.at[1], r.known), ratio(r.at[5], r.known), ratio(r.at[50], r.known), r.merges, r.wrong, ratio(r.reviews, n))
}

// hit is a row that a query may mean, with its score.
type hit struct {
	row   record
	score float64
}

// queryReport counts the results of queries. at counts the queries with a right row among the first so many hits,
// known those that have one at all.
type queryReport struct {
	at                            map[int]int
	known, merges, wrong, reviews int
}

// add counts the hits of a query, the best first, and reports whether their decision is wrong.
func (r *queryReport) add(q record, hits []hit) bool {
	rank := slices.IndexFunc(hits, func(h hit) bool { return slices.Contains(q.Gold, h.row.ID) })
	r.known += min(len(q.Gold), 1)
	for _, k := range []int{1, 5, 50} {
		if rank >= 0 && rank < k {
			r.at[k]++
		}
	}
	if len(hits) == 0 {
		return false
	}
	top := hits[0].score
	if top >= mergeAt && (len(hits) == 1 || hits[1].score < mergeAt) {
		r.merges++
		if rank != 0 || len(q.Gold) > 1 {
			r.wrong++
			return true
		}
	} else if top > newAt {
		r.reviews++
	}
	return len(q.Gold) == 0 && top > newAt
}
