package compile

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenure"
	"tenure/encode"
	"tenure/linking"
	"tenure/recall"
	"tenure/store"
)

// Config bounds how much a compilation reads. A zero field means its default.
type Config struct {
	Beliefs    int    // standing beliefs of each entity; 2000
	Displaced  int    // displaced beliefs in all, for the trace; 200
	Relations  [2]int // relations of each entity and direction, by hop; 50, 20
	Neighbours int    // entities that relations may add; 200
	Proposals  int    // observations that propose a change of each entity; 50

	// Linker finds the entities that a query names. Default: one that finds exact names only.
	Linker *linking.Linker
	// Index finds beliefs and passages by their words. Default: only the newest of the scope are searched.
	Index recall.Source
	// Similar finds beliefs by similarity. Default: none are found so.
	Similar recall.Space
	// Reranker orders what recall has found. Default: the order of what was found.
	Reranker encode.Reranker
}

func (c *Config) fill() error {
	var faults []error
	for _, f := range []struct {
		name  string
		value *int
		usual int
	}{
		{"Beliefs", &c.Beliefs, 2000}, {"Displaced", &c.Displaced, 200}, {"Relations[0]", &c.Relations[0], 50},
		{"Relations[1]", &c.Relations[1], 20}, {"Neighbours", &c.Neighbours, 200}, {"Proposals", &c.Proposals, 50},
	} {
		if *f.value < 0 {
			faults = append(faults, fmt.Errorf("compile: %s is negative", f.name))
		}
		if *f.value == 0 {
			*f.value = f.usual
		}
	}
	if c.Linker == nil {
		c.Linker = linking.New(nil, nil)
	}
	return errors.Join(faults...)
}

// Compiler compiles contexts. It is safe for concurrent use.
type Compiler struct {
	tokens Counter
	cfg    Config
}

// New reports every fault of its configuration.
func New(tokens Counter, cfg Config) (*Compiler, error) {
	var missing error
	if tokens == nil {
		missing = errors.New("compile: a counter of tokens is needed")
	}
	if err := errors.Join(missing, cfg.fill()); err != nil {
		return nil, err
	}
	return &Compiler{tokens: tokens, cfg: cfg}, nil
}

// Result is the answer to a request: what the model may see, why, what an answer of the model can be checked against,
// and the contradictions across scopes for which the caller opens cases after answering. Ties are in the order of the
// newest claims of their slots.
type Result struct {
	Envelope    Envelope
	Trace       Trace
	Constraints []Constraint
	Ties        []Tie
}

// Compile answers a request from the one state that the reader was opened on. It writes nothing. The same
// state, caller, request and instant give the same Result; now matters only if the request names no instant.
//
// Errors: those of [Request.Validate], NotFound for a listed entity that the project does not have, Unprocessable for a
// budget that cannot hold what is never left out, and the reader's own.
func (c *Compiler) Compile(
	ctx context.Context, r store.Reader, caller tenure.Caller, req Request, now tenure.Instant,
) (Result, error) {
	if err := req.Validate(caller); err != nil {
		return Result{}, err
	}
	req = req.withDefaults(now)
	see := viewerOf(caller, req)
	who, err := c.topicsOf(ctx, r, caller.Tenant, req)
	if err == nil {
		err = c.nameProject(ctx, r, who, see, req)
	}
	if err != nil {
		return Result{}, err
	}
	others, remarks, err := c.others(ctx, r, who, see, req)
	if err != nil {
		return Result{}, err
	}
	fetched, proposing, err := c.read(ctx, r, who, others, remarks, see, req.ValidAt)
	if err != nil {
		return Result{}, err
	}
	kept, ties, l := filter(fetched, who, see, req)
	settled, held, undecided, err := settle(ctx, r, ties)
	if err != nil {
		return Result{}, err
	}
	l.add(held)
	kept, coarse := finest(append(kept, settled...))
	l.add(coarse)
	// Drop what was read only to reconcile a slot and is about no topic.
	kept = slices.DeleteFunc(kept, func(o *object) bool {
		return who.Topics[o.root] == nil && !o.leads() && !o.inForce
	})
	for _, o := range kept {
		o.stale = stale(o.belief, o.term.Decay, req.ValidAt)
	}
	kept = append(kept, l.contested(kept, who)...)
	if err := who.addProposals(ctx, r, proposing, kept, see, l.closed, req.ValidAt); err != nil {
		return Result{}, err
	}
	if who.unknown, err = unknowns(ctx, r, who, kept, req); err != nil {
		return Result{}, err
	}
	if err := c.compare(ctx, r, who, see, kept, req); err != nil {
		return Result{}, err
	}
	who.unknown = append(who.unknown, who.askedUnknown(kept, req.Query)...)
	result, err := c.render(kept, who, req, r, l)
	result.Ties = undecided
	return result, err
}

