package main

import "errors"

type demoCmd struct {
	Listen string `default:"127.0.0.1:8080" help:"Loopback address to listen on."`
	Once   bool   `help:"Exit after printing."`
}

// Run serves the story.
func (c *demoCmd) Run(_ *world) error { return errors.New("not there yet") }
