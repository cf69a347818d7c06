"""The other formats, each read by something that has nothing to do with Waystone."""

import glob
import hashlib
import json
import os
import re
import subprocess
import tarfile
import tempfile
import unittest
import zipfile
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import jsonschema
import junitparser
from markdown_it import MarkdownIt
from referencing import Registry, Resource
from sarif import loader

from browser import Browser

SAMPLES = os.environ["WAYSTONE_SAMPLES"]
PACKAGES = os.environ["WAYSTONE_PACKAGES"]

# The sdist of Microsoft's sarif-om has the schema that SchemaStore published for SARIF 2.1.0, in
# revision rtm.4; no package of PyPI or Debian has a later one. It differs from the final schema, as
# far as Waystone's logs go, in one name: a suppression's "state" is called "status" since.
SCHEMA_PACKAGE = "sarif_om-1.0.4.tar.gz"
SCHEMA_FILE = "sarif_om-1.0.4/sarif-2.1.0-rtm.4.json"
SCHEMA_SHA256 = "49729d5909e2b1b976621a29dcebef22e57c78c20d469dfe6c7f15f759904f61"

# Mermaid 11.11 itself, as packed for PythonMonkey.
MERMAID_PACKAGE = "mermaid_parser_py-0.0.4-py3-none-any.whl"
MERMAID_FILE = "mermaid_parser/js/parser.bundle.js"


def samples(suffix):
    found = sorted(glob.glob(os.path.join(SAMPLES, "*." + suffix)))
    assert found, f"There is no sample of {suffix}."
    return found


def text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class JSONTests(unittest.TestCase):
    def test_the_published_schema_of_ours_accepts_it(self):
        folder = "../../Sources/StoreMigration/StoreMigration.docc/Resources/"
        names = [os.path.basename(path) for path in glob.glob(folder + "*.schema.json")]
        schemas = {name: json.loads(text(folder + name)) for name in names}
        registry = Registry().with_resources(
            (name, Resource.from_contents(schema)) for name, schema in schemas.items()
        )
        schema = schemas["waystone.coverage-1.schema.json"]
        kind = jsonschema.validators.validator_for(schema)
        for name in names:
            with self.subTest(name):
                kind.check_schema(schemas[name])
        for path in samples("json"):
            with self.subTest(path):
                result = json.loads(text(path))
                self.assertEqual(result["schema"], "waystone.coverage/1")
                self.assertEqual([error.message for error in kind(schema, registry=registry).iter_errors(result)], [])


class JUnitTests(unittest.TestCase):
    def test_junitparser_and_expat_read_the_same(self):
        for path in samples("xml"):
            with self.subTest(path):
                root = ElementTree.fromstring(text(path).encode())
                self.assertEqual(root.tag, "testsuites")
                suites = list(junitparser.JUnitXml.fromfile(path))
                self.assertEqual(len(suites), len(root.findall("testsuite")))
                cases = [case for suite in suites for case in suite]
                self.assertEqual(len(cases), int(root.get("tests")))
                kinds = [type(result).__name__ for case in cases for result in case.result]
                self.assertEqual(kinds.count("Failure"), int(root.get("failures")))
                self.assertEqual(kinds.count("Skipped"), int(root.get("skipped")))
                for suite, element in zip(suites, root):
                    self.assertEqual(suite.tests, len(list(suite)))
                    self.assertEqual(suite.failures, len(element.findall("testcase/failure")))
                    for case in suite:
                        self.assertTrue(case.name and case.classname)
                        self.assertLessEqual(len(case.result), 1)

    def test_the_verdicts_are_told(self):
        suites = {suite.name: suite for suite in junitparser.JUnitXml.fromfile(SAMPLES + "/notes.xml")}
        self.assertEqual(list(suites), ["project", "Notes/v0", "Notes/v1", "Notes/v2", "Notes/v3"])
        case = list(suites["Notes/v1"])[0]
        self.assertEqual(case.name, "v1 → v4")
        self.assertEqual(case.result[0].type, "app-loses")
        self.assertIn("v1 → v2 → v3 → v4", case.system_out)


class SARIFTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tarfile.open(os.path.join(PACKAGES, SCHEMA_PACKAGE)) as package:
            data = package.extractfile(SCHEMA_FILE).read()
        assert hashlib.sha256(data).hexdigest() == SCHEMA_SHA256
        cls.schema = json.loads(data)
        suppression = cls.schema["definitions"]["suppression"]["properties"]
        suppression["status"] = suppression.pop("state")
        kind = jsonschema.validators.validator_for(cls.schema)
        kind.check_schema(cls.schema)
        cls.validator = kind(cls.schema, format_checker=kind.FORMAT_CHECKER)

    def test_the_published_schema_accepts_every_log(self):
        for path in samples("sarif"):
            with self.subTest(path):
                errors = [error.message for error in self.validator.iter_errors(json.loads(text(path)))]
                self.assertEqual(errors, [])

    def test_the_schema_would_refuse_a_wrong_log(self):
        log = json.loads(text(SAMPLES + "/notes.sarif"))
        log["runs"][0]["results"][0]["level"] = "fatal"
        log["runs"][0]["results"][1]["location"] = []
        self.assertEqual(len(list(self.validator.iter_errors(log))), 2)

    def test_sarif_tools_counts_the_same(self):
        for path in samples("sarif"):
            with self.subTest(path):
                results = json.loads(text(path))["runs"][0]["results"]
                read = loader.load_sarif_file(path)
                self.assertEqual(read.get_tool_name() if hasattr(read, "get_tool_name") else "Waystone", "Waystone")
                self.assertEqual(read.get_result_count(), len(results))
                report = read.get_report()
                for level in ["error", "warning", "note"]:
                    self.assertEqual(
                        report.get_issue_count_for_severity(level),
                        sum(result["level"] == level for result in results),
                    )

    def test_results_point_at_rules_and_files(self):
        for path in samples("sarif"):
            with self.subTest(path):
                run = json.loads(text(path))["runs"][0]
                rules = run["tool"]["driver"]["rules"]
                self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
                prints = set()
                for result in run["results"]:
                    self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
                    prints.add(json.dumps(result["partialFingerprints"], sort_keys=True))
                    for location in result.get("locations", []):
                        if "physicalLocation" not in location:
                            continue
                        artifact = location["physicalLocation"]["artifactLocation"]
                        uri = urlsplit(artifact["uri"])
                        self.assertEqual((uri.scheme, uri.netloc, uri.query, uri.fragment), ("", "", "", ""))
                        self.assertFalse(unquote(uri.path).startswith("/"))
                        self.assertIn(artifact["uriBaseId"], run["originalUriBaseIds"])
                self.assertEqual(len(prints), len(run["results"]))

    def test_what_was_accepted_is_suppressed(self):
        results = json.loads(text(SAMPLES + "/notes.sarif"))["runs"][0]["results"]
        accepted = [result for result in results if result.get("suppressions")]
        self.assertEqual([result["ruleId"] for result in accepted], ["WS302"])
        self.assertIn("Colours were never shown", accepted[0]["suppressions"][0]["justification"])


# From GitHub's "Workflow commands for GitHub Actions": ::name key=value,key=value::message
COMMAND = re.compile(r"^::(error|warning|notice) ([a-zA-Z]+=[^,:]*(?:,[a-zA-Z]+=[^,:]*)*)::(.*)$")


def unescaped(value, is_property):
    pairs = [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if is_property else [])
    for code, character in pairs:
        value = value.replace(code, character)
    return value.replace("%25", "%")


