"""The site of the documentation in a browser: from a server, and its plain pages from the disk."""

import functools
import http.server
import os
import threading
import unittest

from browser import Browser

SITE = os.environ["WAYSTONE_SITE"]
SHOTS = os.environ["WAYSTONE_SCREENSHOTS"]
PAGES = {
    "landing": ("waystone", "Waystone"),
    "article": ("waystone/reportsinci", "Reports in CI"),
    "finding": ("waystone/ws209", "WS209"),
    "symbol": ("waystone/storeplan", "StorePlan"),
}
SIZES = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class DocumentationTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(SHOTS, exist_ok=True)
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
        cls.address = f"http://127.0.0.1:{cls.server.server_port}"
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()

    def look(self, place, heading, shot, width, scheme, **options):
        """Opens a page, and holds that it is whole, asks nothing of others, and fits."""
        page = self.browser.open(
            place, viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        self.addCleanup(page.context.close)
        page.locator("h1").wait_for()
        self.assertEqual(page.locator("h1").inner_text().strip(), heading)
        page.wait_for_load_state("load")
        page.screenshot(path=os.path.join(SHOTS, f"documentation-{shot}-{width}-{scheme}.png"))
        self.assertEqual(page.complaints, [])
        own = "file://" if place.startswith("/") else self.address
        self.assertEqual([url for url in page.requests if not url.startswith((own, "data:"))], [])
        size = "[document.documentElement.scrollWidth, window.innerWidth]"
        if not options:
            self.assertLessEqual(*page.evaluate(size), f"{shot} is wider than {width}")
            images = "[...document.images].filter(image => image.complete && !image.naturalWidth).length"
            self.assertEqual(page.evaluate(images), 0)
        return page

    def test_the_site_shows_each_kind_of_page(self):
        for shot, (path, heading) in PAGES.items():
            for width, scheme in SIZES:
                with self.subTest(shot, width=width, scheme=scheme):
                    self.look(f"{self.address}/documentation/{path}/", heading, shot, width, scheme)

    def test_plain_pages_open_from_the_disk(self):
        for shot, (path, heading) in PAGES.items():
            for width, scheme in SIZES:
                with self.subTest(shot, width=width, scheme=scheme):
                    self.look(os.path.join(os.path.abspath(SITE), "plain", f"{path}.html"), heading,
                              f"plain-{shot}", width, scheme)

    def test_plain_pages_need_no_script(self):
        path = os.path.join(os.path.abspath(SITE), "plain/waystone.html")
        self.look(path, "Waystone", "plain-without-script", 1280, "light", java_script_enabled=False)

    def test_the_first_page_leads_to_what_can_be_read(self):
        page = self.browser.open(os.path.join(SITE, "index.html"))
        self.addCleanup(page.context.close)
        page.get_by_role("link", name="Read the documentation").click()
        page.get_by_role("link", name="Why not let the app migrate").first.click()
        self.assertEqual(page.locator("h1").inner_text(), "Why not let the app migrate")
        served = self.browser.open(self.address)
        self.addCleanup(served.context.close)
        served.wait_for_url("**/documentation/waystone/")

    def test_the_sidebar_leads_to_a_finding(self):
        page = self.look(f"{self.address}/documentation/waystone/", "Waystone", "sidebar", 1280, "light")
        page.get_by_placeholder("Filter").fill("WS209")
        page.get_by_role("link", name="WS209").first.click()
        page.wait_for_url("**/documentation/waystone/ws209*")
        page.get_by_text("What to do").first.wait_for()
