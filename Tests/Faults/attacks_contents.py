"""Attacks by what a store's rows and values are: entity numbers, encodings, odd values, marks."""

import os
import plistlib
import shutil
import sqlite3

from attacks import Skipped, attack
from attacks_schema import both, change
from comparison import difference, reading
from content import problems
from meanings import letters_after, letters_before, library_after, library_before
from meanings import people_after, people_before
from samples import model


def result_of(ground, arguments):
    return ground.output if "--output" in arguments else ground.store


@attack("C4", "A row whose entity is unknown stops plan, verify and migration; it never vanishes.")
def unknown_entities(ground):
    for value in ("NULL", "99", "0", "'1'", "2.5"):
        for name, table, to, before, after in (
            ("Library", "ZNOTE", "v2", library_before, library_after),
            ("Letters", "ZENCLOSURE", "v4", letters_before, letters_after),
        ):
            script = "UPDATE %s SET Z_ENT = %s WHERE Z_PK %% 7 = 6" % (table, value)
            models = ground.begin(name)
            change(ground.store, script)
            expected = reading(ground.store, before)
            for arguments, got in both(ground, name, to, script):
                if got.status == 0:
                    wrong = difference(expected, reading(result_of(ground, arguments), after))
                    ground.expect(wrong is None, "Z_ENT = %s: %s" % (value, wrong), got)
                else:
                    ground.refused(got, 1, 3, 65)
            plan = [["plan", ground.store, "--to", to, "--models", models]]
            verify = [["verify", ground.store, "--models", models]]
            if value in ("NULL", "99", "0"):
                for arguments, got in both(ground, name, to, script, plan + verify):
                    verb = arguments[0]
                    ground.expect(got.status != 0, "%s passes Z_ENT = %s" % (verb, value), got)


@attack(
    "C7", "Entity numbers that contradict the names of Z_PRIMARYKEY turn no object into another's."
)
def swapped_entities(ground):
    names = """UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_ENT WHEN 2 THEN 'Person' ELSE 'Institution' END
        WHERE Z_ENT IN (2, 3)"""
    rows = "UPDATE ZCORRESPONDENT SET Z_ENT = 5 - Z_ENT WHERE Z_ENT IN (2, 3)"
    models = model("Letters")
    for script in (names + ";" + rows, names):
        ground.begin()
        change(ground.store, script)
        expected = reading(ground.store, letters_before)
        for arguments, got in both(ground, "Letters", "v4", script):
            if got.status == 0:
                wrong = difference(expected, reading(result_of(ground, arguments), letters_after))
                ground.expect(wrong is None, str(wrong), got)
        verify = [["verify", ground.store, "--models", models]]
        for _, got in both(ground, "Letters", "v4", script, verify):
            ground.expect(got.status != 0, "verify passes it", got)


@attack(
    "M6",
    "What a store keeps beside its model is there afterwards, or is a finding that must be accepted.",
)
def kept_marks(ground):
    script = """PRAGMA user_version = 77; PRAGMA application_id = 1234567;
        CREATE TABLE app (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
        INSERT INTO app (a) VALUES (1), (2), (3); INSERT INTO app (id, a) VALUES (500, 1);
        DELETE FROM app WHERE id = 500;
        CREATE TABLE plain (a); INSERT INTO plain (rowid, a) VALUES (10, 1), (700, 2)"""

    def marks(path):
        database = sqlite3.connect(path)
        try:
            return [
                database.execute(q).fetchall()
                for q in (
                    "PRAGMA user_version",
                    "PRAGMA application_id",
                    "SELECT * FROM sqlite_sequence",
                    "SELECT rowid, a FROM plain",
                    "SELECT * FROM app",
                )
            ]
        finally:
            database.close()

    ground.begin()
    change(ground.store, script)
    expected = marks(ground.store)
    for to in ("v2", "v4"):
        for arguments, got in both(ground, "Letters", to, script):
            if got.status == 0:
                found = marks(result_of(ground, arguments))
                ground.expect(found == expected, "%r became %r" % (expected, found), got)
            else:
                ground.refused(got, 1, 3)


