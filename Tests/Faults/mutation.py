"""Damaging stores by a seed: bits, bytes, pages, b-trees, logs, and rows and schema by SQL."""

import os
import sqlite3
import struct

PAGE = 4096


def mutate(path, chance):
    """Changes the file, or its log, and says how."""
    file = path
    if os.path.exists(path + "-wal") and chance.random() < 0.5:
        file = path + "-wal"
    if chance.random() < 0.3 and file == path:
        return by_sql(path, chance)
    with open(file, "rb") as old:
        data = bytearray(old.read())
    kind = chance.choice(
        [
            "bits",
            "bits",
            "bytes",
            "header",
            "zeros",
            "zero page",
            "copy page",
            "swap pages",
            "cut",
            "cut page",
            "append",
            "btree",
            "btree",
            "pointer",
            "varint",
            "schema",
            "repeat",
        ]
    )
    pages = max(1, len(data) // PAGE)
    base = 32 if file.endswith("-wal") else 0
    at = chance.randrange(len(data))
    if kind == "bits":
        for _ in range(chance.choice([1, 1, 2, 8])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == "bytes":
        for i in range(at, min(at + chance.choice([1, 2, 4, 16]), len(data))):
            data[i] = chance.randrange(256)
    elif kind == "header":
        data[chance.randrange(min(100, len(data)))] = chance.choice(
            [0, 1, 255, chance.randrange(256)]
        )
    elif kind == "zeros":
        end = min(at + chance.choice([4, 64, 512]), len(data))
        data[at:end] = bytes(end - at)
    elif kind == "zero page":
        at = base + chance.randrange(pages) * PAGE
        data[at : at + PAGE] = bytes(len(data[at : at + PAGE]))
    elif kind == "copy page":
        one, two = chance.randrange(pages) * PAGE, chance.randrange(pages) * PAGE
        data[two : two + PAGE] = data[one : one + PAGE]
    elif kind == "swap pages":
        one, two = chance.randrange(pages) * PAGE, chance.randrange(pages) * PAGE
        data[one : one + PAGE], data[two : two + PAGE] = (
            data[two : two + PAGE],
            data[one : one + PAGE],
        )
    elif kind == "cut":
        del data[at:]
    elif kind == "cut page":
        del data[max(1, chance.randrange(pages)) * PAGE :]
    elif kind == "append":
        data += bytes(chance.randrange(256) for _ in range(chance.choice([1, 100, PAGE])))
    elif kind == "btree":
        page = chance.randrange(pages) * PAGE + (100 if base == 0 and chance.random() < 0.1 else 0)
        i = page + chance.randrange(12)
        if i < len(data):
            data[i] = chance.choice([0, 2, 5, 10, 13, 255, chance.randrange(256)])
    elif kind == "pointer":
        i = chance.randrange(pages) * PAGE + 8 + 2 * chance.randrange(40)
        if i + 2 <= len(data):
            data[i : i + 2] = struct.pack(">H", chance.randrange(PAGE))
    elif kind == "varint":
        for _ in range(3):
            data[chance.randrange(len(data))] |= 0x80
    elif kind == "schema":
        data[100 + chance.randrange(min(PAGE - 100, max(1, len(data) - 100)))] = (
            chance.randrange(256) if len(data) > 101 else 0
        )
    elif kind == "repeat":
        end = min(at + 64, len(data))
        data[at:end] = bytes([data[at]]) * (end - at)
    with open(file, "wb") as new:
        new.write(data)
    return kind + (" in the -wal" if file != path else "")


def by_sql(path, chance):
    """Makes of the store what no app writes."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    names = [
        n
        for n, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'"
        )
    ]
    data = [n for n in names if n[1] != "_"]
    table = chance.choice(data)
    columns = [r[1] for r in database.execute('PRAGMA table_info("%s")' % table) if r[1] != "Z_PK"]
    column = chance.choice(columns)
    some = "Z_PK %% %d = %d" % (chance.choice([7, 50]), chance.randrange(7))
    values = [
        "'text'",
        "x'00ff'",
        "3.5",
        "9223372036854775807",
        "-1",
        "1e999",
        "NULL",
        "''",
        "x''",
        "'12'",
        "'a' || char(0) || 'b'",
        "CAST(x'fffec0' AS TEXT)",
        "'x, y, z'",
        "', '",
        "'%s'",
        "'\"); DROP TABLE Z_METADATA; --'",
        "1.0e300",
        "0.1",
        "zeroblob(100000)",
        "'é'",
        "'e\u0301'",
        "9007199254740993",
    ]
    deeds = {
        "values": lambda: "UPDATE %s SET %s = %s WHERE %s"
        % (table, column, chance.choice(values), some),
        "values 2": lambda: "UPDATE %s SET %s = %s WHERE %s"
        % (table, column, chance.choice(values), some),
        "values 3": lambda: "UPDATE %s SET %s = %s WHERE %s"
        % (table, column, chance.choice(values), some),
        "keys": lambda: "UPDATE OR IGNORE %s SET Z_PK = %s WHERE Z_PK = 3"
        % (table, chance.choice(["0", "-5", "9223372036854775807", "4294967297"])),
        "entity": lambda: "UPDATE %s SET Z_ENT = %s WHERE %s"
        % (table, chance.choice(["0", "99", "NULL", "2", "'1'", "16001"]), some),
        "numbers": lambda: "UPDATE Z_PRIMARYKEY SET %s WHERE Z_ENT = %d"
        % (
            chance.choice(
                [
                    "Z_MAX = NULL",
                    "Z_MAX = 0",
                    "Z_MAX = -1",
                    "Z_MAX = 9223372036854775807",
                    "Z_SUPER = Z_ENT",
                    "Z_SUPER = 99",
                    "Z_NAME = NULL",
                    "Z_NAME = 'Other'",
                    "Z_MAX = 'many'",
                    "Z_ENT = 77",
                    "Z_SUPER = 2",
                ]
            ),
            chance.randint(1, 3),
        ),
        "more numbers": lambda: "INSERT INTO Z_PRIMARYKEY VALUES (%s)"
        % chance.choice(
            [
                "40, 'Note', 0, 5",
                "41, 'Extra', 0, 1",
                "42, NULL, NULL, NULL",
                "9999999999, 'Letter', 0, 1",
            ]
        ),
        "metadata": lambda: "UPDATE Z_METADATA SET %s"
        % chance.choice(
            [
                "Z_PLIST = NULL",
                "Z_PLIST = x'62706c697374'",
                "Z_PLIST = zeroblob(50000)",
                "Z_UUID = NULL",
                "Z_VERSION = 99",
                "Z_PLIST = substr(Z_PLIST, 1, 200)",
                "Z_PLIST = 'text'",
            ]
        ),
        "two metadata": lambda: "INSERT INTO Z_METADATA SELECT 2, 'x', Z_PLIST FROM Z_METADATA LIMIT 1",
        "cache": lambda: "UPDATE Z_MODELCACHE SET Z_CONTENT = %s"
        % chance.choice(["NULL", "x'00'", "zeroblob(9999)", "'x'"]),
        "view": lambda: "ALTER TABLE %s RENAME TO ZHIDDEN; CREATE VIEW %s AS SELECT * FROM ZHIDDEN"
        % (table, table),
        "trigger": lambda: "CREATE TRIGGER TRICK AFTER INSERT ON %s BEGIN DELETE FROM %s; END"
        % (table, table),
        "update trigger": lambda: "CREATE TRIGGER TRICK AFTER UPDATE ON %s BEGIN UPDATE %s SET %s = NULL; END"
        % (table, table, column),
        "extra table": lambda: 'CREATE TABLE "Z\';x" (a); INSERT INTO "Z\';x" VALUES (1)',
        "extra column": lambda: "ALTER TABLE %s ADD COLUMN ZEXTRA DEFAULT 'kept?'" % table,
        "index": lambda: "CREATE INDEX ZTRICK ON %s (%s) WHERE %s > 0" % (table, column, column),
        "expression index": lambda: "CREATE INDEX ZTRICK ON %s (lower(%s))" % (table, column),
        "generated": lambda: "ALTER TABLE %s ADD COLUMN ZGEN AS (Z_PK * 2)" % table,
        "no cache": lambda: "DROP TABLE IF EXISTS Z_MODELCACHE",
        "drop": lambda: (
            "ALTER TABLE %s DROP COLUMN %s" % (table, column)
            if column not in ("Z_ENT",)
            else "SELECT 1"
        ),
        "root page": lambda: "UPDATE sqlite_schema SET rootpage = %d WHERE name = '%s'"
        % (chance.randint(0, 12), table),
        "shared root": lambda: "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = '%s') "
        "WHERE name = '%s'" % (chance.choice(data), table),
        "schema text": lambda: "UPDATE sqlite_schema SET sql = %s WHERE name = '%s'"
        % (
            chance.choice(
                [
                    "replace(sql, 'Z_PK INTEGER PRIMARY KEY', 'Z_PK INTEGER')",
                    "replace(sql, 'VARCHAR', 'INTEGER')",
                    "'CREATE TABLE x(y)'",
                    "replace(sql, 'TIMESTAMP', 'TEXT')",
                    "sql || ' -- '",
                    "replace(sql, 'Z_ENT', 'Z_ENX')",
                    "NULL",
                    "replace(sql, 'VARCHAR', 'VARCHAR COLLATE NOCASE')",
                ]
            ),
            table,
        ),
        "vacuum mode": lambda: "PRAGMA auto_vacuum = 1; VACUUM",
        "encoding": lambda: "PRAGMA user_version = 7; PRAGMA application_id = 1234567",
        "many rows": lambda: "INSERT INTO %s (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK + 100000, Z_ENT, 1 FROM %s"
        % (table, table),
        "duplicates": lambda: "DELETE FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%UNIQUE%'; "
        + "UPDATE %s SET %s = (SELECT %s FROM %s LIMIT 1)" % (table, column, column, table),
        "links": lambda: "UPDATE %s SET %s = 424242 WHERE %s"
        % (
            table,
            chance.choice(
                [
                    c
                    for c in columns
                    if c
                    in ("ZLETTER", "ZSENDER", "ZINREPLYTO", "ZTOPIC", "Z_FOK_LETTER", "Z1_SENDER")
                ]
                or [column]
            ),
            some,
        ),
    }
    kind = chance.choice(sorted(deeds))
    statement = deeds[kind]()
    try:
        database.executescript(statement)
    except sqlite3.Error as error:
        statement += " -- " + str(error)
    database.close()
    return "SQL: " + statement
