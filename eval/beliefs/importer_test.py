"""Examples of the importers' rules: python3 -m unittest importer_test."""
import unittest

from importer import RULES, Importer, Observe, Retract, audience, instant, roles_of, supposed
from plain import Plain

PERSON = {"user_name": "Dana", "authority": "Sales Rep", "department": "Sales", "organization": "Acme", "communication_style": None}


def begun():
    i = Importer()
    i.begin({"initial_state": {"identity_role": PERSON, "environment": {"now": "2026-01-01T00:00:00"}}})
    i.subject = {"entity_id": "e"}
    return i


def write(value, key="k", **more):
    source = {"type": "user", "identity": None, "authority": "peer"}
    return {"id": "W", "layer": "persistent_facts", "key": key, "value": value, "source": source, **more}


def claim(value, **more):
    body = begun().fact(write(value, **more), "2026-01-01T10:00:00").body
    return body, body["claims"][0]


class Rules(unittest.TestCase):
    def test_times_without_a_zone_are_utc(self):
        self.assertEqual(instant("2026-01-01T10:00:00"), "2026-01-01T10:00:00Z")
        self.assertEqual(instant("2026-01-01T10:00:00+02:00"), "2026-01-01T10:00:00+02:00")

    def test_restriction_becomes_a_permission(self):
        _, c = claim("[RESTRICTED: Pricing restricted to VP+] 40% off")
        self.assertEqual((c["value"], c["permission_scope"]), ("40% off", {"allow_roles": ["VP+"]}))

    def test_audiences(self):
        for text, groups in [
            ("Data restricted to HR and Finance", ["HR", "Finance"]), ("x restricted to the Security team", ["Security"]),
            ("x restricted to executives", ["C-suite"]), ("secret", ["nobody"]),
        ]:
            self.assertEqual(audience(text), groups)

    def test_roles_follow_the_title_then_the_department(self):
        for title, department, roles in [
            ("CFO", "Sales", ["Finance", "Finance leadership", "C-suite", "VP+", "Director+", "Manager+"]),
            ("Engineering Manager", "Hr", ["Engineering", "Engineering leadership", "Manager+"]),
            ("VP Sales", "Sales", ["Sales", "Sales leadership", "VP+", "Director+", "Manager+"]),
            ("Vice President", "Legal", ["Legal", "Legal leadership", "VP+", "Director+", "Manager+"]),
            ("Team Lead", "Hr", ["HR"]), ("Cargo Clerk", None, []),
        ]:
            self.assertEqual(roles_of(title, department), roles, title)

    def test_scopes(self):
        self.assertEqual(supposed("what-if discussion"), {"kind": "hypothetical", "task_id": "what-if-discussion"})
        self.assertEqual(supposed("draft document")["kind"], "draft")
        self.assertEqual(supposed("Bob's session"), {"kind": "session", "session_id": "bob-s-session"})

    def test_draft_is_a_scope_only_at_the_end(self):
        self.assertEqual(claim("$5 (DRAFT)")[0]["scope"], {"kind": "draft"})
        self.assertNotIn("scope", claim("Deal (draft): $5")[0])

    def test_rank_becomes_authority(self):
        body, c = claim("[C_LEVEL] Ann (CEO): Stop.", key="instruction_b")
        self.assertEqual(body["source"]["authority_level"], 1)
        self.assertEqual((body["source"]["speaker"], body["source"]["role"]), ("Ann", "CEO"))
        self.assertEqual((c["predicate"], c["key"], c["value"]), ("instruction", "instruction_b", "Ann (CEO): Stop."))
        self.assertNotIn("valid_from", c)

    def test_a_number_counts_items_and_a_version_does_not(self):
        self.assertEqual(claim("x", key="fact_3")[1]["predicate"], "fact_3")
        self.assertEqual(claim("x", key="terms_v2")[1]["predicate"], "terms")

    def test_unknown_brackets_stay_text(self):
        for text in ("[URGENT] call", "[Sales] call", "[VP of x] call"):
            self.assertEqual(claim(text)[1]["value"], text)

    def test_invalidated_conclusion_is_retracted(self):
        i = begun()
        i.fact(write("a", key="d"), "2026-01-01T10:00:00")
        a = i.fact(write("[INVALIDATED - was based on wrong data: x] Original conclusion: a", key="d2", supersedes="d"), "2026-01-01T11:00:00")
        self.assertIsInstance(a, Retract)
        self.assertEqual((a.target, a.level), ("d", 3))
        again = i.fact(write("[INVALIDATED - again] Original conclusion: a", key="d3", supersedes="d"), "2026-01-01T12:00:00")
        self.assertNotIn("claims", again.body)

    def test_a_recorded_supersession_is_not_refused(self):
        i = begun()
        policy = {"type": "policy", "identity": None, "authority": "policy"}
        i.fact(dict(write("a", key="p"), source=policy), "2026-01-01T10:00:00")
        a = i.fact(write("b", key="p_v2", supersedes="p"), "2026-01-01T11:00:00")
        self.assertEqual(a.body["source"]["authority_level"], 0)
        self.assertEqual(i.counts["supersedes: level raised"], 1)

    def test_supersedes_names_an_id_then_a_key(self):
        i = begun()
        for key, value in (("p", "a"), ("q", "b")):
            i.fact(write(value, key=key), "2026-01-01T10:00:00")  # both have the id W
        for name, want in (("W", ["q"]), ("p", ["p"]), ("nothing", None)):
            c = i.fact(dict(write("c", key="r", supersedes=name), id="X"), "2026-01-01T11:00:00").body["claims"][0]
            self.assertEqual(c.get("supersedes"), want, name)

    def test_a_draft_is_not_superseded_outside_of_it(self):
        i = begun()
        i.fact(write("a (DRAFT)", key="p"), "2026-01-01T10:00:00")
        self.assertNotIn("supersedes", i.fact(write("b", key="p_v2", supersedes="p"), "2026-01-01T11:00:00").body["claims"][0])

    def test_news_retires_another_signal_on_the_same_named_thing(self):
        i = begun()
        i.signal({"key": "deadline", "value": "CASE-12 due at 4"}, "2026-01-01T10:00:00")
        i.signal({"key": "calendar", "value": "Lunch at 1"}, "2026-01-01T10:00:00")
        a = i.signal({"key": "alert", "value": "CASE-12 is late"}, "2026-01-01T11:00:00")
        self.assertEqual(a.body["claims"][0]["supersedes"], ["deadline"])

    def test_without_its_rules_a_text_stays_as_it_is(self):
        for text, key in [
            ("[RESTRICTED: x restricted to VP+] a", "k"), ("[SCOPE: what-if] a", "k"), ("a (DRAFT)", "k"), ("[VP] Ann (VP): a", "k_v2"),
            ("[INVALIDATED - x] a", "k"),
        ]:
            i = Importer(without=RULES)
            i.who, i.subject = PERSON, {"entity_id": "e"}
            a = i.fact(write(text, key=key, supersedes="k"), "2026-01-01T10:00:00")
            c = a.body["claims"][0]
            self.assertEqual((c["value"], c["predicate"]), (text, key))
            self.assertNotIn("permission_scope", c)
            self.assertNotIn("scope", a.body)


