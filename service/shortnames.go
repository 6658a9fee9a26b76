package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/audience"
	"tenure/ner/words"
	"tenure/service/resolution"
	"tenure/service/view"
	"tenure/text"
)

// fullNames returns the full names of the people whom names in facts mean: a first name or a surname alone is that of
// the one person of that name whom the request or lately its session named in full, unless somebody is known by it
// alone.
func (s *Service) fullNames(
	ctx context.Context, c tenure.Caller, r Remember, scope tenure.Scope, label tenure.Label,
) (map[string]string, error) {
	session := scope.InSession(sourceOf(c, r.Source).Session)
	sees := audience.Of(c).And(label.Covers)
	full := r.shortNames(s.worker.Candidates.Lately(c.Tenant, session, sees))
	if len(full) == 0 {
		return nil, nil
	}
	v, err := view.OpenFor(ctx, s.store, c, label, s.mint().Now, s.matcher.Model)
	if err != nil {
		return nil, err
	}
	var names []string
	for short := range full {
		names = append(names, short)
	}
	known, err := v.Singular(ctx, names, scope.ProjectID)
	for short := range known {
		delete(full, short)
	}
	return full, err
}

// shortNames returns the full names for the first names and surnames in the facts that are those of one person alone,
// of all who are named in full there and in what was said lately.
func (r Remember) shortNames(lately []resolution.Mentioned) map[string]string {
	var short []string
	said := lately
	for _, f := range r.Facts {
		for _, at := range []side{subject, object} {
			t, ok := f.named(at)
			if !ok || len(t.name) > maxName {
				continue
			}
			typ := cmp.Or(t.typ, f.typeOf(at))
			if len(words.Load().Untitled(t.name)) == 1 && (typ == "" || typ == words.Person) {
				short = append(short, t.name)
			}
			if at == subject || !t.plain || typ != "" { // else it may be a text
				said = append(said, resolution.Mentioned{Name: t.name, Type: typ})
			}
		}
	}
	full := map[string]string{}
	for _, s := range short {
		if people := meantBy(s, said); len(people) == 1 {
			full[s] = people[0].Name
		}
	}
	return full
}

// meantBy lists the people, once each, whose first name or surname is a name.
func meantBy(short string, said []resolution.Mentioned) (people []resolution.Mentioned) {
	parts := strings.Fields(strings.ToLower(short))
	for _, m := range said {
		if !strings.Contains(strings.ToLower(m.Name), parts[len(parts)-1]) {
			continue // the quick test
		}
		known := func(p resolution.Mentioned) bool {
			return text.Key(p.Name) == text.Key(m.Name) || m.Entity != "" && p.Entity == m.Entity
		}
		if (m.Type == "" || m.Type == words.Person) && shortFor(short, m.Name) &&
			words.Load().FullName(m.Name, m.Type == words.Person) && !slices.ContainsFunc(people, known) {
			people = append(people, m)
		}
	}
	return people
}

// shortFor reports whether a name is the first word or the last of a longer one, titles aside.
func shortFor(short, full string) bool {
	s, f := words.Load().Untitled(short), words.Load().Untitled(full)
	return len(s) == 1 && len(f) > 1 && (strings.EqualFold(s[0], f[0]) || strings.EqualFold(s[0], f[len(f)-1]))
}
