package ingest

import (
	"regexp"
	"strings"
)

// recalling are the words by which somebody refers to what was said before, in a dozen languages. Those that may as
// well tell of the past ("as before", "still") are not among them.
var recalling = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(?:` + strings.Join([]string{
	`(?:as|like) (?:i|we)(?:'ve| have)?(?: already| just| previously)? (?:said|told (?:you|him|her|them|everyone|the team)|mentioned|noted|stated|explained|wrote)`,
	`as (?:already |previously |i'?ve )?(?:said|mentioned|noted|stated|discussed) (?:before|earlier|above|previously|already|last (?:week|month|time))`,
	`as (?:\pL[\pL.'-]* ){1,3}(?:said|told (?:me|us|you)|mentioned|noted|stated|wrote) (?:before|earlier|previously|already|yesterday|last (?:week|month|time|year))`,
	`as (?:already|previously) (?:said|mentioned|noted|stated|discussed)`,
	`as (?:said|mentioned|stated|noted) ?[,:]`,
	`as (?:you|we all) (?:(?:already|all) )?know`,
	`(?:just )?(?:to repeat|to reiterate|repeating|reiterating)(?: myself| what i said)? ?[,:]`,
	`wie (?:(?:schon|bereits|oben|vorhin) )?(?:gesagt|erwähnt|besprochen)`,
	`wie ich (?:(?:schon|bereits|dir|ihnen|euch) )*(?:sagte|erwähnte|gesagt habe|erwähnt habe)`,
	`wie (?:du|ihr|sie) (?:(?:ja|schon|bereits) )*(?:weißt|wisst|wissen)`,
	`comme (?:je l'ai|on l'a|je vous l'ai|je te l'ai) (?:déjà )?(?:dit|mentionné)`, `comme (?:dit|mentionné|indiqué) (?:plus haut|précédemment|avant|auparavant)`,
	`comme (?:tu le sais|vous le savez)`, `como (?:ya )?(?:te |le |les |os )?(?:dije|mencioné|he dicho|comenté)`, `como (?:ya )?(?:sabes|saben|sabéis)`,
	`como (?:já |eu )*(?:te )?(?:disse|mencionei|falei)`, `como (?:você )?(?:já )?sabe`, `come (?:ho )?(?:già )?(?:detto|dicevo|accennato)`, `come (?:già )?(?:sai|sapete)`,
	`zoals (?:ik )?(?:al |eerder |je )*(?:zei|gezegd|vermeld)`, `zoals (?:je|jullie|u) (?:al )?weet`, `som (?:jeg|jag) (?:allerede |redan )?(?:sa|sagde|nevnte|nævnte)`,
	`som (?:nevnt|nævnt|nämnt|sagt)`, `jak (?:już )?(?:mówił[ea]m|wspomniał[ea]m|wspominał[ea]m)`, `как я (?:уже )?(?:говорил|сказал|упоминал)а?`, `как (?:вы|ты) (?:уже )?знае(?:те|шь)`,
}, `|`) + `)(?:$|[^\pL\pN])`)

// recallingCJK are those of languages that put no space between words.
var recallingCJK = []string{
	"前にも言った", "前に言った", "先ほど言った", "先ほど申し", "如前所述", "我说过", "我說過", "正如我所说",
	"말했듯이", "말씀드렸듯이", "아시다시피",
}

// sentence is what ends with a full stop, an exclamation or question mark, or a line.
var sentence = regexp.MustCompile(`[.!?]+(?:\s+|$)|[。！？\n]+`)

// recalls reports whether a text says of a value that it was said before: "As I said, it is Oslo." Of a text of several
// sentences the one that says so has to have the value in it.
func recalls(text, value string) bool {
	if !refersBack(spaced(text)) {
		return false // nor does any of its sentences
	}
	var list []string
	for _, s := range sentence.Split(text, -1) {
		if s = strings.TrimSpace(s); s != "" {
			list = append(list, spaced(s))
		}
	}
	for _, s := range list {
		if refersBack(s) && (len(list) == 1 || value != "" && strings.Contains(strings.ToLower(s), strings.ToLower(value))) {
			return true
		}
	}
	return false
}

// spaced returns a text with one space between words and plain apostrophes.
func spaced(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "’", "'")
}

// refersBack reports whether a sentence refers to what was said before.
func refersBack(s string) bool {
	if recalling.MatchString(s) {
		return true
	}
	for _, w := range recallingCJK {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
