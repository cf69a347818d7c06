"""What the command shows on a real terminal, of which Python makes a pair of devices.

WAYSTONE names the command, MODELS the folder of the sample models.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
import unittest

# The seconds after which a run hangs.
PATIENCE = 120
WAYSTONE, MODELS = os.environ["WAYSTONE"], os.environ["MODELS"]


def on_terminal(arguments, folder, columns):
    """What a run writes to a terminal of some columns, and its exit status."""
    owner, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    run = subprocess.Popen(
        [WAYSTONE, *arguments, "--models", MODELS], cwd=folder, stdin=subprocess.DEVNULL,
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


class TerminalTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def frames(self, columns, rows):
        """What a migration draws, frame by frame, and the report after it."""
        store = f"S{columns}-{rows}.sqlite"
        made = subprocess.run(
            [WAYSTONE, "generate", "Library/v1", "--rows", str(rows), "-o", store, "--models",
             MODELS, "--quiet"],
            cwd=self.folder.name, check=False)
        self.assertEqual(made.returncode, 0)
        status, text = on_terminal(
            ["migrate", store, "--to", "Library/v2"], self.folder.name, columns)
        self.assertEqual(status, 0, text)
        bars, report = text.rsplit("\r\x1b[K", 1)
        return [plain(frame) for frame in bars.split("\r")[1:]], report

    def test_a_run_shows_a_bar_with_rows_rate_and_what_remains(self):
        for columns in (80, 120):
            with self.subTest(columns):
                # The faster the machine, the more rows until a rate can be told.
                for rows in (12_000, 48_000, 192_000, 768_000):
                    frames, report = self.frames(columns, rows)
                    hop = [frame for frame in frames if "v1 → v2" in frame and "━" in frame]
                    if len(hop) > 2 and any("/s  " in frame for frame in hop):
                        break
                self.assertTrue(all(len(frame) < columns for frame in frames), frames)
                self.assertGreater(len(hop), 2, frames)
                counts = [
                    tuple(int(number.replace(",", "")) for number in match.groups())
                    for match in (re.search(r"([\d,]+) of ([\d,]+) rows", frame) for frame in hop)
                    if match
                ]
                self.assertEqual(len(counts), len(hop))
                self.assertEqual(counts, sorted(counts))
                self.assertEqual(counts[-1][0], counts[-1][1])
                self.assertTrue(any(re.search(r"\d%", frame) for frame in hop), hop)
                self.assertTrue(any(re.search(r"[\d,]+/s  .* left", frame) for frame in hop), hop)
                self.assertNotIn("━", report)

    def test_reports_are_as_wide_as_the_terminal_between_60_and_120_columns(self):
        for columns, widest in (40, 60), (72, 72), (200, 120):
            with self.subTest(columns):
                _, text = on_terminal(
                    ["explain", "Letters/v1", "Letters/v4"], self.folder.name, columns)
                widths = [len(line) for line in plain(text).splitlines()]
                self.assertLessEqual(max(widths), widest)
                self.assertGreater(max(widths), widest - 14)


if __name__ == "__main__":
    unittest.main()
