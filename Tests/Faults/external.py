"""Hostile folders of external data: links, pipes, devices, odd names, giants, files gone or astray.

A store with values in files beside it gets a folder that a seed made hostile, and is migrated, with an
output or in place. What lies outside must be untouched and unread, the source's folder unchanged, and a
success must have every file that a row refers to and that is a plain file, byte by byte.
"""

import os
import random
import shutil

from attacks import snapshot
from command import Lab, fresh, run
from content import connect, problems, sha, support
from samples import copy_store, generated, model, with_external_files
from tally import Tally, signal_name, spread, words

COUNT = 500
# More than all that a hostile folder rightly holds, five files of 32 MB among it: what a run writes may
# not exceed it.
MOST = 192 << 20


def name_of(number):
    return "0F0E0D0C-0B0A-4908-8706-05040302%04X" % number


def deeds(folder, victims, chance):
    """What can be done to a folder: each a name and a function, which may raise OSError."""
    at = lambda name: os.path.join(folder, name)
    some = name_of(chance.randrange(6))
    victim = os.path.join(victims, "victim-%d" % chance.randrange(3))

    def anew(make):
        """Something else in the place of a file that a row refers to, or beside it."""

        def do():
            name = some if chance.random() < 0.6 else name_of(100 + chance.randrange(20))
            if os.path.lexists(at(name)):
                os.remove(at(name)) if not os.path.isdir(at(name)) else shutil.rmtree(at(name))
            make(at(name))

        return do

    def write(path, data=b"astray", size=None):
        with open(path, "wb") as file:
            file.write(data)
            if size:
                file.truncate(size)

    odd = [b"\xff\xfe", b"a\nb", b"-rf", b"..x", b" ", b"%s%n", b"x" * 255, b"\x1b[31m", b"S.sqlite",
           b".waystone-partial", "é".encode(), "e\u0301".encode(), b"*", b"$(id)"]  # fmt: skip
    return {
        "link to a file": anew(lambda p: os.symlink(victim, p)),
        "link to a folder": anew(lambda p: os.symlink(victims, p)),
        "link to zeros": anew(lambda p: os.symlink("/dev/zero", p)),
        "dangling link": anew(lambda p: os.symlink(os.path.join(victims, "new"), p)),
        "link to itself": anew(lambda p: os.symlink(os.path.basename(p), p)),
        "relative link": anew(lambda p: os.symlink(os.path.relpath(victim, folder), p)),
        "hard link": anew(lambda p: os.link(victim, p)),
        "pipe": anew(os.mkfifo),
        "device": anew(lambda p: os.mknod(p, 0o20666, os.makedev(1, 5))),
        "folder": anew(lambda p: (os.mkdir(p), write(os.path.join(p, "inner")))),
        "no file": anew(lambda p: None),
        "no file at all": lambda: [
            os.remove(at(n)) for n in os.listdir(folder) if os.path.isfile(at(n))
        ],
        "empty file": anew(lambda p: write(p, b"")),
        "orphan": lambda: write(at(name_of(200 + chance.randrange(99)))),
        "many orphans": lambda: [write(at(name_of(300 + i))) for i in range(200)],
        "odd name": lambda: write(os.path.join(os.fsencode(folder), chance.choice(odd))),
        "odd folder": lambda: os.mkdir(os.path.join(os.fsencode(folder), chance.choice(odd))),
        "sparse": anew(lambda p: write(p, size=32 << 20)),
        "giant": anew(lambda p: write(p, size=7 << 40)),
        "of another": anew(lambda p: (write(p), os.chown(p, 12345, 12345))),
        "unreadable": anew(lambda p: (write(p), os.chmod(p, 0))),
        "closed folder": lambda: os.chmod(folder, 0),
        "same size": lambda: write(plain(at(some)), bytes(os.path.getsize(at(some)))),
    }


def whole(path, victims, chance):
    """The folder itself, or the one above it, as something else."""
    kind = chance.choice(["link", "link above", "file", "pipe", "dangling", "gone"])
    above = os.path.dirname(path)
    target = os.path.join(victims, "folder")
    if kind == "link above":
        os.rename(above, os.path.join(victims, "above"))
        os.symlink(os.path.join(victims, "above"), above)
    else:
        shutil.rmtree(path)
        if kind == "link":
            os.makedirs(target, exist_ok=True)
            os.symlink(target, path)
        elif kind == "dangling":
            os.symlink(os.path.join(victims, "new"), path)
        elif kind == "file":
            open(path, "wb").close()
        elif kind == "pipe":
            os.mkfifo(path)
    return "all: " + kind


