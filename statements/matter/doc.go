// Package matter says whether two sentences disagree about one matter, where what somebody holds is a sentence and not
// a value: a limit and an amount beyond it, two limits, the time that something takes and an earlier date by which it
// is to be done, going on with a thing and stopping it, a choice and another in its place.
//
// It reads closed classes of words and typed values, in English. Two sentences that merely share words do not disagree:
// what limits an amount has to be about what the amount is of, and every word that narrows the limit has to be met.
package matter
