"""What tests of pages share: a browser, and the data that a page has for its script."""

import json
import os
import unittest

from browser import Browser

SAMPLES = os.environ["WAYSTONE_SAMPLES"]
SHOTS = os.environ["WAYSTONE_SCREENSHOTS"]


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(SHOTS, exist_ok=True)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, **options):
        page = self.browser.open(os.path.join(SAMPLES, name), **options)
        self.addCleanup(page.context.close)
        return page

    def data(self, page):
        return self.all_data(page)["models"]

    def all_data(self, page):
        return json.loads(page.locator("#data").text_content())
