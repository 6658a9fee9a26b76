package wire

import (
	"cmp"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// DocumentInput converts the document in a body.
func DocumentInput(d api.DocumentInput) service.DocumentInput {
	return service.DocumentInput{
		URI: d.Uri, Title: d.Title, Text: d.Text, MediaType: tenure.MediaType(d.MediaType),
		AuthorityLevel: d.AuthorityLevel, SourceAuthority: d.SourceAuthority, Scope: d.Scope,
		Classification: d.SecurityClassification, Permission: d.PermissionScope, ObservedAt: InstantOf(d.ObservedAt),
	}
}

// DocumentAnswer encodes what became of a document.
func DocumentAnswer(w service.Written[service.IngestedDocument]) api.DocumentAnswer {
	a, r := w.Answer, w.Receipt
	return api.DocumentAnswer{
		DocumentId: a.ID, Seq: r.Seq, RecordedAt: cmp.Or(a.Since, r.Tx).Time(), Effect: string(a.Effect), Version: a.Version,
		Passages: a.Passages, Tokens: a.Tokens,
	}
}

// DocumentFilter converts the parameters of a list of documents.
func DocumentFilter(p api.ListDocumentsParams) service.DocumentFilter {
	return service.DocumentFilter{URI: Value(p.Uri), Scope: tenure.Scope{
		UserID: Value(p.UserId), ProjectID: Value(p.ProjectId), SessionID: Value(p.SessionId), TaskID: Value(p.TaskId),
	}}
}

// DocumentSummary encodes a document without its passages.
func DocumentSummary(d tenure.Document) api.DocumentSummary {
	return api.DocumentSummary{
		DocumentId: d.ID, Uri: d.URI, Title: d.Title, Source: d.Source, Scope: d.Scope.Canonical(),
		SecurityClassification: d.Classification, PermissionScope: d.Permission, MediaType: string(d.MediaType),
		ObservedAt: d.ObservedAt.Time(), ReceivedAt: d.ReceivedAt.Time(), Actor: d.Actor, Digest: d.Digest,
		Version: d.Version, PassageCount: d.Passages, Tokens: d.Tokens, Erased: d.Erased,
	}
}

// Document encodes a document with its passages, without the state that it is read from.
func Document(d service.Document) api.DocumentWithPassages {
	s := DocumentSummary(d.Document)
	return api.DocumentWithPassages{
		DocumentId: s.DocumentId, Uri: s.Uri, Title: s.Title, Source: s.Source, Scope: s.Scope,
		SecurityClassification: s.SecurityClassification, PermissionScope: s.PermissionScope, MediaType: s.MediaType,
		ObservedAt: s.ObservedAt, ReceivedAt: s.ReceivedAt, Actor: s.Actor, Digest: s.Digest, Version: s.Version,
		PassageCount: s.PassageCount, Tokens: s.Tokens, Erased: s.Erased, Passages: Each(d.Parts, passage),
	}
}

func passage(p tenure.Passage) api.Passage {
	return api.Passage{
		PassageId: p.ID, Number: p.Number, Headings: NonNil(p.Headings), Preamble: p.Preamble, Text: p.Text,
		Tokens: p.Tokens, Erased: p.Erased,
	}
}
