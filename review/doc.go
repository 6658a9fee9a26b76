// Package review carries out what people and agents say of beliefs that are
// already there (that one never held, has ended, still holds, or wins its case)
// and of who is who: the answers to reviews, merges, splits, and the undo of
// each. It keeps the queue of reviews in order, and reads what was answered for
// advice and recalibration.
//
// In come the word and a draft of the store; out goes one change set with the
// amendments and all that follows from them. The rules here are those of who
// may say what: nobody amends what a stronger authority said.
package review
