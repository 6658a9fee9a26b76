package passages

import "strings"

// The sizes of a preamble in tokens. It has fewer only where the document says no more, or in words too long for it.
const (
	fewestBefore = 50
	mostBefore   = 100
	// mostNames bounds the title and the headings.
	mostNames = 60
	// joints bounds the tokens that sentences lose with the ends of their lines.
	joints = 10
)

// preamble says where the passage from a boundary on comes from: the title, the headings, and the sentences before it,
// or those that the document begins with.
func (c *cutter) preamble(title string, from int) string {
	names := strings.Fields(strings.Join(append(nonEmpty(title), c.places[from].path...), " > "))
	head := strings.Join(names[:c.fitting(names, mostNames)], " ")
	if head != "" {
		head += "\n"
	}
	room := mostBefore - c.count(head) - 1 // the first word has no blank before it
	words := c.around(from, fewestBefore+joints-c.count(head))
	if from == 0 {
		return strings.TrimSpace(head + strings.Join(words[:c.fitting(words, room)], " "))
	}
	reverse(words)
	words = words[:c.fitting(words, room)]
	reverse(words)
	return strings.TrimSpace(head + strings.Join(words, " "))
}

func nonEmpty(title string) []string {
	if title = strings.TrimSpace(title); title == "" {
		return nil
	}
	return []string{title}
}

// around returns the words of the sentences before a boundary, as many as have some tokens together; at the beginning
// of the text those of the first sentences. It looks no further than the words that a preamble has.
func (c *cutter) around(from, tokens int) []string {
	at, step := from, -1
	if from == 0 {
		step = 1
	}
	for {
		at += step
		low, high := min(at, from), max(at, from)
		size := c.sum[high] - c.sum[low]
		whole := at == 0 || at == len(c.places)-1
		if whole || size >= tokens && (c.places[at].level >= sentence || size > mostBefore) {
			return strings.Fields(c.raw(low, high))
		}
	}
}

// fitting returns how many of the first words have at most some tokens, counted one by one.
func (c *cutter) fitting(words []string, tokens int) int {
	for i, w := range words {
		if tokens -= c.count(" " + w); tokens < 0 {
			return i
		}
	}
	return len(words)
}

func reverse(words []string) {
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
}
