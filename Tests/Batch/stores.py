"""An archive of old stores: mixed versions and sizes, and some that cannot be migrated.

A few hundred base stores come from `waystone generate`; every store is a copy of one, varied by
SQL, so that ten thousand take minutes. `Sample` says of each what must become of it.
"""

import bisect
import collections
import math
import os
import plistlib
import random
import shutil
import sqlite3
import subprocess

from damage import WAYS, change

# What is known of a store: its path, its size, its version, what was done to it (`good`, `current`,
# or another kind), and the state, the code and a part of the message that it must get.
Sample = collections.namedtuple("Sample", "path bytes version kind expected")

# The share of stores of at most so many bytes; in between, sizes are log-uniform.
SIZES = [(0, 24e3), (0.5, 100e3), (0.95, 1e6), (0.996, 10e6), (1, 50e6)]

# The bytes of an empty store and of a row, about; the greatest store that is made of it.
VERSIONS = {
    "Letters/v1": (90e3, 200, math.inf),
    "Letters/v2": (90e3, 200, math.inf),
    "Letters/v3": (98e3, 205, math.inf),
    "Letters/v4": (106e3, 210, 2e6),
    "Notes/v1": (22e3, 82, 2e6),
    "Notes/v2": (22e3, 220, 2e6),
    "Notes/v3": (28e3, 135, 2e6),
    "People/v1": (22e3, 59, 8e6),
    "Library/v1": (22e3, 135, 8e6),
}
CURRENT = {"Letters": "v4", "Notes": "v4", "People": "v2", "Library": "v2"}

# An entity of each model to which rows are added, and its text.
ADDED = {
    "Letters": ("Topic", "ZNAME"),
    "Notes": ("Note", "ZTITLE"),
    "People": ("Person", "ZFULLNAME"),
    "Library": ("Note", "ZTITLE"),
}
ENDINGS = [".sqlite", ".sqlite", ".sqlite", ".storedata", ".db", ".sqlite3", ".sqlite", ""]
STEMS = ["Store", "My Notes", "Bücher", "app-data", "日記", "Model", "Documents.old"]


def size_at(share, largest):
    """The size that so many of the stores do not exceed."""
    at = max(1, bisect.bisect_left([s for s, _ in SIZES], share))
    (low, small), (high, large) = SIZES[at - 1], SIZES[at]
    part = (share - low) / (high - low)
    return min(largest, small * (large / small) ** part)


