"""What Waystone says that an app would do, against a statement of Apple's documented rules.

WAYSTONE names the command. With WAYSTONE_PAIRS in a folder's name, the models stay there.
"""

import collections
import json
import os
import subprocess
import tempfile
import unittest

from documented_rules import ALLOWED, REFUSED, RULES, SILENT, verdict
from model_pairs import Pair
from model_xml import write

COUNT = 720

# What the app's outcome must be for each verdict of the documents.
OUTCOMES = {ALLOWED: "arrives", REFUSED: "fails", SILENT: "unknown"}


class RulesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as scratch:
            folder = os.environ.get("WAYSTONE_PAIRS", scratch)
            cls.pairs = {f"P{seed:03}": Pair(seed) for seed in range(COUNT)}
            for name, pair in cls.pairs.items():
                write(pair, folder, name)
            run = subprocess.run(
                [os.environ["WAYSTONE"], "coverage", "--models", folder, "--format", "json"],
                capture_output=True, text=True, check=False, cwd=scratch,
            )
        if run.returncode not in (0, 1):
            raise AssertionError(run.stdout[:2000] + run.stderr[:2000])
        report = json.loads(run.stdout)
        cls.paths = {path["model"]: path for path in report["paths"]}
        cls.steps = {model["name"]: model["shown"][0] for model in report["models"]}

    def test_every_pair_is_a_step_of_its_own(self):
        self.assertEqual(self.paths.keys(), self.pairs.keys())

    def test_every_rule_is_tried_by_several_pairs(self):
        counts = collections.Counter(
            rule for pair in self.pairs.values() for rule in verdict(pair.source, pair.destination)[1]
        )
        self.assertEqual([rule for rule in RULES if counts[rule] < 8], [])

    def test_the_app_does_what_the_documents_say_and_is_unknown_where_they_are_silent(self):
        wrong, counts = [], collections.Counter()
        for name, pair in self.pairs.items():
            kind, rules = verdict(pair.source, pair.destination)
            app = self.paths[name]["app"]
            counts[kind] += 1
            if app["outcome"] != OUTCOMES[kind]:
                told = [f"{one['code']} {one['message']}" for one in app["findings"]]
                wrong.append(f"{name}: {kind} by {rules} of {pair.changes}: {app['outcome']} {told}")
        self.assertEqual(wrong, [], f"{len(wrong)} of {COUNT} pairs differ")
        print(f"\n{COUNT} pairs as the documents say: {dict(counts)}")

    def test_a_step_is_core_datas_own_where_the_documents_allow_it(self):
        wrong = []
        for name, pair in self.pairs.items():
            kind, rules = verdict(pair.source, pair.destination)
            step = self.steps[name]["kind"]
            # A broken identifier leaves the step, and what it carries is unknown.
            if (step == "inferred") != (kind == ALLOWED or rules_but_identifiers(rules) == ALLOWED):
                wrong.append(f"{name}: {kind} by {rules} of {pair.changes}: {step}")
        self.assertEqual(wrong, [], f"{len(wrong)} of {COUNT} pairs differ")


def rules_but_identifiers(rules):
    """The verdict of the rules, broken identifiers left aside."""
    kinds = {RULES[rule][0] for rule in rules if rule != "identifier broken"}
    return next((kind for kind in (REFUSED, SILENT) if kind in kinds), ALLOWED)


if __name__ == "__main__":
    unittest.main()
