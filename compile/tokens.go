package compile

import (
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"

	"tenure/cache"
)

// Counter counts the tokens of a text. It is safe for concurrent use.
type Counter interface {
	Count(content string) int
}

// A Tokens caches at most cachedPieces counts, of texts of at most cachedBytes bytes; a full cache is
// emptied.
const (
	cachedPieces = 1 << 16
	cachedBytes  = 512
)

// Tokens counts in o200k_base. The vocabulary is loaded at the first count. Use NewTokens: the zero Tokens is
// not usable.
//
// ASCII text is cut into the pieces that the encoding never merges across, and the count of each piece is
// cached; other text is cached whole. The counts of the last few thousand lines are cached, too: a context is counted
// line by line, by zone and whole.
type Tokens struct {
	codec func() (tokenizer.Codec, error)
	mu    sync.RWMutex
	known map[string]int
	lines *cache.Cache[string, int]
}

// cachedLines bounds the bytes of the lines in each half of their cache.
const cachedLines = 1 << 20

// NewTokens makes a counter for o200k_base.
func NewTokens() *Tokens {
	return &Tokens{
		codec: sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) }),
		known: map[string]int{},
		lines: cache.New[string, int](cachedLines),
	}
}

// Count is exact for o200k_base with special tokens taken as plain text. If the encoding cannot be loaded or
// fails, it returns the number of bytes, an upper bound.
func (t *Tokens) Count(content string) int {
	sum := 0
	for rest := content; rest != ""; {
		n := chunkLen(rest)
		sum += t.countChunk(rest[:n])
		rest = rest[n:]
	}
	return sum
}

// countChunk counts lines that the encoding never merges with others.
func (t *Tokens) countChunk(content string) int {
	if !isASCII(content) {
		return t.remembered(content)
	}
	line, broken := strings.CutSuffix(content, "\n")
	if broken && line != "" && (isLetter(line[len(line)-1]) || isDigit(line[len(line)-1])) {
		return t.countLine(line) + 1 // the break is a token of its own
	}
	return t.countLine(content)
}

// countLine counts a short text once.
func (t *Tokens) countLine(content string) int {
	if len(content) > cachedBytes {
		return t.countASCII(content)
	}
	n, ok := t.lines.Get(content)
	if !ok {
		n = t.countASCII(content)
		t.lines.Put(strings.Clone(content), n, len(content))
	}
	return n
}

// chunkLen returns the length of the lines before the next line that starts with an ASCII letter: the
// encoding never merges across such a line break.
func chunkLen(s string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '\n')
		if i < 0 || from+i+1 == len(s) {
			return len(s)
		}
		from += i + 1
		if isLetter(s[from]) {
			return from
		}
	}
}

func (t *Tokens) countASCII(content string) int {
	sum := 0
	var unknown []string
	t.mu.RLock()
	for rest := content; rest != ""; {
		n := pieceLen(rest)
		if c, ok := t.known[rest[:n]]; ok {
			sum += c
		} else {
			unknown = append(unknown, rest[:n])
		}
		rest = rest[n:]
	}
	t.mu.RUnlock()
	for _, piece := range unknown {
		sum += t.remember(piece)
	}
	return sum
}

func (t *Tokens) remembered(content string) int {
	t.mu.RLock()
	n, ok := t.known[content]
	t.mu.RUnlock()
	if ok {
		return n
	}
	return t.remember(content)
}

func (t *Tokens) remember(content string) int {
	codec, err := t.codec()
	if err != nil {
		return len(content)
	}
	n, err := codec.Count(content)
	if err != nil {
		return len(content)
	}
	if len(content) <= cachedBytes {
		t.mu.Lock()
		if len(t.known) >= cachedPieces {
			t.known = make(map[string]int, cachedPieces)
		}
		t.known[strings.Clone(content)] = n
		t.mu.Unlock()
	}
	return n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// pieceLen returns the length of the first match of o200k_base's split pattern in ASCII text. It tries the
// alternatives in the pattern's order.
func pieceLen(s string) int {
	if n := wordLen(s); n > 0 {
		return n
	}
	if n := span(s, isDigit); n > 0 {
		return min(n, 3)
	}
	if n := punctuationLen(s); n > 0 {
		return n
	}
	blank := span(s, isBlank)
	if i := strings.LastIndexAny(s[:blank], "\r\n"); i >= 0 {
		return i + 1
	}
	if blank < len(s) && blank > 1 {
		return blank - 1 // the last blank belongs to the next piece
	}
	return blank
}

// wordLen: [^\r\n\p{L}\p{N}]?\p{Lu}*\p{Ll}+('s|…)? or [^\r\n\p{L}\p{N}]?\p{Lu}+\p{Ll}*('s|…)?
func wordLen(s string) int {
	n := 0
	if c := s[0]; !isLetter(c) && !isDigit(c) && c != '\r' && c != '\n' {
		n = 1
	}
	letters := span(s[n:], isUpper)
	letters += span(s[n+letters:], isLower)
	if letters == 0 {
		return 0
	}
	n += letters
	for _, suffix := range []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if len(s) >= n+len(suffix) && strings.EqualFold(s[n:n+len(suffix)], suffix) {
			return n + len(suffix)
		}
	}
	return n
}

// punctuationLen: " ?[^\s\p{L}\p{N}]+[\r\n/]*"
func punctuationLen(s string) int {
	n := 0
	if s[0] == ' ' {
		n = 1
	}
	marks := span(s[n:], func(c byte) bool { return !isBlank(c) && !isLetter(c) && !isDigit(c) })
	if marks == 0 {
		return 0
	}
	n += marks
	return n + span(s[n:], func(c byte) bool { return c == '\r' || c == '\n' || c == '/' })
}

func span(s string, in func(byte) bool) int {
	for i := range len(s) {
		if !in(s[i]) {
			return i
		}
	}
	return len(s)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return isUpper(c) || isLower(c) }

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
