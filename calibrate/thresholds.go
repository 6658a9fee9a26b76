package calibrate

import (
	"fmt"
	"math"
	"slices"

	"tenure"
	"tenure/registry"
	"tenure/similarity"
)

// Judgment is a person's answer about one candidate of a review: whether it is the same entity, and its score
// when the review asked, at the time Asked.
type Judgment struct {
	Review, Entity, Candidate tenure.ID
	Score                     float64
	Same                      bool
	Model                     string
	Reason                    string
	Asked                     tenure.Instant
}

// JudgmentsIn lists the answers to reviews that were opened because of a score alone. It leaves out reviews
// that a rule demanded (an ambiguous name, a veto), reviews that a score settled, and merges into an entity
// that was no candidate, since they are no evidence about scores.
func JudgmentsIn(reviews []tenure.Review) []Judgment {
	var list []Judgment
	for _, r := range reviews {
		if r.State != tenure.ReviewSettled || r.DecidedBy == registry.ActorReresolver || !registry.FromScore(r.Reason) {
			continue
		}
		is := func(c tenure.Candidate) bool { return r.Decision == registry.DecideMerge && c.Entity == r.Into }
		if r.Decision == registry.DecideMerge && !slices.ContainsFunc(r.Candidates, is) {
			continue
		}
		for _, c := range r.Candidates {
			if c.Veto == "" {
				list = append(list, Judgment{
					Review: r.ID, Entity: r.Entity, Candidate: c.Entity, Score: c.Score, Same: is(c),
					Model: r.Model, Reason: r.Reason, Asked: r.OpenedAt,
				})
			}
		}
	}
	return list
}

// Band is an interval of scores with the answers of people in it.
type Band struct {
	From, Until         float64
	Matches, NonMatches int
	scores              float64 // sum of scores
}

// Answers returns the number of answers.
func (b Band) Answers() int { return b.Matches + b.NonMatches }

// Rate is a proportion with its 95 % confidence interval, all 0 to 1.
type Rate struct{ Rate, Low, High float64 }

// ThresholdReport relates the answers to the thresholds. NonMatchRateAtMerge is the share of non-matches
// at scores of 0.90 and more, MatchRateAtNew the share of matches at scores from 0.70 to 0.75; each is nil with
// too few answers.
type ThresholdReport struct {
	UsableAnswers                       int
	Bands                               []Band
	NonMatchRateAtMerge, MatchRateAtNew *Rate
	Findings                            []string
}

// enough is the least number of answers for a share.
const enough = 20

// edges bound the bands. Most answers have scores between the thresholds.
var edges = []float64{0, similarity.NewAt, 0.75, 0.8, 0.85, 0.9, similarity.MergeAt, math.Nextafter(1, 2)}

// ReportThresholds summarises the answers, with a text that states the period they cover.
func ReportThresholds(answers []Judgment) ThresholdReport {
	a := ThresholdReport{UsableAnswers: len(answers)}
	for i, from := range edges[:len(edges)-1] {
		b := Band{From: from, Until: edges[i+1]}
		for _, x := range answers {
			if x.Score < b.From || x.Score >= b.Until {
				continue
			}
			b.scores += x.Score
			if x.Same {
				b.Matches++
			} else {
				b.NonMatches++
			}
		}
		a.Bands = append(a.Bands, b)
	}
	high, low := a.near(0.9, 1), a.near(similarity.NewAt, 0.75)
	a.NonMatchRateAtMerge, a.MatchRateAtNew = estimate(high.NonMatches, high.Answers()),
		estimate(low.Matches, low.Answers())
	a.Findings = append(a.Findings, a.atMerge(high), a.atNew(low))
	if whole := a.near(0, 1); whole.Answers() >= enough {
		a.Findings = append(a.Findings, "Over all: "+judged(whole)+".")
	}
	return a
}

// near joins the bands between two scores.
func (a ThresholdReport) near(from, until float64) Band {
	joined := Band{From: from, Until: until}
	for _, b := range a.Bands {
		if b.From >= from && b.From < until {
			joined.Matches, joined.NonMatches, joined.scores = joined.Matches+b.Matches, joined.NonMatches+b.NonMatches,
				joined.scores+b.scores
		}
	}
	return joined
}

func (a ThresholdReport) atMerge(b Band) string {
	if a.NonMatchRateAtMerge == nil {
		return fmt.Sprintf("Too few answers at 0.90 or more (%d of %d) to say how good the threshold of 0.95 is.",
			b.Answers(), enough)
	}
	w := *a.NonMatchRateAtMerge
	text := fmt.Sprintf("At 0.90 and more your last %d answers say %s wrong (%s to %s): ", b.Answers(),
		percent(w.Rate), percent(w.Low), percent(w.High))
	switch {
	case w.High <= 1-similarity.MergeAt:
		return text + "what is merged at 0.95 is at least as sure as the threshold asks."
	case w.Low > 0.1:
		return text + "the score is too bold there; recalibrate the model."
	}
	return text + "nothing speaks against the threshold of 0.95."
}

func (a ThresholdReport) atNew(b Band) string {
	if a.MatchRateAtNew == nil {
		return fmt.Sprintf("Too few answers from 0.70 to 0.75 (%d of %d) to say how good the threshold of 0.70 is.",
			b.Answers(), enough)
	}
	w := *a.MatchRateAtNew
	text := fmt.Sprintf("From 0.70 to 0.75 your last %d answers say that %s are the same (%s to %s): ", b.Answers(),
		percent(w.Rate), percent(w.Low), percent(w.High))
	switch {
	case w.Low > 0.75:
		return text + "the score is too timid there, and duplicates may lie under the threshold of 0.70; recalibrate the model."
	case w.High < similarity.NewAt:
		return text + "the score is too bold there, and people are asked more than they need to be; recalibrate the model."
	}
	return text + "nothing speaks against the threshold of 0.70."
}

// judged compares the mean score of a band with the answers of people, in words.
func judged(b Band) string {
	said, s := b.scores/float64(b.Answers()), estimate(b.Matches, b.Answers())
	text := fmt.Sprintf("the scores say that %s are the same, people say %s (%s to %s)", percent(said),
		percent(s.Rate), percent(s.Low), percent(s.High))
	switch {
	case said > s.High:
		return text + ": too bold"
	case said < s.Low:
		return text + ": too timid"
	}
	return text + ": they agree"
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// estimate returns k of n with its Wilson interval (JASA 1927), or nil if n is too small.
func estimate(k, n int) *Rate {
	if n < enough {
		return nil
	}
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return &Rate{p, max(middle-half, 0), min(middle+half, 1)}
}
