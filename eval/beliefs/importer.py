"""Turns the data's texts and markers into fields of the service's API.

Whoever reads the data before the service does has to know its conventions. They
stand here, one rule each, and each rule that is applied is counted; plain.py
hands the data over without them. Nothing here sees an answer, a track or a
question.
"""
import re
from collections import Counter

# Who outranks whom: the level that a word carries (0 strongest) and how far
# its source is trusted where level and time leave it open. The first table is
# the data's source.authority; tags are finer and go before it.
AUTHORITIES = {
    "policy": (0, 1.0), "executive": (1, 0.9), "manager": (2, 0.7), "peer": (3, 0.5),
    "system": (3, 0.8), "subordinate": (4, 0.4), "unverified": (4, 0.1),
}
TAGS = {
    "SYSTEM": (0, 1.0), "BOARD": (0, 1.0), "C_LEVEL": (1, 0.95), "VP": (1, 0.85), "DIRECTOR": (2, 0.75),
    "MANAGER": (2, 0.7), "INDIVIDUAL": (3, 0.5), "CONTRACTOR": (4, 0.3),
}
# What some types of source are, whatever rank is noted beside them: a policy
# is a policy though a peer wrote it down.
TYPES = {"policy": (0, 1.0), "tool": (4, 0.6), "external": (4, 0.3)}

# Titles, the highest first; a person has each rank up to the own one.
RANKS = [
    ("C-suite", re.compile(r"\b(?-i:C[A-Z]{1,3}O)\b|\bchief\b|\bgeneral counsel\b|(?<!vice )\bpresident\b", re.I)),
    ("VP", re.compile(r"\bvp\b|\bvice president\b", re.I)),
    ("Director", re.compile(r"\bdirector\b|\bhead of\b", re.I)),
    ("Manager", re.compile(r"\bmanager\b", re.I)),
]
FUNCTIONS = [
    ("HR", re.compile(r"\bhr\b|human resources|people op|\bchro\b|recruit", re.I)),
    ("Finance", re.compile(r"financ|\bcfo\b|account(ing|ant)|controller|treasur|audit", re.I)),
    ("Security", re.compile(r"security|\bciso\b", re.I)),
    ("Legal", re.compile(r"legal|counsel", re.I)),
    ("CS", re.compile(r"customer success|\bcs\b", re.I)),
    ("Sales", re.compile(r"\bsales\b|account executive", re.I)),
    ("Engineering", re.compile(r"engineer|developer|tech lead|\bcto\b", re.I)),
    ("Product", re.compile(r"product", re.I)),
    ("Procurement", re.compile(r"procurement|vendor|purchas", re.I)),
    ("Operations", re.compile(r"operations|\bcoo\b", re.I)),
    ("Marketing", re.compile(r"marketing|\bcmo\b", re.I)),
    ("Support", re.compile(r"support", re.I)),
]

MARKER = re.compile(r"^\[(?P<name>[A-Z][A-Z_]+)(?P<rest>[^\]]*)\]\s*(?P<text>.*)$", re.S)
SPOKEN = re.compile(r"^\[?(?P<name>[A-Z][\w .&'-]*?) \((?P<role>[^)]+)\)\]?:\s")
DRAFT = re.compile(r"\s*\((?:draft|tentative|provisional)\)\s*$", re.I)
# payment_terms_v2 and meeting_time_corrected are the same attribute as
# payment_terms and meeting_time; instruction_a and instruction_b are two
# answers to one question. A number alone (fact_3) counts items of a list.
VARIANT = re.compile(r"_(?:v\d+|corrected|[a-z])$")
# A name that is no word of the language: CloudServices, TICKET-9999, #1234.
NAME = re.compile(r"#\d+\b|\b[A-Z][A-Za-z]*-\d+\b|\b[A-Z][a-z]+[A-Z]\w*\b")


def instant(ts):
    """The data's times have no zone: they are UTC."""
    return ts if re.search(r"(Z|[+-]\d\d:\d\d)$", ts) else ts + "Z"


