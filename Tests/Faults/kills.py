"""The process is killed before, in the midst of and after its N-th change; so is what goes on, sometimes."""

import os
import random

from command import Lab, fresh, run
from going_on import examine, go_on
from scenarios import known
from tally import Tally, spread, words

COUNT = 1600

# One in so many changes of a scenario is tried.
KILLS = {
    "place": 1,
    "place-logged": 2,
    "place-unlogged": 4,
    "output": 2,
    "output-logged": 3,
    "resume-middle": 2,
    "resume-late": 1,
    "rollback": 1,
    "rollback-logged": 1,
    "finish": 2,
    "lock": 1,
    "heavy-library": 4,
    "heavy-people": 8,
    "heavy-aircraft": 4,
    "restart": 4,
    "heavy-resume": 6,
    "heavy-batches": 24,
}


def kill_plan(names=None):
    chance = random.Random(Lab.seed + 1)
    plan = []
    for name, every in KILLS.items():
        if names and name not in names:
            continue
        scenario = known()[name]
        for number, class_, call, path in scenario.trace("WS"):
            if (number + Lab.seed) % every:
                continue
            how = "torn" if "write" in call and number % 2 else "after" if number % 5 else "before"
            second = chance.randrange(1, 120) if chance.random() < 0.4 else 0
            plan.append((name, number, call, os.path.basename(path), how, second))
    return chance.sample(plan, min(len(plan), Lab.count(COUNT)))


def one_kill(item):
    name, number, call, file, how, second = item
    scenario = known()[name]
    tally = Tally()
    folder = fresh()
    scenario.prepare(folder)
    label = "%s N=%d %s %s(%s)%s" % (
        name,
        number,
        how,
        call,
        file,
        ", again at %d" % second if second else "",
    )

    def killing(arguments, at, mode):
        return run(
            *arguments,
            faults={"FAULT_ROOT": folder, "FAULT_MODE": mode, "FAULT_AT": at, "FAULT_CLASSES": "WS"}
        )

    got = killing(scenario.arguments(folder), number, how)
    tally.add("tried")
    tally.add("tried: " + name)
    if got.status == -9:
        tally.add("killed")
    elif got.status != 0:
        tally.example("not killed, but %s" % got.status, label + " " + words(got.errors))
    state = scenario.state(folder)
    if second and not state.startswith("LOST"):
        if scenario.verb in ("rollback", "lock"):
            arguments = scenario.arguments(folder)
        else:
            arguments = scenario.resume_arguments(folder)
        again = killing(arguments, second, "torn" if second % 3 == 0 else "after")
        if again.status == -9:
            tally.add("killed")
            tally.add("killed twice")
        state = scenario.state(folder)
    record = {"kill": label, "status": got.status, "state": state}
    tally.add("then the state is " + state.split(":")[0])
    if state.startswith("LOST"):
        tally.add("LOST")
        tally.example(state[:100], label)
        return tally, record
    went = go_on(scenario, folder, tally, label)
    record["went"] = went
    tally.add(went.split(":")[0])
    if went.startswith(("LOST", "STUCK")):
        tally.example(went[:260], label)
    else:
        examine(scenario, folder, tally, label, number % 4 == 0)
    return tally, record


def kills(names=None):
    return spread(one_kill, kill_plan(names), "kills")
