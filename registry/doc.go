// Package registry is entity resolution: it decides which entity a mention means, and it keeps and revises those
// decisions.
//
// Input is a mention with its candidates, or a command of a person (answer a review, merge, split, undo);
// output is a decision with its score, reason and changes, put into a transaction of package ledger. Its
// rules: candidates and their priors, the three bands of the decision (match, possible match, non-match),
// survivorship (the profile that mentions make of an entity), re-resolution, clusters and cannot-links, and
// the queue of reviews. How alike two profiles are is the rule of package similarity.
//
// Files by subject: resolve.go and candidates.go decide about a mention; reassess.go, reresolve.go and
// recluster.go re-resolve an entity; merge.go, split.go and identitytxn.go change identities;
// decide_review.go, lease.go, queue.go and priority.go are the reviews.
//
// Source: Context Architecture, section on the Named Entity Resolution model; Fellegi and Sunter, A theory for record
// linkage (JASA 1969).
package registry
