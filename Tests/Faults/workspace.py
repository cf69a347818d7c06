"""Damaged checkpoints and journals: what `resume` makes of a folder that something else changed.

A run is killed, its journal, a checkpoint or the lease is mutated by a seed, and the run resumed: the
store must be the original, or the result of an undisturbed run; `migrate --restart` must help where the
resume is refused.
"""

import os
import random
import shutil

from command import Lab, fresh, run, temporary
from going_on import go_on
from mutation import PAGE
from scenarios import known
from tally import Tally, spread, words

COUNT = 2000


def moved_away(scenario, folder, workspace, went):
    """Whether the error told to move the folder away, and a new run succeeds after that."""
    if os.path.basename(workspace) not in went or "ove " not in went:
        return False
    os.rename(workspace, os.path.join(temporary(), "moved"))
    got = run(*scenario.migrate_arguments(folder))
    shutil.rmtree(os.path.join(temporary(), "moved"))
    return got.status == 0 and scenario.state(folder) == "after"


def one_workspace(item):
    name, seed = item
    scenario = known()[name]
    chance = random.Random("workspace %s %d" % (name, seed))
    tally, folder = Tally(), fresh()
    scenario.prepare(folder)
    workspace = scenario.destination(folder) + ".waystone"
    files = sorted(
        n
        for n in os.listdir(workspace)
        if n == "journal.ndjson" or n.startswith("hop-") and n.endswith(".sqlite")
    )
    file = chance.choice(files + ["journal.ndjson"] * (seed % 2))
    path = os.path.join(workspace, file)
    with open(path, "rb") as old:
        data = bytearray(old.read())
    kind = chance.choice(["bits", "bits", "cell", "zeros", "cut", "line", "swap", "append"])
    at = chance.randrange(max(1, len(data)))
    if kind == "bits" and data:
        data[at] ^= 1 << chance.randrange(8)
    elif kind == "cell" and data:
        # In the text of a row: no structure is hurt.
        letters = [i for i in range(PAGE, len(data)) if 97 <= data[i] <= 122] or [at]
        data[chance.choice(letters)] = 122
    elif kind == "zeros":
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif kind == "cut":
        del data[at:]
    elif kind == "line":
        lines = bytes(data).split(b"\n")
        del lines[chance.randrange(len(lines))]
        data = b"\n".join(lines)
    elif kind == "swap":
        data = data[at:] + data[:at]
    else:
        data += data[at : at + 200]
    with open(path, "wb") as new:
        new.write(data)
    label = "%s seed %d: %s in %s" % (name, seed, kind, file)
    got = run(*scenario.resume_arguments(folder))
    state = scenario.state(folder)
    tally.add("tried")
    tally.add("resume: status %s, then %s" % (got.status, state.split(":")[0]))
    shown = "%s -> %s %s" % (label, got.status, words(got.errors)[:200])
    if got.status is None or got.status < 0:
        tally.example("CRASH or HANG", shown)
    if state.startswith("LOST"):
        tally.example("WRONG SUCCESS" if got.status == 0 else "LOST", shown)
    elif got.status == 0 and state == "before" and "no unfinished" not in got.output + got.errors:
        tally.example("status 0 and nothing done", shown + got.output[:80])
    if state == "before":
        went = go_on(scenario, folder, tally, label)
        tally.add("then: " + went.split(":")[0])
        if went.startswith("STUCK") and moved_away(scenario, folder, workspace, went):
            tally.add("then: moved the folder away, as the error says")
        elif went.startswith(("LOST", "STUCK")):
            tally.example(went[:150], label)
    return tally, {"workspace": label, "status": got.status, "state": state}


def workspace(names=None):
    known()
    count = Lab.count(COUNT)
    scenarios = ["resume-early", "resume-middle", "resume-late", "resume-output", "heavy-resume"]
    return spread(one_workspace, [(scenarios[i % 5], i) for i in range(count)], "workspace")
