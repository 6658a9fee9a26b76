package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"tenure"
	"tenure/api"
	"tenure/httpapi/admission"
	"tenure/httpapi/body"
	"tenure/httpapi/wire"
	"tenure/service"
)

// groupBytes bounds the text of the lines that are decided together.
const groupBytes = 8 << 20

// ObserveBatch implements POST /v1/observations:batch.
func (s *server) ObserveBatch(
	ctx context.Context, req api.ObserveBatchRequestObject,
) (api.ObserveBatchResponseObject, error) {
	return &batch{server: s, ctx: ctx, body: bufio.NewReaderSize(req.Body, 256<<10)}, nil
}

// batch reads lines, submits them in groups and writes a result for each. While one group is written, the next
// is read and submitted: no more are in memory.
type batch struct {
	server *server
	ctx    context.Context // the generated interface passes none to the writing half
	body   *bufio.Reader
	number int           // of the last line read, from 1
	before chan struct{} // closed when the group before is written; nil before the first
}

// batchGroup is a submitted group of lines: wait returns the results of the lines that have a request.
type batchGroup struct {
	items []batchItem
	wait  func(context.Context) []service.Result[service.Observed]
	done  chan struct{} // closed when the group is written
}

// batchItem is a line in progress: its request, or the error that refused it.
type batchItem struct {
	line    int
	key     string
	request *service.BatchItem
	err     error
	cost    int
}

// VisitObserveBatchResponse implements api.ObserveBatchResponseObject.
func (b *batch) VisitObserveBatchResponse(w http.ResponseWriter) error {
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // where the transport cannot, lines are answered after all are read
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	var failure any // a panic of the other goroutine
	groups := make(chan batchGroup)
	go func() {
		defer close(groups)
		defer func() { failure = recover() }()
		b.submitAll(ctx, control, groups)
	}()
	for g := range groups {
		if !b.answer(w, control, g) { // the client is gone
			stop()
			_ = control.SetReadDeadline(time.Unix(1, 0)) // ends a read in progress
		}
		_ = control.Flush()
	}
	if failure != nil {
		panic(failure)
	}
	return nil
}

// submitAll submits the lines of the body in groups, until the body or the context ends.
func (b *batch) submitAll(ctx context.Context, control *http.ResponseController, groups chan<- batchGroup) {
	for more := true; more; {
		b.extend(control)
		if ctx.Err() != nil {
			return
		}
		var items []batchItem
		items, more = b.fill()
		var g batchGroup
		b.keepOpen(control, func() {
			b.throttle(ctx, costOf(items))
			g = b.submit(ctx, items)
		})
		select {
		case groups <- g:
		case <-ctx.Done(): // nobody takes them any more
			return
		}
	}
}

// extend renews the deadlines of the connection for one more group; the duration of the whole batch is
// unbounded.
func (b *batch) extend(c *http.ResponseController) {
	if b.server.cfg.Now == nil {
		return
	}
	deadline := b.server.cfg.Now().Add(2 * b.server.cfg.Timeout)
	_ = c.SetReadDeadline(deadline) // not every transport has deadlines
	_ = c.SetWriteDeadline(deadline)
}

// fill reads lines until a group is full, the body ends, or the client waits for an answer. It reports whether
// there may be more.
func (b *batch) fill() (items []batchItem, more bool) {
	for size := 0; len(items) < b.server.cfg.GroupLines && size < groupBytes; {
		if len(items) > 0 && b.body.Buffered() == 0 {
			return items, true
		}
		raw, err := body.ReadLine(b.body, b.server.cfg.LineLimit)
		ended := errors.Is(err, io.EOF)
		b.number++
		switch {
		case tenure.CodeOf(err) == tenure.TooLarge:
			items = append(items, batchItem{line: b.number, err: err})
			continue
		case err != nil && !ended:
			return append(items, batchItem{line: b.number, err: &tenure.Error{
				Code: tenure.Malformed, Message: "the body broke off", Err: err,
			}}), false
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			items = append(items, b.item(raw))
			size += len(raw)
		}
		if ended {
			return items, false
		}
	}
	return items, true
}

