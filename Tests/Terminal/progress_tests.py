"""What the command shows on a real terminal: progress, and reports of its width."""

import re
import subprocess
import tempfile
import unittest

from terminal import MODELS, WAYSTONE, on_terminal, plain


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
