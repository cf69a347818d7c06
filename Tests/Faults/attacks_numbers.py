"""Attacks by numbers: decimals that no double has, keys of other kinds, lists that become one."""

import os
import sqlite3

from attacks import attack
from tally import words

GREAT = 2**53 + 1


def attribute(name, kind):
    return '<attribute name="%s" attributeType="%s" optional="YES"/>' % (name, kind)


def relationship(name, entity, inverse, many=False, ordered=False):
    return (
        '<relationship name="%s" optional="YES" %s %s deletionRule="Nullify" '
        'destinationEntity="%s" inverseName="%s" inverseEntity="%s"/>'
        % (
            name,
            'toMany="YES"' if many else 'maxCount="1"',
            'ordered="YES"' if ordered else "",
            entity,
            inverse,
            entity,
        )
    )


def entity(name, *properties):
    return '<entity name="%s" representedClassName="%s" syncable="YES">%s</entity>' % (
        name,
        name,
        "".join(properties),
    )


def begin(ground, before, after, hop, statements):
    """Writes two versions, the hop file between them, and a store of the first one; returns their folder."""
    models = os.path.join(ground.folder, "models")
    for name, entities in (("v1", before), ("v2", after)):
        folder = os.path.join(models, "M.xcdatamodeld", name + ".xcdatamodel")
        os.makedirs(folder, exist_ok=True)
        with open(folder + "/contents", "w") as file:
            file.write(
                '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
                '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" '
                'userDefinedModelVersionIdentifier="%s">%s</model>\n' % (name, "".join(entities))
            )
    with open(os.path.join(models, "v1-to-v2.hop.yml"), "w") as file:
        file.write("from: v1\nto: v2\nentities:\n" + hop)
    for name in (ground.store, ground.output):
        if os.path.exists(name):
            os.remove(name)
    got = ground.run("generate", "v1", "--rows", "6", "-o", ground.store, "--models", models)
    ground.expect(got.status == 0, "no store is made", got)
    database = sqlite3.connect(ground.store)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    return models


def migrate(ground, models):
    arguments = ["--to", "v2", "--models", models]
    return ground.run("migrate", ground.store, "--output", ground.output, *arguments)


def rows(path, query):
    database = sqlite3.connect(path)
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


@attack("D1", "An expression over decimals keeps each digit: no value passes through a double.")
def decimals_in_expressions(ground):
    plain = [attribute("d", "Decimal"), attribute("s", "String"), relationship("a", "A", "bs")]
    new = {
        "same": "Decimal",
        "plus": "Decimal",
        "cast": "Decimal",
        "whole": "Integer 64",
        "equal": "Boolean",
    }
    models = begin(
        ground,
        [entity("A", relationship("bs", "B", "a", True)), entity("B", *plain)],
        [
            entity(
                "A",
                relationship("bs", "B", "a", True),
                attribute("sum", "Decimal"),
                attribute("max", "Decimal"),
            ),
            entity("B", *plain, *[attribute(*pair) for pair in new.items()]),
        ],
        "  - source: A\n    attributes: {sum: $source.bs.@sum.d, max: $source.bs.@max.d}\n"
        "  - source: B\n    attributes:\n"
        "      same: $source.d * 1\n      plus: $source.d + 1\n"
        "      cast: 'CAST($source.s, \"NSDecimalNumber\")'\n"
        "      whole: 'FUNCTION($source.d, \"integerValue\")'\n"
        "      equal: 'TERNARY($source.d == 9007199254740992, YES, NO)'\n",
        [
            "UPDATE ZB SET ZA = 1, ZD = CASE Z_PK WHEN 1 THEN %d ELSE 2 END" % GREAT,
            "UPDATE ZB SET ZS = '%d'" % GREAT,
            "DELETE FROM ZB WHERE Z_PK > 2",
        ],
    )
    got = migrate(ground, models)
    ground.expect(got.status == 0, "not migrated", got)
    if got.status == 0:
        query = "SELECT ZSAME, ZPLUS, ZCAST, ZWHOLE, ZEQUAL FROM ZB WHERE Z_PK = 1"
        found = rows(ground.output, query)
        ground.expect(found == [(GREAT, GREAT + 1, GREAT, GREAT, 0)], str(found))
        found = rows(ground.output, "SELECT ZSUM, ZMAX FROM ZA WHERE Z_PK = 1")
        ground.expect(found == [(GREAT + 2, GREAT)], str(found))


