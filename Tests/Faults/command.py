"""Running the command: where it is, in which folder a trial happens, and what surrounds it.

Each run has faultline in it, which writes down every change outside of the trial's folder, and every
file outside of it that a link led to. `spread` in tally.py asks for that after each trial.
"""

import collections
import os
import re
import shutil
import subprocess
import time

import decoys

HERE = os.path.dirname(os.path.abspath(__file__))


class Lab:
    """Where things are; one for the whole process."""

    command = None
    archive = None
    work = None
    jobs = 2
    seed = 1
    scale = 1.0
    # No command may run longer. It is far more than any needs, so that a busy machine makes no hangs.
    seconds = 20
    without = classes = ""
    library = None
    # The verbs that run a sample's own SQL only where they are told to.
    consenting = ()

    @classmethod
    def start(cls, arguments):
        cls.command = os.path.abspath(arguments.waystone)
        # The build of the laboratory may read no Swift sources, to be made in less time.
        cls.swift_reader = os.path.abspath(arguments.swift_reader or arguments.waystone)
        cls.archive = os.path.abspath(arguments.models)
        cls.work = os.path.realpath(arguments.work)
        cls.jobs, cls.seed, cls.scale = arguments.jobs, arguments.seed, arguments.scale
        cls.seconds = arguments.seconds
        cls.without, cls.classes = arguments.without, arguments.classes
        cls.library = os.path.join(cls.work, "faultline.so")
        os.makedirs(cls.work, exist_ok=True)
        build_library(cls.library)
        verbs = ("migrate", "resume", "finish", "plan", "coverage")
        cls.consenting = [v for v in verbs if "--allow-sql" in run("help", v).output]

    @classmethod
    def consent(cls, verb, models):
        """The option that allows the SQL of a sample, where it has some."""
        return ["--allow-sql"] if verb in cls.consenting and "Aircraft" in str(models) else []

    @classmethod
    def count(cls, full):
        """How many of so many trials are asked for."""
        return max(1, round(full * cls.scale))


def build_library(path):
    """Builds faultline with the first C compiler that is there; the Swift toolchain has one."""
    folder = os.path.join(HERE, "Faultline")
    sources = sorted(
        os.path.join(folder, n) for n in os.listdir(folder) if n.endswith((".c", ".h"))
    )
    if os.path.exists(path) and all(os.path.getmtime(path) > os.path.getmtime(s) for s in sources):
        return
    beside = []
    swift = shutil.which("swift")
    if swift:
        beside = [os.path.join(os.path.dirname(os.path.realpath(swift)), "clang")]
    for compiler in ["cc", "gcc", "clang", *beside]:
        if not shutil.which(compiler):
            continue
        files = [s for s in sources if s.endswith(".c")]
        command = [
            compiler,
            "-O2",
            "-fPIC",
            "-shared",
            "-w",
            "-o",
            path,
            *files,
            "-ldl",
            "-lpthread",
        ]
        if subprocess.run(command).returncode == 0:
            return
    raise SystemExit("faults: no C compiler builds Tests/Faults/Faultline; install gcc or clang")


Run = collections.namedtuple("Run", "status output errors seconds")

_folder = None


def environment(faults=None, more=None):
    """The variables of a run: faultline, what it shall do, and where writing is allowed."""
    found = dict(os.environ, NO_COLOR="1", TMPDIR=temporary(), LD_PRELOAD=Lab.library)
    # Nothing here loses power, so that fsync only costs time.
    found["FAULT_NOSYNC"] = "1"
    # Swift's reporter of crashes is a program of its own, which may wait for ever without memory.
    found["SWIFT_BACKTRACE"] = "enable=no"
    found["FAULT_GUARD"] = guard()
    places = [temporary(), os.path.join(Lab.work, "stores"), "/dev", "/proc/self"]
    folder = (faults or {}).get("FAULT_ROOT", _folder)
    if folder:
        places.append(folder)
        found["FAULT_ROOT"] = folder
    found["FAULT_ALLOWED"] = ":".join(places)
    found.update({k: str(v) for k, v in (faults or {}).items()})
    found.update(more or {})
    return found


def run(*arguments, faults=None, timeout=None, limits=None, cwd=None, env=None, before=(),
        command=None):  # fmt: skip
    """Runs the command; a status below 0 is a signal, None a run that took too long."""
    began = time.monotonic()
    process = subprocess.Popen(
        [*before, command or Lab.command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(faults, env),
        preexec_fn=limits,
        cwd=cwd,
    )
    try:
        output, errors = process.communicate(timeout=timeout or Lab.seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        status = None
    return Run(
        status,
        output.decode("utf-8", "replace"),
        errors.decode("utf-8", "replace"),
        time.monotonic() - began,
    )


# MARK: Folders

_temporary = None


def temporary():
    """This process's folder for temporary files."""
    global _temporary
    path = os.path.join(Lab.work, "tmp-%d" % os.getpid())
    if _temporary != path:
        os.makedirs(path, exist_ok=True)
        _temporary = path
    return path


def guard():
    return os.path.join(Lab.work, "guard-%d" % os.getpid())


def fresh(name="trial"):
    """An empty folder of this process, with decoys in and around it."""
    global _folder
    around = os.path.join(Lab.work, "%s-%d" % (name, os.getpid()))
    folder = os.path.join(around, "here")
    os.makedirs(folder, exist_ok=True)
    clear(folder)
    decoys.plant(around, folder)
    _folder = folder
    return folder


def clear(folder):
    """Removes all but the decoys, which stay from trial to trial."""
    kept = decoys.top_names()
    for entry in list(os.scandir(folder)):
        if entry.name in kept:
            continue
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o755)
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.remove(entry.path)


def elsewhere(body):
    """What a body returns that works in a folder of its own, after which the trial's folder is this again."""
    global _folder
    folder = _folder
    try:
        return body()
    finally:
        _folder = folder


# A batch's worker resets the count of its own greatest memory; faultline names it by its number.
OWN_MEMORY = re.compile(r"W open /proc/\d+/clear_refs$")


def trespasses():
    """What happened outside of the trial's folder since this was last asked."""
    found = decoys.damage(os.path.dirname(_folder), _folder) if _folder else []
    try:
        with open(guard(), errors="replace") as file:
            found += sorted({line.strip() for line in file if not OWN_MEMORY.search(line)})
        os.remove(guard())
    except FileNotFoundError:
        pass
    return found
