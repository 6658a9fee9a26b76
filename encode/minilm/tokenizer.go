package minilm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of what is read of a text.
const (
	// maxTokens is how many tokens of a text count, with those that frame it: the model was trained on no more.
	maxTokens = 256
	// maxTextBytes is how much of a text is looked at: a token is rarely that long.
	maxTextBytes = 64 * maxTokens
	// maxWord is how many characters a word has at most; a longer one is unknown.
	maxWord = 100
)

// tokenizer splits texts into the tokens that a model of the BERT family knows: words without case and accents, in the
// longest pieces that are in its vocabulary.
type tokenizer struct {
	vocabulary          map[string]int32
	begin, end, unknown int32
	longest             int    // bytes of an entry
	continuation        string // before a piece that does not begin a word
}

// readTokenizer reads a tokenizer.json. It refuses one of another kind.
func readTokenizer(file []byte) (*tokenizer, error) {
	var in struct {
		Normalizer struct {
			Type      string `json:"type"`
			Lowercase bool   `json:"lowercase"`
		} `json:"normalizer"`
		PreTokenizer struct {
			Type string `json:"type"`
		} `json:"pre_tokenizer"`
		Model struct {
			Type       string           `json:"type"`
			Unknown    string           `json:"unk_token"`
			Prefix     string           `json:"continuing_subword_prefix"`
			Vocabulary map[string]int32 `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(file, &in); err != nil {
		return nil, err
	}
	kind := in.Normalizer.Type + " " + in.PreTokenizer.Type + " " + in.Model.Type
	if kind != "BertNormalizer BertPreTokenizer WordPiece" || !in.Normalizer.Lowercase {
		return nil, fmt.Errorf("it is none of an uncased BERT model, but %q", kind)
	}
	t := &tokenizer{vocabulary: in.Model.Vocabulary, continuation: in.Model.Prefix}
	for name, at := range map[string]*int32{"[CLS]": &t.begin, "[SEP]": &t.end, in.Model.Unknown: &t.unknown} {
		id, ok := t.vocabulary[name]
		if !ok {
			return nil, fmt.Errorf("its vocabulary has no %q", name)
		}
		*at = id
	}
	for word, id := range t.vocabulary {
		if id < 0 || int(id) >= len(t.vocabulary) {
			return nil, errors.New("the numbers of its vocabulary have gaps")
		}
		t.longest = max(t.longest, len(word))
	}
	return t, nil
}

// tokens returns the numbers of the tokens of a text, framed. The names of special tokens are no tokens in a text: what
// a text says cannot end it.
func (t *tokenizer) tokens(text string) []int32 {
	if len(text) > maxTextBytes {
		text = text[:maxTextBytes]
		for len(text) > 0 && !utf8.ValidString(text[len(text)-min(utf8.UTFMax, len(text)):]) {
			text = text[:len(text)-1]
		}
	}
	list := []int32{t.begin}
	for word := range strings.FieldsSeq(spaced(text)) {
		if list = t.pieces(plain(word), list); len(list) >= maxTokens-1 {
			list = list[:maxTokens-1]
			break
		}
	}
	return append(list, t.end)
}

// spaced returns a text with spaces around what is a word by itself, without what is not seen.
func spaced(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == ' ':
			b.WriteByte(' ')
		case r == 0 || r == utf8.RuneError || unicode.Is(unicode.C, r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case isIdeograph(r) || isPunctuation(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain returns a word without case and accents.
func plain(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(word)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// pieces appends the longest pieces of a word that the vocabulary has, or the unknown token.
func (t *tokenizer) pieces(word string, list []int32) []int32 {
	if word == "" {
		return list
	}
	if utf8.RuneCountInString(word) > maxWord {
		return append(list, t.unknown)
	}
	before := len(list)
	for from := 0; from < len(word); {
		prefix := ""
		if from > 0 {
			prefix = t.continuation
		}
		until := min(len(word), from+t.longest)
		for ; until > from; until-- {
			if id, ok := t.vocabulary[prefix+word[from:until]]; ok {
				list = append(list, id)
				break
			}
		}
		if until == from {
			return append(list[:before], t.unknown)
		}
		from = until
	}
	return list
}

// isPunctuation reports whether a character is a word by itself: every ASCII character that is neither a letter, a
// digit nor a space, and punctuation of other scripts.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsPunct(r)
}

// ideographs are the blocks of Chinese characters, of which each is a word.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3400, 0x4dbf, 1}, {0x4e00, 0x9fff, 1}, {0xf900, 0xfaff, 1}},
	R32: []unicode.Range32{{0x20000, 0x2a6df, 1}, {0x2a700, 0x2ceaf, 1}, {0x2f800, 0x2fa1f, 1}},
}

func isIdeograph(r rune) bool { return unicode.Is(ideographs, r) }
