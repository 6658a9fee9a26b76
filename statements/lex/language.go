package lex

// Language returns the language of a text, "" for one that is not read. Before is that of what was said before, ""
// if it is not known: a text without any word of a language is in that.
func Language(tokens []Token, before string) string {
	var score [4]int
	strange, letters, latin := 0, 0, 0
	for _, t := range tokens {
		if t.Kind != Word {
			continue
		}
		letters++
		if t.Latin {
			latin++
		}
		if foreignWords[t.Low] {
			strange++
		}
		for i, name := range languages {
			if lexicons[name].classOf(t.Low)&FunctionWord != 0 {
				score[i]++
			}
		}
	}
	best := 0
	for i := range score {
		if score[i] > score[best] || score[i] == score[best] && languages[i] == before {
			best = i
		}
	}
	switch {
	case latin*2 < letters, strange >= 2 && strange > score[best]:
		return ""
	case score[best] == 0 && before != "":
		return before
	}
	return languages[best]
}
