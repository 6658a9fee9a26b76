package main

import (
	"encoding/json"
	"strings"
)

// The hand-written lists. A value like #15 is a JSON literal; every other one is a string.

// devDoubtful and heldDoubtful are pairs of which nobody can tell whether they are one value: TYPE: LEFT | RIGHT | NOTE.
const devDoubtful = `
number: 1.234 | 1234 | group or point
number: 1,234 | #1.234 | group or point
number: 12.500 | #12500 | group or point
number: 007 | #7 | a code may begin with zeros
number: about 12 | #13 | how far is about
percentage: 15% | 15 percentage points | a share or a difference
percentage: 1 | 100% | one of what
money: $1500 | CAD 1500 | whose dollar
money: $99 | A$99 | whose dollar
money: 1500 kr | NOK 1500 | whose crown
money: 1500 kr | SEK 1500 | whose crown
money: $1500 | #1500 | which currency
money: ¥8000 | CNY 8000 | whose yen or yuan
money: 500 pesos | MXN 500 | whose peso
money: $1.234 | $1234 | group or point
quantity: 5 tons | 5 tonnes | which ton
quantity: 10 gallons | 37.85 L | whose gallon
quantity: 5 km | #5 | which unit
quantity: 20° | 20 °C | which scale
quantity: 1.500 kg | 1500 kg | group or point
date: 03/04/2025 | 2025-04-03 | day or month first
date: 03/04/2025 | 2025-03-04 | day or month first
date: 3/4/2025 | April 3, 2025 | day or month first
date: 05-06-2024 | 2024-06-05 | day or month first
date: 12/11/2023 | 11 December 2023 | day or month first
date: 03/04/25 | 2025-04-03 | day, month or year first
date: 01/02/03 | 2003-02-01 | day, month or year first
partial date: FY2025 | 2025 | whose fiscal year
partial date: 03/25 | March 2025 | month and year, or day
partial date: May 5 | May 2005 | day or year
partial date: 03-04 | --03-04 | day or month first
partial date: spring 2025 | Q2 2025 | which half of the earth
time of day: 3:30 | 15:30 | morning or afternoon
time of day: 3:30 | 3:30 pm | morning or afternoon
time of day: 9 | 9 am | an hour or a number
time of day: 15:30 | 15:30 UTC | which zone
time of day: 3 o'clock | 15:00 | morning or afternoon
time of day: 9:30 CST | 9:30 UTC-6 | whose CST
duration: 5m | 5 minutes | minutes, months, metres or millions
duration: 1 month | 30 days | how long a month is
duration: 1 year | 365 days | how long a year is
duration: 1:30 | 90 minutes | hours or minutes
duration: 2 days | 2 business days | which days
duration: 1 month | 4 weeks | how long a month is
date-time: 2025-03-14T15:30:00 | 2025-03-14T15:30:00Z | which zone
date-time: 03/04/2025 15:30 | 2025-04-03T15:30:00 | day or month first
date-time: 2025-03-14 15:30 | 2025-03-14T15:30:00+01:00 | which zone
date-time: #1741966200 | 2025-03-14T15:30:00Z | a number or seconds
date-time: 4/5/2025 9:00 AM | May 4, 2025 9:00 AM | day or month first
boolean: #1 | #true | a number or a truth
boolean: 0 | no | a number or a truth
boolean: x | yes | a mark or a letter
boolean: maybe | yes | undecided
phone: 555-0100 | +1 212 555 0100 | which area
phone: 7946 0000 | 020 7946 0000 | which area
e-mail: anna.berg@gmail.com | annaberg@gmail.com | a rule of one provider
e-mail: anna.berg+tag@gmail.com | anna.berg@gmail.com | a rule of one provider
URL: http://acme.com | https://www.acme.com/home | one page or two
URL: acme.com/Docs | acme.com/docs/index.html | one page or two
URL: https://github.com/Acme/App | https://github.com/acme/app2 | two repositories
name: A. Berg | Anders Berg | which A.
name: Anna | Anna Berg | which Anna
name: Berg | Anna Berg | which Berg
name: Acme | Acme Media | which Acme
text: soon | next week | how soon
text: the new one | option B | which one
`

