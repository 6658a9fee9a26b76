"""Hands the data over as given: fields as fields, text as text.

What stands in a field of the data goes into the field of the API that means the
same. Nothing is read in a text, a value or the name of a key: what a text says
is the service's to find out.
"""
from collections import Counter

from importer import Observe, instant

# How far a kind of source is trusted: what a machine says is worth less than
# what a person does. Who outranks whom is a role, and the service's to know.
PERSON, MACHINE = (2, 0.8), (3, 0.6)
MACHINES = ("tool", "external")


class Plain:
    """One timeline; subject is the entity of the person who asks, once it is
    known."""

    def __init__(self, counts=None):
        self.counts = Counter() if counts is None else counts
        self.subject = None
        self.keys = {}  # by the data's id, which may repeat: the key that it stood for last

    def begin(self, timeline):
        """The person who asks."""
        self.id = timeline["id"]
        self.who = timeline["initial_state"]["identity_role"]
        self.actors = timeline["actors"]
        self.start = instant(timeline["initial_state"]["environment"]["now"])
        return {
            "source": {"origin": "system://identity"}, "observed_at": self.start,
            "mentions": [{"name": self.who["user_name"], "type": "person"}],
        }

    def state(self, timeline):
        """Facts, working set and environment as they stand at the start. The
        clock is no belief: each question brings its own."""
        s = timeline["initial_state"]
        out = [self.fact(f, f["ts"]) for f in s["persistent_facts"]]
        for w in s["working_set"]:
            item = {"key": w["item_type"], "value": w["content"], "layer": "working_set"}
            out.append(self.fact(item, w["ts"]))
        for key, value in s["environment"].items():
            if key != "now":
                first = {"key": key, "value": value, "layer": "environment", "source": {"type": "system", "authority": "system"}}
                out.append(self.fact(first, s["environment"]["now"]))
        return out

    def event(self, e):
        if e["type"] == "conversation_turn":
            return [self.turn(e)]
        return [self.fact(w, e["ts"]) for w in e["writes"]]

    def turn(self, e):
        """An utterance: text alone, by a speaker, in a conversation."""
        self.counts["turn"] += 1
        user = e["speaker"] == "user"
        level, trust = PERSON if user else MACHINE
        source = {
            "origin": "conversation://" + self.id, "session_id": self.id, "authority_level": level, "source_authority": trust,
            "speaker": self.who["user_name"] if user else e["speaker"],
            "role": self.who["authority"] if user else self.actors["assistant_role"],
        }
        return Observe({"source": {k: v for k, v in source.items() if v}, "observed_at": instant(e["ts"]), "text": e["text"]})

    def fact(self, w, ts):
        """A claim about the person who asks: key, value and when."""
        self.counts["fact"] += 1
        layer = w.get("layer")
        claim = {
            "subject": self.subject, "predicate": w["key"], "key": w["key"], "value": w["value"],
            "layer": layer if layer in ("environment", "working_set") else "fact", "valid_from": instant(ts),
        }
        if not isinstance(w["value"], str):
            claim["value"] = str(w["value"])
        if w.get("is_constraint"):
            claim["is_constraint"] = True
            if w.get("constraint_type"):
                claim["constraint_type"] = w["constraint_type"]
        if w.get("supersedes"):
            self.counts["supersedes"] += 1
            claim["supersedes"] = [self.keys.get(w["supersedes"], w["supersedes"])]
        if w.get("id"):
            self.keys[w["id"]] = w["key"]
        source = self.source(w.get("source") or {}, layer or "fact")
        return Observe({"source": source, "observed_at": instant(ts), "claims": [claim]}, w["key"])

    def source(self, of, layer):
        kind = (of.get("type") or "user").lower()
        level, trust = MACHINE if kind in MACHINES else PERSON
        fields = {
            "origin": f"{kind}://{layer}", "authority_level": level, "source_authority": trust, "role": of.get("authority"),
            "speaker": of.get("identity") or (self.who["user_name"] if kind == "user" else kind),
        }
        return {k: v for k, v in fields.items() if v}

    def identity(self):
        """The person who asks, as a compile request tells."""
        fields = {k: self.who[k] for k in ("authority", "department", "organization", "communication_style")}
        fields["name"] = self.who["user_name"]
        fields["roles"] = [r for r in (self.who["authority"],) if r]
        if self.subject:
            fields["entity_id"] = self.subject["entity_id"]
        return {k: v for k, v in fields.items() if v}
