package search

import (
	"testing"

	"tenure/text"
)

// askingOf reads how a query asks. Its first word has a capital like any.
func askingOf(query string) Asking {
	list := wordsOf(query)
	for i := range list {
		list[i].Key = text.Unmarked(list[i].Key)
		list[i].Capital = list[i].Capital && i > 0
	}
	return AskingOf(query, list)
}

func TestAQuestionAboutHowThingsAreIsNoTask(t *testing.T) {
	for query, want := range map[string]bool{
		"What did we decide?": true, "which vendor do we take": true, "Can it be approved?": true, "is it approved": true,
		"How many are left?": true, "How is it going?": true, "How did we pay for the boat?": true, "Wann ist Abgabe?": true,
		"Do they know?": true, "Do you know when it is?": true, "until when does it run": true, "订单何时到": true,
		"Tell me the price": true, "Can you look up the order?": true, "Could you explain the debt?": true,
		"Remind me what we owe": true, "Hi, could you show me our plan?": true, "How should we pay him?": true,
		"Can you please tell me when it is due?": true, "Do you know when it is": true, "do we have a budget": true,
		"Could you give me our budget?": true, "Can you check when we pay the rent?": true, "Find out what we owe": true,
		"Remind me of the code": true, "Tell me who wrote it": true, "cuándo vence el contrato": true,
		"Do the laundry list": false, "Explain this code": false, "Tell me another joke": false,
		"Hi Tenure, could you write a poem?": false, "What would you take?": true,
		"Reply to this mail: Can we meet?": false, "Wie kann ich den Server neu starten?": false,
		"¿Cómo puedo reiniciar el servidor?": false, "Find the bug": false, "Give the dog a name": false,
		"Write a poem": false, "Could you write a poem?": false, "Would you book a table?": false,
		"Hi, could you write a poem?": false, "Thanks. How do I restart the server?": false,
		"How do I restart the server?": false, "How to restart it?": false, "How can we export this?": false,
		"Explain how to restart the server": false, "Tell me how to restart it": false, "Tell me a joke": false,
		"Remind me to call the dentist": false, "Find the bug in this function": false, "Check the grammar of this": false,
		"Translate what she wrote": false, "Comment on this": false, "Kannst du mir ein Gedicht schreiben?": false,
		"Peux-tu me réserver un billet ?": false, "¿Puedes escribir un poema?": false, "": false,
	} {
		if got := askingOf(query).Question; got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

func TestWhatAQueryAsksFor(t *testing.T) {
	for query, want := range map[string]Asking{
		"Where is the key?":                {Question: true, Pointing: true},
		"What is my rent?":                 {Question: true, Own: true},
		"Write my CV":                      {Own: true, All: true},
		"Write a CV of Ann":                {},
		"Tell me who wrote Hamlet":         {Question: true},
		"Tell me what we owe":              {Question: true, Pointing: true},
		"Improve my resume":                {Own: true, All: true},
		"Can you resume my subscription":   {Own: true},
		"A summary of Heron":               {All: true},
		"Which hotels are in Los Angeles?": {Question: true},
		"Why did Caesar die?":              {Question: true},
		"What did MA decide?":              {Question: true},
		"Où est mon sac ?":                 {Question: true, Own: true},
		"我的预算":                             {Question: true, Own: true},
		"Was ist unser Plan?":              {Question: true, Pointing: true},
	} {
		if got := askingOf(query); got != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}
