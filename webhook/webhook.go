package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/changefeed"
	"tenure/contain"
	"tenure/store"
)

// The headers of a request. The signature is "v1=" and the HMAC-SHA-256, in hex, of the timestamp, a full stop and the
// body; the timestamp is in seconds of Unix time.
const (
	HeaderID        = "Tenure-Webhook-Id"
	HeaderTimestamp = "Tenure-Webhook-Timestamp"
	HeaderSignature = "Tenure-Webhook-Signature"
)

// TaskOpened is the type of every event.
const TaskOpened = "task.opened"

// Event is the body of a request: ids and structure, and no content. The ID is the same however often it is sent.
type Event struct {
	ID     tenure.ID  `json:"id"`
	Type   string     `json:"type"`
	Tenant string     `json:"tenant_id"`
	Seq    tenure.Seq `json:"seq"`
	Task   Task       `json:"task"`
}

// Task is a case, a review or a proposed change that waits for an answer.
type Task struct {
	Kind     string    `json:"kind"` // case, review or proposed_change
	ID       tenure.ID `json:"id"`
	Path     string    `json:"path"`
	WaitsFor string    `json:"waits_for"`
	Target   string    `json:"target,omitempty"`
	Project  string    `json:"project_id,omitempty"`
	OpenedAt time.Time `json:"opened_at"`
	Version  int       `json:"version"`
}

// Config configures a webhook. URL, Secret, Dir and Now are required.
type Config struct {
	URL    string
	Secret []byte
	// Dir is the directory of what is to be delivered. No two processes share one.
	Dir string
	Now func() time.Time
	// Attempts is after how many attempts an event is a dead letter. Default 10.
	Attempts int
	// Pause is the pause after the first attempt that failed; it doubles with each, up to an hour. Default 1 s.
	Pause time.Duration
	// Interval is how often the store is asked which logs other processes have written. Default 10 s.
	Interval time.Duration
	// Timeout bounds one attempt. Default 10 s.
	Timeout time.Duration
	Logger  *slog.Logger
}

// Bounds of what an operator configures.
const (
	leastSecret = 16
	mostPause   = time.Hour
)

func (c Config) check() error {
	var faults []error
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		faults = append(faults, errors.New("webhook: the URL is not one of http or https"))
	}
	if len(c.Secret) < leastSecret {
		faults = append(faults, fmt.Errorf("webhook: the secret has less than %d bytes", leastSecret))
	}
	if c.Dir == "" || c.Now == nil {
		faults = append(faults, errors.New("webhook: Dir and Now are required"))
	}
	return errors.Join(faults...)
}

// Webhook is a consumer of the changefeed that tells a URL of new tasks.
type Webhook struct {
	cfg    Config
	store  store.Store
	feed   *changefeed.Follower
	box    *outbox
	client *http.Client
	added  chan struct{}
	ended  *prometheus.CounterVec // attempts, by outcome
}

// The outcomes of an attempt: the event was taken, is to be sent again, or was given up.
const (
	delivered = "delivered"
	retried   = "retried"
	dead      = "dead"
)

// Register registers the metrics of the webhook: how attempts ended, and for how many tenants it is parked.
func (w *Webhook) Register(reg prometheus.Registerer) error {
	return errors.Join(reg.Register(w.ended), reg.Register(w.feed.ParkedMetric()))
}

// Parked returns for how many tenants the webhook is parked, by its name as a consumer: see [changefeed.Group.Parked].
func (w *Webhook) Parked() map[string]int { return changefeed.Group{w.feed}.Parked() }

