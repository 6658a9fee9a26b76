package ledger

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tenure"
	"tenure/store"
	"tenure/tracing"
)

// Command is a write that is decided on the state of the store.
type Command interface {
	// Plan lists the steps that bring what Decide is going to read and to know. It is asked for again where the
	// decision is taken again.
	Plan() Plan
	// Decide reads the transaction, puts its changes into it, and returns the answer that is kept with the receipt, nil
	// for none. It may be called again, on another transaction, and keeps no effect of its own. It reads nothing else
	// than the transaction and what the plan brought; without changes there is nothing to apply.
	Decide(ctx context.Context, t *Txn, m tenure.Mint) (answer any, err error)
}

// Plan is a sequence of steps. Those of many commands are carried out beside each other, step by step.
type Plan []Step

// Step brings inputs of a decision: first those that come from outside of the store, then those of the store. Work
// and Load may be nil; both look at what the transaction has cached and read nothing of the store themselves.
type Step struct {
	// Name is for traces and errors.
	Name string
	// Work lists jobs that need no order, such as searches of an index and comparisons. They run on all processors and
	// change nothing but the command's own memory.
	Work func(ctx context.Context, t *Txn) []Job
	// Load lists what is to be read.
	Load func(t *Txn) Prefetch
}

// Job is work on one processor. One that fails keeps its error for the decision.
type Job func()

// Reads is the plan that reads what is known from the start.
func Reads(p Prefetch) Plan {
	return Plan{{Name: "reads", Load: func(*Txn) Prefetch { return p }}}
}

// Beside joins plans step by step into one.
func Beside(plans ...Plan) Plan {
	var joined Plan
	for _, p := range plans {
		for at, s := range p {
			if at == len(joined) {
				joined = append(joined, s)
				continue
			}
			joined[at] = beside(joined[at], s)
		}
	}
	return joined
}

func beside(a, b Step) Step {
	return Step{
		Name: a.Name + " and " + b.Name,
		Work: func(ctx context.Context, t *Txn) []Job { return append(a.work(ctx, t), b.work(ctx, t)...) },
		Load: func(t *Txn) Prefetch {
			p := a.load(t)
			p.Add(b.load(t))
			return p
		},
	}
}

func (s Step) work(ctx context.Context, t *Txn) []Job {
	if s.Work == nil {
		return nil
	}
	return s.Work(ctx, t)
}

func (s Step) load(t *Txn) Prefetch {
	if s.Load == nil {
		return Prefetch{}
	}
	return s.Load(t)
}

// ReadAhead carries out plans on a transaction, before the decisions that they are for.
func ReadAhead(ctx context.Context, t *Txn, plans ...Plan) error {
	return readAhead(ctx, t, Prefetch{}, plans)
}

// readAhead carries out plans, and reads with their first steps what else is listed.
func readAhead(ctx context.Context, t *Txn, besides Prefetch, plans []Plan) (err error) {
	ctx, span := tracing.Start(ctx, "ledger.prefetch")
	defer func() { span.End(string(tenure.CodeOf(err))) }()
	steps := make([]Step, 0, len(plans))
	for at := 0; ; at++ {
		steps = steps[:0]
		for _, p := range plans {
			if at < len(p) {
				steps = append(steps, p[at])
			}
		}
		if len(steps) == 0 && at > 0 {
			return nil
		}
		if err := carryOut(ctx, t, besides, steps); err != nil {
			return err
		}
		besides = Prefetch{}
	}
}

// carryOut does steps beside each other.
func carryOut(ctx context.Context, t *Txn, p Prefetch, steps []Step) error {
	jobs := make([][]Job, len(steps))
	parallel(len(steps), func(i int) { jobs[i] = steps[i].work(ctx, t) })
	all := slices.Concat(jobs...)
	parallel(len(all), func(i int) { all[i]() })
	lists := make([]Prefetch, len(steps))
	parallel(len(steps), func(i int) { lists[i] = steps[i].load(t) })
	for _, list := range lists {
		p.Add(list)
	}
	return t.Load(ctx, p)
}

// parallel calls f with 0 to n-1 on all processors.
func parallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	working.Wait()
}

// ErrReplan reports a decision that has found out that it needs more than its plan brought. The plan is carried out
// again, and the decision taken anew.
var ErrReplan = errors.New("the decision needs more than its plan has brought")

// maxPlans bounds how often the plan of one decision is carried out: a command whose decision never has enough is
// wrong.
const maxPlans = 64

// decide takes the decision of a command. What it put is in the transaction, to be accepted or rolled back.
func decide(ctx context.Context, t *Txn, c Command, m tenure.Mint) (any, error) {
	for range maxPlans {
		t.begin()
		answer, err := c.Decide(ctx, t, m)
		if !errors.Is(err, ErrReplan) {
			return answer, err
		}
		t.rollback()
		if err := ReadAhead(ctx, t, c.Plan()); err != nil {
			return nil, err
		}
	}
	return nil, tenure.Errorf(tenure.Internal, "a decision was planned %d times and still needs more", maxPlans)
}

// DryRun takes the decisions of commands on a view, each as if it were alone, and discards their changes.
func DryRun(ctx context.Context, view store.Reader, mint func() tenure.Mint, commands ...Command) error {
	t := NewTxn(view)
	plans := make([]Plan, len(commands))
	for i, c := range commands {
		plans[i] = c.Plan()
	}
	if err := ReadAhead(ctx, t, plans...); err != nil {
		return err
	}
	for _, c := range commands {
		_, err := decide(ctx, t, c, mint())
		t.rollback()
		if err != nil {
			return err
		}
	}
	return nil
}
