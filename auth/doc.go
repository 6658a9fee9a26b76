// Package auth authenticates callers and bounds what they may do.
//
// Input is an API key, or a token for package oidc; output is its [tenure.Caller], or Unauthenticated. Its rules are
// those of credentials: how a key is issued and stored (the secret only as a hash), how soon a revoked key stops
// working, how often one may fail, who may manage which keys ([MayManage]), and what a caller may claim
// ([tenure.Caller.Level], [Bind]).
package auth