class GitHubTests(unittest.TestCase):
    def test_each_line_is_a_command(self):
        for path in samples("github"):
            with self.subTest(path):
                results = json.loads(text(path[:-6] + "sarif"))["runs"][0]["results"]
                lines = text(path).split("\n")
                self.assertEqual(lines.pop(), "")
                self.assertEqual(len(lines), len(results))
                for line in lines:
                    match = COMMAND.match(line)
                    self.assertTrue(match, line)
                    properties = dict(pair.split("=", 1) for pair in match[2].split(","))
                    self.assertLessEqual(set(properties), {"file", "line", "title"})
                    self.assertRegex(unescaped(properties["title"], True), r"^WS\d\d\d")
                    if "line" in properties:
                        self.assertIn("file", properties)
                        self.assertGreater(int(properties["line"]), 0)
                    self.assertTrue(unescaped(match[3], False).strip())


class MarkdownTests(unittest.TestCase):
    def test_names_make_nothing_but_text(self):
        reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        for path in samples("md"):
            with self.subTest(path):
                html, cells = [], []
                for token in reader.parse(text(path)):
                    for inner in [token] + (token.children or []):
                        self.assertNotIn(inner.type, ["image", "link_open", "s_open"])
                        if inner.type.startswith("html"):
                            html.append(inner.content.strip())
                    if token.type == "tr_open":
                        cells.append(0)
                    if token.type in ("td_open", "th_open"):
                        cells[-1] += 1
                # A row with a bar too many loses the rest of its cells, one too few is filled up.
                for line in text(path).split("\n"):
                    if line.startswith("| "):
                        bars = len(re.findall(r"(?<!\\)\|", line))
                        self.assertIn(bars - 1, set(cells))
                for tag in html:
                    self.assertRegex(tag, r"^(<details><summary>[\w ,]+</summary>|</details>)$")


class DrawingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        with zipfile.ZipFile(os.path.join(PACKAGES, MERMAID_PACKAGE)) as package:
            source = package.read(MERMAID_FILE).decode()
        folder = tempfile.mkdtemp()
        with open(os.path.join(folder, "mermaid.js"), "w", encoding="utf-8") as file:
            file.write("globalThis.module = {};\n" + source)
        with open(os.path.join(folder, "mermaid.html"), "w", encoding="utf-8") as file:
            file.write('<!DOCTYPE html><meta charset="utf-8"><script src="mermaid.js"></script>')
        cls.page = cls.browser.open(os.path.join(folder, "mermaid.html"))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def test_graphviz_draws_every_node_and_edge(self):
        for path in samples("dot"):
            with self.subTest(path):
                run = subprocess.run(["dot", "-Tsvg", path], capture_output=True, timeout=300)
                self.assertEqual((run.returncode, run.stderr), (0, b""))
                source = text(path)
                drawn = ElementTree.fromstring(run.stdout)
                groups = [group.get("class") for group in drawn.iter("{http://www.w3.org/2000/svg}g")]
                self.assertEqual(groups.count("node"), len(re.findall(r"^  n\d+ \[", source, re.M)))
                self.assertEqual(groups.count("edge"), len(re.findall(r"^  n\d+ -> n\d+ \[", source, re.M)))

    def test_mermaid_reads_every_node_and_edge(self):
        for path in samples("mmd"):
            source = text(path)
            if source.strip() == "flowchart LR":
                continue
            with self.subTest(path):
                graph = json.loads(self.page.evaluate("(source) => parse_mermaid(source)", source))
                data = graph["graph_data"]
                self.assertEqual(len(data["vertices"]), len(re.findall(r"^  n\d+\[", source, re.M)))
                self.assertEqual(len(data["edges"]), len(re.findall(r"^  n\d+ [-=.]+>", source, re.M)))

    def test_mermaid_reads_hostile_names_as_text(self):
        graph = json.loads(self.page.evaluate("(source) => parse_mermaid(source)", text(SAMPLES + "/hostile.mmd")))
        first = next(iter(graph["graph_data"]["vertices"].values()))
        self.assertNotIn("<img", first["text"])
        self.assertEqual(self.page.locator("img").count(), 0)


if __name__ == "__main__":
    unittest.main()
