package syllables_test

import (
	"slices"
	"strings"
	"testing"

	"tenure/similarity/syllables"
)

func TestMandarin(t *testing.T) {
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{"mao zedong", "mao tse tung", true},
		{"mao zedong", "tse tung mao", true},
		{"deng xiaoping", "teng hsiaoping", true},
		{"zhou enlai", "chou en lai", true},
		{"li ge", "li ko", true},
		{"mao zedong", "mao zemin", false},
		{"li wei", "wei min", false},
		{"john smith", "john smith", false},
		{"wang", "wang", false},
	} {
		x, y := syllables.Mandarin(strings.Fields(c.x)), syllables.Mandarin(strings.Fields(c.y))
		if got := syllables.Same(x, y); got != c.same {
			t.Errorf("%q (%q) and %q (%q): %v", c.x, x, c.y, y, got)
		}
	}
}

func TestKorean(t *testing.T) {
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{"kim jong un", "gim jeong un", true},
		{"kim jongun", "gim jeongun", true},
		{"han yong sik", "han jong sik", false},
		{"ada lovelace", "ada lovelace", false}, // no Korean name
		{"kim", "kim", false},
	} {
		x, y := syllables.Korean(strings.Fields(c.x)), syllables.Korean(strings.Fields(c.y))
		if got := x != nil && slices.Equal(x, y); got != c.same {
			t.Errorf("%q (%q) and %q (%q): %v", c.x, x, c.y, y, got)
		}
	}
}

// TestKoreanFamilies checks which spellings of a name have the same syllables, with the family name united.
func TestKoreanFamilies(t *testing.T) {
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{"lee sang hoon", "yi sanghun", true}, {"rhee min ho", "lee minho", true}, {"park ji young", "pak chiyong", true},
		{"choi dong wook", "choe tonguk", true}, {"lee sang hoon", "kim sanghun", false}, {"lee sang hoon", "yi sangho", false},
		{"john smith", "john smith", false},
	} {
		x, y := syllables.KoreanFamily(strings.Fields(c.x)), syllables.KoreanFamily(strings.Fields(c.y))
		if got := x != nil && slices.Equal(x, y); got != c.same {
			t.Errorf("%q (%q) and %q (%q): %v", c.x, x, c.y, y, got)
		}
	}
}
