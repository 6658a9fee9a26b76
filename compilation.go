package tenure

// Compilation is a compiled answer, stored so that the same bytes can be returned again.
type Compilation struct {
	ID        ID
	CreatedAt Instant
	Body      []byte
}
