#!/usr/bin/env python3
"""Holds a certificate of `waystone migrate --certificate` against both stores, by plain SQL.

    check_certificate.py CERTIFICATE SOURCE RESULT

It knows the form of the certificate and Core Data's names of tables and columns, and nothing of
Waystone's code. It prints how many lines it compared, and ends with 1 where one is wrong.
"""

import json
import os
import sqlite3
import sys


def columns(database, table):
    return [r[1] for r in database.execute('PRAGMA table_info("%s")' % table)]


class Store:
    def __init__(self, path):
        name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        # Nothing is made beside a store that has no log.
        alone = "" if os.path.exists(path + "-wal") else "&immutable=1"
        self.database = sqlite3.connect("file:%s?mode=ro%s" % (name, alone), uri=True)
        self.numbers = dict(self.database.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        tables = [r[0] for r in self.database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        self.columns = {t: columns(self.database, t) for t in tables}
        self.tables = [
            t for t, c in self.columns.items() if {"Z_PK", "Z_ENT", "Z_OPT"} <= set(c) and t[:2] != "Z_"
        ]

    def count(self, what, entity, of=None):
        """How many rows of an entity there are, or how many have a value in a column; None where the store
        does not tell: an entity by another name, a column that several attributes may be meant by."""
        number, total = self.numbers.get(entity), 0
        if number is None:
            return None
        for table in self.tables:
            rows = self.database.execute(
                'SELECT COUNT(*) FROM "%s" WHERE Z_ENT = ?' % table, (number,)
            ).fetchone()[0]
            if rows and of is not None:
                if of not in self.columns[table] or of + "1" in self.columns[table]:
                    return None
                rows = self.database.execute(
                    'SELECT COUNT("%s") FROM "%s" WHERE Z_ENT = ?' % (of, table), (number,)
                ).fetchone()[0]
            total += rows
        return total


def merged(lines):
    """The lines, of which those of one place, whatever becomes of them, are one."""
    sums = {}
    for line in lines:
        place = (line["entity"], line.get("property"), line["kind"])
        sums[place] = dict(line, count=line["count"] + sums.get(place, {"count": 0})["count"])
    return sums.values()


def compare(store, lines, side):
    compared = wrong = 0
    lines = merged(lines)
    for line in lines:
        of = None if line["kind"] == "objects" else "Z" + line["property"].upper()
        if line["kind"] == "links":
            continue
        found = store.count(line["kind"], line["entity"], of)
        if found is None:
            continue
        compared += 1
        if found != line["count"]:
            wrong += 1
            place = line["entity"] + ("." + line["property"] if of else "")
            print("%s %s: %d %s, and the store has %d" % (side, place, line["count"], line["kind"], found))
    return compared, wrong


def check(certificate, source, result):
    """How many lines of a certificate were compared with both stores, and how many are wrong."""
    source, result = Store(source), Store(result)
    assert certificate["schema"] == "waystone.certificate/1"
    hops, total = certificate["hops"], certificate["total"]
    sides = [(source, total["departures"], "source"), (result, total["arrivals"], "result")]
    if hops:
        sides += [(source, hops[0]["departures"], "first hop"), (result, hops[-1]["arrivals"], "last hop")]
    compared = wrong = 0
    for store, lines, side in sides:
        some, bad = compare(store, lines, side)
        compared, wrong = compared + some, wrong + bad
    # What one hop leaves is what the next finds.
    for one, two in zip(hops, hops[1:]):
        left = {(l["entity"], l.get("property")): l["count"] for l in merged(one["arrivals"])}
        found = {(l["entity"], l.get("property")): l["count"] for l in merged(two["departures"])}
        for place in set(left) | set(found):
            compared += 1
            if left.get(place, 0) != found.get(place, 0):
                wrong += 1
                print("%s to %s: %s is %s and then %s" % (
                    one["source"], two["destination"], place, left.get(place, 0), found.get(place, 0)))
    source.database.close()
    result.database.close()
    return compared, wrong


def main():
    with open(sys.argv[1]) as file:
        certificate = json.load(file)
    compared, wrong = check(certificate, sys.argv[2], sys.argv[3])
    print("%d lines compared, %d wrong" % (compared, wrong))
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
