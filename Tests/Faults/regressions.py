"""Faults that once did harm, each with its number in the audit's list and what must hold since.

A fault is named by the calls that it strikes, not by their numbers, which change with the code: every
call of a scenario's run that matches is made to fail in turn. The attacks with a number of this list
are in attacks_*.py.
"""

import collections
import random
import re

import faults
import kills
import mutants
import power
import races
from command import Lab
from scenarios import known
from tally import Tally, spread

# case, what must hold, scenario, classes, calls "name path" as a pattern, errors, statuses that may be
Fault = collections.namedtuple("Fault", "case sentence scenario classes calls errors statuses")

FAULTS = [
    Fault("F1", "An error of the write-ahead log's state is never taken for its absence.", "output-logged",
          "RO", r"\w+ .*S\.sqlite-wal$", ["EIO"], (0, 74)),
    Fault("F1", "A log that cannot be examined is not left out in place.", "place-logged",
          "RO", r"\w+ .*S\.sqlite-wal$", ["EIO", "EACCES"], (0, 66, 74)),
    Fault("F1", "A hot journal that cannot be examined stops a run with an output.", "output-hot",
          "RO", r"\w+ .*S\.sqlite-journal$", ["EIO"], (0, 74)),
    Fault("F1", "A hot journal that cannot be examined is neither overlooked nor removed.", "place-hot",
          "RO", r"\w+ .*S\.sqlite-journal$", ["EIO"], (0, 74)),
    Fault("F1", "External files that cannot be listed or examined are not left behind.", "output",
          "RO", r"\w+ .*_SUPPORT.*", ["EIO"], (0, 74)),
    Fault("F1", "A version that cannot be read is not left out of the lock.", "lock",
          "RO", r"\w+ .*", ["EIO"], (0, 66, 74)),
    Fault("F2", "A rollback that was interrupted by a fault can be repeated.", "rollback",
          "WS", r"\w+ .*", ["EIO", "ENOSPC"], None),
    Fault("F2", "A rollback of a store with a log, interrupted by a fault, can be repeated.",
          "rollback-logged", "WS", r"\w+ .*", ["EIO"], None),
    Fault("F6", "A short or failed write never corrupts waystone.lock.", "lock",
          "WS", r"\w+ .*", ["SHORT", "ENOSPC", "EIO"], (0, 73, 74)),
    Fault("F7", "An I/O error is called one, and keeps the run: reads.", "place",
          "R", r"p?read(64)? .*", ["EIO"], (0, 74)),
    Fault("F7", "An I/O error is called one, and keeps the run: changes and flushes.", "place",
          "WS", r"\w+ .*", ["EIO"], (0, 74)),
    Fault("F7", "An I/O error is called one, and keeps the run: hops that are written by hand.",
          "heavy-library", "RWS", r"(p?read(64)?|pwrite(64)?|f(data)?sync) .*", ["EIO"], (0, 74)),
    Fault("F8", "A full disk in the SQL of a stage is one, and keeps the run.", "heavy-aircraft",
          "W", r"pwrite(64)? .*", ["ENOSPC", "EDQUOT"], (0, 74)),
    Fault("F12", "A call that a signal interrupts is made again.", "place",
          "WSL", r"(f(data)?sync|unlink\w*|fcntl|rename\w*|link\w*) .*", ["EINTR"], (0, 6, 74)),
]  # fmt: skip

# At most so many calls of one entry are tried, by a seed.
MOST = 40

# Kills that a rollback did not survive.
KILLED = [("M4", "A rollback that was killed at any call can be repeated.", s, how)
          for s in ("rollback", "rollback-logged") for how in ("before", "after")]  # fmt: skip

