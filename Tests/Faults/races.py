"""Two processes: races, dead and living owners, readers and writers beside a run."""

import os
import random
import signal
import sqlite3
import subprocess
import time

from command import Lab, environment, fresh, run
from going_on import go_on
from scenarios import known
from tally import Tally, spread, words


def start(arguments, faults=None):
    return subprocess.Popen(
        [Lab.command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(faults),
    )


def end(process, seconds=60):
    try:
        _, errors = process.communicate(timeout=seconds)
        return process.returncode, words(errors.decode("utf-8", "replace"))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, "hang"


def is_stopped(process, seconds=20):
    """Waits until the process has stopped itself; false where it ended before."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with open("/proc/%d/stat" % process.pid) as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
        if state in "Tt":
            return True
        if state in "ZX":
            return False
        time.sleep(0.002)
    return False


# MARK: Races


def race(kind, number):
    """Two commands at one store, the second a little later."""
    chance = random.Random("%s %d %d" % (kind, number, Lab.seed))
    scenario = known()[
        {
            "migrate+migrate": "place",
            "migrate+migrate --output": "output",
            "migrate+resume": "resume-middle",
            "resume+resume": "resume-middle",
            "resume+restart": "resume-middle",
            "rollback+migrate": "rollback",
            "rollback+rollback": "rollback-logged",
        }[kind]
    ]
    tally, folder = Tally(), fresh("race")
    scenario.prepare(folder)
    first, second = {
        "migrate+migrate": lambda: (scenario.arguments(folder),) * 2,
        "migrate+migrate --output": lambda: (scenario.arguments(folder),) * 2,
        "migrate+resume": lambda: (
            scenario.migrate_arguments(folder),
            scenario.resume_arguments(folder),
        ),
        "resume+resume": lambda: (scenario.resume_arguments(folder),) * 2,
        "resume+restart": lambda: (
            scenario.resume_arguments(folder),
            scenario.migrate_arguments(folder, "--restart"),
        ),
        "rollback+migrate": lambda: (
            scenario.arguments(folder),
            scenario.migrate_arguments(folder),
        ),
        "rollback+rollback": lambda: (scenario.arguments(folder),) * 2,
    }[kind]()
    pause = chance.choice([0, 0, 0.005, 0.01, 0.02, 0.03, 0.05])
    one = start(first)
    time.sleep(pause)
    two = start(second)
    a, b = end(one), end(two)
    state = scenario.state(folder)
    tally.add("races")
    tally.add("%s: %s and %s, then %s" % (kind, a[0], b[0], state.split(":")[0]))
    label = "%s number %d pause %.3f: %s | %s" % (kind, number, pause, a, b)
    for status, errors in (a, b):
        if status is None:
            tally.example("HANG", label)
        elif status < 0:
            tally.example("CRASH", label)
        elif status not in (0, 1, 6, 7, 73):
            tally.example("WRONG status %d: %s" % (status, errors[:120]), label)
    if state.startswith("LOST"):
        tally.example("LOST: " + state[:60], label)
    # A migrate that finds an unfinished run says so under the lease, and a resume at that moment that the
    # lease is taken. What is left then goes on below.
    is_unfinished = kind == "migrate+resume" and (a[0], b[0]) == (7, 6)
    if not state.startswith("LOST") and a[0] != 0 and b[0] != 0 and not is_unfinished:
        tally.example("neither of two succeeded", label)
    names = (
        os.listdir(scenario.destination(folder) + ".waystone")
        if os.path.isdir(scenario.destination(folder) + ".waystone")
        else []
    )
    if any(n.startswith("hop-") for n in names) and not is_unfinished:
        tally.example("checkpoints left after a race", label)
    if state == "before" or scenario.verb != "rollback":
        went = go_on(scenario, folder, tally, label) if scenario.verb != "rollback" else "went on"
        if went.startswith(("LOST", "STUCK")):
            tally.example(went[:200], label)
    return tally, {"race": label, "state": state}


# MARK: Owners


def owners(_, number):
    """A killed owner is taken over; a stopped one is not."""
    tally, folder = Tally(), fresh("race")
    scenario = known()[["place", "output", "heavy-library", "place-logged"][number % 4]]
    scenario.prepare(folder)
    at = int(len(scenario.trace("WS")) * [0.2, 0.4, 0.55, 0.7, 0.8][number // 4 % 5])
    owner = start(
        scenario.arguments(folder),
        {"FAULT_ROOT": folder, "FAULT_MODE": "stop", "FAULT_AT": at, "FAULT_CLASSES": "WS"},
    )
    label = "%s stopped at %d" % (scenario.name, at)
    tally.add("owners")
    if not is_stopped(owner):
        end(owner)
        tally.example("the owner did not stop", label)
        return tally, None
    for arguments in (
        scenario.arguments(folder),
        scenario.resume_arguments(folder),
        scenario.migrate_arguments(folder, "--restart"),
        ["rollback", scenario.source(folder)],
    ):
        got = run(*arguments, timeout=20)
        tally.add("beside a living owner %s: status %s" % (arguments[0], got.status))
        if got.status == 0:
            tally.example("WRONG SUCCESS beside a living owner", "%s %s" % (label, arguments[0]))
    owner.send_signal(signal.SIGKILL if number % 2 else signal.SIGCONT)
    status, errors = end(owner)
    state = scenario.state(folder)
    if number % 2 == 0 and (status != 0 or state != "after"):
        tally.example(
            "LOST: the owner, going on, ends with %s and %s" % (status, state[:40]),
            label + " " + errors,
        )
    if state.startswith("LOST"):
        tally.example(state[:60], label)
    else:
        went = go_on(scenario, folder, tally, label)
        tally.add("then: " + went.split(":")[0])
        if went.startswith(("LOST", "STUCK")):
            tally.example(went[:200], label)
    return tally, None


# MARK: Readers and writers


def beside(kind, number):
    """A connection of an app before, during and after the swap."""
    name, when = kind
    tally, folder = Tally(), fresh("race")
    scenario = known()[name]
    scenario.prepare(folder)
    path = scenario.source(folder)
    label = "%s, %s" % (name, when)
    tally.add("readers and writers")

    def app():
        return sqlite3.connect(path, isolation_level=None, timeout=0)

    def touch(database):
        """A write that no migration would make."""
        database.execute("UPDATE Z_METADATA SET Z_UUID = 'written-by-the-app'")

    def uuid(file):
        database = sqlite3.connect(file)
        try:
            return database.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()[0]
        finally:
            database.close()

    if when.startswith("before"):
        database = app()
        if when == "before: in a read":
            database.execute("BEGIN")
            database.execute("SELECT * FROM Z_METADATA").fetchall()
        if when == "before: in a write":
            database.execute("BEGIN IMMEDIATE")
            touch(database)
        if when == "before: idle":
            database.execute("SELECT * FROM Z_METADATA").fetchall()
        got = run(*scenario.arguments(folder))
        tally.add("%s: status %s" % (label, got.status))
        if when == "before: in a write":
            database.execute("COMMIT")
        if when == "before: idle" and got.status == 0 and scenario.mode == "place":
            # The app writes through the connection that it had: where does that go?
            try:
                touch(database)
                database.close()
                if uuid(path) != "written-by-the-app":
                    tally.example(
                        "LOST: an idle connection of before wrote into the backup, unnoticed", label
                    )
            except sqlite3.Error as error:
                tally.add("%s: its later write is refused: %s" % (label, error))
            return tally, None
        database.close()
        if when == "before: in a write" and uuid(path) != "written-by-the-app":
            tally.example("LOST: what the app committed is gone", label)
        if got.status == 0 and when == "before: in a write":
            tally.example("WRONG SUCCESS beside a writer", label)
        return tally, None

    trace = scenario.trace("WS")
    if when.startswith("during"):
        changes = [n for n, _, _, _ in trace]
        at = changes[int(len(changes) * [0.3, 0.5, 0.7, 0.9][number % 4])]
    else:
        names = [
            n
            for n, _, call, p in trace
            if call in ("rename", "renameat", "link", "linkat")
            and p.endswith(os.path.basename(scenario.destination(folder)))
        ]
        at = names[-1] + (1 if when.startswith("after the rename") else 0)
    process = start(
        scenario.arguments(folder),
        {"FAULT_ROOT": folder, "FAULT_MODE": "stop", "FAULT_AT": at, "FAULT_CLASSES": "WS"},
    )
    label += " at %d" % at
    if not is_stopped(process):
        end(process)
        tally.example("the run did not stop", label)
        return tally, None
    database, wrote = app(), None
    try:
        if when.endswith("read"):
            database.execute("BEGIN")
            database.execute("SELECT * FROM Z_METADATA").fetchall()
            wrote = "read"
        else:
            touch(database)
            wrote = "wrote"
    except sqlite3.Error as error:
        wrote = "was refused: %s" % error
    if when.endswith("closes"):
        database.close()
    process.send_signal(signal.SIGCONT)
    status, errors = end(process)
    if not when.endswith("closes"):
        database.close()
    tally.add("%s, %s: the app %s; status %s" % (name, when, wrote, status))
    # A reader in WAL mode makes a -wal of its own beside the source of an output.
    state = scenario.state(folder) if wrote != "wrote" and scenario.mode == "place" else ""
    if wrote == "wrote":
        if uuid(path) != "written-by-the-app":
            tally.example(
                "LOST: what the app wrote is gone", "%s: status %s %s" % (label, status, errors)
            )
        if (
            scenario.mode == "output"
            and status == 0
            and uuid(scenario.destination(folder)) != "written-by-the-app"
        ):
            tally.add("%s: the output is of the time before the write" % name)
        if (
            scenario.mode == "output"
            and status != 0
            and os.path.exists(scenario.destination(folder))
        ):
            tally.example("refused, but the output is there", label)
    elif state.startswith("LOST"):
        tally.example(state[:60], label)
    if status is None or status < 0:
        tally.example("CRASH or HANG", label)
    return tally, None


def one_race(item):
    function, kind, number = item
    return {"race": race, "owners": owners, "beside": beside}[function](kind, number)


def races(names=None):
    plan = []
    for kind in (
        "migrate+migrate",
        "migrate+migrate --output",
        "migrate+resume",
        "resume+resume",
        "resume+restart",
        "rollback+migrate",
        "rollback+rollback",
    ):
        plan += [("race", kind, n) for n in range(max(1, int(12 * Lab.scale)))]
    plan += [("owners", None, n) for n in range(max(1, int(20 * Lab.scale)))]
    for name in ("place", "place-unlogged", "output", "output-logged"):
        for when in (
            "before: idle",
            "before: in a read",
            "before: in a write",
            "during: a read",
            "during: a write",
            "during: a write that closes",
            "at the rename: a read",
            "at the rename: a write",
            "after the rename: a read",
            "after the rename: a write",
            "after the rename: a write that closes",
        ):
            for n in range(4 if when.startswith("during") else 1):
                plan.append(("beside", (name, when), n))
    known()
    return spread(one_race, plan, "races")
