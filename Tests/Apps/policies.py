"""Builds and runs the migration policies of public apps from a list. See Scripts/policies."""

import argparse
import json
import os
import pathlib
import sqlite3
import subprocess
import sys

import apps

apps.PATTERNS = ["*.swift", "contents", ".xccurrentversion", "xcmapping.xml"]
ROOT = pathlib.Path(__file__).parents[2]


def read(path):
    """The apps of a list, each with its paths: from, to, what prepares the source, and the query of what is wrong."""
    found = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            found.append((line, []))
            continue
        start, end, *preparation, query = (part.strip() for part in line.split(" | "))
        found[-1][1].append((start, end, preparation, query))
    return found


def run(*words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)


def told(done):
    """What a run that failed said first."""
    lines = [line for line in (done.stderr.strip() or done.stdout.strip()).splitlines() if line.strip()]
    return f"exit {done.returncode}: {lines[0] if lines else 'nothing was said'}"


class Path:
    """A path of an app's stores, run by the program with the app's policies."""

    def __init__(self, program, app, path, work):
        start, end, preparation, self.query = path
        self.start, _, rows = start.partition(" --")
        self.end, _, options = end.partition(" --")
        self.options = f"--{options}".split() if options else []
        self.program, self.app = program, app
        self.source, self.result = work / "source.sqlite", work / "result.sqlite"
        self.policies = set()
        for old in work.glob("*.sqlite*"):
            run("rm", "-rf", str(old), folder=work)
        self.fault = self.made(rows or "rows 60", preparation) or self.migrated() or self.compared()

    def made(self, rows, preparation):
        done = run(self.program, "generate", self.start, "--models", ".", "-o", str(self.source),
                   *f"--{rows}".split(), folder=self.app.folder)
        # Rows that break a rule of the model are mended by the preparation, or end the migration.
        if not self.source.exists():
            return "not generated: " + told(done)
        store = sqlite3.connect(self.source)
        for statements in preparation:
            store.executescript(statements)
        store.close()
        return ""

    def migrated(self):
        options = ["--to", self.end, "--models", ".", "--mappings", ".", "--accept-loss", "any",
                   "--accept-unproven-names", *self.options]
        plan = run(self.program, "plan", str(self.source), *options, "--format", "json", folder=self.app.folder)
        done = run(self.program, "migrate", str(self.source), *options, "-o", str(self.result),
                   folder=self.app.folder)
        if done.returncode:
            return "not migrated: " + told(done)
        self.policies = {name.split(".")[-1] for name in named(json.loads(plan.stdout))}
        return ""

    def compared(self):
        rows = sqlite3.connect(self.result)
        rows.execute("ATTACH ? AS old", (str(self.source),))
        count = rows.execute(self.query).fetchone()[0]
        return f"{count} rows are wrong" if count else ""


def named(value):
    """The policies that the steps of a plan name."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from part if key == "policies" else named(part)
    elif isinstance(value, list):
        for part in value:
            yield from named(part)


class Tally:
    """What became of the policies of all apps."""

    def __init__(self):
        self.found = self.built = self.compared = self.paths = self.failures = self.absent = 0

    def add(self, app, answer, paths, work):
        built = {policy["class"] for policy in answer["policies"] if policy["state"] == "built"}
        # A mapping may name a policy as Objective-C does.
        names = {policy["objectiveC"] or policy["class"]: policy["class"] for policy in answer["policies"]}
        lines, compared = [], set()
        for path in paths:
            made = Path(answer["program"], app, path, work) if answer["program"] else None
            fault = made.fault if made else "no program was built"
            self.failures += bool(fault)
            if made and not fault:
                compared |= {names.get(name, name) for name in made.policies} & built
            lines.append(f"  {path[0]} to {path[1]}: {fault or 'as the query says'}")
        print(f"{app.name}: {len(answer['policies'])} found, {len(built)} built, {len(compared)} run and compared")
        for policy in answer["policies"]:
            for lacks in policy["errors"][:3]:
                print(f"  {policy['class']} lacks: {lacks['file']}:{lacks['line']}: {lacks['message']}")
        for line in answer["failure"]:
            print(f"  not built: {line}")
        for name in sorted(built - compared):
            print(f"  {name} is run on no path")
        print("\n".join(lines), flush=True)
        self.found += len(answer["policies"])
        self.built += len(built)
        self.compared += len(compared)
        self.paths += len(paths)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/policies")
    parser.add_argument("words", nargs="*", help="parts of the names of apps")
    parser.add_argument("--list", default=pathlib.Path(__file__).with_name("policies.txt"), type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(os.environ.get("WAYSTONE_APPS", ROOT / ".build/apps")).absolute()
    tally = Tally()
    for line, paths in read(options.list):
        app = apps.App(line, folder)
        if options.words and not any(word.lower() in app.name.lower() for word in options.words):
            continue
        try:
            app.lay_out(os.environ.get("WAYSTONE_APPS_MIRROR"))
        except OSError as error:
            print(f"{app.name}: not laid out: {error}")
            tally.absent += 1
            continue
        work = folder / "policies" / app.name
        work.mkdir(parents=True, exist_ok=True)
        done = run(os.environ["WAYSTONE"], "policies", ".", "--all", "--models", ".", "--package", str(ROOT),
                   "--output", str(work / "package"), "--scratch-path", str(folder / "policies" / "scratch"),
                   "--format", "json", folder=app.folder)
        try:
            answer = json.loads(done.stdout)
            tally.add(app, answer, paths, work)
        except (KeyError, ValueError):
            print(f"{app.name}: {told(done)}")
            tally.failures += 1
    print(f"{tally.built} of {tally.found} policies are built as they are, {tally.compared} run and compared by SQL "
          f"on {tally.paths} paths; {tally.failures} failures, {tally.absent} apps not laid out")
    sys.exit(1 if tally.failures or not tally.found or tally.built < 0.8 * tally.found else 0)


if __name__ == "__main__":
    main()