def lookup(ground, key, other, values, others):
    """A store whose objects look each other up by keys of two types."""
    name = attribute("nm", "String")
    hop = (
        "  - source: N\n    join: {p: {entity: O, where: id, equals: $source.k}}\n"
        "    attributes: {onm: $p.nm}\n"
        "    relationships: {o: {lookup: {entity: O, where: id, equals: $source.k}}}\n"
    )
    statements = ["DELETE FROM ZN WHERE Z_PK > 2", "DELETE FROM ZO WHERE Z_PK > 2"]
    for index in (0, 1):
        statements += [
            "UPDATE ZN SET ZK = %s WHERE Z_PK = %d" % (values[index], index + 1),
            "UPDATE ZO SET ZID = %s, ZNM = '%s' WHERE Z_PK = %d"
            % (others[index], str(others[index]).strip("'"), index + 1),
        ]
    return begin(
        ground,
        [entity("N", attribute("k", key)), entity("O", attribute("id", other), name)],
        [
            entity(
                "N", attribute("k", key), attribute("onm", "String"), relationship("o", "O", "ns")
            ),
            entity("O", attribute("id", other), name, relationship("ns", "N", "o", True)),
        ],
        hop,
        statements,
    )


@attack("D2", "A lookup by a great decimal finds the object that has it, and no other.")
def lookups_by_decimals(ground):
    for key, other in (("Decimal", "Decimal"), ("Integer 64", "Decimal"), ("Decimal", "Integer 64")):
        models = lookup(ground, key, other, (GREAT, GREAT - 1), (GREAT - 1, GREAT))
        got = migrate(ground, models)
        ground.expect(got.status == 0, "not migrated", got)
        if got.status == 0:
            query = "SELECT n.ZK, o.ZID, n.ZONM FROM ZN n LEFT JOIN ZO o ON o.Z_PK = n.ZO"
            for wanted, found, text in rows(ground.output, query):
                right = wanted == found and text == str(wanted)
                ground.expect(right, "%s finds %s and %s" % (wanted, found, text))


@attack("D3", "A lookup by a key of another kind is refused by the plan, at its line of the hop file.")
def lookups_of_another_kind(ground):
    for key, other, value in (
        ("Integer 64", "String", "12"),
        ("Date", "Double", "5.0"),
        ("UUID", "String", "x'00000000000000000000000000000000'"),
    ):
        models = lookup(ground, key, other, (value, value), ("'12'", "'13'"))
        got = ground.run("plan", ground.store, "--to", "v2", "--models", models)
        text = words(got.output)
        ground.expect(got.status in (1, 3) and "WS421" in text and "hop.yml:" in text, text[:200], got)
        ground.refused(migrate(ground, models))


@attack("D4", "Two ordered lists that become one have places of their own, the first list first.")
def merged_lists(ground):
    def lists(kind, inverse):
        name = attribute("n", "String")
        return entity(kind, name, relationship("l", "L", inverse))

    models = begin(
        ground,
        [
            entity(
                "L",
                relationship("one", "A", "l", True, True),
                relationship("two", "B", "l", True, True),
            ),
            lists("A", "one"),
            lists("B", "two"),
        ],
        [entity("L", relationship("all", "C", "l", True, True)), lists("C", "all")],
        "  - {merge: [A, B], destination: C}\n  - source: L\n",
        [
            "UPDATE ZA SET ZL = 1, ZN = 'a' || Z_PK, Z_FOK_L = 1024 + 1024 * Z_PK",
            "UPDATE ZB SET ZL = 1, ZN = 'b' || Z_PK, Z_FOK_L = 1024 + 1024 * Z_PK",
        ],
    )
    got = migrate(ground, models)
    ground.expect(got.status == 0, "not migrated", got)
    if got.status == 0:
        found = rows(ground.output, "SELECT ZN, Z_FOK_L FROM ZC WHERE ZL = 1 ORDER BY Z_FOK_L")
        names = [name for name, _ in found]
        places = [place for _, place in found]
        ground.expect(names == sorted(names) and len(names) > 2, str(names))
        ground.expect(len(set(places)) == len(places), str(places))
