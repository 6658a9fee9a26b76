// Package webhook tells a URL of new tasks: cases and reviews that begin to wait for an answer.
//
// In comes the change log of each tenant, by the changefeed; out go signed requests. The rules here are what a new task
// is, how a request is signed, and what becomes of one that is not taken: it is sent again with growing pauses, and
// after some attempts it is a dead letter, which is kept until somebody has it sent again. All of it is on disk, so
// that each task is told at least once. Nothing that writes to the store waits for it.
package webhook
