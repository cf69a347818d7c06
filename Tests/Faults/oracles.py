"""The laboratory on trial: a command that is sabotaged must be noticed, by each oracle at least once.

A saboteur is a script that runs the command and then does one wrong thing; a trial with it has to end
with a finding of the right kind. A laboratory that cannot fail shows nothing.
"""

import os
import stat

import attacks
import external
import faults
import kills
import mutants
import power
from command import Lab
from scenarios import known
from tally import Tally, guarded

PYTHON = """#!/usr/bin/env python3
import os, sqlite3, subprocess, sys
arguments = sys.argv[1:]
def after(deed, verbs=("migrate", "resume"), status=0):
    got = subprocess.run([{command!r}, *arguments])
    os.environ.pop("LD_PRELOAD", None)
    if arguments[0] in verbs and got.returncode == status:
        path = arguments[arguments.index("--output") + 1] if "--output" in arguments else arguments[1]
        deed(path)
    sys.exit(got.returncode)
def sql(path, text):
    database = sqlite3.connect(path)
    database.executescript(text)
    database.close()
{deed}
"""

# What is done wrong, by which test it must be noticed, and the kind of finding.
SABOTAGE = [
    ("a value is lost", "faults", "LOST", "after(lambda p: sql(p, 'UPDATE ZLETTER SET ZBODY = NULL'))"),
    ("a row is lost", "mutants", "WRONG", "after(lambda p: sql(p, 'DELETE FROM ZTOPIC WHERE Z_PK = 2'))"),
    ("the source changes", "mutants", "LOST", "after(lambda p: sql(arguments[1], 'CREATE TABLE x (a)'))"),
    ("the result is damaged", "mutants", "WRONG",
     "after(lambda p: open(p, 'r+b').truncate(os.path.getsize(p) - 4096))"),
    ("a decoy goes", "faults", "OUTSIDE",
     "after(lambda p: os.remove(os.path.join(os.path.dirname(p), 'S.sqlite.bak')))"),
    ("a file is made outside", "faults", "OUTSIDE",
     "after(lambda p: open(os.path.join(os.path.dirname(p), '..', 'new'), 'w').close())"),
    ("a run is never resumed", "kills", "STUCK",
     "sys.exit(4) if arguments[0] in ('resume', 'rollback') or '--restart' in arguments else after(id)"),
    ("a crash", "faults", "CRASH", "import signal; os.kill(os.getpid(), signal.SIGSEGV)"),
    ("an external file is not carried", "external", "WRONG",
     "after(lambda p: [os.remove(os.path.join(b, n)) for b, _, f in os.walk(os.path.dirname(p)) "
     "if '.O_SUPPORT' in b for n in f])"),
    ("a victim is deleted", "attacks", "OUTSIDE",
     "os.environ.pop('LD_PRELOAD', None); b = os.path.dirname(arguments[1]) + '/.O_SUPPORT/_EXTERNAL_DATA'\n"
     "if os.path.islink(b): [os.remove(os.path.join(b, n)) for n in os.listdir(b)]"),
]  # fmt: skip


def trial(kind):
    """A trial of a kind that an honest command passes."""
    if kind == "faults":
        return faults.one_fault, ("place", 1 << 30, "W", "none", "none", "EIO", 0)
    if kind == "kills":
        return kills.one_kill, ("place", 120, "any", "any", "after", 0)
    if kind == "mutants":
        # A mutation that changes nothing which the migration reads.
        return honest_mutant, None
    if kind == "external":
        return external.one_external, None
    index = next(
        i for i, case in enumerate(attacks.cases()) if case[2].__name__ == "occupied_support"
    )
    return attacks.one_attack, index


def honest_mutant(_):
    index = [s[0] for s in mutants.stores()].index("letters")
    mutate = mutants.mutate
    mutants.mutate = lambda path, chance: "nothing"
    try:
        return mutants.one_mutant((index, 1))
    finally:
        mutants.mutate = mutate


def one_oracle(item, tally):
    text, kind, expected, deed = item
    tally.add("oracles")
    script = os.path.join(Lab.work, "saboteur")
    with open(script, "w") as file:
        file.write(PYTHON.format(command=Lab.command, deed=deed))
    os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)
    function, trial_item = trial(kind)
    honest, Lab.command = Lab.command, script
    try:
        found, _ = guarded(function, trial_item)
    finally:
        Lab.command = honest
    if not found.bad()[expected]:
        seen = ", ".join(found.examples) or "nothing"
        tally.example("BROKEN: sabotage goes unnoticed: " + text, "seen: " + seen)


def unflushed(what, tally):
    """Without its flushes a run has to lose stores in a power loss."""
    tally.add("oracles")
    Lab.without = what
    try:
        lost = any(
            power.one_piece((name, part, 4, 60))[0].bad()[kind]
            for name in ("place", "output", "rollback")
            for part in range(4)
            for kind in ("LOST", "STUCK", "WRONG")
        )
    finally:
        Lab.without = ""
    if not lost:
        tally.example(
            "BROKEN: power loss without flushes of %s loses nothing" % what, "place, output"
        )


def oracles(names=None):
    known()
    tally = Tally()
    limits = mutants.limited
    mutants.limited = lambda: None
    for item in SABOTAGE:
        if not names or item[0] in names:
            one_oracle(item, tally)
    for what in ("files", "folders"):
        unflushed(what, tally)
    mutants.limited = limits
    return tally
