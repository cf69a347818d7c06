"""The stores that check_xml_stores.py tries: three versions of a model, the objects, and their file."""

import base64
import os
import plistlib
import struct

FIRST = 101
TEXTS = [
    "Lisbon", "", "a < b & c > \"d\" 'e'", "back\\slash \\u0041", "two\nlines\tand a tab", "carriage\rreturn",
    "Cafe\u0301, nai\u0308ve", "手紙が届きました", "שלום, مرحبا", "\U0001f469\u200d\U0001f469\u200d\U0001f466 \u2709\ufe0f",
    "]]> <!-- &amp; &#65;", " spaces ", "\u2028\u2029\u0085", "\u0001\u001f\u007f", "\ufffe\uffff\ufeff", "x" * 5000,
]  # fmt: skip
DECIMALS = ["0", "7", "-12", "19.99", "-0.01", "1000000000000000", "3.3333333332"]
DOUBLES = [0.0, 1 / 3, -1.5, 1e300, 5e-324, 9007199254740991.0, -1e-7]
FLOATS = [0.0, 0.5, -2.25, 16777216.0, struct.unpack("f", struct.pack("f", 0.1))[0]]
DATES = [0.0, -63114076800.0, 63113904000.0, 0.5, -0.25, 725846400.123456, 1e9]
ARCHIVE = plistlib.dumps(
    {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)}, "$objects": ["$null", "x"]},
    fmt=plistlib.FMT_BINARY,
)

# Each attribute of an entity: its name and type in the first version.
ATTRIBUTES = {
    "Asset": [("name", "String"), ("madeAt", "Date")],
    "Document": [
        ("pages", "Integer 16"), ("words", "Integer 32"), ("views", "Integer 64"), ("rating", "Double"),
        ("weight", "Float"), ("price", "Decimal"), ("isOpen", "Boolean"), ("title", "String"),
        ("identifier", "UUID"), ("homePage", "URI"), ("cover", "Binary"), ("settings", "Transformable"),
        ("attachment", "External"),
    ],
    "Photo": [("camera", "String"), ("width", "Integer 32")],
    "Panorama": [("degrees", "Double")],
    "Folder": [("name", "String")],
    "Tag": [("label", "String"), ("size", "Integer 16")],
    "Person": [("name", "String")],
}  # fmt: skip
PARENTS = {"Document": "Asset", "Photo": "Asset", "Panorama": "Photo"}


def chain(entity):
    """The entity and those above it, whose attributes it has."""
    names = [entity]
    while names[-1] in PARENTS:
        names.append(PARENTS[names[-1]])
    return names


# --- the three versions


def contents(version):
    """The model of a version: the second renames, widens and adds attributes, the third renames an entity too."""
    tag, tags = ("Label", "labels") if version == 3 else ("Tag", "tags")
    former = ' elementID="%s"'

    def attribute(entity, name, kind):
        more = ' optional="YES"'
        if kind == "External":
            kind, more = "Binary", more + ' allowsExternalBinaryDataStorage="YES"'
        if version >= 2 and (entity, name) == ("Document", "title"):
            name, more = "heading", more + former % "title"
        if (entity, name) == ("Document", "words") and version >= 2:
            kind = "Integer 64"
        if (entity, name) == ("Document", "pages") and version >= 3:
            kind = "Integer 32"
        return '<attribute name="%s"%s attributeType="%s"/>' % (name, more, kind)

    def link(name, to, inverse, many=False, ordered=False, more=""):
        kind = ' toMany="YES"' if many else ' maxCount="1"'
        kind += ' ordered="YES"' if ordered else ""
        return (
            '<relationship name="%s" optional="YES"%s%s deletionRule="Nullify" destinationEntity="%s" '
            'inverseName="%s" inverseEntity="%s"/>' % (name, kind, more, to, inverse, to)
        )

    links = {
        "Asset": link("folder", "Folder", "assets")
        + link(tags, tag, "assets", True, more=former % "tags" if version == 3 else ""),
        "Document": link("twin", "Document", "twin"),
        "Folder": link("assets", "Asset", "folder", True, True) + link("owner", "Person", "folder"),
        "Tag": link("assets", "Asset", tags, True, True),
        "Person": link("folder", "Folder", "owner") + link("friends", "Person", "friends", True),
    }
    added = {}
    if version >= 2:
        added["Document"] = '<attribute name="language" optional="YES" attributeType="String" defaultValueString="en"/>'
    if version >= 3:
        added["Folder"] = '<attribute name="rank" attributeType="Integer 32" defaultValueString="3"/>'
    entities = []
    for entity, attributes in sorted(ATTRIBUTES.items()):
        more = ' isAbstract="YES"' if entity == "Asset" else ""
        if entity in PARENTS:
            more += ' parentEntity="%s"' % PARENTS[entity]
        if entity == "Tag" and version == 3:
            more += former % "Tag"
        entities.append(
            '<entity name="%s" representedClassName="%s"%s syncable="YES">%s</entity>'
            % (
                tag if entity == "Tag" else entity,
                entity,
                more,
                "".join(attribute(entity, *one) for one in attributes) + added.get(entity, "") + links.get(entity, ""),
            )
        )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<model type="com.apple.IDECoreDataModeler.DataModel" '
        'documentVersion="1.0">%s</model>' % "\n".join(entities)
    )


