"""Counting trials, and spreading them over processes."""

import collections
import functools
import json
import multiprocessing
import os
import re
import resource
import signal
import sys
import traceback

from command import Lab, trespasses

# What must not happen even once.
BAD = ("LOST", "STUCK", "CRASH", "HANG", "WRONG", "OUTSIDE", "BROKEN")


def words(text):
    """An error text without what differs from trial to trial."""
    text = text.strip()
    text = re.sub(r"/[^ :,“”\"']*/(trial|learn|power|race|attack)-\d+(/here)?", "DIR", text)
    text = re.sub(r"\d{9,}-[0-9a-f]{1,8}-[0-9a-f]+", "RUN", text)
    text = re.sub(r"waystone-[0-9a-z]{8,}", "PRIVATE", text)
    return re.sub(r"\b\d+\b", "#", text)


class Tally:
    """Counts, and examples of what deserves a look."""

    def __init__(self):
        self.counts = collections.Counter()
        self.examples = collections.OrderedDict()

    def add(self, name, count=1):
        self.counts[name] += count

    def example(self, kind, text, limit=5):
        self.examples.setdefault(kind, [])
        if len(self.examples[kind]) < limit:
            self.examples[kind].append(text)
        self.counts["! " + kind] += 1

    def merge(self, other):
        self.counts.update(other.counts)
        for kind, texts in other.examples.items():
            mine = self.examples.setdefault(kind, [])
            mine.extend(texts[: max(0, 5 - len(mine))])

    def bad(self):
        """How often each thing happened that must not happen."""
        return {
            word: sum(n for name, n in self.counts.items() if name.startswith("! " + word))
            for word in BAD
        }

    def show(self, title):
        print("== %s" % title)
        for name in sorted(self.counts):
            if not name.startswith("! "):
                print("  %-58s %7d" % (name, self.counts[name]))
        for kind, texts in self.examples.items():
            print("  ! %s: %d" % (kind, self.counts["! " + kind]))
            for text in texts:
                print("      %s" % text.replace("\n", " | ")[:420])
        sys.stdout.flush()


def guarded(function, item):
    """One trial, after which nothing outside of its folder may be changed or read."""
    try:
        tally, record = function(item)
    except Exception:
        tally, record = Tally(), None
        tally.example(
            "BROKEN: the trial itself failed", "%r: %s" % (item, traceback.format_exc()[-900:])
        )
    label = next(iter(record.values())) if isinstance(record, dict) else repr(item)
    for text in trespasses():
        tally.example("OUTSIDE: " + words(text)[:100], str(label)[:200])
    return tally, record


def ignore_interrupts():
    """For the processes of a pool, which their parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def spread(function, items, title):
    """Runs a function on items in several processes, and merges their tallies."""
    tally = Tally()
    work = functools.partial(guarded, function)
    with open(os.path.join(Lab.work, "log-%s.jsonl" % title), "a") as log:
        with multiprocessing.get_context("fork").Pool(Lab.jobs, ignore_interrupts) as pool:
            try:
                for part, record in pool.imap_unordered(work, items, chunksize=1):
                    tally.merge(part)
                    if record:
                        for each in record if isinstance(record, list) else [record]:
                            log.write(json.dumps(each) + "\n")
                        log.flush()
            except KeyboardInterrupt:
                # What is known until then is shown all the same.
                tally.example("BROKEN: the test was interrupted", title)
    return tally


def cpu_seconds():
    own = resource.getrusage(resource.RUSAGE_SELF)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def signal_name(status):
    try:
        return signal.Signals(-status).name
    except ValueError:
        return "signal %d" % -status
