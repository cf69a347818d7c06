"""What a plan makes of a store, by plain SQL and no code of Waystone's.

For each sample: the objects that the store holds before, and those of the result, object by object:
entity, key, each attribute that the versions carry, each link.
"""

from samples import generated, logged, unlogged


def rows(database, table):
    cursor = database.execute('SELECT * FROM "%s" NOT INDEXED' % table)
    names = [c[0] for c in cursor.description]
    for row in cursor:
        yield dict(zip(names, row))


def entities(database, known=()):
    """The name of each entity by its number. Where entities are known, the number says which it is, and a
    name that none of them has is an older one, which Core Data left."""
    found = {
        row["Z_ENT"]: (row["Z_NAME"] or b"").decode("utf-8", "replace")
        for row in rows(database, "Z_PRIMARYKEY")
    }
    for number, name in enumerate(known, 1):
        if number in found and found[number] not in known:
            found[number] = name
    return found


class Twice(Exception):
    """Two rows with one key: what the store says is not one thing."""


def put(found, key, value):
    if key in found:
        raise Twice("%s %s is there twice" % key)
    found[key] = value


LETTERS = ["Correspondent", "Institution", "Person", "Enclosure", "Letter", "Topic"]


def letters_before(d):
    names, found = entities(d, LETTERS), {}
    topics = {}
    for r in rows(d, "ZCORRESPONDENT"):
        put(
            found,
            ("C", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                r["ZFOUNDED"],
                r["ZBORN"],
                r["ZNAME"],
                r["ZDEPARTMENT"],
                r["ZNICKNAME"],
                r["ZREMARK"],
            ),
        )
    for r in rows(d, "ZENCLOSURE"):
        put(
            found,
            ("E", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                r["ZKIND"],
                r["ZLETTER"],
                r["ZLABEL"],
                r["ZPICTURE"],
            ),
        )
    for r in rows(d, "ZLETTER"):
        put(
            found,
            ("L", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                0 if r["ZISREAD"] is None else r["ZISREAD"],
                r["ZPAGES"],
                r["ZPOSTAGE"],
                r["ZINREPLYTO"],
                r["ZSENDER"],
                r["ZWEIGHT"],
                r["ZWRITTENON"],
                r["ZBODY"],
                r["ZTITLE"],
                r["ZIDENTIFIER"],
                None,
                None,
                None,
            ),
        )
        topics[r["Z_PK"]] = r["ZTOPIC"]
    for r in rows(d, "ZTOPIC"):
        put(found, ("T", r["Z_PK"]), (names.get(r["Z_ENT"], r["Z_ENT"]), r["ZCOLOR"], r["ZNAME"]))
    found["topics"] = sorted((k, t) for k, t in topics.items() if t is not None)
    found["received"] = sorted({tuple(r.values()) for r in rows(d, "Z_1RECEIVED")}, key=repr)
    found["order"] = order(d)
    return found


def letters_after(d):
    names, found = entities(d), {}
    for r in rows(d, "ZCORRESPONDENT"):
        put(
            found,
            ("C", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                r["ZFOUNDED"],
                r["ZBORN"],
                r["ZNAME"],
                r["ZDEPARTMENT"],
                r["ZNICKNAME"],
                r["ZREMARK"],
            ),
        )
    for r in rows(d, "ZENCLOSURE"):
        put(
            found,
            ("E", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                r["ZKIND"],
                r["ZLETTER"],
                r["ZLABEL"],
                r["ZPICTURE"],
            ),
        )
    for r in rows(d, "ZLETTER"):
        put(
            found,
            ("L", r["Z_PK"]),
            (
                names.get(r["Z_ENT"], r["Z_ENT"]),
                r["ZISREAD"],
                r["ZPAGES"],
                r["ZPOSTAGE"],
                r["ZINREPLYTO"],
                r["ZSENDER"],
                r["ZWEIGHT"],
                r["ZWRITTENON"],
                r["ZBODY"],
                r["ZHEADING"],
                r["ZIDENTIFIER"],
                r["ZTITLE"],
                r["ZPOSTMARK"],
                r["ZRECEIVEDON"],
            ),
        )
    for r in rows(d, "ZTOPIC"):
        put(found, ("T", r["Z_PK"]), (names.get(r["Z_ENT"], r["Z_ENT"]), r["ZCOLOR"], r["ZNAME"]))
    found["topics"] = sorted((r["Z_6LETTERS"], r["Z_7TOPICS"]) for r in rows(d, "Z_6TOPICS"))
    found["received"] = sorted(
        ((r["Z_2RECIPIENTS"], r["Z_6RECEIVED"]) for r in rows(d, "Z_2RECEIVED")), key=repr
    )
    found["order"] = order(d)
    return found


