"""The commands that faults, kills and power losses are tried on."""

import os
import shutil

from command import Lab, elsewhere, fresh, run, temporary
from content import listing, sha
from samples import copy_store, generated, hot, logged, model, unlogged, with_external_files
from scenario import Scenario, normal

ROWS = 300


def killed_at(share):
    """A preparation that leaves a run which was killed after this share of its changes."""

    def prepare(scenario, folder):
        if not hasattr(scenario, "changes"):
            scenario.changes = elsewhere(lambda: changes_of(scenario))
        faults = {"FAULT_ROOT": folder, "FAULT_MODE": "after", "FAULT_CLASSES": "WS"}
        faults["FAULT_AT"] = max(1, int(scenario.changes * share))
        got = run(*scenario.migrate_arguments(folder), faults=faults)
        assert got.status == -9, (scenario.name, got)

    return prepare


def changes_of(scenario):
    """How many changes an undisturbed migration makes."""
    folder = fresh("trace")
    copy_store(scenario.store, scenario.source(folder))
    path = os.path.join(temporary(), "trace")
    faults = {"FAULT_ROOT": folder, "FAULT_TRACE": path, "FAULT_CLASSES": "WS"}
    got = run(*scenario.migrate_arguments(folder), faults=faults)
    assert got.status == 0, (scenario.name, got)
    with open(path) as file:
        return sum(1 for _ in file)


def migrated(scenario, folder):
    got = run(*scenario.migrate_arguments(folder))
    assert got.status == 0, got.errors


def deferred(scenario, folder):
    path = os.path.join(Lab.work, "stores", "Aircraft-deferred.sqlite")
    if not os.path.exists(path):
        source = generated("Aircraft", "v1", 200)
        shutil.copyfile(source, path)
        got = run(
            "migrate",
            path,
            "--to",
            "v3",
            "--defer-cleanup",
            "--models",
            model("Aircraft"),
            *Lab.consent("migrate", "Aircraft")
        )
        assert got.status == 0, got.errors
        shutil.rmtree(path + ".waystone")
    shutil.copyfile(path, scenario.source(folder))


class LockScenario(Scenario):
    """`lock` with a version to add, to a lock that is there; the models lie where faults count."""

    def __init__(self):
        super().__init__("lock", None, None, None, verb="lock")

    def source(self, folder):
        return os.path.join(folder, "models", "waystone.lock")

    def destination(self, folder):
        return self.source(folder)

    def prepare(self, folder):
        models = os.path.join(folder, "models", "Letters.xcdatamodeld")
        shutil.copytree(model("Letters"), models)
        shutil.rmtree(models + "/v5.xcdatamodel")
        if not hasattr(self, "old"):
            got = run("lock", "--all", "--models", models)
            assert got.status == 0, got.errors
            with open(self.source(folder), "rb") as file:
                self.old = file.read()
        with open(self.source(folder), "wb") as file:
            file.write(self.old)
        shutil.copytree(
            os.path.join(model("Letters"), "v5.xcdatamodel"), models + "/v5.xcdatamodel"
        )

    def arguments(self, folder):
        return ["lock", "--all", "--models", os.path.join(folder, "models", "Letters.xcdatamodeld")]

    def again(self, folder):
        return self.arguments(folder)

    def learn(self):
        folder = fresh("learn")
        self.prepare(folder)
        self.before = self.original = sha(self.source(folder))
        got = run(*self.arguments(folder))
        assert got.status == 0, got.errors
        self.after = sha(self.source(folder))
        self.digest = None
        self.files = normal(listing(folder))

    def state(self, folder):
        found = sha(self.source(folder)) if os.path.exists(self.source(folder)) else "absent"
        return (
            "after"
            if found == self.after
            else "before" if found == self.before else "LOST: " + found
        )


def scenarios():
    letters = generated("Letters", "v1", ROWS)
    library = generated("Library", "v1", 200)
    people = generated("People", "v1", 200)
    aircraft = generated("Aircraft", "v1", 200)
    # A checkpoint behind each hop, and one behind all of them.
    walk, once = ["--history", "--no-fuse"], ["--history"]
    m = model("Letters")
    return {
        s.name: s
        for s in [
            Scenario("place", letters, m, "v5", options=walk),
            Scenario("place-unlogged", unlogged(letters), m, "v5", options=once),
            Scenario("place-logged", logged(letters), m, "v5", options=walk),
            Scenario("place-hot", hot(letters), m, "v5", options=walk),
            Scenario("output", with_external_files(letters), m, "v5", "output", options=walk),
            Scenario("output-logged", logged(letters), m, "v5", "output", options=once),
            Scenario("output-hot", hot(letters), m, "v5", "output", options=walk),
            Scenario(
                "resume-early",
                letters,
                m,
                "v5",
                options=walk,
                prepare=killed_at(0.28),
                verb="resume",
            ),
            Scenario(
                "resume-middle",
                letters,
                m,
                "v5",
                options=walk,
                prepare=killed_at(0.7),
                verb="resume",
            ),
            Scenario(
                "resume-late",
                letters,
                m,
                "v5",
                options=walk,
                prepare=killed_at(0.82),
                verb="resume",
            ),
            Scenario(
                "resume-output",
                with_external_files(letters),
                m,
                "v5",
                "output",
                options=walk,
                prepare=killed_at(0.6),
                verb="resume",
            ),
            Scenario(
                "restart",
                logged(letters),
                m,
                "v5",
                options=walk,
                prepare=killed_at(0.66),
                verb="restart",
            ),
            Scenario("rollback", letters, m, "v5", options=walk, prepare=migrated, verb="rollback"),
            Scenario(
                "rollback-logged",
                logged(letters),
                m,
                "v5",
                options=walk,
                prepare=migrated,
                verb="rollback",
            ),
            Scenario("finish", aircraft, model("Aircraft"), "v3", prepare=deferred, verb="finish"),
            LockScenario(),
            Scenario("heavy-library", library, model("Library"), "v2"),
            Scenario("heavy-people", people, model("People"), "v2", "output"),
            Scenario("heavy-aircraft", aircraft, model("Aircraft"), "v3"),
            Scenario("heavy-batches", generated("Library", "v1", 22000), model("Library"), "v2"),
            Scenario(
                "heavy-resume",
                library,
                model("Library"),
                "v2",
                prepare=killed_at(0.4),
                verb="resume",
            ),
        ]
    }


_scenarios = None


def known():
    global _scenarios
    if _scenarios is None:
        _scenarios = scenarios()
        for each in _scenarios.values():
            each.learn()
    return _scenarios