// read reads the beliefs about the subjects, what proposes a change of these, the open reviews of what was asked about,
// and the passages that are asked for.
func (c *Compiler) read(
	ctx context.Context, r store.Reader, who *topicSet, others, remarks []tenure.Belief, see viewer, at tenure.Instant,
) (objects []*object, proposing []store.ObservationRecord, err error) {
	about, asked := who.withSubjects(others), who.asked()
	var open []tenure.Review
	err = store.Beside(func() (err error) {
		objects, err = c.fetch(ctx, r, who, about, others, remarks, see, at)
		return err
	}, func() (err error) {
		open, err = openReviews(ctx, r, asked)
		return err
	}, func() error {
		return c.passages(ctx, r, who, see)
	}, func() (err error) {
		proposing, err = r.ProposalsOn(ctx, about.all, see.scope, c.cfg.Proposals)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	who.proposalsCut = who.proposalsAtBound(proposing, c.cfg.Proposals)
	return objects, proposing, who.addReviews(ctx, r, open, asked, see, at)
}

// filter applies the gates in order: visibility, task type, validity at the instant, the choice of remarks,
// reconciliation across scopes, and empty values.
func filter(
	fetched []*object, who *topicSet, see viewer, req Request,
) (kept []*object, ties []tied, l *traceBuilder) {
	l = &traceBuilder{fetched: len(fetched), visible: make(map[tenure.ID]bool, len(fetched))}
	kept, l.denied, l.closed = gate(fetched, see, who)
	for _, o := range kept {
		l.visible[o.claim().ID] = true
	}
	kept, lost := relevant(kept, see.taskType)
	l.add(lost)
	kept, lost = activated(kept, who, req)
	l.add(lost)
	kept, lost = standing(kept, req.ValidAt)
	l.add(lost)
	kept, lost = who.remarks(kept, lost, req.ValidAt)
	l.add(lost)
	kept, lost, ties = reconcile(kept, req.ValidAt)
	l.add(lost)
	kept, lost = worded(kept)
	l.add(lost)
	return kept, ties, l
}

// render removes duplicates, writes each object as a line, ranks the lines, rescues what belongs to them, and packs the
// budget.
func (c *Compiler) render(
	kept []*object, who *topicSet, req Request, r store.LogReader, l *traceBuilder,
) (Result, error) {
	kept, lost := dedupe(kept)
	l.add(lost)
	convert(kept, who, req.Task)
	kept, lost = focused(kept, who)
	l.add(lost)
	rank(kept, who, req)
	who.rescued = who.rescue(kept, c.tokens.Count)
	want, lost := candidates(kept, who, req)
	l.add(lost)
	env, in, leftover, err := c.pack(want, req)
	if err != nil {
		return Result{}, err
	}
	trace := traceOf(req, r, who, l, env, in, leftover)
	return Result{Envelope: env, Trace: trace, Constraints: constraintsOf(in)}, nil
}
