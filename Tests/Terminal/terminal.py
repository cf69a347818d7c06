"""A run of the command on a real terminal, of which Python makes a pair of devices.

WAYSTONE names the command, MODELS the folder of the sample models.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

# The seconds after which a run hangs.
PATIENCE = 120
WAYSTONE, MODELS = os.environ["WAYSTONE"], os.environ["MODELS"]


def on_terminal(arguments, folder, columns, models=MODELS):
    """What a run writes to a terminal of some columns, and its exit status."""
    owner, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    run = subprocess.Popen(
        [WAYSTONE, *arguments, "--models", models], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=terminal, stderr=terminal, env=environment | {"TERM": "xterm"},
    )
    os.close(terminal)
    written = b""
    end = time.monotonic() + PATIENCE
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([owner], [], [], left)[0]:
            run.kill()
            run.wait()
            os.close(owner)
            raise AssertionError(f"the run has not ended after {PATIENCE} s: {written!r}")
        try:
            piece = os.read(owner, 65536)
        except OSError:  # Linux says so once the last writer has gone.
            break
        if not piece:
            break
        written += piece
    os.close(owner)
    return run.wait(), written.decode()


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
