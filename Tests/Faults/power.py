"""Power loss: what was not flushed is dropped, torn and reordered at every point of a run.

The states come from recording.py. In each the store must be the original or the result, and going on
must reach the result. The inodes of the rebuilt files are shown to the command as they were, since its
journal knows the store by them.

--without files or --without folders takes these flushes out of what was written down: then states must
be lost, which shows that the simulation would notice a flush that is missing.
"""

import hashlib
import os
import random

from command import Lab, clear, temporary, trespasses
from content import bytes_of
from going_on import examine, go_on
from recording import ADDED, NAMES, Recording
from scenarios import known
from tally import Tally, spread

SCENARIOS = {
    "place": 600,
    "place-logged": 400,
    "place-hot": 250,
    "output": 500,
    "heavy-library": 350,
    "heavy-batches": 40,
    "rollback": 350,
    "rollback-logged": 300,
    "resume-late": 120,
    "finish": 250,
}


def build(recording, found):
    """Makes the folder, and returns descriptors that keep its inodes from being given away."""
    clear(recording.folder)
    held, made, lines = [], {}, []
    for path in sorted(found, key=lambda p: (p.count("/"), p)):
        file, data, modified, mode = found[path]
        if file.is_folder:
            os.makedirs(path, exist_ok=True)
            os.chmod(path, mode | 0o700)
        elif id(file) in made:
            os.link(made[id(file)], path)
        else:
            with open(path, "wb") as new:
                new.write(data)
            os.chmod(path, mode)
            os.utime(path, ns=(modified, modified))
            made[id(file)] = path
            held.append(os.open(path, os.O_RDONLY))
            lines.append("%d %d" % (os.stat(path).st_ino, file.inode + ADDED))
    table = os.path.join(temporary(), "inodes")
    with open(table, "w") as new:
        new.write("\n".join(lines) + "\n")
    return held, table


def one_piece(item):
    """All states of one part of a scenario's plan, from one recording."""
    name, part, parts, wanted = item
    scenario = known()[name]
    chance = random.Random("%s %d %d" % (name, part, Lab.seed))
    tally, records, seen = Tally(), [], set()
    recording = Recording(scenario)
    if part == 0:
        recording.orders(tally)
    total = len(recording.events)
    tally.add("events of " + name, total if part == 0 else 0)
    points = [
        1 + (i * total) // wanted if wanted <= total else 1 + i % total for i in range(wanted)
    ]
    for index in range(part, wanted, parts):
        k = min(points[index], total)
        order = ["ordered", "weak"][chance.random() < 0.5]
        how = chance.choice(["none", "sectors", "sectors", "part", "zeros", "all"])
        found = recording.state(k, order, how, chance)
        event = recording.events[k - 1]
        label = "%s after event %d of %d (%s %s), %s names, %s data, seed %d part %d/%d" % (
            name,
            k,
            total,
            NAMES[event["kind"]],
            os.path.basename(event["second"] or event["first"]),
            order,
            how,
            Lab.seed,
            part,
            parts,
        )
        tally.add("states")
        tally.add("states: " + name)
        tally.add("states with %s names" % order)
        key = hashlib.sha256(
            repr(
                sorted(
                    (p, id(f), hashlib.sha256(d).digest(), m, o)
                    for p, (f, d, m, o) in found.items()
                )
            ).encode()
        ).digest()
        if key in seen:
            tally.add("the same as another state")
            continue
        seen.add(key)
        held, table = build(recording, found)
        os.environ.update(FAULT_ROOT=recording.folder, FAULT_INOMAP=table)
        try:
            tally_one(scenario, recording, label, order, tally, records, k)
        finally:
            for fd in held:
                os.close(fd)
            for each in ("FAULT_ROOT", "FAULT_INOMAP"):
                os.environ.pop(each, None)
    return tally, records


def tally_one(scenario, recording, label, order, tally, records, k):
    folder = recording.folder
    if scenario.mode == "output":
        scenario.source_bytes = bytes_of(scenario.source(folder))
    state = scenario.state(folder)
    if scenario.mode == "output" and state.startswith("LOST"):
        # Its name comes with the result.
        state = "LOST: the output is there and torn"
    tally.add("then the state is " + state.split(":")[0])
    record = {"state": label, "is": state}
    records.append(record)
    if state.startswith("LOST"):
        tally.add("LOST")
        tally.example("LOST right after the power loss (%s names): %s" % (order, state[:60]), label)
        return
    for text in trespasses():
        tally.example("OUTSIDE: " + text[:100], label)
    went = go_on(scenario, folder, tally, label)
    record["went"] = went
    tally.add(went.split(":")[0])
    if went.startswith("refused to resume") and state == "before":
        tally.example("WRONG refusal after a power loss (%s names)" % order, label)
    if went.startswith(("LOST", "STUCK")):
        tally.example("%s names: %s" % (order, went[:240]), label)
    else:
        examine(scenario, folder, tally, label, k % 5 == 0)


def power(names=None):
    known()
    plan = []
    for name, wanted in SCENARIOS.items():
        if names and name not in names:
            continue
        wanted = max(4, int(wanted * Lab.scale))
        parts = 4 if wanted > 40 else 2
        plan += [(name, part, parts, wanted) for part in range(parts)]
    return spread(one_piece, plan, "power")
