package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// secretFrom returns a secret from the file that a flag names or else from the first variable that is set; "" for none.
// No flag takes a secret itself, since the command line of a process can be read by others.
func secretFrom(flag, file string, variables ...string) (string, error) {
	if file != "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("%s: %w", flag, err)
		}
		return string(bytes.TrimSpace(raw)), nil
	}
	for _, name := range variables {
		if text := strings.TrimSpace(os.Getenv(name)); text != "" {
			return text, nil
		}
	}
	return "", nil
}