func costOf(items []batchItem) (cost int) {
	for _, it := range items {
		cost += it.cost
	}
	return cost
}

func (b *batch) operation() string { return stateOf(b.ctx).op.id }

func (b *batch) item(raw []byte) batchItem {
	it := batchItem{line: b.number, cost: admission.Cost(b.operation(), int64(len(raw)), 0)}
	var line api.BatchLine
	if it.err = b.server.bind.decode(raw, &line); it.err != nil {
		it.key = keyIn(raw)
		return it
	}
	it.key, it.cost = line.Key, admission.Cost(b.operation(), int64(len(raw)), namesIn(&line))
	if !visible(line.Key) {
		it.err = tenure.FieldError(tenure.Invalid, "/key", "must be visible ASCII characters")
		return it
	}
	it.request = &service.BatchItem{Observation: wire.Input(wire.ObservationOf(line))}
	if line.Key != "" {
		it.request.Key = service.IdempotencyKey(callerOf(b.ctx), stateOf(b.ctx).op.id, line.Key, hashOf(raw))
	}
	return it
}

// keyIn extracts the key of a refused line, if the line has a readable one.
func keyIn(raw []byte) string {
	var line struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(raw, &line) != nil || len(line.Key) > 255 {
		return ""
	}
	return line.Key
}

// submit submits the lines that have a request. Texts are read when the group before is written, since they may speak
// of what it says.
func (b *batch) submit(ctx context.Context, items []batchItem) batchGroup {
	var requests []service.BatchItem
	texts := false
	for _, it := range items {
		if it.request != nil {
			requests = append(requests, *it.request)
			texts = texts || it.request.Observation.Unread()
		}
	}
	if texts && b.before != nil {
		select {
		case <-b.before:
		case <-ctx.Done():
		}
	}
	g := batchGroup{items, b.server.deps.Service.SubmitBatch(b.ctx, callerOf(b.ctx), requests), make(chan struct{})}
	b.before = g.done
	return g
}

// answer writes a result for each line of a group. It returns false once the client has disconnected. The time of a
// group is bounded by those who carry it out, once they begin with it: how long it waits for the groups before it, or
// for a database that has just been started, is no reason to refuse its lines.
func (b *batch) answer(w io.Writer, control *http.ResponseController, g batchGroup) bool {
	var results []service.Result[service.Observed]
	b.keepOpen(control, func() { results = g.wait(b.ctx) })
	close(g.done)
	for _, it := range g.items {
		res := service.Result[service.Observed]{Err: it.err}
		if it.request != nil {
			res, results = results[0], results[1:]
		}
		if err := jsonv2.MarshalWrite(w, resultOf(it, res)); err != nil {
			return false
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return false
		}
	}
	return true
}

// keepOpen keeps the deadlines of the connection ahead while work is done, which the client does not hold up.
func (b *batch) keepOpen(control *http.ResponseController, work func()) {
	b.extend(control)
	done := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		tick := time.NewTicker(b.server.cfg.Timeout / 2)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				b.extend(control)
			}
		}
	})
	defer ticking.Wait()
	defer close(done)
	work()
}

func resultOf(it batchItem, res service.Result[service.Observed]) api.BatchResult {
	out := api.BatchResult{Line: it.line, Key: it.key, Status: http.StatusCreated, Replayed: res.Receipt.Replayed}
	if res.Err != nil {
		p := problemOf(res.Err)
		if p.Code == tenure.KeyReused { // the key of a line is a field of the line
			for i := range p.Errors {
				p.Errors[i].Pointer = "/key"
			}
		}
		out.Status, out.Problem, out.Replayed = p.Status, &p, false
		return out
	}
	view := wire.ObservationAnswer(res.Written)
	out.Observation = &view
	return out
}
