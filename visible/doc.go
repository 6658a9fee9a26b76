// Package visible shows a state of the store as one caller sees it.
//
// Input is a reader of the whole state and the sight of the caller; output is a reader that answers as if the evidence
// that the caller does not see had never come: what is made of evidence (the roots of entities, the standings of
// beliefs) is made of what is left. What the store found and kept from all of the evidence is returned as it is where
// all of the evidence for it is seen.
//
// Not hidden are the numbers and times of states, the time that an answer takes, and how far candidate generation
// looks where more entities are called alike than it looks at.
package visible
