#!/usr/bin/env python3
"""Writes the figures of Scripts/harden as a table into SECURITY.md, between its two markers.

    figures.py FOLDER SECURITY.md

FOLDER holds one file of JSON for each part that was run, and the laboratory's figures.
"""

import json
import os
import sys

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"

# test, what it tries, the counts that add up to the number of trials
ROWS = [
    ("faults", "File operations that fail, one in each run", ["tried"]),
    ("kills", "Runs that are killed", ["tried"]),
    ("power", "States of the disk after a power loss", ["states"]),
    ("mutants", "Damaged and hostile stores", ["mutants"]),
    ("workspace", "Damaged checkpoints and journals", ["tried"]),
    ("external", "Hostile folders of external data", ["tried"]),
    ("attacks", "Attacks on files outside, commands", ["commands"]),
    ("regressions", "Faults that once did harm", None),
    ("races", "Two processes at one store", ["races", "owners", "readers and writers"]),
    ("limits", "Little memory, few descriptors, full disks", None),
    ("outside", "Commands watched by strace", ["commands"]),
    ("oracles", "Sabotaged commands that must be noticed", ["oracles"]),
]  # fmt: skip
COLUMNS = ["LOST", "STUCK", "CRASH", "HANG", "WRONG", "OUTSIDE"]
PARTS = [
    ("fuzz", "Inputs of the fuzzers"),
    ("batch", "Checks of a batch of 10,000 stores that is killed"),
    ("tests", "Tests with all of their trials"),
    ("slurm", "Stores that an array of Slurm's migrated"),
    ("address", "Tests under the address sanitizer"),
    ("thread", "Tests under the thread sanitizer"),
]


def load(folder, name):
    try:
        with open(os.path.join(folder, name)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def number(count):
    return "{:,}".format(count)


def tried(counts, names):
    if names:
        return sum(counts.get(n, 0) for n in names)
    return sum(n for name, n in counts.items() if name.startswith("tried: "))


HEADER = "| | number | findings | commit | date |"


def table(folder, former):
    """The lines; of parts without figures in the folder those that were there before."""
    laboratory, _, rest = former.partition(HEADER)
    rows = {line.split("|")[1].strip(): line for line in rest.splitlines() if line.startswith("| ")}
    lines = []
    figures, part = load(folder, "laboratory-figures.json"), load(folder, "laboratory.json")
    if figures and part:
        lines += [
            "The fault laboratory on %s, commit %s:" % (part["date"], part["commit"]), "",
            "| What is tried | trials | lost | stuck | crashes | hangs | wrong success | outside |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
        ]  # fmt: skip
        for test, text, names in ROWS:
            if test in figures:
                bad = figures[test]["bad"]
                cells = [number(tried(figures[test]["counts"], names))]
                cells += [number(bad.get(c, 0)) for c in COLUMNS]
                lines.append("| %s | %s |" % (text, " | ".join(cells)))
        broken = sum(f["bad"].get("BROKEN", 0) for f in figures.values())
        if broken:
            lines += ["", "%d trials of the laboratory itself failed." % broken]
    elif laboratory.strip().startswith("The fault laboratory"):
        lines += laboratory.strip().splitlines()
    others = [(text, load(folder, name + ".json")) for name, text in PARTS]
    if any(found or text in rows for text, found in others):
        lines += ["", HEADER, "|---|---:|---:|---|---|"]
        for text, found in others:
            if not found and text in rows:
                lines.append(rows[text])
            elif found:
                result = "0" if found["status"] == 0 else "failed"
                count = number(int(found["text"] or 0))
                row = (text, count, result, found["commit"], found["date"])
                lines.append("| %s | %s | %s | %s | %s |" % row)
    return lines or ["No figures yet: run `Scripts/harden`."]


def main():
    folder, path = sys.argv[1:]
    with open(path) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    former, after = rest.split(END)
    lines = "\n".join(table(folder, former))
    with open(path, "w") as file:
        file.write("%s%s\n\n%s\n\n%s%s" % (before, BEGIN, lines, END, after))


if __name__ == "__main__":
    main()
