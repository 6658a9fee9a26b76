package words

// The entity types of mentions, which package ner exports.
const (
	Person       = "person"
	Organization = "organization"
	Project      = "project"
	Document     = "document"
	Repository   = "repository"
	System       = "system"
	Tool         = "tool"
	Place        = "place"
	Product      = "product"
	Role         = "role"
	Identifier   = "identifier"
)
