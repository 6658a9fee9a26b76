package main

import (
	"math"

	"tenure/similarity"
)

// Logistic regression with a quadratic penalty and box constraints. Every weight is a log-odds. Name features
// have a weight shared by all classes and an additional one per class, which is penalised more: it keeps
// classes with little data close to the shared weight.
//
// Columns: the shared name weights 0 to n-1, then n for each class, then the other attributes, then the prior
// of a registry, then one per set for its peculiarities, which is discarded.

var classes = []string{"thing", "person", "organization"}

type layout struct {
	names, attributes []similarity.Kind
	sets              []string
}

func newLayout() layout {
	n, a := similarity.Kinds()
	l := layout{names: n, attributes: a}
	for _, s := range sources {
		if s.learned() && s.form != curated {
			l.sets = append(l.sets, s.name)
		}
	}
	return l
}

func (l layout) attribute(i int) int { return len(l.names)*(1+len(classes)) + i }
func (l layout) registry() int       { return l.attribute(len(l.attributes)) }
func (l layout) set(i int) int       { return l.registry() + 1 + i }
func (l layout) columns() int        { return l.set(len(l.sets)) }

// fill computes the features of an example under a model, which matters for a profile with several names.
func (l layout) fill(e *example, m *similarity.Model) {
	class, names, attributes := m.Evidence(e.left, e.right)
	e.x = e.x[:0]
	for i, x := range names {
		if x != 0 {
			if l.names[i].Name == "name_number_differs" {
				e.weight = min(e.weight, doubtfulWeight)
			}
			e.x = append(e.x, entry{i, x})
			for k, c := range classes {
				if c == class {
					e.x = append(e.x, entry{len(l.names)*(1+k) + i, x})
				}
			}
		}
	}
	for i, x := range attributes {
		if x != 0 {
			e.x = append(e.x, entry{l.attribute(i), x})
		}
	}
	if e.registry {
		e.x = append(e.x, entry{l.registry(), 1})
	}
	for i, s := range l.sets {
		if s == e.source.name {
			e.x = append(e.x, entry{l.set(i), 1})
		}
	}
}

// known is the prior knowledge about a weight: its bounds, and its expected value where data are scarce. The
// sets have no projects, hardly any fathers and sons, and no people who share a mailbox by mistake.
type known struct{ low, expected, high float64 }

