package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tenure/internal/erdata"
)

// ordered is the result of one loading order.
type ordered struct {
	clusters []string // of rows of one entity, by row ids; sorted
	reviews  int
}

// road loads rows into the tenant of a key and returns the canonical entity of each.
type road func(ctx context.Context, key, tenant string, rows []erdata.Record, own *taken) ([]string, error)

// measureOrders loads the same records in many random orders, each into a separate tenant, by batch and by import in
// turn, and counts the distinct partitions.
func measureOrders(
	ctx context.Context, w *workshop, s *service, x set, rows []erdata.Record, t *taken,
) (map[string]any, error) {
	rows, _ = identified(rows)
	if x.first > 0 {
		rows = rows[:min(len(rows), x.first)]
	}
	count := x.loads
	if w.limit > 0 {
		count = min(count, w.limit)
	}
	roads := roadsOf(w, s, x)
	all := make([]ordered, count)
	var mu sync.Mutex
	err := each(count, func(i int) error {
		shuffled := slices.Clone(rows)
		if i > 0 { // the first is the order of the file
			r := rand.New(rand.NewPCG(uint64(i), 17)) //nolint:gosec // no secrecy needed
			r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
		}
		tenant := fmt.Sprintf("resolution-%d-%s-%d", os.Getpid(), x.name, i)
		key, err := w.binary.Key(ctx, w.engine.store(x.name), tenant)
		if err != nil {
			return err
		}
		var own taken
		roots, err := roads[i%len(roads)](ctx, key, tenant, shuffled, &own)
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
	result := compareOrders(all, w.errors)
	result["imported"] = float64(count / len(roads))
	return result, nil
}

// roadsOf returns the ways in which the rows of a set are loaded: by batch and by import.
func roadsOf(w *workshop, s *service, x set) []road {
	return []road{
		func(ctx context.Context, key, _ string, rows []erdata.Record, own *taken) ([]string, error) {
			c, err := newClient(s.URL, key)
			if err != nil {
				return nil, err
			}
			return loadRecords(ctx, &service{client: c}, rows, x.name, x.sources, own)
		},
		func(ctx context.Context, key, tenant string, rows []erdata.Record, own *taken) ([]string, error) {
			c, err := newClient(s.URL, key)
			if err != nil {
				return nil, err
			}
			return importRecords(ctx, w, c, x.name, tenant, rows, own)
		},
	}
}

// importRecords imports rows into a tenant with the command of the server.
func importRecords(
	ctx context.Context, w *workshop, c *client, name, tenant string, rows []erdata.Record, own *taken,
) ([]string, error) {
	dir, err := os.MkdirTemp(w.dir, "import")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "rows.jsonl")
	if err := writeLines(file, rows); err != nil {
		return nil, err
	}
	began := time.Now()
	out, log, err := w.binary.Run(ctx, "import", "--store", w.engine.store(name), "--tenant", tenant, "--source", name,
		"--ignore", "i,query,cluster,group,gold", file)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, log)
	}
	own.rows, own.load = len(rows), time.Since(began)
	roots, err := importedAs(out, rows)
	if err != nil {
		return nil, err
	}
	reviews, err := c.openReviews(ctx)
	own.open, own.reasons = sumOf(reviews)
	return roots, err
}

// importedAs returns the entity of each row from the output of an import.
func importedAs(out string, rows []erdata.Record) ([]string, error) {
	of := map[string]string{}
	for line := range strings.Lines(out) {
		var m struct {
			Record struct{ ID string } `json:"record"`
			Entity string              `json:"entity_id"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		of[m.Record.ID] = m.Entity
	}
	list := make([]string, len(rows))
	for i, r := range rows {
		if list[i] = of[r.ID]; list[i] == "" {
			return nil, fmt.Errorf("the row %s is not there", r.ID)
		}
	}
	return list, nil
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
