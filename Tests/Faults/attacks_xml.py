"""Attacks by stores of Core Data's XML kind, and one that is merely large."""

import base64
import os
import plistlib
import resource
import sqlite3
import uuid

from attacks import attack
from samples import generated

TYPE = '<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">'
MEMORY = 400 << 20


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def metadata():
    """The property list of the sample's first version, as such a store has it."""
    database = sqlite3.connect(generated("Letters", "v1", 60))
    plist = plistlib.loads(database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
    database.close()
    text = plistlib.dumps({"NSStoreModelVersionHashes": plist["NSStoreModelVersionHashes"]})
    return text[text.index(b"<plist") :].decode()


def write(path, objects, kind=TYPE):
    """Writes a store, an object at a time."""
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n%s\n<database>\n<databaseInfo>' % kind)
        file.write("<version>134481920</version><UUID>%s</UUID>" % uuid.UUID(int=7))
        file.write("<nextObjectID>9</nextObjectID><metadata>%s</metadata>" % metadata())
        file.write("</databaseInfo>\n")
        for one in objects:
            file.write(one + "\n")
        file.write("</database>\n")


def topic(number, name, more=""):
    return (
        '<object type="TOPIC" id="z%d"><attribute name="name" type="string">%s</attribute>%s'
        "</object>" % (number, name, more)
    )


def letter(number, topic):
    picture = base64.b64encode(number.to_bytes(8, "big") * 30).decode()
    return (
        '<object type="LETTER" id="z%d"><attribute name="title" type="string">Letter %d</attribute>'
        '<attribute name="body" type="string">%s</attribute>'
        '<attribute name="pages" type="int16">1</attribute>'
        '<attribute name="identifier" type="UUID">%s</attribute>'
        '<relationship name="topic" type="1/1" destination="TOPIC" idrefs="z%d"></relationship>'
        "</object>" % (number, number, picture, uuid.UUID(int=number), topic)
    )


@attack("X1", "A store of the XML kind fetches no document type and expands no entity.")
def fetches_nothing(ground):
    models = ground.begin()
    store = os.path.join(ground.folder, "S.xml")
    pipe = os.path.join(ground.folder, "pipe.dtd")
    os.mkfifo(pipe)
    command = ["migrate", store, "--models", models, "--to", "v2", "--output", ground.output]
    # A reader of the pipe would wait for ever.
    write(store, [topic(1, "a")], '<!DOCTYPE database SYSTEM "file://%s">' % pipe)
    got = ground.run(*command)
    ground.expect(got.status == 0, "the store is not read", got)
    os.remove(ground.output)
    secret = ground.victim(data=b"a secret\n")
    for inside in (
        '<!ENTITY e SYSTEM "file://%s">' % secret,
        '<!ENTITY % p SYSTEM "file://' + pipe + '"> %p;',
        '<!ENTITY a "1234567890"><!ENTITY e "' + "&a;" * 1000 + '">',
    ):
        write(store, [topic(1, "&e;")], "<!DOCTYPE database [%s]>" % inside)
        for arguments in (command, ["inspect", store, "--models", models]):
            got = ground.run(*arguments, limits=limited)
            ground.refused(got, 65)
            ground.expect("a secret" not in got.output + got.errors, "the file was read", got)


@attack("X2", "Depth, tags and texts without end are refused in little memory.")
def without_end(ground):
    models = ground.begin()
    store = os.path.join(ground.folder, "S.xml")
    crowd = " ".join('a%d=""' % number for number in range(200000))
    for inside in ("<a>" * 2000000, "<object %s/>" % crowd, "<!-- " + "- " * 5000000, "<![CDATA["):
        write(store, [inside])
        got = ground.run("inspect", store, "--counts", "--models", models, limits=limited)
        ground.expect(got.status == 65, "not refused", got)
        got = ground.run(
            "migrate", store, "--models", models, "--output", ground.output, limits=limited
        )
        ground.refused(got, 65)


@attack("X3", "100,000 objects of a store of the XML kind are migrated in 400 MiB of address space.")
def many_objects(ground):
    models = ground.begin()
    store = os.path.join(ground.folder, "S.xml")
    count = 100000
    listed = " ".join("z%d" % number for number in range(10, count + 10, 2))
    links = '<relationship name="letters" type="0/0" destination="LETTER" idrefs="%s"/>' % listed
    others = links.replace(listed, " ".join("z%d" % n for n in range(11, count + 10, 2)))
    write(
        store,
        [topic(1, "even", links), topic(2, "odd", others)]
        + [letter(number, 1 + number % 2) for number in range(10, count + 10)],
    )
    got = ground.run(
        "migrate",
        store,
        "--models",
        models,
        "--to",
        "v3",
        "--output",
        ground.output,
        limits=limited,
        timeout=600,
    )
    ground.expect(got.status == 0, "not migrated", got)
    if got.status == 0:
        database = sqlite3.connect(ground.output)
        found = database.execute("SELECT COUNT(*), SUM(Z_PK) FROM ZLETTER").fetchone()
        database.close()
        ground.expect(found == (count, sum(range(10, count + 10))), "not all arrived: %s" % (found,))
