"""Runs the referees with the service as their memory, or with their own
drivers, and writes what they found as JSON. Started by main.go.

    run.py service   --referees DIR --data DIR --out FILE [--importer plain|reading] [--without RULE,...]
                     [--stream FILE] [--rows FILE] [--sample N] [--workers N]
    run.py baselines --referees DIR --data DIR --out FILE [--sample N]
"""
import argparse
import importlib.util
import json
import multiprocessing
import os
import re
import sys
import time
from collections import Counter

import driver
from importer import RULES as RULES_READ

BASELINES = ["everything", "transcript", "valid-facts", "valid-facts+env"]
RULES = ["v1", "v2"]
BUDGET = 2000


def module(folder, name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, name + ".py"))
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    return m


class Replay:
    """Gives the same contexts again, so that a second rule scores the same."""

    def __init__(self, contexts):
        self.contexts = iter(contexts)

    def reset(self, timeline):
        pass

    def event(self, e):
        pass

    def compile(self, query, budget_tokens):
        return next(self.contexts)


# --- answers of two engines, made comparable ---

ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
CLOCK = {
    "recorded_at", "received_at", "known_at", "tx_start", "tx_end", "compiled_at", "latency_ms", "request_id",
    "tenant_id",  # and the name that the run gave
}


def blank(v):
    """Takes out, by name, what differs from run to run: the server's clock.
    What is null stays null."""
    if isinstance(v, dict):
        return {k: "" if k in CLOCK and x is not None else blank(x) for k, x in v.items()}
    return [blank(x) for x in v] if isinstance(v, list) else v


def normal(stream):
    """The answers to one timeline; ids are named in order of appearance."""
    names = {}
    text = json.dumps([blank(s) for s in stream], ensure_ascii=False)
    return ID.sub(lambda m: names.setdefault(m.group(), f"#{len(names) + 1}"), text)


# --- StateBench ---


def timelines(referee, folder, sample):
    """Every timeline with the name of its file, in their order; with a sample,
    the first ones of each track in each file."""
    out = []
    for name in sorted(os.listdir(folder)):
        if ".jsonl" in name:
            split, taken = name.split(".")[0], Counter()
            for t in referee.load(os.path.join(folder, name)):
                taken[t["track"]] += 1
                if not sample or taken[t["track"]] <= sample:
                    out.append((split, t))
    return out


def one(referee, memory, t):
    """The rows of a timeline under each rule."""
    rows = {"v1": referee.run([t], memory, "v1", BUDGET)}
    for rule in RULES[1:]:
        rows[rule] = referee.run([t], Replay([r["context"] for r in rows["v1"]]), rule, BUDGET)
    return rows


def share(args):
    """One worker's timelines; each has a tenant of its own."""
    referees, work, record, importer, without = args
    referee = module(referees, "statebench_score")
    ledger = driver.Ledger()
    memory = driver.HttpMemory(keys=[key for _, _, key in work], ledger=ledger, record=record, importer=importer, without=without)
    out = []
    for i, t, _ in work:
        rows = one(referee, memory, t)
        out.append((i, rows, normal(memory.stream) if record else None))
    return out, ledger


def summaries(referee, data, rows):
    out = {}
    for rule in RULES:
        flat = [dict(r, split=split) for (split, _), timeline in zip(data, rows) for r in timeline[rule]]
        out[rule] = {
            "overall": referee.summary(flat), "by_track": referee.by(flat, "track"), "by_kind": referee.by(flat, "kind"),
            "by_split": referee.by(flat, "split"),
        }
    return out


def service(a):
    referee = module(a.referees, "statebench_score")
    data = timelines(referee, os.path.join(a.data, "statebench"), a.sample)
    keys = driver.environment_keys()
    work = [(i, t, keys[i]) for i, (_, t) in enumerate(data)]
    began = time.monotonic()
    jobs = [(a.referees, work[w::a.workers], bool(a.stream), a.importer, a.without) for w in range(a.workers)]
    with multiprocessing.Pool(a.workers) as pool:
        done = pool.map(share, jobs)
    took = time.monotonic() - began
    total = driver.Ledger()
    answers = {}
    for out, ledger in done:
        total.requests += ledger.requests
        total.imported += ledger.imported
        total.failures += ledger.failures
        answers.update({i: (rows, text) for i, rows, text in out})
    rows = [answers[i][0] for i in range(len(data))]
    if a.stream:
        with open(a.stream, "w", encoding="utf-8") as f:
            for i, (split, t) in enumerate(data):
                f.write(f"{split}\t{referee.opaque(t['id'])}\t{answers[i][1]}\n")
    ms = sorted(r["ms"] for timeline in rows for r in timeline["v1"])
    if a.rows:
        with open(a.rows, "w", encoding="utf-8") as f:
            for timeline in rows:
                f.writelines(json.dumps(r) + "\n" for r in timeline["v1"])
    rest = iter(keys[len(data):])
    check = memorycheck(a, driver.HttpStore(keys=rest, ledger=total))
    return {
        "statebench": summaries(referee, data, rows), "memorycheck": check, "seconds": took,
        "sentences": memorycheck(a, driver.Sentences(keys=rest, ledger=total)),
        "requests": total.requests, "imported": total.imported, "failures": total.failures,
        "compile_ms": {"p50": ms[len(ms) // 2], "p95": ms[int(0.95 * (len(ms) - 1))]} if ms else {},
    }


# --- memorycheck ---


def memorycheck(a, store):
    referee = module(a.referees, "memorycheck_score")
    with open(os.path.join(a.data, "memorycheck", "scenarios.jsonl"), encoding="utf-8") as f:
        scenarios = [json.loads(line) for line in f if line.strip()]
    asked, bad, fails = referee.run(scenarios, store)
    return {
        "scenarios": len(scenarios), "passed": len(scenarios) - len(fails), "fails": fails,
        "checks": {k: [bad[k], asked[k]] for k in sorted(asked)},
    }


def baselines(a):
    referee = module(a.referees, "statebench_score")
    data = timelines(referee, os.path.join(a.data, "statebench"), a.sample)
    check = module(a.referees, "memorycheck_score")
    return {
        "statebench": {
            name: summaries(referee, data, [one(referee, referee.make(name), t) for _, t in data]) for name in BASELINES
        },
        "memorycheck": {name: memorycheck(a, check.DRIVERS[name]()) for name in ("naive", "leaky", "strict")},
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("what", choices=["service", "baselines"])
    ap.add_argument("--referees", required=True)
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--stream")
    ap.add_argument("--rows", help="write every question with its context here")
    ap.add_argument("--importer", choices=["plain", "reading"], default="plain")
    ap.add_argument("--without", type=lambda s: s.split(","), default=[], help="rules that the reading importer does without")
    ap.add_argument("--sample", type=int)
    ap.add_argument("--workers", type=int, default=4)
    a = ap.parse_args()
    if unknown := set(a.without) - set(RULES_READ):
        ap.error(f"no rule {', '.join(sorted(unknown))}: {', '.join(RULES_READ)}")
    result = service(a) if a.what == "service" else baselines(a)
    with open(a.out, "w", encoding="utf-8") as f:
        json.dump(result, f)
    return 0


if __name__ == "__main__":
    sys.exit(main())
