"""Attacks by what lies beside a store: journals, logs, links and pipes that are read before it."""

import os
import sqlite3
import struct

from attacks import Skipped, attack

MAGIC = bytes.fromhex("d9d505f920a163d7")


def super_journal(name):
    """A rollback journal without pages that names a super-journal, which SQLite deletes with it."""
    name = os.fsencode(name)
    header = MAGIC + struct.pack(">IIIII", 0, 1, 1, 512, 4096)
    tail = struct.pack(">I", 262145) + name + struct.pack(">II", len(name), sum(name)) + MAGIC
    return header.ljust(512, b"\0") + tail


def unlog(path):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = DELETE")
    database.close()


@attack("C1", "No command deletes a file that a store's journal names.")
def names_a_super_journal(ground):
    models = ground.begin()
    commands = ground.readers(models, "v5") + ground.moves(models, "v5")
    commands += [["rollback", ground.store], ["resume", ground.store, "--models", models]]
    commands += [
        ["finish", ground.store, "--models", models],
        ["compare", ground.store, ground.store],
    ]
    for arguments in commands:
        ground.again()
        unlog(ground.store)
        victim = ground.victim()
        with open(ground.store + "-journal", "wb") as file:
            file.write(super_journal(victim))
        got = ground.run(*arguments)
        ground.expect(os.path.exists(victim), "the named file is gone", got)
        if arguments[0] in ("inspect", "verify", "plan", "digest", "migrate"):
            ground.refused(got, 65)


@attack(
    "M12",
    "A pipe, a folder, a device or a link in the place of a journal or log is refused at once.",
)
def odd_companions(ground):
    models = ground.begin()
    makers = {
        "pipe": os.mkfifo,
        "folder": os.mkdir,
        "link": lambda path: os.symlink(ground.victim(), path),
        "link to a device": lambda path: os.symlink("/dev/zero", path),
        "link to itself": lambda path: os.symlink(os.path.basename(path), path),
    }
    for suffix in ("-journal", "-wal", "-shm"):
        for kind, make in makers.items():
            for arguments in [ground.readers(models, "v5")[0], *ground.moves(models, "v5")]:
                ground.again()
                make(ground.store + suffix)
                got = ground.run(*arguments)
                ground.expect(
                    got.status in (65, 66, 73, 74) or suffix == "-shm",
                    "%s as %s" % (kind, suffix),
                    got,
                )


@attack("F3", "An empty write-ahead log beside a store in rollback mode is no obstacle.")
def empty_log(ground):
    models = ground.begin()
    for place in (0, 1):
        ground.again()
        unlog(ground.store)
        open(ground.store + "-wal", "wb").close()
        got = ground.run(*ground.moves(models, "v5")[place])
        ground.expect(got.status == 0, "an empty -wal stops the migration", got)


@attack("M8", "A giant, sparse journal or log is refused at once.")
def giant_journal(ground):
    models = ground.begin()
    for suffix in ("-journal", "-wal"):
        for arguments in [*ground.readers(models, "v5")[:2], *ground.moves(models, "v5")]:
            ground.again()
            unlog(ground.store)
            with open(ground.store + suffix, "wb") as file:
                if suffix == "-journal":
                    file.write(MAGIC + struct.pack(">IIIII", 0xFFFFFFFF, 1, 40, 512, 4096))
                file.truncate(3 << 30)
            got = ground.run(*arguments)
            ground.expect(got.seconds < 10, "%.1f s for a sparse %s" % (got.seconds, suffix), got)


@attack("M15", "A header that SQLite cannot read or write is refused before anything is written.")
def odd_headers(ground):
    models = ground.begin()
    for offset, value, size in ((44, 9, 4), (18, 200, 1), (19, 200, 1), (16, 7, 2)):
        for arguments in ground.moves(models, "v5"):
            ground.again()
            with open(ground.store, "r+b") as file:
                file.seek(offset)
                file.write(value.to_bytes(size, "big"))
            got = ground.run(*arguments)
            ground.refused(got, 65)
            for path in (ground.workspace, ground.output + ".waystone"):
                left = os.path.exists(os.path.join(path, "journal.ndjson"))
                ground.expect(
                    not left, "a run is left that cannot be resumed (byte %d)" % offset, got
                )


@attack("M13", "A store with several hard links is migrated with a note that says so.")
def hard_links(ground):
    models = ground.begin()
    other = os.path.join(ground.folder, "Other.sqlite")
    os.link(ground.store, other)
    got = ground.run(*ground.moves(models, "v5")[0])
    said = "link" in got.output + got.errors
    ground.expect(said, "nothing is said of the other names of the file", got)
    ground.expect(os.path.exists(other), "the other name is gone", got)


@attack("M1", "No command follows a link that a store's own name is, out of the folder, unasked.")
def linked_store(ground):
    models = ground.begin()
    victim = ground.victim("elsewhere.sqlite", b"not a database, and longer than a header" * 40)
    os.remove(ground.store)
    os.symlink(victim, ground.store)
    for arguments in ground.readers(models, "v5")[:2]:
        ground.expect(ground.run(*arguments).status != 0, "a file that is no store is accepted")


@attack("M18", "A folder in which the store cannot be replaced is found before the first hop.")
def sticky_folder(ground):
    if os.getuid() != 0:
        raise Skipped("only root can become another user")
    models = ground.begin()
    os.chmod(ground.folder, 0o1777)
    os.chmod(ground.store, 0o666)
    os.chmod(os.path.dirname(ground.folder), 0o755)

    def become():
        os.setgid(65534)
        os.setuid(65534)

    if os.path.exists("/root") and not reachable(ground.folder, become):
        raise Skipped("another user cannot reach the folder")
    got = ground.run(
        *ground.moves(models, "v5")[0],
        limits=become,
        env={"HOME": "/", "TMPDIR": "/tmp", "LD_PRELOAD": ""}
    )
    ground.expect(got.status in (73, 74, 6), "not refused as a folder that cannot be written", got)
    ground.ran_no_hop(got)


def reachable(path, become):
    """Whether another user reaches a path."""
    child = os.fork()
    if child == 0:
        try:
            become()
            os.listdir(path)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0
