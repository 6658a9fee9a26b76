package similarity

import "strings"

// Which variant of a product a name means: a standard edition is not the professional one, an upgrade not the whole,
// and the black one not the white. Each line is a group of words that exclude each other, each with its spellings.
const editionLines = "tier standard=std professional=pro=prof premium deluxe=dlx ultimate enterprise home basic " +
	"lite=light extended platinum starter express plus\n" +
	"licence upgrade=upg=upgrd=upsell academic=student=teacher=educational=education=edu oem subscription trial\n" +
	"platform mac=macintosh=osx windows=win=pc linux\n" +
	"colour black=blk white=wht red blue green pink silver gold grey=gray yellow orange purple brown beige\n"

// edition is a word of an edition: its group and its number there.
type edition struct{ group, word uint8 }

// editionGroups is the number of groups.
const editionGroups = 4

// editions lists the words of editions.
var editions = readEditions(editionLines)

func readEditions(lines string) map[string]edition {
	table := map[string]edition{}
	group := uint8(0)
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		for i, w := range strings.Fields(line)[1:] {
			for spelling := range strings.SplitSeq(w, "=") {
				table[spelling] = edition{group, uint8(i)}
			}
		}
		group++
	}
	return table
}

// editionsOf compares the editions that two names of things say.
func editionsOf(l, r *name, v *vector) {
	for g := range editionGroups {
		switch x, y := l.editions[g], r.editions[g]; {
		case x == y:
		case x&y != 0, x == 0, y == 0:
			v[nameEditionMissing]++
		default:
			v[nameEditionDiffers]++
		}
	}
}

// readEditions sets the words of editions and colours among the words of a thing's name.
func (n *name) readEditions() {
	for i := range n.tokens {
		if e, ok := editions[n.tokens[i].text]; ok && len(n.tokens) > 1 {
			n.editions[e.group] |= 1 << e.word
		}
	}
}
