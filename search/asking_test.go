package search

import "testing"

func TestAQuestionAboutHowThingsAreIsNoTask(t *testing.T) {
	for query, want := range map[string]bool{
		"What did we decide?": true, "which vendor do we take": true, "Can it be approved?": true, "is it approved": true,
		"How many are left?": true, "How is it going?": true, "How did we pay for the boat?": true, "Wann ist Abgabe?": true,
		"Do they know?": true, "Do you know when it is?": true, "until when does it run": true, "订单何时到": true,
		"Tell me the price": true, "Can you look up the order?": true, "Could you explain the debt?": true,
		"Remind me what we owe": true, "Hi, could you show me our plan?": true, "How should we pay him?": true,
		"Write a poem": false, "Could you write a poem?": false, "Would you book a table?": false,
		"Hi, could you write a poem?": false, "Thanks. How do I restart the server?": false,
		"How do I restart the server?": false, "How to restart it?": false, "How can we export this?": false,
		"Explain how to restart the server": false, "Tell me how to restart it": false, "Tell me a joke": false,
		"Remind me to call the dentist": false, "Find the bug in this function": false, "Check the grammar of this": false,
		"Translate what she wrote": false, "Comment on this": false, "Kannst du mir ein Gedicht schreiben?": false,
		"Peux-tu me réserver un billet ?": false, "¿Puedes escribir un poema?": false, "": false,
	} {
		if got := AskingOf(query).Question; got != want {
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
		if got := AskingOf(query); got != want {
			t.Errorf("%s: %+v", query, got)
		}
	}
}
