package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tenure"
	"tenure/chatlog"
	"tenure/service"
	"tenure/service/resolution"
	"tenure/statements/align"
	"tenure/store"
)

// ChatConfig sets the actor and the scope of an import of chats. Told receives what became of each turn, Progress the
// counts after each group of turns; they may be nil.
type ChatConfig struct {
	Caller   tenure.Caller
	Scope    tenure.Scope
	Told     func(ImportedTurn) error
	Progress func(ImportedChats)
}

// TurnOutcome is what became of a turn.
type TurnOutcome string

// What becomes of turns.
const (
	TurnWritten  TurnOutcome = "written"
	TurnReplayed TurnOutcome = "replayed" // it was written before
	TurnRefused  TurnOutcome = "refused"
	TurnLeftOut  TurnOutcome = "left_out" // it is nobody's words
)

// ImportedTurn is what became of a turn, and what its statements did.
type ImportedTurn struct {
	Place        string               `json:"place"`
	Conversation string               `json:"conversation,omitempty"`
	Message      string               `json:"message,omitempty"`
	Outcome      TurnOutcome          `json:"outcome"`
	Reason       string               `json:"reason,omitempty"` // why it was refused or left out
	Late         bool                 `json:"late,omitzero"`    // it came after a newer turn of its conversation
	Observation  tenure.ID            `json:"observation_id,omitempty"`
	Statements   []tenure.Said        `json:"statements,omitempty"`
	Beliefs      []service.Became     `json:"beliefs,omitempty"`
	Warnings     []tenure.WarningCode `json:"warnings,omitempty"`
}

// ImportedChats counts what became of the turns of chats and what they changed. Turns also counts the parts of the
// file that are refused since they cannot be read.
type ImportedChats struct {
	Conversations, Turns, Written, Replayed, Refused, LeftOut, Late int
	// NotRead counts the texts that were written and not read, Cut those of which only the first part was.
	NotRead, Cut int
	// Reasons counts the turns left out by why.
	Reasons map[string]int
	// Statements counts those of the turns written.
	Statements map[StatementKind]int
	// Made, Displaced and Restored count beliefs; Fallen are those made that do not stand.
	Made, Fallen, Displaced, Restored int
	Later                             resolution.Outcomes
}

// StatementKind is an act with what it did.
type StatementKind struct {
	Act    tenure.Act
	Effect tenure.Effect
}

// Did counts the statements with an effect.
func (i ImportedChats) Did(effect tenure.Effect) (n int) {
	for k, count := range i.Statements {
		if k.Effect == effect {
			n += count
		}
	}
	return n
}

// chatGroup is how many turns are read from a file before they are written.
const chatGroup = 64

// The authority level of programs that talk to people: what they say is inferred.
const assistantLevel = 3

// ChatImporter imports the conversations of a file into a tenant through the write path of a service.
type ChatImporter struct {
	*Importer

	cfg    ChatConfig
	before resolution.Outcomes
	sum    ImportedChats
}

// NewChatImporter returns an importer of chats over a service and its store.
func NewChatImporter(s store.Store, svc *service.Service, cfg ChatConfig) *ChatImporter {
	return &ChatImporter{
		Importer: NewImporter(s, svc), cfg: cfg, before: svc.Worker().Outcomes(),
		sum: ImportedChats{Reasons: map[string]int{}, Statements: map[StatementKind]int{}},
	}
}

// Refuse counts and tells a part of the file that cannot be read.
func (m *ChatImporter) Refuse(t chatlog.Turn) error {
	return m.tell(ImportedTurn{Place: t.Place, Outcome: TurnRefused, Reason: t.Fault})
}

// Import writes the turns of a file, conversation by conversation, each as an observation, and waits until entities are
// re-resolved. It is idempotent: a turn that is there is passed over, so that an import can be repeated, also of a file
// that has gone on, and an interrupted import resumes. A turn that is refused does not stop the others.
func (m *ChatImporter) Import(ctx context.Context, log *chatlog.Log) (ImportedChats, error) {
	for _, c := range log.Conversations {
		if err := m.conversation(ctx, log, c); err != nil {
			return m.sum, err
		}
	}
	err := m.settle(ctx, m.cfg.Caller.Tenant)
	m.later()
	return m.sum, err
}

