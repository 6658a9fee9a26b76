package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tenure"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("Ünd so weiter. ", 100)
	for name, c := range map[string]struct{ text, name, want string }{
		"short":        {"Jon Smith moved.", "Jon Smith", "Jon Smith moved."},
		"nothing":      {"", "Jon Smith", ""},
		"other-case":   {long + "JON SMITH moved.", "Jon Smith", "JON SMITH moved."},
		"in-the-midst": {long + "Jon Smith moved. " + long, "Jon Smith", "weiter. Jon Smith moved. Ünd"},
		"not-in-it":    {long + "The end.", "Jon Smith", "Ünd so weiter. Ünd"},
		"no-spaces":    {strings.Repeat("長", 1000) + "山田太郎" + strings.Repeat("長", 1000), "山田太郎", "長山田太郎長"},
		"a-pattern":    {long + "a.*(b moved", "A.*(B", "a.*(b moved"},
		"at-the-start": {"Jon Smith moved. " + long, "Jon Smith", "Jon Smith moved. Ünd"},
	} {
		t.Run(name, func(t *testing.T) {
			got := excerpt(c.text, c.name)
			if !strings.Contains(got, c.want) {
				t.Errorf("%q is not in %q", c.want, got)
			}
			if n := utf8.RuneCountInString(strings.Trim(got, "…")); n > excerptLength || !utf8.ValidString(got) {
				t.Errorf("%d characters: %q", n, got)
			}
			if cut := strings.HasSuffix(got, "…"); cut == strings.HasSuffix(c.text, strings.Trim(got, "…")) && c.text != "" {
				t.Errorf("marked as cut off at its end: %v, %q", cut, got)
			}
		})
	}
}

func TestMergePages(t *testing.T) {
	have := map[tenure.ID][]string{"a": {"1", "4", "5", "7"}, "b": {"2", "4", "6"}, "c": {}}
	const size = 2
	var got []string
	for after := ""; ; {
		page, err := mergePages([]tenure.ID{"a", "b", "c"}, size, func(s string) string { return s }, func(id tenure.ID) ([]string, error) {
			var list []string
			for _, s := range have[id] {
				if s > after && len(list) < size {
					list = append(list, s)
				}
			}
			return list, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, page...)
		if len(page) < size {
			break
		}
		after = page[size-1]
	}
	if text := strings.Join(got, ""); text != "124567" {
		t.Errorf("got %s", text)
	}
	if _, err := mergePages([]tenure.ID{"a"}, size, func(s string) string { return s }, func(tenure.ID) ([]string, error) {
		return nil, tenure.Errorf(tenure.Unavailable, "down")
	}); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("got %v", err)
	}
}
