package run

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// Main does the work of a program, and ends its context on an interrupt. An error is printed after the program's name,
// and the program exits with 1.
func Main(name string, work func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := work(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Only returns the items that a flag names, separated by commas and in that order, or all for an empty flag. Kind is
// what an item is called in the error about one that does not exist.
func Only[T any](all []T, name func(T) string, flag, kind string) ([]T, error) {
	if flag == "" {
		return all, nil
	}
	var list []T
	for wanted := range strings.SplitSeq(flag, ",") {
		i := slices.IndexFunc(all, func(t T) bool { return name(t) == wanted })
		if i < 0 {
			return nil, fmt.Errorf("there is no %s %q", kind, wanted)
		}
		list = append(list, all[i])
	}
	return list, nil
}

// WriteJSON writes what was measured to a file, unless its name is empty.
func WriteJSON(file string, measured any) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(measured, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