// New returns a webhook over a store and its directory. It reports every fault of the configuration.
func New(s store.Store, cfg Config) (*Webhook, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.Attempts = cmp.Or(cfg.Attempts, 10)
	cfg.Pause = cmp.Or(cfg.Pause, time.Second)
	cfg.Interval = cmp.Or(cfg.Interval, 10*time.Second)
	cfg.Timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	box, err := openOutbox(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("webhook: %w", err)
	}
	client := &http.Client{Timeout: cfg.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // what is elsewhere has to be configured
	}}
	w := &Webhook{cfg: cfg, store: s, box: box, client: client, added: make(chan struct{}, 1),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tenure_webhook_attempts_total", Help: "Attempts to deliver an event to the webhook, by outcome.",
		}, []string{"outcome"})}
	for _, outcome := range []string{delivered, retried, dead} {
		w.ended.WithLabelValues(outcome) // so that each is there from the start
	}
	w.feed = changefeed.New(s, (*consumer)(w), changefeed.Config{
		Name: "webhook", Logger: cfg.Logger, Interval: cfg.Interval,
	})
	return w, nil
}

// Nudge schedules a read of a tenant's log, which this process has written up to an entry.
func (w *Webhook) Nudge(tenant string, end tenure.Seq) { w.feed.Nudge(tenant, end) }

// Run follows the logs of all tenants and delivers, until the context ends.
func (w *Webhook) Run(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { w.feed.Run(ctx) })
	work.Go(func() { contain.Keep(ctx, w.panicked, w.send) })
	work.Wait()
}

// panicked reports a panic while events were sent, which goes on.
func (w *Webhook) panicked(err error) {
	w.cfg.Logger.Error("the webhook panicked", "error", err)
}

// consumer is the webhook as a consumer of the logs.
type consumer Webhook

// Checkpoint implements [changefeed.Consumer].
func (c *consumer) Checkpoint(_ context.Context, tenant string) (seq tenure.Seq, err error) {
	c.box.read(tenant, func(b box) { seq = b.Checkpoint })
	return seq, nil
}

// Reset implements [changefeed.Consumer]. What waits to be delivered is kept.
func (c *consumer) Reset(_ context.Context, tenant string) error {
	return c.box.change(tenant, func(b *box) { b.Checkpoint = 0 })
}

// Apply implements [changefeed.Consumer]: what waits now, and did not before the page, is a new task.
func (c *consumer) Apply(ctx context.Context, p changefeed.Page) error {
	cases, reviews, observations := touched(p.Entries)
	events, err := c.opened(ctx, p, cases, reviews)
	if err == nil {
		events, err = c.proposed(ctx, p, observations, events)
	}
	if err != nil {
		return err
	}
	err = c.box.change(p.Tenant, func(b *box) {
		b.Checkpoint = p.UpTo()
		for _, e := range events {
			if _, again := without(b.Waiting, e.ID); again == nil {
				b.Waiting = append(b.Waiting, Delivery{Event: e})
			}
		}
	})
	if err == nil && len(events) > 0 {
		signal(c.added)
	}
	return err
}

// touched lists the cases and the reviews that entries put, each once, with the last entry that did, and the
// observations that propose a change.
func touched(entries []tenure.Entry) (cases, reviews, observations map[tenure.ID]tenure.Seq) {
	cases, reviews, observations = map[tenure.ID]tenure.Seq{}, map[tenure.ID]tenure.Seq{}, map[tenure.ID]tenure.Seq{}
	for _, e := range entries {
		for _, change := range e.Changes {
			switch change.Kind.Current() {
			case tenure.KindCasePut:
				cases[change.ID] = e.Seq
			case tenure.KindReviewPut:
				reviews[change.ID] = e.Seq
			case tenure.KindObservationAdded:
				if change.Name == tenure.ProposesChange {
					observations[change.ID] = e.Seq
				}
			}
		}
	}
	return cases, reviews, observations
}

