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
// amendments, identity decisions, documents, vocabularies and terms. The digest cannot be used to confirm a guess of
// the evidence once the salt is erased.
//
// Digests are sealed: a field that is added to a kind of evidence must be left out of its JSON while it is zero.
func (cs ChangeSet) Digest(salt []byte) (string, error) {
	var evidence []any
	for _, c := range cs.Changes {
		if e := c.Evidence(); e != nil {
			evidence = append(evidence, e)
		}
	}
	if len(evidence) == 0 {
		return "", nil
	}
	digest, err := hashOf(salt, evidence)
	if err != nil {
		return "", &Error{Code: Internal, Message: "the evidence has no JSON form", Err: err}
	}
	return digest, nil
}

// hashOf returns the SHA-256 hash, in hexadecimal, of a prefix and the JSON encoding of v.
func hashOf(prefix []byte, v any) (string, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(prefix)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil)), nil
}
