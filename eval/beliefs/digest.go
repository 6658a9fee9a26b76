package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// digests compares the answers of two engines to the same requests, timeline by timeline, without ids and the
// server's clock (run.py). It prints the SHA-256 of each file of timelines and the first difference.
func digests(w io.Writer, runs []result) (same bool, err error) {
	fmt.Fprintln(w, "\ndigests: every answer, ids named in order of appearance, the server's clock blank")
	streams := make([]map[string][][]byte, len(runs))
	for i, r := range runs {
		if streams[i], err = readStreams(r.Stream); err != nil {
			return false, err
		}
	}
	same = true
	splits := map[string]bool{}
	for _, s := range streams {
		for split := range s {
			splits[split] = true
		}
	}
	for _, split := range slices.Sorted(maps.Keys(splits)) {
		for i, r := range runs {
			s := streams[i][split]
			fmt.Fprintf(w, "%s  %s %s, %d timelines, %d bytes\n", digest(s), split, r.Engine, len(s), size(s))
		}
		a, b := streams[0][split], streams[1][split]
		same = same && len(a) == len(b)
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i], b[i]) {
				same = false
				showDifference(w, split, runs, a[i], b[i])
				break
			}
		}
	}
	if same {
		fmt.Fprintln(w, "pass  both engines answered the same")
	} else {
		fmt.Fprintln(w, "FAIL  the engines differ")
	}
	return same, nil
}

func digest(lines [][]byte) string {
	h := sha256.New()
	for _, l := range lines {
		h.Write(l)
		h.Write([]byte("\n"))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func size(lines [][]byte) (n int) {
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

// readStreams reads tab-separated lines of "file, timeline, answers", grouped by file and without the file
// name.
func readStreams(path string) (map[string][][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	found := map[string][][]byte{}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if split, rest, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t")); ok {
			found[string(split)] = append(found[string(split)], rest)
		}
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// showDifference prints the first difference of two lines, with some context.
func showDifference(w io.Writer, split string, runs []result, a, b []byte) {
	const before, after = 300, 300
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	name, _, _ := bytes.Cut(a, []byte("\t"))
	fmt.Fprintf(w, "first difference in %s: timeline %s, byte %d\n", split, name, at)
	for i, line := range [][]byte{a, b} {
		fmt.Fprintf(w, "  %s: ...%s\n", runs[i].Engine, line[max(0, at-before):min(len(line), at+after)])
	}
}
