"""Writes what is inside a program, with versions and licences: parts.json, and a folder of licence texts.

    parts.py PROGRAM-FOLDER CHECKOUTS ICU-VERSION SWIFT-RUNTIME
"""

import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SWIFT = "Apache-2.0 WITH Swift-exception"

# The name of a package in Package.resolved, the licence of its sources.
PACKAGES = {
    "swift-argument-parser": SWIFT,
    "swift-log": "Apache-2.0",
    "swift-mustache": "Apache-2.0",
    "swift-syntax": SWIFT,
    "yams": "MIT",
}

# Debian's package, its licence, and where the sources are from.
LIBRARIES = {
    "SQLite": ("libsqlite3-0", "blessing", "https://sqlite.org"),
    "libxml2": ("libxml2", "MIT", "https://gitlab.gnome.org/GNOME/libxml2"),
    "zlib": ("zlib1g", "Zlib", "https://zlib.net"),
    "libstdc++": ("libstdc++6", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
}


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main(folder, checkouts, icu, runtime):
    licenses = os.path.join(folder, "licenses")
    shutil.rmtree(licenses, ignore_errors=True)
    os.makedirs(licenses)
    parts = []

    def add(name, version, license, home, text):
        """A part, and the file of its licence."""
        shutil.copyfile(text, os.path.join(licenses, name + ".txt"))
        parts.append({"name": name, "version": version, "license": license, "home": home})

    swift = re.search(r"Swift version (\S+)", printed("swift", "--version")).group(1)
    share = os.path.join(runtime, "../../../share/swift/LICENSE.txt")
    for name in ("swift", "swift-foundation", "swift-corelibs-libdispatch"):
        add(name, swift, SWIFT, f"https://github.com/swiftlang/{name}", share)
    # Neither the toolchain nor Yams has a copy of the licence of what it brings along. That of ICU 76 has the
    # years 2016 to 2024; its dictionaries, which have licences of their own, are left out by icu.py.
    own = os.path.join(HERE, "licenses", "ICU.txt")
    add("ICU", icu, "Unicode-3.0 AND ICU AND BSD-3-Clause",
        "https://github.com/swiftlang/swift-foundation-icu", own)
    for name, (package, license, home) in LIBRARIES.items():
        version = printed("dpkg-query", "--show", "--showformat", "${Version}", package)
        add(name, version, license, home, f"/usr/share/doc/{package}/copyright")
    with open("Package.resolved", encoding="utf-8") as file:
        pins = json.load(file)["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        name = pin["identity"]
        if name not in PACKAGES:
            sys.exit(f"parts.py: {name} is new: say its licence in PACKAGES")
        checkout = os.path.join(checkouts, os.path.basename(pin["location"]))
        text = sorted(name for name in os.listdir(checkout) if name.startswith("LICENSE"))
        if not text:
            sys.exit(f"parts.py: there is no licence in {checkout}")
        add(name, pin["state"]["version"], PACKAGES[name], pin["location"],
            os.path.join(checkout, text[0]))
        if name == "yams":
            add("LibYAML", f"as in Yams {pin['state']['version']}", "MIT",
                "https://github.com/yaml/libyaml", os.path.join(HERE, "licenses", "LibYAML.txt"))
    parts.sort(key=lambda part: part["name"].lower())
    with open(os.path.join(folder, "parts.json"), "w", encoding="utf-8") as file:
        json.dump(parts, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
