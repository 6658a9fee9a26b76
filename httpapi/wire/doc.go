// Package wire converts between the types of openapi.yaml and those of package service: what a request says goes in,
// what an answer says comes out. Its functions are pure; times, optional parameters and lists that are never null are
// the only rules here.
package wire
