package ledger

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tenure"
	"tenure/contain"
	"tenure/store"
	"tenure/tracing"
)

// Command is a write whose changes are decided on the state of the store.
type Command interface {
	// Plan lists the steps that load the inputs of Decide. It is called again each time that the decision is
	// taken again.
	Plan() Plan
	// Decide reads the transaction, puts its changes into it, and returns the answer that is kept with the
	// receipt, nil for none. It may be called again on another transaction, so it must have no other effect.
	// It reads nothing but the transaction and what the plan loaded. A decision without changes is not
	// applied.
	Decide(ctx context.Context, t *Txn, m tenure.Mint) (answer any, err error)
}

// Plan is a sequence of steps. The plans of several commands are executed concurrently, step by step.
type Plan []Step

// Step loads inputs of a decision: Work those from outside of the store, then Load those of the store. Work
// and Load may be nil; both look only at what the transaction has cached and do not read the store
// themselves.
type Step struct {
	// Name identifies the step in traces and errors.
	Name string
	// Work lists independent jobs, such as index searches and comparisons. The jobs run concurrently on all
	// processors and change nothing but the command's own memory.
	Work func(ctx context.Context, t *Txn) []Job
	// Load lists what to read from the store.
	Load func(t *Txn) Prefetch
}

// Job is a unit of work for one processor. A job that fails keeps its error for the decision.
type Job func()

// Reads returns a plan of one step that reads what is known from the start.
func Reads(p Prefetch) Plan {
	return Plan{{Name: "reads", Load: func(*Txn) Prefetch { return p }}}
}

// Beside merges plans step by step into one plan.
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

// ReadAhead executes plans on a transaction, before their decisions are taken.
func ReadAhead(ctx context.Context, t *Txn, plans ...Plan) error {
	return readAhead(ctx, t, Prefetch{}, plans)
}

// readAhead executes plans, and reads besides together with the first steps.
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

// carryOut executes steps concurrently.
func carryOut(ctx context.Context, t *Txn, p Prefetch, steps []Step) error {
	jobs := make([][]Job, len(steps))
	Parallel(len(steps), func(i int) { jobs[i] = steps[i].work(ctx, t) })
	all := slices.Concat(jobs...)
	Parallel(len(all), func(i int) { all[i]() })
	lists := make([]Prefetch, len(steps))
	Parallel(len(steps), func(i int) { lists[i] = steps[i].load(t) })
	for _, list := range lists {
		p.Add(list)
	}
	return t.Load(ctx, p)
}

// Parallel calls f with 0 to n-1 concurrently on all processors. It panics if f does.
func Parallel(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var next atomic.Int64
	var working sync.WaitGroup
	var failure atomic.Pointer[error]
	for range min(n, runtime.GOMAXPROCS(0)) {
		working.Go(func() {
			defer func() {
				if err := contain.Error(recover()); err != nil {
					failure.Store(&err)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
				yield(i, 16)
			}
		})
	}
	working.Wait()
	if err := failure.Load(); err != nil {
		panic(*err)
	}
}

// yield lets other goroutines run after each few of many steps. One that does not yield keeps its processor for 10 ms,
// and a short request of another tenant would wait as long at each of its own steps.
func yield(step, each int) {
	if step%each == each-1 {
		runtime.Gosched()
	}
}

// ErrReplan reports that a decision needs more than its plan loaded. The plan is executed again, and the
// decision taken again.
var ErrReplan = errors.New("the decision needs more than its plan has brought")

// maxPlans bounds how often the plan of one decision is executed, so that a command whose plan never suffices
// ends in an error.
const maxPlans = 64

// decide takes the decision of a command. Its changes are in the transaction, to be accepted or rolled back.
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

// DryRun takes the decisions of commands on a view, each as if it were the only one, discards their changes, and
// returns their answers.
func DryRun(ctx context.Context, view store.Reader, mint func() tenure.Mint, commands ...Command) ([]any, error) {
	t := NewTxn(view)
	plans := make([]Plan, len(commands))
	for i, c := range commands {
		plans[i] = c.Plan()
	}
	if err := ReadAhead(ctx, t, plans...); err != nil {
		return nil, err
	}
	answers := make([]any, len(commands))
	for i, c := range commands {
		var err error
		answers[i], err = decide(ctx, t, c, mint())
		t.rollback()
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}
