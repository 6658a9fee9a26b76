// Package oidc authenticates people by the tokens of an OpenID Connect issuer, beside the keys of package auth.
//
// Input is a signed JWT; output is its [tenure.Caller], or Unauthenticated. Its rules are which tokens count (signed
// with a key of the issuer, for this audience, within their time) and which claims say what their holder may do. Of a
// claim that says nothing, or nothing that is understood, the holder gets less and never more.
package oidc
