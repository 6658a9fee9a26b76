package measure

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Size returns the total size in bytes of the files that a pattern matches, including those in matched
// folders.
func Size(pattern string) int64 {
	var sum int64
	matches, _ := filepath.Glob(pattern)
	for _, m := range matches {
		_ = filepath.WalkDir(m, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					sum += info.Size()
				}
			}
			return nil
		})
	}
	return sum
}

// Memory returns the current and the peak resident memory of a process in bytes; 0 where /proc is
// unavailable.
func Memory(pid int) (now, peak int64) {
	readStatus(pid, map[string]*int64{"VmRSS:": &now, "VmHWM:": &peak})
	return now, peak
}

// Mapped returns how many bytes of the resident memory of a process are pages of files, which the system takes back
// when memory is short; 0 where /proc is unavailable.
func Mapped(pid int) (now int64) {
	readStatus(pid, map[string]*int64{"RssFile:": &now})
	return now
}

// readStatus reads sizes, in bytes, from the status of a process.
func readStatus(pid int, sizes map[string]*int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		for name, into := range sizes {
			if rest, ok := strings.CutPrefix(line, name); ok {
				kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
				*into = kb << 10
			}
		}
	}
}

// CPU returns the processor time used by a process, 0 where /proc is unavailable.
func CPU(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the process name may contain blanks
	fields := strings.Fields(rest)
	const user, system, tick = 11, 12, 10 * time.Millisecond
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseInt(fields[user], 10, 64)
	s, _ := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(u+s) * tick
}

// Load returns the load average of the last minute.
func Load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, ok := strings.Cut(string(text), " ")
	if !ok {
		return "unknown"
	}
	return first
}
