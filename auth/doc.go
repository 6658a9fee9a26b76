// Package auth tells who calls, and what they may do.
//
// In comes an API key; out goes the [tenure.Caller] that it speaks for, or
// Unauthenticated. The rules here are those of credentials: how a key is made
// and kept (its secret only as a hash), how soon a revoked one stops, and what
// a caller may claim ([CheckAuthority], [Bind]) and see ([Sees]).
package auth
