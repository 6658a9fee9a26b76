package compile

import (
	"context"

	"tenure"
	"tenure/linking"
	"tenure/search"
	"tenure/store"
)

// How an entity became a topic, beside the ways of [linking].
const (
	byRelation linking.Via = "relation"
	byWords    linking.Via = "words"
	bySimilar  linking.Via = "similarity"
)

// topicSet is the root entities that the compilation is about, and what its query asks for.
type topicSet struct {
	*linking.Links
	project     tenure.ID             // the root of the project of the scope, if the query says "this project"
	underReview []Unresolved          // names that may mean a topic
	labels      map[tenure.ID]string  // by root, as lines name them
	cut         int                   // topics of which not all relations were read
	cutBeyond   int                   // the same of what is one relation away
	near        map[tenure.ID]related // how topics were reached over relations
	// neighboursCut counts the related entities that were left out since there are more than may be topics.
	neighboursCut int
	beliefsCut    int                // topics of which not all beliefs were read
	runs          []string           // of words of the query, that may be values
	common        int                // texts of the query that many beliefs have as their value
	said          map[tenure.ID]bool // beliefs that were found by the text of their value
	search        search.Query       // what the query asks for by its words
	asking        search.Asking      // how
	questions     []search.Query     // the same of each of its questions
	byWords       map[tenure.ID]bool // beliefs that were found by the words of the query
	inForce       map[tenure.ID]bool // directives that apply by their scope
	lately        map[tenure.ID]bool // beliefs of which nothing speaks but that they were said last
	wordsCut      bool               // not all beliefs of the scope that have words of the query were searched
	remarksCut    bool               // not all remarks of the scope that have words of the query were searched
	// likeness is the similarity of beliefs that were found by it alone; degraded is why nothing was looked for by it.
	likeness map[tenure.ID]float64
	degraded string
	// similarity is how similar to the query the facts are about what it names and about the person who asks; nil if that
	// is not known.
	similarity map[tenure.ID]float64
	// mostSimilar is the greatest similarity of a belief to the query, 0 if none is known.
	mostSimilar float64

	// indexBehind reports whether the index of beliefs could not be asked, and what was searched in its place is not all.
	indexBehind bool

	directivesCut bool            // only the newest directives of the scope were read
	unknown       []unknownSlot   // required properties of which nothing valid is known
	required      map[string]bool // the predicates of required properties
	hasDocuments  bool            // the scope has some
	found         []passage       // that the query asks for
	nearPassages  []passage       // that are most similar to the query
	passagesCut   bool            // only a part of the passages of the scope was searched
	pool          []passage       // that were not selected, and have words of the query
	rescued       []subunit       // of them

	proposed     []proposedChange // that wait for an answer, about topics and lines
	changesAsked bool             // one of them is about what was asked, or about what leads to that
	proposalsCut int              // topics of which not all that proposes a change was read
}

// topicsOf finds the topics of a request, and what its words ask for.
func (c *Compiler) topicsOf(
	ctx context.Context, r store.IdentityReader, tenant string, req Request,
) (*topicSet, error) {
	q := linking.Query{Tenant: tenant, Text: req.Query, Project: req.Scope.ProjectID, Entities: req.Entities}
	if req.Identity != nil {
		q.Requester = linking.Requester{EntityID: req.Identity.EntityID, Name: req.Identity.Name}
	}
	links, err := c.cfg.Linker.Link(ctx, r, q)
	if err != nil {
		return nil, err
	}
	who := &topicSet{
		Links: links, runs: textsOf(req.Query, links.Words),
		said: map[tenure.ID]bool{}, byWords: map[tenure.ID]bool{}, lately: map[tenure.ID]bool{},
		inForce: map[tenure.ID]bool{}, required: map[string]bool{}, near: map[tenure.ID]related{},
		likeness: map[tenure.ID]float64{},
	}
	who.search, who.questions, who.asking = searched(req.Query, links.Words)
	return who, nil
}

// unresolved lists the names and fields of the request that name no one usable entity, then the names under review.
func (c *topicSet) unresolved() []Unresolved {
	list := make([]Unresolved, 0, len(c.Unresolved)+len(c.underReview))
	for _, u := range c.Unresolved {
		list = append(list, Unresolved{Text: u.Text, Pointer: u.Pointer, Reason: u.Reason, Candidates: u.Candidates})
	}
	return append(list, c.underReview...)
}
