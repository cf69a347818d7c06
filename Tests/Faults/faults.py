"""The N-th file operation of a run fails.

After each fault: is the store what it was or what it shall become, byte by byte the same where the
result goes elsewhere; does the error name a file; does going on without faults reach what an
undisturbed run makes; is nothing left over.
"""

import os
import random

from command import Lab, fresh, run
from content import listing
from going_on import examine, go_on, leftovers_of_failure
from scenarios import known, scenarios
from tally import Tally, signal_name, spread, words

COUNT = 8400

# How densely each scenario is tried: errors of changes (2: all; 1: one in turn, and a disk that stays
# full; 0: one of these in turn), errors of flushes (in the same way), and one in so many of the calls
# that ask for names and states, that read, and that lock.
DENSITY = {
    "place": (1, 2, 1, 3, 8),
    "place-unlogged": (0, 0, 8, 16, 0),
    "place-logged": (0, 1, 1, 8, 12),
    "place-hot": (0, 0, 1, 16, 0),
    "output": (1, 2, 1, 4, 12),
    "output-logged": (0, 1, 1, 8, 12),
    "output-hot": (0, 0, 1, 12, 0),
    "resume-early": (0, 0, 8, 16, 0),
    "resume-middle": (1, 1, 3, 8, 16),
    "resume-late": (2, 2, 2, 8, 16),
    "resume-output": (0, 0, 8, 16, 0),
    "restart": (0, 0, 8, 16, 0),
    "rollback": (2, 2, 1, 1, 2),
    "rollback-logged": (2, 2, 2, 3, 4),
    "finish": (0, 1, 6, 12, 16),
    "lock": (2, 2, 1, 1, 1),
    "heavy-library": (0, 0, 8, 16, 24),
    "heavy-people": (0, 0, 8, 16, 0),
    "heavy-aircraft": (0, 0, 8, 16, 0),
    "heavy-batches": None,
    "heavy-resume": (0, 0, 8, 16, 0),
}


