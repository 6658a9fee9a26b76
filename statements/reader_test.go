package statements_test

import (
	"context"
	"errors"
	"testing"

	"tenure/statements"
)

func TestRulesTellWhatTheyDoNotRead(t *testing.T) {
	list, err := statements.Rules{}.Statements(context.Background(), statements.Turn{Text: "Проект начинается на следующей неделе, бюджет меньше, чем в прошлом году."}, nil)
	if !errors.Is(err, statements.ErrLanguage) || len(list) != 0 {
		t.Errorf("read %v, %v", list, err)
	}
	if _, err := (statements.Rules{}).Statements(context.Background(), statements.Turn{Text: "Thanks!"}, nil); err != nil {
		t.Errorf("nothing that is said: %v", err)
	}
}