var knowledge = map[string]known{
	"name":                        {-4, -2, 1},        // two names that are compared are alike already
	"name_words":                  {0, 2.5, 6},        // by Fellegi and Sunter, a word in common weighs what it informs
	"name_rare_words":             {0, 2.5, 6},        //
	"name_very_rare_words":        {0, 1, 6},          // but words of one name go together
	"name_share":                  {0, 1, 4},          //
	"name_letters":                {0, 0.5, 3},        //
	"name_conflict":               {-6, -2, -1},       // a word that differs is another name
	"person name_conflict":        {-2, -1.2, 0},      // and of a person, another person
	"name_conflict_first":         {-4, -0.5, 0},      //
	"name_conflict_last":          {-4, -0.5, 0},      //
	"name_conflict_words":         {-3, -0.7, -0.2},   //
	"name_conflict_close":         {0, 0.7, 2},        //
	"name_letters_far":            {-6, -3, -1.5},     //
	"name_extra_first":            {-3, -0.7, -0.2},   //
	"name_extra_middle":           {-2, -0.5, 0},      //
	"name_extra_last":             {-3, -0.7, -0.2},   //
	"name_extra_words":            {-1, -0.2, 0},      //
	"name_one_word":               {-3, -1, 0},        //
	"name_nothing":                {-6, -2, 0},        //
	"name_number_some":            {-5, -2.5, -1},     // another edition, if not another licence of it
	"name_edition_differs":        {-5, -2, -1},       //
	"name_edition_missing":        {-3, -0.7, -0.2},   //
	"name_code_equal":             {3, 5, 8},          // a model number is all but an identifier
	"name_code_part":              {1, 3, 6},          //
	"name_code_differs":           {-4, -2, -1},       // shops have numbers of their own, too
	"amount_near":                 {0, 0.7, 2},        //
	"amount_far":                  {-2, -0.7, 0},      //
	"attribute_equal":             {0, 1, 3},          //
	"attribute_words":             {0, 0.5, 2},        //
	"attribute_differs":           {-3, -1, 0},        //
	"attribute_differs_long":      {-2, -0.5, 0},      //
	"context_differs":             {-1.5, -0.5, 0},    // two may describe one thing in different words
	"context_words":               {0.6, 1.5, 2.5},    //
	"organization name_reordered": {-3, -1, 0},        // the University of Washington is not Washington University
	"name_generation":             {-9, -5, -4},       // father and son are two
	"name_father_swapped":         {-9, -5, -4},       // so are A bin B and B bin A
	"name_number_differs":         {-9, -6, -5},       // Fund III is not Fund IV
	"name_acronym":                {3, 3.5, 5},        //
	"name_equal":                  {0.7, 1, 3},        // whatever the slips of the pen are worth
	"name_nickname":               {-3, -0.3, 0},      //
	"name_translated":             {-3, -0.3, 0},      //
	"name_pet_form":               {-3, -1, 0},        //
	"name_joined":                 {-3, -0.2, 0},      //
	"name_reordered":              {-3, -0.3, 0},      //
	"name_number_equal":           {0, 1, 2},          //
	"name_number_missing":         {-6, -2, -1},       //
	"name_given":                  {-4, -2.2, -1.6},   // Jason is not Mason
	"name_gender":                 {-6, -4, -3},       // a sister is not her brother
	"name_single":                 {-1, -0.5, 0},      // what the word is worth says the rest
	"name_syllable":               {-6, -2.5, -1.5},   // two names, however alike they are written
	"name_form_kind":              {-9, -5, -4},       // a charity is no company
	"name_country_missing":        {-4, -1.5, -1},     // a branch is not its parent
	"name_country_differs":        {-6, -4, -3.5},     // nor its sister
	"name_sound":                  {0, 0.5, 1.2},      // about what the letters count against
	"name_script":                 {-9, -4, -2},       // a word of another script that sounds half alike is another
	"name_letter_long":            {-3, -0.3, -0.2},   // the large sets have more slips of the pen than people make
	"name_letter":                 {-3, -0.5, -0.3},   //
	"name_letter_short":           {-4, -1, -0.5},     //
	"name_two_letters":            {-4, -0.8, -0.5},   //
	"name_two_letters_short":      {-6, -2, -1},       //
	"name_first_letter":           {-3, -0.5, -0.15},  //
	"identifier_equal":            {4, 7, 9},          // one entity alone has it, slips of the pen aside
	"identifier_close":            {1, 3, 6},          //
	"identifier_part":             {0, 2, 4},          //
	"identifier_differs":          {-6, -3, -1},       //
	"identifier_other":            {-4, -1.5, 0},      //
	"email_equal":                 {3, 4, 7},          // families share some
	"email_shared":                {0, 0.3, 1},        // many read it
	"email_local":                 {0, 0.5, 2},        //
	"email_differs":               {-1, -0.5, 0},      // people have several
	"phone_equal":                 {1, 3.5, 5},        // households share it
	"phone_local":                 {0.5, 2, 4},        //
	"phone_differs":               {-1, -0.5, 0},      //
	"address_equal":               {3.5, 4, 5},        // families aside, which have features of their own
	"address_close":               {0.5, 2, 4},        //
	"address_differs":             {-1.5, -0.7, 0},    // people move
	"house_differs":               {-2, -0.3, 0},      //
	"date_equal":                  {2, 4, 4.8},        // in a large registry many have one, and names alike besides
	"date_year":                   {0.3, 1.5, 3},      //
	"date_swapped":                {0.5, 3, 4},        //
	"date_digit":                  {-1, 1, 3},         //
	"date_differs":                {-8, -4, -2},       //
	"gender_equal":                {0, 0.3, 0.7},      //
	"gender_differs":              {-3, -1, -0.2},     //
	"postcode_equal":              {1, 2.5, 4},        //
	"context_equal":               {3.3, 3.5, 4},      //
	"context_names":               {1.5, 2, 3},        // "a brand of warfarin"
	"context_slot":                {-5, -2.5, -1.5},   // a city in Oregon is none in Maine
	"number_equal":                {0, 1, 2},          //
	"twins":                       {-7, -5, -4.8},     // twins are two
	"born_and_dwelling":           {0, 1, 3},          // so is hardly anybody else
	"household":                   {-4.5, -3.6, -3.2}, // parents and children; the large sets have no families
	"type_differs":                {-4, -4, -4},       // no set has two types, projects or relations
	"project_same":                {0.5, 0.5, 0.5},    //
	"project_differs":             {-2, -2, -2},       //
	"neighbours":                  {1, 1, 1},          //
	"record_same":                 {12, 12, 12},       //
	"record_differs":              {-0.3, -0.3, -0.3}, //
}

// firm is how firmly a weight is held to its expected value: as firmly as by so many labelled pairs that it decides.
// Chosen by what is left out: with less, a model follows the ways of its sets.
// What attributes weigh differs less from set to set, and is known less well beforehand.
const (
	firm  = 100
	loose = 2
)

