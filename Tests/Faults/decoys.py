"""Files with names like those of a store's neighbours, in and around the folder of each trial.

No command has any business with them: after each trial they must be there, with the same bytes, and
nothing else may lie around the folder.
"""

import os

# Beside the store: not its own files, whatever their names begin with.
BESIDE = [
    "S", "S.sqlite.bak", "S.sqlite-wal.bak", "S.sqlite-journal2", "O.sqlite-shm.old",
    "S.sqlite.waystone-old/hop-0.sqlite", "S.sqlite.waystone-old/journal.ndjson", "hop-0.sqlite",
    "journal.ndjson", "waystone-old/keep", ".T_SUPPORT/_EXTERNAL_DATA/0F0E0D0C",
]  # fmt: skip

# Around the folder: what a name that leads out of it would reach.
AROUND = [
    "S.sqlite", "S.sqlite-wal", "S.sqlite-shm", "S.sqlite-journal", "O.sqlite", "hop-0.sqlite",
    "journal.ndjson", "S.sqlite.waystone/hop-1.sqlite", "S.sqlite.waystone/backup/1-S.sqlite",
    ".S_SUPPORT/_EXTERNAL_DATA/0F0E0D0C", ".O_SUPPORT/_EXTERNAL_DATA/0F0E0D0C", "waystone-x/keep",
    "waystone.lock",
]  # fmt: skip


def content(name):
    return b"decoy " + name.encode() + b"\n"


def put(folder, names):
    for name in names:
        path = os.path.join(folder, name)
        if "/" in name:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content(name))


def plant(around, folder):
    if not os.path.exists(os.path.join(around, AROUND[-1])):
        put(around, AROUND)
    if not os.path.exists(os.path.join(folder, BESIDE[-1])):
        put(folder, BESIDE)


def top_names():
    """The names in a trial's folder that are decoys or hold some."""
    return {name.split("/")[0] for name in BESIDE}


def leave_out(*lists):
    """Takes the decoys out of lists of a trial folder's names."""
    for names in lists:
        names[:] = [n for n in names if n not in top_names()]


def damage(around, folder):
    """What is wrong with the decoys; puts them in order again."""
    found = []
    for base, names in ((folder, BESIDE), (around, AROUND)):
        if base == folder and not os.path.isdir(folder):
            continue
        for name in names:
            try:
                with open(os.path.join(base, name), "rb") as file:
                    if file.read() != content(name):
                        found.append("a decoy was changed: " + name)
            except OSError as error:
                found.append("a decoy is gone: %s: %s" % (name, error.strerror))
    present = set()
    for base, folders, files in os.walk(around):
        if base == around and "here" in folders:
            folders.remove("here")
        present.update(os.path.relpath(os.path.join(base, n), around) for n in files)
    found += ["a file appeared around the folder: " + n for n in sorted(present - set(AROUND))]
    if found:
        put(around, AROUND)
        if os.path.isdir(folder):
            put(folder, BESIDE)
        for name in present - set(AROUND):
            os.remove(os.path.join(around, name))
    return found
