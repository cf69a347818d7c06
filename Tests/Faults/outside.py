"""A sample of all commands under strace, which no library can be asked to hide anything from.

Each call that opens for writing, makes, renames, links, shortens, removes, or changes permissions,
owner or times is held against the files that the command may touch: those of the store and the output,
by name, and the folder for temporary files. Each file that is opened to be read must be one of these,
the models, or the system's.
"""

import os
import re
import shutil
import subprocess

from command import Lab, fresh, guard, run, temporary
from content import support
from scenarios import known
from tally import Tally, spread, words

CALLS = ("open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,"
         "symlinkat,mkdir,mkdirat,rmdir,mknod,mknodat,truncate,chmod,fchmodat,chown,lchown,fchownat,"
         "utimensat,setxattr,lsetxattr,removexattr")  # fmt: skip
SYSTEM = ("/lib", "/usr/", "/etc/", "/proc/", "/sys/", "/dev/")
LINE = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)(?:<.*>)?(?: .*)?$")
TEXT = re.compile(r'(?:(AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"((?:[^"\\]|\\.)*)"')


def is_writing(call, arguments):
    if call in ("open", "openat", "openat2", "creat"):
        return call == "creat" or re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)", arguments)
    return True


def paths_in(call, arguments, here):
    """The paths that a call names, absolute; a symbolic link's text is none."""
    found = TEXT.findall(arguments)
    if call.startswith("symlink"):
        found = found[1:]
    if call == "setxattr":
        found = found[:1]
    for _, folder, text in found:
        text = text.encode().decode("unicode_escape", "replace")
        if text.startswith("/proc/self/fd/") or not text:
            continue
        yield os.path.normpath(os.path.join(folder or here, text))


class Allowance:
    """Which paths one scenario's commands may change, and which they may read besides."""

    def __init__(self, scenario, folder):
        self.exact, self.below = set(), [temporary() + "/"]
        for store in (scenario.source(folder), scenario.destination(folder)):
            self.exact |= {store + s for s in ("", "-wal", "-shm", "-journal")}
            self.below += [store + ".waystone", os.path.dirname(support(store))]
        self.exact.add(folder)
        if scenario.verb == "lock":
            self.below.append(scenario.source(folder))
        self.reads = [os.path.join(folder, "models"), Lab.work + "/models", Lab.work + "/archive-"]

    def may_write(self, path):
        if path in ("/dev/null", "/dev/tty") or path.startswith("/proc/self/"):
            return True
        # A private name of our own scheme beside the result, until it has its name.
        name = os.path.basename(path)
        is_ours = name.startswith(".waystone-") or re.fullmatch(r"\..+\.waystone-new", name)
        if is_ours and os.path.dirname(path) in map(
            os.path.dirname, self.exact
        ):
            return True
        return path in self.exact or any(path.startswith(b) for b in self.below)

    def may_read(self, path):
        if self.may_write(path) or path.startswith(SYSTEM) or ".so" in os.path.basename(path):
            return True
        if any(path.startswith(r) for r in self.reads) or os.path.basename(path) == "waystone.yml":
            return True
        # The command itself, and the folders above the store.
        return path == Lab.command or any(e.startswith(path.rstrip("/") + "/") for e in self.exact)


def one_outside(item):
    name, number = item
    scenario = known()[name]
    tally, folder = Tally(), fresh()
    scenario.prepare(folder)
    log = os.path.join(temporary(), "strace")
    commands = [scenario.arguments(folder), scenario.resume_arguments(folder)] + others(
        scenario, folder
    )
    if scenario.verb == "lock":
        commands = commands[:1]
    arguments = commands[number % len(commands)]
    before = ["strace", "-f", "-y", "-s", "4096", "-e", "trace=" + CALLS, "-o", log]
    got = run(*arguments, before=before, timeout=60, cwd=folder, env={"LD_PRELOAD": ""})
    tally.add("commands")
    allowance, here = Allowance(scenario, folder), folder
    with open(log, errors="replace") as file:
        for line in file:
            match = LINE.match(line.strip())
            if not match or match.group(3).startswith("-"):
                continue
            call, rest = match.group(1), match.group(2)
            tally.add("calls")
            for path in paths_in(call, rest, here):
                shown = "%s %s: %s" % (name, arguments[0], words(line)[:160])
                if is_writing(call, rest):
                    tally.add("calls that change something")
                    if not allowance.may_write(path):
                        tally.example("OUTSIDE: " + words(path)[:80], shown)
                elif not allowance.may_read(path):
                    tally.example("OUTSIDE, read: " + words(path)[:80], shown)
    return tally, {"outside": "%s %s" % (name, arguments[0]), "status": got.status}


def others(scenario, folder):
    """The commands that only read, and those that tidy up."""
    store = scenario.source(folder)
    models = ["--models", str(scenario.models)]
    if scenario.verb == "lock":
        return []
    return [
        ["inspect", store, *models], ["verify", store, *models], ["digest", store],
        ["plan", store, "--to", scenario.to, *models], ["validate", store, *models],
        ["rollback", store], ["clean", store],
    ]  # fmt: skip


def outside(names=None):
    # A container may have it and not allow it.
    if (
        not shutil.which("strace")
        or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode
    ):
        print("Skipped: outside: there is no strace here that works")
        return Tally()
    plan = [(n, i) for n in known() if not names or n in names for i in range(9)]
    plan = [p for p in plan if p[0] != "heavy-batches" and (p[0] != "lock" or p[1] == 0)]
    chosen = plan[:: max(1, round(1 / Lab.scale))]
    tally = spread(one_outside, chosen, "outside")
    if os.path.exists(guard()):
        os.remove(guard())
    return tally
