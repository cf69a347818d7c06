"""Attacks by what surrounds a run: limits, closed streams, and the order of what is done."""

import os
import resource
import sqlite3
import subprocess

from attacks import Skipped, attack
from attacks_schema import both, change
from command import Lab, environment, run, temporary
from content import content
from samples import copy_store, generated, logged
from tally import words


def in_shell(script, arguments):
    """The command with its streams as a shell script wants them."""
    got = subprocess.run(
        ["sh", "-c", script, Lab.command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=Lab.seconds,
        env=environment(),
    )
    return got.returncode, got.stderr.decode("utf-8", "replace")


@attack("M17", "Where the store was replaced but the report cannot be printed, the error says so.")
def full_output(ground):
    models = ground.begin()
    for script in ('"$0" "$@" > /dev/full', '"$0" "$@" >&-'):
        for form in ("text", "json"):
            ground.again()
            before = content(ground.store)
            arguments = [*ground.moves(models, "v5")[0], "--format", form]
            status, errors = in_shell(script, arguments)
            replaced = content(ground.store) != before
            ground.expect(status in (0, 74), "status %d: %s" % (status, words(errors)[:100]))
            if replaced and status != 0:
                ground.expect(
                    "replaced" in errors,
                    "nothing says that the store was replaced: " + words(errors),
                )
                ground.expect(
                    "backup" in errors, "nothing says where the original is: " + words(errors)
                )


@attack("M11", "A limit on the size of files is a full disk, not a signal.")
def limited_files(ground):
    models = ground.begin()
    before = content(ground.store)
    for size in (0, 512, 4096, 20000, 65536, 100000):
        for place in (0, 1):
            ground.again()

            def limit():
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

            got = ground.run(*ground.moves(models, "v5")[place], limits=limit)
            ground.expect(got.status in (0, 73, 74), "%d bytes" % size, got)
            if got.status != 0:
                ground.expect(content(ground.store) == before, "the store changed", got)
    path = os.path.join(ground.folder, "lock")
    with open(path, "wb") as file:
        file.write(b"")


@attack("M19", "No journal or log of the store is removed once the result has its name.")
def order_of_the_swap(ground):
    models = ground.begin()
    for state in (lambda p: p, logged):
        ground.again()
        os.remove(ground.store)
        copy_store(state(generated("Letters", "v1", 60)), ground.store)
        trace = os.path.join(temporary(), "trace")
        got = run(
            *ground.moves(models, "v5")[0], faults={"FAULT_TRACE": trace, "FAULT_CLASSES": "WS"}
        )
        ground.expect(got.status == 0, "not migrated", got)
        with open(trace) as file:
            lines = [line.split(" ", 3) for line in file.read().splitlines()]
        swaps = [
            i
            for i, (_, _, call, path) in enumerate(lines)
            if call.startswith("rename") and path.endswith("-> " + ground.store)
        ]
        ground.expect(len(swaps) == 1, "%d renames" % len(swaps))
        companions = (ground.store + "-journal", ground.store + "-wal", ground.store + "-shm")
        late = [
            path
            for _, _, call, path in lines[swaps[-1] :]
            if call.startswith("unlink") and path in companions
        ]
        ground.expect(not late, "removed after the swap: %s" % late)


@attack("F12", "A result with --output has both names, or the last, until its folder is flushed.")
def order_of_the_output(ground):
    models = ground.begin()
    trace = os.path.join(temporary(), "trace")
    got = run(*ground.moves(models, "v5")[1], faults={"FAULT_TRACE": trace, "FAULT_CLASSES": "WS"})
    ground.expect(got.status == 0, "not migrated", got)
    with open(trace) as file:
        lines = [line.split(" ", 3) for line in file.read().splitlines()]
    moved = [
        i
        for i, (_, _, call, path) in enumerate(lines)
        if call.startswith(("link", "rename")) and path.endswith("-> " + ground.output)
    ]
    ground.expect(len(moved) == 1, "%d links or renames" % len(moved))
    for _, _, call, path in lines[moved[-1] + 1 :]:
        if call == "fsync" and path == ground.folder:
            break
        ground.expect(
            not call.startswith("unlink"), "removed before the folder was flushed: " + path
        )


@attack("M20", "Text in a Date column is counted and refused, or carried; it never becomes 0.")
def text_in_dates(ground):
    script = "UPDATE ZLETTER SET ZWRITTENON = 'yesterday' WHERE Z_PK % 3 = 0"
    query = "SELECT COUNT(*) FROM ZLETTER WHERE ZWRITTENON = 'yesterday'"
    ground.begin()
    change(ground.store, script)
    (expected,) = sqlite3.connect(ground.store).execute(query).fetchone()
    for arguments, got in both(ground, "Letters", "v4", script):
        where = ground.output if "--output" in arguments else ground.store
        if got.status == 0:
            (kept,) = sqlite3.connect(where).execute(query).fetchone()
            ground.expect(kept == expected, "%d of %d are kept" % (kept, expected), got)


@attack("M40", "A disk that fills while a ledger is made leaves none that is damaged.")
def ledger_on_full_disk(ground):
    models = ground.begin()
    kept = content(ground.store)
    disk = os.path.join(ground.folder, "disk")
    for size in (8, 40, 72, 104, 136, 168, 200, 264):
        os.makedirs(disk, exist_ok=True)
        options = "size=%dk" % size
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], stderr=subprocess.DEVNULL
        )
        if made.returncode:
            raise Skipped("no mount")
        output = os.path.join(ground.folder, "out-%d" % size)
        batch = ["batch", ground.store, "--output", output, "--models", models, "--to", "v5"]
        batch += ["--ledger", os.path.join(disk, "ledger.sqlite")]
        try:
            got = ground.run(*batch)
            ground.expect(got.status in (0, 73, 74), "a ledger in %d kB" % size, got)
            ground.expect(content(ground.store) == kept, "the store changed", got)
            subprocess.check_call(["mount", "-o", "remount,size=20m", disk])
            again = ground.run(*batch)
            ground.expect(again.status == 0, "does not go on after %d kB" % size, again)
        finally:
            subprocess.run(["umount", disk])