class Archive:
    """Makes the stores below a folder, from a seed."""

    def __init__(self, folder, command, models, work, count, largest, seed):
        self.folder, self.command, self.models = folder, command, models
        self.work = os.path.join(work, "bases")
        self.count, self.largest = count, largest
        self.chance = random.Random(seed)
        self.samples = []

    def make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        os.makedirs(self.work, exist_ok=True)
        bases = self.bases()
        kinds = self.kinds()
        for number in range(self.count):
            kind = kinds[number]
            self.samples.append(self.store(number, kind, self.base(number, kind, bases)))
        shutil.rmtree(self.work)
        return self.samples

    def kinds(self):
        """What is done to each store: most are good."""
        percent = max(10, self.count // 100)
        few = max(1, self.count // 2000)
        odd = [("damaged", way) for way in WAYS for _ in range(max(1, percent // len(WAYS)))]
        odd += [("unknown", way) for way in ("hashes", "model") for _ in range(percent // 2)]
        locks = ("exclusive", "writing", "open", "brief")
        odd += [("locked", way) for way in locks for _ in range(max(1, percent // len(locks)))]
        odd += [("stubborn", way) for way in ("hang", "grow") for _ in range(few)]
        kinds = odd + [("good", "")] * (self.count - len(odd))
        self.chance.shuffle(kinds)
        return kinds

    def bases(self):
        """Stores by `waystone generate`: the path, the size and the version of each."""
        bases = []
        number = min(240, max(20, self.count // 10))
        self.shares = [(index + 0.5) / number for index in range(number)]
        # Few are large, and these are not all alike.
        self.shares = sorted(self.shares + [0.9965, 0.997, 0.998, 0.999, 0.9999])
        for index, share in enumerate(self.shares):
            size = size_at(share, self.largest)
            fitting = [v for v, (empty, _, most) in VERSIONS.items() if empty <= size * 1.1 <= most]
            version = self.chance.choice(fitting or ["Letters/v1"])
            bases.append(self.generate(version, size, index))
        # Whatever the chance says, each of these is there.
        small = [b for b in bases if b[1] < 1e6]
        for version in ("Notes/v3", "People/v1", "Letters/v1"):
            if not any(b[2] == version for b in small):
                bases.append(self.generate(version, 100e3, len(bases)))
        return bases

    def generate(self, version, size, index):
        empty, each, _ = VERSIONS[version]
        path = os.path.join(self.work, "%03d.sqlite" % index)
        rows = max(20, int((size - empty) / each))
        self.run(version, rows, index, path, self.models)
        return path, os.path.getsize(path), version

    def run(self, version, rows, seed, path, models):
        subprocess.run(
            [self.command, "generate", version, "--rows", str(rows), "--seed", str(seed),
             "--models", models, "--output", path, "--quiet"],
            check=True,
        )  # fmt: skip

    def base(self, number, kind, bases):
        """Good stores take a base by its share of sizes; others a small one of an old version."""
        what, way = kind
        if what == "good":
            share = (number + self.chance.random()) / self.count
            return bases[bisect.bisect_left(self.shares, share) % len(self.shares)]
        version = "Notes/v3" if what == "stubborn" else None
        return self.chance.choice(
            [b for b in bases if b[1] < 1e6 and version in (None, b[2]) and "v4" not in b[2]]
        )

    def store(self, number, kind, base):
        (what, way), (source, _, version) = kind, base
        folder = os.path.join(
            self.folder, "user-%03d" % self.chance.randrange(self.count // 20 + 1)
        )
        os.makedirs(folder, exist_ok=True)
        stem, ending = self.chance.choice(STEMS), self.chance.choice(ENDINGS)
        path = os.path.join(folder, "%s %d%s" % (stem, number, ending))
        shutil.copyfile(source, path)
        model = version.split("/")[0]
        has_log = what == "good" and self.chance.random() < 0.03
        if what == "good" and model == "Letters" and self.chance.random() < 0.2:
            self.add_files(path)
        self.vary(path, model, number, has_log)
        expected = getattr(self, what)(path, way)
        if what == "good" and version.split("/")[1] == CURRENT[model]:
            what, expected = "current", ("current", None, "")
        return Sample(path, os.path.getsize(path), version, "%s %s" % (what, way), expected)

    def vary(self, path, model, number, has_log):
        """Adds some rows, which stay in a -wal where it is to have one."""
        entity, text = ADDED[model]
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        entry = "FROM Z_PRIMARYKEY WHERE Z_NAME = '%s'" % entity
        database.execute("BEGIN")
        for row in range(1 + number % 7):
            database.execute(
                "INSERT INTO Z%s (Z_PK, Z_ENT, Z_OPT, %s) SELECT Z_MAX + 1, Z_ENT, 1, ? %s"
                % (entity.upper(), text, entry),
                ("store %d, row %d" % (number, row),),
            )
            database.execute(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = ?", (entity,)
            )
        database.execute("COMMIT")
        if not has_log:
            return database.close()
        # What an app leaves that was killed: a log of which nothing is in the file yet.
        for suffix in ("", "-wal"):
            shutil.copyfile(path + suffix, path + suffix + ".copy")
        database.close()
        for suffix in ("", "-wal"):
            os.rename(path + suffix + ".copy", path + suffix)

    def add_files(self, path):
        """Values that lie in files beside the store."""
        folder, name = os.path.split(os.path.splitext(path)[0])
        support = os.path.join(folder, ".%s_SUPPORT" % name, "_EXTERNAL_DATA")
        os.makedirs(support)
        for key in range(1, 4):
            file = "0F0E0D0C-0B0A-4908-8706-05040302%04X" % key
            with open(os.path.join(support, file), "wb") as out:
                out.write(self.chance.randbytes(20000 + key))
            value = b"\x02" + file.encode() + b"\0"
            change(
                path, "UPDATE ZENCLOSURE SET ZPICTURE = x'%s' WHERE Z_PK = %d" % (value.hex(), key)
            )

    # What is done to a store of each kind, and what must become of it.

    def good(self, path, way):
        return "migrated", None, ""

    def damaged(self, path, way):
        make, *expected = WAYS[way]
        make(path, self.chance)
        return tuple(expected)

    def unknown(self, path, way):
        if way == "hashes":
            database = sqlite3.connect(path, isolation_level=None)
            (plist,) = database.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
            metadata = plistlib.loads(plist)
            hashes = metadata["NSStoreModelVersionHashes"]
            hashes[min(hashes)] = self.chance.randbytes(32)
            plist = plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)
            database.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (plist,))
            database.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
            database.close()
            return "refused", "unknownStoreVersion", ""
        # A version that was never archived, of which the store carries the model.
        models = os.path.join(self.work, "Lost.xcdatamodeld")
        lost = os.path.join(self.work, "lost.sqlite")
        if not os.path.exists(lost):
            shutil.copytree(os.path.join(self.models, "People.xcdatamodeld"), models)
            contents = os.path.join(models, "v1.xcdatamodel", "contents")
            with open(contents) as file:
                text = file.read().replace('name="born"', 'name="bornOn"')
            with open(contents, "w") as file:
                file.write(text)
            self.run("v1", 200, 1, lost, models)
        shutil.copyfile(lost, path)
        return "refused", "unknownStoreVersion", "carries its own model"

    def locked(self, path, way):
        return ("migrated", None, "") if way == "brief" else ("failed", "inUse", "")

    def stubborn(self, path, way):
        change(
            path,
            "UPDATE ZNOTE SET ZTITLE = '%s' WHERE Z_PK = "
            "(SELECT ZNOTE FROM ZATTACHMENT WHERE ZNOTE IS NOT NULL LIMIT 1)" % way,
        )
        if way == "hang":
            return "timed-out", "timeout", "It took longer than"
        return "failed", "memory", "of memory"
