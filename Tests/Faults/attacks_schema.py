"""Attacks by what a store's schema says: statements, triggers, views, columns and names."""

import os
import shutil
import sqlite3

from attacks import attack
from command import Lab
from samples import model


def change(path, script):
    """Changes a store by SQL as an attacker does: the schema may be written."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    database.executescript(script)
    database.close()


def database_at(path, script="CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)"):
    """A database of the user's, closed."""
    database = sqlite3.connect(path)
    database.executescript(script)
    database.close()
    with open(path, "rb") as file:
        return file.read()


def both(ground, name, to, script, commands=None, version="v1"):
    """Each command on a store that was changed so."""
    models = ground.begin(name, version)
    for arguments in commands or ground.moves(models, to):
        ground.again(name, version)
        change(ground.store, script)
        yield arguments, ground.run(*arguments)


@attack("C2", "No SQL that lies in a store's schema is run.")
def schema_text(ground):
    tails = [
        "; ATTACH ''{victim}'' AS z; DELETE FROM z.t",
        "; COMMIT; VACUUM INTO ''{fresh}''; BEGIN",
        "; ATTACH ''{fresh}'' AS z; CREATE TABLE z.t (a)",
        "; PRAGMA journal_mode = OFF; DELETE FROM ZLETTER",
        "; SELECT load_extension(''{victim}'')",
    ]
    objects = {
        "table": "CREATE TABLE app (a); INSERT INTO app VALUES (1)",
        "view": "CREATE VIEW app AS SELECT 1 AS a",
        "index": "CREATE TABLE other (a); CREATE INDEX app ON other (a)",
        "trigger": "CREATE TABLE other (a); CREATE TRIGGER app AFTER INSERT ON other BEGIN SELECT 1; END",
    }
    for store, to in (("Letters", "v4"), ("Library", "v2")):
        for kind, make in objects.items():
            for tail in tails:
                victim = ground.victim("victim.sqlite", b"")
                os.remove(victim)
                kept = database_at(victim)
                new = os.path.join(ground.victims, "new.sqlite")
                text = tail.format(victim=victim, fresh=new)
                script = (
                    make + "; UPDATE sqlite_schema SET sql = sql || '%s' WHERE name = 'app'" % text
                )
                for arguments, got in both(ground, store, to, script):
                    with open(victim, "rb") as file:
                        same = file.read() == kept
                    ground.expect(same, "%s of %s: the other database changed" % (kind, store), got)
                    ground.expect(not os.path.exists(new), "%s: a new file was made" % kind, got)
                    if os.path.exists(new):
                        os.remove(new)


@attack("C2", "`coverage STORE --run` runs no SQL that lies in the store.")
def coverage_run(ground):
    victim = ground.victim("victim.sqlite", b"")
    os.remove(victim)
    kept = database_at(victim)
    script = (
        "CREATE TABLE app (a); UPDATE sqlite_schema SET sql = sql || "
        "'; ATTACH ''%s'' AS z; DELETE FROM z.t' WHERE name = 'app'" % victim
    )
    models = model("Letters")
    commands = [["coverage", ground.store, "--run", "--rows", "20", "--models", models]]
    for arguments, got in both(ground, "Letters", "v4", script, commands):
        with open(victim, "rb") as file:
            ground.expect(file.read() == kept, "the other database changed", got)


@attack("C5", "A trigger of the store never fires on what the migration writes.")
def triggers(ground):
    for event, table in (
        ("INSERT", "Z_METADATA"),
        ("UPDATE", "Z_METADATA"),
        ("INSERT", "ZLETTER"),
        ("UPDATE", "ZLETTER"),
        ("DELETE", "ZLETTER"),
        ("UPDATE", "Z_PRIMARYKEY"),
    ):
        script = (
            "CREATE TABLE app (a); INSERT INTO app VALUES (5); CREATE TRIGGER t AFTER %s ON %s BEGIN "
            "UPDATE app SET a = 77; END" % (event, table)
        )
        for arguments, got in both(ground, "Letters", "v4", script):
            where = ground.output if "--output" in arguments else ground.store
            if os.path.exists(where):
                found = sqlite3.connect(where).execute("SELECT a FROM app").fetchall()
                ground.expect(found == [(5,)], "%s on %s fired: %r" % (event, table, found), got)


@attack("C6", "A column that the model does not explain is kept, or named and refused.")
def unexplained_column(ground):
    script = "ALTER TABLE ZLETTER ADD COLUMN MYCOL; UPDATE ZLETTER SET MYCOL = Z_PK * 7"
    for to in ("v2", "v4"):
        for arguments, got in both(ground, "Letters", to, script):
            if got.status == 0:
                where = ground.output if "--output" in arguments else ground.store
                names = [r[1] for r in sqlite3.connect(where).execute("PRAGMA table_info(ZLETTER)")]
                ground.expect("MYCOL" in names, "MYCOL is gone, with exit 0", got)
            else:
                ground.expect("MYCOL" in got.errors + got.output, "MYCOL is not named", got)
                ground.expect(got.status in (1, 3, 65), "refused late", got)


