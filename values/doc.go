// Package values reads what a value is, and gives the form in which two values are compared.
//
// In: a JSON value as an agent, a person or a tool wrote it. Out: its kind (a number, an amount of money, a date,
// a telephone number, text, ...) and a canonical form that is equal for two spellings of one value and for nothing
// else. The rule that lives here is what counts as a spelling: "15 %" and 0.15, "$1,500" and "1500 USD", "3 Sep 2025"
// and "2025-09-03". What can be read in two ways, as 03/04/2025, is not guessed: it is text, with the reason.
//
// Canonical forms are a projection: they are computed from the JSON whenever they are needed, and [Version] says by
// which rules.
package values
