"""What a store holds, read with Python's sqlite3 and no code of Waystone's.

Every table, every row, every schema statement, and the external files beside it. Two stores are equal
where all of that is.
"""

import hashlib
import os
import shutil
import sqlite3

import decoys
from command import temporary


class Unreadable(Exception):
    pass


def sha(path):
    """A digest of a file, or what it is instead; a pipe in its place stops nothing."""
    if not os.path.isfile(path):
        return "no file: %o" % os.lstat(path).st_mode
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def connect(path):
    """A connection that changes nothing: to the file itself, or to a copy with its journals."""
    beside = [
        s for s in ("-wal", "-journal") if os.path.exists(path + s) and os.path.getsize(path + s)
    ]
    if not beside:
        uri = "file:%s?mode=ro&immutable=1" % path.replace("%", "%25").replace("?", "%3f").replace(
            "#", "%23"
        )
        return sqlite3.connect(uri, uri=True)
    copy = os.path.join(temporary(), "read.sqlite")
    for suffix in ("", "-wal", "-journal", "-shm"):
        if os.path.exists(copy + suffix):
            os.remove(copy + suffix)
    for suffix in ["", *beside]:
        shutil.copyfile(path + suffix, copy + suffix)
    return sqlite3.connect(copy)


def tables(path, check=True):
    """All rows of all tables, and the schema; raises Unreadable."""
    try:
        database = connect(path)
    except sqlite3.Error as error:
        raise Unreadable(str(error))
    try:
        database.text_factory = bytes
        if check:
            answer = database.execute("PRAGMA integrity_check").fetchall()
            if answer != [(b"ok",)]:
                raise Unreadable("integrity_check: %r" % (answer[:2],))
        found = {}
        schema = sorted(
            (k, n, t, s)
            for k, n, t, s in database.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_schema"
            )
        )
        for kind, name, _, _ in schema:
            if kind == b"table":
                quoted = name.decode("utf-8", "replace").replace('"', '""')
                found[name] = sorted(
                    repr(row) for row in database.execute('SELECT * FROM "%s"' % quoted)
                )
        return found, schema
    except sqlite3.Error as error:
        raise Unreadable(str(error))
    finally:
        database.close()


def problems(path, check):
    """What SQLite's check of a store says where it is not "ok"; `check` names the pragma."""
    try:
        database = connect(path)
        try:
            database.text_factory = bytes
            answer = database.execute("PRAGMA %s(5)" % check).fetchall()
        finally:
            database.close()
    except sqlite3.Error as error:
        return str(error)
    return "" if answer == [(b"ok",)] else repr(answer)[:200]


def support(path):
    name = os.path.basename(path)
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    return os.path.join(os.path.dirname(path), ".%s_SUPPORT" % stem, "_EXTERNAL_DATA")


_known = {}


def content(path):
    """A digest of all that a store holds, or a text that says why there is none."""
    if not os.path.exists(path):
        return "absent"
    if not all(
        os.path.isfile(path + s) for s in ("", "-wal", "-journal") if os.path.lexists(path + s)
    ):
        return "unreadable: no plain file"
    key = tuple(
        sha(path + s) if os.path.exists(path + s) else None for s in ("", "-wal", "-journal")
    )
    if key not in _known:
        try:
            _known[key] = hashlib.sha256(repr(tables(path)).encode()).hexdigest()
        except Unreadable as error:
            _known[key] = "unreadable: %s" % error
    folder = support(path)
    if not os.path.isdir(folder):
        return _known[key]
    files = sorted((n, sha(os.path.join(folder, n))) for n in os.listdir(folder))
    return hashlib.sha256((_known[key] + repr(files)).encode()).hexdigest()


def bytes_of(path):
    """Every file of a store, byte by byte, with its time and permissions."""
    paths = [path + s for s in ("", "-wal", "-journal")]
    folder = support(path)
    if os.path.isdir(folder):
        paths += sorted(os.path.join(folder, n) for n in os.listdir(folder))
    found = []
    for each in paths:
        if os.path.exists(each):
            status = os.stat(each)
            found.append((each, sha(each), status.st_mtime_ns, status.st_mode))
    return found


def listing(folder):
    """The files and folders below a folder, without the decoys."""
    found = []
    for base, folders, files in os.walk(folder):
        if base == folder:
            decoys.leave_out(folders, files)
        for name in files + [f + "/" for f in folders]:
            found.append(
                os.path.relpath(os.path.join(base, name), folder)
                + ("/" if name.endswith("/") else "")
            )
    return sorted(found)
