// Package sqlite is a store in one SQLite file.
//
// In come change sets, out go the states that they make. One connection writes, behind a lock, and each call
// to Apply is one transaction that begins as a writer; a bounded pool reads. Versions carry a window of
// transaction time, so a view is only a sequence number and a time: it holds no transaction open, and keeping
// it costs nothing.
//
// Values that a reader returns are shared with other readers: a caller must copy a list before changing it.
package sqlite
