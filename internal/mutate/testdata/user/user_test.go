package user

import (
	"testing"

	"tenure/internal/mutate/testdata/sample"
)

func TestBound(t *testing.T) {
	if sample.Grade(2) != "low" {
		t.Fatal("two is low")
	}
}
