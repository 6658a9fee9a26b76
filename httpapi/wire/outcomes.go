package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// OutcomeInput converts a report of a compilation.
func OutcomeInput(in api.OutcomeInput) service.OutcomeInput {
	r := tenure.OutcomeReport{
		PromptTokens: in.PromptTokens, CachedTokens: in.CachedTokensRead, Retries: in.Retries,
		Result: tenure.AnswerResult(in.Result), Note: in.Note,
	}
	if in.UsedObjectIds != nil {
		r.Used = NonNil(*in.UsedObjectIds)
	}
	return service.OutcomeInput{OutcomeReport: r, Version: in.Version}
}

// Since converts the parameter since; nil for an absent one.
func Since(text *string) (*tenure.Instant, error) { return instantParameter("since", text) }

// Outcome encodes what was reported of a compilation.
func Outcome(o tenure.CompilationOutcome) api.CompilationOutcome {
	r := o.Report
	out := api.CompilationOutcome{
		TraceId: o.Compilation, CompiledAt: o.CompiledAt.Time(), Version: o.Version, ReportedAt: o.ReportedAt.Time(),
		PromptCacheKey: o.CacheKey, StaticPrefixTokens: o.PrefixTokens, CompiledObjects: o.Compiled,
		PromptTokens: r.PromptTokens, CachedTokensRead: r.CachedTokens, CacheHitStatus: string(r.CacheHit()),
		Retries: r.Retries, Result: string(r.Result), Note: r.Note,
	}
	if r.Used != nil {
		var sums service.OutcomeSums
		sums.Add(o)
		out.UsedObjectIds, out.ContextPrecision = &r.Used, sums.Precision()
	}
	return out
}

// OutcomeStatistics encodes the sums of outcomes.
func OutcomeStatistics(s service.OutcomeStatistics) api.OutcomeStatistics {
	return api.OutcomeStatistics{
		Since: s.Since.Time(), More: s.More, Sums: outcomeSums(s.OutcomeSums), PrefixCount: s.PrefixCount,
		Prefixes: Each(s.Prefixes, func(p service.PrefixSums) api.PrefixStatistics {
			return api.PrefixStatistics{
				PromptCacheKey: p.CacheKey, StaticPrefixTokens: p.PrefixTokens, FirstCompiledAt: p.First.Time(),
				LastCompiledAt: p.Last.Time(), Sums: outcomeSums(p.OutcomeSums),
			}
		}),
	}
}

func outcomeSums(s service.OutcomeSums) api.OutcomeSums {
	out := api.OutcomeSums{
		Compilations: s.Compilations, PromptTokens: s.PromptTokens, CachedTokensRead: s.CachedTokens, Retries: s.Retries,
		UsedObjects: s.Used, CompiledObjects: s.Compiled, ContextPrecision: s.Precision(),
	}
	out.CacheHits.FULLHIT = s.CacheHits[tenure.FullHit]
	out.CacheHits.PARTIALHIT = s.CacheHits[tenure.PartialHit]
	out.CacheHits.MISS = s.CacheHits[tenure.CacheMiss]
	out.Results.Succeeded = s.Results[tenure.AnswerSucceeded]
	out.Results.Failed = s.Results[tenure.AnswerFailed]
	out.Results.Corrected = s.Results[tenure.AnswerCorrected]
	return out
}
