"""The service as the referees' memory, over its REST API.

    TENURE_URL   where the server listens
    TENURE_KEYS  a file with a JSON list of API keys, each of an empty tenant
                 of its own; a timeline takes the next one

HttpMemory is what the referee loads with --driver driver:HttpMemory (the
working directory being this folder). HttpStore is the same for memorycheck, and
Sentences tells it in words.
"""
import functools
import http.client
import json
import os
import re
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from importer import Importer, Retract, instant  # noqa: E402  (the folder may not be on the path)
from plain import Plain  # noqa: E402

TIMEOUT = 60  # seconds, for one request


class Ledger:
    """What was asked of the server: requests by kind, and those that failed."""

    def __init__(self):
        self.requests, self.failures, self.imported = Counter(), [], Counter()

    def failed(self, what, status, problem):
        fields = "; ".join(f"{e.get('pointer')} {e.get('reason')}" for e in problem.get("errors", []))
        self.failures.append(f"{what}: {status} {problem.get('code')}: {problem.get('detail')} {fields}".strip())


class Connection:
    """One connection to the server that is kept open."""

    def __init__(self, url, ledger):
        at = urlsplit(url)
        self.http = http.client.HTTPConnection(at.hostname, at.port, timeout=TIMEOUT)
        self.ledger = ledger

    def post(self, key, path, body, kind="application/json"):
        """The status and the text of the answer."""
        headers = {"Authorization": "Bearer " + key, "Content-Type": kind}
        try:
            self.http.request("POST", path, body=body, headers=headers)
            answer = self.http.getresponse()
            return answer.status, answer.read().decode("utf-8")
        except (OSError, http.client.HTTPException) as e:
            self.http.close()  # the next request connects again
            return 599, json.dumps({"code": "no_answer", "detail": repr(e)})


class Tenant:
    """One tenant: writes go in order, in batches, before anything is asked.
    Every answer goes to the stream, if there is one."""

    def __init__(self, connection, key, stream=None):
        self.connection, self.key, self.stream = connection, key, stream
        self.ledger = connection.ledger
        self.waiting = []  # (observation, what to do with its answer)

    def observe(self, body, then=None):
        self.waiting.append((body, then))

    def flush(self):
        """Sends what waits; each line is a request of its own."""
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return
        lines = "".join(json.dumps(body) + "\n" for body, _ in waiting).encode()
        status, text = self.connection.post(self.key, "/v1/observations:batch", lines, "application/x-ndjson")
        self.ledger.requests["observe"] += len(waiting)
        results = [json.loads(line) for line in text.splitlines()] if status == 200 else []
        for i, (body, then) in enumerate(waiting):
            if i >= len(results):
                self.ledger.failed("observe", status, {"detail": "no result for the line: " + text[:300]})
                continue
            self.record("observe", results[i])
            if "problem" in results[i]:
                self.ledger.failed("observe", results[i]["status"], results[i]["problem"])
            elif then:
                then(results[i]["observation"])

    def ask(self, what, path, body, done=()):
        """Sends what waits, then one request; None if it failed, or was refused
        with a code that says that it is done already."""
        self.flush()
        status, text = self.connection.post(self.key, path, json.dumps(body).encode())
        self.ledger.requests[what] += 1
        answer = json.loads(text)
        self.record(what, answer)
        if status < 300:
            return answer
        if answer.get("code") in done:
            self.ledger.imported[what + ": done already"] += 1
        else:
            self.ledger.failed(what, status, answer)
        return None

    def compile(self, body):
        answer = self.ask("compile", "/v1/compile", body)
        return answer["envelope"]["text"] if answer else ""

    def record(self, what, answer):
        if self.stream is not None:
            self.stream.append({what: answer})


def environment_keys():
    with open(os.environ["TENURE_KEYS"], encoding="utf-8") as f:
        return json.load(f)


class HttpMemory:
    """A driver of the StateBench referee: each timeline is a tenant."""

    name = "http"

    def __init__(self, url=None, keys=None, ledger=None, record=False, importer="plain", without=()):
        self.ledger = ledger or Ledger()
        self.connection = Connection(url or os.environ["TENURE_URL"], self.ledger)
        self.keys = iter(environment_keys() if keys is None else keys)
        self.stream = [] if record else None
        self.importer_of = Plain if importer == "plain" else functools.partial(Importer, without=without)

    def reset(self, timeline):
        if self.stream is not None:
            self.stream.clear()
        self.tenant = Tenant(self.connection, next(self.keys), self.stream)
        self.importer = self.importer_of(self.ledger.imported)
        self.beliefs = {}  # ids, by the key of the claim said last
        person = self.importer.begin(timeline)
        self.tenant.observe(person, self.meet)
        self.tenant.flush()
        self.carry_out(self.importer.state(timeline))

    def event(self, e):
        self.carry_out(self.importer.event(e))

    def compile(self, query, budget_tokens):
        at = instant(query["ts"])
        return self.tenant.compile({
            "query": query["prompt"], "valid_at": at, "budget_tokens": budget_tokens,
            "identity": self.importer.identity(), "environment": {"now": query["ts"]},
        })

    def meet(self, answer):
        self.importer.subject = {"entity_id": answer["mentions"][0]["entity_id"]}

    def carry_out(self, actions):
        for a in actions:
            if isinstance(a, Retract):
                self.retract(a)
            else:
                self.tenant.observe(a.body, self.remember(a))

    def remember(self, a):
        def then(answer):
            for belief in answer["beliefs"]:
                self.beliefs[a.key] = belief["belief_id"]
        return then

    def retract(self, a):
        self.tenant.flush()
        belief = self.beliefs.get(a.target)
        if belief is None:
            self.ledger.failed("retract", 0, {"detail": f"the data named no belief: {a.target}"})
            return
        self.tenant.ask("retract", f"/v1/beliefs/{belief}/retract", {
            "authority_level": a.level, "reason": a.reason,
        }, done=("conflict",))  # a turn said it before