class AsGiven(unittest.TestCase):
    TEXTS = (
        "[RESTRICTED: x restricted to VP+] a", "[SCOPE: what-if discussion] a", "a (DRAFT)", "[C_LEVEL] Ann (CEO): Stop.",
        "[INVALIDATED - was based on wrong data: x] Original conclusion: a",
    )

    def setUp(self):
        self.plain = Plain()
        self.plain.begin({
            "id": "opaque", "actors": {"user": {"role": "Sales Rep"}, "assistant_role": "AI_Agent"},
            "initial_state": {"identity_role": PERSON, "environment": {"now": "2026-01-01T00:00:00"}},
        })
        self.plain.subject = {"entity_id": "e"}

    def claim(self, value, **more):
        a = self.plain.fact(write(value, **more), "2026-01-01T10:00:00")
        self.assertIsInstance(a, Observe)
        return a.body, a.body["claims"][0]

    def test_nothing_is_read_in_a_value_or_a_key(self):
        for text in self.TEXTS:
            body, c = self.claim(text, key="terms_v2")
            self.assertEqual((c["value"], c["predicate"], c["key"]), (text, "terms_v2", "terms_v2"))
            self.assertNotIn("scope", body)
            for field in ("permission_scope", "security_classification", "supersedes"):
                self.assertNotIn(field, c)
            self.assertEqual(body["source"]["speaker"], "Dana")

    def test_fields_go_where_they_belong(self):
        self.claim("a", key="p")
        body, c = self.claim("b", key="q", supersedes="W", is_constraint=True, source={"type": "tool", "identity": "crm", "authority": "system"})
        self.assertEqual((c["supersedes"], c["is_constraint"]), (["p"], True))
        self.assertEqual(body["source"], {
            "origin": "tool://persistent_facts", "authority_level": 3, "source_authority": 0.6, "role": "system", "speaker": "crm",
        })

    def test_a_turn_is_text_by_a_speaker_in_a_thread(self):
        for speaker, name, role in (("user", "Dana", "Sales Rep"), ("assistant", "assistant", "AI_Agent")):
            [a] = self.plain.event({"type": "conversation_turn", "ts": "2026-01-01T10:00:00", "speaker": speaker, "text": "Ann (CEO): a"})
            self.assertEqual(set(a.body), {"source", "observed_at", "text"})
            self.assertEqual((a.body["text"], a.body["source"]["speaker"], a.body["source"]["role"]), ("Ann (CEO): a", name, role))
            self.assertEqual(a.body["source"]["session_id"], "opaque")


if __name__ == "__main__":
    unittest.main()