const heldDoubtful = `
number: 2.500 | 2500 | group or point
number: 7.125 | #7125 | group or point
number: 3,141 | #3.141 | group or point
number: 0042 | #42 | a code may begin with zeros
number: a dozen or so | #12 | how far is or so
number: 1,50 | #150 | a slip
percentage: #1 | 100 % | one of what
percentage: 5 pp | 5% | a share or a difference
percentage: up 5% | 5% | a share or a change
money: $250 | AUD 250 | whose dollar
money: $250 | NZ$250 | whose dollar
money: 250 kr. | DKK 250 | whose crown
money: 300 dollars | CAD 300 | whose dollar
money: EUR 20 | #20 | which currency
money: ¥1200 | RMB 1200 | whose yen or yuan
money: 40 francs | CHF 40 | whose franc
money: €2.500 | €2.5 | group or point
money: 80 rupees | LKR 80 | whose rupee
quantity: 3 tons | 3000 kg | which ton
quantity: 2 pints | 1.136 L | whose pint
quantity: 12 oz | 12 fl oz | weight or volume
quantity: 30 degrees | 30 °C | which scale
quantity: 2.750 km | 2750 km | group or point
date: 07/08/2024 | 2024-08-07 | day or month first
date: 7/8/2024 | 8 July 2024 | day or month first
date: 7/8/2024 | 7 August 2024 | day or month first
date: 11-12-2019 | 2019-11-12 | day or month first
date: 02 / 10 / 2022 | 2 October 2022 | day or month first
date: 10/11/12 | 2012-11-10 | day, month or year first
date: 04-05-06 | 4 May 2006 | day, month or year first
partial date: 05/06 | June 5 | day or month first
partial date: 07/24 | July 2024 | month and year, or day
partial date: FY24 | 2024 | whose fiscal year
partial date: June 21 | June 2021 | day or year
partial date: summer 2024 | Q3 2024 | which half of the earth
time of day: 7:45 | 19:45 | morning or afternoon
time of day: 7:45 | 7:45 p.m. | morning or afternoon
time of day: 8 | 8 am | an hour or a number
time of day: 19:45 | 19:45 GMT | which zone
time of day: half seven | 18:30 | English or German
time of day: 10:15 IST | 10:15 +05:30 | whose IST
duration: 3m | 3 minutes | minutes, months, metres or millions
duration: 6 months | 180 days | how long a month is
duration: 02:45 | 2 h 45 min | a time of day, or minutes
duration: 2 years | 730 days | how long a year is
duration: 10 days | 10 working days | which days
date-time: 2024-07-08T09:00 | 2024-07-08T09:00Z | which zone
date-time: 07/08/2024 09:00 | 2024-08-07T09:00:00 | day or month first
date-time: 8 July 2024 09:00 | 2024-07-08T09:00:00+02:00 | which zone
date-time: #1720429200000 | 2024-07-08T09:00:00Z | a number or milliseconds
date-time: 07/08/2024 9:00 AM | July 8, 2024 9:00 AM | day or month first
boolean: #0 | #false | a number or a truth
boolean: 1 | true | a number or a truth
boolean: partly | yes | undecided
boolean: X | true | a mark or a letter
phone: 465 004 12 | +46 8 465 004 12 | which area
phone: 5550 1234 | 02 5550 1234 | which area
e-mail: j.smith@gmail.com | jsmith@gmail.com | a rule of one provider
e-mail: nadia+x@contoso.com | nadia@contoso.com | a rule of one provider
URL: http://contoso.com | https://www.contoso.com/en | one page or two
URL: contoso.com | contoso.com/index.php | one page or two
name: N. Walsh | Noel Walsh | which N.
name: Walsh | Nadia Walsh | which Walsh
name: Contoso | Contoso Energy | which Contoso
text: later | in June | how late
text: as before | version 2.1 | as what
`

