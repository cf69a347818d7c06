#!/usr/bin/env python3
"""Holds stores as apps do that are still running: `locks.py`, with commands on standard input.

    hold KIND PATH   exclusive: a transaction that nobody can read beside; writing: one of a
                     write-ahead log; open: a connection that has read, and does nothing
    release PATH     closes it

Each command is answered by a line: what it was, or why it failed. All closes with the input.
"""

import sqlite3
import sys

held = {}


def hold(kind, path):
    database = sqlite3.connect(path, isolation_level=None, timeout=0)
    mode = "DELETE" if kind == "exclusive" else "WAL"
    found = database.execute("PRAGMA journal_mode = %s" % mode).fetchone()[0]
    if found.upper() != mode:
        raise ValueError("journal_mode is %s" % found)
    if kind != "open":
        database.execute("BEGIN EXCLUSIVE" if kind == "exclusive" else "BEGIN IMMEDIATE")
    database.execute("SELECT COUNT(*) FROM Z_METADATA").fetchone()
    held[path] = database


def release(path):
    held.pop(path).close()


for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    try:
        if verb == "hold":
            hold(*rest.split(" ", 1))
        else:
            release(rest)
        print("done %s" % rest, flush=True)
    except Exception as error:
        print("failed %s: %s" % (rest, error), flush=True)
