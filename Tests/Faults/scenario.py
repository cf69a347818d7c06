"""One command on one folder: how it begins, what it must lead to, how it goes on after a fault."""

import json
import os
import re
import shutil

from command import Lab, elsewhere, fresh, run, temporary
from content import bytes_of, content, listing
from samples import copy_store


class Scenario:
    """One command on one folder: how it begins, what it must lead to, how it goes on after a fault."""

    def __init__(
        self, name, store, models, to, mode="place", options=(), prepare=None, verb="migrate"
    ):
        self.name, self.store, self.models, self.to = name, store, models, to
        self.mode, self.options, self.prepare_extra, self.verb = mode, list(options), prepare, verb
        self.before = self.after = None

    # Paths in a folder
    def source(self, folder):
        return os.path.join(folder, "S.sqlite")

    def destination(self, folder):
        return os.path.join(folder, "O.sqlite") if self.mode == "output" else self.source(folder)

    def prepare(self, folder):
        copy_store(self.store, self.source(folder))
        if self.prepare_extra:
            self.prepare_extra(self, folder)
        self.source_bytes = bytes_of(self.source(folder))

    def migrate_arguments(self, folder, *more):
        output = ["--output", self.destination(folder)] if self.mode == "output" else []
        wanted = [self.source(folder), "--to", self.to]
        return self.naming("migrate", *wanted, *self.options, *more, *output)

    def resume_arguments(self, folder, *more):
        return self.naming("resume", self.destination(folder), *more)

    def finish_arguments(self, folder, *more):
        return self.naming("finish", self.source(folder), *more)

    def naming(self, verb, *arguments):
        """A command on the scenario's models."""
        consent = Lab.consent(verb, self.models)
        return [verb, *arguments, "--models", self.models, *consent]

    def arguments(self, folder):
        return {
            "migrate": lambda: self.migrate_arguments(folder),
            "restart": lambda: self.migrate_arguments(folder, "--restart"),
            "resume": lambda: self.resume_arguments(folder),
            "rollback": lambda: ["rollback", self.source(folder)],
            "finish": lambda: self.finish_arguments(folder),
        }[self.verb]()

    def again(self, folder):
        """The command that begins anew where nothing is left to resume."""
        return (
            self.migrate_arguments(folder)
            if self.verb in ("resume", "restart")
            else self.arguments(folder)
        )

    def learn(self):
        """What the store says before, and after an undisturbed run."""
        folder = fresh("learn")
        self.prepare(folder)
        self.before = content(self.source(folder)) if self.mode != "output" else "absent"
        self.original = content(self.source(folder))
        got = run(*self.arguments(folder))
        if got.status != 0:
            raise RuntimeError("%s: the undisturbed run fails: %s" % (self.name, got.errors))
        self.after = content(self.destination(folder))
        self.digest = digest_by_command(self.destination(folder))
        self.files = normal(listing(folder))
        if self.after.startswith(("unreadable", "absent")) or self.after == self.before:
            raise RuntimeError("%s: the undisturbed run leaves %s" % (self.name, self.after))
        shutil.rmtree(folder)

    def trace(self, classes="WSORLC"):
        """The calls that an undisturbed run makes: (number, class, name, path)."""
        return elsewhere(lambda: self.traced(classes))

    def traced(self, classes):
        folder = fresh("trace")
        # Those of the trial that is under way, whose source is another file of another time.
        kept = getattr(self, "source_bytes", None)
        self.prepare(folder)
        self.source_bytes = kept
        path = os.path.join(temporary(), "trace")
        faults = {"FAULT_ROOT": folder, "FAULT_TRACE": path, "FAULT_CLASSES": classes}
        run(*self.arguments(folder), faults=faults)
        with open(path) as file:
            lines = [line.rstrip("\n").split(" ", 3) for line in file]
        return [(int(n), c, name, p) for n, c, name, p in lines]

    def state(self, folder):
        """before, after, or what is wrong."""
        if self.mode == "output":
            if bytes_of(self.source(folder)) != self.source_bytes:
                return "LOST: the source changed"
        found = content(self.destination(folder))
        if found == self.after:
            return "after"
        if found == self.before:
            return "before"
        return "LOST: %s" % found


def digest_by_command(path):
    got = run("digest", path, "--format", "json")
    try:
        return json.loads(got.output)["hash"]
    except (ValueError, KeyError):
        return "none: %s %s" % (got.status, got.errors.strip())


def normal(names):
    """A listing without the names that differ from run to run."""
    return sorted(re.sub(r"\d{9,}-[0-9a-f]{1,8}-[0-9a-f]+", "RUN", name) for name in names)


def words(text, folder=None):
    """An error text without what differs from trial to trial."""
    text = text.strip()
    text = re.sub(r"/[^ :,“”\"']*/(trial|learn|power|race)-\d+", "DIR", text)
    text = re.sub(r"\d{9,}-[0-9a-f]{1,8}-[0-9a-f]+", "RUN", text)
    text = re.sub(r"waystone-[0-9a-z]{8,}", "PRIVATE", text)
    return re.sub(r"\b\d+\b", "#", text)
