"""Attacks: stores, folders and files that reach for what is outside of them.

Each is a function in one of the files attacks_*.py, with the number that the audit gave the case, and a
sentence that says what must hold. Victims lie outside of the trial's folder; their bytes, modes and
times are compared after each attack, and any call that reached for one is a finding by itself.
"""

import functools
import hashlib
import importlib
import os
import shutil

from command import Lab, fresh, run, temporary
from samples import copy_store, generated, model
from tally import Tally, signal_name, spread, words

MODULES = [
    "attacks_answers",
    "attacks_reading",
    "attacks_schema",
    "attacks_contents",
    "attacks_numbers",
    "attacks_places",
    "attacks_project",
    "attacks_running",
    "attacks_xml",
]


class Skipped(Exception):
    """An attack that this machine cannot make: no root, no such file system."""


class Ground:
    """One attack's folder, victims and findings."""

    def __init__(self, case, sentence):
        self.case, self.sentence = case, sentence
        self.tally = Tally()
        self.folder = fresh("attack")
        self.store = os.path.join(self.folder, "S.sqlite")
        self.output = os.path.join(self.folder, "O.sqlite")
        self.workspace = self.store + ".waystone"
        self.victims = os.path.join(Lab.work, "victims-%d" % os.getpid())
        shutil.rmtree(self.victims, ignore_errors=True)
        os.makedirs(self.victims)

    # MARK: What is there

    def begin(self, name="Letters", version="v1", rows=60):
        """A store of a sample, as a file without a log; returns its models."""
        copy_store(generated(name, version, rows), self.store)
        return model(name)

    def again(self, name="Letters", version="v1", rows=60):
        """The folder as it was at the beginning."""
        self.folder = fresh("attack")
        return self.begin(name, version, rows)

    def victim(self, name="victim.txt", data=b"a file of the user\n"):
        path = os.path.join(self.victims, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    # MARK: What happens

    def run(self, *arguments, **more):
        """Runs a command, which may refuse, but neither crash nor hang."""
        before = snapshot(self.victims)
        got = run(*arguments, **more)
        self.tally.add("commands")
        shown = "%s -> %s: %s" % (" ".join(arguments[:1]), got.status, words(got.errors)[:200])
        if got.status is None:
            self.tally.example("HANG in %s: %s" % (self.case, self.sentence), shown)
        elif got.status < 0:
            ending = signal_name(got.status)
            self.tally.example("CRASH by %s in %s: %s" % (ending, self.case, self.sentence), shown)
        after = snapshot(self.victims)
        if after != before:
            changed = sorted(
                n for n in before.keys() | after.keys() if before.get(n) != after.get(n)
            )
            self.tally.example(
                "OUTSIDE in %s: %s" % (self.case, self.sentence),
                "%s; changed: %s" % (shown, ", ".join(changed)),
            )
        return got

    def expect(self, condition, text, got=None):
        self.tally.add("expectations")
        if not condition:
            shown = text + (" -> %s: %s" % (got.status, words(got.errors)[:240]) if got else "")
            self.tally.example("WRONG in %s: %s" % (self.case, self.sentence), shown)

    def refused(self, got, *statuses):
        """The command said no, by one of these statuses, and wrote no output."""
        right = got.status in statuses if statuses else got.status != 0
        self.expect(right, "not refused as it should be", got)
        self.expect(got.status == 0 or not os.path.exists(self.output), "an output is there", got)

    def ran_no_hop(self, got, workspace=None):
        """The command said no before it copied or changed anything."""
        folder = workspace or self.workspace
        names = os.listdir(folder) if os.path.isdir(folder) else []
        hops = [n for n in names if n.startswith("hop-")]
        self.expect(not hops, "hops ran before it was found: %s" % hops, got)

    def moves(self, models, to):
        """Both forms of a migration, with the store made anew before each by the caller's function."""
        consent = Lab.consent("migrate", models)
        base = ["migrate", self.store, "--to", to, "--models", models, *consent]
        return [base, [*base, "--output", self.output]]

    def readers(self, models, to):
        """Every command that only reads a store."""
        return [
            ["inspect", self.store, "--models", models],
            ["verify", self.store, "--models", models],
            ["plan", self.store, "--to", to, "--models", models],
            ["digest", self.store],
            ["validate", self.store, "--models", models],
        ]


def snapshot(folder):
    """Every file below a folder: kind, mode, time and bytes."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(base, name)
            status = os.lstat(path)
            data = b""
            if os.path.isfile(path) and not os.path.islink(path) and status.st_size < 1 << 24:
                with open(path, "rb") as file:
                    data = hashlib.sha256(file.read()).digest()
            found[os.path.relpath(path, folder)] = (status.st_mode, status.st_mtime_ns, data)
    return found


CASES = []


def attack(case, sentence):
    """Enters a function into the list of attacks."""

    def enter(function):
        CASES.append((case, sentence, function))
        return function

    return enter


@functools.lru_cache(maxsize=None)
def cases():
    for name in MODULES:
        importlib.import_module(name)
    return list(CASES)


def one_attack(index):
    case, sentence, function = cases()[index]
    ground = Ground(case, sentence)
    ground.tally.add("attacks")
    try:
        function(ground)
    except Skipped as reason:
        ground.tally.add("not possible here: %s: %s" % (case, reason))
    return ground.tally, {"attack": "%s: %s" % (case, sentence), "bad": ground.tally.bad()}


def attacks(names=None):
    temporary()
    plan = [i for i, (case, _, _) in enumerate(cases()) if not names or case in names]
    return spread(one_attack, plan, "attacks")
