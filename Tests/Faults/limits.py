"""Little memory, few descriptors, small files, closed streams, a full standard output, and, where this
user may mount a tmpfs, a disk that is really full."""

import os
import resource
import signal
import subprocess

from command import Lab, environment, fresh, run
from going_on import examine, go_on
from samples import generated, model
from scenario import Scenario
from scenarios import known
from tally import Tally, signal_name, spread, words
from races import end, is_stopped, start

MIB = 1 << 20


def scenario_of(name):
    if name == "big place":
        return learned(
            Scenario(
                name,
                generated("Letters", "v1", 20000),
                model("Letters"),
                "v5",
                options=["--history", "--no-fuse"],
            )
        )
    if name == "big heavy":
        return learned(Scenario(name, generated("Library", "v1", 8000), model("Library"), "v2"))
    return known()[name]


_learned = {}


def learned(scenario):
    if scenario.name not in _learned:
        scenario.learn()
        _learned[scenario.name] = scenario
    return _learned[scenario.name]


def full_disk(name, place):
    """The disk is filled while the run stands still at one of its changes, and emptied before the resume."""
    tally, folder = Tally(), fresh("full")
    scenario = scenario_of(name)
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], stderr=subprocess.DEVNULL
    )
    if made.returncode:
        tally.add("full disk: no mount here, left out")
        return tally, None
    try:
        scenario.prepare(folder)
        label = "%s, full disk at change %d" % (name, place)
        process = start(
            scenario.arguments(folder),
            {"FAULT_ROOT": folder, "FAULT_MODE": "stop", "FAULT_AT": place, "FAULT_CLASSES": "W"},
        )
        if not is_stopped(process):
            end(process)
            return tally, None
        filler = os.path.join(folder, "filler")
        with open(filler, "wb", buffering=0) as file:
            for size in (1 << 20, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass
        process.send_signal(signal.SIGCONT)
        status, errors = end(process)
        os.remove(filler)
        state = scenario.state(folder)
        tally.add("tried: full disk")
        tally.add("full disk: status %s, then %s" % (status, state.split(":")[0]))
        if status not in (0, 73, 74):
            tally.example("status %s on a full disk: %s" % (status, errors[:150]), label)
        if status == 0 and state != "after" or state.startswith("LOST"):
            tally.example("LOST: " + state[:60], label)
        else:
            went = go_on(scenario, folder, tally, label)
            tally.add("then: " + went.split(":")[0])
            if went.startswith(("LOST", "STUCK")):
                tally.example(went[:240], label)
    finally:
        subprocess.run(["umount", folder])
    return tally, None


def one(item):
    name, what, value = item
    if what == "full disk":
        return full_disk(name, value)
    tally, folder = Tally(), fresh()
    scenario = scenario_of(name)
    scenario.prepare(folder)
    arguments = scenario.arguments(folder)

    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        kind = {
            "address space": resource.RLIMIT_AS,
            "data": resource.RLIMIT_DATA,
            "descriptors": resource.RLIMIT_NOFILE,
            "file size": resource.RLIMIT_FSIZE,
            "stack": resource.RLIMIT_STACK,
        }.get(what)
        if kind is not None:
            resource.setrlimit(kind, (value, value))
        if what == "closed":
            for fd in value:
                os.close(fd)

    if what in ("closed", "full output"):
        script = {"full output": '"$0" "$@" > /dev/full'}.get(what) or '"$0" "$@" ' + " ".join(
            {0: "<&-", 1: ">&-", 2: "2>&-"}[fd] for fd in value
        )
        more = ["--progress", "ndjson"] if scenario.verb in ("migrate", "resume", "finish") else []
        process = subprocess.run(
            ["sh", "-c", script, Lab.command, *arguments, *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=Lab.seconds,
            env=environment(),
        )
        status, errors = process.returncode, process.stderr.decode("utf-8", "replace")
    else:
        got = run(*arguments, limits=limits)
        status, errors = got.status, got.errors
    tally.add("tried: " + what)
    shown = "%d MB" % (value // MIB) if what in ("address space", "data") else str(value)
    label = "%s, %s %s" % (name, what, shown)
    state = scenario.state(folder)
    ending = (
        "hang" if status is None else signal_name(status) if status < 0 else "status %d" % status
    )
    tally.add("%s: %s, then %s" % (what, ending, state.split(":")[0]))
    if status is None:
        tally.example("HANG", label)
    elif status < 0 or status in (132, 134, 139, 153):
        # Swift ends a process that gets no memory; then the run must go on later, as after a kill.
        is_memory = what in ("address space", "data", "stack")
        kind = "no memory, ends by a signal" if is_memory else "CRASH by a signal"
        shown = "%s: %s: %s" % (label, status, words(errors)[:160])
        tally.example("%s (%s)" % (kind, what), shown)
    elif status == 0 and state != "after":
        tally.example("WRONG SUCCESS", label)
    if state.startswith("LOST"):
        tally.example(state[:80], label)
        return tally, None
    went = go_on(scenario, folder, tally, label)
    tally.add("then: " + went.split(":")[0])
    if went.startswith(("LOST", "STUCK")):
        tally.example(went[:240], label)
    else:
        examine(scenario, folder, tally, label, True)
    return tally, {"limit": label, "status": status, "state": state, "went": went}


def limits(names=None):
    known()
    for name in ("big place", "big heavy"):
        scenario_of(name)
    plan = []
    for name in ("big place", "big heavy", "place", "output", "rollback"):
        sizes = (
            [1024, 512, 256, 192, 160, 144]
            + list(range(136, 108, -1 if name.startswith("big") else -4))
            + [96, 64, 32]
        )
        plan += [(name, "address space", s * MIB) for s in sizes]
    plan += [("big place", "data", s * MIB) for s in (64, 32, 24, 16, 12, 8, 4)]
    plan += [
        (name, "descriptors", n)
        for name in ("place", "output", "rollback", "heavy-library")
        for n in range(4, 20)
    ]
    plan += [
        (name, "file size", n)
        for name in ("place", "output", "rollback", "heavy-library")
        for n in (0, 100, 512, 1024, 4096, 20000, 65536, 100000, 140000, 150000, 160000)
    ]
    plan += [("place", "stack", s * MIB // 4) for s in (16, 8, 4, 2, 1)]
    plan += [
        (name, "closed", fds)
        for name in ("place", "output", "resume-middle", "rollback", "heavy-library", "finish")
        for fds in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2))
    ]
    plan += [
        (name, "full output", None)
        for name in ("place", "output", "resume-middle", "rollback", "finish")
    ]
    plan += [
        (name, "full disk", n) for name in ("big place", "big heavy") for n in range(20, 1500, 60)
    ]
    plan += [("rollback", "full disk", n) for n in range(1, 36, 3)]
    if Lab.scale < 1:
        plan = plan[:: max(1, int(1 / Lab.scale))]
    return spread(one, plan, "limits")