STEP = timedelta(hours=1)  # one step of memorycheck's logical time
DAWN = datetime(2026, 1, 1, tzinfo=timezone.utc)


class HttpStore:
    """A driver of memorycheck: each of its tenants is a tenant, each user a
    user scope and a person."""

    name = "http"

    def __init__(self, url=None, keys=None, ledger=None):
        self.ledger = ledger or Ledger()
        self.connection = Connection(url or os.environ["TENURE_URL"], self.ledger)
        self.keys = iter(environment_keys() if keys is None else keys)

    def reset(self):
        self.tenants, self.rows = {}, {}
        self.steps = self.ticks = 0

    def tenant(self, name):
        if name not in self.tenants:
            self.tenants[name] = Tenant(self.connection, next(self.keys))
        return self.tenants[name]

    def clock(self):
        """Logical time; within a step one thing comes after the other."""
        self.ticks += 1
        return DAWN + self.steps * STEP + timedelta(seconds=self.ticks)

    def write(self, scope, key, value, ttl_steps=None):
        until = None if ttl_steps is None else DAWN + (self.steps + ttl_steps + 1) * STEP
        self.say(scope, key, value, until)

    def correct(self, scope, key, value):
        self.say(scope, key, value, None, supersedes=[key])

    def delete(self, scope, key):
        """Forgets the value and what it had replaced."""
        for row in self.rows.pop((scope, key), []):
            self.tenant(scope[0]).ask("retract", f"/v1/beliefs/{row['id']}/retract", {"reason": "deleted"})

    def rescope(self, scope, key, to):
        last = self.rows[scope, key][-1]
        self.delete(scope, key)
        self.say(to, key, last["value"], last["until"])

    def advance_time(self, steps):
        self.steps += steps

    def query(self, scope, prompt):
        tenant, user = scope
        return self.tenant(tenant).compile({
            "query": prompt, "valid_at": self.clock().isoformat(), "scope": {"user_id": user},
            "identity": {"name": user, "user_id": user},
        })

    def say(self, scope, key, value, until, supersedes=()):
        tenant, user = scope
        now = self.clock().isoformat()
        claim = {"subject": {"mention": 0}, "predicate": key, "value": value, "valid_from": now}
        if until is not None:
            claim["valid_until"] = until.isoformat()
        if supersedes:
            claim["supersedes"] = list(supersedes)

        def then(answer):
            row = {"id": answer["beliefs"][0]["belief_id"], "value": value, "until": until}
            self.rows.setdefault((scope, key), []).append(row)
        self.tenant(tenant).observe({
            "source": {"origin": "memory://" + re.sub(r"\W", "-", user), "speaker": user},
            "scope": {"user_id": user}, "observed_at": now,
            "mentions": [{"name": user, "type": "person"}], "claims": [claim],
        }, then)
        self.tenant(tenant).flush()


class Sentences(HttpStore):
    """The same, told as a user would who only talks: every operation is a
    sentence of text alone. A fact that moves to somebody else is taken back by
    the one and said by the other."""

    name = "sentences"

    def write(self, scope, key, value, ttl_steps=None):
        until = ""
        if ttl_steps is not None:
            until = (DAWN + (self.steps + ttl_steps + 1) * STEP).strftime(" until %Y-%m-%dT%H:%M:%SZ")
        self.rows[scope, key] = value
        self.tell(scope, f"My {words(key)} is {value}{until}.")

    def correct(self, scope, key, value):
        self.rows[scope, key] = value
        self.tell(scope, f"Correction: my {words(key)} is {value}.")

    def delete(self, scope, key):
        self.tell(scope, f"Please forget my {words(key)}.")

    def rescope(self, scope, key, to):
        self.delete(scope, key)
        self.write(to, key, self.rows[scope, key])

    def tell(self, scope, text):
        tenant, user = scope
        self.tenant(tenant).observe({
            "source": {"origin": "memory://" + re.sub(r"\W", "-", user), "speaker": user},
            "scope": {"user_id": user}, "observed_at": self.clock().isoformat(), "text": text,
        })
        self.tenant(tenant).flush()


def words(key):
    return key.replace("-", " ")
