"""Attacks by a project's folder: its git repository, its lock, and logs that only look empty."""

import os
import shutil
import signal
import sqlite3
import subprocess
import time

from attacks import Skipped, attack
from command import Lab


def git(folder, *arguments):
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def repository(ground):
    """A repository with one model, committed and tagged."""
    if not shutil.which("git"):
        raise Skipped("no git")
    folder = os.path.join(ground.folder, "r")
    os.makedirs(folder)
    shutil.copytree(os.path.join(Lab.archive, "Trips"), folder + "/Trips")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "v1")
    return folder


def commands(folder):
    """Commands that ask git."""
    sources = folder + "/Trips/Sources"
    return [
        ["check", "--models", sources, "--changed-only", "v1"],
        ["coverage", "--models", sources, "--changed-only", "v1"],
        ["versions", "--models", sources + "@v1"],
        ["coverage", "--models", sources, "--format", "html"],
    ]


@attack("G1", "Git runs no filter, hook or monitor that a repository names.")
def programs_of_the_repository(ground):
    folder = repository(ground)
    script = ground.folder + "/evil.sh"
    with open(script, "w") as file:
        file.write("#!/bin/sh\necho ran >> %s/ran\ncat\n" % ground.folder)
    os.chmod(script, 0o755)
    os.makedirs(ground.folder + "/hooks")
    shutil.copy(script, ground.folder + "/hooks/post-index-change")
    git(folder, "config", "filter.x.clean", script)
    git(folder, "config", "filter.x.process", script)
    git(folder, "config", "diff.x.textconv", script)
    git(folder, "config", "core.hooksPath", ground.folder + "/hooks")
    git(folder, "config", "core.fsmonitor", script)
    git(folder, "config", "core.pager", script)
    with open(folder + "/.git/info/attributes", "w") as file:
        file.write("* filter=x diff=x\n")
    for path in os.listdir(folder + "/Trips/Sources"):
        os.utime(folder + "/Trips/Sources/" + path)
    for arguments in commands(folder):
        got = ground.run(*arguments, cwd=folder, command=Lab.swift_reader)
        ground.expect(got.status in (0, 1), "refused", got)
        ground.expect(not os.path.exists(ground.folder + "/ran"), "a program ran", got)


@attack("G2", "A pipe in a git repository neither stops a command nor leaves git behind.")
def pipes_in_the_repository(ground):
    folder = repository(ground)
    os.mkfifo(ground.folder + "/pipe")
    git(folder, "config", "include.path", ground.folder + "/pipe")
    for arguments in commands(folder):
        got = ground.run(*arguments, cwd=folder, command=Lab.swift_reader)
        ground.expect(got.status in (0, 1), "refused for what is not read", got)
    for name in ["HEAD", "packed-refs", "refs/tags/pipe", "objects/pack/x.idx", "shallow"]:
        path = folder + "/.git/" + name
        kept = None
        if os.path.exists(path):
            with open(path, "rb") as file:
                kept = file.read()
            os.remove(path)
        os.mkfifo(path)
        for arguments in commands(folder)[:3]:
            got = ground.run(*arguments, cwd=folder, command=Lab.swift_reader)
            ground.refused(got, 65)
            ground.expect("pipe" in got.errors, "the pipe at %s is not named" % name, got)
        os.remove(path)
        if kept is not None:
            with open(path, "wb") as file:
                file.write(kept)


@attack("G3", "Git ends with a command that is killed.")
def killed_while_git_waits(ground):
    folder = repository(ground)
    # A git that waits, as for a disk that does not answer.
    os.makedirs(ground.folder + "/bin")
    with open(ground.folder + "/bin/git", "w") as file:
        file.write("#!/bin/sh\necho $$ > %s/pid\nexec sleep 300\n" % ground.folder)
    os.chmod(ground.folder + "/bin/git", 0o755)
    path = ground.folder + "/bin:" + os.environ["PATH"]
    process = subprocess.Popen(
        [Lab.swift_reader, *commands(folder)[0]],
        env={**os.environ, "PATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 10
    pid = ""
    while time.monotonic() < end and not pid:
        time.sleep(0.05)
        if os.path.exists(ground.folder + "/pid"):
            with open(ground.folder + "/pid") as file:
                pid = file.read().strip()
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.5)
    ground.expect(bool(pid), "git was not run")
    if pid:
        state = ""
        if os.path.exists("/proc/%s/stat" % pid):
            with open("/proc/%s/stat" % pid) as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
        ground.expect(state in ("", "Z"), "git outlives the command")


@attack("G4", "A lock that is a link which leads nowhere is refused at once.")
def dangling_lock(ground):
    folder = os.path.join(ground.folder, "m")
    shutil.copytree(os.path.join(Lab.archive, "Letters.xcdatamodeld"), folder + "/L.xcdatamodeld")
    os.symlink("/nonexistent-target", folder + "/waystone.lock")
    got = ground.run("lock", "--models", folder, cwd=folder)
    ground.refused(got, 66, 73)


@attack("L1", "A log that SQLite does not read is kept with the backup, whatever is wrong with it.")
def log_is_kept(ground):
    for place in (0, 16, 24, 48):
        models = ground.again()
        database = sqlite3.connect(ground.store, isolation_level=None)
        database.execute("PRAGMA journal_mode = wal")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("UPDATE ZLETTER SET ZTITLE = 'weeks of work' || Z_PK")
        with open(ground.store, "rb") as file:
            content = file.read()
        with open(ground.store + "-wal", "rb") as file:
            log = bytearray(file.read())
        database.close()
        log[place] ^= 1
        with open(ground.store, "wb") as file:
            file.write(content)
        with open(ground.store + "-wal", "wb") as file:
            file.write(log)
        got = ground.run(*ground.moves(models, "v5")[0])
        ground.expect(got.status == 0, "refused", got)
        backup = ground.workspace + "/backup"
        copies = [n for n in os.listdir(backup) if n.startswith("unread-")] if os.path.isdir(backup) else []
        kept = []
        for name in copies:
            with open(backup + "/" + name, "rb") as file:
                kept.append(file.read())
        ground.expect(kept == [bytes(log)], "the log is lost, place %d" % place, got)
        ground.expect("unread-" in got.output + got.errors, "the copy is not named", got)


@attack("L2", "An output with the name of a file that belongs to the source is refused.")
def names_of_the_run(ground):
    for suffix in (".waystone", "-wal", "-shm", "-journal"):
        models = ground.again()
        arguments = ["migrate", ground.store, "--to", "v5", "--models", models]
        got = ground.run(*arguments, "--output", ground.store + suffix)
        ground.refused(got, 2, 73)
        got = ground.run(*ground.moves(models, "v5")[1])
        ground.expect(got.status == 0, "the source is blocked", got)
        os.remove(ground.output)
