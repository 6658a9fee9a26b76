package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// rules validates bodies: ranges, lengths and enums by the validate tags of openapi.yaml, and constraints
// between fields in code.
type rules struct {
	validate *validator.Validate
}

func newRules() (*rules, error) {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	err := errors.Join(
		v.RegisterValidation("notblank", func(f validator.FieldLevel) bool {
			return strings.TrimSpace(f.Field().String()) != ""
		}),
		v.RegisterValidation("absolute", func(f validator.FieldLevel) bool {
			u, err := url.Parse(f.Field().String())
			return err == nil && u.Scheme != ""
		}),
		v.RegisterValidation("id", func(f validator.FieldLevel) bool {
			_, ok := tenure.ParseID(f.Field().String())
			return ok
		}),
		v.RegisterValidation("maxbytes", func(f validator.FieldLevel) bool {
			limit, err := strconv.Atoi(f.Param())
			return err == nil && f.Field().Len() <= limit
		}),
	)
	// Domain types carry no validation tags, so their rules are registered here.
	v.RegisterStructValidationMapRules(map[string]string{
		"Kind":   "omitempty,oneof=global task hypothetical draft session",
		"UserID": "max=200", "ProjectID": "max=200", "SessionID": "max=200", "TaskID": "max=200",
	}, tenure.Scope{})
	v.RegisterStructValidationMapRules(map[string]string{
		"AllowRoles": "max=100,dive,required,max=200", "DenyRoles": "max=100,dive,required,max=200",
	}, tenure.PermissionScope{})
	v.RegisterStructValidationMapRules(map[string]string{
		"HalfLifeDays": "gt=0,max=100000", "MinimumThreshold": "min=0,max=1",
	}, tenure.DecayRule{})
	v.RegisterStructValidationMapRules(map[string]string{
		"Rule": "max=1000", "Span": "max=1000", "Trigger": "max=1000", "Source": "max=1000",
	}, tenure.Evidence{})
	v.RegisterStructValidationMapRules(map[string]string{
		"Source": "required,max=1000", "ID": "required,max=1000",
	}, tenure.Record{})
	return &rules{validate: v}, err
}

// check returns Invalid with every field that violates a rule, at most 100 of them.
func (r *rules) check(target any) error {
	var faults []tenure.Field
	var found validator.ValidationErrors
	if err := r.validate.Struct(target); errors.As(err, &found) {
		for _, f := range found {
			faults = append(faults, tenure.Field{Pointer: pointerOf(f.Namespace()), Reason: reasonOf(f)})
		}
	} else if err != nil {
		return &tenure.Error{Code: tenure.Internal, Err: err}
	}
	faults = append(faults, crossChecks(target)...)
	if len(faults) == 0 {
		return nil
	}
	const most = 100
	return &tenure.Error{
		Code: tenure.Invalid, Message: "the request cannot be taken as it is", Fields: faults[:min(len(faults), most)],
	}
}

// pointerOf converts the validator's "ObservationInput.claims[0].key" into "/claims/0/key". Names come from
// openapi.yaml; maps are checked in code.
func pointerOf(namespace string) string {
	_, rest, ok := strings.Cut(namespace, ".")
	if !ok {
		return ""
	}
	return "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(rest)
}

func reasonOf(f validator.FieldError) string {
	items := f.Kind() == reflect.Slice || f.Kind() == reflect.Map
	text := f.Kind() == reflect.String
	switch f.Tag() {
	case "required":
		return "is required"
	case "notblank":
		return "must not be blank"
	case "absolute":
		return "must be an absolute URI"
	case "id":
		return "must be the text of a UUID in lower case"
	case "maxbytes":
		return "must be at most " + f.Param() + " bytes"
	case "oneof":
		return "must be one of: " + strings.ReplaceAll(f.Param(), " ", ", ")
	case "unique":
		return "must not name one thing twice"
	case "gt":
		return "must be more than " + f.Param()
	case "max":
		switch {
		case items:
			return "must have at most " + f.Param() + " items"
		case text:
			return "must be at most " + f.Param() + " characters"
		}
		return "must be " + f.Param() + " or less"
	case "min":
		if items {
			return "must have at least " + f.Param() + " items"
		}
		return "must be " + f.Param() + " or more"
	}
	return "breaks the rule " + f.Tag()
}

// faults collects violations of constraints between fields.
type faults []tenure.Field

