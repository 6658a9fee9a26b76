package tenure

// Compilation is a compiled answer as it was given, kept so that the same
// bytes can be given again.
type Compilation struct {
	ID        ID
	CreatedAt Instant
	Body      []byte
}