def functions(title):
    return [name for name, rx in FUNCTIONS if rx.search(title or "")]


def roles_of(title, department):
    """The groups that a person belongs to, as restrictions name them. What
    somebody does stands in the title; the department fills in where the title
    is silent."""
    ranks = [name for name, _ in RANKS]
    top = next((i for i, (_, rx) in enumerate(RANKS) if rx.search(title or "")), len(ranks))
    mine = functions(title) or functions(department)
    roles = list(mine)
    if top < len(ranks):
        roles += [f"{f} leadership" for f in mine]
    if top == 0:
        roles.append("C-suite")
    return roles + [f"{r}+" for r in ranks[max(top, 1):]]


def audience(text):
    """"restricted to HR and VP+" names the groups that may read; an audience
    that nobody has a word for is read by nobody."""
    m = re.search(r"restricted to (.+)$", text)
    if not m:
        return ["nobody"]
    groups = []
    for part in re.split(r",|/|\band\b|\bor\b", m.group(1)):
        part = re.sub(r"^the | (team|department|only|staff)$", "", part.strip())
        part = re.sub(r"^executives?( team)?$|^c-level$", "C-suite", part, flags=re.I)
        part = re.sub(r"^leadership( team)?$", "Director+", part, flags=re.I)
        part = re.sub(r"^customer success\b", "CS", part, flags=re.I)
        if part:
            groups.append(part)
    return groups


def supposed(name):
    """The scope of what was said in a draft, an exercise or someone's session:
    seen there and nowhere else."""
    label = re.sub(r"\W+", "-", name.strip().lower()).strip("-")[:100] or "unnamed"
    if re.search(r"'s session$", name):
        return {"kind": "session", "session_id": label}
    return {"kind": "draft" if "draft" in name.lower() else "hypothetical", "task_id": label}


# What is read in texts and keys, rule by rule; without one of them, the text
# stays as it is. What a rule is worth is what is lost without it.
RULES = {
    "restricted": "[RESTRICTED: ... restricted to VP+] is a permission, and a title tells the groups of a person",
    "scope": "[SCOPE: what-if discussion] is a scope",
    "draft": "(DRAFT) at the end is a scope",
    "rank": "[VP] Vera (VP Sales): ... is an instruction by somebody of that rank",
    "invalidated": "[INVALIDATED - ...] is a retraction of what it supersedes",
    "variants": "key_v2, key_corrected and key_a are the attribute key",
    "signals": "news on a named thing retire an older signal of another kind",
    "level": "a named supersession is never refused for want of authority",
    "notes": "\"key: text\" of the working set is an attribute",
    "speakers": "\"Vera (VP Sales): ...\" in a turn tells who speaks",
}


class Observe:
    """One observation, to be written; key is that of its claim."""

    def __init__(self, body, key=None):
        self.body, self.key = body, key


class Retract:
    """What was said last under a key never held."""

    def __init__(self, target, level, reason):
        self.target, self.level, self.reason = target, level, reason


