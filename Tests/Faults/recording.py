"""A run that is written down, and the folders that a disk may hold after a power loss in it.

What is written down is each write with its data, each name that came and went, each flush, in order.
From that the folder is rebuilt as a disk may hold it if the power goes after event K:

  * what a file's last fsync or fdatasync covers is there;
  * of the writes since, each sector of 512 bytes is there or not, by chance; or none, or the file's new
    length with zeros, or a part in order that ends in a torn write;
  * names, `ordered` (ext4, XFS): all up to the last flush of anything, then a part in order;
    `weak` (btrfs, and what POSIX leaves open): those of flushed folders, by chance those of flushed
    files, and a part in order; a rename is whole or not at all;
  * times of files, `weak`: after an fdatasync that did not change the length, the old one, by chance.
"""

import os
import struct

import decoys
from command import Lab, fresh, run, temporary

ADDED = 1 << 40
ENTRY = struct.Struct("<IIQQQqqIIQ")
(
    CREATE,
    WRITE,
    TRUNCATE,
    RENAME,
    UNLINK,
    LINK,
    MKDIR,
    RMDIR,
    FSYNC,
    FDATASYNC,
    SYMLINK,
    CHMOD,
    TIMES,
    SHARED_MAP,
) = range(1, 15)
NAMES = [
    "",
    "create",
    "write",
    "truncate",
    "rename",
    "unlink",
    "link",
    "mkdir",
    "rmdir",
    "fsync",
    "fdatasync",
    "symlink",
    "chmod",
    "times",
    "shared map",
]
NAMING = {CREATE, RENAME, UNLINK, LINK, MKDIR, RMDIR}


class File:
    """A file or folder as it was before, and what was done to it since."""

    def __init__(self, inode, data, modified, mode, is_folder=False):
        self.inode, self.data, self.modified = inode, data, modified
        self.mode, self.is_folder = mode, is_folder
        self.deeds = []
        self.flushes = []


