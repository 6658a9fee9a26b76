// Package fair lets those who wait go in turn, and not in the order in which they came.
//
// A [Queue] holds items in lines, such as one for each key of a tenant, and takes from the lines round robin. A
// [Semaphore] bounds how much is carried out at once, and has a queue of what waits.
package fair
