package compile

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"tenure"
)

// The bounds of a report.
const (
	maxReportedTokens = 100_000_000
	maxRetries        = 1000
	maxUsed           = 2000
	maxOutcomeNote    = 500 // characters
)

// OutcomeInput is what a caller reports of a compilation. Version is the version of the outcome that it was decided on,
// 0 for none; nil replaces whichever there is.
type OutcomeInput struct {
	tenure.OutcomeReport

	Version *int
}

// Faults returns what is wrong with a report whatever its compilation is.
func (in OutcomeInput) Faults() tenure.Faults {
	var f tenure.Faults
	if reflect.ValueOf(in.OutcomeReport).IsZero() {
		f.Add("", "must report something")
	}
	number := func(pointer string, n *int, most int) {
		if n != nil && (*n < 0 || *n > most) {
			f.Add(pointer, "must be 0 to %d", most)
		}
	}
	number("/prompt_tokens", in.PromptTokens, maxReportedTokens)
	number("/cached_tokens_read", in.CachedTokens, maxReportedTokens)
	number("/retries", in.Retries, maxRetries)
	switch {
	case in.PromptTokens != nil && *in.PromptTokens == 0:
		f.Add("/prompt_tokens", "must be at least 1")
	case in.CachedTokens == nil:
	case in.PromptTokens == nil:
		f.Add("/prompt_tokens", "is required beside cached_tokens_read")
	case *in.CachedTokens > *in.PromptTokens:
		f.Add("/cached_tokens_read", "must not be more than prompt_tokens, which counts them, too")
	}
	if len(in.Used) > maxUsed {
		f.Add("/used_object_ids", "must have at most %d items", maxUsed)
	} else if sorted := slices.Sorted(slices.Values(in.Used)); len(slices.Compact(sorted)) < len(in.Used) {
		f.Add("/used_object_ids", "must not have an item twice")
	}
	results := []tenure.AnswerResult{"", tenure.AnswerSucceeded, tenure.AnswerFailed, tenure.AnswerCorrected}
	if !slices.Contains(results, in.Result) {
		f.Add("/result", "must be %s, %s or %s", results[1], results[2], results[3])
	}
	if utf8.RuneCountInString(in.Note) > maxOutcomeNote {
		f.Add("/note", "must have at most %d characters", maxOutcomeNote)
	}
	return f
}

// Reported returns the outcome of a compilation, of a requester and with a trace, after a report, and whether that
// differs from before. It returns Conflicting for a report that was decided on another version and says something else,
// and Unprocessable for an object that the compilation has not.
func Reported(
	k tenure.Compilation, by Requester, t Trace, in OutcomeInput, now tenure.Instant,
) (o tenure.CompilationOutcome, changed bool, err error) {
	in.Used = slices.Clone(in.Used) // nil stays nil
	compiled := map[tenure.ID]bool{}
	for _, c := range t.State.CompiledObjects {
		compiled[c.ObjectID] = true
	}
	for _, p := range t.State.CompiledPassages {
		compiled[p.PassageID] = true
	}
	var f tenure.Faults
	for i, id := range in.Used {
		if !compiled[id] {
			f.Add(fmt.Sprintf("/used_object_ids/%d", i), "is no belief or passage that was compiled")
		}
	}
	if err := f.Err(); err != nil {
		return o, false, &tenure.Error{Code: tenure.Unprocessable, Message: "the answer cannot have used it", Fields: f}
	}
	slices.Sort(in.Used)
	version := 0
	if k.Outcome != nil {
		version = k.Outcome.Version
		if reflect.DeepEqual(k.Outcome.Report, in.OutcomeReport) {
			return *k.Outcome, false, nil
		}
	}
	if in.Version != nil && *in.Version != version {
		return o, false, tenure.FieldError(tenure.Conflicting, "/version", "the outcome has changed since: look at it again")
	}
	return tenure.CompilationOutcome{
		Compilation: k.ID, CompiledAt: k.CreatedAt, Actor: by.Actor, Clearance: by.Clearance,
		CacheKey: t.State.Cache.PromptCacheKey, PrefixTokens: t.State.Cache.StaticPrefixTokens, Compiled: len(compiled),
		Version: version + 1, ReportedAt: now, Report: in.OutcomeReport,
	}, true, nil
}

// OutcomeSums adds up outcomes.
type OutcomeSums struct {
	Compilations int
	// CacheHits counts the compilations of which it was reported by their cache hit; PromptTokens and CachedTokens are of
	// these.
	CacheHits                  map[tenure.CacheHit]int
	PromptTokens, CachedTokens int
	Retries                    int
	// Used and Compiled count the objects of the compilations of which it was reported what was used.
	Used, Compiled int
	Results        map[tenure.AnswerResult]int
}

// Add adds an outcome.
func (s *OutcomeSums) Add(o tenure.CompilationOutcome) {
	r := o.Report
	s.Compilations++
	if hit := r.CacheHit(); hit != "" {
		if s.CacheHits == nil {
			s.CacheHits = map[tenure.CacheHit]int{}
		}
		s.CacheHits[hit]++
		s.PromptTokens += *r.PromptTokens
		s.CachedTokens += *r.CachedTokens
	}
	if r.Retries != nil {
		s.Retries += *r.Retries
	}
	if r.Used != nil {
		s.Used += len(r.Used)
		s.Compiled += o.Compiled
	}
	if r.Result != "" {
		if s.Results == nil {
			s.Results = map[tenure.AnswerResult]int{}
		}
		s.Results[r.Result]++
	}
}

// Precision returns the share of compiled objects that were used, nil for none.
func (s OutcomeSums) Precision() *float64 {
	if s.Compiled == 0 {
		return nil
	}
	p := round(float64(s.Used) / float64(s.Compiled))
	return &p
}

// PrefixSums adds up the outcomes of the compilations with one stable prefix.
type PrefixSums struct {
	OutcomeSums

	CacheKey     string
	PrefixTokens int
	First, Last  tenure.Instant // when they were compiled
}

// Prefixes adds up outcomes by their stable prefix.
type Prefixes map[string]*PrefixSums

// Add adds an outcome.
func (p Prefixes) Add(o tenure.CompilationOutcome) {
	s := p[o.CacheKey]
	if s == nil {
		s = &PrefixSums{CacheKey: o.CacheKey, PrefixTokens: o.PrefixTokens, First: o.CompiledAt, Last: o.CompiledAt}
		p[o.CacheKey] = s
	}
	s.Add(o)
	s.First, s.Last = min(s.First, o.CompiledAt), max(s.Last, o.CompiledAt)
}

// Sorted lists the prefixes, those of the most compilations first.
func (p Prefixes) Sorted() []PrefixSums {
	list := make([]PrefixSums, 0, len(p))
	for _, s := range p {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b PrefixSums) int {
		return cmp.Or(cmp.Compare(b.Compilations, a.Compilations), cmp.Compare(b.Last, a.Last),
			cmp.Compare(a.CacheKey, b.CacheKey))
	})
	return list
}
