"""Reports in colour as a terminal draws them, light and dark, in the columns of a narrow and of a wide one."""

import html
import os
import re
import shutil
import sys
import tempfile
import unittest

from browser import Browser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Terminal"))
from terminal import MODELS, on_terminal, plain  # noqa: E402

SHOTS = os.environ["WAYSTONE_SCREENSHOTS"]
# The codes that reports use, each with the style that common terminals give it.
STYLES = {"1": "font-weight: bold", "2": "opacity: .65", "31": "color: var(--red)",
          "32": "color: var(--green)", "33": "color: var(--yellow)"}
GROUNDS = {
    "light": "--ink: #1b1b1b; --ground: #fff; --red: #b3261e; --green: #1a7f37; --yellow: #8a5a00",
    "dark": "--ink: #e3e3e3; --ground: #16181c; --red: #ff7b72; --green: #56d364; --yellow: #e3b341",
}
# Columns, and the pixels that they take.
SIZES = [(80, 644), (120, 957)]
COMMANDS = {"check": ["check"], "coverage": ["coverage"]}


def drawn(text, scheme):
    """A page with the text, whose codes are all known."""
    body, is_open = "", False
    for piece in re.split("(\x1b[^a-zA-Z]*[a-zA-Z])", text.replace("\r\n", "\n")):
        if not piece.startswith("\x1b"):
            body += html.escape(piece)
            continue
        code = re.fullmatch("\x1b\\[([0-9]*)m", piece).group(1)
        body += "</span>" if is_open else ""
        is_open = code not in ("", "0")
        body += f'<span style="{STYLES[code]}">' if is_open else ""
    return (f"<!DOCTYPE html><html style='{GROUNDS[scheme]}'><body style='margin: 8px; background: "
            "var(--ground); color: var(--ink)'><pre style='margin: 0; font: 13px/18px monospace; "
            "white-space: pre-wrap; word-break: break-all'>"
            f"{body}{'</span>' if is_open else ''}</pre></body></html>")


class TerminalTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(SHOTS, exist_ok=True)
        cls.browser = Browser()
        cls.folder = tempfile.TemporaryDirectory()
        shutil.copytree(os.path.join(MODELS, "Letters.xcdatamodeld"),
                        os.path.join(cls.folder.name, "Letters.xcdatamodeld"))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def test_screenshots(self):
        for name, arguments in COMMANDS.items():
            for columns, pixels in SIZES:
                status, text = on_terminal(
                    arguments, self.folder.name, columns, models="Letters.xcdatamodeld")
                with self.subTest(name, columns=columns):
                    self.assertIn(status, (0, 1), text)
                    self.assertNotEqual(text, plain(text))
                    for scheme in GROUNDS:
                        page = self.browser.open(
                            "about://blank", viewport={"width": pixels, "height": 600})
                        self.addCleanup(page.context.close)
                        page.set_content(drawn(text, scheme))
                        page.screenshot(path=os.path.join(
                            SHOTS, f"terminal-{name}-{pixels}-{scheme}.png"), full_page=True)
                        lines = page.evaluate("document.querySelector('pre').offsetHeight") / 18
                        self.assertEqual(lines, len(text.splitlines()))


if __name__ == "__main__":
    unittest.main()
