#!/usr/bin/env python3
"""Tries a batch on an archive of many old stores: bad ones, locked ones, stubborn ones, and kills.

    trial.py --program PATH --models PATH/ModelArchive --work FOLDER [--count N] [--largest BYTES]

PROGRAM is the StubbornCommand of Tests/Outside. One command migrates the archive with two workers,
is killed three times at moments of chance, and is given again. Then the ledger and all files are
held against what is known of each store (audit.py), and throughput and memory are measured.

The exit status is 1 where anything is not as it must be; a missed aim of throughput is only shown.
Needs Python 3.9 or later with sqlite3, and Linux.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from audit import Audit, files
from running import Command, Ledger, killed_runs
from stores import Archive
from throughput import Figures, large_stores, small_stores


class Holder:
    """The process that holds locked stores."""

    def __init__(self, samples):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "locks.py")
        self.process = subprocess.Popen(
            [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.brief = {}
        for sample in samples:
            if sample.kind.startswith("locked"):
                way = sample.kind.split()[1]
                self.tell("hold %s %s" % ("exclusive" if way == "brief" else way, sample.path))
                if way == "brief":
                    self.brief[os.path.basename(sample.path)] = sample.path
        self.asked = 0

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer.startswith("done"):
            raise SystemExit("a store could not be held: %s" % answer)

    def release(self, ledger):
        """Lets go of what is held for a moment only, once the batch has met that."""
        if not self.brief or time.monotonic() - self.asked < 0.5 or not ledger.ended():
            return
        self.asked = time.monotonic()
        for (name,) in ledger.rows(
            "SELECT DISTINCT s.name FROM attempt a JOIN store s ON s.id = a.store "
            "WHERE a.code = 'inUse'"
        ):
            path = self.brief.pop(os.path.basename(name), None)
            if path:
                self.tell("release " + path)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def no_process_stays(command, audit):
    """Workers whose dispatcher died are given the time that they have to notice."""
    until = time.monotonic() + 15
    while command.processes() and time.monotonic() < until:
        time.sleep(0.1)
    audit.expect(not command.processes(), "processes still run:", command.processes())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--program", required=True)
    parser.add_argument("--models", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--largest", type=float, default=50e6, help="bytes of the largest store")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one store")
    parser.add_argument("--memory", type=int, default=500, help="MB for one worker")
    parser.add_argument("--tries", type=int, default=4, help="attempts on a locked store")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-trial", action="store_true", help="measure no throughput")
    arguments = parser.parse_args()

    work = os.path.realpath(arguments.work)
    archive, tree = os.path.join(work, "archive"), os.path.join(work, "results")
    temporary = os.path.join(work, "temporary")
    for folder in (tree, temporary):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(temporary)
    program, models = os.path.realpath(arguments.program), os.path.abspath(arguments.models)
    environment = dict(os.environ, TMPDIR=temporary)
    limits = (arguments.timeout, arguments.memory, arguments.tries)
    command = Command(program, models, environment, *limits)
    chance = random.Random(arguments.seed + 1)
    began = time.monotonic()

    def tell(*words):
        print("%5.0f s " % (time.monotonic() - began), *words, flush=True)

    samples = Archive(
        archive, program, models, work, arguments.count, arguments.largest, arguments.seed
    ).make()
    total = sum(s.bytes for s in samples)
    sizes = sorted(s.bytes for s in samples)
    tell("%d stores, %.0f MB, median %.0f kB, seed %d"
         % (len(samples), total / 1e6, sizes[len(sizes) // 2] / 1e3, arguments.seed))  # fmt: skip
    holder = Holder(samples)
    before = files(archive)
    tell("%d files are held against later" % len(before))

    run, status, memory, story, seconds = killed_runs(
        command, archive, tree, 2, len(samples), arguments.kills, chance,
        lambda: holder.release(Ledger(tree)),
    )  # fmt: skip
    tell("the batch ended with %s; killed: %s" % (status, ", ".join(story)))
    audit, figures = Audit(), Figures()
    audit.expect(status == 1, "the status is", status, "".join(run.said))
    no_process_stays(command, audit)
    audit.sources(before, files(archive))
    audit.ledger(Ledger(tree), samples, archive, tree, work)
    audit.expect(not os.listdir(temporary), "temporary files stay:", os.listdir(temporary)[:5])
    holder.end()
    tell("audited")
    figures.note("%d stores, killed %d times" % (len(samples), len(story)), "%.0f s" % seconds)
    figures.note(
        "in all", "%.1f stores/s, %.1f MB/s" % (len(samples) / seconds, total / seconds / 1e6)
    )
    figures.note("greatest memory of a dispatcher", "%.1f MB" % (memory / 1e6))
    if not arguments.only_trial and not audit.mistakes:
        shutil.rmtree(tree)
        few, count = small_stores(
            command, samples, work, figures, chance, max(30, arguments.count // 10)
        )
        figures.hold("memory with %d stores against %d" % (len(samples), count), memory / few, -1.3)
        large_stores(command, samples, work, figures, 16)
        tell("measured")
    for what in sorted(audit.counts):
        print("%8d  %s" % (audit.counts[what], what))
    figures.show()
    for mistake in audit.mistakes[:40]:
        print("  ! %s" % mistake)
    print("%d mistakes" % len(audit.mistakes))
    sys.exit(1 if audit.mistakes else 0)


if __name__ == "__main__":
    main()
