"""What schemathesis has to know about Tenure: ids that exist, and which refusals are documented.

scripts/fuzz-api runs it. The environment names the server (TENURE_URL), a key of it that sees everything (TENURE_KEY)
and one that sees little (TENURE_LOW_KEY), and the file that the counts go to (TENURE_COUNTS).
"""

import atexit
import collections
import json
import os
import random
import re
import uuid

import requests
import schemathesis
import yaml

URL = os.environ["TENURE_URL"]
KEY = os.environ["TENURE_KEY"]
LOW_KEY = os.environ["TENURE_LOW_KEY"]
HEADERS = {"Authorization": f"Bearer {KEY}"}
OWN_KEYS = [key.split("_")[1] for key in (KEY, LOW_KEY)]

# An operation that took none of so many requests that the document allows was not tested.
ENOUGH = 6

with open("../../api/openapi.yaml", encoding="utf-8") as file:
    DOCUMENT = yaml.safe_load(file)

# The kind of id by the name of the field, in answers and requests; other fields that end in _id hold one of their name.
KINDS = {
    "root_id": "entity",
    "pending_id": "entity",
    "new_entity_id": "entity",
    "object_id": "belief",
    "object_ids": "belief",
    "holds": "belief",
    "matched_ids": "entity",
    "mentions": "mention",
    "canonical_entity_ids": "entity",
    "into": "entity",
    "of": "observation",
    "accept": "belief",
    "superseded": "belief",
    "restored": "belief",
    "beliefs": "belief",
    "claims": "belief",
    "case_id": "quarantine",
    "object": "belief",
    "key": "key",
    "event_id": "dead_letter",
    "cannot_links": "cannot_link",
}
# The kind of id by the segment of the path before it.
PATHS = {
    "observations": "observation",
    "entities": "entity",
    "reviews": "review",
    "cannot-links": "cannot_link",
    "merges": "merge",
    "splits": "split",
    "beliefs": "belief",
    "amendments": "amendment",
    "quarantine": "quarantine",
    "keys": "key",
    "compilations": "trace",
    "dead-letters": "dead_letter",
    "documents": "document",
}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

# The newest ids of each kind, so that most requests meet something in the state that they need.
known = collections.defaultdict(lambda: collections.deque(maxlen=40))
versions = {}
owners = {}
proposals = collections.deque(maxlen=40)
queries = []
counts = collections.Counter()


def kind_of(field):
    """The kind of id that a field of this name holds."""
    return KINDS.get(field) or field.removesuffix("_ids").removesuffix("_id")


def gather(value, field=""):
    """Note all ids of an answer, and the versions of reviews and cases."""
    if isinstance(value, dict):
        for name in ("review_id", "case_id"):
            if name in value and "version" in value:
                versions[value[name]] = value["version"]
        if "mention_id" in value and "entity_id" in value:
            owners[value["mention_id"]] = value["entity_id"]
        for statement in value.get("statements", []):
            if "observation_id" in value and "proposal" in statement:
                proposals.append((value["observation_id"], statement["proposal"]))
        for name, item in value.items():
            gather(item, name)
    elif isinstance(value, list):
        for item in value:
            gather(item, field)
    elif isinstance(value, str) and UUID.fullmatch(value) and value not in OWN_KEYS:
        ids = known[kind_of(field)]
        if value not in ids:
            ids.append(value)


