package compile

import (
	"fmt"
	"slices"
	"strings"

	"tenure"
)

// The outcomes of a belief in a compilation.
const (
	FateCompiled     = "compiled"
	FateOmitted      = "omitted"
	FateQuarantined  = "quarantined"
	FateNotCandidate = "not_a_candidate"
)

// The stages that decide about a belief.
const (
	stageEnvelope    = "envelope"
	stageGate        = "gate"
	stageActivation  = "activation"
	stageTime        = "time"
	stageConflict    = "conflict"
	stageDuplication = "deduplication"
	stageRank        = "rank"
	stageBudget      = "budget"
	stageRetrieval   = "retrieval"
)

// stageOf is the stage that omits for a reason; the others are those of a conflict.
var stageOf = map[string]string{
	reasonIrrelevant: stageActivation, reasonNotYetValid: stageTime, reasonExpired: stageTime, reasonDecayed: stageTime,
	string(tenure.ByEnd): stageTime, string(tenure.ByStart): stageTime, reasonDuplicate: stageDuplication,
	reasonStated: stageDuplication, reasonNotAskedFor: stageRank, reasonBudget: stageBudget,
}

// Fate is what became of a belief or a passage in a compilation: where it is, or which stage left it out, and why.
type Fate struct {
	ObjectID    tenure.ID `json:"object_id"`
	Outcome     string    `json:"outcome"`
	Stage       string    `json:"stage"`
	Explanation string    `json:"explanation"` // one sentence

	Compiled    *CompiledObject    `json:"compiled,omitempty"`
	Omitted     *OmittedObject     `json:"omitted,omitempty"`
	Quarantined *QuarantinedObject `json:"quarantined,omitempty"`
}

// lineOfPassage returns the place of a passage, or of a sentence of it, among the entries of its zone, 0 if it has
// none.
func lineOfPassage(t Trace, id tenure.ID) int {
	for _, p := range t.State.CompiledPassages {
		if p.PassageID == id {
			return p.Line
		}
	}
	for _, p := range t.State.RescuedSubunits {
		if p.PassageID == id {
			return p.Line
		}
	}
	return 0
}

// FateOf finds a belief or a passage in a trace, and reports whether it is there.
func FateOf(t Trace, object tenure.ID) (Fate, bool) {
	f := Fate{ObjectID: object}
	for _, o := range t.State.CompiledObjects {
		if o.ObjectID == object {
			f.Outcome, f.Stage, f.Compiled = FateCompiled, stageEnvelope, &o
			f.Explanation = fmt.Sprintf("It is line %d of the zone %s, as %s.", o.Line, o.Zone, spaced(o.CompiledAs))
			return f, true
		}
	}
	if line := lineOfPassage(t, object); line > 0 {
		f.Outcome, f.Stage = FateCompiled, stageEnvelope
		f.Explanation = fmt.Sprintf("It, or a sentence of it, is entry %d of the zone %s.", line, zoneUntrusted)
		return f, true
	}
	for _, o := range t.State.QuarantinedObjects {
		if o.ObjectID == object {
			f.Outcome, f.Stage, f.Quarantined = FateQuarantined, stageConflict, &o
			f.Explanation = "Another belief contradicts it, and nothing decides between them yet."
			return f, true
		}
	}
	for _, o := range t.State.OmittedObjects {
		if o.ObjectID == object {
			f.Outcome, f.Omitted = FateOmitted, &o
			f.Stage = stageConflict
			if stage := stageOf[o.Reason]; stage != "" {
				f.Stage = stage
			}
			f.Explanation = sentenceOf(o)
			return f, true
		}
	}
	return Fate{}, false
}

// Unread is the fate of a belief that a compilation of a request never looked at, although its caller may see it: a
// gate keeps it out, or nothing leads to it.
func Unread(c *tenure.Claim, caller tenure.Caller, req Request) Fate {
	f := Fate{ObjectID: c.ID, Outcome: FateNotCandidate, Stage: stageGate}
	see := viewerOf(caller, req)
	switch gate := c.Scope.OutsideOf(req.Scope); {
	case !see.sees.Sees(c.Label()):
		f.Explanation = "The gate of roles keeps it out: those that the request states may not see it."
	case gate != "":
		f.Explanation = fmt.Sprintf("The gate of the %s keeps it out: it holds in another one than that of the request.", gate)
	case c.Directs() && fromElsewhere(c, see.hosts):
		f.Explanation = "The gate of the origin keeps it out: a web site says what to do, and no content of that site is " +
			"part of the request."
	default:
		f.Stage = stageRetrieval
		f.Explanation = noCandidate
	}
	return f
}

