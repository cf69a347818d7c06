"""Damaged and hostile stores.

Six stores, each mutated by a seed, are migrated under limits of time and memory; in turn also inspected,
planned, verified, digested, salvaged and migrated in place.

A success is wrong where the result is damaged, where it does not hold what plain SQL reads from the
mutant (meanings.py), or where SQLite's quick_check finds the mutant damaged and the command did not.
"""

import os
import random
import resource
import select
import subprocess
import time

from command import Lab, environment, fresh, run, temporary
from comparison import difference, reading
from content import problems, sha
from meanings import stores
from mutation import mutate
from samples import copy_store, model
from tally import Tally, signal_name, spread, words

MEMORY = 1 << 30
COUNT = 20000


def limited():
    """Limits this process, from which its commands inherit it: a limit set after fork is dear."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measured(arguments):
    """Status, output, errors, seconds and the greatest memory in KiB."""
    folder = temporary()
    out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
    began = time.monotonic()
    with open(out, "wb") as output, open(err, "wb") as errors:
        process = subprocess.Popen(
            [Lab.command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=environment(),
        )
    end = select.poll()
    descriptor = os.pidfd_open(process.pid)
    end.register(descriptor, select.POLLIN)
    is_late = not end.poll(Lab.seconds * 1000)
    os.close(descriptor)
    if is_late:
        process.kill()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if is_late:
        return None, "", "", seconds, usage.ru_maxrss
    texts = []
    for each in (out, err):
        with open(each, errors="replace") as file:
            texts.append(file.read())
    return (process.returncode, *texts, seconds, usage.ru_maxrss)


def state_of(path):
    return {
        s: (sha(path + s), os.stat(path + s).st_mtime_ns)
        for s in ("", "-wal", "-journal")
        if os.path.exists(path + s)
    }


def commands_for(seed, path, output, to, models, consent):
    """The migration always, and one other command in turn."""
    others = [
        ("inspect", ["inspect", path, "--models", models]),
        ("plan", ["plan", path, "--to", to, "--models", models]),
        ("verify", ["verify", path, "--models", models]),
        ("digest", ["digest", path]),
    ]
    move = ["migrate", path, "--to", to, "--output", output, "--models", models, *consent]
    return [others[seed % 4], ("migrate", move)] if seed % 3 != 1 else [("migrate", move)]


def one_mutant(item):
    index, seed = item
    limited()
    name, store, archive, to, before, after = stores()[index]
    chance = random.Random("%s %d" % (name, seed))
    tally = Tally()
    folder = fresh()
    path, output = os.path.join(folder, "S.sqlite"), os.path.join(folder, "O.sqlite")
    copy_store(store, path)
    kind = mutate(path, chance)
    label = "--only %s:%d (%s)" % (name, seed, kind[:150])
    tally.add("mutants")
    tally.add("mutants of " + name)
    models = model(archive)
    consent = Lab.consent("migrate", models)
    original = state_of(path)
    record = {"mutant": label}
    for verb, arguments in commands_for(seed, path, output, to, models, consent):
        status, out, errors, seconds, memory = measured(arguments)
        record[verb] = [status, round(seconds, 3), memory]
        note(tally, label, verb, status, errors, seconds, memory)
        if state_of(path) != original:
            shown = "%s: %s -> %s" % (label, verb, words(errors)[:200])
            tally.example("LOST: the original changed (%s)" % verb, shown)
            original = state_of(path)
    if status == 0:
        judge(tally, record, label, path, output, before, after)
    elif os.path.exists(output):
        tally.example("LOST: refused, but the output is there", label)
    elif os.path.exists(output + ".waystone"):
        tally.add("refused, and the folder of the run is left")
    if status == 65 and seed % 4 == 0:
        salvage(tally, label, path, arguments, before, after)
    if seed % 6 == 0:
        in_place(tally, label, path, ["--to", to, "--models", models, *consent], before, after)
    return tally, record


def note(tally, label, verb, status, errors, seconds, memory):
    """What one command says of a mutant."""
    shown = "%s: %s -> %s" % (label, verb, words(errors)[:200])
    tally.add("commands")
    ending = status if status is None or status >= 0 else signal_name(status)
    tally.add("%s: status %s" % (verb, ending))
    if status is None:
        tally.example("HANG (%s)" % verb, shown)
    elif status < 0:
        tally.example("CRASH by %s (%s)" % (ending, verb), shown)
    elif status and "error:" not in errors and verb != "verify":
        tally.example("no error text (%s, status %d)" % (verb, status), shown)
    elif status in (74, 73, 2):
        text = words(errors)[:110]
        tally.example("status %d for a damaged store (%s): %s" % (status, verb, text), label, 2)
    if "lease report" in errors:
        text = words(errors)[:110]
        tally.example("asks for a report (%s, status %s): %s" % (verb, status, text), label, 2)
    if memory > 300 << 10:
        tally.example("more than 300 MB (%s)" % verb, "%s: %d MB" % (shown, memory >> 10))
    if seconds > 5:
        tally.example("more than 5 s (%s)" % verb, "%s: %.1f s" % (shown, seconds))


def judge(tally, record, label, path, output, before, after):
    """Whether a success is one."""
    tally.add("migrated")
    expected, found = reading(path, before), reading(output, after)
    wrong = problems(output, "integrity_check")
    if wrong:
        tally.example("WRONG SUCCESS: the result is damaged", "%s: %s" % (label, wrong))
    wrong = problems(path, "quick_check")
    if wrong:
        tally.example("WRONG SUCCESS: the source is damaged, unsaid", "%s: %s" % (label, wrong))
    if isinstance(found, str):
        tally.example("WRONG SUCCESS: the result cannot be read", "%s: %s" % (label, found))
    elif isinstance(expected, str):
        tally.example("WRONG SUCCESS: SQLite cannot read all", "%s: %s" % (label, expected))
    else:
        wrong = difference(expected, found)
        if wrong is None:
            tally.add("migrated, and the result is right")
        else:
            tally.example("WRONG SUCCESS: the content differs", "%s: %s" % (label, wrong))
        record["wrong"] = wrong


def salvage(tally, label, path, arguments, before, after):
    """What can be read of a damaged store, with the account of what cannot."""
    if "--accept-damaged-source" not in run("help", "migrate").output:
        return
    output = os.path.join(os.path.dirname(path), "R.sqlite")
    original = state_of(path)
    place = arguments.index("--output")
    arguments = arguments[: place + 1] + [output] + arguments[place + 2 :]
    status, out, errors, seconds, memory = measured([*arguments, "--accept-damaged-source"])
    note(tally, label, "salvage", status, errors, seconds, memory)
    if state_of(path) != original:
        tally.example("LOST: the original changed (salvage)", label)
    if status != 0:
        return
    wrong = problems(output, "integrity_check")
    if wrong:
        tally.example("WRONG SUCCESS: what was salvaged is damaged", "%s: %s" % (label, wrong))
    if "unread" not in out + errors and "damage" not in out + errors:
        tally.example("WRONG SUCCESS: salvaged, without an account", label)
    if isinstance(reading(output, after), str):
        tally.example("WRONG SUCCESS: what was salvaged cannot be read", label)


def in_place(tally, label, path, arguments, before, after):
    expected = reading(path, before)
    status, _, errors, seconds, memory = measured(["migrate", path, *arguments])
    note(tally, label, "in place", status, errors, seconds, memory)
    now = reading(path, after if status == 0 else before)
    if status == 0 and isinstance(now, str):
        tally.example("WRONG SUCCESS in place: cannot be read", "%s: %s" % (label, now))
    elif isinstance(expected, str) or isinstance(now, str):
        if isinstance(expected, str) != isinstance(now, str):
            shown = "%s: %s; %s" % (label, str(expected)[:90], str(now)[:90])
            tally.example("LOST in place: readable before or after only", shown)
    else:
        wrong = difference(expected, now)
        if wrong:
            kind = "WRONG SUCCESS in place" if status == 0 else "LOST in place (status %s)" % status
            tally.example(kind + ": the content differs", "%s: %s" % (label, wrong))


def mutants(names=None):
    all_stores = stores()
    if names:
        plan = [
            ([s[0] for s in all_stores].index(n.split(":")[0]), int(n.split(":")[1])) for n in names
        ]
    else:
        many = len(all_stores)
        plan = [(i % many, Lab.seed * 100000 + i) for i in range(Lab.count(COUNT))]
    return spread(one_mutant, plan, "mutants")
