// Package blocking computes the keys under which similar entities meet, so that few pairs need to be compared.
//
// Input is a name, a description or attributes; output is lossy keys: words, their deletion neighbourhoods, phonetic
// codes, initials, trigrams, identifiers, dates of birth, house and street. The keys propose candidates and decide
// nothing.
//
// Source: Fellegi and Sunter, A theory for record linkage (JASA 1969), section on blocking; Garbe, Symmetric Delete
// spelling correction.
package blocking