def order(d):
    """The enclosures of each letter in their order, where that is one."""
    lists = {}
    for r in rows(d, "ZENCLOSURE"):
        lists.setdefault(r["ZLETTER"], []).append((r["Z_FOK_LETTER"], r["Z_PK"]))
    found = {}
    for letter, pairs in lists.items():
        keys = [k for k, _ in pairs]
        if (
            letter is not None
            and all(isinstance(k, int) for k in keys)
            and len(set(keys)) == len(keys)
        ):
            found[letter] = [pk for _, pk in sorted(pairs)]
    return found


def library_before(d):
    notes = {}
    for r in rows(d, "ZNOTE"):
        put(
            notes,
            ("N", r["Z_PK"]),
            (
                r["ZDATECREATED"],
                r["ZBODY"],
                r["ZTITLE"],
                None if r["ZCATEGORY"] in (None, b"") else r["ZCATEGORY"],
            ),
        )
    return dict(notes, names=sorted({n[3] for n in notes.values() if n[3] is not None}, key=repr))


def library_after(d):
    categories, found = {}, {}
    for r in rows(d, "ZCATEGORY"):
        put(categories, ("G", r["Z_PK"]), r["ZNAME"])
    for r in rows(d, "ZNOTE"):
        link = r["ZCATEGORY"]
        put(
            found,
            ("N", r["Z_PK"]),
            (
                r["ZDATECREATED"],
                r["ZBODY"],
                r["ZTITLE"],
                None if link is None else categories.get(("G", link), b"dangling"),
            ),
        )
    return dict(found, names=sorted(categories.values(), key=repr))


def people_before(d):
    found = {}
    for r in rows(d, "ZPERSON"):
        name = r["ZFULLNAME"]
        if isinstance(name, bytes) and b", " in name:
            parts = name.split(b", ")
            put(found, ("P", r["Z_PK"]), (r["ZBORN"], parts[0], parts[-1]))
        else:
            put(found, ("P", r["Z_PK"]), (r["ZBORN"], None, name))
    return found


def people_after(d):
    found = {}
    for r in rows(d, "ZPERSON"):
        put(found, ("P", r["Z_PK"]), (r["ZBORN"], r["ZSURNAMES"], r["ZNAME"]))
    return found


def aircraft_before(d):
    found, flights = {}, []
    for r in rows(d, "ZAIRCRAFT"):
        put(found, ("A", r["Z_PK"]), (r["ZSEATS"], r["ZREGISTRATION"]))
        if r["ZFLIGHTDATA"] is not None:
            flights.append((r["Z_PK"], r["ZFLIGHTDATA"]))
    return dict(found, flights=sorted(flights, key=repr))


def aircraft_after(d):
    found, flights = {}, []
    for r in rows(d, "ZAIRCRAFT"):
        put(found, ("A", r["Z_PK"]), (r["ZSEATS"], r["ZREGISTRATION"]))
    for r in rows(d, "ZFLIGHTDATA"):
        flights.append((r["ZAIRCRAFT"], r["ZDATA"]))
    return dict(found, flights=sorted(flights, key=repr))


def notes_before(d):
    found = {}
    for r in rows(d, "ZNOTE"):
        put(found, ("N", r["Z_PK"]), (r["ZDATECREATED"], r["ZBODY"], r["ZTITLE"], None))
    return found


def notes_after(d):
    found = {}
    for r in rows(d, "ZNOTE"):
        put(found, ("N", r["Z_PK"]), (r["ZDATECREATED"], r["ZBODY"], r["ZTITLE"], r["ZIMAGE"]))
    return found


def stores():
    letters = generated("Letters", "v1", 200)
    return [
        ("letters", unlogged(letters), "Letters", "v4", letters_before, letters_after),
        ("letters-logged", logged(letters), "Letters", "v4", letters_before, letters_after),
        (
            "library",
            unlogged(generated("Library", "v1", 120)),
            "Library",
            "v2",
            library_before,
            library_after,
        ),
        (
            "people",
            unlogged(generated("People", "v1", 120)),
            "People",
            "v2",
            people_before,
            people_after,
        ),
        (
            "aircraft",
            unlogged(generated("Aircraft", "v1", 100)),
            "Aircraft",
            "v3",
            aircraft_before,
            aircraft_after,
        ),
        (
            "notes",
            unlogged(generated("Notes", "v1", 120)),
            "Notes",
            "v2",
            notes_before,
            notes_after,
        ),
    ]
