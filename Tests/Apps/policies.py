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
    """The apps of a list, each with its paths: from, to, and the query that counts what is wrong."""
    found = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            found.append((line, []))
            continue
        start, end, query = (part.strip() for part in line.split("|", 2))
        found[-1][1].append((start, end, query))
    return found


def run(*words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)


def wrong(program, app, start, end, query, work):
    """What is wrong with a store that the app's policies migrate; empty where nothing is."""
    source, result = work / "source.sqlite", work / "result.sqlite"
    for path in work.glob("*.sqlite*"):
        run("rm", "-rf", str(path), folder=work)
    start, _, rows = start.partition(" --")
    made = run(program, "generate", start, "--models", ".", "-o", str(source),
               *f"--{rows or 'rows 60'}".split(), folder=app.folder)
    if made.returncode:
        return made.stderr.strip().splitlines()[0]
    done = run(program, "migrate", str(source), "--to", end, "--models", ".", "--mappings", ".", "--accept-loss",
               "any", "--accept-unproven-names", "-o", str(result), folder=app.folder)
    if done.returncode:
        return f"exit {done.returncode}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[0]}"
    rows = sqlite3.connect(result)
    rows.execute("ATTACH ? AS old", (str(source),))
    count = rows.execute(query).fetchone()[0]
    return f"{count} rows are wrong" if count else ""


def main():
    parser = argparse.ArgumentParser(prog="Scripts/policies")
    parser.add_argument("words", nargs="*", help="parts of the names of apps")
    parser.add_argument("--list", default=pathlib.Path(__file__).with_name("policies.txt"), type=pathlib.Path)
    options = parser.parse_args()
    folder = pathlib.Path(os.environ.get("WAYSTONE_APPS", ROOT / ".build/apps")).absolute()
    built = total = failures = absent = compared = 0
    for line, paths in read(options.list):
        app = apps.App(line, folder)
        if options.words and not any(word.lower() in app.name.lower() for word in options.words):
            continue
        try:
            app.lay_out(os.environ.get("WAYSTONE_APPS_MIRROR"))
        except OSError as error:
            print(f"{app.name}: not laid out: {error}")
            absent += 1
            continue
        work = folder / "policies" / app.name
        work.mkdir(parents=True, exist_ok=True)
        done = run(os.environ["WAYSTONE"], "policies", ".", "--all", "--models", ".", "--package", str(ROOT),
                   "--output", str(work / "package"), "--scratch-path", str(folder / "policies" / "scratch"),
                   "--format", "json", folder=app.folder)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        if "policies" not in answer:
            print(f"{app.name}: exit {done.returncode}: {(done.stderr.strip() or done.stdout).splitlines()[:1]}")
            failures += 1
            continue
        names = [policy["class"] for policy in answer["policies"] if policy["state"] == "built"]
        built, total = built + len(names), total + len(answer["policies"])
        print(f"{app.name}: {len(names)} of {len(answer['policies'])} built")
        for policy in answer["policies"]:
            if policy["state"] != "built":
                lacks = policy["errors"][0] if policy["errors"] else {}
                text = lacks.get("message", lacks) if isinstance(lacks, dict) else lacks
                print(f"  {policy['class']} lacks: {text}")
        for start, end, query in paths:
            fault = "no program was built" if not answer["program"] else wrong(answer["program"], app, start, end, query, work)
            compared += 1
            failures += bool(fault)
            print(f"  {start} to {end}: {fault or 'as the query says'}")
    print(f"{built} of {total} policies run as they are; {compared} paths compared by SQL, {failures} failures, "
          f"{absent} apps not laid out")
    sys.exit(1 if failures or not total or built < 0.8 * total else 0)


if __name__ == "__main__":
    main()
