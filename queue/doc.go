// Package queue holds what the queues of questions have in common, reviews and quarantine cases.
//
// In comes a question with its lease or its history; out goes the next lease, the next history, or the refusal. The
// rules are who may work on a question at a time, and how much of its history it carries.
package queue
