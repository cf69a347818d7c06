#!/usr/bin/env python3
"""The fault laboratory: tries whether Waystone keeps what it promises about users' files.

    laboratory.py --waystone PATH/waystone --models PATH/ModelArchive --work FOLDER [TEST ...]

Tests (all, where none is named):
    regressions  each fault and attack that once did harm, by its number in the audit's lists
    attacks      hostile stores, folders and files that reach for files outside: nothing is touched
    external     hostile folders of external data
    faults       each file operation of a run fails in turn: EIO, ENOSPC, EDQUOT, EINTR, short, for good
    kills        SIGKILL before, in the midst of and after file operations; also of what goes on
    power        power loss: what was not flushed is dropped, torn and reordered at every point of a run
    mutants      damaged stores: crashes, hangs, and success with a wrong result
    workspace    damaged checkpoints and journals before a resume
    races        two processes at one store, dead owners, readers and writers beside a run
    limits       little memory, few descriptors, small files, closed streams, full disks
    outside      a sample of all commands under strace: nothing outside is opened for writing or removed
    oracles      the laboratory itself: a command that is sabotaged must be noticed
    trial        one by hand: --only SCENARIO:MODE:N[:ERROR[:CLASSES[:STICKY]]], as the figures name it;
                 faults count the classes WSORLC, kills WS
--scale 0.1 tries a tenth; --only NAME[,NAME] keeps to some scenarios, cases or mutants;
--classes RL keeps to some classes of faults (see Faultline/faultline.c);
--without files|folders is a trial of the laboratory itself: power without those flushes must lose stores.

Needs a C compiler, Python 3.9 or later with sqlite3, and Linux. Figures go to standard output; with
--figures FILE, as JSON to a file too. Each trial gets a line of JSON in FOLDER/log-TEST.jsonl. The exit
status is 1 where anything was lost, hung, crashed, stuck, wrongly a success or outside of its folder.
"""

import argparse
import importlib
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command import Lab
from tally import cpu_seconds

TESTS = [
    "oracles", "regressions", "attacks", "external", "faults", "kills", "power", "mutants", "workspace",
    "races", "limits", "outside",
]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--waystone", required=True, help="the command")
    parser.add_argument("--swift-reader", default="", help="a command that reads Swift sources")
    parser.add_argument("--models", required=True, help="the sample archive")
    parser.add_argument("--work", required=True, help="a folder for stores and trials")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--classes", default="")
    parser.add_argument("--without", default="", choices=["", "files", "folders"])
    parser.add_argument("--seconds", type=int, default=20, help="what no command may take")
    parser.add_argument("--figures", default="", help="a file that gets the figures as JSON")
    parser.add_argument("tests", nargs="*")
    arguments = parser.parse_args()
    Lab.start(arguments)
    only = [n for n in arguments.only.split(",") if n] or None
    figures, is_bad = {}, False
    # Parts that are run by themselves replace their own figures.
    if arguments.tests and os.path.exists(arguments.figures):
        with open(arguments.figures) as file:
            figures = json.load(file)
    # As Ctrl-C: the test that runs ends, and shows what it found.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for test in arguments.tests or TESTS:
        began, spent = time.monotonic(), cpu_seconds()
        module = importlib.import_module("faults" if test == "trial" else test)
        tally = getattr(module, test)(only)
        seconds, cpu = time.monotonic() - began, cpu_seconds() - spent
        tally.show("%s  (%.0f s, %.0f s of CPU)" % (test, seconds, cpu))
        bad = tally.bad()
        is_bad = is_bad or any(bad.values())
        is_interrupted = any("interrupted" in name for name in tally.counts)
        figures[test] = {"counts": dict(tally.counts), "bad": bad, "seconds": round(seconds)}
        if arguments.figures:
            with open(arguments.figures, "w") as file:
                json.dump(figures, file, indent=1, sort_keys=True)
        if is_interrupted:
            break
    sys.exit(1 if is_bad else 0)


if __name__ == "__main__":
    main()
