package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/measure"
	"tenure/internal/names"
	"tenure/internal/serving"
	"tenure/registry"
	"tenure/service"
	"tenure/store"
	"tenure/store/sqlite"
)

// resolveTenant is the tenant of the queried registry.
const resolveTenant = "bench"

// asked is how many names of each sort are queried.
const asked = 1000

// registered is an entity of the registry: its id and its names.
type registered struct {
	id   tenure.ID
	name string
}

// benchResolve measures POST /v1/resolve in this process, with index and store but without the network, over
// registries of the given sizes.
func benchResolve(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("bench resolve", flag.ExitOnError)
	sizes := f.String("names", "10000,1000000", "names in the registry")
	profile := f.String("profile", "", "where to write a profile of the processor while names are asked for")
	aliases := f.Int("aliases", 1, "names that each entity goes by")
	if err := f.Parse(args); err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(out, "NAMES\tQUESTION\tP50\tP99\tCPU\tRECALL\tTARGET\tMET")
	var notes []string
	for _, s := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n <= 0 || *aliases <= 0 {
			return fmt.Errorf("--names: %q is no number of names", s)
		}
		note, err := resolveOver(ctx, n, *aliases, *profile, out)
		if err != nil {
			return err
		}
		notes = append(notes, note)
	}
	_ = out.Flush()
	fmt.Printf("\n%s\n", strings.Join(notes, "\n"))
	fmt.Printf("Recall of the index is among 50, of resolve among the 5 that it shows. One client, one mention a request, %d of each sort, on this machine (%d CPUs, load %s).\n", asked, runtime.NumCPU(), measure.Load())
	return nil
}

func resolveOver(ctx context.Context, n, aliases int, profile string, out io.Writer) (note string, err error) {
	dir, err := os.MkdirTemp("", "tenure-bench-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := sqlite.Open(ctx, filepath.Join(dir, "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	fmt.Fprintln(os.Stderr, "filling a registry of", n, "names")
	key, err := readersKey(ctx, s)
	if err != nil {
		return "", err
	}
	list, err := fillRegistry(ctx, s, resolveTenant, n, aliases)
	if err != nil {
		return "", err
	}
	built, cpu := time.Now(), ownCPU()
	folder := filepath.Join(dir, "index")
	if err := index.Rebuild(ctx, folder, s, index.Config{}); err != nil {
		return "", err
	}
	build := time.Since(built)
	cpu = ownCPU() - cpu
	x, err := index.Open(folder, index.Config{})
	if err != nil {
		return "", err
	}
	defer func() { _ = x.Close() }()
	end, err := x.Checkpoint(ctx, resolveTenant)
	if err != nil {
		return "", err
	}
	x.Checkpoints().Set(resolveTenant, end) // no re-resolution during the queries
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Index: x}, serving.Options{CursorKey: make([]byte, 32)})
	if err != nil {
		return "", err
	}
	defer a.Close()
	c := resolveClient{a.Handler, key}
	if _, err := c.ask(ctx, list[0].name); err != nil { // the index says that it was passed
		return "", err
	}
	before := settled(ctx)
	stop, err := profiled(profile)
	if err != nil {
		return "", err
	}
	defer stop()
	for _, q := range resolveQuestions {
		if err := q.measure(ctx, c, x, n, list, out); err != nil {
			return "", err
		}
	}
	met := map[bool]string{true: "met", false: "NOT MET"}
	size, most, mapped := measure.Size(folder), resident(os.Getpid()), measure.Mapped(os.Getpid())
	return fmt.Sprintf("%d names: index built in %s, %.0f s of the processors (target 4 min for 1,000,000: %s), %s on disk (400 MB: %s), resident %s, of which %s of files, %s when the questions began (600 MB: %s)",
		n, build.Round(time.Second), cpu.Seconds(), met[build <= 4*time.Minute], megabytes(size), met[size <= 400e6],
		megabytes(most), megabytes(mapped), megabytes(before), met[most <= 600e6]), nil
}

