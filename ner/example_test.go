package ner_test

import (
	"context"
	"fmt"

	"tenure/ner"
	"tenure/ner/alias"
)

func Example() {
	registry := alias.NewDictionary()
	registry.Set("01890a5d-ac96-774b-bcce-b302099a8057", ner.System, "apollo", "tripwire-svc")

	text := "Bongani Zulu restarted tripwire-svc, see OPS-12. Zulu told the on-call engineer."
	found, err := ner.New().Extract(context.Background(), text, registry.In("apollo"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range found {
		fmt.Println(m.Start, m.End, m.Type, m.Chain, m.Text, m.Entities)
	}
	// Output:
	// 0 12 person 1 Bongani Zulu []
	// 23 35 system 2 tripwire-svc [01890a5d-ac96-774b-bcce-b302099a8057]
	// 41 47 identifier 3 OPS-12 []
	// 49 53 person 1 Zulu []
	// 63 79 role 4 on-call engineer []
}
