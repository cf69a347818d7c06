"""The HTML page, opened from a file in a headless Chromium."""

import os
import re
import unittest

from page_case import SAMPLES, SHOTS, PageCase

PAGES = sorted(name for name in os.listdir(SAMPLES) if name.endswith(".html"))

GEOMETRY = """() => {
  const svg = document.querySelector('.graph');
  const box = (element) => { const b = element.getBBox(); return [b.x, b.y, b.width, b.height]; };
  const nodes = [...svg.querySelectorAll('.node .box')].map(box);
  const lines = [...svg.querySelectorAll('.edge')].map((edge) => {
    const path = edge.querySelector('path[id]');
    const length = path.getTotalLength();
    const points = [];
    for (let at = 0; at <= 60; at += 1) {
      const point = path.getPointAtLength(length * at / 60);
      points.push([point.x, point.y]);
    }
    return { edge: Number(edge.dataset.edge), length, points };
  });
  const words = [...svg.querySelectorAll('.words, .says')].map(box);
  return { nodes, lines, words, size: [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height] };
}"""

CONTRASTS = """() => {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue('--' + name).trim();
  const parse = (hex) => {
    const full = hex.length === 4 ? [...hex.slice(1)].map((c) => c + c).join('') : hex.slice(1);
    return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255);
  };
  const light = (hex) => {
    const [r, g, b] = parse(hex).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const names = ['ink', 'faint', 'accent', 'app', 'exact', 'additive', 'conditional', 'lossy',
    'undeclared', 'refused', 'good', 'caution', 'bad', 'unknown'];
  const result = {};
  for (const ground of ['page', 'card']) {
    for (const name of names) {
      const [a, b] = [light(value(name)), light(value(ground))].sort((x, y) => y - x);
      result[name + ' on ' + ground] = (a + 0.05) / (b + 0.05);
    }
  }
  return result;
}"""


def expand(ranges):
    nodes = []
    for part in filter(None, (ranges or "").split(",")):
        first, _, last = part.partition("-")
        nodes.extend(range(int(first), int(last or first) + 1))
    return nodes


def expand_runs(runs):
    numbers = []
    for part in filter(None, runs.split(",")):
        number, _, count = part.partition("x")
        numbers.extend([int(number)] * int(count) if count else expand(part))
    return numbers


def route(model, first, last):
    """The stops between two nodes: the first hop of each, unless they are named."""
    stops = [first]
    while stops[-1] < last:
        odd = model["routes"]["odd"].get(f"{stops[-1]}-{last}")
        if odd:
            return stops + expand(odd)[1:]
        stops.append(stops[-1] + expand_runs(model["routes"]["rows"][stops[-1]])[last - stops[-1] - 1])
    return stops


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