// settled waits until nothing is done, and returns the resident memory then.
func settled(ctx context.Context) int64 {
	idle(ctx)
	runtime.GC()
	debug.FreeOSMemory()
	return resident(os.Getpid())
}

func profiled(file string) (stop func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}, nil
}

// resolveQuestion is a sort of names to query. Targets apply to a million names; ten thousand names have half
// of them.
type resolveQuestion struct {
	title    string
	typos    int
	strange  bool // no entity has a similar name
	search   bool // the index alone
	p50, p99 time.Duration
	recall   float64
}

var resolveQuestions = []resolveQuestion{
	{title: "nobody's name: what a request costs", strange: true, p50: time.Millisecond},
	{title: "the index alone, one letter wrong", typos: 1, search: true, recall: .99},
	{title: "the index alone, two words wrong", typos: 2, search: true, recall: .95},
	{title: "resolve, the name", p50: 1500 * time.Microsecond, p99: 5 * time.Millisecond},
	{title: "resolve, one letter wrong", typos: 1, p50: 1500 * time.Microsecond, p99: 5 * time.Millisecond},
	{title: "resolve, two words wrong", typos: 2, p50: 1500 * time.Microsecond, p99: 5 * time.Millisecond},
}

func (q resolveQuestion) measure(
	ctx context.Context, c resolveClient, x *index.Index, n int, list []registered, out io.Writer,
) error {
	rnd := mathrand.New(mathrand.NewPCG(3, uint64(q.typos))) //nolint:gosec // counted, not secret
	var took []time.Duration
	hits := 0
	var cpu time.Duration
	for i := range asked + asked/10 {
		if i == asked/10 {
			cpu = ownCPU()
		}
		e := list[rnd.IntN(len(list))]
		name := names.Mistyped(rnd, e.name, q.typos)
		if q.strange {
			name = fmt.Sprintf("%c%c%d", 'α'+rnd.IntN(20), 'α'+rnd.IntN(20), i)
		}
		began := time.Now()
		found, body, err := []tenure.ID(nil), []byte(nil), error(nil)
		if q.search {
			found, err = x.Candidates(ctx, resolveTenant,
				index.Query{Names: []string{name}, Types: []string{"person", ""}, Limit: 50})
		} else {
			body, err = c.ask(ctx, name)
		}
		spent := time.Since(began)
		if err != nil {
			return err
		}
		if i < asked/10 {
			continue // warm
		}
		took = append(took, spent)
		if slices.Contains(found, e.id) || strings.Contains(string(body), string(e.id)) {
			hits++
		}
	}
	cpu = (ownCPU() - cpu) / asked
	return q.print(out, n, took, cpu, float64(hits)/asked)
}

func (q resolveQuestion) print(out io.Writer, n int, took []time.Duration, cpu time.Duration, recall float64) error {
	if n <= 10_000 {
		q.p50, q.p99 = q.p50/2, q.p99/2
	}
	p50, p99 := measure.Quantile(took, .5), measure.Quantile(took, .99)
	w := targetsOf(p50, q.p50, p99, q.p99)
	w.want(q.recall > 0, recall >= q.recall, fmt.Sprintf("recall >= %.2f", q.recall))
	found := "-"
	if !q.strange {
		found = fmt.Sprintf("%.3f", recall)
	}
	_, err := fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", n, q.title, millis(p50), millis(p99), micros(cpu),
		found,
		strings.Join(w.wants, ", "), map[bool]string{true: "NO", false: "yes"}[w.missed])
	return err
}

// idle waits until the process is nearly idle: the first request of a tenant loads its name dictionary in the
// background.
func idle(ctx context.Context) { idleOf(ctx, ownCPU) }

// idleOf waits until a process, of which used is the processor time, hardly works.
func idleOf(ctx context.Context, used func() time.Duration) {
	const look = time.Second
	for before := time.Duration(0); ctx.Err() == nil; {
		time.Sleep(look)
		now := used()
		if before > 0 && now-before < look/20 {
			return
		}
		before = now
	}
}

