// Package audience says who may see what: which evidence a caller sees, by its label.
//
// Every answer is a function of the evidence that its caller sees (noninterference: Goguen and Meseguer, "Security
// Policies and Security Models", 1982).
package audience