class PageTests(PageCase):
    def highlighted(self, page, kind):
        """The ends of the edges that are highlighted as one of the two paths."""
        model = self.data(page)[0]
        numbers = page.eval_on_selector_all(
            f".edge.{kind}[data-edge]", "all => all.map((one) => Number(one.dataset.edge))"
        )
        return sorted(tuple(model["edges"][number]) for number in numbers)

    def test_pages_ask_for_nothing_and_do_not_complain(self):
        self.assertTrue(PAGES)
        for name in PAGES:
            with self.subTest(name):
                page = self.open(name)
                page.mouse.move(200, 600)
                page.wait_for_timeout(200)
                others = [url for url in page.requests[1:] if not url.startswith("data:,")]
                self.assertEqual(others, [])
                self.assertTrue(page.requests[0].startswith("file://"))
                self.assertEqual(page.complaints, [])

    def test_the_policy_stops_what_a_page_might_ask_for(self):
        page = self.open("notes.html")
        blocked = page.evaluate(
            """async () => {
              const seen = [];
              document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
              const image = new Image(); image.src = 'https://example.invalid/x.png'; document.body.append(image);
              const script = document.createElement('script'); script.textContent = 'window.broken = 1'; document.body.append(script);
              await fetch('https://example.invalid/').catch(() => {});
              await new Promise((done) => setTimeout(done, 200));
              return { seen, broken: window.broken };
            }"""
        )
        self.assertIsNone(blocked.get("broken"))
        for directive in ["img-src", "script-src-elem", "connect-src"]:
            self.assertIn(directive, blocked["seen"])

    def test_the_graph_is_drawn(self):
        for name in PAGES:
            with self.subTest(name):
                page = self.open(name)
                models = self.data(page)
                self.assertEqual(page.locator(".graph").count(), len(models))
                if not models:
                    continue
                drawn = page.evaluate(GEOMETRY)
                nodes, lines = drawn["nodes"], drawn["lines"]
                self.assertEqual(len(nodes), len(models[0]["nodes"]))
                self.assertEqual(len(lines), len(models[0]["edges"]))
                width, height = drawn["size"]
                for index, box in enumerate(nodes):
                    self.assertGreater(min(box[2:]), 10)
                    self.assertTrue(0 <= box[0] and box[0] + box[2] <= width)
                    self.assertTrue(0 <= box[1] and box[1] + box[3] <= height)
                    for other in nodes[index + 1 :]:
                        self.assertFalse(overlap(box, other))
                for line in lines:
                    source, destination = models[0]["edges"][line["edge"]]
                    self.assertGreater(line["length"], 4)
                    for x, y in line["points"]:
                        self.assertTrue(0 <= x <= width and 0 <= y <= height)
                        for index, box in enumerate(nodes):
                            inside = box[0] < x < box[0] + box[2] and box[1] < y < box[1] + box[3]
                            self.assertFalse(inside, f"edge {source}-{destination} crosses {index}")
                for words in drawn["words"]:
                    self.assertLessEqual(words[0] + words[2], width + 1)
                    for box in nodes:
                        self.assertFalse(overlap(words, box))

    def test_a_path_is_picked_with_the_two_selects(self):
        for name in ["notes.html", "17.html", "117.html"]:
            with self.subTest(name):
                page = self.open(name)
                model = self.data(page)[0]
                last = len(model["nodes"]) - 1
                for path in model["paths"][:6]:
                    page.select_option("select.from", str(path["from"]))
                    page.select_option("select.to", str(path["to"]))
                    way = expand(path.get("nodes"))
                    app = expand(path["app"]["nodes"])
                    if app[-1] != path["to"]:
                        # The step that the app cannot take.
                        app.append(path["to"])
                    edges = {tuple(edge) for edge in model["edges"]}
                    self.assertEqual(self.highlighted(page, "way"), sorted(zip(way, way[1:])))
                    self.assertEqual(
                        self.highlighted(page, "app"),
                        sorted(pair for pair in zip(app, app[1:]) if pair in edges),
                    )
                    panel = page.locator(".panel").inner_text()
                    self.assertIn(f"{model['nodes'][path['from']]} → {model['nodes'][path['to']]}", panel)
                    self.assertIn("The app would:\n" + model["texts"][path["app"]["words"]], panel)
                    self.assertIn(model["texts"][path["app"]["summary"]], panel)
                    self.assertIn("Waystone can:\n", panel)
                # The app opens stores with its current version only; Waystone leads elsewhere too.
                page.select_option("select.from", "1")
                page.select_option("select.to", str(last - 1))
                way = route(model, 1, last - 1)
                self.assertEqual(self.highlighted(page, "way"), sorted(zip(way, way[1:])))
                self.assertEqual(self.highlighted(page, "app"), [])
                self.assertIn("only opens stores with its current version", page.locator(".panel").inner_text())

    def test_hops_show_their_changes(self):
        page = self.open("notes.html")
        page.select_option("select.from", "1")
        panel = page.locator(".panel").inner_text()
        for words in ["added attribute pinned", "removed attribute image", "xcmappingmodel", "WS302"]:
            self.assertIn(words, panel)
        # What goes stands on the left, what comes on the right.
        step = page.locator(".panel .step", has_text="v3 → v4")
        self.assertIn("removed attribute colour", step.locator(".lost").inner_text())
        self.assertEqual(page.locator(".panel .step").count(), 3)
        self.assertEqual(page.locator("[id^=step-0-]").count(), 5)

    def test_pointing_at_a_version_shows_its_path_for_a_while(self):
        page = self.open("17.html")
        model = self.data(page)[0]
        page.select_option("select.from", "0")
        picked = self.highlighted(page, "way")
        page.locator('.node[data-node="10"] .box').hover()
        path = next(path for path in model["paths"] if path["from"] == 10)
        way = expand(path.get("nodes"))
        self.assertEqual(self.highlighted(page, "way"), sorted(zip(way, way[1:])))
        page.mouse.move(5, 5)
        self.assertEqual(self.highlighted(page, "way"), picked)
        page.locator('.node[data-node="10"]').click()
        self.assertEqual(page.locator("select.from").input_value(), "10")
        page.locator('.node[data-node="12"]').click(modifiers=["Shift"])
        self.assertEqual(page.locator("select.to").input_value(), "12")
        page.locator("button.clear").click()
        self.assertEqual(self.highlighted(page, "way"), [])

    def test_all_of_it_works_with_the_keyboard(self):
        page = self.open("17.html")
        page.locator("[data-zoom=in]").focus()
        page.keyboard.press("Tab")
        focused = "document.activeElement.closest('.node')?.dataset.node"
        first = int(page.evaluate(focused))
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        self.assertEqual(int(page.evaluate(focused)), first + 2)
        page.keyboard.press("Enter")
        self.assertEqual(page.locator("select.from").input_value(), str(first + 2))
        page.keyboard.press("End")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Shift+Enter")
        self.assertEqual(page.locator("select.to").input_value(), "15")
        self.assertEqual(
            page.evaluate("[...document.querySelectorAll('[aria-pressed=true]')].map((n) => n.dataset.node)"),
            [str(first + 2), "15"],
        )
        self.assertTrue(self.highlighted(page, "way"))
        page.keyboard.press("Escape")
        self.assertIn("No path is picked", page.locator(".panel").inner_text())
        outline = page.evaluate(
            "(() => { const s = getComputedStyle(document.activeElement.querySelector('.hit'));"
            " return s.stroke; })()"
        )
        self.assertNotEqual(outline, "none")

    def test_the_filter_shows_what_fits(self):
        page = self.open("17.html")
        data = self.all_data(page)
        rows = page.eval_on_selector_all(
            ".finding", "all => all.map((row) => ({...row.dataset, text: row.textContent.toLowerCase()}))"
        )
        for index, row in enumerate(rows):
            row["versions"] = {
                data["versions"][version] for cause, version in data["findings"] if cause == index
            }
        shown = lambda: page.locator(".finding:not([hidden])").count()
        self.assertEqual(shown(), len(rows))
        page.select_option("select[name=code]", "WS302")
        self.assertEqual(shown(), sum(row["code"] == "WS302" for row in rows))
        # What fits is unfolded.
        self.assertTrue(page.locator(".finding:not([hidden])").first.is_visible())
        page.select_option("select[name=version]", "Model 7")
        self.assertEqual(
            shown(), sum(row["code"] == "WS302" and "Model 7" in row["versions"] for row in rows)
        )
        page.select_option("select[name=code]", "")
        page.select_option("select[name=version]", "")
        page.fill("input[name=text]", "NOTE7 gone")
        fitting = sum("note7" in row["text"] and "gone" in row["text"] for row in rows)
        self.assertEqual(shown(), fitting)
        self.assertEqual(page.locator("output").inner_text(), f"{fitting} of {len(rows)} shown")
        page.fill("input[name=text]", "nothing says this")
        self.assertEqual(shown(), 0)
        # A link from the panel to a finding that is filtered away shows it.
        link = page.locator(".panel .note-list a").first
        target = link.get_attribute("href")
        link.click()
        page.wait_for_timeout(100)
        self.assertEqual(shown(), len(rows))
        self.assertTrue(page.locator(target).is_visible())

    def test_light_and_dark(self):
        grounds = {}
        for scheme in ["light", "dark"]:
            page = self.open("notes.html", color_scheme=scheme)
            grounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
            for pair, contrast in page.evaluate(CONTRASTS).items():
                self.assertGreaterEqual(contrast, 4.5, f"{pair} in {scheme}")
        self.assertNotEqual(grounds["light"], grounds["dark"])
        page = self.open("notes.html", color_scheme="light")
        seen = []
        for _ in range(3):
            page.locator("#theme").click()
            seen.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(seen, [grounds["light"], grounds["dark"], grounds["light"]])

    def test_hostile_names_are_only_text(self):
        page = self.open("hostile.html")
        self.assertEqual(page.locator("img, iframe, object, embed").count(), 0)
        self.assertEqual(page.locator("script").count(), 2)
        name = "</script><img src=x onerror=alert(1)>"
        self.assertEqual(page.locator("select.from option").first.inner_text(), name)
        self.assertIn(name, page.locator(".panel").inner_text())
        self.assertIn(name, page.title())

    def test_a_screen_reader_finds_names_for_all_controls(self):
        page = self.open("notes.html")
        unnamed = page.evaluate(
            "[...document.querySelectorAll('select, input')].filter((one) => !one.labels.length).length"
        )
        self.assertEqual(unnamed, 0)
        tree = page.locator("body").aria_snapshot()
        for words in [
            'button "v1. The app: loses or changes data silently: Attachment.title. '
            'Waystone: drops data"',
            'combobox "From"', 'combobox "to"', 'searchbox "Text"', 'heading "Findings by cause"',
            'link "v2: the app: unknown; Waystone: drops data"', 'button "Larger"',
        ]:
            self.assertIn(words, tree)
        self.assertEqual(page.locator(".panel").get_attribute("aria-live"), "polite")
        self.assertEqual(page.locator("html").get_attribute("lang"), "en")

    def test_it_says_the_same_without_its_script(self):
        page = self.open("notes.html", java_script_enabled=False)
        self.assertEqual(page.locator(".node").count(), 5)
        self.assertEqual(page.locator(".finding").count(), 6)
        self.assertTrue(page.get_by_text("1 addition besides").is_visible())
        self.assertEqual(page.locator(".range:not(.heads)").count(), 5)
        self.assertFalse(page.locator(".pick").is_visible())
        self.assertTrue(page.get_by_text("Held: 2 versions lose data silently in the app").is_visible())
        page.locator(".range summary").first.click()
        self.assertTrue(page.get_by_text("Core Data finds no mapping from v0 to v4.").first.is_visible())

    def test_it_prints(self):
        for name in ["117.html", "notes.html"]:
            page = self.open(name)
            path = os.path.join(SHOTS, name[:-5] + ".pdf")
            page.pdf(path=path, format="A4")
            with open(path, "rb") as file:
                pages = max(int(n) for n in re.findall(rb"/Count (\d+)", file.read()))
            losing = page.locator(".losing .step").count()
            self.assertLessEqual(pages, 4 + losing, name)
        page = self.open("notes.html", color_scheme="dark")
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        self.assertFalse(page.locator(".pick").is_visible())
        self.assertFalse(page.locator(".filter").is_visible())
        self.assertEqual(page.locator(".losing details:not([open])").count(), 0)
        self.assertTrue(page.get_by_text("removed attribute colour").first.is_visible())
        # Nothing unfolds on paper, and nothing is picked.
        folded = page.evaluate("getComputedStyle(document.querySelector('.range .from'), '::before').content")
        self.assertEqual(folded, "none")
        strokes = page.eval_on_selector_all(".map rect", "all => all.map((one) => getComputedStyle(one).stroke)")
        self.assertEqual(set(strokes), {"none"})
        self.assertEqual(page.locator(".verdicts .card").nth(0).bounding_box()["y"],
                         page.locator(".verdicts .card").nth(1).bounding_box()["y"])
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(ground, "rgb(255, 255, 255)")

    def test_what_is_lost_is_never_green(self):
        page = self.open("notes.html")
        for chip in page.locator(".range .chip").all():
            if "drops" in chip.inner_text() or "loses" in chip.inner_text():
                self.assertNotIn("arrives", chip.get_attribute("class").split())

    def test_it_fits_a_telephone(self):
        for name in ["notes.html", "117.html", "hostile.html"]:
            with self.subTest(name):
                page = self.open(name, viewport={"width": 390, "height": 800})
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), 390)

    def test_screenshots(self):
        """For people: they lie beside the samples."""
        for name in PAGES:
            for scheme in ["light", "dark"]:
                page = self.open(name, color_scheme=scheme)
                page.wait_for_timeout(250)
                path = os.path.join(SHOTS, f"{name[:-5]}-{scheme}.png")
                page.screenshot(path=path, full_page=True)
                self.assertGreater(os.path.getsize(path), 10_000)
            page = self.open(name, viewport={"width": 390, "height": 800})
            page.screenshot(path=os.path.join(SHOTS, f"{name[:-5]}-390.png"), full_page=True)


if __name__ == "__main__":
    unittest.main()