// proposed adds to events those of the changes that observations propose and that still wait. Each is told once, when
// it is written.
func (c *consumer) proposed(
	ctx context.Context, p changefeed.Page, observations map[tenure.ID]tenure.Seq, events []Event,
) ([]Event, error) {
	if len(observations) == 0 {
		return events, nil
	}
	found, err := p.State.Observations(ctx, keys(observations))
	if err != nil {
		return nil, err
	}
	var stood, answers []tenure.ID
	for _, o := range found {
		for i, s := range o.Statements {
			if s.Proposal != nil {
				stood, answers = append(stood, s.Proposal.Stands...), append(answers, tenure.AnswerID(o.ID, i+1))
			}
		}
	}
	gone, err := c.gone(ctx, p.State, stood, answers)
	if err != nil {
		return nil, err
	}
	for _, o := range found {
		for i, s := range o.Statements {
			if s.Proposal == nil || gone[tenure.AnswerID(o.ID, i+1)] ||
				slices.ContainsFunc(s.Proposal.Stands, func(id tenure.ID) bool { return gone[id] }) {
				continue
			}
			id, seq := tenure.ProposalID(o.ID, i+1), observations[o.ID]
			events = append(events, event(p.Tenant, seq, seq, Task{
				Kind: "proposed_change", ID: id, Path: fmt.Sprintf("/v1/observations/%s/proposals/%d", o.ID, i+1),
				WaitsFor: tenure.ResolverPerson, Project: o.Scope.ProjectID, OpenedAt: o.ReceivedAt.Time(), Version: 1,
			}))
		}
	}
	return events, nil
}

// gone reports which of the beliefs stand no longer, and which of the answers are given.
func (c *consumer) gone(ctx context.Context, r store.Reader, stood, answers []tenure.ID) (map[tenure.ID]bool, error) {
	gone := map[tenure.ID]bool{}
	beliefs, err := r.Beliefs(ctx, stood)
	if err != nil {
		return nil, err
	}
	now := tenure.At(c.cfg.Now())
	for _, b := range beliefs {
		g, ok := b.Standing.At(now)
		gone[b.Claim.ID] = !ok || g.Cause != tenure.Stands
	}
	given, err := r.Observations(ctx, answers)
	for _, o := range given {
		gone[o.ID] = true
	}
	return gone, err
}

// event returns the event of a task that the entry seq opened. Since distinguishes it from former openings.
func event(tenant string, since, seq tenure.Seq, t Task) Event {
	return Event{
		ID:   tenure.DerivedID(TaskOpened, tenant, string(t.ID), strconv.FormatInt(int64(since), 10)),
		Type: TaskOpened, Tenant: tenant, Seq: seq, Task: t,
	}
}

func (c *consumer) opened(
	ctx context.Context, p changefeed.Page, cases, reviews map[tenure.ID]tenure.Seq,
) ([]Event, error) {
	if len(cases)+len(reviews) == 0 {
		return nil, nil
	}
	before, err := c.waiting(ctx, p.Tenant, p.Entries[0].Seq-1, cases, reviews)
	if err != nil {
		return nil, err
	}
	now, err := tasksOf(ctx, p.State, cases, reviews)
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, t := range now {
		if !before[t.ID] {
			events = append(events, event(p.Tenant, p.Entries[0].Seq, max(cases[t.ID], reviews[t.ID]), t))
		}
	}
	return events, nil
}

// waiting reports which of the cases and reviews waited at a state.
func (c *consumer) waiting(
	ctx context.Context, tenant string, seq tenure.Seq, cases, reviews map[tenure.ID]tenure.Seq,
) (map[tenure.ID]bool, error) {
	if seq == 0 {
		return nil, nil //nolint:nilnil // nothing waited before the first entry
	}
	r, err := c.store.View(ctx, tenant, tenure.AsOf{Seq: seq})
	if err != nil {
		return nil, err
	}
	list, err := tasksOf(ctx, r, cases, reviews)
	open := map[tenure.ID]bool{}
	for _, t := range list {
		open[t.ID] = true
	}
	return open, err
}

// tasksOf lists those of the cases and reviews that wait.
func tasksOf(ctx context.Context, r store.Reader, cases, reviews map[tenure.ID]tenure.Seq) ([]Task, error) {
	var list []Task
	found, err := r.Cases(ctx, keys(cases))
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		if c.State == tenure.CaseOpen {
			list = append(list, Task{
				Kind: "case", ID: c.ID, Path: "/v1/quarantine/" + string(c.ID), WaitsFor: c.Resolver.Kind,
				Target: c.Resolver.Target, Project: c.Scope.ProjectID, OpenedAt: c.OpenedAt.Time(), Version: c.Version,
			})
		}
	}
	asked, err := r.Reviews(ctx, keys(reviews))
	for _, v := range asked {
		if v.State == tenure.ReviewOpen {
			list = append(list, Task{
				Kind: "review", ID: v.ID, Path: "/v1/reviews/" + string(v.ID), WaitsFor: tenure.ResolverPerson,
				Project: v.Project, OpenedAt: v.OpenedAt.Time(), Version: v.Version,
			})
		}
	}
	return list, err
}

