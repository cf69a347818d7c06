"""Attacks by the places beside a store: the workspace, backups, external files, outputs."""

import json
import os
import shutil
import subprocess

from attacks import Skipped, attack
from command import run
from content import content
from samples import copy_store, generated, model, support, with_external_files


def interrupted(ground, models, at="120"):
    """A run that was killed in the midst."""
    got = run(
        *ground.moves(models, "v5")[0],
        "--history",
        "--no-fuse",
        faults={
            "FAULT_ROOT": ground.folder,
            "FAULT_MODE": "after",
            "FAULT_AT": at,
            "FAULT_CLASSES": "WS",
        }
    )
    ground.expect(got.status == -9, "not killed", got)


@attack("C3", "A link in the workspace, or the workspace as a link, reaches nothing outside.")
def linked_workspace(ground):
    models = ground.begin()
    kept = content(ground.store)

    def folder_of_the_user():
        names = (
            "hop-0.sqlite",
            "hop-1.sqlite",
            "hop-0.sqlite-journal",
            "waystone-a/file",
            "notes.txt",
            "backup/1-S.sqlite",
            "journal.ndjson",
            "lease",
        )
        for name in names:
            ground.victim("folder/" + name)
        return os.path.join(ground.victims, "folder")

    def whole(path):
        os.symlink(folder_of_the_user(), path)

    def inside(name, target="folder"):
        def make(path):
            os.makedirs(path)
            folder = folder_of_the_user()
            os.symlink(
                folder if target == "folder" else os.path.join(folder, target),
                os.path.join(path, name),
            )

        return make

    def dangling(name):
        def make(path):
            os.makedirs(path)
            os.symlink(os.path.join(ground.victims, "new-" + name), os.path.join(path, name))

        return make

    makers = [
        whole,
        inside("waystone-x"),
        inside("waystone-12345678"),
        inside("backup"),
        inside("hop-0.sqlite", "hop-0.sqlite"),
        inside("hop-0.sqlite-journal", "notes.txt"),
        inside("hop-0.sqlite-wal", "notes.txt"),
        inside("journal.ndjson", "journal.ndjson"),
        inside("lease", "lease"),
        inside("lock", "notes.txt"),
        inside("hop-3.sqlite", "notes.txt"),
    ]
    makers += [
        dangling(n) for n in ("hop-0.sqlite", "journal.ndjson", "lease", "backup", "hop-2.sqlite")
    ]
    for make in makers:
        for verb in ("place", "output", "restart", "resume", "rollback", "clean"):
            ground.again()
            make((ground.output if verb == "output" else ground.store) + ".waystone")
            place, output = ground.moves(models, "v5")
            arguments = {
                "place": place,
                "output": output,
                "restart": [*place, "--restart"],
                "resume": ["resume", ground.store, "--models", models],
                "rollback": ["rollback", ground.store, "--force"],
                "clean": ["clean", ground.store],
            }[verb]
            got = ground.run(*arguments)
            if got.status != 0:
                ground.expect(content(ground.store) == kept, "the store changed", got)


@attack("C3", "An interrupted run whose files were replaced by links writes to nothing outside.")
def replaced_checkpoints(ground):
    models = ground.begin()
    kept = content(ground.store)
    for name in (
        "hop-0.sqlite",
        "journal.ndjson",
        "lease",
        "hop-0.sqlite-journal",
        "hop-0.sqlite-wal",
        "hop-2.sqlite",
        "hop-3.sqlite",
    ):
        for verb in ("resume", "restart"):
            ground.again()
            interrupted(ground, models)
            path = os.path.join(ground.workspace, name)
            victim = ground.victim(name)
            if os.path.exists(path):
                shutil.copyfile(path, victim)
                os.remove(path)
            os.symlink(victim, path)
            arguments = ["resume", ground.store, "--models", models]
            if verb == "restart":
                arguments = [*ground.moves(models, "v5")[0], "--history", "--no-fuse", "--restart"]
            got = ground.run(*arguments)
            if got.status != 0:
                ground.expect(content(ground.store) == kept, "the store changed: " + name, got)


@attack("M12", "A pipe or a device in the workspace is refused at once.")
def odd_workspace(ground):
    models = ground.begin()
    for name in ("journal.ndjson", "lease", "hop-0.sqlite", "hop-0.sqlite-journal", "backup"):
        for make in (os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir):
            for verb in ("place", "resume", "rollback", "clean"):
                ground.again()
                os.makedirs(ground.workspace)
                make(os.path.join(ground.workspace, name))
                arguments = {
                    "place": ground.moves(models, "v5")[0],
                    "rollback": ["rollback", ground.store],
                    "resume": ["resume", ground.store, "--models", models],
                    "clean": ["clean", ground.store],
                }[verb]
                got = ground.run(*arguments)
                ground.expect(got.seconds < 5, "%s with %s took long" % (verb, name), got)


@attack("M14", "A workspace on another file system is found before the first hop.")
def other_file_system(ground):
    models = ground.begin()
    kept = content(ground.store)
    for name in ("", "backup"):
        for place in (0, 1):
            ground.again()
            base = (ground.output if place else ground.store) + ".waystone"
            path = os.path.join(base, name) if name else base
            os.makedirs(path)
            made = subprocess.run(
                ["mount", "-t", "tmpfs", "tmpfs", path], stderr=subprocess.DEVNULL
            )
            if made.returncode:
                raise Skipped("no mount")
            try:
                got = ground.run(*ground.moves(models, "v5")[place])
                if name:
                    ground.ran_no_hop(got, base)
                else:
                    hops = [n for n in os.listdir(path) if n.startswith("hop-")]
                    ground.expect(not hops, "hops ran before it was found", got)
            finally:
                subprocess.run(["umount", path])
            if place and name:
                continue
            # A backup there can be a copy instead of a link.
            right = (0, 73, 74) if name else (73, 74)
            ground.expect(got.status in right, "not refused", got)
            if got.status != 0:
                ground.expect(content(ground.store) == kept, "the store changed", got)


