package statements_test

import (
	"fmt"
	"strings"
	"testing"

	"tenure/statements"
)

// texts are a short message, a long mail and what is no prose, each repeated to about a size.
var texts = map[string]string{
	"chat":   "just fix the map. launch city is Namur these days\n",
	"mail":   "Dear all, with the leave now confirmed, Ruth Oyelaran will be on call for Magpie with effect from Monday 9 March, and I should be obliged if you would update any notes you keep. ",
	"noend":  "the and of it is in a code for ",
	"base64": "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCBieSB0aGlz",
	"log":    "2026-03-02T09:10:00Z INFO [worker-3] GET /v1/x?y=1 200 12ms bytes=5123\n",
	"table":  "| 1 | 2,50 | foo | 3.4.1 | 12:30 | € 5 |\n",
	"quotes": "'\"«„‘`",
	"apos":   "'s's's 's its ",
	"digits": "one two three 4 5 6 7,8,9 from 3 to 4 not 5 but 6, ",
	"marks":  "->:=,--..??!!()",
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"chat", "mail", "noend", "base64", "log", "table", "quotes", "apos", "digits", "marks"} {
		for _, size := range []int{1 << 10, 1 << 18} {
			text := strings.Repeat(texts[name], size/len(texts[name])+1)[:size]
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) {
				for b.Loop() {
					statements.Read(statements.Turn{Text: text, At: 1}, nil)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size>>10), "ns/KB")
			})
		}
	}
}
