package main

import (
	"cmp"
	"fmt"
	"maps"
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

// reportGap prints the measures of each set, seen and left out with its family, and of both together.
func reportGap(seen, unseen []scored, o options) {
	fmt.Println("seen (cross-validated: the model learned from the rest of the set) and left out (it learned from no set of the family):")
	for _, s := range sources {
		if !s.learned() && s.form != ordinary || o.set != "" && o.set != s.name {
			continue
		}
		of := func(x scored) bool { return x.source.name == s.name }
		fmt.Printf("  %-18s seen     %s\n", s.name, measure(only(seen, of)))
		left := only(unseen, of)
		fmt.Printf("  %-18s left out %s\n", "", measure(left))
		if s.form == curated {
			reportBins(left)
		}
		if s.name == "namebench" {
			fmt.Printf("  %-18s seen     %s\n", " curated", measure(only(seen, byHand)))
			fmt.Printf("  %-18s left out %s\n", "", measure(only(unseen, byHand)))
		}
		if s.name == "translit_pairs" {
			reportGroups(left)
		}
		showWorst(left, o.errors)
	}
	learned := func(x scored) bool { return x.source.learned() }
	fmt.Printf("  %-18s seen     %s\n", "all", measure(only(seen, learned)))
	fmt.Printf("  %-18s left out %s\n", "", measure(only(unseen, learned)))
	reportBins(only(unseen, learned))
	fmt.Printf("  %-18s left out %s\n", "all pairs", measure(only(unseen, func(x scored) bool { return x.pair != nil })))
	reportBins(only(unseen, func(x scored) bool { return x.pair != nil }))
}

func only(list []scored, keep func(scored) bool) (out []scored) {
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// reportGroups prints the measures of each group of a set.
func reportGroups(s []scored) {
	groups := map[string]bool{}
	for _, x := range s {
		groups[x.pair.Group] = true
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		fmt.Printf("  %-18s left out %s\n", " "+g, measure(only(s, func(x scored) bool { return x.pair.Group == g })))
	}
}

// byHand reports whether a pair of namebench was written by people.
func byHand(x scored) bool {
	return x.source.name == "namebench" && (x.pair.Group == "nk_checks" || x.pair.Group == "nk_unit_tests")
}

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
		if p == nil {
			return
		}
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

// report prints the measures of a model on each set. They are of sets that it learned from.
func report(d *data, m *similarity.Model, o options) {
	registries := map[string]*blocks{}
	for _, s := range sources {
		switch {
		case o.set != "" && o.set != s.name:
		case s.form == records:
			reportRecords(s, d.rows[s.name], m, o.errors)
		case s.form == queries:
			if registries[s.registry] == nil {
				registries[s.registry] = newBlocks(d.rows[s.registry])
			}
			reportQueries(s.name, d.rows[s.name], registries[s.registry], m, o.errors)
		default:
			reportPairs(s, d.pairs[s.name], m, o.errors)
		}
	}
}

func reportPairs(s source, all []labelled, m *similarity.Model, errors int) {
	var list []scored
	for i := range all {
		p := &all[i]
		c := m.Compare(m.Prepare(p.Left.Profile()), m.Prepare(p.Right.Profile()), similarity.EvenPrior())
		list = append(list, scored{source: s, pair: p, calibrated: c.LogOdds, match: p.Match, why: told(c)})
	}
	fmt.Printf("  %-18s %s\n", s.name, measure(list))
	if part := only(list, byHand); len(part) > 0 {
		fmt.Printf("  %-18s %s\n", " curated", measure(part))
	}
	showWorst(list, errors)
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
