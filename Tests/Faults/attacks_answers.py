"""Attacks on answers: stores and projects of which a plan once said another thing than its run."""

import os
import sqlite3

from attacks import attack
from attacks_numbers import attribute, begin, entity, migrate, rows

UNIQUE = (
    "<uniquenessConstraints><uniquenessConstraint>"
    '<constraint value="a"/></uniquenessConstraint></uniquenessConstraints>'
)


def agreed(ground, models, *statuses):
    """A plan, two dry runs and the run give one answer; the run's status is one of these."""
    ends = ["--to", "v2", "--models", models]
    plan = ground.run("plan", ground.store, *ends)
    dry = ground.run("migrate", ground.store, "--output", ground.output, "--dry-run", *ends)
    got = migrate(ground, models)
    ground.expect(got.status in statuses, "another status", got)
    for other in (plan, dry):
        ground.expect((other.status == 0) == (got.status == 0), "the plan says another thing", other)
    ground.expect("eport this" not in got.errors, "told to report it", got)


@attack("A1", "A generated column in an entity's table is refused before the run.")
def generated_column(ground):
    added = "ALTER TABLE ZA ADD COLUMN G INTEGER GENERATED ALWAYS AS (ZN + 1) VIRTUAL"
    before = [entity("A", attribute("n", "Integer 32"), attribute("s", "String"))]
    after = [entity("A", attribute("n", "Integer 32"), attribute("s", "String"), attribute("t", "String"))]
    agreed(ground, begin(ground, before, after, "  - source: A\n", [added]), 3, 4, 65)


@attack("A2", "A filter or a list's end that fails for a row is refused by the plan.")
def what_only_the_evaluator_knows(ground):
    note = [attribute("n", "Integer 64"), attribute("s", "String")]
    parts = 'FUNCTION($source.s, "componentsSeparatedByString:", ",")'
    for hop, change in (
        ("    where: \"FUNCTION(s, 'substringToIndex:', 3) != 'x'\"\n", "'ab'"),
        ('    attributes:\n      t: >-\n        FUNCTION(%s, "objectAtIndex:", 3)\n' % parts, "'a,b'"),
    ):
        models = begin(
            ground,
            [entity("A", *note)],
            [entity("A", *note, attribute("t", "String"))],
            "  - source: A\n" + hop,
            ["UPDATE ZA SET ZS = " + change],
        )
        agreed(ground, models, 4)


@attack("A3", "Infinity and doubles that no decimal number holds are refused, not carried.")
def doubles_beyond_decimals(ground):
    for value in ("9e999", "-1e300"):
        models = begin(
            ground,
            [entity("A", attribute("d", "Double"))],
            [entity("A", attribute("d", "Decimal"))],
            "  - source: A\n",
            ["UPDATE ZA SET ZD = %s WHERE Z_PK = 2" % value],
        )
        agreed(ground, models, 4)


@attack("A4", "A constraint within a table's statement goes with the version, as in stores of iOS 9.")
def constraint_of_the_statement(ground):
    names = [attribute("a", "String"), attribute("b", "String")]
    for after in (names, names[1:], [*names, attribute("c", "String")]):
        models = begin(
            ground,
            [entity("A", *names, UNIQUE)],
            [entity("A", *after)],
            "  - source: A\n",
            [
                "DROP INDEX Z_A_UNIQUE_a",
                "ALTER TABLE ZA RENAME TO OLD",
                "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                "ZA VARCHAR UNIQUE, ZB VARCHAR )",
                "INSERT INTO ZA SELECT Z_PK, Z_ENT, Z_OPT, ZA, ZB FROM OLD",
                "DROP TABLE OLD",
            ],
        )
        os.remove(os.path.join(models, "v1-to-v2.hop.yml"))
        agreed(ground, models, 0)
        left = rows(ground.output, "SELECT sql FROM sqlite_schema WHERE name = 'ZA' AND sql LIKE '%UNIQUE%'")
        ground.expect(not left, "the constraint is there still")


