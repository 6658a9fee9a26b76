// Command translit measures how names of people in other scripts are recognised against Latin spellings, on the sets
// translit_pairs and translit_queries, which no model learns from: how well a comparison separates the pairs, by script,
// and at which rank the index and the comparison together find the right name.
//
//	go run ./eval/translit [-data FOLDER] [-half odd|even] [-errors N]
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tenure"
	"tenure/index"
	"tenure/internal/names"
	"tenure/registry"
	"tenure/similarity"
	"tenure/text/phonetic"
)

// named is a side of a pair, or a row of a registry.
type named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

type pair struct {
	ID    string `json:"i"`
	Left  named  `json:"left"`
	Right named  `json:"right"`
	Match bool   `json:"match"`
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

type query struct {
	ID    string   `json:"i"`
	Query string   `json:"query"`
	Type  string   `json:"type"`
	Gold  []string `json:"gold"`
	Group string   `json:"group"`
}

func main() {
	data := flag.String("data", cmp.Or(os.Getenv("TENURE_DATA"), "../shared/data"), "folder of the data sets")
	half := flag.String("half", "", "odd or even: only the rows of that half, by hash of their id")
	failures := flag.Int("errors", 0, "how many of the worst pairs of each script to show")
	only := flag.String("only", "", "pairs or queries: only those")
	more := flag.Int("more", 0, "how many generated names the registry has besides its own")
	flag.Parse()
	h := halves{*half}
	if *only != "queries" {
		if err := comparePairs(*data, h, *failures); err != nil {
			log.Fatal(err)
		}
	}
	if *only != "pairs" {
		if err := askQueries(context.Background(), *data, h, *more, *failures); err != nil {
			log.Fatal(err)
		}
	}
}

// halves chooses rows, so that a rule found on one half is judged on the other.
type halves struct{ which string }

func (h halves) has(id string) bool {
	f := fnv.New32a()
	_, _ = f.Write([]byte(id))
	odd := f.Sum32()>>7&1 == 1
	return h.which == "" || odd == (h.which == "odd")
}

func read[T any](path string) (list []T, err error) {
	f, err := os.Open(path) //nolint:gosec // G703: the operator's own folder
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, row)
	}
	return list, lines.Err()
}

// scored is a pair with its score and with the closeness of its sounds alone.
type scored struct {
	pair

	model, sound float64
}

func comparePairs(data string, h halves, failures int) error {
	rows, err := read[pair](filepath.Join(data, "er", "translit_pairs", "dev.jsonl.gz"))
	if err != nil {
		return err
	}
	m := similarity.DefaultModel()
	byScript := map[string][]scored{}
	for _, p := range rows {
		if !h.has(p.ID) {
			continue
		}
		l, r := m.Prepare(profile(p.Left)), m.Prepare(profile(p.Right))
		s := scored{p, m.Compare(l, r, similarity.EvenPrior()).Score, soundOf(p.Left.Name, p.Right.Name)}
		byScript[p.Group] = append(byScript[p.Group], s)
		byScript["all"] = append(byScript["all"], s)
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "PAIRS\tROWS\tAUC OF THE MODEL\tOF SOUND ALONE\tSCORES >= .95\tOF THEM RIGHT")
	for _, script := range scripts(byScript) {
		list := byScript[script]
		sure, right := 0, 0
		for _, s := range list {
			if s.model >= similarity.MergeAt {
				sure++
				if s.Match {
					right++
				}
			}
		}
		fmt.Fprintf(out, "%s\t%d\t%.3f\t%.3f\t%d\t%d\n", script, len(list),
			auc(list, func(s scored) float64 { return s.model }), auc(list, func(s scored) float64 { return s.sound }),
			sure, right)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, script := range scripts(byScript) {
		if script != "all" {
			showWorst(byScript[script], failures)
		}
	}
	return nil
}

func profile(n named) similarity.Profile {
	return similarity.Profile{Names: []string{n.Name}, Type: n.Type}
}

// soundOf is the closeness of two names by their sounds alone, without frequencies or weights.
func soundOf(l, r string) float64 { return phonetic.Names(l, r) }

func scripts[T any](by map[string]T) []string {
	list := make([]string, 0, len(by))
	for s := range by {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b string) int { // all comes last
		if (a == "all") != (b == "all") {
			return cmp.Compare(strings.Count(a, "all"), strings.Count(b, "all"))
		}
		return strings.Compare(a, b)
	})
	return list
}

// auc is the probability that a true pair scores higher than a false one; equal scores count half.
func auc(list []scored, by func(scored) float64) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b scored) int { return cmp.Compare(by(a), by(b)) })
	wins, below, positives, negatives := 0.0, 0, 0, 0
	for i := 0; i < len(list); {
		j, yes := i, 0
		for ; j < len(list) && by(list[j]) == by(list[i]); j++ {
			if list[j].Match {
				yes++
			}
		}
		no := j - i - yes
		wins += float64(yes) * (float64(below) + float64(no)/2)
		below, positives, negatives = below+no, positives+yes, negatives+no
		i = j
	}
	return wins / float64(max(positives, 1)) / float64(max(negatives, 1))
}

