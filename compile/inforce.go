package compile

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/linking"
	"tenure/ner/words"
	"tenure/store"
)

// directivesRead bounds the directives of the scope that are read, whether they stand or not: what is held or displaced
// is explained.
const directivesRead = 1000

// directives reads the newest directives of the scope.
func (c *Compiler) directives(
	ctx context.Context, r store.Reader, who *topicSet, see viewer, at tenure.Instant,
) ([]tenure.Belief, error) {
	list, err := r.Recent(ctx, store.RecentQuery{
		Of: store.Directives, In: see.scope, Fallen: true, Window: instantWindow(at), Limit: directivesRead,
	})
	who.directivesCut = len(list) == directivesRead
	return list, err
}

// applying lists the directives that are in force by their scope, although nothing may name what they are about. It
// loads the entities that they are about, and records which they are.
//
// A policy rule and a developer's constraint are in force wherever they are visible. Any other constraint, a
// preference or guidance is in force within the user, project, session or task that it was made for; one of the whole
// tenant is about its subject, and is compiled when that is asked about. What concerns a person as such, a
// preference, is in force for that person, whatever its scope, if it is known who asks. What was learned from a web
// site, and no person said, is in force only where content of that site is at hand (Context Architecture, failure
// mode eTAMP).
func (c *topicSet) applying(
	ctx context.Context, r store.IdentityReader, list []tenure.Belief, see viewer,
) ([]tenure.Belief, error) {
	own := c.Known[c.Requester].Whole()
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		c := &b.Claim
		scoped := rules(c) || c.Scope.Specificity() > 0 || guidesPerson(c) && slices.Contains(own, c.Subject)
		return !scoped || see.denies(c) != "" || fromElsewhere(c, see.hosts)
	})
	ids := make([]tenure.ID, len(list))
	for i, b := range list {
		ids[i] = b.Claim.Subject
	}
	if err := c.Known.Load(ctx, r, ids); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(b tenure.Belief) bool {
		root, ok := c.Known.Root(b.Claim.Subject)
		return !ok || linking.Excluded(root, see.scope.ProjectID) != "" || c.ofAnother(&b.Claim, root)
	})
	for _, b := range list {
		c.inForce[b.Claim.ID] = true
	}
	return list, nil
}

// guidesPerson reports whether a claim about the person who asks is in force for that person whatever its scope.
func guidesPerson(c *tenure.Claim) bool { return c.Directs() && !c.Constrains() }

// ownDirective reports whether an object that was read as one about the person who asks is in force, though it was not
// among the directives of the scope that were read.
func (c *topicSet) ownDirective(o *object, see viewer) bool {
	return c.Requester != "" && o.root == c.Requester && guidesPerson(o.claim()) && !fromElsewhere(o.claim(), see.hosts)
}

// rules reports whether a claim is in force wherever it is visible.
func rules(c *tenure.Claim) bool {
	return c.ObjectType == tenure.PolicyRule || c.Constrains() && c.Source.AuthorityLevel <= developerAuthority
}

// fromElsewhere reports whether a claim that directs with less than a user's authority is from a web site that is none
// of the hosts.
func fromElsewhere(c *tenure.Claim, hosts map[string]bool) bool {
	host, web := siteOf(c.Source.Origin)
	return web && directingLevel(c) > userAuthority && !hosts[host]
}

// siteOf returns the host of a web address, "" if it has none that can be read, and reports whether an origin is one.
func siteOf(origin string) (host string, web bool) {
	address := strings.ToLower(strings.TrimSpace(origin))
	for _, scheme := range []string{"http:", "https:", "//"} {
		web = web || strings.HasPrefix(address, scheme)
	}
	if u, err := url.Parse(address); err == nil && web {
		host = u.Hostname()
	}
	return host, web
}

func hostsOf(payloads []Payload) map[string]bool {
	hosts := map[string]bool{}
	for _, p := range payloads {
		if host, _ := siteOf(p.Origin); host != "" {
			hosts[host] = true
		}
	}
	return hosts
}

// ofAnother reports whether a directive is a preference of a person who is known not to be the one who asks.
func (c *topicSet) ofAnother(claim *tenure.Claim, root tenure.Entity) bool {
	return !claim.Constrains() && root.Type == words.Person && c.Requester != "" && c.Requester != root.ID
}

//go:embed tasks.json
var tasksFile []byte

// taskWords holds the search terms by which a text shows that it is about a type of task, by the type.
var taskWords = sync.OnceValue(func() map[string]map[string]bool {
	var file struct {
		Types   map[string]string `json:"types"`
		Generic string            `json:"generic"`
	}
	if err := json.Unmarshal(tasksFile, &file); err != nil {
		panic(err) // the file is part of the program
	}
	sets := map[string]map[string]bool{generic: termsOf(file.Generic)}
	for name, list := range file.Types {
		sets[name] = termsOf(list)
	}
	return sets
})

// generic is the key, in taskWords, of the words that are in texts about anything.
const generic = ""

// activation is what decides whether the condition of an object is met by a request: Activate(C) <=> active task in
// C.applicable_task_types and SemanticMatch(active query, C.why_it_matters) (Context Architecture, why_it_matters).
// The task types are compared in [relevant].
type activation struct {
	terms map[string]bool // of the query and the task, without generic ones
	types map[string]bool // of tasks that these are about
	task  string          // the type that the request names
}

func activationOf(req Request) activation {
	a := activation{terms: termsOf(req.Query + " " + req.Task.Name), task: req.Task.Type}
	a.types = typesOf(a.terms)
	dropGeneric(a.terms)
	return a
}

// meets reports whether a request meets the condition that a claim states: both have a word in common that is not
// generic, or are about one type of task by their words. The type that the request names counts for a claim that names
// none; of one that does it was compared before.
func (a activation) meets(c *tenure.Claim) bool {
	told := termsOf(c.WhyItMatters)
	for t := range typesOf(told) {
		if a.types[t] || t == a.task && len(c.ApplicableTaskTypes) == 0 {
			return true
		}
	}
	dropGeneric(told)
	for t := range told {
		if a.terms[t] {
			return true
		}
	}
	return false
}

func typesOf(told terms) map[string]bool {
	found := map[string]bool{}
	for name, list := range taskWords() {
		for t := range told {
			if name != generic && list[t] {
				found[name] = true
			}
		}
	}
	return found
}

func dropGeneric(told terms) {
	for t := range told {
		if taskWords()[generic][t] {
			delete(told, t)
		}
	}
}

// activated omits preferences and guidance that are in force by scope alone and whose condition the request does not
// meet. Without a why_it_matters, or an implication, they are not conditional. Constraints always hold.
func activated(objects []*object, who *topicSet, req Request) (kept []*object, dropped []omission) {
	a := activationOf(req)
	for _, o := range objects {
		c := o.claim()
		conditional := o.inForce && !c.Constrains() && !who.askedByName(o.root) && strings.TrimSpace(c.WhyItMatters) != ""
		if conditional && !a.meets(c) {
			dropped = append(dropped, omission{object: o, reason: reasonIrrelevant})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// byRecord orders rules by when they were recorded, so that a new one is appended to those that a provider has cached.
func byRecord(a, b *object) int {
	return cmp.Or(
		cmp.Compare(a.belief.RecordedAt, b.belief.RecordedAt), cmp.Compare(a.claim().Index, b.claim().Index),
		strings.Compare(a.line, b.line), strings.Compare(string(a.claim().ID), string(b.claim().ID)),
	)
}