// devCompatible and heldCompatible hold together, and one says more: TYPE: LEFT | RIGHT | FINER | NOTE.
const devCompatible = `
number: 10-20 | #15 | right | within the range
number: between 10 and 20 | 12 | right | within the range
number: more than 100 | #250 | right | beyond the bound
number: at least 5 | #7 | right | beyond the bound
number: < 50 | #30 | right | under the bound
number: about 12 | #12 | right | the same, said exactly
number: ~1500 | 1,500 | right | the same, said exactly
number: up to 20 | #8 | right | under the bound
percentage: 10-20% | 15% | right | within the range
percentage: over 50% | 62% | right | beyond the bound
percentage: about 30% | 30 % | right | the same, said exactly
money: $1,000-$2,000 | $1,500 | right | within the range
money: between 40k and 60k EUR | EUR 52,000 | right | within the range
money: over $1M | $1.4M | right | beyond the bound
quantity: 5-10 km | 7 km | right | within the range
quantity: 5–10 km | 7000 m | right | within the range
quantity: at least 16 GB | 32 GB | right | beyond the bound
quantity: about 70 kg | 70 kg | right | the same, said exactly
date: 2025 | 2025-03-14 | right | a year that contains a date
date: 2025-03 | 14 March 2025 | right | a month that contains a date
date: Q1 2025 | 2025-03-14 | right | a quarter that contains a date
date: H2 2024 | 2024-09-01 | right | a half that contains a date
date: 5 May | 2025-05-05 | right | a day of every year
date: 2025-W11 | 2025-03-14 | right | a week that contains a date
partial date: 2025 | March 2025 | right | a year that contains a month
partial date: #2025 | 2025-03 | right | a year that contains a month
partial date: Q1 2025 | March 2025 | right | a quarter that contains a month
partial date: 1990s | #1994 | right | a decade that contains a year
partial date: H1 2025 | Q2 2025 | right | a half that contains a quarter
time of day: 9-17 | 10:30 | right | within the range
time of day: 09:00-12:00 | 10:30 | right | within the range
time of day: morning | 09:15 | right | a part of the day
duration: 2-3 weeks | 16 days | right | within the range
duration: at least 2 years | 3 years | right | beyond the bound
duration: about an hour | 60 minutes | right | the same, said exactly
date-time: 2025-03-14 | 2025-03-14T15:30:00Z | right | a day that contains an instant
date-time: March 2025 | 2025-03-14 15:30 | right | a month that contains a date-time
date-time: 2025-03-14T15:30 | 2025-03-14T15:30:27 | right | a minute that contains a second
phone: (212) 555-0100 | +1 212 555 0100 | right | with the country
phone: 020 7946 0000 | +44 20 7946 0000 | right | with the country
phone: +1 212 555 0100 | +1 212 555 0100 ext. 5 | right | with the extension
name: Oslo | Oslo, Norway | right | a place with its country
name: Norway | Oslo, Norway | right | a country that contains the place
name: Paris | Paris, Texas | right | a place with its state
name: Building 4, Room 12 | Room 12 | left | a room with its building
name: Anna Berg | Dr. Anna Berg | right | with the title
name: A. Berg | Anna Berg | right | an initial
name: Anna Berg | Anna M. Berg | right | with the initial
name: Acme | Acme Inc. | right | with the legal form
`

const heldCompatible = `
number: 30 to 40 | #36 | right | within the range
number: 100–200 | 150 | right | within the range
number: #17 | from 10 to 25 | left | within the range
number: fewer than 80 | #64 | right | under the bound
number: >= 3 | #4 | right | beyond the bound
number: 1,000+ | 2,400 | right | beyond the bound
number: approx. 500 | #500 | right | the same, said exactly
number: circa 40 | 40 | right | the same, said exactly
number: no more than 9 | nine | right | under the bound
percentage: 40% to 60% | 55% | right | within the range
percentage: less than 10% | 7.5% | right | under the bound
percentage: ~25% | 25 percent | right | the same, said exactly
money: €20k–€30k | 25 000 € | right | within the range
money: from USD 100 to USD 200 | $150 | right | within the range
money: at most £500 | £420.00 | right | under the bound
money: $3M+ | USD 4.5 million | right | beyond the bound
quantity: 20 to 30 °C | 25 °C | right | within the range
quantity: 1-2 t | 1500 kg | right | within the range
quantity: under 5 kg | 4.2 kg | right | under the bound
quantity: approx. 12 m | 12 m | right | the same, said exactly
date: #1987 | 23 June 1987 | right | a year that contains a date
date: June 1987 | 1987-06-23 | right | a month that contains a date
date: 23.06.1987 | 1987 | left | a year that contains a date
date: second quarter of 1987 | 23 Jun 1987 | right | a quarter that contains a date
date: 23 June | 1987-06-23 | right | a day of every year
date: the 1980s | 1987-06-23 | right | a decade that contains a date
partial date: June 1987 | #1987 | left | a year that contains a month
partial date: H1 1987 | June 1987 | right | a half that contains a month
partial date: 1987 | Q2 1987 | right | a year that contains a quarter
partial date: 80s | the 1980s | right | with the century
time of day: between 8 and 10 am | 09:20 | right | within the range
time of day: 14:00–16:00 | 3 pm | right | within the range
time of day: afternoon | 15:40 | right | a part of the day
duration: 30-45 min | 40 minutes | right | within the range
duration: less than 3 days | 48 hours | right | under the bound
duration: 5+ years | 7 years | right | beyond the bound
duration: roughly 2 weeks | 14 days | right | the same, said exactly
date-time: 23 June 1987 | 1987-06-23T08:05:00+02:00 | right | a day that contains an instant
date-time: 1987 | 1987-06-23T08:05:00Z | right | a year that contains an instant
phone: 02 5550 1234 | +61 2 5550 1234 | right | with the country
phone: +47 22 33 44 55 | +47 22 33 44 55 extension 12 | right | with the extension
name: Lyon | Lyon, France | right | a place with its country
name: Portland, Oregon, USA | Portland | left | a place with its state
name: Kenya | Nairobi, Kenya | right | a country that contains the place
name: Floor 3 | HQ, Floor 3 | right | a floor with its building
name: Prof. Clara Novak | Clara Novak | left | with the title
name: Novak, C. | Clara Novak | right | an initial
name: Contoso GmbH | Contoso | left | with the legal form
`

