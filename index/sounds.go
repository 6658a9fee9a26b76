package index

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"tenure/blocking"
	"tenure/text"
	"tenure/text/phonetic"
)

// spoken is a name by its sounds, as terms of tenant 0. Its parts are derived when they are first needed: names in
// Latin letters need them only where some names of a registry are not.
type spoken struct {
	name blocking.Spoken

	once  sync.Once
	parts []part
}

// foreign is the term of all documents with a name that is not in Latin letters.
var foreign = termOf(foreignClass, "")

// soundTerms returns the terms of an indexed name.
func soundTerms(n blocking.Spoken) []term {
	list := readingTerms(soundClassOf(n), n.Indexed())
	if n.Foreign {
		list = append(list, foreign, inScript(n.Script))
	}
	return list
}

// inScript is the term of all documents with a name in a script that is not Latin.
func inScript(s text.Script) term { return termOf(foreignClass, string(rune('a'+s))) }

// ownScript returns the documents that have a name in the script of a name that is not in Latin letters.
func (s *search) ownScript(a queryTerms) ([]*roaring.Bitmap, error) {
	own := make([]*roaring.Bitmap, len(s.segments))
	for i, v := range s.segments {
		own[i] = noDocs
		if a.spoken != nil && a.spoken.name.Foreign {
			docs, err := v.shared(inScript(a.spoken.name.Script))
			if err != nil {
				return nil, err
			}
			own[i] = docs
		}
	}
	return own, nil
}

func soundClassOf(n blocking.Spoken) byte {
	if n.Foreign {
		return foreignClass
	}
	return soundClass
}

func readingTerms(class byte, readings []phonetic.Consonants) []term {
	list := make([]term, len(readings))
	for i, r := range readings {
		list[i] = termOf(class, readingKey(r))
	}
	return list
}

func readingKey(c phonetic.Consonants) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(c)))
}

// asParts returns the words of a name, and neighbours together, as other scripts may spell them. A name in Latin
// letters meets only names that are not, whose letters it is not compared with.
func (s *spoken) asParts() []part {
	s.once.Do(func() {
		for i, sound := range s.name.Searched() {
			p := part{word: true, more: true, sound: true, joined: i >= s.name.Words()}
			for _, readings := range [][]phonetic.Consonants{sound.Far, sound.Possible, sound.Likely} {
				terms := readingTerms(foreignClass, readings)
				if s.name.Foreign {
					terms = slices.Concat(terms, readingTerms(soundClass, readings))
				}
				p.tiers = append(p.tiers, tier{soundGains[len(p.tiers)], terms})
			}
			p.known = termOf(soundClassOf(s.name), string(joinedReadings(sound)))
			s.parts = append(s.parts, p)
		}
		if len(s.parts) == 1 {
			s.parts[0].alone = true
		}
	})
	return s.parts
}

// soundGains are the gains of a far, a possible and a likely reading.
var soundGains = [...]float64{.15, .35, .5}

// joinedReadings returns a text that is equal for equal readings.
func joinedReadings(s blocking.Sound) []byte {
	var all []byte
	for _, readings := range [][]phonetic.Consonants{s.Likely, s.Possible, s.Far} {
		for _, r := range readings {
			all = binary.BigEndian.AppendUint64(all, uint64(r))
		}
		all = append(all, '|')
	}
	return all
}

// partsFor returns the parts of a query that can have matches among the documents of the search.
func (s *search) partsFor(a queryTerms) ([]part, error) {
	if a.spoken == nil {
		return a.parts, nil
	}
	if !a.spoken.name.Foreign {
		some, err := s.hasForeign()
		if !some || err != nil {
			return a.parts, err
		}
	}
	return slices.Concat(a.parts, a.spoken.asParts()), nil
}

// hasForeign reports whether a document of the search has a name that is not in Latin letters.
func (s *search) hasForeign() (bool, error) {
	for _, v := range s.segments {
		docs, err := v.shared(foreign)
		if err != nil {
			return false, err
		}
		if docs.Intersects(v.visible) {
			return true, nil
		}
	}
	return false, nil
}
