package lex

import "math/bits"

// Class is a closed class of words and phrases, by what they do in a sentence. A set of classes is a bitset.
type Class uint64

// The classes, with examples. The tables of the languages name them.
const (
	Filler      Class = 1 << iota // um, you know: left out
	Lead                          // well, by the way: leads in
	Pronoun                       // she, this, nobody
	Det                           // the, some, my
	Possessive                    // my, their
	Be                            // is, 's, been
	PastBe                        // was, were
	Have                          // has, 've
	Do                            // does, done
	Modal                         // could, 'll
	Not                           // not, never, nothing
	Prep                          // in, until, per
	Conj                          // and, because, whether
	Split                         // but, although: a clause may begin with it
	Adverb                        // just, already, finally
	Tail                          // these days, please: may end a clause, and says nothing of its value
	Question                      // who, which, any idea
	Inverting                     // does, isn't: stands before the subject of a question
	Request                       // could you, please
	Propose                       // let's, how about
	Suppose                       // if, maybe, would
	Likely                        // i think, probably
	Report                        // apparently, they say
	Say                           // says, thinks, claims
	Authority                     // confirmed, decided
	History                       // used to, formerly
	End                           // no longer, cancelled
	Retract                       // forget that, scrap it
	Correct                       // i meant, typo
	Repair                        // no wait, or rather: puts right what was just said
	Stay                          // stays, as before
	Deny                          // not true, denied
	Will                          // going to, is set to
	From                          // as of, starting on
	Since                         // since, for the last
	Until                         // until, valid through
	Irony                         // yeah right, just kidding
	Now                           // now, from now on
	Yes                           // yes, sounds good
	Assent                        // go ahead, agreed: also decides
	No                            // no, not yet
	Moves                         // moved, raise: verbs of change
	Verb                          // lives, went: verbs in any form
	Infinitive                    // live, run: verbs in the base form
	UnitNoun                      // room, gate: names one with a number or a letter
	Attribute                     // price, owner: names a property
	NumberWord                    // one, seventy
	OrdinalWord                   // first, thirtieth
	Month                         // march, dec
	Weekday                       // friday, tues
	RelativeDay                   // today, tomorrow
	Unit                          // minutes, km: units of measure
	Noun                          // launch, order: may be verbs, too
	Laugh                         // haha
	Refute                        // untrue, not the case: takes back what was said just before
	StateVerb                     // lived, drove: the past form tells that it is over
	Unmade                        // just a thought, not final: takes back what was said as if it were so
	Replaces                      // replaces, steps in for: the new value stands before it
	Yields                        // gives way to, replaced by: the old value stands before it
	StateNoun                     // progress, hold: a state, behind a preposition
	Tag                           // right, or what: makes a question of a statement
	Whether                       // whether, see if
	EndState                      // left, over: ends something, or means something else
)

// Sets of classes.
const (
	// FunctionWord are the classes by which a language is known.
	FunctionWord = Det | Prep | Pronoun | Be | Have | Conj | Not | Modal | Question
	// Aside are the classes of words that only begin or accompany what is said.
	Aside = Lead | Filler | Yes | No
	// Empty are the classes of words that add nothing to what a clause says.
	Empty = FunctionWord | Split | Lead | Filler | Adverb | Now | Tail | Yes | No
)

// ClassOf returns the classes that a folded word has in any language that is read.
func ClassOf(w string) (c Class) {
	for _, lex := range lexicons {
		c |= lex.classOf(w)
	}
	return c
}

// classNames are the classes by their names in the tables.
var classNames = map[string]Class{
	"filler": Filler, "lead": Lead, "pronoun": Pronoun, "det": Det, "possessive": Possessive, "be": Be,
	"past be": PastBe, "have": Have, "do": Do, "modal": Modal, "not": Not, "prep": Prep,
	"conj": Conj, "split": Split, "adverb": Adverb, "tail": Tail, "question": Question, "inverting": Inverting,
	"request": Request, "propose": Propose, "suppose": Suppose, "likely": Likely, "report": Report, "say": Say,
	"authority": Authority, "history": History, "end": End, "retract": Retract, "correct": Correct, "repair": Repair,
	"stay": Stay, "deny": Deny, "will": Will, "from": From, "since": Since, "until": Until, "irony": Irony,
	"now": Now, "yes": Yes, "assent": Assent, "no": No, "moves": Moves,
	"verb": Infinitive, "verb form": Verb, "unit noun": UnitNoun, "attribute": Attribute, "number word": NumberWord,
	"ordinal word": OrdinalWord, "month": Month, "weekday": Weekday, "relative day": RelativeDay, "unit": Unit,
	"noun": Noun, "laugh": Laugh, "refute": Refute, "state verb": StateVerb, "unmade": Unmade,
	"replaces": Replaces, "yields": Yields, "state noun": StateNoun, "tag": Tag, "whether": Whether, "end state": EndState,
}

// titles are the names of the classes, by their bits.
var titles = func() (list [64]string) {
	for name, c := range classNames {
		list[bits.TrailingZeros64(uint64(c))] = name
	}
	return list
}()

// Titles iterates over the names of the classes.
func (c Class) Titles(yield func(string) bool) {
	for ; c != 0; c &= c - 1 {
		if !yield(titles[bits.TrailingZeros64(uint64(c))]) {
			return
		}
	}
}
