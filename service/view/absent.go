package view

import (
	"tenure"
)

// Absent returns the one error for objects that do not exist and objects hidden from the caller.
func Absent() error { return tenure.Errorf(tenure.NotFound, "there is none of that id here") }

// only returns the one thing that was found, Absent if there is none or it is hidden.
func only[T any](found []*T, err error) (T, error) {
	var none T
	if err != nil {
		return none, err
	}
	if len(found) != 1 || found[0] == nil {
		return none, Absent()
	}
	return *found[0], nil
}

// Hide replaces every NotFound by Absent, so that an error does not reveal a hidden object.
func Hide(err error) error {
	if tenure.CodeOf(err) == tenure.NotFound {
		return Absent()
	}
	return err
}
