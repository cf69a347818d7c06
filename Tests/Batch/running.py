"""Runs of `waystone batch`: watched, killed, and gone on with."""

import os
import signal
import sqlite3
import subprocess
import threading
import time

FINAL = ("migrated", "current", "refused", "damaged", "failed", "timed-out", "skipped")


class Command:
    """How a batch is run: the program, the models and the limits."""

    def __init__(self, program, models, environment, timeout, memory, tries):
        self.program, self.models, self.environment = program, models, environment
        self.limits = ["--timeout", "%ds" % timeout, "--memory", "%dMB" % memory]
        self.limits += ["--tries", str(tries)]

    def batch(self, source, tree, jobs):
        return subprocess.Popen(
            [self.program, "batch", source, "--models", self.models, "--output", tree,
             "--jobs", str(jobs), "--progress", "none", *self.limits],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment,
        )  # fmt: skip

    def migrate(self, source, result):
        subprocess.run(
            [self.program, "migrate", source, "--models", self.models, "--to", "@current",
             "--output", result, "--quiet"],
            check=True, stdout=subprocess.DEVNULL, env=self.environment,
        )  # fmt: skip

    def processes(self):
        """The processes of the program that live: dispatchers and workers."""
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink("/proc/%s/exe" % name) == self.program:
                    found.append(int(name))
            except OSError:
                continue
        return found


def peak(process):
    """The greatest memory that a process had, in bytes; 0 once it has ended."""
    try:
        with open("/proc/%d/status" % process) as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


class Ledger:
    """What a ledger says, read as anybody may while a batch runs."""

    def __init__(self, tree):
        self.path = os.path.join(tree, "batch.waystone.sqlite")

    def rows(self, statement, values=()):
        database = sqlite3.connect("file:%s?mode=ro" % self.path, uri=True, timeout=60)
        try:
            return database.execute(statement, values).fetchall()
        finally:
            database.close()

    def ended(self):
        """How many stores need no more work; nil where there is no ledger yet."""
        if not os.path.exists(self.path):
            return 0
        marks = ", ".join("?" * len(FINAL))
        statement = "SELECT COUNT(*) FROM store WHERE state IN (%s)" % marks
        try:
            return self.rows(statement, FINAL)[0][0]
        except sqlite3.OperationalError as error:
            # It is there, and its tables are not yet.
            if "no such table" in str(error) or "unable to open" in str(error):
                return 0
            raise


class Run:
    """One process of `waystone batch`, watched until it ends."""

    def __init__(self, command, source, tree, jobs):
        self.ledger = Ledger(tree)
        self.began = time.monotonic()
        self.process = command.batch(source, tree, jobs)
        self.peak = 0
        self.said = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.said.append(line.decode(errors="replace"))

    def watch(self, each=lambda: None, until=lambda: False):
        """Waits until the process ends, or something is so.

        Returns the exit status; None where it still runs.
        """
        while self.process.poll() is None:
            self.peak = max(self.peak, peak(self.process.pid))
            each()
            if until():
                return None
            time.sleep(0.05)
        self.reader.join(10)
        self.seconds = time.monotonic() - self.began
        return self.process.returncode

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def killed_runs(command, source, tree, jobs, count, kills, chance, each):
    """Runs one command again and again, of which so many are killed, until one ends by itself.

    The dispatcher alone is killed, and its workers are left to find that out; the last time they
    die with it. The next command follows at once, so that it meets workers that still run.

    Returns the last run, its status, the greatest memory of any dispatcher, what was killed when,
    and the seconds of all runs.
    """
    shares = [(n + chance.uniform(0.2, 1)) * 0.8 / kills for n in range(kills)]
    began, story, most = time.monotonic(), [], 0
    for number, share in enumerate(shares):
        run = Run(command, source, tree, jobs)
        target = int(share * count)
        status = run.watch(each, lambda: run.ledger.ended() >= target)
        if status is not None:
            raise SystemExit(
                "the batch ended with %d before it was killed:\n%s" % (status, "".join(run.said))
            )
        # Not always between two stores.
        time.sleep(chance.uniform(0, 0.3))
        most = max(most, run.peak, peak(run.process.pid))
        alone = number < kills - 1 or kills == 1
        workers = [p for p in command.processes() if p != run.process.pid]
        run.kill()
        if not alone:
            for worker in workers:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        story.append("%s at %d" % ("the dispatcher" if alone else "all", run.ledger.ended()))
    run = Run(command, source, tree, jobs)
    status = run.watch(each)
    return run, status, max(most, run.peak), story, time.monotonic() - began