class Importer:
    """One timeline's conventions; subject is the entity of the person who
    asks, once it is known."""

    def __init__(self, counts=None, without=()):
        self.counts = Counter() if counts is None else counts
        self.without = set(without)
        self.subject = None
        self.said = {}  # by key: authority level and scope of what was said last
        self.keys = {}  # by the data's id, which may repeat: the key that it stood for last
        self.signals = {}  # what the environment says, by key

    def begin(self, timeline):
        """The person who asks."""
        self.who = timeline["initial_state"]["identity_role"]
        self.start = instant(timeline["initial_state"]["environment"]["now"])
        return {
            "source": self.origin({}, "identity"), "observed_at": self.start,
            "mentions": [{"name": self.who["user_name"], "type": "person"}],
        }

    def state(self, timeline):
        """Facts, working set and environment as they stand at the start. The
        clock is no belief: each question brings its own."""
        s = timeline["initial_state"]
        out = [self.fact(f, f["ts"]) for f in s["persistent_facts"]]
        for w in s["working_set"]:
            key, _, text = self.unmarked(w["content"]).partition(": ")
            item = {"key": key if text and "notes" not in self.without else "note", "value": w["content"], "layer": "working_set"}
            out.append(self.fact(item, w["ts"]))
        for key, value in s["environment"].items():
            if key != "now":
                first = {"key": key, "value": value, "source": {"type": "system", "authority": "system"}}
                out.append(self.signal(first, s["environment"]["now"]))
        return out

    def event(self, e):
        if e["type"] == "conversation_turn":
            return [self.turn(e)]
        return [
            self.signal(w, e["ts"]) if w["layer"] == "environment" else self.fact(w, e["ts"])
            for w in e["writes"]
        ]

    def turn(self, e):
        """An utterance is evidence; no claim is drawn from it."""
        self.counts["turn"] += 1
        user = e["speaker"] == "user"
        source = {
            "origin": "conversation://turn", "authority_level": 3 if user else 4, "source_authority": 0.5,
            "speaker": self.who["user_name"] if user else e["speaker"],
        }
        m = SPOKEN.match(e["text"])
        if user and m and "speakers" not in self.without:
            source["speaker"], source["role"] = m.group("name"), m.group("role")
        return Observe({"source": source, "observed_at": instant(e["ts"]), "text": e["text"]})

    def signal(self, w, ts):
        """What the environment says now. News retires an older signal of
        another kind on the same thing, where both name it."""
        names = set(NAME.findall(w["value"]))
        older = [] if "signals" in self.without else [k for k, v in self.signals.items() if k != w["key"] and names & set(NAME.findall(v))]
        for k in older:
            self.counts["signal retires another of the same name"] += 1
            del self.signals[k]
        self.signals[w["key"]] = w["value"]
        done = self.fact(dict(w, layer="environment"), ts)
        if older:
            claim = done.body["claims"][0]
            claim["supersedes"] = claim.get("supersedes", []) + older
            claim["supersession_evidence"] = {"rule": "same named thing", "trigger": w["key"]}
        return done

    def fact(self, w, ts):
        """A claim about the person who asks: key says which attribute, value
        what it is, markers and source how far it holds."""
        source, text = self.origin(w.get("source") or {}, w.get("layer") or "fact"), str(w["value"])
        claim = {
            "subject": self.subject, "predicate": self.attribute(w["key"]), "key": w["key"],
            "layer": w["layer"] if w.get("layer") in ("environment", "working_set") else "fact",
            "valid_from": instant(ts),
        }
        scope, target = {}, self.keys.get(w.get("supersedes"), w.get("supersedes"))
        m = self.marker(text)
        marker = m and m.group("name")
        if marker == "INVALIDATED":
            return self.invalidate(source, target, m.group("rest").lstrip(" -:"), text, ts)
        if marker == "RESTRICTED":
            self.counts["[RESTRICTED] -> permission"] += 1
            claim["permission_scope"] = {"allow_roles": audience(m.group("rest"))}
            claim["security_classification"] = "confidential"
        elif marker == "SCOPE":
            self.counts["[SCOPE] -> scope"] += 1
            scope = supposed(m.group("rest").lstrip(": "))
        elif marker and not m.group("rest") and (marker in TAGS or SPOKEN.match(m.group("text"))):
            self.instruct(source, claim, marker, m.group("text"))
        text = self.unmarked(text)
        if "draft" not in self.without and DRAFT.search(text):
            self.counts["(draft) -> draft scope"] += 1
            text, scope = DRAFT.sub("", text), {"kind": "draft"}
        if claim["layer"] == "working_set" and text.startswith(w["key"] + ": "):
            text = text[len(w["key"]) + 2:]
        self.nature(claim, source, w)
        if target:
            self.supersede(claim, source, scope, target)
        self.said[w["key"]] = source["authority_level"], scope
        if w.get("id"):
            self.keys[w["id"]] = w["key"]
        claim["value"] = text
        body = {"source": source, "scope": scope, "observed_at": instant(ts), "claims": [claim]}
        if not scope:
            del body["scope"]
        return Observe(body, w["key"])

    def instruct(self, source, claim, tag, text):
        """[VP] Vera (VP Sales): an instruction, by somebody of that rank. It
        holds from when it was heard; that it was noted after another one
        within minutes is no argument for it."""
        self.counts["[rank] -> authority"] += 1
        if tag in TAGS:
            source["authority_level"], source["source_authority"] = TAGS[tag]
        del claim["valid_from"]
        m = SPOKEN.match(text)
        if m:
            source["speaker"], source["role"] = m.group("name"), m.group("role")

    def invalidate(self, source, target, reason, text, ts):
        """[INVALIDATED - was based on wrong data: ...] Original conclusion: ...
        says that the conclusion never held. It is not said again."""
        if target not in self.said:
            self.counts["[INVALIDATED]: nothing of that name"] += 1
            return Observe({"source": source, "observed_at": instant(ts), "text": text})
        self.counts["[INVALIDATED] -> retraction"] += 1
        level, _ = self.said.pop(target)
        return Retract(target, min(level, source["authority_level"]), reason)

    def nature(self, claim, source, w):
        if w.get("is_constraint"):
            claim["is_constraint"] = True
            if w.get("constraint_type"):
                claim["constraint_type"] = w["constraint_type"]
        if (w.get("source") or {}).get("type") == "policy" or source["authority_level"] == 0:
            claim["object_type"] = "policy_rule"

    def supersede(self, claim, source, scope, target):
        """The data says that this displaces that, an id or a key, of which the
        service knows the key. Whoever recorded it was able to: the claim
        speaks with at least the authority of what it displaces. What was never
        more than a draft needs no displacing outside of it."""
        self.counts["supersedes"] += 1
        if target not in self.said:
            self.counts["supersedes: nothing of that name"] += 1
            return
        level, where = self.said[target]
        if where and where != scope:
            self.counts["supersedes: only a draft"] += 1
            return
        claim["supersedes"] = [target]
        claim["supersession_evidence"] = {"rule": "named by the source", "trigger": target[:1000]}
        if level < source["authority_level"] and "level" not in self.without:
            self.counts["supersedes: level raised"] += 1
            source["authority_level"] = level

    def origin(self, source, layer):
        kind = re.sub(r"[^a-z0-9]", "-", (source.get("type") or "user").lower())
        level, trust = AUTHORITIES.get(source.get("authority"), AUTHORITIES["peer"])
        if kind in TYPES:
            level, trust = TYPES[kind]
        speaker = source.get("identity") or (self.who["user_name"] if kind == "user" else kind)
        return {
            "origin": f"{kind}://{layer}", "authority_level": level, "source_authority": trust, "speaker": speaker,
        }

    def identity(self):
        """The person who asks, as a compile request tells."""
        w = self.who
        fields = {
            "name": w["user_name"], "authority": w["authority"], "department": w["department"],
            "organization": w["organization"], "communication_style": w["communication_style"],
            "roles": [] if "restricted" in self.without else roles_of(w["authority"], w["department"]),
        }
        if self.subject:
            fields["entity_id"] = self.subject["entity_id"]
        return {k: v for k, v in fields.items() if v}

    def attribute(self, key):
        return key if "variants" in self.without else VARIANT.sub("", key)

    def marker(self, text):
        """The marker that a text begins with, if it is read."""
        m = MARKER.match(text)
        rule = "rank"
        if m and m.group("name") in ("INVALIDATED", "RESTRICTED", "SCOPE"):
            rule = m.group("name").lower()
        return None if rule in self.without else m

    def unmarked(self, text):
        """The text without the marker that has become fields."""
        m = self.marker(text)
        if m and (m.group("name") in ("RESTRICTED", "SCOPE") or m.group("name") in TAGS and not m.group("rest")):
            return m.group("text")
        return text
