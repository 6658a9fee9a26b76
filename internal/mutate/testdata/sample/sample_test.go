package sample

import "testing"

func TestGrade(t *testing.T) {
	if Grade(9) != "high" || Grade(-9) != "low" {
		t.Fatal("wrong grade")
	}
}

func TestKeys(t *testing.T) {
	if keys := Keys(map[string]bool{"a": true}); len(keys) != 1 || keys[0] != "a" {
		t.Fatal(keys)
	}
}

func TestCheck(t *testing.T) {
	if Check("small") != nil || Check("huge") == nil {
		t.Fatal("wrong check")
	}
}

func TestUntil(t *testing.T) {
	if Until(3) != 3 {
		t.Fatal("does not count")
	}
}
