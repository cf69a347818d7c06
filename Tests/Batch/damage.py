"""Ten ways in which a store is bad, each with the state and the reason that a batch must give it.

A state is one of the ledger's; a reason is a code and a part of the message. Each function changes
a store that is whole and closed, by plain SQL or in its bytes.
"""

import os
import sqlite3


def change(path, *statements):
    """Runs statements on a store, of which nothing stays in a -wal."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    for statement in statements:
        database.execute(statement)
    database.close()


def ask(path, statement):
    database = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()


def entity_table(path):
    """The table of Core Data's with the most rows."""
    tables = ask(
        path,
        "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.name = 'Z_OPT'",
    )
    return max((ask(path, 'SELECT COUNT(*) FROM "%s"' % n)[0][0], n) for n, in tables)[1]


def overwrite(path, page, data):
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(data)


def root_page(path, name):
    return ask(path, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'" % name)[0][0]


def zeros(path, chance):
    overwrite(path, root_page(path, entity_table(path)), bytes(4096))


def halved(path, chance):
    os.truncate(path, os.path.getsize(path) // 8192 * 4096)


def unreadable_metadata(path, chance):
    change(path, "UPDATE Z_METADATA SET Z_PLIST = x'%s'" % chance.randbytes(64).hex())


def without_entities(path, chance):
    change(path, "DROP TABLE Z_PRIMARYKEY")


def lost_table(path, chance):
    change(path, 'DROP TABLE "%s"' % entity_table(path))


def stray_row(path, chance):
    table = entity_table(path)
    first = 'SELECT MIN(Z_PK) FROM "%s"' % table
    change(path, 'UPDATE "%s" SET Z_ENT = 99 WHERE Z_PK = (%s)' % (table, first))


def view(path, chance):
    table = entity_table(path)
    change(
        path,
        'ALTER TABLE "%s" RENAME TO ZHIDDEN' % table,
        'CREATE VIEW "%s" AS SELECT * FROM ZHIDDEN' % table,
    )


def wide_text(path, chance):
    """The same in UTF-16."""
    source = sqlite3.connect(path)
    script = list(source.iterdump())
    source.close()
    os.remove(path)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA encoding = 'UTF-16le'")
    database.executescript("\n".join(script))
    database.close()


def unexplained(path, chance):
    table = entity_table(path)
    change(
        path,
        'ALTER TABLE "%s" ADD COLUMN ZSURPRISE VARCHAR' % table,
        'UPDATE "%s" SET ZSURPRISE = 1' % table,
    )


def orphaned_entries(path, chance):
    """Rows that an index still has and the table lost."""
    table = entity_table(path)
    change(
        path,
        'CREATE INDEX Z_ORPHANS ON "%s" (Z_PK, Z_OPT)' % table,
        "PRAGMA writable_schema = ON",
        "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'Z_ORPHANS'",
        "DELETE FROM sqlite_schema WHERE name = 'Z_ORPHANS'",
        "PRAGMA schema_version = 7001",
    )
    change(
        path,
        'DELETE FROM "%s" WHERE Z_PK %% 3 = 0' % table,
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_schema SELECT * FROM kept",
        "DROP TABLE kept",
        "PRAGMA schema_version = 7002",
    )


# The state, the code and a part of the message that each must get.
WAYS = {
    "zeros": (zeros, "damaged", "damaged", "is damaged:"),
    "halved": (halved, "damaged", "damaged", "is cut off:"),
    "unreadable metadata": (unreadable_metadata, "damaged", "damaged", "cannot be read"),
    "without entities": (without_entities, "damaged", "damaged", "lacks the table Z_PRIMARYKEY"),
    "lost table": (lost_table, "damaged", "damaged", "lacks the table"),
    "stray row": (stray_row, "damaged", "WS524", "belongs to no entity of the table"),
    "view": (view, "damaged", "damaged", "in the place of a table"),
    "UTF-16": (wide_text, "refused", "unsupported", "UTF-16"),
    "unexplained column": (unexplained, "refused", "WS525", "ZSURPRISE holds"),
    "orphaned entries": (orphaned_entries, "damaged", "damaged", "the index Z_ORPHANS is wrong"),
}