// devEmpty and heldEmpty are spellings of no value at all, whatever they are said about; a line is a language. White space and the empty
// string are added.
const devEmpty = `
unknown|Unknown|UNKNOWN|TBD|tbd|N/A|n/a|-|--|null|NULL|(empty)|not_available|Tbd|not known|not available|not applicable|to be determined|to be confirmed|TBC|???|?|no data|not specified|unspecified|undefined|—
unbekannt|keine Angabe|k.A.|k. A.|nicht bekannt|nicht verfügbar
inconnu|non renseigné|non disponible|à déterminer|s.o.
desconocido|no disponible|por determinar|sin datos
`

const heldEmpty = `
T.B.D.|TBA|n.a.|N.A.|#N/A|NaN|<null>|[unknown]|(unknown)|–|...|…|____|n/k|unknown.|Not Applicable|NOT KNOWN|to be announced|to be decided|not provided|not stated|no information|(none)|information not available|don't know|no answer|-/-|#VALUE!
noch offen|entfällt|o. A.|unbekannt.
non communiqué|indéterminé|N/D|sans objet
no aplica|por definir|s/d|se desconoce
sconosciuto|non disponibile|da definire
desconhecido|não informado|a definir
onbekend|n.v.t.|nog te bepalen
неизвестно|不明|未定|未知
`

// devFull and heldFull look like no value and are one, of the predicate: PREDICATE: VALUE | NOTE.
const devFull = `
country_code: NA | Namibia
region_code: NA | North America
last_name: Null | a surname
last_name: None | a surname
chemical_symbol: Na | sodium
allergies: none | nothing to be allergic to
score: #0 | a number
active: #false | a truth
active: no | a truth
open_issues: 0 | a number
grade: F | a grade
blood_group: O- | a blood group
title: The Unknown | a title
band: Unknown Mortal Orchestra | a name
city: Nada | a place
policy: not applicable to contractors | a sentence
status: pending | a state
status: unavailable | a state
status: missing in action | a sentence
first_name: Na | a given name
answer: No | an answer
team: Undefined Labs | a name
email: unknown@acme.com | an address
`

const heldFull = `
iso_country: NA | Namibia
continent_code: NA | North America
surname: Nil | a surname
surname: Nada | a surname
family_name: Blank | a surname
element: Na | sodium
dietary_restrictions: None | nothing to leave out
dependents: none | no dependants
balance: #0.0 | a number
remote: #false | a truth
retries: zero | a number
size: S | a size
rating: A- | a rating
film: Unknown Pleasures | a title
company: Missing Link Ltd. | a name
place: Nowhere, Oklahoma | a place
note: unknown sender addresses are blocked | a sentence
state: blank slate | a phrase
state: blocked | a state
initials: N. A. | initials
ticker: TBA-W | a symbol
url: https://null.example/ | an address
rule: n/a for guests, 5 for staff | a sentence
temperature: -5 | a number
`

// value reads a hand-written value: #15 is a JSON literal.
func value(s string) any {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "#"); ok && json.Valid([]byte(rest)) {
		return json.RawMessage(rest)
	}
	return s
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func doubtful(text string) []pair {
	var out []pair
	for _, line := range lines(text) {
		kind, rest, _ := strings.Cut(line, ": ")
		f := strings.Split(rest, " | ")
		out = append(out, pair{Type: kind, Left: value(f[0]), Right: value(f[1]), Gold: goldAmbiguous, Note: f[2]})
	}
	return out
}

func compatible(text string) []pair {
	var out []pair
	for _, line := range lines(text) {
		kind, rest, _ := strings.Cut(line, ": ")
		f := strings.Split(rest, " | ")
		out = append(out, pair{Type: kind, Left: value(f[0]), Right: value(f[1]), Gold: goldCompatible, Finer: f[2], Note: f[3]})
	}
	return out
}

// nothings are the values that are none, and those that only look so.
func nothings(empty, full string) []pair {
	var out []pair
	for _, s := range []any{"", " ", nil} {
		out = append(out, pair{Type: "no value", Predicate: "manager", Left: s, Gold: goldNothing})
	}
	predicates := []string{"phone", "manager", "due_date", "office", "budget"}
	for i, s := range strings.FieldsFunc(empty, func(c rune) bool { return c == '|' || c == '\n' }) {
		out = append(out, pair{Type: "no value", Predicate: predicates[i%len(predicates)], Left: s, Gold: goldNothing})
	}
	for _, line := range lines(full) {
		predicate, rest, _ := strings.Cut(line, ": ")
		v, note, _ := strings.Cut(rest, " | ")
		out = append(out, pair{Type: "no value", Predicate: predicate, Left: value(v), Gold: goldSomething, Note: note})
	}
	return out
}