@attack("A5", "No result gets a name that SQLite gives to a file of its own, which it would remove.")
def names_of_companions(ground):
    for suffix in ("-wal", "-journal", "-shm"):
        models = ground.again()
        other = os.path.join(ground.folder, "T.sqlite")
        with open(ground.store, "rb") as source, open(other, "wb") as file:
            file.write(source.read())
        ends = ["--to", "v5", "--models", models, "--output", other + suffix]
        ground.refused(ground.run("migrate", ground.store, *ends), 73)
        got = ground.run("generate", "v1", "--models", models, "-o", other + suffix)
        ground.refused(got, 73)
        ground.expect(not os.path.exists(other + suffix), "a file of that name is there", got)


@attack("A6", "A store that another process has open is refused by a dry run as by its run.")
def open_elsewhere(ground):
    models = ground.begin()
    holder = sqlite3.connect(ground.store, isolation_level=None)
    holder.execute("PRAGMA journal_mode = wal")
    holder.execute("SELECT COUNT(*) FROM Z_METADATA").fetchall()
    for arguments in ground.moves(models, "v5"):
        for more in (["--dry-run"], []):
            ground.refused(ground.run(*arguments, *more), 6)
    holder.close()


@attack("A7", "Parts of a text become objects also where other rows of their table follow.")
def parts_before_others(ground):
    tag = entity("T", attribute("n", "String"))
    models = begin(
        ground,
        [entity("A", attribute("s", "String")), tag],
        [entity("A", attribute("s", "String"), attribute("q", "String")), tag],
        "  - source: A\n  - source: A\n    destination: T\n    split: {text: $source.s, separator: '-'}\n"
        "    attributes: {n: $piece}\n",
        ["UPDATE ZA SET ZS = 'b-c'"],
    )
    before = rows(ground.store, "SELECT (SELECT COUNT(*) FROM ZT) + 2 * COUNT(*) FROM ZA")
    agreed(ground, models, 0)
    ground.expect(rows(ground.output, "SELECT COUNT(*) FROM ZT") == before, "objects are missing")


@attack("A8", "Names that are not UTF-8, NUL in a configuration and a pipe as ledger get one clear error.")
def odd_names(ground):
    models = ground.begin()
    name = os.fsdecode(b"S-\xff.sqlite")
    os.rename(ground.store, os.path.join(ground.folder, name))
    got = ground.run("plan", name, "--to", "v5", "--models", models, cwd=ground.folder)
    ground.refused(got, 2)
    ground.expect(got.errors.count("error:") == 1, "no clear error", got)
    with open(os.path.join(ground.folder, "waystone.yml"), "wb") as file:
        file.write(b'models: "a\\0b"\n')
    got = ground.run("check", cwd=ground.folder)
    ground.refused(got, 2, 65)
    ground.expect("waystone.yml" in got.errors, "the file is not named", got)
    os.remove(os.path.join(ground.folder, "waystone.yml"))
    os.mkdir(os.path.join(ground.folder, "out"))
    os.mkfifo(os.path.join(ground.folder, "out", "batch.waystone.sqlite"))
    got = ground.run(
        "batch", ".", "--output", "out", "--to", "v5", "--models", models, cwd=ground.folder
    )
    ground.refused(got)
    ground.expect("cables" not in got.errors, "advice that does not help", got)


@attack("A9", "A thousand versions that hash alike cost no more than they are.")
def versions_alike(ground):
    folder = os.path.join(ground.folder, "M.xcdatamodeld")
    for number in range(1000):
        version = os.path.join(folder, "v%d.xcdatamodel" % number)
        os.makedirs(version)
        with open(version + "/contents", "w") as file:
            text = entity("A", attribute("n", "String"))
            file.write('<model userDefinedModelVersionIdentifier="">%s</model>' % text)
    got = ground.run("check", "--models", ground.folder, cwd=ground.folder)
    ground.expect(got.status in (0, 1) and len(got.output) < 200_000, "%d bytes" % len(got.output), got)