func (m *ChatImporter) later() {
	now := m.service.Worker().Outcomes()
	m.sum.Later = resolution.Outcomes{Merged: now.Merged - m.before.Merged, Opened: now.Opened - m.before.Opened}
}

func (m *ChatImporter) conversation(ctx context.Context, log *chatlog.Log, c *chatlog.Conversation) error {
	m.sum.Conversations++
	known, err := m.turnsThere(ctx, c.ID)
	if err != nil {
		return err
	}
	known.origin = "chat://" + string(log.Format) + "/" + url.PathEscape(c.ID) + "/"
	var group []chatlog.Turn
	for t, err := range log.TurnsOf(c) {
		if err != nil {
			return err
		}
		if group = append(group, t); len(group) == chatGroup {
			if err := m.turns(ctx, c.ID, known, group); err != nil {
				return err
			}
			group = group[:0]
		}
	}
	return m.turns(ctx, c.ID, known, group)
}

// turnsThere are the turns of a conversation that were imported before, by their origins.
type turnsThere struct {
	origin string // of the conversation
	said   map[string]string
	newest tenure.Instant
}

// turnsThere reads the turns of a conversation in the scope of the import.
func (m *ChatImporter) turnsThere(ctx context.Context, thread string) (turnsThere, error) {
	const page = 1000
	there := turnsThere{said: map[string]string{}, newest: tenure.MinTime}
	view, err := m.store.View(ctx, m.cfg.Caller.Tenant, tenure.Present)
	if err != nil {
		return there, err
	}
	q := store.ObservationQuery{
		By: store.ByThread, Name: thread, From: tenure.MinTime, Before: tenure.MaxTime, Limit: page,
	}
	for {
		list, err := view.ListObservations(ctx, q)
		if err != nil {
			return there, err
		}
		for _, rec := range list {
			o := rec.Observation
			q.Before, q.BeforeID = o.ObservedAt, o.ID
			if o.Of == "" && o.Scope.Key() == m.cfg.Scope.Key() {
				there.said[o.Source.Origin] = content(o.ObservedAt, o.Source.Speaker, o.Text)
				there.newest = max(there.newest, o.ObservedAt)
			}
		}
		if len(list) < page {
			return there, nil
		}
	}
}

// content is equal for turns that say the same.
func content(at tenure.Instant, speaker, text string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", at, speaker, text))
	return hex.EncodeToString(sum[:])
}

// maxOrigin bounds the origin of an observation, in bytes.
const maxOrigin = 2000

// turns writes a group of turns of a conversation.
func (m *ChatImporter) turns(ctx context.Context, thread string, known turnsThere, group []chatlog.Turn) error {
	var items []service.BatchItem
	results := make([]ImportedTurn, len(group))
	var places []int // of the items
	for i, t := range group {
		results[i] = ImportedTurn{
			Place: t.Place, Conversation: thread, Message: t.ID, Outcome: TurnRefused, Reason: t.Fault,
		}
		origin := known.origin + url.PathEscape(t.ID)
		said, there := known.said[origin]
		switch {
		case t.Fault != "":
		case t.Skipped != "":
			results[i].Outcome, results[i].Reason = TurnLeftOut, t.Skipped
		case len(origin) > maxOrigin:
			results[i].Reason = "the ids of its conversation and of itself are too long together"
		case there && said == content(t.At, t.Speaker, t.Text):
			results[i].Outcome = TurnReplayed
		case there:
			results[i].Reason = "was imported before with other words, another time or another speaker"
		default:
			results[i].Late = t.Late || t.At < known.newest
			places, items = append(places, i), append(items, m.item(thread, origin, t))
		}
	}
	for i, res := range m.service.ObserveBatch(ctx, m.cfg.Caller, items) {
		if err := results[places[i]].take(res); err != nil {
			return fmt.Errorf("%s: %w", results[places[i]].Place, err)
		}
	}
	for _, r := range results {
		if err := m.tell(r); err != nil {
			return err
		}
	}
	if err := m.keepUp(ctx, m.cfg.Caller.Tenant); err != nil {
		return err
	}
	if m.later(); m.cfg.Progress != nil {
		m.cfg.Progress(m.sum)
	}
	return nil
}

