package ingest

import "testing"

func TestRecalls(t *testing.T) {
	for text, want := range map[string]bool{
		"As I said, Apollo uses MySQL.":                      true,
		"as i've already told you: the office is in Oslo":    true,
		"Like I mentioned, it is Friday.":                    true,
		"Apollo uses MySQL, as mentioned earlier.":           true,
		"As mentioned, it is Friday.":                        true,
		"As Priya said last week, it is on 12 March.":        true,
		"It is Rome, as the head of Ops told us before.":     false,
		"It is Rome, as our lead told us before.":            true,
		"As previously stated the budget is 5k":              true,
		"As you know, Ada leads the team.":                   true,
		"As we all know, Ada leads the team.":                true,
		"To repeat: the launch is on Monday.":                true,
		"Wie gesagt, das Büro ist in Rom.":                   true,
		"Wie ich schon sagte: Rom.":                          true,
		"Comme je l’ai déjà dit, c'est Lyon.":                true,
		"Como ya dije, es Madrid.":                           true,
		"Como você já sabe, é Lisboa.":                       true,
		"Come ho già detto, è Roma.":                         true,
		"Zoals ik al zei: Utrecht.":                          true,
		"Som nevnt er det Oslo.":                             true,
		"Jak już mówiłam, Kraków.":                           true,
		"Как я уже говорил, Москва.":                         true,
		"先ほど言ったように、東京です。":                                    true,
		"Apollo uses MySQL.":                                 false,
		"Ada said the office is in Oslo.":                    false,
		"As Ada said, the office is in Oslo.":                false,
		"The office moved to Oslo, as was said to be likely": false,
		"As before, but with MySQL now.":                     false,
		"I said Rome, but it is Oslo.":                       false,
		"As I see it, the budget is 5k.":                     false,
		"Was I said to be the owner?":                        false,
		"As mentioned in the contract the price is 5":        false,
		"Do you know? As of today it is Oslo.":               false,
		"":                                                   false,
	} {
		if got := recalls(text, ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWhichValueIsRecalled(t *testing.T) {
	const text = "As I said, Apollo uses MySQL. Ada is back in Oslo now."
	for value, want := range map[string]bool{"MySQL": true, "mysql": true, "Oslo": false, "": false} {
		if got := recalls(text, value); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}
