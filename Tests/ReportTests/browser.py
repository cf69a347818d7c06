"""A headless Chromium that reads pages and tells of all that it was asked for."""

import os
import shutil

from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


class Browser:
    """One browser for a whole run of tests."""

    def __init__(self):
        self._playwright = sync_playwright().start()
        # Within a container there are no privileges to build a sandbox from.
        self._browser = self._playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )

    def open(self, path, wait=True, **options):
        """A page of a file or an address, in a context of its own, with the lists `requests` and `complaints`."""
        options.setdefault("viewport", {"width": 1280, "height": 900})
        context = self._browser.new_context(**options)
        page = context.new_page()
        page.requests, page.complaints = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("console", lambda message: page.complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (page.complaints.append("dialog"), dialog.dismiss()))
        if "://" not in path:
            path, _, fragment = path.partition("#")
            path = "file://" + os.path.abspath(path) + ("#" + fragment if fragment else "")
        page.goto(path)
        return page

    def close(self):
        self._browser.close()
        self._playwright.stop()
