"""How fast a batch is, against one run for each store, one worker, and a plain copy."""

import concurrent.futures
import os
import shutil
import sqlite3
import time

from running import Run


class Figures:
    """Lines of a table: what was measured, the aim, and whether it is met."""

    def __init__(self):
        self.lines = []

    def note(self, what, value):
        self.lines.append((what, value, "", ""))

    def hold(self, what, value, aim, form="%.2f x"):
        """A figure that is to be so much at least; at most, where the aim is negative."""
        is_met = value >= aim if aim > 0 else value <= -aim
        words = ("at least " if aim > 0 else "at most ") + form % abs(aim)
        self.lines.append((what, form % value, words, "met" if is_met else "MISSED"))

    def show(self):
        widths = [max(len(line[n]) for line in self.lines) for n in range(4)]
        for line in self.lines:
            print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def tree_of(samples, folder):
    """Copies of stores in a tree of their own, on the disk and in memory."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number, sample in enumerate(samples):
        shutil.copyfile(sample.path, os.path.join(folder, "%05d.sqlite" % number))
    os.sync()
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def batch(command, source, tree, jobs, count):
    """A batch that must migrate every store: its seconds and its dispatcher's greatest memory."""
    run = Run(command, source, tree, jobs)
    status = run.watch()
    migrated = run.ledger.rows("SELECT COUNT(*) FROM store WHERE state = 'migrated'")[0][0]
    if status != 0 or migrated != count:
        raise SystemExit(
            "%d of %d stores, status %d: %s" % (migrated, count, status, "".join(run.said))
        )
    shutil.rmtree(tree)
    return run.seconds, run.peak


def synchronized_copy(paths, folder):
    """The seconds of copying files, each brought to the disk."""
    os.makedirs(folder)
    began = time.monotonic()
    for path in paths:
        with open(path, "rb") as source:
            with open(os.path.join(folder, os.path.basename(path)), "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
                target.flush()
                os.fsync(target.fileno())
    seconds = time.monotonic() - began
    shutil.rmtree(folder)
    return seconds


def vacuum(path, target):
    """Writes a store anew by SQLite alone, and brings it to the disk."""
    connection = sqlite3.connect(path)
    connection.execute("VACUUM INTO ?", (target,))
    connection.close()
    with open(target, "rb") as file:
        os.fsync(file.fileno())


def vacuumed(paths, folder):
    """The seconds of writing files anew by SQLite alone, two at a time: no row is looked at."""
    os.makedirs(folder)
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        targets = [os.path.join(folder, os.path.basename(path)) for path in paths]
        list(pool.map(vacuum, paths, targets))
    seconds = time.monotonic() - began
    shutil.rmtree(folder)
    return seconds


def is_plain(sample):
    return sample.kind == "good " and not os.path.exists(sample.path + "-wal")


def small_stores(command, samples, work, figures, chance, most):
    """Stores of about 100 kB: a batch with two workers, with one, and a run for each.

    Returns the greatest memory of the dispatcher.
    """
    source, tree = os.path.join(work, "small"), os.path.join(work, "small-results")
    fitting = [s for s in samples if is_plain(s) and 70e3 <= s.bytes <= 140e3]
    paths = tree_of(chance.sample(fitting, min(most, len(fitting))), source)
    # Their sizes and versions are those of all, as the order is by chance.
    alone = paths[: max(10, len(paths) // 5)]
    os.makedirs(tree)
    began = time.monotonic()
    for path in alone:
        command.migrate(path, os.path.join(tree, os.path.basename(path)))
    each = (time.monotonic() - began) / len(alone)
    shutil.rmtree(tree)
    two, memory = batch(command, source, tree, 2, len(paths))
    one, _ = batch(command, source, tree, 1, len(paths))
    shutil.rmtree(source)
    count = len(paths)
    figures.note("one run for each store of about 100 kB", "%.1f stores/s" % (1 / each))
    figures.note("batch of %d such stores, one worker" % count, "%.1f stores/s" % (count / one))
    figures.note("the same, two workers", "%.1f stores/s" % (count / two))
    figures.hold("two workers against one run for each", each * count / two, 3)
    figures.hold("two workers against one", one / two, 1.7)
    return memory, count


def large_stores(command, samples, work, figures, most):
    """Stores of 10 to 50 MB: a batch with two workers against a copy."""
    source, tree = os.path.join(work, "large"), os.path.join(work, "large-results")
    fitting = [s for s in samples if is_plain(s) and s.bytes >= 10e6][:most]
    if not fitting:
        return figures.note("stores of 10 MB and more", "none: not measured")
    paths = tree_of(fitting, source)
    size = sum(os.path.getsize(p) for p in paths)
    copying = synchronized_copy(paths, os.path.join(work, "large-copies"))
    rewriting = vacuumed(paths, os.path.join(work, "large-copies"))
    seconds, _ = batch(command, source, tree, 2, len(paths))
    shutil.rmtree(source)
    text = "%d stores of 10 MB and more" % len(paths)
    figures.note("copy of %s, each synchronized" % text, "%.0f MB/s" % (size / copying / 1e6))
    figures.note("VACUUM INTO of the same, two at a time", "%.0f MB/s" % (size / rewriting / 1e6))
    figures.note("batch of the same, two workers", "%.0f MB/s" % (size / seconds / 1e6))
    figures.note("VACUUM INTO against copy", "%.2f x" % (copying / rewriting))
    figures.note("batch against VACUUM INTO", "%.2f x" % (rewriting / seconds))
    figures.hold("batch against copy", copying / seconds, 0.25)
