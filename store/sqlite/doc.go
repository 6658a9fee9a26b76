// Package sqlite keeps a store in one SQLite file.
//
// In come change sets, out go the states that they make. One connection
// writes, behind a lock, and each call to Apply is one transaction that begins
// as a writer; a bounded pool reads. What changes is kept in versions with a
// window of transaction time, so a view is no more than a number and a time:
// it holds no transaction open, and it costs nothing to keep one.
//
// Values that a reader returns are shared with other readers: who wants to
// change a list inside one copies it first.
package sqlite
