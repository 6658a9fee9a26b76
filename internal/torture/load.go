package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// load is writers that send observations, each under a key of its own, and send what was not answered again until it
// is; and a reader beside them.
type load struct {
	r    *Round
	stop chan struct{}
	work sync.WaitGroup
	done atomic.Int64 // acknowledged

	once   sync.Once
	halted sync.RWMutex // held by each that sends

	mu      sync.Mutex
	parcels []*parcel
}

// parcel is an observation on its way. Answer is what acknowledged it, nil before; refused is whether its last answer
// was that it may be sent again.
type parcel struct {
	key     string
	body    []byte
	mu      sync.Mutex
	answer  []byte
	refused bool
	tries   int
}

type (
	obj  = map[string]any
	list = []any
)

// answer is what came back.
type answer struct {
	status   int
	replayed bool
	body     []byte
}

// limit bounds one request.
const limit = time.Minute

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}}

// ask sends a request to one of the servers.
func (r *Round) ask(ctx context.Context, url, method, path, key string, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true", text}, err
}

// startLoad starts writers, which pause between their observations.
func (r *Round) startLoad(ctx context.Context, writers int, pause time.Duration) {
	l := &load{r: r, stop: make(chan struct{})}
	r.load = l
	for i := range writers {
		l.work.Go(func() { l.write(ctx, i, pause) })
	}
	l.work.Go(func() { l.read(ctx) })
}

func (l *load) write(ctx context.Context, writer int, pause time.Duration) {
	random := rand.New(rand.NewPCG(l.r.Seed, uint64(writer))) //nolint:gosec // no secret
	for n := 0; ; n++ {
		p := &parcel{key: fmt.Sprint("w", writer, "-", n), body: observation(random, writer, n)}
		l.mu.Lock()
		l.parcels = append(l.parcels, p)
		l.mu.Unlock()
		for !l.deliver(ctx, p) {
			if !l.pause(100 * time.Millisecond) {
				return
			}
		}
		if !l.pause(pause) {
			return
		}
	}
}

// pause waits, and reports false once the load is to stop.
func (l *load) pause(wait time.Duration) bool {
	select {
	case <-l.stop:
		return false
	case <-time.After(wait):
		return true
	}
}

// deliver sends a parcel and reports whether it was acknowledged. Only what a user should try again may stand in its
// way.
func (l *load) deliver(ctx context.Context, p *parcel) bool {
	l.halted.RLock()
	defer l.halted.RUnlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tries++
	a, err := l.r.ask(ctx, l.r.url(), http.MethodPost, "/v1/observations", p.key, p.body)
	p.refused = err == nil && a.status == http.StatusServiceUnavailable
	switch {
	case err != nil || p.refused:
		return false
	case a.status != http.StatusCreated:
		l.r.wrong("%s: %d %s", p.key, a.status, short(a.body))
		return false
	case bytes.Contains(a.body, []byte(`"later_not_read"`)): // the answer asks to send it again
		return false
	}
	p.answer = a.body
	l.done.Add(1)
	return true
}

// read asks for what needs the index, the store and both, and says what must not be answered.
func (l *load) read(ctx context.Context) {
	random := rand.New(rand.NewPCG(l.r.Seed, 1<<32)) //nolint:gosec // no secret
	for l.pause(20 * time.Millisecond) {
		name := nameOf(random)
		var a answer
		var err error
		switch random.IntN(3) {
		case 0:
			body := encode(obj{"mentions": list{obj{"name": name, "type": "person"}}})
			a, err = l.r.ask(ctx, l.r.url(), http.MethodPost, "/v1/resolve", "", body)
		case 1:
			body := encode(obj{"query": "Where does " + name + " work?"})
			a, err = l.r.ask(ctx, l.r.url(), http.MethodPost, "/v1/compile", "", body)
		case 2:
			a, err = l.r.ask(ctx, l.r.url(), http.MethodGet, "/v1/beliefs?limit=20", "", nil)
		}
		if err == nil && a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
			l.r.wrong("a read: %d %s", a.status, short(a.body))
		}
	}
}

// wait waits until so many more were acknowledged.
func (l *load) wait(ctx context.Context, count int) error {
	until := l.done.Load() + int64(count)
	return l.r.eventually(ctx, fmt.Sprintf("%d more answers", count), func() bool { return l.done.Load() >= until })
}

// end ends the load, and waits for what is being sent.
func (l *load) end() {
	l.once.Do(func() { close(l.stop) })
	l.work.Wait()
}

// halt waits for what is being sent and lets nothing more be sent, until the function that it returns is called.
func (l *load) halt() (goOn func()) {
	l.halted.Lock()
	return l.halted.Unlock
}

// acknowledged returns the parcels that are.
func (l *load) acknowledged() map[*parcel]bool {
	list := map[*parcel]bool{}
	for _, p := range l.all() {
		p.mu.Lock()
		if p.answer != nil {
			list[p] = true
		}
		p.mu.Unlock()
	}
	return list
}

// all returns the parcels that were begun.
func (l *load) all() []*parcel {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.parcels)
}

var (
	givenNames = strings.Fields("Anna Boris Carla David Elena Farid Greta Henrik Irene Jonas")
	surnames   = strings.Fields("Abbott Lindqvist Moreau Nakamura Oyelaran Petrov Quintana Rosenthal Sandoval Tanaka")
)

// nameOf returns the name of one of a hundred people, sometimes misspelt, so that candidates have to be searched.
func nameOf(random *rand.Rand) string {
	name := givenNames[random.IntN(len(givenNames))] + " " + surnames[random.IntN(len(surnames))]
	if i := 1 + random.IntN(len(name)-2); random.IntN(8) == 0 {
		return name[:i] + name[i+1:]
	}
	return name
}

// observation returns the n-th observation of a writer: a claim, or a text. Each text is of a speaker and a thread of
// its own, so that none has later ones read again, of which a replay tells as it is then.
func observation(random *rand.Rand, writer, n int) []byte {
	source := obj{
		"origin": fmt.Sprintf("test://torture/%d/%d", writer, n), "authority_level": 2 + random.IntN(2),
		"source_authority": .8, "speaker": fmt.Sprint("speaker ", writer),
	}
	if random.IntN(8) == 0 {
		source["speaker"] = fmt.Sprintf("speaker %d of %d", n, writer)
		text := fmt.Sprintf("%s works in City %d.", nameOf(random), random.IntN(20))
		return encode(obj{"observed_at": "2021-02-01T00:00:00Z", "source": source, "text": text})
	}
	at := fmt.Sprintf("2021-01-%02dT00:00:%02dZ", 1+random.IntN(28), writer%60)
	return encode(obj{
		"observed_at": at, "source": source,
		"mentions": list{obj{"name": nameOf(random), "type": "person"}},
		"claims": list{obj{
			"subject": obj{"mention": 0}, "predicate": fmt.Sprint("fact_", random.IntN(3)),
			"value": fmt.Sprint("value ", random.IntN(20)), "valid_from": at,
		}},
	})
}

// encode returns the JSON of a value that has one.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func short(text []byte) string {
	const most = 400
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