class Recording:
    """One run, event by event."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.folder = fresh("power")
        os.environ.update(FAULT_ROOT=self.folder, FAULT_INOADD=str(ADDED))
        scenario.prepare(self.folder)
        self.names, self.files = {}, {}
        for base, folders, files in os.walk(self.folder):
            if base == self.folder:
                decoys.leave_out(folders, files)
            for name in [None, *files] if base == self.folder else [*files, None]:
                path = base if name is None else os.path.join(base, name)
                self.take(path)
        log = os.path.join(temporary(), "record")
        got = run(
            *scenario.arguments(self.folder), faults={"FAULT_MODE": "record", "FAULT_RECORD": log}
        )
        assert got.status == 0, got.errors
        for name in ("FAULT_ROOT", "FAULT_INOADD"):
            del os.environ[name]
        assert scenario.state(self.folder) == "after"
        with open(log, "rb") as file:
            self.read(file.read())
        os.remove(log)

    def take(self, path):
        status = os.stat(path)
        key = status.st_ino
        if key not in self.files:
            is_folder = os.path.isdir(path)
            data = b"" if is_folder else open(path, "rb").read()
            self.files[key] = File(
                key, data, status.st_mtime_ns, status.st_mode & 0o7777, is_folder
            )
        self.names[path] = self.files[key]

    def read(self, log):
        self.events = []
        present = dict(self.files)  # by inode, which a later file may have again
        paths = dict(self.names)
        place = 0
        while place < len(log):
            magic, kind, sequence, inode, extra, offset, modified, one, two, length = (
                ENTRY.unpack_from(log, place)
            )
            assert magic == 0x464C5431
            place += ENTRY.size
            first = log[place : place + one].decode()
            place += one
            second = log[place : place + two].decode()
            place += two
            data = log[place : place + length]
            place += length
            number = len(self.events) + 1
            event = {
                "number": number,
                "kind": kind,
                "first": first,
                "second": second,
                "length": length,
            }
            if kind in (CREATE, MKDIR):
                file = File(
                    inode, b"", modified, 0o700 if kind == MKDIR else extra or 0o600, kind == MKDIR
                )
                present[inode] = paths[first] = file
            elif kind in (RENAME, LINK):
                file = paths[first]
                paths[second] = file
                if kind == RENAME:
                    del paths[first]
            elif kind in (UNLINK, RMDIR):
                file = paths.pop(first, None)
            else:
                file = present.get(inode)
            event["file"] = file
            self.events.append(event)
            if file is None:
                continue
            if kind == WRITE:
                file.deeds.append((number, "write", offset, data, modified))
            elif kind == TRUNCATE:
                file.deeds.append((number, "length", offset, None, modified))
            elif kind == CHMOD:
                file.deeds.append((number, "mode", extra, None, modified))
            elif kind in (FSYNC, FDATASYNC):
                if Lab.without == ("folders" if file.is_folder else "files"):
                    event["kind"] = SHARED_MAP
                else:
                    file.flushes.append((number, kind, modified))

    # MARK: What order the run itself keeps

    def orders(self, tally):
        """Whether flushes stand where they should; each exception is an example."""
        name = self.scenario.name
        events = self.events
        short = lambda path: path.replace(self.folder + "/", "")
        for index, event in enumerate(events):
            kind, path = event["kind"], event["first"]
            later = events[index + 1 :]
            if kind == WRITE and path.endswith("journal.ndjson"):
                tally.add("journal records")
                following = next((e for e in later if e["kind"] not in (SHARED_MAP,)), None)
                if following and following["kind"] == FSYNC and following["file"] is event["file"]:
                    tally.add("journal records flushed before anything else happens")
                else:
                    tally.example(
                        "a journal record is not flushed at once",
                        "%s: event %d, then %s %s"
                        % (
                            name,
                            event["number"],
                            following and NAMES[following["kind"]],
                            following and short(following["first"]),
                        ),
                    )
            if kind in (RENAME, LINK):
                tally.add("renames and links")
                target = os.path.dirname(event["second"])
                gap = []
                for e in later:
                    if e["kind"] == FSYNC and e["file"] is self.folder_at(target, index):
                        break
                    gap.append(e)
                else:
                    tally.example(
                        "never a flush of the folder after a rename",
                        "%s: %s -> %s" % (name, short(path), short(event["second"])),
                    )
                    continue
                tally.add("renames and links whose folder is flushed afterwards")
                changes = [e for e in gap if e["kind"] in (WRITE, UNLINK, RENAME, CREATE, LINK)]
                if changes:
                    tally.example(
                        "between a rename and its folder's flush: "
                        + ", ".join(
                            "%s %s"
                            % (NAMES[e["kind"]], os.path.basename(e["second"] or e["first"]))
                            for e in changes[:4]
                        ),
                        "%s: %s -> %s" % (name, short(path), short(event["second"])),
                        2,
                    )
            if kind == RENAME and event["second"] == self.scenario.destination(self.folder):
                file = event["file"]
                last = max(
                    [d[0] for d in file.deeds if d[0] < event["number"] and d[1] != "mode"] or [0]
                )
                flushed = max([f[0] for f in file.flushes if f[0] < event["number"]] or [0])
                tally.add("results renamed into place")
                if last == 0 or flushed > last:
                    tally.add("results flushed before that")

    def folder_at(self, path, index):
        return self._folders().get(path)

    def _folders(self):
        if not hasattr(self, "_known"):
            self._known = {p: f for p, f in self.names.items() if f.is_folder}
            for event in self.events:
                if event["kind"] == MKDIR:
                    self._known[event["first"]] = event["file"]
        return self._known

    # MARK: What a disk may hold

    def state(self, k, order, how, chance):
        """The names and contents after a power loss behind event K."""
        names = self.namespace(k, order, chance)
        found = {}
        built = {}
        for path, file in names.items():
            if id(file) not in built:
                built[id(file)] = self.contents(file, k, order, how, chance)
            found[path] = (file,) + built[id(file)]
        return found

    def namespace(self, k, order, chance):
        events = [e for e in self.events[:k] if e["kind"] in NAMING]
        flushes = [e["number"] for e in self.events[:k] if e["kind"] in (FSYNC, FDATASYNC)]
        last = max(flushes or [0])
        kept = set()
        if order == "ordered":
            pending = [e["number"] for e in events if e["number"] > last]
            kept = {e["number"] for e in events if e["number"] <= last} | set(
                pending[: chance.randint(0, len(pending))]
            )
        else:
            names_files = chance.random() < 0.5
            everything = [e["number"] for e in events]
            kept = set(
                everything[: chance.randint(0, len(everything)) if chance.random() < 0.5 else 0]
            )
            for event in events:
                at = event["number"]
                target = os.path.dirname(event["second"] or event["first"])
                folder = self._folders().get(target)
                if folder and any(f[0] > at and f[0] <= k for f in folder.flushes):
                    kept.add(at)
                if event["kind"] == RENAME:
                    source = self._folders().get(os.path.dirname(event["first"]))
                    # A flush of the folder that lost the name: nobody loses both names.
                    if source and any(f[0] > at and f[0] <= k for f in source.flushes):
                        kept.add(at)
                if (
                    names_files
                    and event["kind"] in (CREATE, LINK, RENAME)
                    and event["file"]
                    and any(f[0] > at and f[0] <= k for f in event["file"].flushes)
                ):
                    kept.add(at)
            # A folder has a name where anything in it was flushed.
            for event in events:
                if event["kind"] == MKDIR and any(
                    o["number"] in kept
                    and os.path.dirname(o["second"] or o["first"]).startswith(event["first"])
                    for o in events
                ):
                    kept.add(event["number"])
        names = dict(self.names)
        for event in events:
            if event["number"] not in kept:
                continue
            kind, first, second, file = (
                event["kind"],
                event["first"],
                event["second"],
                event["file"],
            )
            if kind in (CREATE, MKDIR):
                names[first] = file
            elif kind == LINK:
                names[second] = file
            elif kind == RENAME:
                names[second] = file
                if names.get(first) is file:
                    del names[first]
            elif names.get(first) is file:
                names.pop(first, None)
        return {p: f for p, f in names.items() if os.path.dirname(p) in names or p == self.folder}

    def contents(self, file, k, order, how, chance):
        if file.is_folder:
            return b"", file.modified, file.mode
        flushes = [f for f in file.flushes if f[0] <= k]
        last = max([f[0] for f in flushes] or [0])
        everywhere = max(
            [e["number"] for e in self.events[:k] if e["kind"] in (FSYNC, FDATASYNC)] or [0]
        )
        data, modified, mode = bytearray(file.data), file.modified, file.mode
        pending = []
        for deed in file.deeds:
            number, kind, offset, bytes_, when = deed
            if number > k:
                break
            if number > last:
                pending.append(deed)
                continue
            if kind == "mode":
                mode = offset
            else:
                apply(data, deed)
            modified = when
        full = max([f[0] for f in flushes if f[1] == FSYNC] or [0])
        stable_time = max([d[4] for d in file.deeds if d[0] <= full] or [file.modified])
        if order == "weak" and modified != stable_time and chance.random() < 0.5:
            # Only fdatasync since: the new time need not be on the disk, if the length is the old one.
            modified = stable_time
        if how == "none" or not pending:
            return bytes(data), modified, mode
        rate = chance.choice([0.15, 0.5, 0.85])
        stop = chance.randint(0, len(pending)) if how == "part" else len(pending)
        for position, deed in enumerate(pending):
            number, kind, offset, bytes_, when = deed
            if kind == "mode":
                # A name's and a mode's changes go by the journal of the file system.
                if number <= everywhere or chance.random() < 0.5:
                    mode = offset
                continue
            if how == "all":
                apply(data, deed)
                modified = when
            elif how == "zeros":
                if kind == "length":
                    apply(data, deed)
                elif offset + len(bytes_) > len(data):
                    data.extend(bytes(offset + len(bytes_) - len(data)))
                modified = when
            elif how == "part":
                if position < stop:
                    apply(data, deed)
                elif position == stop and kind == "write":
                    cut = chance.randint(0, len(bytes_)) // 512 * 512
                    if cut:
                        apply(data, (number, kind, offset, bytes_[:cut], when))
                modified = when
            else:
                if kind == "length":
                    if chance.random() < rate:
                        apply(data, deed)
                        modified = when
                    continue
                start = offset
                while start < offset + len(bytes_):
                    end = min((start // 512 + 1) * 512, offset + len(bytes_))
                    if chance.random() < rate:
                        apply(
                            data, (number, kind, start, bytes_[start - offset : end - offset], when)
                        )
                        modified = when
                    start = end
        return bytes(data), modified, mode


def apply(data, deed):
    _, kind, offset, bytes_, _ = deed
    if kind == "length":
        if offset < len(data):
            del data[offset:]
        else:
            data.extend(bytes(offset - len(data)))
        return
    if offset > len(data):
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(bytes_)] = bytes_
