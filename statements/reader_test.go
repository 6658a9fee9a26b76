package statements_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tenure"
	"tenure/statements"
)

func TestTimeOf(t *testing.T) {
	said := tenure.At(time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)) // a Wednesday
	for words, want := range map[string]string{
		"3 March 2027": "2027-03-03", "2026-05-01": "2026-05-01", "from 1 May": "2026-05-01", "from Monday": "2026-03-09",
		"tomorrow": "2026-03-05", "as of next week": "2026-03-09", "soon": "", "": "", "the budget": "",
	} {
		got := ""
		if at, ok := statements.TimeOf(words, said); ok {
			got = at.Time().Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is %q, not %q", words, got, want)
		}
	}
	if at, ok := statements.TimeOf("tomorrow", 0); ok {
		t.Errorf("the day after no day is %v", at)
	}
}

func TestRulesTellWhatTheyDoNotRead(t *testing.T) {
	list, err := statements.Rules{}.Statements(context.Background(), statements.Turn{Text: "Проект начинается на следующей неделе, бюджет меньше, чем в прошлом году."}, nil)
	if !errors.Is(err, statements.ErrLanguage) || len(list) != 0 {
		t.Errorf("read %v, %v", list, err)
	}
	if _, err := (statements.Rules{}).Statements(context.Background(), statements.Turn{Text: "Thanks!"}, nil); err != nil {
		t.Errorf("nothing that is said: %v", err)
	}
}