def write_models(folder):
    archive = os.path.join(folder, "Assets.xcdatamodeld")
    for version in (1, 2, 3):
        os.makedirs("%s/v%d.xcdatamodel" % (archive, version))
        with open("%s/v%d.xcdatamodel/contents" % (archive, version), "w") as file:
            file.write(contents(version))
    return archive


# --- the objects


class Objects:
    """What a store of so many objects has, computed from their numbers."""

    def __init__(self, count):
        persons, folders, tags = max(4, count // 20), max(2, count // 50), max(3, count // 200)
        counts = [persons, folders, tags, max(20, count - persons - folders - tags)]
        self.persons, self.folders, self.tags, self.assets = counts
        starts = [FIRST + sum(counts[:place]) for place in range(4)]
        self.person, self.folder, self.tag, self.asset = starts
        self.next = FIRST + sum(counts)

    @staticmethod
    def kind(number):
        """The entity of an asset."""
        return "Document" if number % 10 < 6 else "Photo" if number % 10 < 9 else "Panorama"

    def keys(self):
        """The entity and the number of each object, by its key."""
        for number in range(self.persons):
            yield self.person + number, "Person", number
        for number in range(self.folders):
            yield self.folder + number, "Folder", number
        for number in range(self.tags):
            yield self.tag + number, "Tag", number
        for number in range(self.assets):
            yield self.asset + number, self.kind(number), number

    # Links, as the numbers of the other objects.

    def folder_of(self, number):
        return number % self.folders if number % 7 else None

    def assets_of_folder(self, number):
        """The list, which is not in the order of the keys."""
        return [n for n in range(number, self.assets, self.folders) if n % 7][::-1]

    def tags_of(self, number):
        return sorted({(number * step + step) % self.tags for step in (1, 3, 7)[: number % 4]})

    def assets_of_tags(self):
        lists = [[] for _ in range(self.tags)]
        for number in range(self.assets):
            for tag in self.tags_of(number):
                lists[tag].append(number)
        for members in lists:
            members.sort(key=lambda number: (number * 7919 % 10007, number))
        return lists

    def twin_of(self, number):
        """Documents at the first two places of each ten are one another's."""
        other = number ^ 1
        return other if number % 10 < 2 and other < self.assets else None

    def friends_of(self, number):
        return sorted({n for n in (number - 2, number + 2, number ^ 1) if 0 <= n < self.persons})

    def owner_of(self, folder):
        return folder if folder % 2 == 0 and folder < self.persons else None

    @staticmethod
    def value(kind, salt, number):
        """The value of an attribute in a row of SQLite's; None where there is none."""
        seed = number * 31 + sum(map(ord, salt))
        if seed % 8 == 0:
            return None
        pick = seed // 8
        if kind == "String":
            return TEXTS[pick % len(TEXTS)] + (" %d" % number if pick % 3 else "")
        if kind == "URI":
            return "https://example.org/%d?q=%%C3%%A9&r=<%d>" % (number, pick)
        if kind == "Date":
            return DATES[pick % len(DATES)] if pick % 2 else number + 0.125
        if kind == "Boolean":
            return pick % 2
        if kind == "Integer 16":
            return (-32768, 32767, 0, -1, pick % 1000)[pick % 5]
        if kind == "Integer 32":
            return (-(2**31), 2**31 - 1, 0, number)[pick % 4]
        if kind == "Integer 64":
            return (-(2**63), 2**63 - 1, 2**53 + 1, number)[pick % 4]
        if kind == "Double":
            return DOUBLES[pick % len(DOUBLES)]
        if kind == "Float":
            return FLOATS[pick % len(FLOATS)]
        if kind == "Decimal":
            text = DECIMALS[pick % len(DECIMALS)]
            return float(text) if "." in text else int(text)
        if kind == "UUID":
            return struct.pack(">QQ", pick, number)
        if kind == "Transformable":
            return ARCHIVE
        data = struct.pack(">Q", number) * (pick % 40 + 1)
        return b"\x01" + data if kind == "External" else data


# --- the file


def escaped(text):
    """Characters that XML or the format's own escapes have a use for are \\u and the bytes of UTF-16, swapped."""
    parts = []
    for character in text:
        code = ord(character)
        if (code >= 0x20 and character not in "<>&\\" and code not in (0xFFFE, 0xFFFF)) or character in "\n\t":
            parts.append(character)
        else:
            parts.append("\\u%02x%02x" % (code & 255, code >> 8))
    return "".join(parts)


def written(kind, value):
    if kind in ("String", "URI"):
        return escaped(value)
    if kind == "Date":
        return "%.20f" % value
    if kind == "UUID":
        digits = value.hex().upper()
        return "-".join(digits[a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
    if kind in ("Binary", "External", "Transformable"):
        return base64.b64encode(value[1:] if kind == "External" else value).decode() + "\n"
    return repr(value)


TYPES = {
    "String": "string", "Date": "date", "Integer 16": "int16", "Integer 32": "int32", "Integer 64": "int64",
    "Double": "double", "Float": "float", "Decimal": "decimal", "Boolean": "bool", "UUID": "UUID", "URI": "URI",
    "Binary": "binary", "External": "binary", "Transformable": "transformable",
}  # fmt: skip


def write_store(path, objects, hashes):
    """Writes the store: names of entities in capitals, of properties in small letters."""
    head = plistlib.dumps(
        {
            "NSPersistenceFrameworkVersion": 640,
            "NSStoreModelVersionHashes": hashes,
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionIdentifiers": [""],
        }
    ).decode()
    of_tags = objects.assets_of_tags()

    def links(entity, number):
        if entity == "Person":
            folder = number if number < objects.folders and objects.owner_of(number) == number else None
            yield "folder", "1/1", "FOLDER", [objects.folder + folder] if folder is not None else []
            yield "friends", "0/0", "PERSON", [objects.person + n for n in objects.friends_of(number)]
        elif entity == "Folder":
            owner = objects.owner_of(number)
            yield "owner", "1/1", "PERSON", [objects.person + owner] if owner is not None else []
            yield "assets", "0/0", "ASSET", [objects.asset + n for n in objects.assets_of_folder(number)]
        elif entity == "Tag":
            yield "assets", "0/0", "ASSET", [objects.asset + n for n in of_tags[number]]
        else:
            folder, twin = objects.folder_of(number), objects.twin_of(number)
            yield "folder", "1/1", "FOLDER", [objects.folder + folder] if folder is not None else []
            yield "tags", "0/0", "TAG", [objects.tag + n for n in objects.tags_of(number)]
            if entity == "Document":
                yield "twin", "1/1", "DOCUMENT", [objects.asset + twin] if twin is not None else []

    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write('<?xml version="1.0"?>\n<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">\n')
        file.write("\n<database>\n<databaseInfo><version>134481920</version>")
        file.write("<UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID><nextObjectID>%d</nextObjectID>" % objects.next)
        file.write("<metadata>%s</metadata></databaseInfo>\n" % head[head.index("<plist") :])
        for key, entity, number in objects.keys():
            file.write('    <object type="%s" id="z%d">\n' % (entity.upper(), key))
            for owner in chain(entity):
                for name, kind in ATTRIBUTES[owner]:
                    value = objects.value(kind, name, number)
                    if value is not None:
                        file.write('        <attribute name="%s" type="%s">' % (name.lower(), TYPES[kind]))
                        file.write(written(kind, value) + "</attribute>\n")
            for name, kind, to, keys in links(entity, number):
                listed = ' idrefs="%s"' % " ".join("z%d" % key for key in keys) if keys else ""
                file.write('        <relationship name="%s" type="%s" ' % (name, kind))
                file.write('destination="%s"%s></relationship>\n' % (to, listed))
            file.write("    </object>\n")
        file.write("</database>\n")
