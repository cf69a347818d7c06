#!/usr/bin/env python3
"""Makes stores of Core Data's XML kind, has them migrated over three versions, and compares every object.

    check_xml_stores.py --program WAYSTONE [--growth MEGABYTES] OBJECTS ...

For each number of objects: a store with every type of attribute, awkward texts, inherited entities, ordered,
one-to-one, many-to-many and reflexive links; its rows at each of the three versions against what was written, by
plain SQL; and the most memory that a command took. The file and what is expected of it are made here alone: nothing
of Waystone's writes or reads them but the commands that are tried. With --growth, no command may take so much more
memory for the last number of objects than for the first.

It prints a line for each command, and no value of an object where one differs.
"""

import argparse
import os
import plistlib
import shutil
import sqlite3
import sys
import tempfile
import time

import made_stores


class Comparison:
    """A store of the SQLite kind against the objects that the file was made of."""

    def __init__(self, path, version, objects):
        self.database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.version, self.objects = version, objects
        self.tag, self.tags = ("Label", "labels") if version == 3 else ("Tag", "tags")
        self.compared = 0
        self.mistakes = []

    def mistake(self, words):
        if len(self.mistakes) < 20:
            self.mistakes.append("v%d: %s" % (self.version, words))

    def column(self, name):
        return "ZHEADING" if name == "title" and self.version >= 2 else "Z" + name.upper()

    def run(self):
        self.rows()
        self.joins()
        for name, expected in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
            if self.database.execute("PRAGMA " + name).fetchall() != expected:
                self.mistake("PRAGMA %s" % name)
        return self

    def rows(self):
        numbers = dict(self.database.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        tables, statements = {}, {}
        for key, entity, number in self.objects.keys():
            name = self.tag if entity == "Tag" else entity
            names = [(owner, *one) for owner in made_stores.chain(entity) for one in made_stores.ATTRIBUTES[owner]]
            table = "Z" + made_stores.chain(name)[-1].upper()
            if entity not in statements:
                columns = ["Z_ENT"] + [self.column(n) for _, n, _ in names] + self.more(entity)
                statements[entity] = "SELECT %s FROM %s WHERE Z_PK = ?" % (", ".join(columns), table)
            tables[table] = tables.get(table, 0) + 1
            row = self.database.execute(statements[entity], (key,)).fetchone()
            if row is None:
                self.mistake("%s %d is not there" % (name, key))
                continue
            wanted = [numbers[name]] + [self.objects.value(kind, n, number) for _, n, kind in names]
            wanted += self.more_of(entity, number)
            self.compared += 1
            for place, (found, value) in enumerate(zip(row, wanted)):
                if found != value or isinstance(found, (bytes, str)) and not isinstance(value, type(found)):
                    self.mistake("%s %d, place %d of %s" % (name, key, place, statements[entity]))
        for table, count in tables.items():
            if self.database.execute("SELECT COUNT(*) FROM " + table).fetchone() != (count,):
                self.mistake("%s has more rows" % table)

    def more(self, entity):
        """The columns of links and of what later versions add."""
        if entity == "Person":
            return ["ZFOLDER"]
        if entity == "Folder":
            return ["ZOWNER"] + (["ZRANK"] if self.version == 3 else [])
        if entity == "Tag":
            return []
        more = ["ZFOLDER"]
        if entity == "Document":
            more += ["ZTWIN"] + (["ZLANGUAGE"] if self.version >= 2 else [])
        return more

    def more_of(self, entity, number):
        objects = self.objects

        def key(start, other):
            return None if other is None else start + other

        if entity == "Person":
            owns = number < objects.folders and objects.owner_of(number) == number
            return [key(objects.folder, number if owns else None)]
        if entity == "Folder":
            return [key(objects.person, objects.owner_of(number))] + ([3] if self.version == 3 else [])
        if entity == "Tag":
            return []
        more = [key(objects.folder, objects.folder_of(number))]
        if entity == "Document":
            more += [key(objects.asset, objects.twin_of(number))] + (["en"] if self.version >= 2 else [])
        return more

    def joins(self):
        objects = self.objects
        lists = {}
        query = "SELECT ZFOLDER, Z_PK FROM ZASSET WHERE ZFOLDER NOTNULL ORDER BY ZFOLDER, Z_FOK_FOLDER"
        for folder, asset in self.database.execute(query):
            lists.setdefault(folder, []).append(asset)
        for number in range(objects.folders):
            wanted = [objects.asset + n for n in objects.assets_of_folder(number)]
            if lists.get(objects.folder + number, []) != wanted:
                self.mistake("the list of Folder %d" % (objects.folder + number))
        table, columns = self.join(self.tags.upper())
        tag = next(c for c in columns if c.endswith(self.tags.upper()))
        asset = next(c for c in columns if c.endswith("ASSETS") and "FOK" not in c)
        order = next(c for c in columns if "FOK" in c)
        lists = {}
        for owner, other in self.database.execute(
            "SELECT %s, %s FROM %s ORDER BY %s, %s" % (tag, asset, table, tag, order)
        ):
            lists.setdefault(owner, []).append(other)
        for number, members in enumerate(objects.assets_of_tags()):
            if lists.get(objects.tag + number, []) != [objects.asset + n for n in members]:
                self.mistake("the list of %s %d" % (self.tag, objects.tag + number))
        table, columns = self.join("FRIENDS")
        found = {frozenset(pair) for pair in self.database.execute("SELECT %s, %s FROM %s" % (*columns[:2], table))}
        wanted = {
            frozenset((objects.person + n, objects.person + other))
            for n in range(objects.persons)
            for other in objects.friends_of(n)
        }
        if found != wanted:
            self.mistake("the friends: %d links for %d" % (len(found), len(wanted)))

    def join(self, end):
        """The join table one of whose columns ends so."""
        tables = self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
        for (table,) in tables:
            columns = [row[1] for row in self.database.execute("PRAGMA table_info(%s)" % table)]
            if any(c.endswith(end) for c in columns):
                return table, columns
        raise SystemExit("there is no join table of %s" % end)


# --- the runs


class Trial:
    def __init__(self, program, growth):
        self.program, self.growth = os.path.abspath(program), growth
        self.mistakes = []
        # The most memory of each command for the first number of objects, in megabytes.
        self.first = {}

    def run(self, what, *arguments):
        """Runs the command, prints what it took, and returns whether it succeeded."""
        began = time.monotonic()
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(write, 1)
            os.dup2(write, 2)
            os.close(read)
            os.execv(self.program, [self.program, *arguments])
        os.close(write)
        with os.fdopen(read, encoding="utf-8", errors="replace") as stream:
            output = stream.read()
        _, status, usage = os.wait4(pid, 0)
        peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        print("  %-24s %7.2f s, at most %4.0f MB" % (what, time.monotonic() - began, peak))
        if status != 0:
            self.mistakes.append("%s ended with %d: %s" % (what, os.waitstatus_to_exitcode(status), output[:2000]))
        elif self.growth and peak > self.first.setdefault(what, peak) + self.growth:
            self.mistakes.append("%s took %.0f MB, and %.0f at first" % (what, peak, self.first[what]))
        return status == 0

    def try_store(self, count, folder):
        objects = made_stores.Objects(count)
        archive = made_stores.write_models(folder)
        sample = os.path.join(folder, "sample.sqlite")
        options = ["--models", archive]
        if not self.run("a sample", "generate", "v1", *options, "--rows", "1", "--output", sample):
            return
        plist = sqlite3.connect(sample).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0]
        store = os.path.join(folder, "store.xml")
        made_stores.write_store(store, objects, plistlib.loads(plist)["NSStoreModelVersionHashes"])
        print("%d objects, %.1f MB" % (sum(1 for _ in objects.keys()), os.path.getsize(store) / 1e6))
        self.run("inspect", "inspect", store, *options)
        for version in (1, 2, 3):
            result = os.path.join(folder, "v%d.sqlite" % version)
            words = ["migrate", store, "--to", "v%d" % version, "--output", result, *options]
            if not self.run("migrate --to v%d" % version, *words):
                continue
            comparison = Comparison(result, version, objects).run()
            self.mistakes += comparison.mistakes
            print("  %24s %d objects compared, %d mistakes" % ("", comparison.compared, len(comparison.mistakes)))
            os.remove(result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--growth", type=int, help="megabytes by which no command's memory may grow")
    parser.add_argument("objects", type=int, nargs="+")
    arguments = parser.parse_args()
    trial = Trial(arguments.program, arguments.growth)
    for count in arguments.objects:
        folder = tempfile.mkdtemp(prefix="xml-stores-")
        try:
            trial.try_store(count, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    for mistake in trial.mistakes:
        print("MISTAKE %s" % mistake)
    return 1 if trial.mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
