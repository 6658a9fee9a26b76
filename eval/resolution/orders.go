package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"tenure/internal/erdata"
)

// loadOrders is the number of orders in which the records of a set are loaded, unless --limit is lower.
const loadOrders = 100

// ordered is the result of one loading order.
type ordered struct {
	clusters []string // of rows of one entity, by row ids; sorted
	reviews  int
}

// measureOrders loads the same records in many random orders, each into a separate tenant, and counts the
// distinct partitions.
func measureOrders(
	ctx context.Context, w *workshop, s *service, x set, rows []erdata.Record, t *taken,
) (map[string]any, error) {
	rows, _ = named(rows)
	orders := loadOrders
	if w.limit > 0 {
		orders = min(orders, w.limit)
	}
	all := make([]ordered, orders)
	var mu sync.Mutex
	err := each(orders, func(i int) error {
		shuffled := slices.Clone(rows)
		if i > 0 { // the first is the order of the file
			r := rand.New(rand.NewPCG(uint64(i), 17)) //nolint:gosec // no secrecy needed
			r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
		}
		key, err := w.binary.Key(ctx, w.engine.store(x.name), fmt.Sprintf("resolution-%d-%s-%d", os.Getpid(), x.name, i))
		if err != nil {
			return err
		}
		c, err := newClient(s.URL, key)
		if err != nil {
			return err
		}
		var own taken
		roots, err := loadRecords(ctx, &service{client: c}, shuffled, x.name, x.sources, &own)
		if err != nil {
			return err
		}
		all[i] = ordered{clustersOf(shuffled, roots), own.open}
		mu.Lock()
		defer mu.Unlock()
		t.rows += own.rows
		t.load += own.load
		return nil
	})
	if err != nil {
		return nil, err
	}
	return compareOrders(all, w.errors), nil
}

func clustersOf(rows []erdata.Record, roots []string) []string {
	members := map[string][]string{}
	for i, r := range rows {
		members[roots[i]] = append(members[roots[i]], r.ID)
	}
	var list []string
	for _, m := range members {
		slices.Sort(m)
		list = append(list, strings.Join(m, " "))
	}
	slices.Sort(list)
	return list
}

// compareOrders counts the partitions, and the clusters that do not arise in every order. It prints the first
// of these clusters.
func compareOrders(all []ordered, show int) map[string]any {
	partitions, clusters := map[string]int{}, map[string]int{}
	fewest, most := all[0].reviews, all[0].reviews
	for _, o := range all {
		partitions[strings.Join(o.clusters, "\n")]++
		for _, c := range o.clusters {
			clusters[c]++
		}
		fewest, most = min(fewest, o.reviews), max(most, o.reviews)
	}
	commonest, unstable := 0, 0
	for _, n := range partitions {
		commonest = max(commonest, n)
	}
	for _, c := range sortedByCount(clusters) {
		if clusters[c] < len(all) {
			unstable++
			if unstable <= show {
				fmt.Printf("of %d orders, %d: %s\n", len(all), clusters[c], c)
			}
		}
	}
	return map[string]any{
		"orders": float64(len(all)), "partitions": float64(len(partitions)), "commonest": float64(commonest),
		"unstable": float64(unstable), "reviews_least": float64(fewest), "reviews_most": float64(most),
	}
}

func sortedByCount(count map[string]int) []string {
	var list []string
	for k := range count {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return list
}