// noCandidate explains what nothing leads to.
const noCandidate = "It was not read, or is about something of another project: it is about no entity that the query " +
	"names or that a relation reaches, its value and words are not asked for, and it is not in force in the scope."

// UnreadPassage is the fate of a passage that is not in a compilation, although the caller may see it.
func UnreadPassage(id tenure.ID) Fate {
	return Fate{
		ObjectID: id, Outcome: FateNotCandidate, Stage: stageRetrieval,
		Explanation: "It has no word of the query and is not similar to it, others have more of it, it did not fit the " +
			"budget, or its document is of another scope.",
	}
}

// sentences explain the reasons of an omission.
var sentences = map[string]string{
	reasonIrrelevant:  "It does not concern this task: its task types or its condition do not fit.",
	reasonNotAskedFor: "The query asks for something else.",
	reasonNotYetValid: "It holds from a later instant on than the one that was asked about.",
	reasonExpired:     "It held until an earlier instant than the one that was asked about.",
	reasonDecayed:     "It was not confirmed for so long that its confidence fell below its threshold.",
	reasonDuplicate:   "Another object says the same.",
	reasonCoarser:     "Another object says it more exactly.",
	reasonOvertaken:   "It repeats what no longer stands.",
	reasonStated:      "The environment of the request says it.",
	reasonBudget:      "It did not fit the budget.",
	reasonNarrower:    "An object of a narrower scope says otherwise.",
}

func sentenceOf(o OmittedObject) string {
	text := sentences[o.Reason]
	if text == "" {
		text = "It does not stand: " + spaced(o.Reason) + "."
	}
	if o.DisplacedBy != "" {
		text = strings.TrimSuffix(text, ".") + ", by " + string(o.DisplacedBy) + "."
	}
	return text
}

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Differences is how two compilations of one request differ: the lines of the envelope and the objects that only one of
// them has.
type Differences struct {
	Identical    bool        `json:"identical"` // the text, the objects and the status
	OnlyThen     []string    `json:"lines_only_then"`
	OnlyNow      []string    `json:"lines_only_now"`
	ObjectsThen  []tenure.ID `json:"objects_only_then"`
	ObjectsNow   []tenure.ID `json:"objects_only_now"`
	StatusThen   string      `json:"validation_status_then"`
	StatusNow    string      `json:"validation_status_now"`
	EnvelopeSame bool        `json:"envelope_identical"`
}

// Compare returns how two compilations differ.
func Compare(then, now Result) Differences {
	d := Differences{
		EnvelopeSame: then.Envelope.Text == now.Envelope.Text,
		StatusThen:   then.Trace.ValidationStatus, StatusNow: now.Trace.ValidationStatus,
	}
	d.OnlyThen, d.OnlyNow = onlyOne(linesOf(then.Envelope), linesOf(now.Envelope))
	d.ObjectsThen, d.ObjectsNow = onlyOne(idsOf(then.Trace), idsOf(now.Trace))
	d.Identical = d.EnvelopeSame && slices.Equal(idsOf(then.Trace), idsOf(now.Trace)) && d.StatusThen == d.StatusNow
	return d
}

func linesOf(e Envelope) []string { return strings.Split(e.Text, "\n") }

func idsOf(t Trace) (ids []tenure.ID) {
	for _, o := range t.State.CompiledObjects {
		ids = append(ids, o.ObjectID)
	}
	return ids
}

// onlyOne returns what only the first of two lists has, and what only the second has.
func onlyOne[T comparable](a, b []T) (onlyA, onlyB []T) {
	onlyA, onlyB = []T{}, []T{}
	for _, x := range a {
		if !slices.Contains(b, x) {
			onlyA = append(onlyA, x)
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			onlyB = append(onlyB, x)
		}
	}
	return onlyA, onlyB
}
