"""Whether a batch did what it says: from its ledger and the files, by none of Waystone's code."""

import collections
import contextlib
import hashlib
import io
import json
import os
import shutil
import sqlite3
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ReportTests"))
from check_certificate import check

from stores import CURRENT


def digest(path):
    if os.path.islink(path):
        return "link to " + os.readlink(path)
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
    return sha.hexdigest()


def files(folder):
    """Every file and folder below a folder; of SQLite's shared memory only that it is there."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(parent, name), folder) + "/"] = ""
        for name in names:
            path = os.path.join(parent, name)
            is_shared = name.endswith("-shm")
            found[os.path.relpath(path, folder)] = "" if is_shared else digest(path)
    return found


class Audit:
    """The mistakes that are found, and how much was compared."""

    def __init__(self, ledgers=("batch.waystone.sqlite",)):
        self.ledgers = ledgers
        self.mistakes = []
        self.counts = collections.Counter()

    def expect(self, is_so, *words):
        self.counts["checks"] += 1
        if not is_so:
            self.mistakes.append(" ".join(str(w) for w in words))

    def sources(self, before, after):
        """The originals are what they were, byte by byte, and nothing lies beside them."""
        self.counts["originals"] = len(before)
        for path in sorted(set(before) | set(after)):
            self.expect(before.get(path) == after.get(path), "the archive was changed:", path)

    def ledger(self, ledger, samples, archive, tree, work):
        """Each store is in the ledger once, with the state and the reason of its kind."""
        connection = sqlite3.connect("file:%s?mode=ro" % ledger.path, uri=True)
        connection.row_factory = sqlite3.Row
        self.expect(
            connection.execute("PRAGMA integrity_check").fetchall()[0][0] == "ok",
            "the ledger is damaged",
        )
        self.expect(
            not connection.execute("PRAGMA foreign_key_check").fetchall(), "a row hangs loose"
        )
        root = os.path.basename(archive)
        rows = {r["name"]: r for r in connection.execute("SELECT * FROM store")}
        names = {"%s/%s" % (root, os.path.relpath(s.path, archive)): s for s in samples}
        for name in sorted(set(rows) ^ set(names)):
            self.expect(False, "not both in the archive and in the ledger:", name)
        attempts = collections.defaultdict(list)
        for row in connection.execute("SELECT * FROM attempt ORDER BY store, number"):
            attempts[row["store"]].append(row)
        results = {}
        for name in sorted(set(rows) & set(names)):
            row, sample = rows[name], names[name]
            self.store(row, sample, attempts[row["id"]])
            if row["state"] in ("migrated", "current"):
                results[row["destination"]] = row
                self.result(connection, row, sample, tree, work)
            else:
                self.expect(row["result"] is None, name, "has a result, and is", row["state"])
            self.counts["%s: %s" % (row["state"], sample.kind.strip())] += 1
        self.orphans(connection)
        connection.close()
        self.tree(tree, results, archive)

    def orphans(self, connection):
        def none(statement, *words):
            self.expect(connection.execute(statement).fetchone()[0] == 0, *words)

        none(
            "SELECT COUNT(*) FROM store WHERE state IN ('waiting', 'running')",
            "a store still waits",
        )
        none("SELECT COUNT(*) FROM store WHERE holder IS NOT NULL", "a store is still held")
        none(
            "SELECT COUNT(*) FROM certificate c JOIN store s ON s.id = c.store "
            "WHERE s.state NOT IN ('migrated', 'current')",
            "a store that was not migrated has a certificate",
        )

    def store(self, row, sample, attempts):
        state, code, message = sample.expected
        self.expect(
            row["state"] == state, row["name"], sample.kind, "is", row["state"], row["message"]
        )
        if row["state"] != state:
            return
        self.expect(
            code in (None, row["code"]), row["name"], sample.kind, "has the code", row["code"]
        )
        self.expect(message in (row["message"] or ""), row["name"], sample.kind, row["message"])
        good = state in ("migrated", "current")
        self.expect(good or row["recovery"], row["name"], "does not say what to do")
        # An attempt that was killed has no row; the last one says what the store is.
        self.expect(attempts, row["name"], "has no attempt")
        numbers = [a["number"] for a in attempts]
        self.expect(
            numbers == sorted(set(numbers)) and numbers and numbers[-1] == row["attempts"],
            row["name"], "has the attempts", numbers, "and counts", row["attempts"],
        )  # fmt: skip
        self.expect(attempts and attempts[-1]["state"] == state, row["name"], "ended otherwise")
        if sample.kind == "locked brief":
            self.expect(
                attempts and attempts[0]["code"] == "inUse" and len(attempts) > 1,
                row["name"], "was locked, and no attempt met that",
            )  # fmt: skip

    def result(self, connection, row, sample, tree, work):
        """The result is of the current version, and its certificate counts what SQL counts."""
        name, model = row["name"], sample.version.split("/")[0]
        place = os.path.join(tree, row["destination"])
        self.expect(row["result"] == place, name, "has its result at", row["result"])
        self.expect(os.path.isfile(place), name, "has no result")
        path = json.loads(row["path"])
        self.expect(path and path[0] == sample.version, name, "was taken for", path)
        self.expect(path and path[-1] == "%s/%s" % (model, CURRENT[model]), name, "went to", path)
        found = connection.execute(
            "SELECT json FROM certificate WHERE store = ?", (row["id"],)
        ).fetchone()
        if not os.path.isfile(place) or not found:
            return self.expect(False, name, "has no certificate")
        text = zlib.decompress(found["json"], -15)
        self.expect(
            hashlib.sha256(text).hexdigest() == row["certificate"], name, "has another certificate"
        )
        certificate = json.loads(text)
        for column, side in (("source_digest", "source"), ("result_digest", "result")):
            self.expect(row[column] == certificate[side]["digest"], name, "has another", column)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            compared, wrong = check(certificate, self.readable(sample.path, work), place)
        self.counts["certificate lines"] += compared
        self.expect(compared and not wrong, name, "has a wrong certificate:", said.getvalue())

    def readable(self, path, work):
        """The store; a copy where reading would write beside it."""
        if not os.path.exists(path + "-wal"):
            return path
        copy = os.path.join(work, "audited")
        for suffix in ("", "-wal", "-shm"):
            if os.path.lexists(copy + suffix):
                os.remove(copy + suffix)
        for suffix in ("", "-wal"):
            shutil.copyfile(path + suffix, copy + suffix)
        return copy

    def tree(self, tree, results, archive):
        """The output tree has the results, their files and the ledgers, and nothing else."""
        beside = ("", "-wal", "-shm", ".holders/")
        allowed = {ledger + end for ledger in self.ledgers for end in beside}
        for path, row in results.items():
            allowed.add(path)
            parts = path.split("/")
            allowed.update("/".join(parts[:n]) + "/" for n in range(1, len(parts)))
            folder, stem = os.path.split(os.path.splitext(path)[0])
            allowed.add("support " + os.path.join(folder, ".%s_SUPPORT" % stem) + "/")
        for path in sorted(files(tree)):
            at = path.find("_SUPPORT/")
            is_file = at >= 0 and "support " + path[: at + 9] in allowed
            self.counts["files of results"] += 1
            self.expect(is_file or path in allowed, "left in the output:", path)
        for path, row in results.items():
            self.support(row, tree, archive)

    def support(self, row, tree, archive):
        """Values in files arrive byte by byte."""

        def values(store):
            folder, stem = os.path.split(os.path.splitext(store)[0])
            found = files(os.path.join(folder, ".%s_SUPPORT" % stem))
            return {p: d for p, d in found.items() if not p.endswith("/")}

        root = os.path.dirname(archive)
        before, after = values(os.path.join(root, row["name"])), values(
            os.path.join(tree, row["destination"])
        )
        self.expect(before == after, row["name"], "lost files that lie beside it")
        self.counts["external files"] += len(before)
