package passages

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"tenure"
)

// level says what begins at a boundary: the greater, the better a place to cut.
type level int

const (
	word level = iota
	sentence
	paragraph
	section
)

// boundary is a place where a text may be cut. White space up to the end of a line belongs to what is before it, blanks
// at the beginning of a line or between words to what follows: so do the tokens.
type boundary struct {
	at    int
	level level
	// path are the headings above what begins there.
	path []string
}

// boundariesOf lists the boundaries of a text, its beginning and its end among them.
func boundariesOf(text string, media tenure.MediaType) []boundary {
	var list []boundary
	for _, b := range blocksOf(text, media) {
		list = b.boundaries(list, text)
	}
	return append(list, boundary{at: len(text), level: section})
}

// boundaries adds those of a block. The first is the beginning of the block.
func (b block) boundaries(list []boundary, text string) []boundary {
	part := text[b.from:b.until]
	ends := b.sentences(part)
	add := func(at int, l level) { list = append(list, boundary{b.from + at, l, b.path}) }
	add(0, b.level)
	for i := skipSpace(part, 0); i < len(part); {
		start := i
		i = wordEnd(part, i)
		for len(ends) > 0 && ends[0] < i { // a script without blanks
			if ends[0] > start {
				add(ends[0], sentence)
			}
			ends = ends[1:]
		}
		next := skipSpace(part, i)
		if next == len(part) {
			break
		}
		at, l := i, word
		if line := strings.LastIndexByte(part[i:next], '\n'); line >= 0 {
			at = i + line + 1
		}
		for len(ends) > 0 && ends[0] <= next {
			l, ends = sentence, ends[1:]
		}
		add(at, l)
		i = next
	}
	return list
}

func wordEnd(s string, from int) int {
	if n := strings.IndexFunc(s[from:], unicode.IsSpace); n >= 0 {
		return from + n
	}
	return len(s)
}

func skipSpace(s string, from int) int {
	return len(s) - len(strings.TrimLeftFunc(s[from:], unicode.IsSpace))
}

// sentences lists where the sentences of a block end, in bytes from its beginning. A line of a list or of code is one;
// the lines of other paragraphs are as if they were one line.
func (b block) sentences(part string) (ends []int) {
	joined := []byte(part)
	for i, c := range joined {
		if c == '\r' || c == '\n' && !b.code && !isItem(part[i+1:]) {
			joined[i] = ' '
		}
	}
	plain(joined)
	for tokens := sentences.FromBytes(joined); tokens.Next(); {
		ends = append(ends, tokens.End())
	}
	return ends
}

// mostMarks bounds the marks in a row that are looked at: the rules look back over all of them at each.
const mostMarks = 20

// plain replaces further marks in a row by letters.
func plain(text []byte) {
	marks := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if marks++; unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) {
			marks = 0
		}
		if marks > mostMarks {
			copy(text[i:i+n], "aaaa")
		}
		i += n
	}
}

// isItem reports whether a line is an item of a list or a row of a table.
func isItem(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if line == "" {
		return false
	}
	if strings.IndexByte("-*+|>", line[0]) >= 0 {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < len(line) && strings.IndexByte(".)", line[digits]) >= 0
}

// block is a paragraph, a heading, or a run of lines of code, with the white space after it.
type block struct {
	from, until int
	level       level
	path        []string
	code        bool
}

// longestHeading bounds a heading in a path, in characters.
const longestHeading = 120

// reader reads the blocks of a text line by line.
type reader struct {
	blocks []block
	path   [6]string
	fence  string // that closes the code that is being read
	blank  bool   // the line before was blank
}

// blocksOf divides a text into blocks. Headings are read in Markdown alone: those that begin with "#", and those that
// are underlined, outside of fenced code.
func blocksOf(text string, media tenure.MediaType) []block {
	r := &reader{blank: true}
	at := 0
	for line := range strings.Lines(text) {
		r.line(text, at, strings.TrimSpace(line), media == tenure.Markdown)
		at += len(line)
	}
	if len(r.blocks) == 0 {
		r.begin(0, paragraph)
	}
	r.blocks[0].from = 0
	for i := range r.blocks {
		r.blocks[i].until = len(text)
		if i+1 < len(r.blocks) {
			r.blocks[i].until = r.blocks[i+1].from
		}
	}
	return r.blocks
}

func (r *reader) line(text string, at int, line string, markdown bool) {
	switch {
	case line == "":
		r.blank = true
		return
	case r.fence != "":
		r.inCode(at, line)
		return
	case markdown && r.marked(text, at, line):
		return
	case r.blank:
		r.begin(at, paragraph)
	}
	r.blank = false
}

// inCode reads a line of fenced code, or the one that ends it.
func (r *reader) inCode(at int, line string) {
	if r.blank {
		r.begin(at, paragraph)
		r.blocks[len(r.blocks)-1].code = true
	}
	fence := fenceOf(line)
	if r.blank = fence == line && strings.HasPrefix(fence, r.fence); r.blank { // what follows is a paragraph of its own
		r.fence = ""
	}
}

// marked reads a line that begins fenced code or is a heading, and reports whether it is one.
func (r *reader) marked(text string, at int, line string) bool {
	if fence := fenceOf(line); fence != "" {
		r.begin(at, paragraph)
		r.blocks[len(r.blocks)-1].code, r.fence, r.blank = true, fence, false
		return true
	}
	if depth, title := headingOf(line); depth > 0 {
		r.head(depth, title)
		r.begin(at, section)
		r.blank = true
		return true
	}
	return r.underlined(text, at, line)
}

// underlined makes the line before a heading if the line underlines it, and reports whether it does.
func (r *reader) underlined(text string, at int, line string) bool {
	depth := underlineOf(line)
	if depth == 0 || r.blank {
		return false
	}
	b := &r.blocks[len(r.blocks)-1]
	if b.level != paragraph || b.code || !oneLine(text[b.from:at]) {
		return false
	}
	r.head(depth, strings.TrimSpace(text[b.from:at]))
	b.level, b.path, r.blank = section, r.headings(), true
	return true
}

func (r *reader) begin(at int, l level) {
	r.blocks = append(r.blocks, block{from: at, level: l, path: r.headings()})
}

// head enters a heading, and leaves those of its depth and below.
func (r *reader) head(depth int, title string) {
	for i := depth - 1; i < len(r.path); i++ {
		r.path[i] = ""
	}
	r.path[depth-1] = short(title)
}

func (r *reader) headings() (list []string) {
	for _, title := range r.path {
		if title != "" {
			list = append(list, title)
		}
	}
	return list
}

// short cuts a heading to its first words.
func short(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	if utf8.RuneCountInString(title) <= longestHeading {
		return title
	}
	cut := string([]rune(title)[:longestHeading])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut
}

// headingOf returns the depth and the title of a heading that begins with "#", depth 0 for another line.
func headingOf(line string) (depth int, title string) {
	rest := strings.TrimLeft(line, "#")
	depth = len(line) - len(rest)
	if depth > 6 || depth > 0 && rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(rest)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return depth, title
}

// underlineOf returns the depth of the heading that a line underlines, 0 for another line.
func underlineOf(line string) int {
	switch {
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// fenceOf returns the marks with which a line begins or ends fenced code, "" for another line.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

func oneLine(s string) bool { return strings.Count(strings.TrimRight(s, "\r\n"), "\n") == 0 }