func keys(m map[tenure.ID]tenure.Seq) []tenure.ID {
	list := make([]tenure.ID, 0, len(m))
	for id := range m {
		list = append(list, id)
	}
	return list
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// send delivers what is due, one event at a time.
func (w *Webhook) send(ctx context.Context) {
	for ctx.Err() == nil {
		d, wait, ok := w.box.due(w.cfg.Now(), mostPause)
		if !ok {
			timer := time.NewTimer(wait)
			select {
			case <-ctx.Done():
			case <-w.added:
			case <-timer.C:
			}
			timer.Stop()
			continue
		}
		failure := w.post(ctx, d.Event)
		if failure != nil && ctx.Err() != nil {
			return // it was not the receiver who ended it
		}
		if err := w.record(d, failure); err != nil {
			w.cfg.Logger.WarnContext(ctx, "the webhook cannot write what it delivered", "error", err)
			pause(ctx, w.cfg.Pause)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// record writes and counts how an attempt ended.
func (w *Webhook) record(d Delivery, failure error) error {
	now, outcome := w.cfg.Now(), delivered
	err := w.box.change(d.Event.Tenant, func(b *box) {
		rest, _ := without(b.Waiting, d.Event.ID)
		b.Waiting = rest
		if failure == nil {
			return
		}
		d.Attempts++
		d.LastAt, d.LastError = now, failure.Error()
		if d.Attempts < w.cfg.Attempts {
			d.NextAt = now.Add(w.pauseAfter(d.Attempts))
			b.Waiting = append(b.Waiting, d)
			outcome = retried
			return
		}
		d.NextAt, outcome = time.Time{}, dead
		b.Dead = append(b.Dead, d)
		w.cfg.Logger.Warn("the webhook gave an event up", "tenant", d.Event.Tenant, "event", d.Event.ID, "error", failure)
	})
	if err == nil {
		w.ended.WithLabelValues(outcome).Inc()
	}
	return err
}

func (w *Webhook) pauseAfter(attempts int) time.Duration {
	d := w.cfg.Pause
	for range attempts - 1 {
		if d = 2 * d; d >= mostPause {
			return mostPause
		}
	}
	return d
}

// post sends an event. Any status but 2xx is a failure.
func (w *Webhook) post(ctx context.Context, e Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	at := strconv.FormatInt(w.cfg.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(HeaderID, string(e.ID))
	req.Header.Set(HeaderTimestamp, at)
	req.Header.Set(HeaderSignature, Sign(w.cfg.Secret, at, body))
	res, err := w.client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the URL, which may hold a secret
		}
		return err
	}
	defer res.Body.Close()
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // so that the connection can be used again
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the answer was %s", res.Status)
	}
	return nil
}

// Sign returns the signature of a body that is sent at a time.
func Sign(secret []byte, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(timestamp + "."))
	h.Write(body)
	return "v1=" + hex.EncodeToString(h.Sum(nil))
}

// DeadLetters lists the events of a tenant that were given up, the oldest first.
func (w *Webhook) DeadLetters(tenant string) (list []Delivery) {
	w.box.read(tenant, func(b box) { list = append(list, b.Dead...) })
	return list
}

// Retry has a dead letter delivered again, with as many attempts as a new event. It reports whether there is one.
func (w *Webhook) Retry(tenant string, event tenure.ID) (bool, error) {
	var d *Delivery
	w.box.read(tenant, func(b box) { _, d = without(b.Dead, event) })
	if d == nil {
		return false, nil
	}
	err := w.box.change(tenant, func(b *box) {
		if b.Dead, d = without(b.Dead, event); d != nil {
			b.Waiting = append(b.Waiting, Delivery{Event: d.Event})
		}
	})
	signal(w.added)
	return d != nil, err
}
