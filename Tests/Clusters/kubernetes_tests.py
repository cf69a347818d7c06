"""The manifest of a job of Kubernetes: against its published schema, and its pods as processes here.

WAYSTONE names the command, MODELS the folder of the sample models, MANIFEST the manifest.
"""

import os
import sqlite3
import subprocess
import tempfile
import unittest

import kubernetes_validate
import yaml

WAYSTONE, MODELS, MANIFEST = (os.environ[name] for name in ("WAYSTONE", "MODELS", "MANIFEST"))
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.normpath(os.path.join(HERE, "..", "..", "Scripts"))
# The first release with podFailurePolicy and backoffLimitPerIndex for everybody, and the last here.
RELEASES = ["1.33", "1.37"]


def manifest():
    with open(MANIFEST) as file:
        return yaml.safe_load(file)


class ManifestTests(unittest.TestCase):
    def test_the_manifest_is_a_job_of_the_published_schema(self):
        for release in RELEASES:
            kubernetes_validate.validate(manifest(), release, strict=True)

    def test_the_schema_finds_a_word_that_is_none(self):
        for path, value in [(["completionMod"], "Indexed"), (["completions"], "eight"),
                            (["template", "spec", "restart"], "Never")]:  # fmt: skip
            wrong = manifest()
            place = wrong["spec"]
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = value
            with self.assertRaises(kubernetes_validate.ValidationError, msg=path):
                kubernetes_validate.validate(wrong, RELEASES[-1], strict=True)

    def test_what_no_schema_knows_fits_together(self):
        spec = manifest()["spec"]
        pod = spec["template"]["spec"]
        (container,) = pod["containers"]
        variables = {v["name"]: v.get("value") for v in container["env"]}
        self.assertEqual(variables["JOB_COMPLETIONS"], str(spec["completions"]))
        # Both need them: https://kubernetes.io/docs/concepts/workloads/controllers/job/
        self.assertEqual(spec["completionMode"], "Indexed")
        self.assertEqual(pod["restartPolicy"], "Never")
        mounts = {m["name"]: m for m in container["volumeMounts"]}
        self.assertEqual({v["name"] for v in pod["volumes"]}, set(mounts))
        self.assertTrue(mounts["archive"]["readOnly"])
        for rule in spec["podFailurePolicy"]["rules"]:
            self.assertEqual(rule["onExitCodes"]["containerName"], container["name"])


class PodTests(unittest.TestCase):
    """Runs what the manifest runs, with the variables that Kubernetes sets."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.archive = os.path.join(self.folder, "archive")
        self.results = os.path.join(self.folder, "results")
        # What the image of the manifest has in its PATH.
        self.programs = os.path.join(self.folder, "bin")
        for folder in (self.archive, self.results, self.programs):
            os.mkdir(folder)
        os.symlink(os.path.join(SCRIPTS, "batch-task"), os.path.join(self.programs, "batch-task"))
        os.symlink(os.path.abspath(WAYSTONE), os.path.join(self.programs, "waystone"))
        for number in range(6):
            version = ["Letters/v1", "People/v1", "Library/v1"][number % 3]
            self.waystone(
                0, "generate", version, "--rows", "20", "--seed", str(number), "--models", MODELS,
                "--output", os.path.join(self.archive, "%d.sqlite" % number), "--quiet",
            )  # fmt: skip

    def waystone(self, status, *arguments):
        run = subprocess.run([WAYSTONE, *arguments], capture_output=True, text=True)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout

    def pod(self, index, completions, change=()):
        container = manifest()["spec"]["template"]["spec"]["containers"][0]
        places = {"/archive": self.archive, "/models": MODELS, "/results": self.results}
        words = [places.get(word, word) for word in container["command"] + container["args"]]
        limits = container["resources"]["limits"]
        variables = {
            v["name"]: v.get("value") or limits[v["valueFrom"]["resourceFieldRef"]["resource"][7:]]
            for v in container["env"]
        }
        variables |= {"JOB_COMPLETION_INDEX": str(index), "JOB_COMPLETIONS": str(completions)}
        variables |= {"PATH": self.programs + ":/usr/bin:/bin"}
        variables |= dict(change)
        return subprocess.run(
            words, env={k: v for k, v in variables.items() if v}, capture_output=True, text=True
        )

    def test_two_indexes_share_the_stores(self):
        for index in (0, 1, 0):
            run = self.pod(index, 2)
            self.assertEqual(run.returncode, 0, run.stderr)
        ledgers = [
            os.path.join(self.results, "batch-%d-of-2.waystone.sqlite" % part) for part in (1, 2)
        ]
        merged = os.path.join(self.results, "batch.waystone.sqlite")
        self.waystone(0, "batch", "merge", *ledgers, "--into", merged)
        names = []
        for ledger in ledgers:
            with sqlite3.connect(ledger) as database:
                rows = database.execute("SELECT name, state, attempts FROM store").fetchall()
            self.assertEqual({row[1:] for row in rows}, {("migrated", 1)})
            names += [row[0] for row in rows]
        self.assertEqual(sorted(names), ["archive/%d.sqlite" % number for number in range(6)])
        self.assertEqual(
            sorted(os.listdir(os.path.join(self.results, "archive"))),
            ["%d.sqlite" % number for number in range(6)],
        )
        self.assertIn("6", self.waystone(0, "batch", "verify", self.results))

    def test_a_pod_that_does_not_know_how_many_there_are_migrates_nothing(self):
        run = self.pod(0, 2, {"JOB_COMPLETIONS": ""})
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("Kubernetes", run.stderr)
        self.assertEqual(os.listdir(self.results), [])

    def test_a_damaged_store_fails_its_index_alone(self):
        path = os.path.join(self.archive, "0.sqlite")
        with open(path, "r+b") as file:
            file.truncate(6000)
        statuses = sorted(self.pod(index, 2).returncode for index in (0, 1))
        self.assertEqual(statuses, [0, 1])


if __name__ == "__main__":
    unittest.main()
