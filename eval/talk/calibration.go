package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	talk "tenure/eval/talk/conversation"
)

// claimed is a new value that the service took over from a turn, with how sure it was.
type claimed struct {
	of         *conversation
	value      string
	confidence float64
}

// right reports whether a question of the conversation wants the value, and whether any wants or refuses it.
func (c claimed) right() (right, judged bool) {
	asked := func(phrases func(*ask) []string) bool {
		return slices.ContainsFunc(c.of.Asks, func(a ask) bool {
			return slices.ContainsFunc(phrases(&a), func(p string) bool { return talk.Contains(c.value, p) })
		})
	}
	wrong, right := asked(func(a *ask) []string { return a.MustNot }), asked(func(a *ask) []string { return a.Must })
	return right && !wrong, right || wrong
}

// showCalibration prints how many of the values that were taken over are right, by how sure the service was of them.
func showCalibration(w io.Writer, engine string, list []claimed) {
	const bins = 5
	var right, all [bins]int
	for _, c := range list {
		ok, judged := c.right()
		if !judged {
			continue
		}
		bin := min(bins-1, int(c.confidence*bins))
		all[bin]++
		if ok {
			right[bin]++
		}
	}
	var parts []string
	for i, n := range all {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%.1f to %.1f: %s of %d", float64(i)/bins, float64(i+1)/bins, ratio(right[i], n), n))
		}
	}
	fmt.Fprintf(w, "%s: new values taken over that are right, by confidence: %s\n", engine, strings.Join(parts, "; "))
}