def errors_for(class_, name, number, density):
    changes, flushes, names, reads, locks = density
    if class_ == "W":
        kinds = [("EIO", 0), ("ENOSPC", 0), ("EINTR", 0), ("EDQUOT", 0)] + [("SHORT", 0)] * (
            "write" in name
        )
        if changes == 2:
            return kinds + [("ENOSPC", 1)]
        if changes == 1:
            return [kinds[number % len(kinds)], ("ENOSPC", 1)]
        return [(kinds + [("ENOSPC", 1)])[number % (len(kinds) + 1)]]
    if class_ == "S":
        kinds = [("EIO", 0), ("EIO", 2), ("ENOSPC", 0), ("EINTR", 0)]
        return kinds if flushes == 2 else kinds[:2] if flushes == 1 else [kinds[number % 2]]
    if class_ == "O":
        if names and number % min(names, 2):
            return []
        return [[("EIO", 0), ("EMFILE", 0), ("EINTR", 0), ("EIO", 2)][number % 4]]
    if class_ == "R" and name in ("read", "pread", "pread64", "readv", "mmap"):
        if not reads or number % reads:
            return []
        return [[("EIO", 0), ("SHORT", 0), ("EINTR", 0)][number // reads % 3]]
    if class_ == "R":
        return [("EIO", 0)] if names and not number % names or name == "readdir" else []
    if class_ == "L":
        if not locks or number % locks:
            return []
        return [[("ENOLCK", 0), ("EINTR", 0), ("EAGAIN", 0), ("EIO", 0)][number // locks % 4]]
    return [("EIO", 0)] if not names or not number % min(2 * names, 8) else []


def fault_plan(names=None):
    chance = random.Random(Lab.seed)
    plan = []
    for name, scenario in known().items():
        if names and name not in names or not DENSITY[name]:
            continue
        for number, class_, call, path in scenario.trace():
            if Lab.classes and class_ not in Lab.classes:
                continue
            for error, sticky in errors_for(class_, call, number, DENSITY[name]):
                plan.append((name, number, class_, call, os.path.basename(path), error, sticky))
    return chance.sample(plan, min(len(plan), Lab.count(COUNT)))


def one_fault(item):
    name, number, class_, call, file, error, sticky = item
    scenario = known()[name]
    tally = Tally()
    folder = fresh()
    scenario.prepare(folder)
    label = "%s N=%d %s(%s) %s%s" % (
        name,
        number,
        call,
        file,
        error,
        ["", " sticky", " dead"][sticky],
    )
    got = run(
        *scenario.arguments(folder),
        faults={
            "FAULT_ROOT": folder,
            "FAULT_MODE": "fail",
            "FAULT_AT": number,
            "FAULT_ERROR": error,
            "FAULT_STICKY": sticky,
        }
    )
    tally.add("tried")
    tally.add("tried: " + name)
    tally.add("tried: class %s" % class_)
    state = scenario.state(folder)
    record = {"fault": label, "status": got.status, "state": state, "errors": words(got.errors)}
    shown = "%s -> %s: %s" % (label, got.status, words(got.errors))
    if got.status is None:
        tally.example("HANG", shown)
    elif got.status < 0:
        tally.example("CRASH by %s" % signal_name(got.status), shown)
    elif got.status == 0:
        tally.add("carried through")
        if state != "after":
            tally.example("WRONG SUCCESS: exit 0, and the state is " + state.split(":")[0], shown)
    else:
        tally.add("refused")
        tally.add("refused with status %d" % got.status)
        if state == "after":
            tally.add("refused, with the result in place")
        if not any(
            w in got.errors
            for w in (folder, "S.sqlite", "O.sqlite", "waystone.lock", "xcdatamodel")
        ):
            tally.example(
                "the error names no file: status %d %s" % (got.status, words(got.errors)[:110]),
                label,
                2,
            )
        # A short read is what a file that was cut off shows, too.
        allowed = (73, 74, 66, 6, 65) if class_ == "R" and error == "SHORT" else (73, 74, 66, 6)
        if got.status not in allowed:
            kind = "WRONG status %d for %s: " % (got.status, error)
            tally.example(kind + words(got.errors)[:110], label, 3)
    if state.startswith("LOST"):
        tally.add("LOST")
        tally.example(state[:100], shown)
        return tally, record
    if got.status not in (0, None) and got.status > 0 and scenario.verb == "migrate":
        left = leftovers_of_failure(scenario, folder)
        journal = os.path.exists(scenario.destination(folder) + ".waystone/journal.ndjson")
        if left and not journal:
            tally.example("left behind without a journal: " + ", ".join(left), label, 3)
    went = go_on(scenario, folder, tally, label)
    record["went"] = went
    tally.add(went.split(":")[0])
    if went.startswith(("LOST", "STUCK")):
        tally.example(went[:260], label + " -> %s" % words(got.errors)[:150])
    else:
        examine(scenario, folder, tally, label, number % 5 == 0)
    return tally, record


def faults(names=None):
    plan = fault_plan(names)
    return spread(one_fault, plan, "faults")


def trial(names):
    """One trial by hand: SCENARIO:MODE:N[:ERROR[:CLASSES[:STICKY]]]; the folder stays."""
    scenario_name, mode, number, *more = names[0].split(":")
    error, classes, sticky = (more + ["EIO", "WSORLC", "0"][len(more) :])[:3]
    scenario = scenarios()[scenario_name]
    scenario.learn()
    folder = fresh()
    scenario.prepare(folder)
    got = run(
        *scenario.arguments(folder),
        faults={
            "FAULT_ROOT": folder,
            "FAULT_MODE": mode,
            "FAULT_AT": number,
            "FAULT_ERROR": error,
            "FAULT_CLASSES": classes,
            "FAULT_STICKY": sticky,
        }
    )
    print("status %s\n%s%s" % (got.status, got.output, got.errors))
    print("the store is %s, in %s" % (scenario.state(folder), folder))
    print("  " + "\n  ".join(listing(folder)))
    return Tally()
