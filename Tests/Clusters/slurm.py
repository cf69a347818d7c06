"""A Slurm of one node in a folder of its own: munge, a controller and a daemon on the loopback."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

# The seconds in which a daemon has to be there, or gone.
PATIENCE = 60

CONFIGURATION = """\
ClusterName=waystone
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
ReturnToService=2
KillWait=10
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """Slurm cannot be started here; the reason is for people."""


def program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise Unavailable("%s is not installed" % name)
    return found


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """Started by `start`, ended by `stop`; every process it starts is a child of this one."""

    def __init__(self, folder, processors=4):
        self.folder, self.processors = folder, processors
        self.environment = dict(os.environ, SLURM_CONF=folder + "/slurm.conf")
        # What a Slurm around this one would say to its tasks.
        for name in list(self.environment):
            if name.startswith(("SLURM_ARRAY", "SLURM_JOB", "SBATCH_")):
                del self.environment[name]
        self.daemons = []

    def start(self):
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            os.makedirs(os.path.join(self.folder, name))
        controller, daemon = free_ports(2)
        with open(self.folder + "/slurm.conf", "w") as file:
            file.write(CONFIGURATION.format(
                host=host, user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder,
                controller=controller, daemon=daemon, processors=self.processors,
            ))  # fmt: skip
        # Slurm of this release reads it, wherever cgroups are; later ones know the word below.
        with open(self.folder + "/cgroup.conf", "w") as file:
            file.write("IgnoreSystemd=yes\n")
        with open(os.open(self.folder + "/munge.key", os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        self.daemon(
            program("munged"), "--foreground", "--key-file=" + self.folder + "/munge.key",
            "--socket=" + self.folder + "/munge.socket", "--pid-file=" + self.folder + "/munged.pid",
            "--log-file=" + self.folder + "/munged.log", "--seed-file=" + self.folder + "/munged.seed",
        )  # fmt: skip
        self.wait("munge", lambda: os.path.exists(self.folder + "/munge.socket"))
        self.daemon(program("slurmctld"), "-D")
        self.wait("the controller", lambda: "UP" in self.said("scontrol", "ping"))
        self.daemon(program("slurmd"), "-D")
        self.wait("the node", lambda: self.said("sinfo", "-h", "-o", "%T").strip() == "idle")

    def daemon(self, path, *arguments):
        name = os.path.basename(path)
        with open("%s/%s.out" % (self.folder, name), "wb") as output:
            self.daemons.append((name, subprocess.Popen(
                [path, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )))  # fmt: skip

    def wait(self, what, is_there):
        end = time.monotonic() + PATIENCE
        while not is_there():
            for name, process in self.daemons:
                if process.poll() is not None:
                    raise Unavailable("%s ended: %s" % (name, self.last_words(name)))
            if time.monotonic() > end:
                names = ", ".join(self.last_words(n) for n, _ in self.daemons)
                raise Unavailable("%s was not there after %d s: %s" % (what, PATIENCE, names))
            time.sleep(0.1)

    def last_words(self, name):
        words = ""
        for path in ("%s/%s.out" % (self.folder, name), "%s/%s.log" % (self.folder, name)):
            if os.path.exists(path):
                with open(path, errors="replace") as file:
                    words += " ".join(file.read().split("\n")[-3:])
        return words.strip()

    def said(self, *command):
        """What a command of Slurm's prints; empty where it fails."""
        run = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return run.stdout if run.returncode == 0 else ""

    def ask(self, *command):
        """What a command of Slurm's prints; it has to succeed."""
        run = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        if run.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(command), run.stderr.strip()))
        return run.stdout.strip()

    def job(self, name):
        """What the controller knows of a task, such as `7_2`."""
        text = self.ask("scontrol", "show", "job", name, "--oneliner")
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def stop(self):
        """Ends every task and every daemon, the last first."""
        if any(name == "slurmctld" and p.poll() is None for name, p in self.daemons):
            self.said("scancel", "--quiet", "--user", pwd.getpwuid(os.getuid()).pw_name)
            end = time.monotonic() + PATIENCE
            while self.said("squeue", "-h", "-o", "%i").strip() and time.monotonic() < end:
                time.sleep(0.2)
        for _, process in reversed(self.daemons):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self.daemons = []
