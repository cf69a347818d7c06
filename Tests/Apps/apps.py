"""Lays out public apps from a list, runs the command on each, and prints a table. See Scripts/apps."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import edits

PATTERNS = ["*.swift", "*.pbxproj", "contents", ".xccurrentversion", "contents.xcworkspacedata"]
ENVIRONMENT = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
OURS = ["waystone.yml", "waystone.lock"]
LEVELS = ["understood", "assumed", "unknown", "refused"]


class App:
    """A repository at a commit, and its folder."""

    def __init__(self, line, folder):
        self.repository, self.commit = line.split()[:2]
        self.name = self.repository.replace("/", "+")
        self.folder = folder / f"{self.name}@{self.commit}"

    def lay_out(self, mirror):
        if (self.folder / ".git").exists():
            return
        part = self.folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        source = pathlib.Path(mirror, self.name) if mirror else None
        if source and source.exists():
            git("clone", "--quiet", "--shared", "--no-checkout", str(source.resolve()), str(part))
        else:
            # Sources are far smaller; pictures and recordings stay where they are.
            git("clone", "--quiet", "--filter=blob:limit=1m", "--no-checkout",
                f"https://github.com/{self.repository}", str(part))
        git("-C", str(part), "sparse-checkout", "set", "--no-cone", *PATTERNS)
        git("-C", str(part), "checkout", "--quiet", "--detach", self.commit)
        part.rename(self.folder)

    def begin(self):
        """Removes what an earlier run wrote, and everything that it changed."""
        git("-C", str(self.folder), "checkout", "--quiet", "--force", "--detach", self.commit)
        for name in OURS:
            (self.folder / name).unlink(missing_ok=True)


def git(*arguments):
    done = subprocess.run(["git", *arguments], env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"git {' '.join(arguments[:3])}: {done.stderr.strip()[-300:]}")


class Answer:
    """What one run of the command answered."""

    def __init__(self, folder, *arguments):
        began = time.monotonic()
        done = subprocess.run([os.environ["WAYSTONE"], "-C", str(folder), *arguments]
                              if arguments[0].startswith("-")
                              else [os.environ["WAYSTONE"], arguments[0], "-C", str(folder), *arguments[1:]],
                              capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        self.seconds = time.monotonic() - began
        self.status, self.output, self.error = done.returncode, done.stdout, done.stderr.strip()

    @property
    def value(self):
        try:
            return json.loads(self.output)
        except ValueError:
            return {}


class Row:
    """What became of one app."""

    def __init__(self, app):
        self.app = app
        app.begin()
        self.answers = {
            "init": Answer(app.folder, "init", "--ci", "none"),
            "lock": Answer(app.folder, "lock"),
            "check": Answer(app.folder, "check", "--format", "json"),
            "coverage": Answer(app.folder, "coverage", "--format", "json"),
            "versions": Answer(app.folder, "versions", "--format", "json"),
        }
        self.versions = self.answers["versions"].value.get("versions", [])

    @property
    def level(self):
        """How far the sources are understood: the least that is known of any version."""
        if not self.versions:
            return "refused"
        proofs = [proof for version in self.versions for proof in version["unproven"].values()]
        return "unknown" if "unknown" in proofs else "assumed" if proofs else "understood"

    @property
    def usable(self):
        """Whether each command gives a verdict on every version."""
        verdicts = all(self.answers[verb].status in (0, 1) for verb in ("lock", "check", "coverage"))
        # Versions of equal hashes are one row of coverage, and the current one is none.
        models = self.answers["coverage"].value.get("models", [])
        judged = sum(len(model["versions"]) + 1 for model in models)
        distinct = len({version["checksum"] for version in self.versions})
        return bool(self.versions) and verdicts and judged >= distinct

    def text(self, width):
        status = "/".join(str(self.answers[verb].status) for verb in ("init", "lock", "check", "coverage"))
        seconds = sum(answer.seconds for answer in self.answers.values()) / len(self.answers)
        entities = max((len(version["hashes"]) for version in self.versions), default=0)
        codes = sorted({finding["code"] for finding in self.answers["check"].value.get("findings", [])
                        if finding["severity"] == "error"})
        return (f"{self.app.name:{width}}  {self.level:10}  {len(self.versions):8}  {entities:8}  "
                f"{status:11}  {seconds:7.1f}  {'' if self.usable else 'NOT USABLE '}{' '.join(codes)}").rstrip()


def main():
    parser = argparse.ArgumentParser(prog="Scripts/apps")
    parser.add_argument("words", nargs="*", help="parts of the names of apps")
    parser.add_argument("--edits", action="store_true", help="also edit copies of the sources")
    parser.add_argument("--list", default=pathlib.Path(__file__).with_name("apps.txt"), type=pathlib.Path)
    options = parser.parse_args()

    folder = pathlib.Path(os.environ.get("WAYSTONE_APPS", ".build/apps")).absolute()
    lines = [line.split("#")[0].strip() for line in options.list.read_text().splitlines()]
    apps = [App(line, folder) for line in lines if line]
    if options.words:
        apps = [app for app in apps if any(word.lower() in app.name.lower() for word in options.words)]
    if not apps:
        sys.exit("no app of the list has such a name")

    width = max(len(app.name) for app in apps)
    print(f"{'APP':{width}}  {'SOURCES':10}  VERSIONS  ENTITIES  EXIT CODES   SECONDS  ERRORS OF CHECK")
    rows, absent, missed = [], 0, 0
    for app in apps:
        try:
            app.lay_out(os.environ.get("WAYSTONE_APPS_MIRROR"))
        except OSError as error:
            absent += 1
            print(f"{app.name:{width}}  not there: {error}", flush=True)
            continue
        row = Row(app)
        rows.append(row)
        print(row.text(width), flush=True)
        if row.level == "refused":
            print("  " + (row.answers["versions"].error or row.answers["init"].output).replace("\n", "\n  "))
        elif options.edits:
            missed += edits.tried(app, Answer, row.versions)
    print()
    for level in LEVELS:
        print(f"{level:10}  {sum(row.level == level for row in rows)}")
    usable = sum(row.usable for row in rows)
    print(f"usable      {usable} of {len(rows)}")
    if options.edits:
        print(f"edits that were missed  {missed}")
    refused = any(row.level == "refused" for row in rows)
    sys.exit(1 if refused or absent or missed or usable < 0.95 * len(rows) else 0)


if __name__ == "__main__":
    main()
