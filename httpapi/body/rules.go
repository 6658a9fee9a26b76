package body

import (
	"errors"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"

	"tenure"
)

// Rules validates decoded bodies: ranges, lengths and enums by the validate tags of openapi.yaml.
type Rules struct {
	validate *validator.Validate
}

// NewRules returns the rules of the document.
func NewRules() (*Rules, error) {
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
		"Question": "max=1000",
	}, tenure.Evidence{})
	v.RegisterStructValidationMapRules(map[string]string{
		"Source": "required,max=1000", "ID": "required,max=1000",
	}, tenure.Record{})
	return &Rules{validate: v}, err
}

// Faults returns every field that violates a rule.
func (r *Rules) Faults(target any) (tenure.Faults, error) {
	var faults tenure.Faults
	var found validator.ValidationErrors
	if err := r.validate.Struct(target); errors.As(err, &found) {
		for _, f := range found {
			faults.Add(pointerOf(f.Namespace()), "%s", reasonOf(f))
		}
	} else if err != nil {
		return nil, &tenure.Error{Code: tenure.Internal, Err: err}
	}
	return faults, nil
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