// ownCPU returns the processor time used by this process.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resolveClient calls a handler without a network.
type resolveClient struct {
	handler http.Handler
	key     string
}

func (c resolveClient) ask(ctx context.Context, name string) ([]byte, error) {
	body, err := json.Marshal(map[string]any{
		"mentions": []any{map[string]any{"name": name, "type": "person"}},
	})
	if err != nil {
		return nil, err
	}
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/resolve", strings.NewReader(string(body)))
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	c.handler.ServeHTTP(rec, req)
	if rec.Code != http.StatusOK {
		return nil, fmt.Errorf("POST /v1/resolve: %d %s", rec.Code, rec.Body)
	}
	return rec.Body.Bytes(), nil
}

// remembered is the approximate number of entities sampled for queries: all of a large registry would take
// more memory than the measured service.
const remembered = 20_000

// fillRegistry writes entities directly into a store, many per entry. The list is a sample of them.
func fillRegistry(ctx context.Context, s store.Store, tenant string, n, aliases int) (list []registered, err error) {
	namer := names.New(11)
	rnd := mathrand.New(mathrand.NewPCG(5, 7)) //nolint:gosec // counted, not secret
	var base tenure.Seq
	const inEntry, entries = 10, 200
	written, every := 0, max(1, n/aliases/remembered)
	for written*aliases < n {
		var sets []tenure.ChangeSet
		for range entries {
			m := tenure.NewMint(time.Now())
			cs := tenure.ChangeSet{ID: m.NewID(), Operation: "fill", Actor: "bench"}
			for i := 0; i < inEntry && written*aliases < n; i++ {
				e, aliases := registry.BuildProfile(tenure.Entity{ID: m.NewID(), Status: tenure.EntityCanonical, CreatedAt: m.Now},
					[]tenure.Mention{{ID: m.NewID(), Name: namer.Name(), Type: "person", Aliases: others(namer, aliases-1),
						Attributes: attributes(rnd)}})
				if written++; written%every == 0 {
					list = append(list, registered{e.ID, e.Name})
				}
				cs.Changes = append(cs.Changes, tenure.EntityPut{Entity: e})
				for _, o := range aliases {
					cs.Changes = append(cs.Changes, tenure.AliasAdded{Alias: o})
				}
			}
			if len(cs.Changes) > 0 {
				sets = append(sets, cs)
			}
		}
		receipts, err := s.Apply(ctx, tenant, base, sets)
		if err != nil {
			return nil, err
		}
		base = receipts[len(receipts)-1].Seq
	}
	return list, nil
}

// readersKey creates a key of the queried registry.
func readersKey(ctx context.Context, s store.Store) (string, error) {
	c, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: resolveTenant, Roles: []tenure.Role{tenure.RoleAdmin}, Clearance: tenure.Restricted,
	})
	if err != nil {
		return "", err
	}
	return key, s.PutCredential(ctx, c)
}

func others(namer *names.Namer, n int) []string {
	var list []string
	for range n {
		list = append(list, namer.Name())
	}
	return list
}

// attributes returns the attributes of a person in a register: some have an e-mail address, some a date of
// birth.
func attributes(rnd *mathrand.Rand) map[string][]string {
	a := map[string][]string{"country": {[]string{"de", "fr", "pl", "it"}[rnd.IntN(4)]}}
	if rnd.IntN(2) == 0 {
		a["dob"] = []string{time.Date(1940+rnd.IntN(65), time.Month(1+rnd.IntN(12)), 1+rnd.IntN(28), 0, 0, 0, 0,
			time.UTC).Format(time.DateOnly)}
	}
	if rnd.IntN(3) == 0 {
		a["email"] = []string{fmt.Sprintf("p%d@mail%d.example", rnd.IntN(1<<30), rnd.IntN(9))}
	}
	return a
}
