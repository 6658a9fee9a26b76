package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenure/registry"
)

// The lines of decision.
const (
	mergeAt = 0.95
	newAt   = 0.70
)

// reportPairs prints the measures of one set, or of all.
func reportPairs(set string, list []scored, knots []registry.Knot) {
	m, err := registry.NewModel(registry.File{Calibration: knots})
	if err != nil {
		fmt.Println(err)
		return
	}
	var s []scored
	for _, x := range list {
		if x.set == set || set == "" {
			x.odds = m.Calibrated(x.odds)
			s = append(s, x)
		}
	}
	if len(s) > 0 {
		fmt.Printf("  %-18s %s\n", cmp.Or(set, "all"), measure(s))
		if slices.Contains(pairSets, set) {
			reportBins(s)
		}
	}
}

func measure(s []scored) string {
	pos, hi, hiTrue, lo, loTrue := 0, 0, 0, 0, 0
	for _, x := range s {
		p := sigmoid(x.odds)
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
	return fmt.Sprintf("n %6d true %6d auc %.4f ece %.4f | at .95 precision %.4f recall %.4f | lost at .70 %.4f | review %.4f",
		len(s), pos, auc(s), ece(s), ratio(hiTrue, hi), ratio(hiTrue, pos), ratio(loTrue, pos), (n-float64(hi)-float64(lo))/n)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

// auc is the chance that a true pair outranks a false one; ties count half.
func auc(s []scored) float64 {
	s = slices.Clone(s)
	slices.SortFunc(s, func(a, b scored) int { return cmp.Compare(a.odds, b.odds) })
	wins, pos, neg := 0.0, 0.0, 0.0
	for i := 0; i < len(s); {
		p, n := 0.0, 0.0
		j := i
		for ; j < len(s) && s[j].odds == s[i].odds; j++ {
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

// ece is the expected calibration error over ten bins.
func ece(s []scored) float64 {
	var n, sum, hit [10]float64
	for _, x := range s {
		p := sigmoid(x.odds)
		b := min(9, int(p*10))
		n[b]++
		sum[b] += p
		if x.match {
			hit[b]++
		}
	}
	out := 0.0
	for b := range n {
		out += math.Abs(hit[b] - sum[b])
	}
	return out / float64(len(s))
}

// reportBins prints, by tenths of the score, how many pairs there are, the mean
// score and the share that matches.
func reportBins(s []scored) {
	var n, sum, hit [10]float64
	for _, x := range s {
		p := sigmoid(x.odds)
		b := min(9, int(p*10))
		n[b]++
		sum[b] += p
		if x.match {
			hit[b]++
		}
	}
	fmt.Print("   ")
	for b := range n {
		fmt.Printf(" %.0f:%.2f/%.2f", n[b], sum[b]/n[b], hit[b]/n[b])
	}
	fmt.Println()
}

// report prints what a model reaches on each set.
func report(d *data, m *registry.Model, only string, errors int) {
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

func reportChosen(set string, pairs []labelled, m *registry.Model, errors int) {
	type miss struct {
		p     labelled
		score float64
	}
	var all, curated []scored
	var misses []miss
	for _, p := range pairs {
		score := m.Score(m.Prepare(p.Left.Profile()), m.Prepare(p.Right.Profile()), registry.EvenPrior())
		s := scored{set, logit(score), p.Match, 1}
		all = append(all, s)
		if p.Group == "nk_checks" || p.Group == "nk_unit_tests" {
			curated = append(curated, s)
		}
		misses = append(misses, miss{p, score})
	}
	fmt.Printf("  %-18s %s\n", set, measure(all))
	if len(curated) > 0 {
		fmt.Printf("  %-18s %s\n", " curated", measure(curated))
	}
	wrong := func(x miss) float64 {
		if x.p.Match {
			return 1 - x.score
		}
		return x.score
	}
	slices.SortStableFunc(misses, func(a, b miss) int { return cmp.Compare(wrong(b), wrong(a)) })
	for _, x := range misses[:min(errors, len(misses))] {
		fmt.Printf("    %.3f %-5v %-8s %q / %q\n", x.score, x.p.Match, x.p.Left.Type, x.p.Left.Name, x.p.Right.Name)
	}
}

func reportQueries(set string, queries []record, b *blocks, m *registry.Model, errors int) {
	rows := make([]*registry.Prepared, len(b.rows))
	for i, r := range b.rows {
		rows[i] = m.Prepare(r.Profile())
	}
	at := map[int]int{}
	known, merges, wrong, reviews := 0, 0, 0, 0
	var shown int
	for _, q := range queries {
		x := m.Prepare(q.Profile())
		type hit struct {
			i     int32
			score float64
		}
		var hits []hit
		for _, i := range b.candidates(q, 50) {
			hits = append(hits, hit{i, m.Score(x, rows[i], m.RegistryPrior())})
		}
		slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
		rank := slices.IndexFunc(hits, func(h hit) bool { return slices.Contains(q.Gold, b.rows[h.i].ID) })
		known += min(len(q.Gold), 1)
		for _, k := range []int{1, 5, 50} {
			if rank >= 0 && rank < k {
				at[k]++
			}
		}
		if len(hits) == 0 {
			continue
		}
		top := hits[0].score
		merge := top >= mergeAt && (len(hits) == 1 || hits[1].score < mergeAt)
		switch {
		case merge:
			merges++
			if rank != 0 || len(q.Gold) > 1 {
				wrong++
			}
		case top > newAt:
			reviews++
		}
		if shown < errors && (merge && (rank != 0 || len(q.Gold) > 1) || len(q.Gold) == 0 && top > newAt) {
			shown++
			fmt.Printf("    %.3f %q -> %q gold %v\n", top, q.Query, b.rows[hits[0].i].Name, q.Gold)
		}
	}
	n := len(queries)
	fmt.Printf("  %-18s n %6d recall @1 %.4f @5 %.4f @50 %.4f | merges %5d wrong %4d | review %.4f\n", set, n,
		ratio(at[1], known), ratio(at[5], known), ratio(at[50], known), merges, wrong, ratio(reviews, n))
}