// showWorst shows the true pairs of the lowest scores and the false ones of the highest.
func showWorst(list []scored, n int) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.sound, b.sound))
	})
	show := func(want bool) {
		left := n
		for _, s := range list {
			if left > 0 && s.Match == want {
				fmt.Printf("  %.3f %.2f %v %s | %s\n", s.model, s.sound, s.Match, s.Left.Name, s.Right.Name)
				left--
			}
		}
	}
	show(true)
	slices.Reverse(list)
	show(false)
}

const tenant = "translit"

// proposed is how many candidates the index is asked for.
const proposed = 50

// ranks counts at which rank the right names were found.
type ranks struct {
	asked, first, five, early, proposed int

	took time.Duration
}

func askQueries(ctx context.Context, data string, h halves, more, failures int) error {
	folder := filepath.Join(data, "er", "translit_queries")
	rows, err := read[named](filepath.Join(folder, "registry.jsonl.gz"))
	if err != nil {
		return err
	}
	queries, err := read[query](filepath.Join(folder, "dev.jsonl.gz"))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "translit-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	x, err := index.Open(dir, index.Config{})
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	f := &finder{index: x, model: similarity.DefaultModel(), known: map[tenure.ID]*similarity.Prepared{}}
	namer := names.New(1)
	for i := range more {
		rows = append(rows, named{ID: fmt.Sprintf("generated%d", i), Name: namer.Name(), Type: "person"})
	}
	f.fill(rows)
	found := map[string]*ranks{}
	for _, q := range queries {
		if !h.has(q.ID) {
			continue
		}
		rank, early, took, err := f.rank(ctx, q)
		if err != nil {
			return err
		}
		if rank < 0 && failures > 0 {
			fmt.Printf("  not proposed: %s | %s\n", q.Query, f.names[tenure.ID(q.Gold[0])])
		}
		for _, script := range []string{q.Group, "all"} {
			if found[script] == nil {
				found[script] = &ranks{}
			}
			found[script].count(rank, early, took)
		}
	}
	return report(found)
}

func report(found map[string]*ranks) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "QUERIES\tASKED\tRECALL@1\t@5\t@50\tSEEN BY A WRITE\tTIME OF THE INDEX")
	for _, script := range scripts(found) {
		r := found[script]
		share := func(n int) float64 { return float64(n) / float64(r.asked) }
		fmt.Fprintf(out, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%s\n", script, r.asked, share(r.first), share(r.five), share(r.proposed), share(r.early),
			(r.took / time.Duration(r.asked)).Round(time.Microsecond))
	}
	return out.Flush()
}

func (r *ranks) count(rank int, early bool, took time.Duration) {
	r.asked++
	r.took += took
	if rank == 0 {
		r.first++
	}
	if rank >= 0 && rank < 5 {
		r.five++
	}
	if early {
		r.early++
	}
	if rank >= 0 {
		r.proposed++
	}
}

// finder finds names as resolution does: the index proposes, the comparison ranks.
type finder struct {
	index *index.Index
	model *similarity.Model
	known map[tenure.ID]*similarity.Prepared
	names map[tenure.ID]string
}

func (f *finder) fill(rows []named) {
	f.names = map[tenure.ID]string{}
	for i, r := range rows {
		id := tenure.ID(r.ID)
		f.index.Add(tenant, tenure.Seq(i+1), []tenure.Change{
			tenure.EntityPut{Entity: tenure.Entity{ID: id, Name: r.Name, Type: r.Type}},
			tenure.AliasAdded{Alias: tenure.Alias{
				Entity: id, Type: r.Type, Spelling: r.Name, Key: tenure.AliasKey{Kind: tenure.NameAlias, Key: r.Name},
			}},
		})
		f.known[id], f.names[id] = f.model.Prepare(profile(r)), r.Name
	}
}

// rank returns at which place the right name stands among the candidates of a query, -1 if it is not among them.
// It is early if a write would see it, which takes fewer candidates.
func (f *finder) rank(ctx context.Context, q query) (rank int, early bool, took time.Duration, err error) {
	begun := time.Now()
	ids, err := f.index.Candidates(ctx, tenant, index.Query{
		Names: []string{q.Query}, Types: []string{q.Type}, Limit: proposed,
	})
	if err != nil {
		return 0, false, 0, err
	}
	took = time.Since(begun)
	right := func(id tenure.ID) bool { return slices.Contains(q.Gold, string(id)) }
	early = slices.ContainsFunc(ids[:min(len(ids), registry.MaxBlockedCandidates)], right)
	asked := f.model.Prepare(similarity.Profile{Names: []string{q.Query}, Type: q.Type})
	odds := make(map[tenure.ID]float64, len(ids))
	for _, id := range ids {
		odds[id] = f.model.Compare(asked, f.known[id], similarity.EvenPrior()).Score
	}
	slices.SortStableFunc(ids, func(a, b tenure.ID) int { return cmp.Compare(odds[b], odds[a]) })
	return slices.IndexFunc(ids, right), early, took, nil
}