func (f *faults) add(pointer, format string, args ...any) {
	*f = append(*f, tenure.Field{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
}

func (f *faults) decision(pointer, decision string, into tenure.ID) {
	if (decision == service.DecideMerge) != (into != "") {
		f.add(pointer+"/into", "is what a merge has, and nothing else")
	}
}

func crossChecks(target any) []tenure.Field {
	var f faults
	switch b := target.(type) {
	case *api.ObservationInput:
		f.observation(*b)
	case *api.BatchLine:
		f.observation(observationOf(*b))
	case *api.ResolutionInput:
		if (b.Accept != "") == b.RejectAll {
			f.add("", "must have either accept or reject_all")
		}
		if b.Accept != "" {
			f.id("/accept", b.Accept)
		}
	case *api.ResolveInput:
		if (b.Text == "") == (len(b.Mentions) == 0) {
			f.add("", "must have either mentions or text")
		}
		for i, m := range b.Mentions {
			f.attributes(fmt.Sprintf("/mentions/%d/attributes", i), m.Attributes)
		}
	case *api.CompareInput:
		for i, m := range []*api.MentionInput{b.Left, b.Right} {
			if m != nil {
				f.attributes([]string{"/left", "/right"}[i]+"/attributes", m.Attributes)
			}
		}
	case *api.DecisionInput:
		f.decision("", b.Decision, b.Into)
	case *api.DecisionsInput:
		for i, d := range b.Decisions {
			f.decision(fmt.Sprintf("/decisions/%d", i), d.Decision, d.Into)
		}
	case *api.VocabularyInput:
		seen := map[string]bool{}
		for i, t := range b.Terms {
			if seen[t.Name] {
				f.add(fmt.Sprintf("/terms/%d/name", i), "occurs twice")
			}
			seen[t.Name] = true
		}
	}
	return f
}

func (f *faults) observation(o api.ObservationInput) {
	if o.Text == "" && len(o.Mentions) == 0 && len(o.Claims) == 0 {
		f.add("", "must have text, mentions or claims")
	}
	for i, m := range o.Mentions {
		f.attributes(fmt.Sprintf("/mentions/%d/attributes", i), m.Attributes)
	}
	for i, c := range o.Claims {
		f.claim(fmt.Sprintf("/claims/%d", i), c, o)
	}
}

func (f *faults) attributes(pointer string, attributes map[string][]string) {
	const kinds, values, kindLength, valueLength = 50, 50, 200, 1000
	if len(attributes) > kinds {
		f.add(pointer, "must have at most %d kinds", kinds)
		return
	}
	for kind, list := range attributes {
		at := pointer + "/" + escape(kind)
		if n := len([]rune(kind)); n == 0 || n > kindLength || strings.TrimSpace(kind) == "" {
			f.add(at, "the kind must have 1 to %d characters", kindLength)
		}
		if len(list) > values {
			f.add(at, "must have at most %d items", values)
			continue
		}
		for i, v := range list {
			if n := len([]rune(v)); n == 0 || n > valueLength {
				f.add(fmt.Sprintf("%s/%d", at, i), "must have 1 to %d characters", valueLength)
			}
		}
	}
}

func (f *faults) claim(pointer string, c api.ClaimInput, o api.ObservationInput) {
	switch s := c.Subject; {
	case (s.Mention != nil) == (s.EntityId != ""):
		f.add(pointer+"/subject", "must have either mention or entity_id")
	case s.Mention != nil:
		f.mention(pointer+"/subject/mention", *s.Mention, len(o.Mentions))
	default:
		f.id(pointer+"/subject/entity_id", s.EntityId)
	}
	if string(c.Value) == "null" {
		f.add(pointer+"/value", "must not be null")
	}
	f.value(pointer+"/value", c.Value, len(o.Mentions))
	from := c.ValidFrom
	if from.IsZero() {
		from = o.ObservedAt
	}
	if !c.ValidUntil.IsZero() && !from.IsZero() && !c.ValidUntil.After(from) {
		f.add(pointer+"/valid_until", "must be after the window starts, at %s", tenure.At(from))
	}
}

func (f *faults) value(pointer string, raw json.RawMessage, mentions int) {
	r, err := refOf(raw)
	switch {
	case err != nil:
		f.add(pointer+err.pointer, "%s", err.reason)
	case r == nil:
	case r.Mention != nil:
		f.mention(pointer+"/mention", *r.Mention, mentions)
	default:
		f.id(pointer+"/entity_id", r.EntityID)
	}
}

func (f *faults) mention(pointer string, index, mentions int) {
	if index < 0 || index >= mentions {
		f.add(pointer, "must be the index of one of the %d mentions", mentions)
	}
}

func (f *faults) id(pointer string, id tenure.ID) {
	if _, ok := tenure.ParseID(string(id)); !ok {
		f.add(pointer, "must be the text of a UUID in lower case")
	}
}

func escape(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}
