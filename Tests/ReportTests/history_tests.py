"""The page of a history of 117 versions."""

import os
import unittest

from page_case import SAMPLES, PageCase


class HistoryTests(PageCase):
    def test_what_is_said_in_the_same_words_is_told_once(self):
        page = self.open("117.html")
        data = self.all_data(page)
        rows = page.locator(".finding").count()
        self.assertEqual(rows, len(data["messages"]))
        self.assertLess(rows, len(data["findings"]))
        # No finding is left out: each leads to its cause, which names its version.
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for cause, version in data["findings"]:
            self.assertIn(data["versions"][version], page.locator(f"#finding-{cause}").text_content())

    def test_a_long_history_is_one_picture(self):
        self.assertLessEqual(os.path.getsize(os.path.join(SAMPLES, "117.html")), 400_000)
        page = self.open("117.html")
        self.assertLessEqual(page.evaluate("document.scrollingElement.scrollHeight"), 3000)
        model = self.data(page)[0]
        self.assertEqual(page.locator(".map a").count(), len(model["nodes"]))
        # Each path is in one row, and its row says what becomes of it.
        rows = page.locator(".ranges p[id$='-row']")
        self.assertEqual(rows.count(), len(model["paths"]))
        self.assertLess(page.locator(".range:not(.heads)").count(), len(model["paths"]))

    def test_a_pick_in_the_map_scrolls_there_and_stands_in_the_address(self):
        page = self.open("117.html")
        model = self.data(page)[0]
        last = len(model["nodes"]) - 1
        for node in [90, 3]:
            page.locator(".map a").nth(node).click()
            page.wait_for_timeout(100)
            self.assertTrue(page.url.endswith(f"#m0-{node}-{last}"))
            self.assertEqual(page.locator("select.from").input_value(), str(node))
            inside = page.evaluate(
                """(node) => {
                  const pane = document.querySelector('.drawing').getBoundingClientRect();
                  const box = document.querySelector(`.node[data-node="${node}"] .box`).getBoundingClientRect();
                  return pane.top <= box.top && box.bottom <= pane.bottom;
                }""", node
            )
            self.assertTrue(inside, f"node {node} is not in the drawing's pane")
        page.select_option("select.from", "40")
        self.assertTrue(page.url.endswith(f"#m0-40-{last}"))
        again = self.open("117.html#m0-40-50")
        self.assertEqual(again.locator("select.from").input_value(), "40")
        self.assertEqual(again.locator("select.to").input_value(), "50")

    def test_the_page_of_versions_alone_says_nothing_of_outcomes(self):
        page = self.open("117.versions.html")
        text = page.locator("body").inner_text()
        for words in ["The app would", "Waystone can:", "Held", "runtime"]:
            self.assertNotIn(words, text)
        self.assertEqual(page.locator(".map, .ranges, .headline, .verdicts").count(), 0)
        page.select_option("select.from", "2")
        page.select_option("select.to", "5")
        panel = page.locator(".panel").inner_text()
        self.assertIn("Waystone can", panel)
        self.assertNotIn("The app", panel)

    def test_ranges_unfold_and_the_drawing_zooms(self):
        page = self.open("117.html")
        folded = page.locator(".range:not(.single):not(.heads)").first
        row = folded.locator("p").first
        self.assertFalse(row.is_visible())
        folded.locator("summary").click()
        self.assertTrue(row.is_visible())
        width = lambda: float(page.locator(".graph").get_attribute("width"))
        before = width()
        page.locator("[data-zoom=in]").click()
        self.assertGreater(width(), before)
        page.locator("[data-zoom=fit]").click()
        self.assertEqual(width(), before)
        page.locator("[data-zoom=fit]").click()
        pane = page.evaluate("document.querySelector('.drawing').clientHeight")
        self.assertLessEqual(float(page.locator(".graph").get_attribute("height")), pane)
        page.locator("[data-zoom=fit]").click()
        self.assertEqual(width(), before)
        page.locator("[data-zoom=out]").click()
        self.assertLess(width(), before)


if __name__ == "__main__":
    unittest.main()