def existing(value, kind):
    """An id that exists in place of three quarters of the generated ones; the same for the same."""
    ids = known[kind]
    if value in OWN_KEYS:
        return str(uuid.uuid5(uuid.UUID(value), "another key"))
    if not isinstance(value, str) or not UUID.fullmatch(value) or value in ids or not ids:
        return value
    draw = uuid.UUID(value).int
    return value if draw % 4 == 3 else ids[draw // 4 % len(ids)]


def filled(value, field=""):
    """A body with ids that exist."""
    if isinstance(value, dict):
        return {name: filled(item, name) for name, item in value.items()}
    if isinstance(value, list):
        items = [filled(item, field) for item in value]
        # Where the items differed, they do still.
        return items if len(set(map(repr, items))) == len(set(map(repr, value))) else value
    return existing(value, kind_of(field))


def at_its_version(value, fallback=None):
    """A body that states the version of the review or case that it decides on, by its own id or that of the path."""
    if isinstance(value, list):
        return [at_its_version(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {name: at_its_version(item) for name, item in value.items()}
    about = out.get("review_id") or out.get("case_id")
    version = versions.get(about) if isinstance(about, str) else None
    version = version or fallback
    if version and "version" in out:
        out["version"] = version
    return out


def permitted(value):
    """A body whose evidence a role of the keys may see: queries are refused while there is any that they may not."""
    if isinstance(value, list):
        return [permitted(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: ["agent"] if name == "permission_scope" and item else permitted(item) for name, item in value.items()
    }


def positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    """Put ids that exist into a request, and what fits them if the document allows it."""
    before = case.path.split("{")[0].strip("/").split("/")[-1]
    for name, value in list((case.path_parameters or {}).items()):
        case.path_parameters[name] = existing(value, PATHS.get(before, ""))
    for name, value in list((case.query or {}).items()):
        case.query[name] = existing(value, kind_of(name))
    if isinstance(case.body, (dict, list)):
        case.body = filled(case.body)
    if positive(case):
        fit(case)
        # Every fourth is of the key that sees little, but of those that nobody asks for without seeing everything.
        if sum(counts.values()) % 4 == 0 and case.method != "DELETE":
            case.headers["Authorization"] = f"Bearer {LOW_KEY}"


def fit(case):
    """Have a request name what there is and is in the state that it needs, and the version that it decides on."""
    version = versions.get((case.path_parameters or {}).get("id"))
    # No text that the document allows is a cursor, but those that an answer held.
    (case.query or {}).pop("cursor", None)
    if "/proposals/" in case.path and proposals and case.path_parameters["number"] % 4:
        case.path_parameters["id"], case.path_parameters["number"] = proposals[
            case.path_parameters["number"] % len(proposals)
        ]
        version = 1
    if case.path.endswith("/split"):
        for mention in case.body["mentions"]:
            case.path_parameters["id"] = owners.get(mention, case.path_parameters["id"])
    name = written(case)["operationId"]
    if name in FITS and random.Random(sum(counts.values())).random() < 0.75:
        version = FITS[name](case) or version
    if isinstance(case.body, dict):
        case.body = permitted(at_its_version(case.body, version))


def fit_decision(case):
    """An open review, and a candidate of it."""
    reviews = get("/v1/reviews?limit=50")["items"]
    if not reviews:
        return
    review = reviews[sum(counts.values()) % len(reviews)]
    case.path_parameters["id"] = review["review_id"]
    if "into" in case.body:
        case.body["into"] = review["candidates"][0]["entity_id"]
    case.body.pop("mentions", None)


def fit_lease(case):
    """An open review that nobody has leased."""
    free = get("/v1/reviews?lease=free&limit=50")["items"]
    if free:
        case.path_parameters["id"] = free[sum(counts.values()) % len(free)]["review_id"]


def fit_answered(case):
    """A review that was answered."""
    reviews = get("/v1/reviews?state=settled&limit=50")["items"]
    if reviews:
        case.path_parameters["id"] = reviews[sum(counts.values()) % len(reviews)]["review_id"]


def fit_settlement(case):
    """An open case, and a belief that it holds."""
    cases = get("/v1/quarantine?lease=free&limit=50")["items"]
    if not cases:
        return
    of = cases[sum(counts.values()) % len(cases)]
    case.path_parameters["id"] = of["case_id"]
    if "accept" in case.body:
        case.body["accept"] = of["beliefs"][0]["object_id"]


def fit_settled(case):
    """A case that was settled."""
    cases = get("/v1/quarantine?state=settled&limit=50")["items"]
    if cases:
        case.path_parameters["id"] = cases[sum(counts.values()) % len(cases)]["case_id"]


def fit_end(case):
    """A belief that stands, ended now."""
    standing = [b for b in get("/v1/beliefs?limit=50")["items"] if b["contradiction_status"] == "clean"]
    if standing:
        case.path_parameters["id"] = standing[sum(counts.values()) % len(standing)]["object_id"]
    if isinstance(case.body, dict):
        case.body.pop("at", None)
        case.body.pop("authority_level", None)


def fit_vocabulary(case):
    """The version that a vocabulary has."""
    case.body.pop("terms", None)
    return get(f"/v1/vocabularies/{case.path_parameters['name']}?limit=1")["version"]


def fit_query(case):
    """A query that there is, and its parameters."""
    query = queries[sum(counts.values()) % len(queries)]
    values = {"id": known["entity"][0], "integer": 1, "time": "2026-01-01T00:00:00Z"}
    case.path_parameters["name"] = query["name"]
    case.body["parameters"] = {
        p["name"]: p.get("minimum", values.get(p["kind"], "Heron")) for p in query["parameters"] if p["required"]
    }


def fit_fate(case):
    """A compilation, and what is in it."""
    answer = post("/v1/compile", {"query": "Where does Heron keep its orders?"})
    case.path_parameters["trace_id"] = answer["run"]["trace_id"]
    case.query["object"] = known["belief"][0]


def fit_find(case):
    """A name, now."""
    case.query = {"name": "Heron"}


def fit_plan(case):
    """A look at what would be erased."""
    (case.query or {}).pop("plan", None)


FITS = {
    "DecideReview": fit_decision,
    "LeaseReview": fit_lease,
    "ReleaseReview": fit_lease,
    "UndoReview": fit_answered,
    "SettleCase": fit_settlement,
    "UndoSettlement": fit_settled,
    "EndBelief": fit_end,
    "FindEntities": fit_find,
    "PutVocabulary": fit_vocabulary,
    "AskQuery": fit_query,
    "ExplainObject": fit_fate,
    "EraseDocument": fit_plan,
    "EraseEntity": fit_plan,
    "EraseObservation": fit_plan,
    "EraseUser": fit_plan,
}


@schemathesis.hook
def after_call(context, case, response):
    code = ""
    if "json" in response.headers.get("content-type", [""])[0] and "ndjson" not in response.headers["content-type"][0]:
        answer = response.json()
        code = answer.get("code", "") if response.status_code >= 400 else ""
        if response.status_code < 300:
            gather(answer)
            if case.path == "/v1/keys" and case.method == "POST":
                known["key"].append(answer["credential"]["id"])
    counts[
        "positive" if positive(case) else "negative",
        written(case)["operationId"],
        f"{response.status_code} {code}".strip(),
    ] += 1


def rules_of(schema, seen):
    """The x-rules of a schema and of all that it refers to."""
    if isinstance(schema, list):
        for item in schema:
            yield from rules_of(item, seen)
    elif isinstance(schema, dict):
        yield from schema.get("x-rules", [])
        name = schema.get("$ref")
        if name and name not in seen:
            seen.add(name)
            target = DOCUMENT
            for step in name.removeprefix("#/").split("/"):
                target = target[step]
            yield from rules_of(target, seen)
        for item in schema.values():
            yield from rules_of(item, seen)


def written(case):
    """The operation as it is written in the document; of a method that a path does not have, none."""
    return DOCUMENT["paths"][case.path].get(case.method.lower(), {"operationId": "none"})


@schemathesis.check
def refusal_is_documented(ctx, response, case):
    """Nothing fails but by a code of x-refusals, or of a request that the document forbids."""
    problem = response.json() if response.status_code >= 400 else None
    if case.path == "/v1/observations:batch" and response.status_code == 200:
        problem = first_line(ctx, response).get("problem")
        if not positive(case) and not problem:
            raise AssertionError("a line that the document forbids was taken")
    if not problem or not positive(case) and problem["status"] < 500:
        return
    if problem["code"] in written(case).get("x-refusals", []):
        return
    # The head of the document says that NUL is refused everywhere.
    if problem["code"] in ("invalid", "malformed") and re.search(r"\bNUL\b", json.dumps(problem)):
        return
    asked = {name: part for name, part in written(case).items() if name != "responses"}
    rules = list(rules_of(asked, set()))
    faults = [fault for fault in problem.get("errors", []) if not any(rule in fault["reason"] for rule in rules)]
    if problem["code"] not in ("invalid", "malformed") or not problem.get("errors") or faults:
        said = "; ".join(f"{fault['pointer']} {fault['reason']}" for fault in faults)
        raise AssertionError(f"not documented: {problem['code']}, {problem['detail']}: {said}")


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def first_line(ctx, response):
    lines_of = response.content.splitlines()
    return json.loads(lines_of[0]) if lines_of else {}


def post(path, body=None):
    """What the server answers to a request of the seed, which it has to take."""
    answer = requests.post(URL + path, json=body or {}, headers=HEADERS, timeout=60)
    if not answer.ok:
        raise RuntimeError(f"the seed: {path} answers {answer.status_code} {answer.text}")
    gather(answer.json())
    return answer.json()


def get(path):
    answer = requests.get(URL + path, headers=HEADERS, timeout=60)
    answer.raise_for_status()
    gather(answer.json())
    return answer.json()


def remember(*facts, **fields):
    return post("/v1/remember", {"facts": list(facts), **fields})


def split_off():
    """Part entities that have several mentions."""
    source = {"origin": "test://marsh", "authority_level": 2, "source_authority": 0.8}
    for number in range(6):
        person = {"name": f"Ruff {number}", "type": "person", "attributes": {"email": [f"ruff{number}@marsh.example"]}}
        claim = {"subject": {"mention": 0}, "predicate": "based_in", "value": "Porto"}
        for _ in range(2):
            written = post("/v1/observations", {"source": source, "mentions": [person], "claims": [claim]})
        mention = written["mentions"][0]
        post(f"/v1/entities/{mention['entity_id']}/split", {"mentions": [mention["mention_id"]], "reason": "another"})


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Write a little of everything: what is decided, what waits, what was undone."""
    remember(
        ["Heron", "order_database", "MariaDB"],
        ["Heron", "opening_day", "2025-09-03"],
        speaker="mail",
        authority_level=3,
    )
    remember(["Heron", "opening_day", "2025-09-10"], speaker="calendar", authority_level=3)
    remember(["Heron", "order_database", "PostgreSQL"], speaker="mail", authority_level=3)
    for bird in ("Crane", "Stork", "Ibis", "Egret", "Bittern", "Curlew"):
        remember([bird, "opening_day", "2025-09-03"], speaker="mail", authority_level=3)
        remember([bird, "opening_day", "2025-09-10"], speaker="calendar", authority_level=3)
        address = f"{bird.lower()}@saltmarsh.example"
        person = {"name": f"Lena {bird}", "type": "person", "attributes": {"email": [address]}}
        remember([person, "based_in", "Porto"], [person, "works_on", {"name": "Heron", "type": "project"}])
        remember([{"name": f"Leni {bird}", "type": "person"}, "based_in", "Faro"])
        remember([{**person, "name": f"L. {bird}"}, "nickname", bird])
        remember(
            [{"name": f"{bird} House", "type": "project"}, "budget", "4000 dollars"], observed_at="2025-02-01T09:00:00Z"
        )
        # Less than certain: a change is proposed.
        post("/v1/remember", {"text": f"The budget of {bird} House should be 6100 dollars.", "session_id": "standup"})
    if not proposals:
        raise RuntimeError("the seed: nothing was proposed")
    remember(["Blue", "colour", "blue"])
    remember(["Azure", "colour", "blue"])
    reviews = get("/v1/reviews")["items"]
    for review, decision in zip(reviews, ["merge", "new_entity"]):
        body = {"decision": decision, "version": review["version"]}
        if decision == "merge":
            body["into"] = review["candidates"][0]["entity_id"]
        post(f"/v1/reviews/{review['review_id']}/decision", body)
    blue, azure = (get(f"/v1/entities?name={name}")["items"][0]["entity_id"] for name in ("Blue", "Azure"))
    post(f"/v1/entities/{blue}/merge", {"into": azure})
    case = get("/v1/quarantine")["items"][0]
    post(
        f"/v1/quarantine/{case['case_id']}/resolution",
        {"accept": case["beliefs"][0]["object_id"], "version": case["version"]},
    )
    for belief in get("/v1/beliefs?predicate=based_in")["items"]:
        end = post(f"/v1/beliefs/{belief['object_id']}/end", {"reason": "moved"})
    post(f"/v1/amendments/{end['amendment_id']}/undo")
    split_off()
    for number in range(6):
        post(
            "/v1/documents",
            {
                "uri": f"https://marsh.example/{number}",
                "text": "# Orders\n\nHeron keeps its orders in MariaDB.",
                "media_type": "text/markdown",
                "security_classification": "public" if number % 2 else "confidential",
            },
        )
    # What the key that sees little sees.
    remember(["Tern", "opening_day", "2025-09-03"], speaker="mail", security_classification="public")
    queries.extend(q for q in get("/v1/queries")["items"] if "sqlite" in q["engines"])
    post("/v1/compile", {"query": "Where does Heron keep its orders?"})
    post("/v1/recall", {"query": "Where does Heron keep its orders?"})
    known["key"].append(post("/v1/keys", {"roles": ["agent"]})["credential"]["id"])
    for path in ("/v1/tasks", "/v1/observations", "/v1/entities?q=Lena", "/v1/keys"):
        get(path)


@atexit.register
def report():
    """Write how many requests there were, how they were answered, and which operations never took one of enough."""
    answers = collections.Counter()
    allowed = collections.Counter()
    taken = set()
    for (mode, name, answer), n in counts.items():
        answers[f"{mode} {answer}"] += n
        if mode == "positive":
            allowed[name] += n
        if answer.startswith("2"):
            taken.add(name)
    untaken = sorted(name for name, n in allowed.items() if n >= ENOUGH and name not in taken)
    lines = [f"{sum(counts.values())} requests"] + [f"  {n:6} {answer}" for answer, n in answers.most_common()]
    if untaken:
        lines.append("  never taken: " + ", ".join(untaken))
    with open(os.environ["TENURE_COUNTS"], "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