// bounds returns the bounds of a column with its expected value, and the penalty on the distance from that
// value.
func (l layout) bounds(column int) (k known, penalty float64) {
	n := len(l.names)
	switch {
	case column < n:
		return limits(l.names[column]), firm
	case column < l.attribute(0):
		name := classes[column/n-1] + " " + l.names[column%n].Name
		if b, ok := knowledge[name]; ok {
			return b, 3 * firm
		}
		return known{-math.MaxFloat64, 0, math.MaxFloat64}, 3 * firm
	case column < l.registry():
		return limits(l.attributes[column-l.attribute(0)]), loose
	case column == l.registry():
		return known{-6, -2, -1.4}, 1 // each set has a share of its own of candidates that are the one
	}
	return known{-4, 0, 4}, 2
}

func limits(k similarity.Kind) known {
	if b, ok := knowledge[k.Name]; ok {
		return b
	}
	switch {
	case k.Sign > 0:
		return known{0, 0, 9}
	case k.Sign < 0:
		return known{-9, 0, 0}
	}
	return known{-9, 0, 9}
}

// fit finds the weights by Newton's method, from weights that are near if there are any; each step is solved by
// coordinate descent within the bounds.
func fit(list []example, l layout, near []float64, keep func(*example) bool) []float64 {
	n := l.columns()
	w := make([]float64, n)
	lo, hi, expected, penalty := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range w {
		k, p := l.bounds(i)
		lo[i], hi[i], expected[i], penalty[i] = k.low, k.high, k.expected, p
		w[i] = k.expected
	}
	if near != nil {
		copy(w, near)
	}
	last := math.Inf(1)
	for range 40 {
		gradient, hessian, loss := slope(list, w, n, keep)
		for i := range w {
			off := w[i] - expected[i]
			loss += penalty[i] * off * off / 2
			gradient[i] += penalty[i] * off
			hessian[i*n+i] += penalty[i] + 1e-6
		}
		if math.Abs(last-loss) < 1e-7*loss {
			break
		}
		last = loss
		step(w, gradient, hessian, lo, hi, l)
	}
	return w
}

func slope(list []example, w []float64, n int, keep func(*example) bool) (gradient, hessian []float64, loss float64) {
	gradient, hessian = make([]float64, n), make([]float64, n*n)
	for i := range list {
		e := &list[i]
		if !keep(e) {
			continue
		}
		z := 0.0
		for _, x := range e.x {
			z += w[x.column] * x.amount
		}
		p := sigmoid(z)
		y := 0.0
		if e.match {
			y = 1
		}
		loss += e.weight * (math.Max(z, 0) - z*y + math.Log1p(math.Exp(-math.Abs(z))))
		g, h := e.weight*(p-y), e.weight*max(p*(1-p), 1e-4)
		for a, x := range e.x {
			gradient[x.column] += g * x.amount
			for _, y := range e.x[:a+1] {
				v := h * x.amount * y.amount
				hessian[x.column*n+y.column] += v
				if x.column != y.column {
					hessian[y.column*n+x.column] += v
				}
			}
		}
	}
	return gradient, hessian, loss
}

// step moves w to the minimum of the quadratic model within the bounds, but no weight by more than 2. Where a
// class weight adds to a shared weight, the bounds apply to the sum.
func step(w, gradient, hessian, lo, hi []float64, l layout) {
	n := len(w)
	d := make([]float64, n)
	for range 60 {
		for i := range w {
			g := gradient[i]
			row := hessian[i*n : (i+1)*n]
			for j, v := range d {
				g += row[j] * v
			}
			low, high := lo[i], hi[i]
			if names := len(l.names); i >= names && i < l.attribute(0) {
				base := i % names
				low, high = lo[base]-w[base]-d[base], hi[base]-w[base]-d[base]
			}
			next := min(max(w[i]+d[i]-g/row[i], low), high)
			d[i] = min(max(next-w[i], -2), 2)
		}
	}
	for i := range w {
		w[i] += d[i]
	}
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// version is raised with every change of the meaning of a model's numbers.
const version = "4"

// file returns the weights as a model file.
func (l layout) file(w []float64, frequencies map[string]similarity.FrequencyFile) similarity.File {
	f := similarity.File{
		Version: version, Names: map[string]map[string]float64{}, Attributes: map[string]float64{}, Frequencies: frequencies,
		Description: "Made by eval/model. Weights in log-odds: positive speaks for the same.",
	}
	for k, c := range classes {
		f.Names[c] = map[string]float64{}
		for i, kind := range l.names {
			b := limits(kind)
			if v := round(min(max(w[i]+w[len(l.names)*(1+k)+i], b.low), b.high)); v != 0 {
				f.Names[c][kind.Name] = v
			}
		}
	}
	for i, kind := range l.attributes {
		if v := round(w[l.attribute(i)]); v != 0 {
			f.Attributes[kind.Name] = v
		}
	}
	f.Prior.Registry = round(w[l.registry()])
	return f
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }
