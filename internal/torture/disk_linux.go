package torture

import "golang.org/x/sys/unix"

// limitFiles bounds the size of the files that a process writes; beyond it a write fails as on a full disk. Nothing is
// bounded where size is negative.
func limitFiles(pid int, size int64) error {
	limit := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	if size >= 0 {
		limit.Cur = uint64(size)
	}
	return unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil)
}
