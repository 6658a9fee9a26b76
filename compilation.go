package tenure

// Compilation is a compiled answer, stored so that the same bytes can be returned again.
type Compilation struct {
	ID        ID
	CreatedAt Instant
	Body      []byte
	// Outcome is what was reported of it; nil before the first report.
	Outcome *CompilationOutcome
}

// CompilationOutcome is what became of a compilation, as was reported after the model's answer. It is kept beside the
// compilation, whose bytes stay as they are, and goes with it.
type CompilationOutcome struct {
	Compilation ID             `json:"compilation"`
	CompiledAt  Instant        `json:"compiled_at"`
	Actor       string         `json:"actor"`     // that compiled
	Clearance   Classification `json:"clearance"` // of the actor, then
	// CacheKey, PrefixTokens and Compiled are of the compilation: the key of its stable prefix and the tokens of that, and
	// the number of beliefs and passages in it.
	CacheKey     string `json:"cache_key"`
	PrefixTokens int    `json:"prefix_tokens"`
	Compiled     int    `json:"compiled"`

	// Version is 1, and one more for each report that said something else.
	Version    int           `json:"version"`
	ReportedAt Instant       `json:"reported_at"` // of the last such report
	Report     OutcomeReport `json:"report"`
}

// OutcomeReport is what is said of the outcome of a compilation. A nil field was not reported.
type OutcomeReport struct {
	// PromptTokens are all tokens of the prompt, and CachedTokens those of them that the provider read from its cache.
	PromptTokens *int `json:"prompt_tokens,omitempty"`
	CachedTokens *int `json:"cached_tokens,omitempty"`
	// Retries is how often the model was asked again.
	Retries *int `json:"retries,omitempty"`
	// Used are the beliefs and passages that the answer used, in order of their ids. None is not nil.
	Used   []ID         `json:"used,omitzero"`
	Result AnswerResult `json:"result,omitempty"`
	Note   string       `json:"note,omitempty"`
}

// AnswerResult is what became of an answer; "" was not reported.
type AnswerResult string

// The results. An answer is corrected if a person, or a program, had to change it.
const (
	AnswerSucceeded AnswerResult = "succeeded"
	AnswerFailed    AnswerResult = "failed"
	AnswerCorrected AnswerResult = "corrected"
)

// CacheHit is how much of a prompt a provider read from its cache.
type CacheHit string

// The cache hits: all of it, some, none.
const (
	FullHit    CacheHit = "FULL_HIT"
	PartialHit CacheHit = "PARTIAL_HIT"
	CacheMiss  CacheHit = "MISS"
)

// CacheHit returns how much of the prompt came from a cache, "" if that was not reported.
func (r OutcomeReport) CacheHit() CacheHit {
	switch {
	case r.PromptTokens == nil || r.CachedTokens == nil:
		return ""
	case *r.CachedTokens == 0:
		return CacheMiss
	case *r.CachedTokens < *r.PromptTokens:
		return PartialHit
	}
	return FullHit
}