@attack("M6", "Extended attributes of a store are kept, or named.")
def extended_attributes(ground):
    for place in (0, 1):
        models = ground.again()
        try:
            os.setxattr(ground.store, "user.waystone.test", b"kept")
        except OSError as error:
            raise Skipped("no extended attributes: %s" % error.strerror)
        arguments = ground.moves(models, "v4")[place]
        got = ground.run(*arguments)
        if got.status == 0:
            try:
                value = os.getxattr(result_of(ground, arguments), "user.waystone.test")
            except OSError:
                value = b""
            said = "attribute" in got.output + got.errors
            ground.expect(value == b"kept" or said, "the attribute is gone, unsaid", got)


@attack("M7", "A store in UTF-16 is carried whole, or refused before the first hop.")
def utf16(ground):
    models = ground.begin()
    expected = reading(ground.store, letters_before)
    for place in (0, 1):
        ground.again()
        old = sqlite3.connect(ground.store)
        script = "\n".join(old.iterdump())
        old.close()
        os.remove(ground.store)
        new = sqlite3.connect(ground.store)
        new.execute("PRAGMA encoding = 'UTF-16le'")
        new.executescript(script)
        new.close()
        arguments = ground.moves(models, "v4")[place]
        got = ground.run(*arguments)
        if got.status == 0:
            wrong = difference(expected, reading(result_of(ground, arguments), letters_after))
            ground.expect(wrong is None, str(wrong), got)
        else:
            ground.refused(got, 3, 65)
            left = os.path.exists(result_of(ground, arguments) + ".waystone/journal.ndjson")
            ground.expect(not left, "refused, but a run is left", got)


@attack(
    "F5",
    "Text that is no UTF-8, or holds a NUL, is carried byte for byte, or refused before the first hop.",
)
def odd_text(ground):
    for value in (
        "CAST(x'66fff0' AS TEXT)",
        "'a' || char(0) || 'b'",
        "x'00ff'",
        "CAST(x'eda080' AS TEXT)",
    ):
        for name, table, column, to, before, after in (
            ("Letters", "ZLETTER", "ZBODY", "v4", letters_before, letters_after),
            ("Library", "ZNOTE", "ZBODY", "v2", library_before, library_after),
            ("Library", "ZNOTE", "ZCATEGORY", "v2", library_before, library_after),
            ("People", "ZPERSON", "ZFULLNAME", "v2", people_before, people_after),
        ):
            if value.startswith("x'") and name == "People":
                # No text at all, which an expression cannot take.
                continue
            script = "UPDATE %s SET %s = %s WHERE Z_PK %% 5 = 1" % (table, column, value)
            ground.begin(name)
            change(ground.store, script)
            expected = reading(ground.store, before)
            for arguments, got in both(ground, name, to, script):
                if got.status == 0:
                    wrong = difference(expected, reading(result_of(ground, arguments), after))
                    ground.expect(wrong is None, "%s: %s" % (value, wrong), got)
                else:
                    ground.refused(got, 3, 4, 65)
                    ground.ran_no_hop(got, result_of(ground, arguments) + ".waystone")


@attack("M10", "A foreign metadata key whose value is not a number is carried.")
def not_a_number(ground):
    models = ground.begin()
    for place in (0, 1):
        ground.again()
        database = sqlite3.connect(ground.store)
        (data,) = database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
        metadata = plistlib.loads(data)
        metadata["com.example.number"] = float("nan")
        data = plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY, sort_keys=False)
        database.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (data,))
        database.commit()
        database.close()
        got = ground.run(*ground.moves(models, "v4")[place])
        ground.expect(got.status == 0, "not migrated", got)


MARKER = "marker-that-no-message-shows"