@attack("C9", "An output that would share the source's external files is refused.")
def shared_external_files(ground):
    models = model("Letters")
    for name in ("S.v4", "S.db", "S"):
        ground.again()
        for path in (ground.store, support(ground.store)):
            shutil.rmtree(path, ignore_errors=True)
        os.remove(ground.store)
        copy_store(with_external_files(generated("Letters", "v1", 60)), ground.store)
        kept = content(ground.store)
        output = os.path.join(ground.folder, name + "-out" if name == "S" else name)
        if name == "S":
            continue
        got = ground.run(
            "migrate", ground.store, "--to", "v4", "--output", output, "--models", models
        )
        ground.expect(got.status in (2, 73), "not refused", got)
        ground.expect(content(ground.store) == kept, "the source changed", got)


@attack("M2", "`rollback --force` works over a present store that is garbage, empty or missing.")
def rollback_over_garbage(ground):
    models = ground.begin()
    original = content(ground.store)
    for kind in ("garbage", "empty", "missing", "folder"):
        ground.again()
        got = ground.run(*ground.moves(models, "v5")[0])
        ground.expect(got.status == 0, "not migrated", got)
        os.remove(ground.store)
        if kind == "folder":
            os.mkdir(ground.store)
        elif kind != "missing":
            with open(ground.store, "wb") as file:
                file.write(b"garbage " * 3000 if kind == "garbage" else b"")
        got = ground.run("rollback", ground.store, "--force")
        if kind == "folder":
            continue
        right = got.status == 0 and content(ground.store) == original
        ground.expect(right, "the original is not back over a store that is " + kind, got)


@attack("M3", "A backup that is a link, damaged or no store is never put in place.")
def bad_backups(ground):
    models = ground.begin()
    for kind in ("link", "garbage", "empty", "cut", "pipe"):
        for force in ([], ["--force"]):
            ground.again()
            ground.run(*ground.moves(models, "v5")[0])
            after = content(ground.store)
            folder = os.path.join(ground.workspace, "backup")
            (name,) = [n for n in os.listdir(folder) if n.endswith("-S.sqlite")]
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                data = file.read()
            os.remove(path)
            if kind == "link":
                os.symlink(ground.victim("other.sqlite", data), path)
            elif kind == "pipe":
                os.mkfifo(path)
            else:
                with open(path, "wb") as file:
                    file.write(
                        {"garbage": b"garbage " * 4000, "empty": b"", "cut": data[:9000]}[kind]
                    )
            got = ground.run("rollback", ground.store, *force)
            ground.expect(got.status != 0, "a backup that is a %s is taken" % kind, got)
            kept = os.path.exists(ground.store) and content(ground.store) == after
            ground.expect(kept, "the store changed (%s)" % kind, got)


@attack("M5", "After two migrations each backup can be listed and reached.")
def two_backups(ground):
    models = ground.begin()
    first = content(ground.store)
    ground.run(*ground.moves(models, "v3")[0])
    ground.run(*ground.moves(models, "v5")[0])
    got = ground.run("rollback", ground.store, "--list", "--format", "json")
    ground.expect(got.status == 0, "no list", got)
    try:
        listed = json.loads(got.output)
    except ValueError:
        listed = {}
    runs = next((v for v in listed.values() if isinstance(v, list)), [])
    ground.expect(len(runs) == 2, "%d runs are listed" % len(runs), got)
    if len(runs) != 2:
        return
    for entry in runs:
        name = str(next((entry[k] for k in ("run", "id", "name") if k in entry), ""))
        if "v1" in json.dumps(entry):
            got = ground.run("rollback", ground.store, "--to", name)
            right = got.status == 0 and content(ground.store) == first
            ground.expect(right, "the first state is not back", got)


@attack(
    "M1", "What already lies where an output's external files go is never written through or over."
)
def occupied_support(ground):
    models = model("Letters")
    for kind in ("link to a folder", "link at a name", "other content", "link above", "partial"):
        ground.again()
        shutil.rmtree(support(ground.store), ignore_errors=True)
        os.remove(ground.store)
        copy_store(with_external_files(generated("Letters", "v1", 60)), ground.store)
        first, *_ = sorted(os.listdir(support(ground.store)))
        folder = support(ground.output)
        victim = ground.victim("folder/" + first)
        if kind == "link to a folder":
            os.makedirs(os.path.dirname(folder))
            os.symlink(os.path.dirname(victim), folder)
        elif kind == "link above":
            os.makedirs(os.path.join(ground.victims, "above", "_EXTERNAL_DATA"))
            os.symlink(os.path.join(ground.victims, "above"), os.path.dirname(folder))
        else:
            os.makedirs(folder)
            path = os.path.join(folder, ".waystone-partial" if kind == "partial" else first)
            if kind == "other content":
                with open(path, "wb") as file:
                    file.write(b"another")
            else:
                os.symlink(victim, path)
        got = ground.run(
            "migrate", ground.store, "--to", "v4", "--output", ground.output, "--models", models
        )
        if got.status == 0:
            right = all(
                same(os.path.join(support(ground.store), n), os.path.join(folder, n))
                for n in os.listdir(support(ground.store))
            )
            ground.expect(right, "not the store's files (%s)" % kind, got)


def same(one, two):
    if os.path.islink(two) or not os.path.isfile(two):
        return False
    with open(one, "rb") as a, open(two, "rb") as b:
        return a.read() == b.read()
