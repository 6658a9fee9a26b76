package tenure

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// saltBytes is the length of a salt.
const saltBytes = 16

// NewSalt returns a random salt for the digest of a change set.
func NewSalt() []byte {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	return salt
}

// Digest returns the SHA-256 hash, in hexadecimal, of a salt and the evidence that the change set adds, "" if it adds
// none. Evidence is what everything else follows from: observations, mentions and their assignments, claims,
// amendments, identity decisions, documents, vocabularies and terms, without the reasons that people gave, which may be
// erased alone. Without the salt, the digest does not tell whether a guess of the evidence is right.
//
// Digests are sealed: a field that is added to a kind of evidence must be left out of its JSON while it is zero.
func (cs ChangeSet) Digest(salt []byte) (string, error) {
	var evidence []any
	for _, c := range cs.Changes {
		if e := evidenceOf(c); e != nil {
			evidence = append(evidence, e)
		}
	}
	if len(evidence) == 0 {
		return "", nil
	}
	body, err := json.Marshal(evidence)
	if err != nil {
		return "", &Error{Code: Internal, Message: "the evidence has no JSON form", Err: err}
	}
	h := sha256.New()
	h.Write(salt)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// evidenceOf returns what a change adds to a digest, nil for nothing.
func evidenceOf(c Change) any {
	switch c := c.(type) {
	case ObservationAdded:
		return c.Observation
	case MentionAdded:
		return c.Mention
	case MentionAssigned:
		return c.Assignment
	case ClaimAdded:
		return c.Claim
	case Amended:
		return c.Amendment.Erase()
	case IdentityDecisionPut:
		return c.Decision.Erase()
	case DocumentPut:
		return []any{c.Document, c.Passages}
	case VocabularyPut:
		return c.Vocabulary
	case TermPut:
		return c.Term
	}
	return nil
}