// item returns the observation of a turn.
func (m *ChatImporter) item(thread, origin string, t chatlog.Turn) service.BatchItem {
	level := tenure.UserLevel
	if t.Assistant {
		level = assistantLevel
	}
	return service.BatchItem{
		Key: service.IdempotencyKey(m.cfg.Caller, "import-chat", origin+"\x1f"+m.cfg.Scope.Key(),
			content(t.At, t.Speaker, t.Text)),
		Observation: service.Observation{
			Source: service.Source{
				Origin: origin, AuthorityLevel: &level, Speaker: t.Speaker, Role: t.Role, Thread: thread,
			},
			Scope: m.cfg.Scope, ObservedAt: &t.At, Text: t.Text, Addressee: t.Addressee,
		},
	}
}

// take takes the result of a turn that was to be written. It returns the errors that are not the turn's.
func (i *ImportedTurn) take(res service.Result[service.Observed]) error {
	switch {
	case refusable[tenure.CodeOf(res.Err)]:
		i.Reason = reasonOf(res.Err)
		return nil
	case res.Err != nil:
		return res.Err
	case res.Receipt.Replayed:
		i.Outcome = TurnReplayed
		return nil
	}
	i.Outcome, i.Observation = TurnWritten, res.Answer.ObservationID
	i.Statements, i.Beliefs = res.Answer.Statements, res.Answer.Beliefs
	for _, w := range res.Answer.Warnings {
		if !slices.Contains(i.Warnings, w.Code) {
			i.Warnings = append(i.Warnings, w.Code)
		}
	}
	return nil
}

// refusable are the errors that are about one turn, and do not concern the others.
var refusable = map[tenure.Code]bool{
	tenure.Invalid: true, tenure.Unprocessable: true, tenure.Forbidden: true, tenure.AuthorityTooHigh: true,
	tenure.NotFound: true, tenure.KeyReused: true, tenure.TooLarge: true,
}

// reasonOf returns the reason of a refusal in words.
func reasonOf(err error) string {
	var e *tenure.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Code == tenure.KeyReused {
		return "another message of its conversation has the same id"
	}
	reasons := []string{e.Message}
	for _, f := range e.Fields {
		reasons = append(reasons, strings.TrimSpace(f.Pointer+" "+f.Reason))
	}
	return strings.Join(reasons, "; ")
}

// tell counts what became of a turn and tells it.
func (m *ChatImporter) tell(t ImportedTurn) error {
	s := &m.sum
	s.Turns++
	if t.Late {
		s.Late++
	}
	switch t.Outcome {
	case TurnWritten:
		s.Written++
	case TurnReplayed:
		s.Replayed++
	case TurnRefused:
		s.Refused++
	case TurnLeftOut:
		s.LeftOut++
		s.Reasons[t.Reason]++
	}
	for _, said := range t.Statements {
		s.Statements[StatementKind{said.Act, said.Effect}]++
	}
	s.Made += len(t.Beliefs)
	for _, b := range t.Beliefs {
		if b.Status != tenure.Clean {
			s.Fallen++
		}
		s.Displaced += len(b.Superseded)
		s.Restored += len(b.Restored)
	}
	if slices.Contains(t.Warnings, tenure.NotRead) {
		s.NotRead++
	}
	if slices.Contains(t.Warnings, tenure.TextCut) {
		s.Cut++
	}
	if m.cfg.Told == nil {
		return nil
	}
	return m.cfg.Told(t)
}

// Changed counts what the turns changed of what is believed.
func (i ImportedChats) Changed() string {
	return fmt.Sprintf("%d made (%d of them do not stand), %d displaced, %d restored, %d ended, %d retracted, %d changes proposed",
		i.Made, i.Fallen, i.Displaced, i.Restored, i.Did(align.Ends), i.Did(align.Retracts),
		i.Did(align.Unsure))
}