# Stores that were migrated wrongly, with exit 0, as the mutants' figures name them.
MUTANTS = [
    ("F4", "A damaged tree is not copied into the result.", "letters:101278"),
    ("F4", "A damaged tree of a store with a log is not copied.", "letters-logged:100769"),
    ("F4", "A damaged index is not copied into the result.", "letters-logged:100259"),
    ("F5", "Text that is not UTF-8 is not replaced.", "people:100015"),
    ("C4", "Rows of a NULL entity do not vanish.", "library:100074"),
    ("F12", "A damaged source is not called a defect of Waystone's.", "aircraft:100010"),
    ("F12", "An unsupported file format is no I/O error.", "people:100177"),
]


def strikes():
    """Every fault of the list, call by call."""
    plan, traces = [], {}
    for entry in FAULTS:
        scenario = known()[entry.scenario]
        if entry.scenario not in traces:
            traces[entry.scenario] = scenario.trace()
        pattern = re.compile(entry.calls)
        calls = [
            (number, class_, call, path)
            for number, class_, call, path in traces[entry.scenario]
            if class_ in entry.classes and pattern.fullmatch("%s %s" % (call, path))
        ]
        if not calls:
            # Where nothing asks any more, nothing can be misunderstood.
            print("regressions: %s: no call matches: %s" % (entry.case, entry.sentence))
        chance = random.Random("%s %s" % (entry.sentence, Lab.seed))
        chosen = sorted(chance.sample(calls, min(len(calls), MOST)))
        plan += [("fault", entry, call, error) for call in chosen for error in entry.errors]
    return plan


def one_regression(item):
    kind, entry, *more = item
    if kind == "fault":
        return one_strike(entry, *more)
    case, sentence, scenario, argument = entry
    if kind == "kill":
        tally, record = kills.one_kill((scenario, argument[1], "any", "any", argument[0], 0))
    elif kind == "mutant":
        index = [s[0] for s in mutants.stores()].index(scenario)
        tally, record = mutants.one_mutant((index, argument))
    elif kind == "race":
        tally, record = races.one_race(("race", scenario, argument))
    else:
        tally, record = power.one_piece((scenario, *argument))
    return named(tally, case, sentence), record


def named(tally, case, sentence):
    """A tally whose bad findings say which case they are of."""
    found = Tally()
    found.add("tried: " + case)
    for name, count in tally.counts.items():
        if name.startswith("! "):
            found.counts["! %s (%s: %s)" % (name[2:], case, sentence)] += count
    for name, texts in tally.examples.items():
        found.examples["%s (%s: %s)" % (name, case, sentence)] = texts
    return found


def one_strike(entry, call, error):
    number, class_, name, path = call
    file = path.rsplit("/", 1)[-1]
    tally, record = faults.one_fault((entry.scenario, number, class_, name, file, error, 0))
    found = named(tally, entry.case, entry.sentence)
    status = record["status"]
    if entry.statuses and status not in entry.statuses:
        text = "WRONG status (%s: %s)" % (entry.case, entry.sentence)
        found.example(text, "%s -> %s: %s" % (record["fault"], status, record["errors"][:200]))
    return found, record


def regressions(names=None):
    # Made once, before two processes want them.
    mutants.stores()
    plan = strikes()
    for case, sentence, scenario, how in KILLED:
        for number, _, _, _ in known()[scenario].trace("WS"):
            plan.append(("kill", (case, sentence, scenario, (how, number))))
    for case, sentence, mutant in MUTANTS:
        name, seed = mutant.split(":")
        plan.append(("mutant", (case, sentence, name, int(seed))))
    lost = "A run that lost a race says that there is nothing to do, or 6."
    for kind in ("migrate+migrate", "migrate+resume", "resume+resume", "resume+restart"):
        plan += [("race", ("F10", lost, kind, n)) for n in range(6)]
    after = "After a power loss a run goes on, whatever time the store's file has."
    plan += [("power", ("F11", after, "place", (part, 4, 48))) for part in range(4)]
    if names:
        plan = [p for p in plan if (p[1].case if p[0] == "fault" else p[1][0]) in names]
    if Lab.scale < 1:
        plan = random.Random(Lab.seed).sample(plan, max(1, int(len(plan) * Lab.scale)))
    return spread(one_regression, plan, "regressions")
