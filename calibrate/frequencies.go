package calibrate

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenure/similarity"
)

const (
	// LeastNames is the least number of names of a class for which the frequencies of a collection count.
	LeastNames = 300
	// leastCount is the least count of a word in a table, so that a table lists common words and reveals no
	// rare name in the data.
	leastCount = 5
	// unseen is the information content, in log units, of a word in fewer than one name of ten thousand.
	unseen = 9.5
)

// Collection counts the words of names of one class in one registry.
type Collection struct {
	Names  int
	counts map[string]int
}

// Add counts the words of a name of an entity type.
func (c *Collection) Add(spelling, typ string) {
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	words := similarity.Tokens(spelling, typ)
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		c.counts[w]++
	}
	c.Names++
}

// table returns the information content of each common word, rounded to quarters.
func (c *Collection) table() map[string]float64 {
	table := map[string]float64{}
	for w, n := range c.counts {
		if n >= leastCount && w != "" && !strings.ContainsAny(w, " \n") {
			table[w] = max(math.Round(-4*math.Log(float64(n)/float64(c.Names)))/4, 0.25)
		}
	}
	return table
}

// Frequencies merges collections into the former tables, if there are any: each word gets the highest
// frequency that a table or a collection gives. Collections of fewer than [LeastNames] names are ignored.
func Frequencies(before similarity.FrequencyFile, collections ...*Collection) (similarity.FrequencyFile, error) {
	info, err := before.Table()
	if err != nil {
		return before, err
	}
	for _, c := range collections {
		if c.Names < LeastNames {
			continue
		}
		for w, v := range c.table() {
			if old, ok := info[w]; !ok || v < old {
				info[w] = v
			}
		}
	}
	by := map[string][]string{}
	for w, v := range info {
		if v < unseen {
			k := strconv.FormatFloat(v, 'g', -1, 64)
			by[k] = append(by[k], w)
		}
	}
	f := similarity.FrequencyFile{Unseen: unseen, Words: map[string]string{}}
	for k, words := range by {
		slices.Sort(words)
		f.Words[k] = strings.Join(words, " ")
	}
	return f, nil
}