@attack("M9", "No value of a row is in any message.")
def values_in_messages(ground):
    expressions = [
        'FUNCTION($source,"valueForKey:",$source.fullName)',
        'FUNCTION($source,"valueForKeyPath:",$source.fullName)',
        "CAST($source.fullName,$source.fullName)",
        'FUNCTION($source.fullName,$source.fullName,"x")',
        "$source.fullName + 1",
        'FUNCTION($source.fullName,"componentsSeparatedByString:",", ")[99]',
        'FUNCTION($source,"valueForKey:",$source.fullName)[FIRST]',
    ]
    for expression in expressions:
        ground.begin("People")
        change(ground.store, "UPDATE ZPERSON SET ZFULLNAME = '%s' || Z_PK" % MARKER)
        folder = os.path.join(ground.folder, "models")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(model("People"), folder)
        hop = os.path.join(folder, "People.v1-v2.hop.yml")
        with open(hop, "w") as file:
            file.write(
                "from: People/v1\nto: People/v2\nentities:\n  - source: Person\n    attributes:\n"
                "      name: '%s'\n      surnames: $source.fullName\n"
                % expression.replace("'", "''")
            )
        for more in ([], ["--verbose"], ["--format", "json"], ["--progress", "ndjson"]):
            got = ground.run(
                "migrate",
                ground.store,
                "--to",
                "v2",
                "--output",
                ground.output,
                "--models",
                folder,
                *more
            )
            shown = MARKER in got.output + got.errors
            ground.expect(not shown, "a value is shown for " + expression)
            if got.status == 0:
                os.remove(ground.output)
                shutil.rmtree(ground.output + ".waystone", ignore_errors=True)


@attack("M9", "Refusals for bad values name counts and keys, never values.")
def refused_values(ground):
    columns = ["ZLETTER.ZPAGES", "ZLETTER.ZWRITTENON", "ZLETTER.ZIDENTIFIER", "ZLETTER.ZISREAD"]
    columns += ["ZENCLOSURE.ZKIND", "ZENCLOSURE.ZLETTER", "ZCORRESPONDENT.ZNAME", "ZTOPIC.ZNAME"]
    pairs = [tuple(c.split(".")) + (MARKER,) for c in columns]
    script = "; ".join("UPDATE OR IGNORE %s SET %s = '%s' || Z_PK" % p for p in pairs)
    models = model("Letters")
    commands = ground.readers(models, "v4") + ground.moves(models, "v4")
    for arguments, got in both(ground, "Letters", "v4", script, commands):
        shown = MARKER in got.output + got.errors
        ground.expect(not shown, "%s shows a value" % arguments[0])


@attack("M8", "A pattern that takes exponential time in other matchers stops nothing.")
def patterns(ground):
    models = os.path.join(ground.folder, "Patterns.xcdatamodeld", "v1.xcdatamodel")
    os.makedirs(models)
    with open(os.path.join(models, "contents"), "w") as file:
        file.write(
            '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" '
            'documentVersion="1.0"><entity name="Word" syncable="YES"><attribute name="text" '
            'optional="YES" attributeType="String" regularExpressionString="(a+)+b"/></entity></model>'
        )
    path = os.path.join(ground.folder, "P.sqlite")
    archive = os.path.dirname(models)
    got = ground.run(
        "generate", "v1", "--rows", "20", "--seed", "1", "-o", path, "--models", archive
    )
    ground.expect(got.status == 0, "no store of it", got)
    change(path, "UPDATE ZWORD SET ZTEXT = '%s'" % ("a" * 5000))
    for verb in ("validate", "verify"):
        got = ground.run(verb, path, "--models", archive)
        ground.expect(got.seconds < 10, "%s took %.0f s" % (verb, got.seconds), got)


@attack(
    "F4",
    "A damaged source is refused, and names what can be read; its result never fails integrity_check.",
)
def damaged_indexes(ground):
    models = ground.begin(rows=200)
    for seed in range(24):
        for arguments in ground.moves(models, "v4"):
            ground.again(rows=200)
            database = sqlite3.connect(ground.store)
            roots = database.execute(
                "SELECT rootpage, type FROM sqlite_schema WHERE rootpage > 0"
            ).fetchall()
            size = database.execute("PRAGMA page_size").fetchone()[0]
            database.close()
            root, kind = roots[seed % len(roots)]
            with open(ground.store, "r+b") as file:
                file.seek((root - 1) * size + size - 40 - seed)
                file.write(bytes([seed + 1]) * 6)
            wrong = problems(ground.store, "quick_check")
            got = ground.run(*arguments)
            if got.status == 0:
                text = problems(result_of(ground, arguments), "integrity_check")
                ground.expect(text == "", "the result is damaged: " + text, got)
                ground.expect(wrong == "", "the source is damaged, unsaid: " + wrong, got)
            else:
                ground.refused(got, 3, 65)