def one_external(seed):
    chance = random.Random("external %s %d" % (seed, Lab.seed))
    tally, folder = Tally(), fresh()
    path, output = os.path.join(folder, "S.sqlite"), os.path.join(folder, "O.sqlite")
    copy_store(with_external_files(generated("Letters", "v1", 60)), path)
    victims = os.path.join(Lab.work, "victims-%d" % os.getpid())
    shutil.rmtree(victims, ignore_errors=True)
    os.makedirs(victims)
    for i in range(3):
        with open(os.path.join(victims, "victim-%d" % i), "wb") as file:
            file.write(b"a file of the user %d" % i)
    made = []
    if seed is None:
        made.append("nothing")
    elif chance.random() < 0.12:
        made.append(whole(support(path), victims, chance))
    else:
        for _ in range(chance.choice([1, 1, 2, 3, 5])):
            possible = deeds(support(path), victims, chance)
            kind = chance.choice(sorted(possible))
            try:
                possible[kind]()
                made.append(kind)
            except (OSError, ValueError):
                tally.add("not possible here: " + kind)
    label = "seed %s: %s" % (seed, ", ".join(made))
    before, outside = snapshot(os.path.dirname(support(path))), snapshot(victims)
    is_place = seed is not None and seed % 3 == 0
    more = [] if is_place else ["--output", output]
    got = run("migrate", path, "--to", "v4", "--models", model("Letters"), *more)
    tally.add("tried")
    tally.add("in place" if is_place else "with an output")
    tally.add("status %s" % got.status)
    shown = "%s -> %s: %s" % (label, got.status, words(got.errors)[:200])
    if got.status is None:
        tally.example("HANG", shown)
    elif got.status < 0:
        tally.example("CRASH by %s" % signal_name(got.status), shown)
    if snapshot(victims) != outside:
        tally.example("OUTSIDE: a victim changed", shown)
    if snapshot(os.path.dirname(support(path))) != before:
        tally.example("LOST: the source's external files changed", shown)
    if written(folder, path) > MOST:
        tally.example("OUTSIDE: more was written than the store holds", shown)
    if got.status == 0:
        judge(tally, shown, path if is_place else output, path, got)
    elif not is_place and os.path.lexists(output):
        tally.example("LOST: refused, but an output is there", shown)
    elif not is_place and os.path.lexists(support(output)):
        # What a run that can be resumed has copied may stay for it.
        if not os.path.exists(output + ".waystone/journal.ndjson"):
            tally.example("LOST: refused, but the output's external files are there", shown)
    if os.path.isdir(support(path)):
        os.chmod(support(path), 0o755)
    return tally, {"external": label, "status": got.status}


def plain(path):
    """The path of a plain file; a pipe would wait for somebody who reads it."""
    if not os.path.isfile(path):
        raise ValueError(path)
    return path


def written(folder, path):
    """The room that was taken besides the source."""
    total = 0
    for base, _, files in os.walk(folder):
        if base.startswith(os.path.dirname(support(path))):
            continue
        total += sum(os.lstat(os.path.join(base, n)).st_blocks * 512 for n in files)
    return total


def judge(tally, shown, result, source, got):
    """Every plain file that a row refers to is there; what is not one is said."""
    wrong = problems(result, "integrity_check")
    if wrong:
        tally.example("WRONG SUCCESS: the result is damaged", shown + wrong)
    database = connect(result)
    rows = database.execute("SELECT ZPICTURE FROM ZENCLOSURE WHERE ZPICTURE IS NOT NULL").fetchall()
    database.close()
    names = [bytes(v[1:-1]).decode() for v, in rows if bytes(v[:1]) == b"\x02"]
    if len(names) != 6:
        tally.example("WRONG SUCCESS: %d of 6 references" % len(names), shown)
    said = got.output + got.errors
    for name in names:
        old, new = (os.path.join(support(p), name) for p in (source, result))
        if os.path.isfile(old) and not os.path.islink(old):
            # In place a file stays where it is; a giant one of holes would take hours to read.
            is_carried = not os.path.islink(new) and os.path.isfile(new)
            if not is_carried or not os.path.samefile(old, new) and sha(old) != sha(new):
                tally.example("WRONG SUCCESS: a file is not carried", shown)
        elif "WS506" not in said:
            tally.example("WRONG SUCCESS: a file is missing, unsaid", shown)
        if os.path.islink(new) and result != source:
            tally.example("WRONG SUCCESS: a link was carried", shown)


def external(names=None):
    plan = [int(n) for n in names] if names else range(Lab.count(COUNT))
    return spread(one_external, list(plan), "external")
