package matter

import (
	"regexp"
	"strings"
)

// Voice is who says a sentence, as the sentence itself tells at its beginning: "[VP] Victoria (VP Sales): ...". Titles
// are what may tell the rank, the surest first.
type Voice struct {
	Name   string
	Titles []string
}

// Spoken returns the voice that a sentence names at its beginning, and where what it says begins. A voice has a name
// and, in parentheses, a role, both with a capital: "Deal 1 (closed): $5" has none.
func Spoken(s string) (v Voice, from int, ok bool) {
	for _, form := range forms {
		if at := form.FindStringSubmatchIndex(s); at != nil {
			part := func(name string) string {
				if i := form.SubexpIndex(name); i > 0 && at[2*i] >= 0 {
					return s[at[2*i]:at[2*i+1]]
				}
				return ""
			}
			v.Name = part("name")
			for _, title := range []string{part("tag"), part("role"), v.Name} {
				if title != "" {
					v.Titles = append(v.Titles, title)
				}
			}
			return v, at[1], strings.TrimSpace(s[at[1]:]) != ""
		}
	}
	return v, 0, false
}

const (
	nameForm = `(?P<name>\p{Lu}[\pL\pN.'’&-]*(?: [\pL\pN.'’&-]+){0,4})`
	roleForm = `\((?P<role>\p{Lu}[^()\[\]:\n]{1,60})\)`
)

var forms = []*regexp.Regexp{
	regexp.MustCompile(`^\s*\[(?P<tag>[\pL_ -]{2,30})\] ` + nameForm + ` ` + roleForm + `:\s+`),
	regexp.MustCompile(`^\s*\[` + nameForm + ` ` + roleForm + `\]:\s+`),
	regexp.MustCompile(`^\s*` + nameForm + ` ` + roleForm + `:\s+`),
}
