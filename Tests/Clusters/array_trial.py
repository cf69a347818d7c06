#!/usr/bin/env python3
"""Migrates an archive by an array of Slurm's whose tasks are killed, cancelled, requeued and repeated.

    array_trial.py --program PATH --entry Scripts/batch-task --models PATH --work FOLDER [--count N]

It starts a Slurm of its own (slurm.py), and submits four tasks. The second dies by SIGKILL and is
requeued, the third is cancelled and submitted again; a store of each is kept locked meanwhile, so that
both are in the middle. Then the ledgers are merged and held against the stores (Tests/Batch/audit.py).

The exit status is 1 where anything is not as it must be, and 77 where Slurm cannot be started.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "Batch")]
from audit import Audit, files
from running import Ledger
from slurm import Slurm, Unavailable
from stores import Archive

PARTS = 4
KILLED, CANCELLED = 2, 3
# The seconds in which a task must have got somewhere.
PATIENCE = 900


class SmallArchive(Archive):
    """Small stores of three archives: most are good, and a few of each other kind."""

    versions = ["Letters/v1", "People/v1", "Library/v1", "Letters/v2", "Letters/v3", "Letters/v4"]

    def bases(self):
        return [self.generate(v, 60e3, index) for index, v in enumerate(self.versions)]

    def base(self, number, kind, bases):
        if kind[0] == "good":
            return bases[number % len(bases)]
        return super().base(number, kind, bases)

    def kinds(self):
        each = max(1, self.count // 100)
        odd = [("damaged", "halved"), ("unknown", "hashes")] * each
        kinds = odd + [("good", "")] * (self.count - len(odd))
        self.chance.shuffle(kinds)
        return kinds


class PartLedger(Ledger):
    """The ledger of one part."""

    def __init__(self, tree, part):
        self.path = os.path.join(tree, "batch-%d-of-%d.waystone.sqlite" % (part, PARTS))

    def count(self, condition):
        """How many stores are so; none where there is no ledger yet."""
        try:
            return self.rows("SELECT COUNT(*) FROM store WHERE " + condition)[0][0]
        except sqlite3.OperationalError as error:
            if "no such table" in str(error) or "unable to open" in str(error):
                return 0
            raise

    def contents(self):
        """All that it says of stores."""
        tables = ("store", "attempt", "certificate")
        return [self.rows("SELECT * FROM %s ORDER BY 1, 2" % table) for table in tables]


class Trial:
    def __init__(self, arguments):
        self.arguments = arguments
        self.work = os.path.realpath(arguments.work)
        self.archive = os.path.join(self.work, "archive")
        self.tree = os.path.join(self.work, "results")
        self.logs = os.path.join(self.work, "logs")
        self.program = os.path.realpath(arguments.program)
        self.models = os.path.abspath(arguments.models)
        self.ledgers = {part: PartLedger(self.tree, part) for part in range(1, PARTS + 1)}
        self.audit = Audit(
            ["batch.waystone.sqlite"] + [os.path.basename(l.path) for l in self.ledgers.values()]
        )
        self.slurm = Slurm(os.path.join(self.work, "slurm"), processors=PARTS)
        self.began = time.monotonic()
        self.locks = {}

    def tell(self, *words):
        print("%5.0f s " % (time.monotonic() - self.began), *words, flush=True)

    def wait(self, what, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise SystemExit("after %d s still not: %s" % (PATIENCE, what))
            time.sleep(0.1)

    # What tasks are.

    def submit(self, tasks, parts=PARTS):
        environment = "ALL,WAYSTONE=%s" % self.program
        if parts:
            environment += ",BATCH_PARTS=%d" % parts
        return self.slurm.ask(
            "sbatch", "--parsable", "--array=" + tasks, "--cpus-per-task=1", "--requeue",
            "--open-mode=append", "--output=%s/%%A-%%a.log" % self.logs, "--export=" + environment,
            os.path.abspath(self.arguments.entry), self.archive, "--models", self.models,
            "--output", self.tree, "--tries", "6", "--log", "logfmt",
        )  # fmt: skip

    def state(self, task):
        return self.slurm.job(task)["JobState"]

    def ended(self, task, restarts=0):
        job = self.slurm.job(task)
        over = ("COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "TIMEOUT")
        return job["JobState"] in over and int(job.get("Restarts", 0)) >= restarts

    def status(self, task):
        """How the task ended, such as `1:0`: its exit status, and the signal by which it died."""
        return self.slurm.job(task)["ExitCode"]

    def dispatcher(self, part):
        """The process of the batch that a task runs."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink("/proc/%s/exe" % name) != self.program:
                    continue
                with open("/proc/%s/environ" % name, "rb") as file:
                    variables = file.read().split(b"\0")
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            is_task = b"SLURM_ARRAY_TASK_ID=%d" % part in variables
            if is_task and b"batch-worker" not in words:
                return int(name)
        raise SystemExit("task %d has no process" % part)

    # What stores are.

    def part(self, sample):
        """The part of a store: by the first eight digits of its name's SHA-256."""
        name = os.path.relpath(sample.path, self.work)
        return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % PARTS + 1

    def lock(self, part):
        """Keeps a good store of a part from being migrated."""
        good = [s for s in self.samples if self.part(s) == part and s.kind == "good "]
        if len(good) < 2:
            raise SystemExit("part %d has %d good stores: take another seed" % (part, len(good)))
        # The largest is taken first, and tried again and again while others are migrated.
        path = max(good, key=lambda s: s.bytes).path
        self.locks[part] = sqlite3.connect(path, isolation_level=None)
        self.locks[part].execute("BEGIN EXCLUSIVE")

    def unlock(self, part):
        self.locks.pop(part).close()

    # The trial.

    def prepare(self):
        for folder in (self.archive, self.tree, self.logs, self.slurm.folder):
            shutil.rmtree(folder, ignore_errors=True)
            if folder != self.archive:
                os.makedirs(folder, mode=0o755)
        self.slurm.start()
        self.tell("Slurm %s runs: 1 node, %d processors"
                  % (self.slurm.ask("sinfo", "--version").split()[-1], PARTS))  # fmt: skip
        self.samples = SmallArchive(
            self.archive, self.program, self.models, self.work, self.arguments.count, 1e6,
            self.arguments.seed,
        ).make()  # fmt: skip
        self.before = files(self.archive)
        sizes = [sum(self.part(s) == p for s in self.samples) for p in self.ledgers]
        self.tell("%d stores; parts of %s" % (len(self.samples), ", ".join(map(str, sizes))))

    def run(self):
        for part in (KILLED, CANCELLED):
            self.lock(part)
        job = self.submit("1-%d" % PARTS)
        self.tell("job %s: tasks 1 to %d are submitted" % (job, PARTS))
        self.kill("%s_%d" % (job, KILLED))
        self.cancel("%s_%d" % (job, CANCELLED))
        self.alone(CANCELLED)
        self.unlock(KILLED)
        self.slurm.ask("scontrol", "requeue", "%s_%d" % (job, KILLED))
        self.tell("task %d is requeued" % KILLED)
        self.unlock(CANCELLED)
        again = self.submit(str(CANCELLED))
        self.tell("task %d is submitted again, as job %s" % (CANCELLED, again))
        self.wait("task %d has ended" % KILLED, lambda: self.ended("%s_%d" % (job, KILLED), 1))
        last = {p: "%s_%d" % (again if p == CANCELLED else job, p) for p in self.ledgers}
        self.wait("all tasks have ended", lambda: all(map(self.ended, last.values())))
        for part, task in last.items():
            bad = sum(
                self.part(s) == part and s.expected[0] not in ("migrated", "current")
                for s in self.samples
            )
            status = self.status(task)
            self.tell("task %s ended with %s; stores that must not arrive: %d" % (task, status, bad))
            self.audit.expect(status == ("1:0" if bad else "0:0"), "task", task, "ended with", status)

    def reached(self, part):
        """Waits until a task has migrated stores, and has met the one that is locked."""
        ledger = self.ledgers[part]
        self.wait(
            "task %d is in the middle" % part,
            lambda: ledger.count("state = 'migrated'")
            and ledger.count("id IN (SELECT store FROM attempt WHERE code = 'inUse')"),
        )

    def kill(self, task):
        self.reached(KILLED)
        os.kill(self.dispatcher(KILLED), signal.SIGKILL)
        self.wait("task %s has failed" % task, lambda: self.ended(task))
        ledger = self.ledgers[KILLED]
        held = ledger.count("state = 'running'")
        self.tell("task %s died by SIGKILL: %s %s, %d stores migrated, %d left as running" % (
            task, self.state(task), self.status(task), ledger.count("state = 'migrated'"), held,
        ))  # fmt: skip
        self.audit.expect(self.status(task) in ("0:9", "137:0"), task, "ended", self.status(task))
        self.audit.expect(held, "the task that was killed held no store")

    def cancel(self, task):
        self.reached(CANCELLED)
        self.slurm.ask("scancel", task)
        self.wait("task %s is cancelled" % task, lambda: self.ended(task))
        ledger = self.ledgers[CANCELLED]
        held, waiting = ledger.count("state = 'running'"), ledger.count("state = 'waiting'")
        self.tell("task %s is cancelled: %s, %d stores migrated, %d running, %d waiting" % (
            task, self.state(task), ledger.count("state = 'migrated'"), held, waiting,
        ))  # fmt: skip
        self.audit.expect(self.state(task) == "CANCELLED", task, "is", self.state(task))
        # SIGTERM ends the batch at a checkpoint, so that it gives back what it held.
        self.audit.expect(waiting and not held, task, "left", held, "running,", waiting, "waiting")

    def alone(self, part):
        """A task that is submitted alone, and not told of how many it is one, takes no part."""
        before = self.ledgers[part].contents()
        task = "%s_%d" % (self.submit(str(part), parts=None), part)
        self.wait("task %s has ended" % task, lambda: self.ended(task))
        self.tell("task %s alone, without BATCH_PARTS: %s" % (task, self.status(task)))
        self.audit.expect(self.status(task) == "2:0", task, "ended with", self.status(task))
        self.audit.expect(before == self.ledgers[part].contents(), task, "changed the ledger")

    def repeat(self):
        """A part that is run again changes nothing."""
        before = {p: d for p, d in files(self.tree).items() if "waystone.sqlite" not in p}
        ledgers = [ledger.contents() for ledger in self.ledgers.values()]
        job = self.submit("1-%d" % PARTS)
        tasks = ["%s_%d" % (job, part) for part in self.ledgers]
        self.wait("all tasks have ended", lambda: all(map(self.ended, tasks)))
        after = {p: d for p, d in files(self.tree).items() if "waystone.sqlite" not in p}
        self.audit.expect(before == after, "a second run of the array changed results")
        self.audit.expect(
            ledgers == [ledger.contents() for ledger in self.ledgers.values()],
            "a second run of the array changed ledgers",
        )
        self.tell("job %s: all tasks ran again, and changed nothing" % job)

    def command(self, status, *arguments):
        run = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        self.audit.expect(
            run.returncode == status, "waystone", *arguments[:2], "ended with", run.returncode,
            run.stderr or run.stdout,
        )  # fmt: skip
        return run.stdout

    def check(self):
        merged = Ledger(self.tree)
        places = [ledger.path for ledger in self.ledgers.values()]
        for _ in range(2):
            self.command(0, "batch", "merge", *places, "--into", merged.path)
        parts = [sorted(name for (name,) in l.rows("SELECT name FROM store")) for l in self.ledgers.values()]
        all_names = sorted(name for (name,) in merged.rows("SELECT name FROM store"))
        self.audit.expect(sorted(sum(parts, [])) == all_names, "the parts are not the whole")
        for part, names in zip(self.ledgers, parts):
            own = sorted(os.path.relpath(s.path, self.work) for s in self.samples if self.part(s) == part)
            self.audit.expect(names == own, "part", part, "has other stores")
        self.audit.sources(self.before, files(self.archive))
        self.audit.ledger(merged, self.samples, self.archive, self.tree, self.work)
        arrived = sum(s.expected[0] in ("migrated", "current") for s in self.samples)
        said = self.command(0, "batch", "verify", self.tree)
        self.audit.expect(str(arrived) in said, "batch verify says", said)
        print(self.command(0, "batch", "status", self.tree))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name in ("program", "entry", "models", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    trial = Trial(parser.parse_args())
    try:
        try:
            trial.prepare()
        except Unavailable as reason:
            print(reason)
            sys.exit(77)
        trial.run()
        trial.repeat()
    finally:
        trial.slurm.stop()
    trial.check()
    for what in sorted(trial.audit.counts):
        print("%8d  %s" % (trial.audit.counts[what], what))
    for mistake in trial.audit.mistakes[:40]:
        print("  ! %s" % mistake)
    print("%d mistakes" % len(trial.audit.mistakes))
    sys.exit(1 if trial.audit.mistakes else 0)


if __name__ == "__main__":
    main()
