"""Leaves out of ICU's data what the program does not ask for; of the locales root and English stay.

Without the others ICU answers for every locale as it does for the root, which is what it does for a locale that
it does not know. Time zones, calendars and character properties stay. These go, too: encodings, since
all text is UTF-8 or UTF-16, and libxml2 has glibc's; transliterations; the orders of languages, since texts are
compared by their characters; the names of languages, countries, units and currencies; and where lines break, with
the dictionaries that divide Thai, Khmer or Chinese text into words.

The file is ICU's common data: a header whose first two bytes are its length; then the number of items,
for each the offsets of its name and of its data, from the header's end; then names and data.
"""

import re
import struct
import sys

# Kinds of data, by the ends of their names and by the folders that they are in.
UNUSED = re.compile(rb"\.(cnv|cfu|dict|spp)$|/(translit|coll|lang|region|unit|curr|rbnf)/|/brkitr/line")
LOCALE = re.compile(rb"^(?!en(_US|_US_POSIX)?\.res$)[a-z]{2,3}(_[A-Za-z0-9_]+)?\.res$")


def items(data):
    """The header, and the names and data of all items."""
    header = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, header)[0]
    entries = [struct.unpack_from("<II", data, header + 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in entries[1:]] + [len(data) - header]
    found = []
    for (name, start), end in zip(entries, ends):
        name += header
        found.append((data[name : data.index(b"\0", name)], data[header + start : header + end]))
    return data[:header], found


def joined(header, items):
    """The file of some items."""
    names = b"".join(name + b"\0" for name, _ in items)
    first = 4 + 8 * len(items)
    start = -(-(first + len(names)) // 16) * 16
    entries, data, name_offset = b"", b"", first
    for name, content in items:
        entries += struct.pack("<II", name_offset, start + len(data))
        name_offset += len(name) + 1
        data += content + b"\0" * (-len(content) % 16)
    table = struct.pack("<I", len(items)) + entries + names
    return header + table + b"\0" * (start - len(table)) + data


def main(source, destination):
    with open(source, "rb") as file:
        header, all_items = items(file.read())
    kept = [
        (name, content)
        for name, content in all_items
        if not LOCALE.match(name.rsplit(b"/", 1)[-1]) and not UNUSED.search(name)
    ]
    if not 40 < len(kept) < len(all_items):
        sys.exit(f"icu.py: {source} has {len(all_items)} items, of which {len(kept)} would stay")
    with open(destination, "wb") as file:
        file.write(joined(header, kept))


if __name__ == "__main__":
    main(*sys.argv[1:])