@attack("M15", "System tables that are views, or lack columns, are refused before the first hop.")
def system_views(ground):
    views = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE", "ZLETTER", "Z_1RECEIVED"]
    scripts = [
        "ALTER TABLE {0} RENAME TO ZHIDDEN; CREATE VIEW {0} AS SELECT * FROM ZHIDDEN".format(v)
        for v in views
    ]
    scripts += [
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, x)",
        "CREATE VIEW ACHANGE AS SELECT 1 AS Z_PK",
        "CREATE VIEW ATRANSACTION AS SELECT 1 AS Z_PK",
    ]
    for script in scripts:
        for arguments, got in both(ground, "Letters", "v4", script):
            ground.expect(got.status in (0, 3, 65), "refused late: " + script[:60], got)
            workspace = (ground.output if "--output" in arguments else ground.store) + ".waystone"
            left = os.path.exists(os.path.join(workspace, "journal.ndjson"))
            ground.expect(
                got.status == 0 or not left, "refused, but a run is left: " + script[:60], got
            )


@attack(
    "M15",
    "A table of the app's own that is named like one of the destination is refused before it runs.",
)
def clashing_names(ground):
    for name in ("ZADDRESS", "Z_6TOPICS", "ZTMP"):
        script = "CREATE TABLE %s (a); INSERT INTO %s VALUES (1)" % (name, name)
        for arguments, got in both(ground, "Letters", "v4", script):
            ground.expect(got.status in (0, 3, 65), "refused late: " + name, got)


@attack(
    "M8", "A system table that is an endless view stops no command for long, and fills no disk."
)
def endless_view(ground):
    script = """ALTER TABLE Z_PRIMARYKEY RENAME TO ZHIDDEN;
        CREATE VIEW Z_PRIMARYKEY AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
        SELECT n AS Z_ENT, 'E' || n AS Z_NAME, 0 AS Z_SUPER, 0 AS Z_MAX FROM c ORDER BY 2"""
    models = model("Letters")
    commands = ground.readers(models, "v4") + ground.moves(models, "v4")
    for arguments, got in both(ground, "Letters", "v4", script, commands):
        ground.expect(got.seconds < 10, "%s took %.0f s" % (arguments[0], got.seconds), got)
        ground.expect(got.status != 0, "%s accepted it" % arguments[0], got)


@attack("M16", "An entity with 1,200 subentities is migrated.")
def many_subentities(ground):
    folder = os.path.join(ground.folder, "Wide.xcdatamodeld")
    for version in ("v1", "v2"):
        os.makedirs(os.path.join(folder, version + ".xcdatamodel"))
        entity = '<entity name="E%d" parentEntity="Root" syncable="YES"/>'
        more = (
            '<attribute name="more" optional="YES" attributeType="String"/>'
            if version == "v2"
            else ""
        )
        with open(os.path.join(folder, version + ".xcdatamodel", "contents"), "w") as file:
            file.write(
                '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" '
                'documentVersion="1.0"><entity name="Root" isAbstract="YES" syncable="YES">'
                '<attribute name="name" optional="YES" attributeType="String"/>'
                + more
                + "</entity>"
                + "".join(entity % i for i in range(1200))
                + "</model>"
            )
    source = os.path.join(ground.folder, "W.sqlite")
    got = ground.run(
        "generate", "v1", "--rows", "2", "--seed", "1", "-o", source, "--models", folder
    )
    ground.expect(got.status == 0, "no store of it", got)
    got = ground.run("migrate", source, "--to", "v2", "--models", folder)
    ground.expect(got.status == 0, "not migrated", got)
    shutil.rmtree(folder)


@attack("C8", "The SQL of a stage reaches no other database, and runs only where it is allowed.")
def sql_of_stages(ground):
    victim = ground.victim("victim.sqlite", b"")
    os.remove(victim)
    kept = database_at(victim)
    new = os.path.join(ground.victims, "new.sqlite")
    statements = [
        "ATTACH '%s' AS z" % victim,
        "ATTACH '%s' AS z; DELETE FROM z.t" % victim,
        "VACUUM INTO '%s'" % new,
        "PRAGMA writable_schema = ON",
        "DETACH main",
        "SELECT load_extension('%s')" % victim,
        "ATTACH '{source}' AS z; DELETE FROM z.ZAIRCRAFT",
        "PRAGMA main.journal_mode = OFF",
        "UPDATE sqlite_schema SET sql = ''",
    ]
    for statement in statements:
        for allowed in (True, False):
            ground.begin("Aircraft", "v1", 40)
            with open(ground.store, "rb") as file:
                source = file.read()
            folder = os.path.join(ground.folder, "models")
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(model("Aircraft"), folder)
            path = os.path.join(folder, "Aircraft.staged.yml")
            with open(path) as file:
                text = file.read()
            place = text.index("        - >-")
            line = '        - "%s"\n' % statement.format(source=ground.store)
            with open(path, "w") as file:
                file.write(text[:place] + line + text[place:])
            consent = Lab.consent("migrate", "Aircraft") if allowed else []
            got = ground.run(
                "migrate",
                ground.store,
                "--to",
                "v3",
                "--models",
                folder,
                "--output",
                ground.output,
                *consent
            )
            ground.refused(got)
            with open(victim, "rb") as file:
                ground.expect(
                    file.read() == kept, "another database changed: " + statement[:40], got
                )
            with open(ground.store, "rb") as file:
                ground.expect(file.read() == source, "the source changed: " + statement[:40], got)
            ground.again("Aircraft", "v1", 40)


@attack(
    "C8", "SQL beside the models does not run unless the command or the configuration allows it."
)
def sql_needs_consent(ground):
    models = ground.begin("Aircraft", "v1", 40)
    got = ground.run(
        "migrate", ground.store, "--to", "v3", "--models", models, "--output", ground.output
    )
    ground.refused(got, 2, 3)
    ground.expect("--allow-sql" in got.errors, "the error does not name the flag", got)
